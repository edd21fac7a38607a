"""The rules of Pacman: a maximizer, then ghosts in turn, each a minimizer or chance."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from attrs import field, frozen

from games.board import Board
from games.features import Weighted, plain
from games.game import CHANCE, MAXIE, MINNIE, Status
from games.pacman.maze import (
    BITS,
    CAPSULE,
    FOOD,
    GHOST,
    PACMAN,
    RANDOM,
    WALL,
    Maze,
    Scene,
    maze_names,
    read_scene,
    words_of,
)
from games.text_places import text_of
from games.tuples import put
from games.u64 import U64
from graphs.arguments import check_integers, check_kind, check_text
from graphs.errors import MalformedError

ACTIONS: Final = ("left", "right", "up", "down", "stay")
STAY: Final = 4
END: Final = 1_000
"""The points for having eaten all food, or lost for being eaten."""
GHOST_POINTS: Final = 200
"""The points for eating a scared ghost."""
MOST_ROUNDS: Final = 3_000
LONGEST_SCARE: Final = 1_000


@frozen
class Pacman(Weighted[Scene, int]):
    """Pacman; a move is 0 to 4: left, right, up, down, stay.

    Pacman (Maxie) moves, then each ghost: Minnie moves G, and R moves at random, with equal
    probabilities.  A ghost stays only if it cannot move.  A round costs a point, food scores ten,
    eating all food scores a thousand more, and meeting a ghost costs a thousand.  The game ends
    after `rounds` rounds.

    A capsule scares all ghosts for `scared_time` moves of theirs, of which each takes a step at
    every second one.  A scared ghost that meets Pacman is eaten: that scores 200, and it is back
    where it started, not scared any more.

    Requires: `rounds` is 1 to 3,000, `scared_time` 1 to 1,000; one weight for each feature; or
    ValueError.
    Ensures: the estimate is the weighted sum of the features: the score, the distance to the
    nearest food, and the number of ghosts, not scared, at most two steps away, walls ignored.
    Source: for capsules, the Pacman project of UC Berkeley's CS 188: 200 points, 40 moves.

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
    scared_time: int = 40
    width: int = field(init=False, eq=False, repr=False)
    near: tuple[tuple[int, ...], ...] = field(init=False, eq=False, repr=False)
    random: tuple[bool, ...] = field(init=False, eq=False, repr=False)
    all_food: int = field(init=False, eq=False, repr=False)
    capsule: tuple[int, ...] = field(init=False, eq=False, repr=False)
    """The number of the capsule of each cell; -1 for a cell without one."""
    all_capsules: int = field(init=False, eq=False, repr=False)
    homes: tuple[int, ...] = field(init=False, eq=False, repr=False)
    far: int = field(init=False, eq=False, repr=False)
    """More than every distance."""
    words: int = field(init=False, eq=False, repr=False)
    """The words of the food."""
    value_range: tuple[float, float] = field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        if len(self.weights) != len(self.feature_names):
            raise MalformedError(f"one weight each for {', '.join(self.feature_names)}")

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

    @capsule.default
    def _capsule(self) -> tuple[int, ...]:
        row = [-1] * (self.width * len(self.maze.rows))
        for number, cell in enumerate(self.maze.cells(CAPSULE)):
            row[cell] = number
        return tuple(row)

    @all_capsules.default
    def _all_capsules(self) -> int:
        return len(self.maze.cells(CAPSULE))

    @homes.default
    def _homes(self) -> tuple[int, ...]:
        return self.maze.cells(GHOST + RANDOM)

    @far.default
    def _far(self) -> int:
        return max(64, self.width + len(self.maze.rows))

    @words.default
    def _words(self) -> int:
        return -(-len(self.near) // BITS)

    @value_range.default
    def _value_range(self) -> tuple[float, float]:
        check_integers(1, MOST_ROUNDS, rounds=self.rounds)
        check_integers(1, LONGEST_SCARE, scared_time=self.scared_time)
        ghosts = len(self.homes)
        points = 10 * self.all_food + GHOST_POINTS * ghosts * self.all_capsules
        score = max(END, points, self.rounds)
        most = (score, self.far, ghosts)
        bound = sum(abs(w) * n for w, n in zip(self.weights, most, strict=False))
        return (-max(END + score, bound), max(END + score, bound))

    @property
    def max_plies(self) -> int:
        """Return the number of moves in all rounds."""
        return self.rounds * (1 + len(self.random))

    @classmethod
    def on(cls, maze: str = "small", rounds: int = 50, scared_time: int = 40) -> Pacman:
        """Return the game in a maze of the package, or of a file.

        Raises: ValueError, naming the file, if it cannot be read or is not a maze.
        """
        if maze in maze_names() or not (maze.endswith(".txt") or Path(maze).exists()):
            return cls(Maze.load(maze), rounds, scared_time=scared_time)
        try:
            return cls(Maze.from_text(text_of(maze)), rounds, scared_time=scared_time)
        except ValueError as error:
            raise MalformedError(f"{maze}: {error}") from None

    def start(self) -> Scene:
        (pacman,) = self.maze.cells(PACMAN)
        food, *more = words_of(sum(1 << cell for cell in self.maze.cells(FOOD)), self.words)
        capsules = U64((1 << self.all_capsules) - 1)
        scared = (0,) * len(self.homes) if self.all_capsules else ()
        return Scene(pacman, self.homes, food, 0, 0, tuple(more), capsules, scared, 0)

    def caught(self, state: Scene) -> bool:
        """Return whether a ghost that is not scared is where Pacman is."""
        met = state.pacman in state.ghosts
        if not met or len(state.scared) == 0:
            return met
        for k in range(len(state.ghosts)):
            if state.ghosts[k] == state.pacman and state.scared[k] == 0:
                return True
        return False

    def is_scared(self, state: Scene, ghost: int) -> bool:
        """Return whether a ghost is scared."""
        return len(state.scared) > 0 and state.scared[ghost] > 0

    def food_left(self, state: Scene) -> int:
        """Return the number of cells with food."""
        left = state.food.bit_count()
        for word in state.more_food:
            left += word.bit_count()
        return left

    def status(self, state: Scene) -> Status:
        if self.caught(state):
            return Status.MINNIE_WINS
        if state.food == 0 and self.food_left(state) == 0:
            return Status.MAXIE_WINS
        return Status.OVER if state.rounds >= self.rounds else Status.IN_PLAY

    def player(self, state: Scene) -> int:
        if state.turn == 0:
            return MAXIE
        return CHANCE if self.random[state.turn - 1] else MINNIE

    def steps(self, state: Scene) -> Iterator[int]:
        """Yield the moves of Pacman or the ghost to move; a scared one rests at odd times."""
        near = self.near[state.pacman if state.turn == 0 else state.ghosts[state.turn - 1]]
        ways = 0
        if len(state.scared) == 0 or not self.rests(state):
            for action in range(4):
                if near[action] >= 0:
                    ways += 1
                    yield action
        if state.turn == 0 or ways == 0:
            yield STAY

    def rests(self, state: Scene) -> bool:
        """Return whether a scared ghost is to move that does not take a step this time."""
        if state.turn == 0:
            return False
        left = state.scared[state.turn - 1]
        return left > 0 and left % 2 == 1

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
            return self.pacman_moved(state, self.near[state.pacman][move])
        ghost = state.turn - 1
        return self.ghost_moved(state, ghost, self.near[state.ghosts[ghost]][move])

    def pacman_moved(self, state: Scene, cell: int) -> Scene:
        """Return the position after Pacman went to a cell: food, capsule and ghosts are eaten."""
        food, more = state.food, state.more_food
        if cell < BITS:
            food = food & ~(U64(1) << cell)
        else:
            word = cell // BITS - 1
            more = put(more, word, more[word] & ~(U64(1) << cell % BITS))
        ghosts, scared = state.ghosts, state.scared
        capsules, eaten = state.capsules, state.eaten
        if len(scared) > 0:
            number = self.capsule[cell]
            fresh = number >= 0 and (capsules >> number) & 1 == 1
            if fresh:
                capsules = capsules & ~(U64(1) << number)
            for k in range(len(ghosts)):
                left = self.scared_time if fresh else max(0, scared[k])
                if left > 0 and ghosts[k] == cell:
                    ghosts, left, eaten = put(ghosts, k, self.homes[k]), -1, eaten + 1
                scared = put(scared, k, left)
        return Scene(cell, ghosts, food, 1, state.rounds, more, capsules, scared, eaten)

    def ghost_moved(self, state: Scene, ghost: int, cell: int) -> Scene:
        """Return the position after a ghost went to a cell, where it is eaten if it is scared."""
        scared, eaten = state.scared, state.eaten
        if len(scared) > 0:
            left = max(0, scared[ghost] - 1)
            if left > 0 and cell == state.pacman:
                cell, left, eaten = self.homes[ghost], -1, eaten + 1
            scared = put(scared, ghost, left)
        ghosts = put(state.ghosts, ghost, cell)
        last = state.turn == len(ghosts)
        turn, rounds = (0, state.rounds + 1) if last else (state.turn + 1, state.rounds)
        return Scene(
            state.pacman, ghosts, state.food, turn, rounds, state.more_food, state.capsules,
            scared, eaten,
        )  # fmt: skip

    def score(self, state: Scene) -> int:
        """Return the points for food and ghosts, minus the rounds."""
        food = self.all_food - self.food_left(state)
        return 10 * food + GHOST_POINTS * state.eaten - state.rounds

    def distance(self, a: int, b: int) -> int:
        """Return the number of steps between two cells, walls ignored."""
        rows, columns = a // self.width - b // self.width, a % self.width - b % self.width
        return abs(rows) + abs(columns)

    def features(self, state: Scene) -> tuple[int, ...]:
        nearest = self.nearest(state.pacman, state.food, 0)
        for k in range(len(state.more_food)):
            cell = BITS + BITS * k
            nearest = min(nearest, self.nearest(state.pacman, state.more_food[k], cell))
        ghosts = 0
        for k in range(len(state.ghosts)):
            if self.distance(state.pacman, state.ghosts[k]) <= 2 and not self.is_scared(state, k):
                ghosts += 1
        return self.score(state), nearest, ghosts

    def nearest(self, pacman: int, food: U64, first: int) -> int:
        """Return the distance to the nearest food of one word, whose cells count from `first`."""
        nearest = self.far
        while food != 0:
            nearest = min(nearest, self.distance(pacman, first + food.lowest()))
            food = food & (food - 1)
        return nearest

    def utility(self, state: Scene) -> int:
        if self.caught(state):
            return self.score(state) - END
        return self.score(state) + (END if self.food_left(state) == 0 else 0)

    # For people ---------------------------------------------------------------------------------

    def label(self, state: Scene) -> str:
        return state.label

    def show(self, state: Scene) -> str:
        cells = [c if c == WALL else " " for c in "".join(self.maze.rows)]
        for cell, number in enumerate(self.capsule):
            if state.is_food(cell):
                cells[cell] = FOOD
            if number >= 0 and (state.capsules >> number) & 1:
                cells[cell] = CAPSULE
        cells[state.pacman] = PACMAN
        for k, ghost in enumerate(state.ghosts):
            mark = RANDOM if self.random[k] else GHOST
            mark = mark.lower() if self.is_scared(state, k) else mark
            cells[ghost] = "*" if ghost == state.pacman else mark
        text, wide = "".join(cells), self.width
        rows = [f"#{text[k : k + wide]}#" for k in range(0, len(text), wide)]
        frame = "#" * (wide + 2)
        return "\n".join([frame, *rows, frame, self.below(state)])

    def below(self, state: Scene) -> str:
        """Return the line below a picture: who moves, the round, and which ghosts are scared."""
        who = f"ghost {state.turn}" if state.turn else "Pacman"
        scared = [f"ghost {k} for {n}" for k, n in enumerate(state.scared, 1) if n > 0]
        more = f"; scared: {', '.join(scared)}" if scared else ""
        return f"{who} moves, round {state.rounds}{more}"

    def picture(self, state: Scene) -> Board:
        *rows, below = self.show(state).split("\n")
        return Board([r.replace(FOOD, "·").replace(CAPSULE, "●") for r in rows], below=below)

    def move_text(self, state: Scene, move: int) -> str:
        return ACTIONS[move]

    def parse_state(self, text: str) -> Scene:
        """Return the position of a label such as ``5:7,9:1a/0@3``, as `read_scene` does.

        Raises: ValueError, with line and column, for a text that is not a label, or that is not a
        position of this maze.
        """
        check_text(text)
        start = self.start()
        if not text.strip():
            return start
        return read_scene(text, self.maze, start, self.rounds, self.scared_time)
