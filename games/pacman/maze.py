"""Mazes of Pacman as text, one character per cell."""

from __future__ import annotations

from importlib.resources import files

from attrs import frozen

from graphs.arguments import check_kind, row_of, shown
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
