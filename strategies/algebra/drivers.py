"""Shared-table parallel searches: threads that search one position together through a shared table.

A shared-table search (`Driver`) is no strategy.  A strategy is a partial order on the branches of a
node: it says which results narrow which windows, so the nodes visited follow from it.  In a
shared-table search they follow from which thread first probes an entry that another has stored, and
vary from run to run.  Both give the value and the move of alpha-beta at the same depth.
"""

from __future__ import annotations

import os
from typing import Any, Final

from attrs import field, frozen

from graphs.arguments import shown
from graphs.errors import JamboreeError


class DriverError(JamboreeError, ValueError):
    """A shared-table search that cannot be made, and why."""


MOST: Final = 1024
"""The most threads of a search."""


def _count(_instance: object, _attribute: object, value: Any) -> None:
    whole = isinstance(value, int) and not isinstance(value, bool)
    if value is not None and not (whole and 1 <= value <= MOST):
        raise DriverError(f"workers is a whole number of threads, 1 to {MOST}, not {value!r}")


def _known(_instance: object, _attribute: object, value: Any) -> None:
    if not isinstance(value, str) or value not in _WORDS:
        raise DriverError(f"a driver is {' or '.join(_WORDS)}, not {shown(value)}")


@frozen(repr=False)
class Driver:
    """A shared-table parallel search: threads that search one position with one table."""

    name: str = field(validator=_known)
    workers: int | None = field(default=None, validator=_count)
    """Threads; None for as many as the search is computed with, all cores unless that is said."""
    together: bool = False
    """Whether all threads search one position at a time, rather than each the whole by itself."""

    def __repr__(self) -> str:
        return f"{self.name}({'' if self.workers is None else f'workers={self.workers}'})"

    @property
    def explained(self) -> str:
        """Describe the search in words."""
        how = "as many threads as workers" if self.workers is None else f"{self.workers} threads"
        return f"{self!r}: {how} with one table; {_WORDS[self.name]}"

    def threads(self, computed_with: int | None) -> int:
        """Return how many threads search."""
        return self.workers or computed_with or os.cpu_count() or 1


_WORDS: Final = {
    "abdada": "each searches the whole tree, and leaves for later what another is searching.\n"
    "  No partial order: which nodes are visited depends on who was first.",
    "lazy_smp": "each deepens by itself, in its own order, and the first that is done ends all.\n"
    "  No partial order: which nodes are visited depends on who was first.",
}


def abdada(workers: int | None = None) -> Driver:
    """Search the whole tree in every thread, each deferring what another is searching now.

    A thread marks in the table each branch but the first of a node while it searches it.  A branch
    that is marked by another is put off until the others are done; by then its value is often in
    the table, or the node is answered.  No thread ever waits.

    Ensures: the value, and the leftmost optimal move, of alpha-beta at the same depth.  The nodes
    visited vary from run to run; with one worker they do not.
    Source: Weill, The ABDADA distributed minimax-search algorithm (1996), with the marks of
    Kerrigan, Simplified ABDADA (2019).

    >>> abdada(workers=2)
    abdada(workers=2)
    """
    return Driver("abdada", workers, together=True)


def lazy_smp(workers: int | None = None) -> Driver:
    """Deepen in every thread by itself; all they share is the table, and the first to finish wins.

    Each thread begins with another order of branches, and every other one takes larger steps in
    depth, so that they come upon different positions first.

    Ensures: as `abdada`.  Under a limit of time or nodes, the answer is that of the deepest search
    that any thread has finished.

    >>> lazy_smp()
    lazy_smp()
    """
    return Driver("lazy_smp", workers)
