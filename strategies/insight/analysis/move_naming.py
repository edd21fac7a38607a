"""Name tasks by the moves that lead to them, as the game writes moves."""

from __future__ import annotations

from typing import Any, Protocol

from graphs.limits import PATH_MOVE_LETTERS
from strategies.algebra.drivers import Driver
from strategies.insight.analysis.utilisation import Bar
from strategies.running.plans.plan import Names
from strategies.running.plans.search_graph import graph_of
from strategies.running.records.moves import Moves
from strategies.running.records.record import branch_numbers
from strategies.running.records.rows import Numbered
from strategies.running.records.run import Run
from strategies.running.records.search_run import SearchRun
from strategies.running.records.wording import shortened


class ShortNames(Names):
    """Names of moves, shortened where they are long."""

    def move(self, path: tuple[Any, ...], index: int) -> str:
        return shortened(super().move(path, index), PATH_MOVE_LETTERS)


class WholeSearch:
    """The name of the only task of a search that is not split."""

    def move(self, path: tuple[Any, ...], index: int) -> str:
        return "the whole search"


class Naming(Protocol):
    """A source of names for the moves from a place to its branches."""

    def move(self, path: tuple[Any, ...], index: int) -> str:
        """Return the move as text."""


def naming(result: Run) -> Naming | None:
    """Return the source of names for the moves of a run; None if the run does not know its search.

    A search that deepens has no single plan, nor has one whose tasks were divided, so moves are
    named by the rules.
    Cost: the plan is made again, unless the search is still in use somewhere.
    """
    if not isinstance(result, SearchRun) or result.request is None:
        return None
    request = result.request
    if isinstance(request.strategy, Driver):
        return Numbered("thread")
    if result.graphs or any(r.reason == "grown" for r in result.records):
        return Moves(request.game, request.state)
    plan = graph_of(request).plan
    return WholeSearch() if plan.root is None else ShortNames(plan)


def place_of(bar: Bar) -> tuple[int, ...]:
    """Return the branch numbers from the root to the position of a task; for a fold, its node."""
    place = bar.record.key[1]
    return branch_numbers(place[:-1] if bar.record.role == "fold" else place)


def move_from(place: tuple[int, ...], names: Naming | None) -> str:
    """Return the last move to a place, shortened; its branch number if moves are unknown."""
    last = place[-1]
    return (
        str(last) if names is None else shortened(names.move(place[:-1], last), PATH_MOVE_LETTERS)
    )


def way(bar: Bar, names: Naming | None) -> str:
    """Return the moves from the root to the position of a task, as one text."""
    place = place_of(bar)
    moves = (move_from(place[: i + 1], names) for i in range(len(place)))
    return " ".join(moves) or "the root"
