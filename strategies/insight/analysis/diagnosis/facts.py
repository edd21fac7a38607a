"""The numbers that a diagnosis looks at."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from statistics import median

from attrs import field, frozen

from strategies.insight.analysis.utilisation import Bar, Utilisation, utilisation, wall
from strategies.running.records.request import SearchRequest
from strategies.running.records.run import Run


@frozen(slots=False)
class Facts:
    """A run in numbers; times are in seconds, shares are of all workers' time."""

    result: Run = field(repr=False)
    run: Utilisation = field(repr=False)
    sequential: Run | None = field(default=None, repr=False)
    """The same search under `seq`, if it was made."""

    @classmethod
    def of(cls, result: Run, sequential: Run | None = None) -> Facts:
        """The facts of a run.  Cost: the plan is made again."""
        return cls(result, utilisation(result), sequential)

    @property
    def request(self) -> SearchRequest | None:
        """What was asked for, where that is known."""
        return self.result.request

    @property
    def seconds(self) -> float:
        """From the first task's start to the last one's end."""
        return self.run.seconds

    def share(self, seconds: float) -> float:
        """So many worker-seconds, as a share of all workers' time."""
        return seconds / self.run.total if self.run.total else 0.0

    @property
    def idle(self) -> float:
        """Share of the time in which a worker had nothing ready."""
        return self.share(self.run.idle)

    @cached_property
    def converted(self) -> Sequence[Bar]:
        """The sparks that searched, longest first."""
        found = (b for b in self.run.sparks if b.record.outcome == "converted")
        return sorted(found, key=lambda b: -b.record.seconds)

    @cached_property
    def fizzled(self) -> Sequence[Bar]:
        """The sparks that found nothing to do."""
        return [b for b in self.run.sparks if b.record.outcome == "fizzled"]

    @cached_property
    def steps(self) -> float:
        """Seconds of the tasks that search in order."""
        return sum(b.record.seconds for b in self.run.bars if b.kind == "step")

    @cached_property
    def handing(self) -> float:
        """What it takes until a ready task starts on a free worker: the median, for one task.

        The mean would count it as scheduling whenever another program has the core.
        """
        free = [0.0] * len(self.run.lanes)
        gaps = []
        for b in self.run.bars:
            gaps.append(max(0.0, b.start - max(b.ready, free[b.lane])))
            free[b.lane] = b.end
        return median(gaps)

    @property
    def scheduling(self) -> float:
        """Share of the time in which tasks were handed out, by the median task."""
        handed = self.run.scheduling + self.run.transfer
        return min(self.share(self.handing * len(self.run.bars)), self.share(handed))

    @property
    def cost(self) -> float:
        """What a task costs beyond its search: handing it out, and its part of the folds."""
        return self.handing + self.run.folding / max(1, len(self.run.sparks))

    @property
    def overhead(self) -> float:
        """Share of the time that was no search: handing out, folds, fizzled sparks."""
        spent = self.run.folding + sum(b.record.seconds for b in self.fizzled)
        return self.scheduling + self.share(spent)

    @property
    def excess(self) -> float | None:
        """How many times the nodes of the sequential search were visited."""
        if self.sequential is None or not self.sequential.nodes:
            return None
        return self.result.nodes / self.sequential.nodes

    @property
    def speedup(self) -> float | None:
        """Against the best sequential search."""
        return wall(self.sequential) / self.seconds if self.sequential and self.seconds else None
