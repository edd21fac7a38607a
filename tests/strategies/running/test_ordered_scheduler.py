"""The ordered scheduler: order, callbacks, errors, interrupts."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from typing import Any

import dask
import pytest
from dask.callbacks import Callback
from dask.delayed import delayed
from dask.diagnostics import Profiler, ProgressBar

from games import ConnectFour
from strategies import alphabeta, par_list, search
from strategies.native.memory.cells import Stop
from strategies.running.runtime.ordered_scheduler import get, joined, set_when_idle


def add(*xs: int) -> int:
    return sum(xs)


def diamond() -> dict[str, Any]:
    return {"a": 1, "b": (add, "a", 1), "c": (add, "a", 2), "d": (add, "b", "c")}


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_it_computes_any_graph(workers: int) -> None:
    assert get(diamond(), "d", num_workers=workers) == 5
    assert get(diamond(), [["b"], "d", ["c", "a"]], num_workers=workers) == [[2], 5, [3, 1]]
    total = delayed(sum)([delayed(add)(i, 1) for i in range(20)])
    assert total.compute(scheduler=get, num_workers=workers) == 210


def test_one_worker_runs_tasks_in_the_order_of_the_graph() -> None:
    ran: list[int] = []
    graph = {("t", i): (ran.append, i) for i in (3, 1, 2, 5, 4)}
    get(graph, list(graph), num_workers=1)
    assert ran == [3, 1, 2, 5, 4]


def test_a_stop_flag_is_set_as_soon_as_a_worker_is_idle() -> None:
    ended = threading.Event()

    def first() -> bool:
        stop = Stop()
        with set_when_idle(stop):
            before = stop.is_set  # one task is ready, or the other worker has taken it
            ended.set()
            while not stop.is_set:
                time.sleep(0.001)
        return before

    def alone() -> bool:
        with set_when_idle(stop := Stop()):
            return stop.is_set

    def later() -> bool:
        with set_when_idle(stop := Stop()):
            pass
        ended.set()
        time.sleep(0.05)  # the other worker is idle
        return stop.is_set

    graph = {"first": (first,), "second": (ended.wait, 60)}
    assert get(graph, ["first", "second"], num_workers=2) == [False, True]
    assert get({"only": (alone,)}, "only", num_workers=2)
    assert not get({"only": (alone,)}, "only", num_workers=1)
    assert not alone()
    ended.clear()
    graph = {"first": (later,), "second": (ended.wait, 60)}
    assert get(graph, ["first", "second"], num_workers=2) == [False, True]


def test_idle_workers_join_a_task() -> None:
    joined_by, ready = set[int](), threading.Event()

    def help(stop: Stop) -> None:
        joined_by.add(threading.get_ident())
        if len(joined_by) == 2:
            ready.set()
        while not stop.is_set and not over.is_set:
            time.sleep(0.001)

    def first() -> bool:
        with joined(over, help):
            ready.wait(30)
            over.set()
        return len(joined_by) == 2 and threading.get_ident() not in joined_by

    over = Stop()
    assert get({"only": (first,)}, "only", num_workers=3)
    with joined(Stop(), help):  # outside a run, nobody joins
        pass


def test_a_helper_takes_the_tasks_that_become_ready() -> None:
    """The first task is over only when both that wait for the second have run."""
    over, helping, ran = Stop(), threading.Event(), threading.Barrier(2, timeout=30)

    def help(stop: Stop) -> None:
        helping.set()
        while not stop.is_set and not over.is_set:
            time.sleep(0.001)

    def first() -> bool:
        with joined(over, help):
            ended = last.wait(30)
            over.set()
        return ended

    def after(_: Any) -> None:
        ran.wait()
        last.set()

    last = threading.Event()
    graph = {"first": (first,), "second": (helping.wait, 30), "a": (after, "second"),
             "b": (after, "second")}  # fmt: skip
    assert get(graph, ["first", "a", "b"], num_workers=3) == [True, None, None]


def test_a_value_is_released_when_it_is_no_longer_needed() -> None:
    class Left(Callback):  # type: ignore[misc]
        def _posttask(self, key: Any, value: Any, dsk: Any, state: Any, worker: Any) -> None:
            self.left = dict(state["cache"])

    with Left() as end:
        get(diamond(), "d", num_workers=1)
    assert end.left == {"d": 5}


@pytest.mark.parametrize("when", ["start", "start_state", "pretask", "posttask", "finish"])
@pytest.mark.parametrize("workers", [1, 3])
def test_errors_of_callbacks_are_raised(when: str, workers: int) -> None:
    def fails(*_: Any) -> None:
        raise LookupError(when)

    with Callback(**{when: fails}), pytest.raises(LookupError, match=f"^{when}$"):
        get(diamond(), "d", num_workers=workers)


def test_callbacks_are_called_as_dask_calls_them() -> None:
    said: list[Any] = []

    class Spy(Callback):  # type: ignore[misc]
        def _start(self, dsk: Any) -> None:
            said.append("start")

        def _start_state(self, dsk: Any, state: Any) -> None:
            said.append(("state", len(state["ready"]), len(state["waiting"])))

        def _pretask(self, key: Any, dsk: Any, state: Any) -> None:
            assert key in state["running"]
            said.append(("pre", key))

        def _posttask(self, key: Any, value: Any, dsk: Any, state: Any, worker: Any) -> None:
            assert key in state["finished"]
            said.append(("post", key, value))

        def _finish(self, dsk: Any, state: Any, failed: bool) -> None:
            said.append(("finish", failed))

    with Spy():
        get(diamond(), "d", num_workers=1)
    assert said == [
        "start", ("state", 1, 3),
        ("pre", "a"), ("post", "a", 1), ("pre", "b"), ("post", "b", 2),
        ("pre", "c"), ("post", "c", 3), ("pre", "d"), ("post", "d", 5),
        ("finish", False),
    ]  # fmt: skip


def test_diagnostics_of_dask_work(capsys: pytest.CaptureFixture[str]) -> None:
    answer = search(ConnectFour(), alphabeta(4), using=par_list.to_ply(1))
    with Profiler() as profile, ProgressBar(minimum=0):
        answer.compute(num_workers=2)
    assert len(profile.results) == len(answer.tasks())
    assert "100%" in capsys.readouterr().out


def test_the_first_error_is_raised_and_no_thread_is_left() -> None:
    def boom() -> None:
        raise ZeroDivisionError("boom")

    graph = {"a": (boom,), "b": (add, 1, 2), "c": (add, "b", 1)}
    with pytest.raises(ZeroDivisionError, match="boom"):
        get(graph, ["a", "c"], num_workers=2)
    assert not [t for t in threading.enumerate() if t.name.startswith("worker ")]


def test_the_number_of_workers_can_be_configured() -> None:
    with dask.config.set(num_workers=1):
        found = search(ConnectFour(), alphabeta(5), using=par_list.to_ply(1)).compute()
    assert len(found.timeline) == 1


def stopped(made: str, *runs: str, then: str = "pass", later: str = "") -> str:
    """Return the output of a process that Ctrl-C interrupts, once a run, deep in a long search.

    After each interrupt the process executes `then`, and `later` at its end.

    Dask has imported everything by then. This matters because CPython ends a process as interrupted
    if Ctrl-C arrives inside an ``eval`` of text, as in the creation of a named tuple, even if the
    exception is caught.
    """
    code = (
        "from games import ConnectFour\n"
        "from strategies import SearchAgent, alphabeta, engine_for, mcts, par_list, search, seq\n"
        "from strategies.players.game_loop import play_out, prepared\n"
        "import dask.base, threading\n"
        "dask.base.get_scheduler()\n"
        "game = ConnectFour()\n"
        f"{made}\n"
        f"for run in ({''.join(f'lambda: {run}, ' for run in runs)}):\n"
        "    print('ready', flush=True)\n"
        "    try:\n"
        "        run()\n"
        "    except KeyboardInterrupt:\n"
        "        names = [thread.name for thread in threading.enumerate()]\n"
        "        busy = [name for name in names if name.startswith(('worker ', 'search'))]\n"
        "        print('interrupted', len(busy), flush=True)\n"
        f"    {then}\n"
        f"{later}\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        told = ""
        try:
            for _ in runs:
                while not told.endswith("ready\n"):
                    line = process.stdout.readline()
                    assert line, told
                    told += line
                time.sleep(0.1)
                process.send_signal(signal.SIGINT)
                told += process.stdout.readline()
            out, err = process.communicate(timeout=120)
        finally:
            process.kill()
    assert process.returncode == 0, err
    return told.replace("ready\n", "") + out


def test_ctrl_c_stops_running_kernels_and_no_later_search() -> None:
    """Kernels of workers, then those of the main thread: a search, Monte Carlo trees, a game; and
    searches by the `compute` of Dask."""
    made = (
        "answers = [search(game, alphabeta(30), using=u) for u in (seq, par_list.to_ply(1))]\n"
        "trees = search(game, mcts(10**12))\n"
        "agents = [SearchAgent(alphabeta(30))] * 2\n"
        "[answer.warm() for answer in (*answers, trees)]\n"
        "later = search(game, alphabeta(2))\n"
        "dask.config.set(num_workers=4)\n"  # two of Dask's threads continue interrupted searches
        "prepared(game, agents, game.start(), 'native')"
    )
    runs = [
        f"answers[{k}].compute({scheduler}, num_workers=2)"
        for k in range(2)
        for scheduler in ("None", "'threads'")
    ]
    runs += [
        "answers[0].compute('sync')",
        "dask.compute(trees, scheduler='sync')",
        "play_out(game, agents)",
    ]
    again = (
        "print([dask.compute(later, scheduler=s)[0].leaves for s in ('sync', 'threads', None)], "
        "flush=True)"
    )
    runs += [f"dask.compute(answers[0], scheduler={s})" for s in ("'sync'", "'threads'", "None")]
    # The process would wait for Dask's threads.
    told = stopped(made, *runs, then=again, later="import os; os._exit(0)")
    leaves = search(ConnectFour(), alphabeta(2), engine="interpreted").compute().leaves
    assert told == f"interrupted 0\n{[leaves] * 3}\n" * len(runs)
