"""The rules of Pacman: a maximizer, then ghosts in turn, each a minimizer or chance."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from attrs import field, frozen

from games.board import Board
from games.features import Weighted, plain
from games.game import CHANCE, MAXIE, MINNIE, Status
from games.pacman.maze import FOOD, GHOST, PACMAN, RANDOM, WALL, Maze, maze_names
from games.text_places import label_in, place_of, text_of
from games.tuples import put
from games.u64 import U64
from graphs.arguments import check_integers, check_kind
from graphs.errors import MalformedError

ACTIONS: Final = ("left", "right", "up", "down", "stay")
STAY: Final = 4
END: Final = 1_000
"""The points for having eaten all food, or lost for being eaten."""
MOST_ROUNDS: Final = 300
LABEL: Final = re.compile(
    r"(?P<pacman>\d{1,2}):(?P<ghosts>\d{1,2}(,\d{1,2})*):(?P<food>[0-9a-f]{1,16})"
    r"/(?P<turn>\d{1,2})@(?P<rounds>\d{1,3})",
    re.ASCII,
)


@frozen
class Scene:
    """A position of Pacman: the cells of Pacman and the ghosts, the food left, mover and round."""

    pacman: int
    ghosts: tuple[int, ...]
    food: U64
    turn: int
    """0 is Pacman; the others are the ghosts in their order."""
    rounds: int


@frozen
class Pacman(Weighted[Scene, int]):
    """Pacman; a move is 0 to 4: left, right, up, down, stay.

    Pacman (Maxie) moves, then each ghost: Minnie moves G, and R moves at random, with equal
    probabilities.  A ghost stays only if it cannot move.  A round costs a point, food scores ten,
    eating all food scores a thousand more, and meeting a ghost costs a thousand.  The game ends
    after `rounds` rounds.

    Requires: `rounds` is 1 to 300; one weight for each feature; or ValueError.
    Ensures: the estimate is the weighted sum of the features: the score, the distance to the
    nearest food, and the number of ghosts at most two steps away, walls ignored.

    >>> game = Pacman.on("mixed")
    >>> print(game.show(game.start()))
    ########
    #P  . .#
    # ## # #
    #. R  G#
    ########
    Pacman moves, round 0
    """

    feature_names = ("score", "food_distance", "ghosts_near")

    maze: Maze
    rounds: int = 50
    weights: tuple[float, ...] = field(default=(1, -1, -30), converter=plain)
    value_range: tuple[float, float] = field(init=False, eq=False, repr=False)
    width: int = field(init=False, eq=False, repr=False)
    near: tuple[tuple[int, ...], ...] = field(init=False, eq=False, repr=False)
    random: tuple[bool, ...] = field(init=False, eq=False, repr=False)
    all_food: int = field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        check_integers(rounds=self.rounds)
        if not 1 <= self.rounds <= MOST_ROUNDS:
            raise MalformedError(f"rounds must be 1 to {MOST_ROUNDS}, not {self.rounds}")
        if len(self.weights) != len(self.feature_names):
            raise MalformedError(f"one weight each for {', '.join(self.feature_names)}")

    @value_range.default
    def _value_range(self) -> tuple[float, float]:
        most = sum(abs(w) * n for w, n in zip(self.weights, (END, 64, 64), strict=False))
        return (-max(2 * END, most), max(2 * END, most))

    @width.default
    def _width(self) -> int:
        check_kind(Maze, "a Maze; or write Pacman.on('small')", maze=self.maze)
        return len(self.maze.rows[0])

    @near.default
    def _near(self) -> tuple[tuple[int, ...], ...]:
        return tuple((*self.maze.near(k), k) for k in range(self.width * len(self.maze.rows)))

    @random.default
    def _random(self) -> tuple[bool, ...]:
        text = "".join(self.maze.rows)
        return tuple(text[cell] == RANDOM for cell in self.maze.cells(GHOST + RANDOM))

    @all_food.default
    def _all_food(self) -> int:
        return len(self.maze.cells(FOOD))

    @property
    def max_plies(self) -> int:
        """Return the number of moves in all rounds."""
        return self.rounds * (1 + len(self.random))

    @classmethod
    def on(cls, maze: str = "small", rounds: int = 50) -> Pacman:
        """Return the game in a maze of the package, or of a file.

        Raises: ValueError, naming the file, if it cannot be read or is not a maze.
        """
        if maze in maze_names() or not (maze.endswith(".txt") or Path(maze).exists()):
            return cls(Maze.load(maze), rounds)
        try:
            return cls(Maze.from_text(text_of(maze)), rounds)
        except ValueError as error:
            raise MalformedError(f"{maze}: {error}") from None

    def start(self) -> Scene:
        food = U64(sum(1 << cell for cell in self.maze.cells(FOOD)))
        (pacman,) = self.maze.cells(PACMAN)
        return Scene(pacman, self.maze.cells(GHOST + RANDOM), food, 0, 0)

    def caught(self, state: Scene) -> bool:
        """Return whether a ghost is where Pacman is."""
        for ghost in state.ghosts:  # noqa: SIM110 - `any` of a generator does not compile
            if ghost == state.pacman:
                return True
        return False

    def status(self, state: Scene) -> Status:
        if self.caught(state):
            return Status.MINNIE_WINS
        if state.food == 0:
            return Status.MAXIE_WINS
        return Status.OVER if state.rounds >= self.rounds else Status.IN_PLAY

    def player(self, state: Scene) -> int:
        if state.turn == 0:
            return MAXIE
        return CHANCE if self.random[state.turn - 1] else MINNIE

    def steps(self, state: Scene) -> Iterator[int]:
        """Yield the moves of Pacman or the ghost to move."""
        near = self.near[state.pacman if state.turn == 0 else state.ghosts[state.turn - 1]]
        ways = 0
        for action in range(4):
            if near[action] >= 0:
                ways += 1
                yield action
        if state.turn == 0 or ways == 0:
            yield STAY

    def moves(self, state: Scene) -> Iterator[int]:
        if self.status(state) == Status.IN_PLAY and self.player(state) != CHANCE:
            yield from self.steps(state)

    def outcomes(self, state: Scene) -> Iterator[tuple[float, Scene]]:
        ways = 0
        for _ in self.steps(state):
            ways += 1
        for action in self.steps(state):
            yield 1.0 / ways, self.make_move(state, action)

    def make_move(self, state: Scene, move: int) -> Scene:
        if state.turn == 0:
            cell = self.near[state.pacman][move]
            return Scene(cell, state.ghosts, state.food & ~(U64(1) << cell), 1, state.rounds)
        ghost = state.turn - 1
        ghosts = put(state.ghosts, ghost, self.near[state.ghosts[ghost]][move])
        last = state.turn == len(state.ghosts)
        turn, rounds = (0, state.rounds + 1) if last else (state.turn + 1, state.rounds)
        return Scene(state.pacman, ghosts, state.food, turn, rounds)

    def score(self, state: Scene) -> int:
        """Return ten points for each food eaten, minus the rounds."""
        return 10 * (self.all_food - state.food.bit_count()) - state.rounds

    def distance(self, a: int, b: int) -> int:
        """Return the number of steps between two cells, walls ignored."""
        rows, columns = a // self.width - b // self.width, a % self.width - b % self.width
        return abs(rows) + abs(columns)

    def features(self, state: Scene) -> tuple[int, ...]:
        nearest, left = 64, state.food
        while left != 0:
            nearest = min(nearest, self.distance(state.pacman, left.lowest()))
            left = left & (left - 1)
        ghosts = 0
        for ghost in state.ghosts:
            if self.distance(state.pacman, ghost) <= 2:
                ghosts += 1
        return self.score(state), nearest, ghosts

    def utility(self, state: Scene) -> int:
        if self.caught(state):
            return self.score(state) - END
        return self.score(state) + (END if state.food == 0 else 0)

    # For people ---------------------------------------------------------------------------------

    def label(self, state: Scene) -> str:
        ghosts = ",".join(map(str, state.ghosts))
        return f"{state.pacman}:{ghosts}:{int(state.food):x}/{state.turn}@{state.rounds}"

    def show(self, state: Scene) -> str:
        cells = [c if c == WALL else " " for c in "".join(self.maze.rows)]
        for cell in range(len(cells)):
            if (state.food >> cell) & 1:
                cells[cell] = FOOD
        cells[state.pacman] = PACMAN
        for ghost, random in zip(state.ghosts, self.random, strict=True):
            cells[ghost] = "*" if ghost == state.pacman else RANDOM if random else GHOST
        text, wide = "".join(cells), self.width
        rows = [f"#{text[k : k + wide]}#" for k in range(0, len(text), wide)]
        frame = "#" * (wide + 2)
        who = f"ghost {state.turn}" if state.turn else "Pacman"
        return "\n".join([frame, *rows, frame, f"{who} moves, round {state.rounds}"])

    def picture(self, state: Scene) -> Board:
        *rows, below = self.show(state).replace(FOOD, "·").split("\n")
        return Board(rows, below=below)

    def move_text(self, state: Scene, move: int) -> str:
        return ACTIONS[move]

    def parse_state(self, text: str) -> Scene:
        """Return the position of a label such as ``5:7,9:1a/0@3``: Pacman's cell, the ghosts'
        cells, the food as a word in base 16, who moves, the rounds; cells count from 0, by rows.

        Raises: ValueError, with line and column, for a text that is not a label, or that is not a
        position of this maze.
        """
        if not text.strip():
            return self.start()
        found = label_in(text, LABEL, self.label(self.start()))
        ghosts = tuple(int(ghost) for ghost in found["ghosts"].split(","))
        state = Scene(
            int(found["pacman"]), ghosts, U64(int(found["food"], 16)),
            int(found["turn"]), int(found["rounds"]),
        )  # fmt: skip
        fault = self.fault(state)
        if fault is not None:
            part, why = fault
            raise MalformedError(f"{place_of(text, found.start(part))}: {why}")
        return state

    def fault(self, state: Scene) -> tuple[str, str] | None:
        """Return the part of a label that is wrong in this maze, with the reason."""
        free, many = self.maze.reached(), len(self.random)
        for part, cells in (("pacman", (state.pacman,)), ("ghosts", state.ghosts)):
            for cell in cells:
                if cell not in free:
                    return part, f"cell {cell} is not a free cell of the maze"
        if len(state.ghosts) != many:
            return "ghosts", f"{len(state.ghosts)} ghosts where the maze has {many}"
        if state.food & ~self.start().food != 0 or (state.food >> state.pacman) & 1:
            return "food", "there is food where the maze has none, or where Pacman is"
        if state.turn > many:
            return "turn", f"the turn must be 0 to {many}"
        if state.rounds > self.rounds:
            return "rounds", f"the round must be 0 to {self.rounds}"
        return None
