"""Mazes and positions of Pacman, and their texts: written, read, and what does not fit."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.resources import files
from typing import Final

from attrs import frozen

from games.text_places import label_in, place_of
from games.u64 import U64
from graphs.arguments import check_kind, excerpt, row_of, shown
from graphs.errors import MalformedError

WALL, FOOD, CAPSULE, EMPTY, PACMAN, GHOST, RANDOM = "#.o PGR"
CELLS = 4096
CAPSULES = 64
"""The most cells and capsules of a maze."""


@frozen
class Maze:
    """A maze inside its walls, row by row: `#` wall, `.` food, `o` capsule, blank, P, G and R.

    P is the start of Pacman, G a ghost that Minnie moves, R one that moves at random.  Ghosts move
    in the order of the text.

    Requires: a frame of walls around rows of equal length, at most 4,096 cells inside; one P, at
    least one ghost, food, at most 64 capsules; and a path from P to all of them.  Otherwise
    ValueError, with line and column.

    >>> Maze.load("small").rows
    ('P . .', ' # # ', '. G .')
    """

    rows: tuple[str, ...]

    def __attrs_post_init__(self) -> None:
        rows = row_of("rows", self.rows, "texts, as Maze.from_text makes them")
        check_kind(str, "a text", **{f"row {k}": row for k, row in enumerate(rows, 1)})
        text = "".join(self.rows)
        if len({len(row) for row in self.rows}) != 1 or not text:
            raise MalformedError("line 2, column 2: a maze has rows of one length, a cell or more")
        if len(text) > CELLS:
            raise MalformedError(
                f"{self.place(CELLS)}: {len(text):,} cells inside, at most {CELLS:,} fit"
            )
        self._check_cells(text)

    def _check_cells(self, text: str) -> None:
        """Raise MalformedError, with line and column, if the cells are not those of a maze."""
        for cell, c in enumerate(text):
            if c not in WALL + FOOD + CAPSULE + EMPTY + PACMAN + GHOST + RANDOM:
                raise MalformedError(f"{self.place(cell)}: {shown(c)} is not one of # . o P G R")
        many = f"more than {CAPSULES} capsules"
        for kind, most, why in (
            (PACMAN, 1, "a second P, a maze has one"),
            (CAPSULE, CAPSULES, many),
        ):
            if text.count(kind) > most:
                raise MalformedError(f"{self.place(self.cells(kind)[most])}: {why}")
        for kinds, what in ((PACMAN, "P"), (FOOD, "food"), (GHOST + RANDOM, "ghost, G or R")):
            if not self.cells(kinds):
                raise MalformedError(f"{self.place(len(text) - 1)}: the maze has no {what}")
        reached = self.reached()
        for cell in self.cells(FOOD + CAPSULE + GHOST + RANDOM):
            if cell not in reached:
                raise MalformedError(f"{self.place(cell)}: no way leads from P to {text[cell]}")

    @staticmethod
    def from_text(text: str) -> Maze:
        """Read a maze from text, including its frame of walls.

        Raises: ValueError, with line and column, for an invalid maze.
        """
        lines = text.rstrip("\n").split("\n")
        for number, line in enumerate(lines, 1):
            frame = number in (1, len(lines))
            for column, c in enumerate(line, 1):
                if (frame or column in (1, len(line))) and c != WALL:
                    raise MalformedError(
                        f"line {number}, column {column}: the frame of # must be closed"
                    )
            if len(line) != len(lines[0]):
                raise MalformedError(
                    f"line {number}, column {len(line) + 1}: {len(line)} cells "
                    f"where line 1 has {len(lines[0])}"
                )
        return Maze(tuple(line[1:-1] for line in lines[1:-1]))

    @staticmethod
    def load(name: str) -> Maze:
        """Load a maze of the package; `maze_names` lists them.

        Raises: ValueError, with the known names, for another name.
        """
        if name not in maze_names():
            raise MalformedError(f"there is no maze {shown(name)}; mazes: {' '.join(maze_names())}")
        path = files("games.pacman") / "mazes" / f"{name}.txt"
        return Maze.from_text(path.read_text(encoding="utf-8"))

    def place(self, cell: int) -> str:
        """Return the line and column of a cell in the text of the maze with its frame."""
        row, column = divmod(cell, len(self.rows[0]))
        return f"line {row + 2}, column {column + 2}"

    def cells(self, kinds: str) -> tuple[int, ...]:
        """Return the cells that contain one of these characters."""
        return tuple(cell for cell, c in enumerate("".join(self.rows)) if c in kinds)

    def near(self, cell: int) -> tuple[int, ...]:
        """Return the cells left, right, above and below a cell; -1 for a wall."""
        width, high = len(self.rows[0]), len(self.rows)
        row, column = divmod(cell, width)
        around = ((row, column - 1), (row, column + 1), (row - 1, column), (row + 1, column))
        return tuple(
            r * width + c if 0 <= r < high and 0 <= c < width and self.rows[r][c] != WALL else -1
            for r, c in around
        )

    def reached(self) -> set[int]:
        """Return the cells that Pacman can reach."""
        found: set[int] = set()
        left = list(self.cells(PACMAN))
        while left:
            cell = left.pop()
            if cell >= 0 and cell not in found:
                found.add(cell)
                left += self.near(cell)
        return found


def maze_names() -> list[str]:
    """Return the names of the mazes of the package.

    >>> maze_names()
    ['capsules', 'mixed', 'small', 'three', 'wide']
    """
    folder = files("games.pacman") / "mazes"
    return sorted(f.name.removesuffix(".txt") for f in folder.iterdir() if f.name.endswith(".txt"))


BITS: Final = 64
"""The cells that one word of the food has."""
LABEL: Final = re.compile(
    r"(?P<pacman>\d{1,4}):(?P<ghosts>\d{1,4}(,\d{1,4})*):(?P<food>[0-9a-f]{1,1040})"
    r"/(?P<turn>\d{1,4})@(?P<rounds>\d{1,4})"
    r"(\+(?P<capsules>[0-9a-f]{1,16}):(?P<scared>(-1|\d{1,4})(,(-1|\d{1,4}))*):(?P<eaten>\d{1,6}))?",
    re.ASCII,
)


NONE: Final = U64(0)


@frozen
class Scene:
    """A position of Pacman: where everybody is, what is left to eat, mover and round."""

    pacman: int
    ghosts: tuple[int, ...]
    food: U64
    """Which of the first 64 cells have food."""
    turn: int
    """0 is Pacman; the others are the ghosts in their order."""
    rounds: int
    more_food: tuple[U64, ...] = ()
    """Which of the other cells have food, 64 cells a word."""
    capsules: U64 = NONE
    """The capsules left, as bits in the order of the maze."""
    scared: tuple[int, ...] = ()
    """The moves for which each ghost is still scared, -1 after it was eaten, until it moves; empty
    in a maze without capsules, whose positions are thus smaller."""
    eaten: int = 0
    """The number of ghosts eaten so far."""

    def is_food(self, cell: int) -> bool:
        """Return whether there is food in a cell."""
        word = (self.food, *self.more_food)[cell // BITS]
        return bool((word >> cell % BITS) & 1)

    @property
    def label(self) -> str:
        """Return the position as text, which `scene_of` reads; after a ``+``, what capsules did.

        >>> Scene(5, (7, 9), U64(26), 0, 3).label
        '5:7,9:1a/0@3'
        >>> Scene(5, (7, 9), U64(26), 0, 3, (), U64(1), (40, -1), 2).label
        '5:7,9:1a/0@3+1:40,-1:2'
        """
        words = (self.food, *self.more_food)
        food = sum(int(word) << BITS * k for k, word in enumerate(words))
        text = f"{self.pacman}:{_joined(self.ghosts)}:{food:x}/{self.turn}@{self.rounds}"
        if not self.scared:
            return text
        return f"{text}+{int(self.capsules):x}:{_joined(self.scared)}:{self.eaten}"


def _joined(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))


def words_of(number: int, count: int) -> tuple[U64, ...]:
    """Return the words of a number, the lowest first: so many, or as many as it needs.

    >>> words_of(1 | 2 << 64, 1)
    (U64(0x1), U64(0x2))
    """
    needed = -(-number.bit_length() // BITS)
    return tuple(U64(number >> BITS * k) for k in range(max(count, needed)))


def scene_of(found: re.Match[str], count: int) -> Scene:
    """Return the position of a `LABEL` such as ``5:7,9:1a/0@3``, with so many words of food.

    The label has Pacman's cell, the ghosts' cells, the food as a number in base 16, who moves, and
    the round; cells count from 0, by rows.  After a ``+``, it has the capsules as a number in base
    16, how long each ghost is scared, and how many were eaten.
    """
    food, *more = words_of(int(found["food"], 16), count)
    return Scene(
        int(found["pacman"]), _numbers(found["ghosts"]), food, int(found["turn"]),
        int(found["rounds"]), tuple(more), U64(int(found["capsules"] or "0", 16)),
        _numbers(found["scared"] or ""), int(found["eaten"] or 0),
    )  # fmt: skip


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(","))) if text else ()


Fault = tuple[str, str] | None
"""The part of a label that is wrong, and the reason; None if nothing is."""


def read_scene(text: str, maze: Maze, start: Scene, rounds: int, scared_time: int) -> Scene:
    """Read the position of a maze that a label describes, as `scene_of` says.

    Requires: `start` is the first position in the maze; a game of so many rounds.
    Raises: ValueError, with line and column, for a text that is not a label, or that is not a
    position of this maze.
    """
    found = label_in(text, LABEL, excerpt(start.label))
    state = scene_of(found, 1 + len(start.more_food))
    fault = (
        _of_places(state, start, maze)
        or _of_turns(state, start, rounds)
        or _of_capsules(state, start, maze)
        or _of_scared(state, start, scared_time)
    )
    if fault is not None:
        part, why = fault
        raise MalformedError(f"{place_of(text, max(found.start(part), found.start()))}: {why}")
    return state


def _of_places(state: Scene, start: Scene, maze: Maze) -> Fault:
    """Return what is wrong with where Pacman, the ghosts and the food are."""
    free = maze.reached()
    for part, cells in (("pacman", (state.pacman,)), ("ghosts", state.ghosts)):
        for cell in cells:
            if cell not in free:
                return part, f"cell {cell} is not a free cell of the maze"
    if len(state.ghosts) != len(start.ghosts):
        return "ghosts", f"{len(state.ghosts)} ghosts where the maze has {len(start.ghosts)}"
    words = [(state.food, start.food), *zip(state.more_food, start.more_food, strict=False)]
    more = len(state.more_food) > len(start.more_food)
    if more or any(left & ~every for left, every in words) or state.is_food(state.pacman):
        return "food", "there is food where the maze has none, or where Pacman is"
    return None


def _of_turns(state: Scene, start: Scene, rounds: int) -> Fault:
    if state.turn > len(start.ghosts):
        return "turn", f"the turn must be 0 to {len(start.ghosts)}"
    if state.rounds > rounds:
        return "rounds", f"the round must be 0 to {rounds}"
    return None


def _of_capsules(state: Scene, start: Scene, maze: Maze) -> Fault:
    """Return what is wrong with the capsules, the scared ghosts and those eaten."""
    if len(state.scared) != len(start.scared):
        many = f"the maze has {len(start.scared)} ghosts that capsules scare"
        return "scared", f"{many}, not {len(state.scared)}"
    cells = maze.cells(CAPSULE)
    here = 1 << cells.index(state.pacman) if state.pacman in cells else 0
    if state.capsules & (~start.capsules | here):
        return "capsules", "there is a capsule that the maze does not have, or where Pacman is"
    gone = len(cells) - state.capsules.bit_count()
    if state.eaten > gone * len(start.ghosts):
        return "eaten", f"at most {gone * len(start.ghosts)} ghosts are eaten by {gone} capsules"
    return None


def _of_scared(state: Scene, start: Scene, scared_time: int) -> Fault:
    """Return what is wrong with how long a ghost is scared."""
    most = 0 if state.capsules == start.capsules else scared_time
    for ghost, left, home in zip(state.ghosts, state.scared, start.ghosts, strict=False):
        if left > most:
            return "scared", f"a ghost is scared for at most {most} moves here, not {left}"
        if left > 0 and ghost == state.pacman:
            return "scared", "a scared ghost is where Pacman is, who would have eaten it"
        if left < 0 and (ghost != home or state.eaten == 0):
            return "scared", "-1 is for a ghost that was eaten and is where it started"
    return None
