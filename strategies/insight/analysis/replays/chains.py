"""The longest chain of tasks that ends with each task of a graph."""

from __future__ import annotations

from collections.abc import Sequence

from strategies.running.records.record import Record


def chains(after: Sequence[Sequence[int]], tasks: Sequence[Record]) -> list[float]:
    """Return, for each task, the time of the longest chain of tasks that ends with it.

    Requires: a task waits only for tasks before it.
    """
    found: list[float] = []
    for before, r in zip(after, tasks, strict=True):
        own = 0.0 if r.key[0] == "start" else r.seconds  # live windows are no result
        found.append(own + max((found[d] for d in before), default=0.0))
    return found
