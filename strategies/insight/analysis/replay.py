"""Replay: schedule the recorded tasks of a run on any number of virtual workers."""

from __future__ import annotations

from strategies.insight.analysis.list_scheduling import schedule_recorded
from strategies.insight.analysis.overhead import FREE, Burden
from strategies.insight.analysis.recorded import recorded
from strategies.insight.analysis.simulation import Simulation, simulation
from strategies.running.records.search_run import SearchRun


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
