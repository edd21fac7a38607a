"""A client that loses its connection or is interrupted leaves nothing running on its cluster."""

from __future__ import annotations

import _thread
import gc
import logging
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import evolve

from benchmarks.faults.runs import Asleep
from games import ConnectFour
from strategies import abdada, mcts, par_list, pvs, search, seq, young_brothers_wait
from strategies.running.runtime import delivery
from strategies.running.runtime.shipping import ClusterError
from strategies.support.stacks import gc_paused
from tests.strategies.asleep import answer, begun, busy, pid_of, tasks_of, working
from tests.strategies.clusters import LIMIT, cluster, until
from tests.strategies.patience import interrupted, patiently

pytest.importorskip("distributed")
pytestmark = pytest.mark.slow


def test_a_client_that_loses_its_connection_leaves_nothing_running(
    client: Any, aside: ThreadPoolExecutor
) -> None:
    from distributed import Client

    other = Client(client.cluster.scheduler_address, set_as_default=False)
    run = aside.submit(answer(0.3).compute, scheduler=other)  # a minute
    until(lambda: any(k[0].startswith("search") for k in tasks_of(client)))
    begun(client)
    other.close()
    with pytest.raises(ClusterError, match="lost the search"):
        run.result(LIMIT)
    until(lambda: not working(client))


def test_a_worker_without_the_data_of_a_lost_client_says_so() -> None:
    from strategies.running.plans.row_pieces import offered, taken

    worker: Any = SimpleNamespace(plugins={}, address="here")
    for ask in (lambda: offered("run", "gone", 4096, worker),
                lambda: taken("run", "gone", 4096, {}, worker)):  # fmt: skip
        with pytest.raises(ClusterError, match=r"lacks the data .* its client is gone"):
            ask()


@pytest.mark.usefixtures("only_new_garbage")
def test_an_interrupt_leaves_nothing_running(client: Any, caplog: pytest.LogCaptureFixture) -> None:
    seen = threading.Thread(target=lambda: (begun(client), _thread.interrupt_main()))
    seen.start()
    with gc_paused(), pytest.raises(KeyboardInterrupt):  # a callback of gc may lose it
        answer(0.3).compute(scheduler=client)
    seen.join()
    until(lambda: not working(client))
    gc.collect()
    assert not [r for r in caplog.records if r.name == "asyncio"]  # the request was not received


def test_an_interrupted_row_makes_the_scheduler_warn_of_nothing(
    client: Any, caplog: pytest.LogCaptureFixture
) -> None:
    game, how = Asleep(4, 4, seconds=0.001), {"engine": "interpreted"}
    first, lazy = (
        search(game, pvs(16), using=young_brothers_wait.everywhere, time=seconds, **how)
        for seconds in (0.1, 60)
    )
    first.compute(scheduler=client)  # delivers the rules: an interrupt meanwhile finds no result
    scheduler = logging.getLogger("distributed.scheduler")
    scheduler.addHandler(caplog.handler)
    try:
        for number in range(4):
            interrupted(lambda: lazy.compute(scheduler=client), 0.5 + 0.07 * number)
            until(lambda: not working(client))
    finally:
        scheduler.removeHandler(caplog.handler)
    assert not [r for r in caplog.records if "reschedule" in r.getMessage()]


@pytest.mark.parametrize("terminal", [False, True])
def test_an_interrupt_of_mcts_returns_the_result_of_its_trees_so_far(
    client: Any, *, terminal: bool
) -> None:
    client.wait_for_workers(2, LIMIT)
    game, grown = Asleep(4, 4, seconds=0.002), mcts(10**6, trees=4, rollout="estimate")
    trees = search(game, grown, using=par_list, engine="interpreted")

    def found_in(seconds: float) -> Any:
        def interrupt() -> None:
            begun(client)
            time.sleep(5 * seconds)
            if terminal:  # which sends it to all processes of its group, also those of workers
                for pid in client.run(os.getpid).values():
                    os.kill(pid, signal.SIGINT)
            _thread.interrupt_main()

        seen = threading.Thread(target=interrupt)
        seen.start()
        with gc_paused():
            found = trees.compute(scheduler=client)
        seen.join()
        return found

    found = patiently(found_in, lambda found: found.simulations > 20)
    assert len(found.records) == 4  # two trees that had started, and two that never did
    assert found.simulations < 10**5
    assert found.simulations == sum(r.leaves for r in found.records)
    assert found.move in found.visits
    until(lambda: not working(client))


@pytest.mark.parametrize(
    ("using", "limit"), [(seq, {"time": 60}), (seq, {"nodes": 10**12}), (abdada(), {"time": 60})]
)
def test_an_interrupt_of_a_search_with_a_limit_returns_its_last_depth(
    client: Any, limit: Any, using: Any
) -> None:
    limited = search(ConnectFour(pairs=1), pvs(40), using=using, engine="interpreted", **limit)
    seen = threading.Thread(
        target=lambda: (begun(client), time.sleep(0.5), _thread.interrupt_main())
    )
    seen.start()
    with gc_paused():
        found = limited.compute(scheduler=client)
    seen.join()
    assert 0 < found.depth < 40
    right = search(ConnectFour(pairs=1), pvs(found.depth)).compute(scheduler="threads")
    assert (found.value, found.move) == (right.value, right.move)
    until(lambda: not working(client))


def test_an_interrupt_of_mcts_ignores_a_worker_that_does_not_answer(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.wait_for_workers(2, LIMIT)
    monkeypatch.setattr(delivery, "ENDING", 3.0)
    game, grown = Asleep(4, 4, seconds=0.002), mcts(10**6, trees=2, rollout="estimate")
    trees = search(game, grown, using=par_list, engine="interpreted")
    frozen_ones: list[int] = []

    def interrupt() -> None:
        until(lambda: all(client.run(busy).values()))
        time.sleep(0.3)
        frozen_ones.append(pid_of(client))
        os.kill(frozen_ones[0], signal.SIGSTOP)
        _thread.interrupt_main()

    seen = threading.Thread(target=interrupt)
    seen.start()
    try:
        with gc_paused():
            found = trees.compute(scheduler=client)
    finally:
        seen.join()
        os.kill(frozen_ones[0], signal.SIGCONT)
    (one,) = found.records
    assert one.worker.split("/")[1] != str(frozen_ones[0])
    assert found.simulations == one.leaves > 0
    until(lambda: not working(client))


def test_mcts_returns_the_trees_as_they_were_when_the_connection_was_lost(
    client: Any, aside: ThreadPoolExecutor
) -> None:
    from distributed import Client

    client.wait_for_workers(2, LIMIT)
    game, grown = Asleep(4, 4, seconds=0.002), mcts(60, trees=4, rollout="estimate")
    trees = search(game, grown, using=par_list, engine="interpreted")
    whole = trees.compute(scheduler=client)
    many = evolve(grown, simulations=10**6)
    lasting = search(game, many, using=par_list, engine="interpreted")

    def cut_off() -> None:
        until(lambda: all(client.run(busy).values()))
        time.sleep(0.3)  # for some simulations
        other.loop.add_callback(other.scheduler_comm.comm.abort)

    with Client(client.cluster.scheduler_address, set_as_default=False) as other:
        aside.submit(cut_off)
        with pytest.warns(UserWarning, match="the connection to the cluster broke: the answer"):
            found = lasting.compute(scheduler=other)
        assert len(found.records) == 2  # the trees that had started
        assert 0 < found.simulations < 10**5
        assert found.simulations == sum(r.leaves for r in found.records)
        until(lambda: not working(client))
        again = trees.compute(scheduler=other)
        assert (again.moves, again.simulations) == (whole.moves, whole.simulations)


def test_the_end_of_a_scheduler_is_reported_in_one_line(aside: ThreadPoolExecutor) -> None:
    with cluster(workers=1, set_as_default=False) as client:
        run = aside.submit(answer().compute, scheduler=client)
        begun(client)
        client.cluster.close()
        with pytest.raises(ClusterError, match="lost the search"):
            run.result(LIMIT)
