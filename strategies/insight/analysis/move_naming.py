"""The moves to a task, as its game writes them."""

from __future__ import annotations

from typing import Any, Protocol

from strategies.insight.analysis.utilisation import Bar
from strategies.running.plans.move_names import Names
from strategies.running.plans.search_graph import graph_of
from strategies.running.records.record import branch_numbers
from strategies.running.records.rows import Moves
from strategies.running.records.run import Run
from strategies.running.records.wording import shortened

LONGEST = 24
"""Characters of a move in a way to a task: a game may write a whole board."""


class ShortNames(Names):
    """Names of moves, none of them long."""

    def move(self, path: tuple[Any, ...], index: int) -> str:
        return shortened(super().move(path, index), LONGEST)


class Naming(Protocol):
    """What names the move that leads from a place to one of its branches."""

    def move(self, path: tuple[Any, ...], index: int) -> str:
        """Return the move as text."""


def naming(result: Run) -> Naming | None:
    """What names the moves of a run; None where it came without its search.

    A search that deepens has no plan of its own: its moves are named by the rules.
    Cost: the plan is made again, unless the search is still in use somewhere.
    """
    request = result.request
    if not request:
        return None
    if result.graphs:
        return Moves(request.game, request.state)
    return ShortNames(graph_of(request).plan)


def place_of(bar: Bar) -> tuple[int, ...]:
    """The branch numbers from the root to what a task worked on: for a fold, its node."""
    place = bar.record.key[1]
    return branch_numbers(place[:-1] if bar.record.role == "fold" else place)


def move_from(place: tuple[int, ...], names: Naming | None) -> str:
    """The last move to a place, not long; its branch number where moves are unknown."""
    last = place[-1]
    return str(last) if names is None else shortened(names.move(place[:-1], last), LONGEST)


def way(bar: Bar, names: Naming | None) -> str:
    """The moves from the root to what a task worked on, as one text."""
    place = place_of(bar)
    moves = (move_from(place[: i + 1], names) for i in range(len(place)))
    return " ".join(moves) or "the root"
