"""``auto()``: the request for a strategy that suits a search, before one is selected."""

from __future__ import annotations

from typing import Any

from attrs import evolve, field, frozen

from strategies.algebra.strategy import StrategyError, count


def _workers(_instance: object, _attribute: object, value: Any) -> None:
    if value is not None:
        count("auto", value, 1)


def _drivers(_instance: object, _attribute: object, value: Any) -> None:
    if not isinstance(value, bool):
        raise StrategyError(f"drivers is True or False, not {value!r}")


@frozen(repr=False)
class Auto:
    """A strategy that is yet to be selected; `using=` takes it.  Made by `auto`."""

    workers: int | None = field(default=None, validator=_workers)
    """How many workers the search will have; None for all cores."""
    drivers: bool = field(default=False, validator=_drivers)
    """Whether `abdada` may be chosen too, whose nodes vary from run to run."""

    def __repr__(self) -> str:
        workers = [] if self.workers is None else [f"workers={self.workers}"]
        return f"auto({', '.join(workers + ['drivers=True'] * self.drivers)})"

    def on(self, workers: int | None) -> Auto:
        """Return the same request for so many workers, unless it says how many."""
        return self if self.workers is not None else evolve(self, workers=workers)


def auto(workers: int | None = None, *, drivers: bool = False) -> Auto:
    """Select a strategy that suits the search, by a short probe when the search is made.

    The position is searched a few plies less deep, in order and then by a handful of strategies.
    What each took beyond searching is its overhead, which stays as it is; what it searched grows as
    the sequential search does, and is put on so many workers as its graph allows.  The least is
    chosen, and named: `plan.using`, `result.using` and the command line tell the fixed expression,
    which pastes back.

    `workers` is how many the search will have, all cores unless said.  `drivers` allows `abdada`.
    Ensures: a search that is over within 20 ms is left to ``seq``; and so is one with a limit of
    time or nodes, for only that search keeps a table from depth to depth.
    Raises: StrategyError.

    >>> from games import HANDOUT_BIG
    >>> from strategies import alphabeta, search
    >>> search(HANDOUT_BIG, alphabeta(4), using=auto()).compute().using
    seq
    """
    return Auto(workers, drivers)
