"""The outcome of a simulation or a replay: a result on virtual workers, in virtual time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import evolve, frozen

from strategies.insight.analysis.list_scheduling import Placed, schedule_recorded
from strategies.insight.analysis.overhead import FREE, Burden
from strategies.insight.analysis.recorded import Dag, Timed, recorded
from strategies.running.records.record import Record
from strategies.running.records.search_run import SearchRun
from strategies.support.printing import Printed, brief

VIRTUAL: Final = "virtual "
"""How the names of virtual workers begin."""


@frozen
class Simulation(Printed):
    """A run on virtual workers.

    `result` is like that of a real run, so it can be drawn and written in the same ways: its
    records start and end in virtual seconds after the run's start, on workers called "virtual 0",
    "virtual 1", …
    """

    workers: int
    seconds: float
    """The time from the start of the run to the end of its last task, without planning."""
    result: SearchRun
    burden: Burden

    @property
    def busy(self) -> float:
        """Return the share of the workers' time that was spent in tasks."""
        return self.result.work / (self.workers * self.seconds) if self.seconds else 1.0

    __repr__ = brief

    def parts(self) -> list[str]:
        """Return the lines to print: the time, and the sparks."""
        r = self.result
        n = "1 worker takes" if self.workers == 1 else f"{self.workers} workers take"
        took = f"simulated: {n} {self.seconds:.4g} s, busy {self.busy:.0%}; {r.nodes:,} nodes"
        return [took, r.sparks.line]


def simulation(
    result: SearchRun, dag: Dag, records: Sequence[Record], placed: Sequence[Placed],
    workers: int, burden: Burden,
) -> Simulation:  # fmt: skip
    """Return the simulation with the records of a graph's tasks at the times and workers `placed`.

    Requires: `records` and `placed` are in the order of the graph's tasks.
    """
    moved = [
        r._replace(start=p.start, end=p.end, worker=f"{VIRTUAL}{p.worker}")
        for r, p in zip(records, placed, strict=True)
    ]
    tasks = (Timed(t.key, r.seconds, t.after, r) for t, r in zip(dag.tasks, moved, strict=True))
    found = evolve(
        result,
        nodes=sum(r.nodes for r in moved),
        leaves=sum(r.leaves for r in moved),
        span=Dag(tuple(tasks)).span,
        records=tuple(moved),
        call=None,
        request=result.request and evolve(result.request, workers=workers),
    )
    return Simulation(workers, max((p.end for p in placed), default=0.0), found, burden)


def replay(result: SearchRun, workers: int, burden: Burden = FREE) -> Simulation:
    """Schedule the recorded tasks on a number of workers, under the ordered scheduler.

    This is correct for fixed windows, where the work of a task does not depend on when it runs; for
    live windows see `simulate`.  It is most accurate for a run on one worker, because the records
    of several workers include how they slowed each other down.

    Raises: ValueError if the result does not know its search.
    Cost: the plan is made again; no search.

    >>> from games import HANDOUT_BIG
    >>> from strategies import alphabeta, par_list, search
    >>> once = search(HANDOUT_BIG, alphabeta(4), using=par_list.everywhere).compute(num_workers=1)
    >>> one, many = replay(once, 1), replay(once, 64)
    >>> once.span <= many.seconds < one.seconds, many.result.value == once.value
    (True, True)
    """
    dag = recorded(result)
    records = [t.record for t in dag.tasks if t.record is not None]
    placed = schedule_recorded(
        [t.after for t in dag.tasks], [t.seconds for t in dag.tasks], workers, burden
    )
    return simulation(result, dag, records, placed, workers, burden)
