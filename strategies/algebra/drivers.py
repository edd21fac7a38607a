"""Drivers: shared-table parallel searches, in which threads search one position through one table.

A driver is not a strategy.  A strategy is a partial order on the branches of a node: it determines
which results narrow which windows, and so which nodes are visited.  With a driver, that depends on
which thread first probes an entry that another has stored, and varies from run to run.  Both return
the value and the move of alpha-beta at the same depth.  `Auto` is neither: it asks for the strategy
or driver that suits a search, before one is selected.
"""

from __future__ import annotations

import os
from typing import Any, Final

from attrs import evolve, field, frozen

from graphs.arguments import MOST_THREADS, shown
from graphs.errors import JamboreeError
from graphs.lazy_names import late
from strategies.algebra.strategy import StrategyError, count


class DriverError(JamboreeError, ValueError):
    """Raised for a driver that cannot be made; the message says why."""


def _count(_instance: object, _attribute: object, value: Any) -> None:
    whole = isinstance(value, int) and not isinstance(value, bool)
    if value is not None and not (whole and 1 <= value <= MOST_THREADS):
        raise DriverError(
            f"workers must be a whole number from 1 to {MOST_THREADS}, not {shown(value)}"
        )


def _known(_instance: object, _attribute: object, value: Any) -> None:
    if not isinstance(value, str) or value not in _WORDS:
        raise DriverError(f"a driver must be {' or '.join(_WORDS)}, not {shown(value)}")


@frozen(repr=False)
class Driver:
    """A shared-table parallel search: threads that search one position with one table."""

    name: str = field(validator=_known)
    workers: int | None = field(default=None, validator=_count)
    """The number of threads; None for as many as workers of the search (default: all cores)."""
    together: bool = False
    """Whether all threads search one position at a time, rather than each the whole search."""

    def __repr__(self) -> str:
        return f"{self.name}({'' if self.workers is None else f'workers={self.workers}'})"

    _repr_html_ = late("strategies.insight.pictures.cards", "strategy_card")

    @property
    def explained(self) -> str:
        """Describe the search in words."""
        how = "as many threads as workers" if self.workers is None else f"{self.workers} threads"
        return f"{self!r}: {how} with one table; {_WORDS[self.name]}"

    def threads(self, computed_with: int | None) -> int:
        """Return the number of threads."""
        return self.workers or computed_with or os.cpu_count() or 1


_WORDS: Final = {
    "abdada": "each searches the whole tree, and leaves for later what another is searching.\n"
    "  No partial order: which nodes are visited depends on who was first.",
    "lazy_smp": "each deepens by itself, in its own order, and the first that is done ends all.\n"
    "  No partial order: which nodes are visited depends on who was first.",
}


def abdada(workers: int | None = None) -> Driver:
    """Search the whole tree in every thread; each defers branches that another is searching.

    While a thread searches a branch other than the first of a node, it marks the branch in the
    table.  Other threads defer a marked branch until the rest of the node is searched; by then its
    value is often in the table, or the node has a cutoff.  No thread ever waits.

    Ensures: the value, and the leftmost optimal move, of alpha-beta at the same depth.  The nodes
    visited vary from run to run, except with one worker.
    Source: Weill, The ABDADA distributed minimax-search algorithm (1996), with the marks of
    Kerrigan, Simplified ABDADA (2019).

    >>> abdada(workers=2)
    abdada(workers=2)
    """
    return Driver("abdada", workers, together=True)


def lazy_smp(workers: int | None = None) -> Driver:
    """Deepen independently in every thread, with a shared table; the first thread to finish wins.

    Each thread starts with another order of branches, and every other thread deepens in larger
    steps, so that they reach different positions first.

    Ensures: as `abdada`.  Under a limit of time or nodes, the answer is that of the deepest search
    that any thread has finished.

    >>> lazy_smp()
    lazy_smp()
    """
    return Driver("lazy_smp", workers)


def _workers(_instance: object, _attribute: object, value: Any) -> None:
    if value is not None:
        count("auto", value, 1)


def _drivers(_instance: object, _attribute: object, value: Any) -> None:
    if not isinstance(value, bool):
        raise StrategyError(f"drivers must be True or False, not {shown(value)}")


@frozen(repr=False)
class Auto:
    """A request for a strategy, still to be selected; `using=` takes it.  Made by `auto`."""

    workers: int | None = field(default=None, validator=_workers)
    """The number of workers of the search; None for all cores."""
    drivers: bool = field(default=False, validator=_drivers)
    """Whether `abdada` may be chosen too; its node counts vary from run to run."""

    def __repr__(self) -> str:
        workers = [] if self.workers is None else [f"workers={self.workers}"]
        return f"auto({', '.join(workers + ['drivers=True'] * self.drivers)})"

    def on(self, workers: int | None) -> Auto:
        """Return the request with this number of workers, unless it already has one."""
        return self if self.workers is not None else evolve(self, workers=workers)


def auto(workers: int | None = None, *, drivers: bool = False) -> Auto:
    """Select a strategy that suits the search, by a short probe when the search is made.

    The probe searches the position a few plies less deep, first in order and then by a handful of
    strategies.  The prediction for each assumes that its overhead stays the same, and that its
    search time grows as that of the sequential search and is shared by as many workers as its task
    graph allows.  The strategy with the least predicted time is chosen: `plan.using`,
    `result.using` and the command line show it as an expression that can be used again.

    `workers` is the number of workers of the search (default: all cores).  `drivers` allows
    `abdada` too.
    Ensures: ``seq`` for a search that takes less than 20 ms, and for one with a limit of time or
    nodes, because only that search keeps a table from depth to depth.
    Raises: StrategyError.

    >>> from games import HANDOUT_BIG
    >>> from strategies import alphabeta, search
    >>> search(HANDOUT_BIG, alphabeta(4), using=auto()).compute().using
    seq
    """
    return Auto(workers, drivers)
