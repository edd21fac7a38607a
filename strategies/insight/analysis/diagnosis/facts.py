"""The numbers of a run that a diagnosis is based on, and the thresholds that make them faults."""

from __future__ import annotations

import os
from collections.abc import Sequence
from statistics import median
from typing import Final

from attrs import evolve, field, frozen

from strategies.insight.analysis.simulation import VIRTUAL, Burden, replay
from strategies.insight.analysis.utilisation import Bar, Utilisation, utilisation, wall
from strategies.running.records.record import HOST, Record, branch_numbers, process_of
from strategies.running.records.request import SearchRequest
from strategies.running.records.search_run import SearchRun
from strategies.support.cached import cached_property

SHORTEST: Final = 0.02
"""Seconds. In a shorter run, the start of threads and one time slice of another program decide the
numbers; and nobody waits for it."""
BUSY: Final = 0.9
"""The part of their time in which long tasks have a processor: on a quiet machine it was never
below 0.95, beside two programs that never wait about 0.5."""
LONG: Final = 0.002
"""Seconds of processor time.  A shorter task may wait as long for Python's lock, which its
neighbours hold, as for a processor: on a quiet machine, half of its time."""
BRIEF: Final = 0.0002
"""Seconds.  Of a shorter spark, some tens of microseconds are Python code around its search."""
IDLE: Final = 0.25
"""A quarter of the workers' time. Any tree search loses somewhat less where it joins results."""
EACH: Final = 2
"""Converted sparks per worker. With fewer, no order of them can even out their sizes."""
HELD: Final = 0.5
"""Half of the run, in which some task had a processor: with less, Python's lock was mostly free."""
LOCKED: Final = 0.1
"""A tenth of the workers' time, spent waiting for Python's lock."""
ALONE: Final = 0.5
"""Half of the run. One task of that length limits the speed-up to two."""
GRAIN: Final = 9
"""A task should search for so many times its cost: then nine tenths of the time are search."""
OVERHEAD: Final = 0.2
"""A fifth of the time: twice the overhead of tasks of the recommended grain."""
MANY: Final = 500
"""Sparks per worker. So many even out any sizes; more only add overhead."""
FIZZLED: Final = 0.5
"""Half of the sparks: then sparking was the wrong guess more often than not."""
PAID: Final = 0.1
"""A tenth of the time, spent on sparks that had nothing to search."""
HANDED: Final = 0.4
"""Two fifths of the time, spent on starting tasks: more workers would wait for the same
scheduler."""
STALE: Final = 1.25
"""Times the nodes of the sequential search: two workers then reach a speed-up of 1.6 at best."""


def on_processors(result: SearchRun) -> SearchRun:
    """Return a run as if each task had taken its processor time, all from the same moment."""
    records = tuple(r._replace(start=0.0, end=r.cpu) for r in result.records)
    return evolve(result, records=records)


@frozen(slots=False)
class Facts:
    """A run in numbers; times are in seconds, shares are of all workers' time."""

    result: SearchRun = field(repr=False)
    run: Utilisation = field(repr=False)
    sequential: SearchRun | None = field(default=None, repr=False)
    """The result of the same search under `seq`, if there is one."""
    by_processor_time: bool = False
    """Whether tasks take their processor time, as of `when_quiet`."""
    measured: SearchRun | None = field(default=None, repr=False)
    """The run on this machine, if `result` is the one of `when_quiet`."""

    @classmethod
    def of(cls, result: SearchRun, sequential: SearchRun | None = None) -> Facts:
        """Collect the facts of a run.  Cost: the plan is made again."""
        return cls(result, utilisation(result), sequential)

    @property
    def request(self) -> SearchRequest | None:
        """Return the search request of the run, if it is known."""
        return self.result.request

    @property
    def seconds(self) -> float:
        """Return the time from the first task's start to the last task's end."""
        return self.run.seconds

    def share(self, seconds: float) -> float:
        """Return worker-seconds as a share of all workers' time."""
        return seconds / self.run.total if self.run.total else 0.0

    @property
    def on_processor(self) -> float:
        """Return the part of their time in which long tasks had a processor.

        1 on virtual workers, and if long tasks took too little time to tell.
        """
        took = sum(r.seconds for r in self.long)
        virtual = any(r.worker.startswith(VIRTUAL) for r in self.long)
        return 1.0 if virtual or took < SHORTEST else min(1.0, sum(r.cpu for r in self.long) / took)

    @property
    def held(self) -> float:
        """Return the processor time of all tasks, in seconds."""
        return sum(r.cpu for r in self.result.records)

    @property
    def locked(self) -> float:
        """Return the share of the workers' time that it cost if one thread ran at a time.

        It is no more than the time in which workers had a task and no processor, and no more than
        the workers save by sharing the processor time.  0 if the tasks mostly waited for something
        else, such as a server: meanwhile, other threads can run.
        """
        if self.held < HELD * self.seconds:
            return 0.0
        waited = self.run.total - self.run.idle - self.held
        return max(0.0, self.share(min(waited, self.held * (self.run.workers - 1))))

    @cached_property
    def long(self) -> Sequence[Record]:
        """Return the records of the tasks that are long enough to tell who had the processors."""
        return [r for r in self.result.records if r.cpu >= LONG]

    def when_quiet(self) -> Facts | None:
        """Return the facts as of a quiet machine: tasks take their processor time, and are placed
        on as many virtual workers, or as processors if there were fewer of these; None if the tasks
        of the run are not known."""
        burden = Burden(task=min(self._delays, default=0.0))
        workers = self.run.workers
        if self.threads_here > self.processors:
            elsewhere = len(self.run.lanes) - self.threads_here
            workers = min(workers, self.processors + elsewhere)
        try:
            placed = replay(on_processors(self.result), workers, burden).result
        except ValueError:
            return None
        other = None if self.sequential is None else on_processors(self.sequential)
        return Facts(placed, utilisation(placed), other, True, self.result)

    @property
    def sparked(self) -> int:
        """Return the greatest ply of a spark."""
        return max((len(branch_numbers(bar.record.key[1])) for bar in self.run.sparks), default=0)

    @property
    def processes(self) -> int:
        """Return the number of processes that ran tasks; 0 for virtual workers, which share memory,
        and no interpreter."""
        ran = (self.measured or self.result).records
        return len({process_of(r) for r in ran if not r.worker.startswith(VIRTUAL)})

    @property
    def processors(self) -> int:
        """Return the number of processors of this machine."""
        return os.cpu_count() or 1

    @property
    def threads_here(self) -> int:
        """Return the number of threads of this machine that ran tasks."""
        return sum(name.startswith(f"{HOST}/") for name in self.run.lanes)

    @property
    def idle(self) -> float:
        """Return the share of the workers' time in which no task was ready for them."""
        return self.share(self.run.idle)

    @cached_property
    def converted(self) -> Sequence[Bar]:
        """Return the sparks that searched, longest first."""
        found = (b for b in self.run.sparks if b.record.outcome == "converted")
        return sorted(found, key=lambda b: -b.record.seconds)

    @cached_property
    def fizzled(self) -> Sequence[Bar]:
        """Return the sparks that had nothing to search."""
        return [b for b in self.run.sparks if b.record.outcome == "fizzled"]

    @property
    def followed(self) -> bool:
        """Return whether some spark started after another had ended."""
        sparks = self.run.sparks
        return bool(sparks) and max(b.start for b in sparks) >= min(b.end for b in sparks)

    @cached_property
    def ends(self) -> Sequence[Record]:
        """Return the records of the duds that had a task, each the evaluation of a game's end."""
        return [r for r in self.result.records if r.role == "dud"]

    @cached_property
    def steps(self) -> float:
        """Return the seconds in which some worker searched branches in order."""
        covered = end = 0.0
        for b in self.run.bars:  # in order of their starts
            if b.kind == "step":
                covered += max(0.0, b.end - max(b.start, end))
                end = max(end, b.end)
        return covered

    @cached_property
    def handing(self) -> float:
        """Return the median delay until a ready task starts on a free worker.

        The mean would count the time in which another program has the core as scheduling.
        """
        return median(self._delays)

    @cached_property
    def _delays(self) -> Sequence[float]:
        """Return for each task how long it was ready, and its worker free, before it started."""
        free = [0.0] * len(self.run.lanes)
        gaps = []
        for b in self.run.bars:
            if b.kind != "join":
                gaps.append(max(0.0, b.start - max(b.ready, free[b.lane])))
            free[b.lane] = b.end
        return gaps

    @property
    def scheduling(self) -> float:
        """Return the share of the time spent on starting tasks, estimated from the median task."""
        handed = self.run.scheduling + self.run.transfer
        return min(self.share(self.handing * len(self.run.tasks)), self.share(handed))

    @cached_property
    def rate(self) -> float:
        """Return the most nodes a second that a task visited, in this run or the sequential one."""
        other = () if self.sequential is None else self.sequential.records
        rates = (r.nodes / r.seconds for r in (*self.result.records, *other) if r.seconds > 0)
        return max(rates, default=0.0)

    def seconds_beside_search(self, spark: Bar) -> float:
        """Return the seconds of a brief spark beside its search: what its nodes do not explain.

        0 for longer sparks, whose nodes may take longer than those of others.
        """
        r = spark.record
        if r.seconds >= BRIEF or not self.rate:
            return 0.0
        return max(0.0, r.seconds - r.nodes / self.rate)

    @cached_property
    def inside(self) -> float:
        """Return the seconds of sparks beside their searches, as far as they are known."""
        return sum(self.seconds_beside_search(b) for b in self.converted)

    @property
    def cost(self) -> float:
        """Return the cost of a task beyond its search: starting it, its part of the folds, and what
        it does beside its search."""
        sparks = max(1, len(self.run.sparks))
        return self.handing + (self.run.folding + self.inside) / sparks

    @property
    def overhead(self) -> float:
        """Return the share of the time spent on other things than search: starting tasks, folds,
        fizzled sparks, and what sparks do beside their searches."""
        fizzled = sum(b.record.seconds for b in self.fizzled)
        return self.scheduling + self.share(self.run.folding + fizzled + self.inside)

    @property
    def excess(self) -> float | None:
        """Return the nodes of the run divided by those of the sequential search."""
        if self.sequential is None or not self.sequential.nodes:
            return None
        return self.result.nodes / self.sequential.nodes

    @property
    def speedup(self) -> float | None:
        """Return the speed-up against the sequential search."""
        return wall(self.sequential) / self.seconds if self.sequential and self.seconds else None
