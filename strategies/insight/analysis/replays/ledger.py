"""What each moment adds to the counts of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from attrs import evolve

from strategies.insight.analysis.replays.moments import Inside, Moment, Turned, What
from strategies.insight.analysis.trace_steps import Entered, Estimated
from strategies.running.records.record import Record

Adds = tuple[tuple[str, float], ...]


class Ledger:
    """The counts of a run while its replay is made.

    Ensures: once every task has ended, the sum of all is what the records say.
    """

    def __init__(self, tasks: Sequence[Record], chains: Sequence[float]) -> None:
        self.tasks, self.chains = tasks, chains
        self.seen: Counter[tuple[int, str]] = Counter()
        self.folds: dict[str, float] = {}
        self.span = 0.0

    def adds(self, n: int, what: What) -> Adds:
        """Return what a moment of a task adds."""
        r = self.tasks[n]
        found: dict[str, float] = {}
        if isinstance(what, Entered):
            found["nodes"] = self.count(n, "nodes", 1, r.nodes)
        elif isinstance(what, Estimated):
            found["leaves"] = self.count(n, "leaves", 1, r.leaves)
        elif isinstance(what, Inside):
            found["nodes"] = self.count(n, "nodes", what.nodes, r.nodes)
            found["leaves"] = self.count(n, "leaves", what.leaves, r.leaves)
        elif isinstance(what, Turned):
            found = self.turned(n, what, r)
        found.update(self.folds)
        self.folds.clear()
        return self._pairs(found)

    def count(self, n: int, name: str, many: int, most: int) -> int:
        """Return how many of these still fit into what the record of the task has."""
        many = min(many, most - self.seen[n, name])
        self.seen[n, name] += many
        return many

    def turned(self, n: int, what: Turned, r: Record) -> dict[str, float]:
        before: dict[str, dict[str, float]] = {
            "opened": {"opened": 1}, "dud": {"attempts": 1, "dud": 1},
            "created": {"attempts": 1, "created": 1}, "started": {},
        }  # fmt: skip
        if what.fate in before:
            return before[what.fate]
        self.end(n)
        return {
            "pruned": r.pruned, "inlined": r.inlined, "aborted": r.aborted,
            "nodes": self.count(n, "nodes", r.nodes, r.nodes),
            "leaves": self.count(n, "leaves", r.leaves, r.leaves),
            **({str(r.outcome): 1} if r.role == "spark" else {}),
        }  # fmt: skip

    def end(self, n: int) -> None:
        """Note that a task has ended; the next moment adds its work and its span."""
        self.folds["work"] = self.folds.get("work", 0.0) + self.tasks[n].seconds
        self.span = max(self.span, self.chains[n])
        self.folds["span"] = self.span

    def settled(self, moments: Sequence[Moment]) -> tuple[Moment, ...]:
        """Return the moments; the last one adds what is left."""
        found = list(moments)
        if found and self.folds:
            last = found[-1]
            found[-1] = evolve(last, adds=(*last.adds, *self._pairs(self.folds)))
        return tuple(found)

    @staticmethod
    def _pairs(found: dict[str, float]) -> Adds:
        return tuple((name, n) for name, n in found.items() if n)


def chains(after: Sequence[Sequence[int]], tasks: Sequence[Record]) -> list[float]:
    """Return, for each task, the time of the longest chain of tasks that ends with it.

    Requires: a task waits only for tasks before it.
    """
    found: list[float] = []
    for before, r in zip(after, tasks, strict=True):
        own = 0.0 if r.key[0] == "start" else r.seconds  # live windows are no result
        found.append(own + max((found[d] for d in before), default=0.0))
    return found
