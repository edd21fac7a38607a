"""``auto()``: the request for a strategy that suits a search, before one is selected."""

from __future__ import annotations

from typing import Any

from attrs import evolve, field, frozen

from graphs.arguments import shown
from strategies.algebra.strategy import StrategyError, count


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
