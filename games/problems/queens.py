"""The n queens puzzle: n queens on an n by n board, none of which attacks another.

It is the only problem with a name on the command line, as ``queens:1000``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from attrs import frozen

from games.problems.problem import Assignment, Cells, Problem
from graphs.arguments import check_integers, shown
from graphs.errors import MalformedError
from graphs.limits import MOST_ROWS


@frozen
class Queens(Assignment):
    """The n queens problem: one queen in each column; a state is the row of each, 0 at the top.

    The value is the number of pairs of queens in the same row or diagonal, with or without others
    between them.  A neighbour has one queen elsewhere in its column; there are n (n - 1).

    Requires: n is 1 to 10^7, or ValueError; there is no goal for n = 2 or 3.
    Cost: O(n) to load, O(1) to change or assign.

    >>> board = Queens(4)
    >>> print(board.show((1, 3, 0, 2)))
    . . Q .
    Q . . .
    . . . Q
    . Q . .
    >>> board.value((1, 3, 0, 2)), board.value((0, 1, 2, 3)), len(list(board.neighbors((0,) * 4)))
    (0, 6, 12)
    """

    n: int = 8

    def __attrs_post_init__(self) -> None:
        check_integers(1, MOST_ROWS, n=self.n)

    @property
    def variables(self) -> int:
        return self.n

    @property
    def choices(self) -> int:
        return self.n

    @property
    def counters(self) -> int:
        """Return the number of counters: for rows, and for diagonals of both directions."""
        return 5 * self.n

    def value(self, state: tuple[int, ...]) -> int:
        return (
            pairs(state)
            + pairs(row + column for column, row in enumerate(state))
            + pairs(row - column for column, row in enumerate(state))
        )

    def load(self, cells: Cells) -> int:
        n, value = self.n, 0
        for column in range(n):
            row = cells[column]
            value += cells[n + row] + cells[2 * n + row + column] + cells[5 * n - 1 + row - column]
            self.count(cells, column, row, 1)
        return value

    def count(self, cells: Cells, column: int, row: int, more: int) -> None:
        """Add `more` to the counters of the lines through a cell of the board."""
        n = self.n
        for line in (n + row, 2 * n + row + column, 5 * n - 1 + row - column):
            cells[line] = cells[line] + more

    def attackers(self, cells: Cells, column: int, row: int) -> int:
        """Return the number of queens in the lines through a cell; one on it counts three times."""
        n = self.n
        found: int = cells[n + row] + cells[2 * n + row + column] + cells[5 * n - 1 + row - column]
        return found

    def change(self, cells: Cells, variable: int, choice: int) -> int:
        return self.attackers(cells, variable, choice) - self.conflicts(cells, variable)

    def conflicts(self, cells: Cells, variable: int) -> int:
        return self.attackers(cells, variable, cells[variable]) - 3

    def assign(self, cells: Cells, variable: int, choice: int) -> None:
        self.count(cells, variable, cells[variable], -1)
        self.count(cells, variable, choice, 1)
        cells[variable] = choice

    def show(self, state: tuple[int, ...]) -> str:
        rows = range(self.n)
        return "\n".join(" ".join(".Q"[state[x] == row] for x in rows) for row in rows)


def pairs(places: Iterable[int]) -> int:
    """Return the number of pairs of equal numbers.

    >>> pairs([1, 1, 2, 1])
    3
    """
    seen: dict[int, int] = {}
    found = 0
    for place in places:
        found += seen.get(place, 0)
        seen[place] = seen.get(place, 0) + 1
    return found


SIZE = re.compile(r"(:(?P<short>[0-9]{1,9})|\(n=(?P<long>[0-9]{1,9})\))?")
NAMES = {"queens": "n queens on an n by n board, none of which attacks another, as queens:1000"}
"""The description of each problem, by its name."""


def find_problem(text: str) -> Problem[Any]:
    """Return the problem that a text names: ``queens`` (8), ``queens:1000``, ``queens(n=1000)``.

    Raises: ValueError, one line.

    >>> find_problem("queens:20")
    Queens(n=20)
    """
    name = re.split("[:(]", text.strip())[0]
    if name not in NAMES:
        raise MalformedError(f"there is no problem {shown(name)}; problems: {' '.join(NAMES)}")
    found = SIZE.fullmatch(text.strip().removeprefix(name))
    if found is None:
        raise MalformedError(
            f"{shown(text)}: the number of queens must be a whole number, as in queens:1000"
        )
    size = found["short"] or found["long"]
    return Queens(int(size)) if size else Queens()
