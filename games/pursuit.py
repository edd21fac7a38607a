"""Pursuit: a protagonist runs for a goal past an antagonist, on an infinite grid or line.

Against a perfect antagonist (minimax) it is best to be touched soon; against one that moves at
random (``with_chance(game, MINNIE)``, expectimax) it pays to run for the goal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from attrs import field, frozen

from games.game import Game, Status
from games.text_places import end_of, label_in, place_of
from graphs.arguments import check_integers, check_text, shown
from graphs.errors import MalformedError

GOAL: Final = 9999
FARTHEST: Final = 9999
"""The largest absolute value of a coordinate, which no game can reach."""
WIDE, HIGH = 39, 21
"""The largest size of a picture, in places."""
ACTIONS: Final = ("left", "right", "down", "up")
LABEL: Final = re.compile(
    r"P(?P<px>-?\d{1,5}),(?P<py>-?\d{1,5})A(?P<ax>-?\d{1,5}),(?P<ay>-?\d{1,5})@(?P<ply>\d{1,5})",
    re.ASCII,
)


@frozen
class Chase:
    """A position of Pursuit: protagonist, antagonist, and the plies made (even: Maxie moves)."""

    px: int
    py: int
    ax: int
    ay: int
    ply: int


@frozen
class Pursuit(Game[Chase, int]):
    """Pursuit: Maxie, from (0, 0), runs for the goal; Minnie is the antagonist.

    A move is 0 to 3: left, right, down, up.

    The score falls by one with every move.  Touching the antagonist ends the game with the current
    score, even at the goal; reaching the goal ends it with a score of 9999.  After `max_plies`
    moves the game ends with the current score.

    Requires: `actions` is 4, or 2 on a line; protagonist, antagonist and goal are in different
    places; no coordinate is beyond 9999; `max_plies` is 1 to 9998; else ValueError.
    Ensures: the estimate is the current score.
    Source: the world of K. Willeford's report on parallel expectimax (CSCI 176).

    >>> game = Pursuit.line()
    >>> print(game.show(game.start()))
    . P . A G .
    >>> print(game.show(game.parse_state("right right")))
    . . P . * .
    """

    goal_x: int = 3
    goal_y: int = 0
    antagonist_x: int = 2
    antagonist_y: int = 0
    actions: int = 4
    max_plies: int = 60
    value_range: tuple[float, float] = field(init=False, eq=False, repr=False)

    @classmethod
    def line(cls, goal: int = 3, antagonist: int = 2, max_plies: int = 60) -> Pursuit:
        """Return the game in one dimension, with two actions: left and right."""
        return cls(goal_x=goal, antagonist_x=antagonist, actions=2, max_plies=max_plies)

    @value_range.default
    def _value_range(self) -> tuple[float, float]:
        check_integers(1, GOAL - 1, max_plies=self.max_plies)
        return (-self.max_plies, GOAL)

    def __attrs_post_init__(self) -> None:
        names = "goal_x", "goal_y", "antagonist_x", "antagonist_y"
        check_integers(-FARTHEST, FARTHEST, **{name: getattr(self, name) for name in names})
        goal, antagonist = (self.goal_x, self.goal_y), (self.antagonist_x, self.antagonist_y)
        if len({(0, 0), goal, antagonist}) < 3:
            raise MalformedError(
                "protagonist (0, 0), antagonist and goal must be in three different places"
            )
        if self.actions not in (2, 4) or (self.actions == 2 and (goal[1] or antagonist[1])):
            raise MalformedError("actions must be 4, or 2 on a line, where every y is 0")

    def start(self) -> Chase:
        return Chase(0, 0, self.antagonist_x, self.antagonist_y, 0)

    def status(self, state: Chase) -> Status:
        if state.px == state.ax and state.py == state.ay:
            return Status.OVER
        if state.px == self.goal_x and state.py == self.goal_y:
            return Status.MAXIE_WINS
        if state.ply >= self.max_plies:
            return Status.OVER
        return Status.IN_PLAY

    def player(self, state: Chase) -> int:
        return state.ply & 1

    def moves(self, state: Chase) -> Iterator[int]:
        if self.status(state) == Status.IN_PLAY:
            yield from range(self.actions)

    def make_move(self, state: Chase, move: int) -> Chase:
        dx = (1 if move == 1 else 0) - (1 if move == 0 else 0)
        dy = (1 if move == 3 else 0) - (1 if move == 2 else 0)
        if state.ply & 1 == 0:
            return Chase(state.px + dx, state.py + dy, state.ax, state.ay, state.ply + 1)
        return Chase(state.px, state.py, state.ax + dx, state.ay + dy, state.ply + 1)

    def estimate(self, state: Chase) -> int:
        return -state.ply

    def utility(self, state: Chase) -> int:
        return GOAL if self.status(state) == Status.MAXIE_WINS else -state.ply

    # For people ---------------------------------------------------------------------------------

    def label(self, state: Chase) -> str:
        return f"P{state.px},{state.py}A{state.ax},{state.ay}@{state.ply}"

    def show(self, state: Chase) -> str:
        """Return a picture of the part of the world with all three; ``*`` marks two in one place.

        If they are far apart, it shows the part around the protagonist and lists the others.
        """
        places = {"G": (self.goal_x, self.goal_y), "A": (state.ax, state.ay)}
        places["P"] = (state.px, state.py)
        border = 0 if self.actions == 2 else 1
        xs = [x for x, _ in places.values()] + [0, self.antagonist_x]
        ys = [y for _, y in places.values()]
        columns, rows = [min(xs) - 1, max(xs) + 1], [min(ys) - border, max(ys) + border]
        far = []
        for ends, most, middle in ((columns, WIDE, state.px), (rows, HIGH, state.py)):
            if ends[1] - ends[0] >= most:
                ends[:] = [middle - most // 2, middle + most // 2]
                far = [" ".join(f"{name} at {x},{y}" for name, (x, y) in places.items())]
        lines = []
        for y in range(rows[1], rows[0] - 1, -1):
            line = []
            for x in range(columns[0], columns[1] + 1):
                here = [name for name, place in places.items() if place == (x, y)]
                line.append("." if not here else here[0] if len(here) == 1 else "*")
            lines.append(" ".join(line))
        return "\n".join(lines + far)

    def move_text(self, state: Chase, move: int) -> str:
        return ACTIONS[move]

    def parse_state(self, text: str) -> Chase:
        """Read a position: a label (``P0,0A2,0@0``), moves from the start, or a picture.

        A picture has one P, A and G, and dots elsewhere; its goal is that of the game, and Maxie
        moves at ply 0.

        Raises: ValueError, with line and column, for a label or picture that is not a position of
        this game; IllegalMove for a move that is not legal in its position.

        >>> game = Pursuit.line()
        >>> game.label(game.parse_state("A P . G"))
        'P1,0A0,0@0'
        """
        check_text(text)
        if not set(text) & set("PAG.*"):
            return super().parse_state(text)
        if "@" in text:
            return self.labelled(text)
        cells = read_grid(text)
        row, column = cells["G"][0]
        for name in "PA":
            (down, _), place = cells[name]
            if self.actions == 2 and down != row:
                raise MalformedError(f"{place}: {name} and G are on one line in this world")
        (p, a), (x, y) = (
            (cells[name][0] for name in "PA"),
            (self.goal_x - column, self.goal_y + row),
        )
        return Chase(x + p[1], y - p[0], x + a[1], y - a[0], 0)

    def labelled(self, text: str) -> Chase:
        """Read the position of a label."""
        found = label_in(text, LABEL, self.label(self.start()))
        beyond = 2 * FARTHEST
        most = {"px": beyond, "ax": beyond, "ply": self.max_plies}
        most |= dict.fromkeys(("py", "ay"), 0 if self.actions == 2 else beyond)
        for part, limit in most.items():
            if abs(int(found[part])) > limit:
                place = place_of(text, found.start(part))
                raise MalformedError(f"{place}: {part} is at most {limit} here, not {found[part]}")
        return Chase(*(int(number) for number in found.groups()))


def read_grid(text: str) -> dict[str, tuple[tuple[int, int], str]]:
    """Return the row and column of P, A and G in a picture, from the top left, with their places.

    Raises: ValueError, with line and column, for another character, a row of another length, a
    letter that occurs twice or not at all.

    >>> read_grid(". P\\nA G")["P"]
    ((0, 1), 'line 1, column 3')
    """
    found: dict[str, tuple[tuple[int, int], str]] = {}
    rows: list[int] = []
    start = 0
    for line in text.split("\n"):
        column = 0
        for index, c in enumerate(line, start):
            if c in found:
                raise MalformedError(f"{place_of(text, index)}: a second {c}")
            if c in "PAG":
                found[c] = (len(rows), column), place_of(text, index)
            elif c != "." and not c.isspace():
                raise MalformedError(f"{place_of(text, index)}: {shown(c)} is not one of P A G .")
            column += not c.isspace()
        start += len(line) + 1
        if column:
            rows.append(column)
        if column and column != rows[0]:
            place = end_of(text[: start - 1])
            raise MalformedError(f"{place}: {column} cells where the first row has {rows[0]}")
    for name in "PAG":
        if name not in found:
            raise MalformedError(f"{end_of(text)}: there is no {name}")
    return found
