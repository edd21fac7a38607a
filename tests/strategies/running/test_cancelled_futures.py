"""A future that is cancelled ends its search on the workers, and later searches do not wait."""

from __future__ import annotations

from threading import Event
from typing import Any

import pytest

from benchmarks.faults.runs import Asleep, lasting
from strategies import alphabeta, mcts, minimax, par_list, pvs, search, using, young_brothers_wait
from strategies.running.runtime.cancellation import TaskStop
from strategies.running.runtime.scheduler_side import Overseer
from tests.strategies.asleep import RIGHT, answer, working
from tests.strategies.clusters import LIMIT, cluster, until

pytest.importorskip("distributed")
pytestmark = pytest.mark.slow

SLOW = Asleep(4, 4, seconds=0.001)
"""A game whose tasks take minutes."""
LASTING: dict[str, Any] = {
    "tasks": lasting(),
    "one task": search(SLOW, minimax(10), engine="interpreted"),
    "a row": search(SLOW, pvs(16), using=young_brothers_wait.everywhere, engine="interpreted"),
    "a limit": search(SLOW, alphabeta(16), time=600, engine="interpreted"),
    "trees": search(
        SLOW, mcts(10**6, trees=2, rollout="estimate"), using=par_list, engine="interpreted"
    ),
}
LASTING["evaluations"] = using([LASTING["one task"], LASTING["a row"]], par_list)


@pytest.mark.parametrize("kind", LASTING)
def test_a_cancelled_future_ends_its_search(client_here: Any, kind: str) -> None:
    future = client_here.compute(LASTING[kind])
    until(lambda: working(client_here))
    future.cancel()
    until(lambda: not working(client_here))  # else it takes minutes
    found = client_here.compute(answer()).result(LIMIT)
    assert (found.value, found.move) == (RIGHT.value, RIGHT.move)


def test_a_future_that_is_cancelled_before_its_work_begins_ends(
    client_here: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from strategies.running.runtime import worker_side

    started, cancelled = Event(), Event()

    def late(scope: Any) -> TaskStop:
        started.set()
        cancelled.wait(LIMIT)
        return TaskStop(scope)

    monkeypatch.setattr(worker_side, "TaskStop", late)
    future = client_here.compute(LASTING["one task"])
    assert started.wait(LIMIT)
    future.cancel()
    workers = client_here.cluster.workers.values()
    until(lambda: "cancelled" in {task.state for w in workers for task in w.state.tasks.values()})
    cancelled.set()
    until(lambda: not working(client_here))


def test_a_task_runs_elsewhere_if_the_worker_that_it_prefers_is_gone() -> None:
    with cluster(workers=1, set_as_default=False) as client:
        client.register_plugin(Overseer())
        (gone,) = client.nthreads()
        client.cluster.scale(0)
        until(lambda: not client.nthreads())
        waits = client.submit(abs, -3, workers=[gone], allow_other_workers=True, pure=False)
        strict = client.submit(abs, -4, workers=[gone], pure=False)
        until(lambda: len(client.run_on_scheduler(unrunnable)) == 2)
        client.cluster.scale(1)
        assert waits.result(LIMIT) == 3
        assert strict.status == "pending"


def unrunnable(dask_scheduler: Any) -> list[Any]:
    return [task.key for task in dask_scheduler.unrunnable]
