"""Every kind of run on a cluster ends when workers die: in its value, or in one sentence."""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest

from benchmarks.faults.runs import RUNS, Asleep
from games import ConnectFour
from strategies import alphabeta, mcts, par_list, pvs, search, young_brothers_wait
from strategies.running.runtime.scheduler_side import lost_since
from strategies.running.runtime.shipping import ClusterError
from tests.strategies.clusters import LIMIT, cluster, until

pytest.importorskip("distributed")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:the cluster has no workers")]


def kill_all(client: Any) -> int:
    """Kill all workers; return how many."""
    killed = 0
    with suppress(OSError):  # one was lost meanwhile
        for pid in client.run(os.getpid, on_error="ignore").values():
            if isinstance(pid, int):
                os.kill(pid, signal.SIGKILL)
                killed += 1
    return killed


def kill_again(client: Any, run: Future[Any]) -> None:
    """Kill all workers, and those that come in their place, until the run ends."""
    end = time.monotonic() + LIMIT
    while not run.done():
        assert time.monotonic() < end
        kill_all(client)
        time.sleep(0.1)


@pytest.mark.long
@pytest.mark.parametrize("name", RUNS)
def test_a_run_whose_workers_die_at_once_finds_the_same(
    name: str, aside: ThreadPoolExecutor
) -> None:
    right = RUNS[name]("threads")
    with cluster(processes=True, set_as_default=False) as client:
        assert RUNS[name](client) == right
        run = aside.submit(RUNS[name], client)
        time.sleep(0.4)
        kill_all(client)
        assert run.result(LIMIT) == right


@pytest.mark.long
@pytest.mark.parametrize("name", RUNS)
def test_a_run_whose_workers_die_again_ends_in_one_sentence(
    name: str, aside: ThreadPoolExecutor
) -> None:
    with cluster(processes=True, set_as_default=False) as client:
        RUNS[name](client)
        run = aside.submit(RUNS[name], client)
        time.sleep(0.2)
        kill_again(client, run)
        with pytest.raises(ClusterError, match=r"tcp://\S+ was lost, because"):
            run.result()


@pytest.mark.long
def test_a_run_ends_if_no_worker_comes_back(aside: ThreadPoolExecutor) -> None:
    from distributed import Client, Scheduler, SpecCluster, Worker

    scheduler = {"cls": Scheduler, "options": {"dashboard_address": ":0"}}
    workers = {0: {"cls": Worker, "options": {"nthreads": 1}}}  # without a nanny
    with (
        SpecCluster(workers, scheduler) as here,
        Client(here, set_as_default=False) as client,
    ):
        client.wait_for_workers(1, LIMIT)
        run = aside.submit(RUNS["rows"], client)
        until(lambda: any(client.processing().values()))
        (worker,) = here.workers.values()
        here.sync(worker.batched_stream.comm.close)
        here.sync(worker.close, nanny=False)
        with pytest.raises(ClusterError, match="was lost, because its process ended"):
            run.result(LIMIT)


@pytest.mark.long
def test_a_table_that_does_not_fit_is_reported(aside: ThreadPoolExecutor) -> None:
    import dask
    from distributed import Client, LocalCluster

    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        LocalCluster(n_workers=1, threads_per_worker=1, memory_limit="700MB",
                     dashboard_address=":0") as here,
        Client(here, set_as_default=False) as client,
    ):  # fmt: skip
        deep = search(
            ConnectFour(pairs=1), pvs(17, table="1GB"), using=young_brothers_wait.everywhere
        )
        with pytest.raises(ClusterError, match=r"its memory limit of 700 MB .* a smaller table="):
            aside.submit(deep.compute, scheduler=client).result(LIMIT)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["one task", "trees", "a row"])
def test_a_limit_of_time_is_kept_if_a_worker_dies(kind: str, aside: ThreadPoolExecutor) -> None:
    game = Asleep(5, 4, pairs=1, seconds=0.002)
    given: dict[str, Any] = {"time": 8, "engine": "interpreted"}
    asked: Any = {
        "one task": search(game, alphabeta(16), **given),
        "trees": search(game, mcts(10**6, trees=2), using=par_list, **given),
        "a row": search(game, pvs(16), using=young_brothers_wait.to_size(100), **given),
    }[kind]
    with cluster(processes=True, set_as_default=False) as client:
        client.wait_for_workers(2, LIMIT)
        begin = time.monotonic()
        run = aside.submit(asked.compute, scheduler=client)
        time.sleep(7)
        kill_all(client)
        found = run.result(LIMIT)
        assert found.move is not None
        assert client.run_on_scheduler(lost_since, LIMIT)
        assert time.monotonic() - begin < 8 + 5 + 4  # the bound in docs/cluster.md, and the start
