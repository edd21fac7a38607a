"""Workers that die, freeze, leave or are missing: the result is right, or the error is clear."""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
import time
import types
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from benchmarks.faults.runs import Asleep
from benchmarks.faults.wires import Network
from games import ConnectFour
from games.connect_four import Discs
from strategies import (
    alphabeta,
    mcts,
    minimax,
    par_list,
    par_list_chunk,
    search,
    solve,
    study,
    tournament,
    using,
)
from strategies.native.memory.cells import Stop, Stopped
from strategies.running.records import record
from strategies.running.records.clocks import set_clocks
from strategies.running.runtime import absence
from strategies.running.runtime.delivery import ask_workers
from strategies.running.runtime.shipping import ClusterError, parcel_name
from tests.strategies.asleep import SMALL, answer, begun, busiest, pid_of, right, tasks_of, working
from tests.strategies.clusters import LIMIT, cluster, until

pytest.importorskip("distributed")
pytestmark = pytest.mark.slow


@frozen
class Deadly(ConnectFour):
    """A game that kills the process of its worker."""

    def estimate(self, state: Discs) -> int:
        os._exit(1)


def test_two_tasks_go_to_two_workers(client: Any) -> None:
    client.wait_for_workers(2, LIMIT)
    game, grown = Asleep(4, 4), mcts(10**6, trees=2, rollout="estimate")
    trees = search(game, grown, using=par_list, engine="interpreted", time=1)
    found = trees.compute(scheduler=client)
    assert len({record.process_of(r) for r in found.records}) == 2


def test_a_worker_is_killed(client: Any, aside: ThreadPoolExecutor) -> None:
    run = aside.submit(answer().compute, scheduler=client)
    until(lambda: any(key[0].startswith("search") for key in tasks_of(client)))
    begun(client, run)
    victim = busiest(client)
    at = time.perf_counter()
    os.kill(victim, signal.SIGKILL)
    right(run)
    found = run.result()
    again = [r for r in found.records if r.role == "spark" and r.lost]
    assert found.sparks == answer().compute(scheduler="threads").sparks
    assert found.sparks.repeated == len(again) >= 1
    assert found.sparks.lost == sum(r.lost for r in again)
    assert not any(r.worker.split("/")[1] == str(victim) for r in again)
    assert {r.key for r in again} <= {key for loss in found.losses for _, key in loss.tasks}
    assert all(at < loss.time < found.call.end for loss in found.losses)


@pytest.mark.long
@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no process can be frozen here")
def test_a_worker_is_frozen_for_some_time(client: Any, aside: ThreadPoolExecutor) -> None:
    client.wait_for_workers(2, LIMIT)
    run = aside.submit(answer().compute, scheduler=client)
    begun(client, run)
    pid = pid_of(client)
    os.kill(pid, signal.SIGSTOP)
    time.sleep(1)
    os.kill(pid, signal.SIGCONT)
    right(run)


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no process can be frozen here")
def test_a_stop_ends_a_question_that_a_frozen_worker_does_not_answer(
    client: Any, aside: ThreadPoolExecutor
) -> None:
    client.wait_for_workers(2, LIMIT)
    pid, stop = pid_of(client), Stop()
    os.kill(pid, signal.SIGSTOP)
    try:
        asked = aside.submit(ask_workers, client, partial(client.run, os.getpid), stop)
        time.sleep(0.2)
        assert not asked.done()
        stop.set()
        with pytest.raises(Stopped):
            asked.result(LIMIT)
    finally:
        os.kill(pid, signal.SIGCONT)
    assert len(ask_workers(client, partial(client.run, os.getpid))) == 2


def test_the_network_of_a_worker_is_cut_for_some_time(
    client: Any, aside: ThreadPoolExecutor, tmp_path: Path
) -> None:
    wires = Network(client.cluster.scheduler_address)
    command = [sys.executable, "-m", "distributed.cli.dask_worker", *wires.options]
    options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory"]
    cut_off = subprocess.Popen([*command, *options, str(tmp_path)], stderr=subprocess.DEVNULL)

    def cut(*, drop: bool) -> Any:
        """Run a search in which the worker is disconnected for some time."""
        run = aside.submit(answer(0.02).compute, scheduler=client)
        until(lambda: any(k[0][0] == "s" for k in client.processing().get(wires.address, ())))
        wires.cut()
        time.sleep(0.5)
        wires.mend(drop=drop)
        right(run)
        until(lambda: not working(client))
        return run.result()

    try:
        until(lambda: wires.address in client.nthreads())
        held_back = cut(drop=False)
        assert held_back.losses == ()
        assert cut_off.poll() is None
        broken = cut(drop=True)
        assert [loss.worker for loss in broken.losses] == [wires.address]
        assert broken.sparks.repeated >= 1
        assert cut_off.wait(LIMIT) == 0  # a worker ends when its connection breaks
    finally:
        cut_off.kill()
        cut_off.wait()
        wires.close()


@pytest.mark.long
def test_workers_join_with_compiled_rules_and_leave(client: Any, aside: ThreadPoolExecutor) -> None:
    client.wait_for_workers(2, LIMIT)
    before = set(client.scheduler_info()["workers"])
    run = aside.submit(answer(0.02).compute, scheduler=client)
    begun(client, run)
    client.cluster.scale(3)
    client.wait_for_workers(3, LIMIT)
    right(run)
    (new,) = set(client.scheduler_info()["workers"]) - before
    right(aside.submit(answer().compute, scheduler=client))
    plugins = client.run(lambda dask_worker: set(dask_worker.plugins))
    assert plugins[new] == plugins[min(before)] > {"jamboree"}
    run = aside.submit(answer().compute, scheduler=client)
    begun(client, run)
    client.retire_workers([new])
    right(run)


def hurry(ahead: float) -> None:
    """Set the clock of this process ahead, like that of another machine."""
    record.perf_counter = lambda: time.perf_counter() + ahead  # type: ignore[attr-defined]


def test_a_worker_with_another_clock(client: Any) -> None:
    client.wait_for_workers(2, LIMIT)
    wrong = [min(client.nthreads())]
    client.run(hurry, 1000.0, workers=wrong)
    try:
        found = answer().compute(scheduler=client)
    finally:
        client.run(hurry, 0.0, workers=wrong)
    offsets = [offset for _, offset in found.clocks.offsets]
    assert len(offsets) == 3
    assert min(offsets) == pytest.approx(-1000, abs=found.clocks.error)
    start, end = found.call.start, found.call.end
    assert all(start <= r.start <= r.end <= end for r in found.records)
    _, unread = set_clocks(found.records, (), found.call)
    assert found.clocks.error < unread.error / 2  # the call has several round trips


def test_a_search_waits_for_workers_and_warns_once(
    aside: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(absence, "PATIENCE", 0.2)
    monkeypatch.setattr(absence, "SELDOM", 0.05)
    trees = search(SMALL, mcts(40, trees=2), using=par_list, engine="interpreted")
    with cluster(workers=0, set_as_default=False) as client:
        for lazy in answer(), trees:
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                run = aside.submit(lazy.compute, scheduler=client)
                until(lambda told=told: told)
                assert not run.done()
                client.cluster.scale(1)
                assert run.result(LIMIT).sparks.balanced()
            assert [str(w.message) for w in told] == [absence.NOBODY]
            client.cluster.scale(0)
            until(lambda: not client.nthreads())
        client.cluster.scale(1)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            run = aside.submit(answer().compute, scheduler=client)
            begun(client)
            client.cluster.scale(0)  # as when the time of a job is up
            until(lambda: told)
            client.cluster.scale(1)
            right(run)


def test_a_time_limit_ends_the_wait_for_a_worker() -> None:
    lasting = par_list.to_ply(1)
    limited: Any = {"time": 0.2, "engine": "interpreted"}
    with cluster(workers=0, set_as_default=False) as client:
        for ask in (
            search(SMALL, alphabeta(4), **limited).compute,
            search(SMALL, alphabeta(4), using=lasting, **limited).compute,
            search(SMALL, mcts(40), **limited).compute,
            partial(solve, SMALL, using=lasting, memory="1MB", **limited),
        ):
            with pytest.raises(ClusterError, match=r"no worker within the 0\.2 s of time=: start"):
                ask(scheduler=client)
        client.cluster.scale(1)
        client.wait_for_workers(1)
        in_time = search(SMALL, alphabeta(2), time=60, engine="interpreted")
        assert in_time.compute(scheduler=client).depth == 2


def set_status(status: str, dask_worker: Any) -> None:
    """Set the status of a worker, as its memory manager does if its memory is almost full."""
    dask_worker.memory_manager.memory_pause_fraction = False  # it changes the status no more
    dask_worker.status = getattr(type(dask_worker.status), status)


def test_paused_workers_do_not_keep_a_search_waiting(
    client_here: Any, aside: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(absence, "PATIENCE", 0.2)
    monkeypatch.setattr(absence, "SELDOM", 0.05)
    one, other = client_here.nthreads()
    try:
        run = aside.submit(answer().compute, scheduler=client_here)
        until(lambda: client_here.processing()[one])
        client_here.run(set_status, "paused", workers=[one])
        right(run)  # the other worker gets its tasks
        client_here.run(set_status, "paused", workers=[other])
        with pytest.raises(ClusterError, match="is paused, because its memory is almost full"):
            aside.submit(answer().compute, scheduler=client_here).result(LIMIT)
    finally:
        client_here.run(set_status, "running")


def test_an_adaptive_cluster_starts_a_worker(aside: ThreadPoolExecutor) -> None:
    with cluster(workers=0, set_as_default=False) as client:
        client.cluster.adapt(minimum=0, maximum=1, interval="100ms")
        right(aside.submit(answer().compute, scheduler=client))


def test_a_module_that_workers_lack_is_sent_to_them(client: Any, tmp_path: Path) -> None:
    (tmp_path / "lonely_rules.py").write_text("def least(board):\n    return -board\n")
    (tmp_path / "lonely_game.py").write_text(
        "from attrs import frozen\nfrom games import ConnectFour\nfrom lonely_rules import least\n"
        "@frozen\nclass Lonely(ConnectFour):\n"
        "    def estimate(self, state):\n        return least(super().estimate(state))\n"
    )
    sys.path.insert(0, str(tmp_path))
    try:
        game = importlib.import_module("lonely_game").Lonely(4, 4)
        one = search(game, minimax(4), using=par_list.to_ply(2), engine="interpreted")
        many = search(game, mcts(40, trees=2), using=par_list, engine="interpreted")
        for lazy in (one, many):
            here, there = lazy.compute(), lazy.compute(scheduler=client)
            assert (there.value, there.move) == (here.value, here.move)
        alone = search(game, minimax(2), engine="interpreted")
        found, _ = using([alone] * 2, par_list).compute(scheduler=client)
        assert found.value == alone.compute().value
        for sent in client.compute(one), client.compute(client.persist(one)):
            with pytest.raises(
                ClusterError, match=r"cannot load the search \(No module named 'lonely"
            ):
                sent.result(timeout=LIMIT)
    finally:
        sys.path.remove(str(tmp_path))
        del sys.modules["lonely_game"], sys.modules["lonely_rules"]


def test_other_rules_of_the_same_name_at_workers_are_no_answer(client: Any, tmp_path: Path) -> None:
    for version in ("here", "there"):
        (tmp_path / version).mkdir()
        (tmp_path / version / "two_versions.py").write_text(
            "from games import ConnectFour\nfrom strategies import Algorithm\n"
            "class Versions(ConnectFour):\n"
            f"    def estimate(self, state):\n        return {len(version)}\n"
            "def fold(game, state, depth, control):\n"
            f"    return float({len(version)})\n"
            "class Own(Algorithm):\n    name, kernel = 'own', staticmethod(fold)\n"
        )
    client.run(exec, f"import sys; sys.path.insert(0, {str(tmp_path / 'there')!r})")
    sys.path.insert(0, str(tmp_path / "here"))
    try:
        module = importlib.import_module("two_versions")
        game, using = module.Versions(4, 4), par_list.to_ply(1)
        lazy = search(game, minimax(2), using=using, engine="interpreted")
        own = search(ConnectFour(4, 4), module.Own(2), using=using, engine="interpreted")
        for sent, name in (lazy, "Versions"), (own, "Own"):
            with pytest.raises(ClusterError, match=f"the code of {name} in two_versions differs"):
                client.compute(sent).result(timeout=LIMIT)
        assert lazy.compute(scheduler=client).value == len("here")
    finally:
        sys.path.remove(str(tmp_path / "here"))
        client.run(exec, f"import sys; sys.path.remove({str(tmp_path / 'there')!r})")
        del sys.modules["two_versions"]


HELPED = """
from games import ConnectFour
import {weights}
class Weighed(ConnectFour):
    def estimate(self, state):
        return {weights}.WEIGHT
    def drawn(self):
        import {weights}_plots  # which no search calls
"""
INSIDE = """
from games import ConnectFour
class Weighed(ConnectFour):
    def estimate(self, state):
        from {weights} import WEIGHT
        return WEIGHT
"""


@pytest.fixture
def weighed(client: Any, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Any]:
    """Yield a function that makes a game from the source of its module, and the module that the
    source imports, of which workers have another version."""
    weights = f"weights_of_{request.node.name.partition('[')[0][-30:]}"
    for version, weight in ("here", 4), ("there", 3):
        (tmp_path / version).mkdir()
        (tmp_path / version / f"{weights}.py").write_text(f"WEIGHT = {weight}\n")
    (tmp_path / "here" / f"{weights}_plots.py").touch()
    client.run(exec, f"import sys; sys.path.insert(0, {str(tmp_path / 'there')!r})")
    sys.path.insert(0, str(tmp_path / "here"))

    def made(source: str) -> tuple[Any, types.ModuleType]:
        for version in "here", "there":
            text = source.format(weights=weights)
            (tmp_path / version / f"game_of_{weights}.py").write_text(text)
        game = importlib.import_module(f"game_of_{weights}").Weighed(4, 4)
        return game, importlib.import_module(weights)

    try:
        yield made
    finally:
        sys.path.remove(str(tmp_path / "here"))
        client.run(exec, f"import sys; sys.path.remove({str(tmp_path / 'there')!r})")
        for name in [name for name in sys.modules if weights in name]:
            del sys.modules[name]


def test_other_versions_of_what_rules_import_are_no_answer(client: Any, weighed: Any) -> None:
    game, weights = weighed(HELPED)
    lazy = search(game, minimax(2), using=par_list.to_ply(1), engine="interpreted")
    assert lazy.compute(scheduler=client).value == 4
    weights.WEIGHT = 7  # as if the file was edited, and the module loaded again
    lazy = search(game, minimax(2), using=par_list.to_ply(1), engine="interpreted")
    assert lazy.compute(scheduler=client).value == 7


CHUNKS = """
import {weights}
from attrs import frozen
from strategies.algebra.groups import Group
from strategies.algebra.strategy import ListStrategy
from games import ConnectFour as Weighed
@frozen
class Chunks(ListStrategy):
    def groups(self, n):
        size = {weights}.WEIGHT
        return tuple(Group(i, min(i + size, n), 0) for i in range(0, n, size))
"""


def test_other_versions_of_a_strategy_are_not_used(client: Any, weighed: Any) -> None:
    game, weights = weighed(CHUNKS)
    own = sys.modules[f"game_of_{weights.__name__}"].Chunks().everywhere.grain(1)
    for size in 4, 2:  # the second as if the file was edited
        weights.WEIGHT = size
        known = par_list_chunk(size).everywhere.grain(1)
        found, other = (
            search(game, alphabeta(4), using=s, engine="interpreted").compute(scheduler=client)
            for s in (own, known)
        )
        assert (found.nodes, found.sparks) == (other.nodes, other.sparks)


def test_other_versions_of_a_strategy_are_not_studied(client: Any, weighed: Any) -> None:
    game, weights = weighed(CHUNKS)
    own = sys.modules[f"game_of_{weights.__name__}"].Chunks().everywhere.grain(1)
    how: Any = {"workers": [1], "repeat": 1, "scheduler": client, "engine": "interpreted"}
    for size in 4, 2:  # the second as if the file was edited
        weights.WEIGHT = size
        known = par_list_chunk(size).everywhere.grain(1)
        _, found, other = study(game, alphabeta(4), [own, known], **how).rows
        assert (found.nodes, found.created) == (other.nodes, other.created)


PLAYERS = """
import {weights}
from games import ConnectFour as Weighed
def pick(game, state):
    moves = list(game.moves(state))
    return moves[{weights}.WEIGHT % len(moves)]
class Picker:
    def next_move(self, game, state):
        return pick(game, state)
"""


@pytest.mark.parametrize("kind", ["function", "object"])
def test_other_versions_of_a_player_do_not_play(client: Any, weighed: Any, kind: str) -> None:
    game, weights = weighed(PLAYERS)
    module = sys.modules[f"game_of_{weights.__name__}"]
    players = [module.pick if kind == "function" else module.Picker(), "alphabeta(1)"]
    for weight in 4, 2:  # the second as if the file was edited
        weights.WEIGHT = weight
        found, here = (
            tournament(game, players, rounds=1, plies=1, scheduler=where).finished
            for where in (client, "threads")
        )
        assert [game.record.turns for game in found] == [game.record.turns for game in here]


def test_another_version_of_what_a_rule_imports_itself_is_refused(
    client: Any, weighed: Any
) -> None:
    game, _ = weighed(INSIDE)
    lazy = search(game, minimax(2), using=par_list.to_ply(1), engine="interpreted")
    with pytest.raises(ClusterError, match=r"cannot load the game \(its rules differ there\)"):
        lazy.compute(scheduler=client)


def test_a_module_that_a_program_made_is_shipped(client: Any) -> None:
    made = types.ModuleType("made_by_a_program")
    sys.modules[made.__name__] = made
    try:
        exec("from games import ConnectFour\nclass Made(ConnectFour):\n    pass", vars(made))
        lazy = search(made.Made(4, 4), minimax(4), using=par_list.to_ply(2), engine="interpreted")
        assert lazy.compute(scheduler=client).value == lazy.compute().value
    finally:
        del sys.modules[made.__name__]


@pytest.mark.long
def test_a_search_that_kills_its_workers_is_reported_in_one_line(client: Any) -> None:
    scheduler = client.cluster.scheduler
    before, scheduler.allowed_failures = scheduler.allowed_failures, 0
    try:
        lazy = search(Deadly(4, 4), minimax(2), engine="interpreted")
        with pytest.raises(ClusterError, match="died"):
            lazy.compute(scheduler=client)
        names = scheduler.worker_plugins  # what each new worker loads
        until(lambda: not any(name.startswith(parcel_name(client.id)) for name in names))
    finally:
        scheduler.allowed_failures = before
