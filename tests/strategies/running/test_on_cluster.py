"""A search on a cluster finds the result of one machine, and reports errors in one line."""

from __future__ import annotations

import asyncio
import linecache
import pickle
import subprocess
import sys
import threading
import types
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from queue import SimpleQueue
from typing import Any

import dask
import pytest
from attrs import field, frozen
from dask.task_spec import Task
from hypothesis import given

from games import ConnectFour, ExplicitGame
from games.problems import Queens
from graphs import MalformedError
from strategies import (
    RuleFailed,
    alphabeta,
    jamboree,
    mcts,
    minimax,
    par_list,
    pvs,
    search,
    solve,
    tournament,
    using,
    young_brothers_wait,
)
from strategies.algebra.strategy import Strategy, seq
from strategies.running.plans import cluster_records, on_cluster
from strategies.running.plans.late_binding import Homes
from strategies.running.plans.row_on_cluster import RowOnCluster
from strategies.running.plans.row_pieces import Learning
from strategies.running.runtime import delivery, worker_side
from strategies.running.runtime.delivery import arrived
from strategies.running.runtime.shipping import ClusterError, Parcel, parcel_name
from strategies.searches.local_search.climb import climb
from tests.properties import examples
from tests.strategies.clusters import cluster, until
from tests.strategies.given import searches, trees

pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def one() -> Iterator[Any]:
    """Yield a client with one worker, because two in one process would share a table."""
    with cluster(workers=1, threads=2, set_as_default=False) as client:
        yield client


@pytest.fixture(scope="module")
def threads() -> Iterator[Any]:
    with cluster(threads=1, set_as_default=False) as client:
        yield client


@given(game=trees(chance=True), strategy=searches(live=False))
@examples(5, times=20)
def test_on_a_cluster(threads: Any, game: ExplicitGame, strategy: Strategy) -> None:
    answer = search(game, alphabeta(9), using=strategy, engine="interpreted")
    here, there = answer.compute(num_workers=1), answer.compute(scheduler=threads)
    assert type(there) is type(here)
    assert (there.value, there.move, there.line) == (here.value, here.move, here.line)
    assert there.sparks == here.sparks
    assert there.nodes == here.nodes
    assert there.request is not None


def test_a_search_under_a_client_runs_in_bundles() -> None:
    from distributed import SchedulerPlugin

    class Seen(SchedulerPlugin):  # type: ignore[misc]
        def __init__(self) -> None:
            self.kinds = Counter[str]()

        def transition(self, key: Any, start: str, finish: str, *_: Any, **__: Any) -> None:
            if start == "processing" and finish == "memory" and isinstance(key, tuple):
                self.kinds[str(key[0]).rpartition("-")[0]] += 1

    answer = search(ConnectFour(4, 4), alphabeta(3), using=par_list.to_ply(2), engine="interpreted")
    with cluster(workers=1) as client:
        seen = Seen()
        client.cluster.scheduler.add_plugin(seen)
        found = answer.compute()
    assert len(found.records) == len(answer.tasks()) == 32
    assert seen.kinds["look"] == 1
    assert seen.kinds.keys() <= {"warm", "look", "search", "merge"}  # no spark has its own task


@frozen
class Unreadable(ConnectFour):
    """A game that can be pickled but not unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return open, ("/no/such/map",)


@pytest.mark.parametrize(
    "lazy",
    [
        search(ConnectFour(4, 4), minimax(4), using=par_list.to_ply(2), engine="interpreted"),
        search(
            ConnectFour(5, 4), pvs(7, table="64kB"), using=young_brothers_wait.to_size(100),
            engine="interpreted",
        ),
        search(ConnectFour(4, 4), mcts(60, trees=3), using=par_list, engine="interpreted"),
    ],
    ids=["bundles", "row of graphs", "trees"],
)  # fmt: skip
def test_the_ledger_lists_the_losses_of_each_spark(
    one: Any, lazy: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def all_twice(run: str, dask_scheduler: Any) -> list[tuple[float, str, list[int]]]:
        names = {f"{kind}-{run}" for kind in cluster_records.KINDS}
        keys = {key for key, *_ in dask_scheduler.transition_log if isinstance(key, tuple)}
        numbers = sorted(key[1] for key in keys if key[0] in names)
        return [(0.0, "tcp://a", numbers), (0.0, "tcp://b", numbers)]

    def remember_all(dask_scheduler: Any) -> None:
        dask_scheduler.transition_log = deque()

    one.run_on_scheduler(remember_all)
    monkeypatch.setattr(cluster_records, "losses_of", all_twice)
    found = lazy.compute(scheduler=one)
    sparks = [r for r in found.records if r.role == "spark"]
    assert sparks
    assert (found.sparks.lost, found.sparks.repeated) == (2 * len(sparks), len(sparks))


_begun: list[int] = []
"""The tasks that this process has started, in order."""


def begin(number: int) -> None:
    _begun.append(number)


def test_tasks_start_in_the_order_of_their_graph() -> None:
    """Dask would start them in the order of their keys."""
    numbers = [5, 2, 8, 0, 7, 1, 9, 3, 6, 4]
    graph = {("search-run", n): Task(("search-run", n), begin, n) for n in numbers}
    _begun.clear()
    with cluster(workers=1, set_as_default=False) as client:
        client.gather(on_cluster.send(client, "run", graph, [*graph], retries=1, unknown=True))
    assert _begun == numbers


def test_a_graph_of_many_tasks_is_sent_without_a_warning(one: Any) -> None:
    lazy = search(ConnectFour(4, 4), minimax(2), using=par_list, engine="interpreted")
    few = {"distributed.admin.large-graph-warning-threshold": "1kB"}
    with dask.config.set(few), warnings.catch_warnings():
        warnings.simplefilter("error")
        assert lazy.compute(scheduler=one).sparks.balanced()


def test_a_game_that_workers_cannot_load_is_refused_before_anything_runs(threads: Any) -> None:
    lazy = search(Unreadable(4, 4), alphabeta(3), using=par_list, engine="interpreted")
    told = r"cannot load the game \(FileNotFoundError.*: copy the files that it reads there"
    with pytest.raises(ClusterError, match=told):
        lazy.compute(scheduler=threads)


@frozen
class Locked(ConnectFour):
    """A game that cannot be pickled."""

    shared: Any = field(factory=lambda: [threading.Lock()], eq=False)


@pytest.mark.parametrize("algorithm", [minimax(2), pvs(3), mcts(60, trees=2)], ids=str)
def test_a_game_that_cannot_be_pickled_is_told_by_its_field(threads: Any, algorithm: Any) -> None:
    lazy = search(Locked(4, 4), algorithm, using=par_list, engine="interpreted")
    with pytest.raises(ClusterError, match=r"workers cannot get Locked\.shared: cannot pickle"):
        lazy.compute(scheduler=threads)


def test_deepening_sends_a_task_to_its_home_and_records_who_searched_it(
    one: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (address,) = one.nthreads()
    sent: list[str | None] = []
    asked, noted = set[tuple[int, ...]](), set[tuple[int, ...]]()
    submit = RowOnCluster.submit

    def home(_: Homes, branches: Iterable[tuple[tuple[int, ...], float]]) -> str:
        asked.update(path for path, _ in branches)
        return str(address)

    def searched(_: Homes, paths: Iterable[tuple[int, ...]], by: str) -> None:
        assert by == address
        noted.update(paths)

    def submitted(
        row: RowOnCluster, piece: Learning, *inputs: Any, at: str | None = None, **how: Any
    ) -> Any:
        sent.append(at)
        return submit(row, piece, *inputs, at=at, **how)

    monkeypatch.setattr(RowOnCluster, "submit", submitted)
    monkeypatch.setattr(Homes, "home", home)
    monkeypatch.setattr(Homes, "searched", searched)
    search(
        ConnectFour(5, 4), pvs(7, table="64kB"), using=young_brothers_wait.to_size(100),
        engine="interpreted",
    ).compute(scheduler=one)  # fmt: skip
    assert set(sent) - {None} == {address}  # None: it searches nothing
    assert asked == noted
    assert asked


class Fated:
    """A future whose status changes each time it is read."""

    def __init__(self, *states: str) -> None:
        self.states = list(states)

    @property
    def status(self) -> str:
        return self.states.pop(0)


def test_a_result_that_is_lost_on_arrival_is_awaited_again() -> None:
    come: SimpleQueue[Any] = SimpleQueue()
    future = Fated("lost", "pending", "finished")
    come.put(future)
    assert [arrived(come), arrived(come), arrived(come)] == [[], [], [future]]
    come.put(Fated("cancelled"))
    with pytest.raises(ClusterError, match="lost the search"):
        arrived(come)


HOW: dict[str, Any] = {"using": par_list, "engine": "interpreted"}
SMALL = ConnectFour(4, 4)
CALLS = [dask.delayed(pow)(2, n) for n in (3, 4)]
IN_TASKS: dict[str, Callable[[Any], Any]] = {
    "bundles": lambda at: search(SMALL, minimax(3), **HOW).compute(at).value,
    "row of graphs": lambda at: search(SMALL, pvs(3, table="64kB"), **HOW).compute(at).value,
    "row with a limit": lambda at: search(SMALL, pvs(2), time=30, **HOW).compute(at).value,
    "trees": lambda at: search(SMALL, mcts(20, trees=2), **HOW).compute(at).simulations,
    "proofs": lambda at: solve(ConnectFour(3, 2), scheduler=at, **HOW).value,
    "games": lambda at: tournament(SMALL, ["random"] * 2, rounds=1, scheduler=at).to_json(),
    "attempts": lambda at: climb(Queens(4), restarts=1, scheduler=at, **HOW).value,
    "calls in bundles": lambda at: using(CALLS, par_list).compute(at),
    "calls by Dask": lambda at: using(CALLS, jamboree(0.5)).compute(at),
}


@pytest.mark.parametrize("lent", [False, True])
def test_a_wait_in_a_task_lends_its_thread_and_takes_it_back(
    lent: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it waits without end for tasks that have no thread."""
    from distributed import worker_client

    monkeypatch.setattr(worker_side, "LINGERING", 0.01)
    monkeypatch.setattr(worker_side, "_runs", {})  # without those of clusters that closed early

    def in_task(work: Callable[[Any], Any]) -> Any:
        with worker_client(separate_thread=lent) as client:
            return work(client)

    def threads_of_tasks(dask_worker: Any) -> int:
        return len(dask_worker.executors["default"]._threads)

    with cluster(workers=1, threads=1) as client:
        sent = {name: client.submit(in_task, work) for name, work in IN_TASKS.items()}
        found = {name: future.result(timeout=30) for name, future in sent.items()}
        until(lambda: set(client.run(threads_of_tasks).values()) == {1})
        until(lambda: not worker_side._runs)
    assert found == {name: work("threads") for name, work in IN_TASKS.items()}


def test_a_closed_client_is_reported_in_one_line() -> None:
    with cluster(workers=1, set_as_default=False) as client:
        client.close()
        for algorithm in minimax(2), mcts(60, trees=2):
            lazy = search(ConnectFour(4, 4), algorithm, using=par_list, engine="interpreted")
            with pytest.raises(ClusterError, match="the client was closed"):
                lazy.compute(scheduler=client)


@pytest.mark.parametrize("named", [False, True])
def test_an_asynchronous_client_is_refused_in_one_line(named: bool) -> None:
    from distributed import Client, LocalCluster

    game = ConnectFour(4, 4)
    lazy = search(game, minimax(2), using=par_list, engine="interpreted")
    works: list[Callable[[Any], Any]] = [
        lambda client: lazy.compute(scheduler=client),
        lambda client: using([lazy, lazy], par_list).compute(scheduler=client),
    ]
    here_only: list[Callable[[Any], Any]] = [
        lambda client: solve(game, using=par_list, scheduler=client, engine="interpreted"),
        lambda client: tournament(game, ["random"] * 2, rounds=1, scheduler=client),
    ]

    async def tried() -> Any:
        options: dict[str, Any] = {"asynchronous": True, "dashboard_address": ":0"}
        async with (
            LocalCluster(n_workers=1, processes=False, **options) as here,
            Client(here, asynchronous=True, set_as_default=not named) as client,
        ):
            for work in works:
                with pytest.raises(ClusterError, match=r"write await client\.compute\(answer\)"):
                    work(client if named else None)
            for work in here_only:
                with pytest.raises(ClusterError, match=r"write scheduler='threads' to work on"):
                    work(client if named else None)
            return await client.compute(lazy), await lazy

    assert {found.value for found in asyncio.run(tried())} == {lazy.compute(num_workers=1).value}


@pytest.mark.parametrize("step", ["await_worker", "_shipped"])
def test_a_client_that_is_closed_while_a_game_goes_out_is_told_in_a_line(
    step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = getattr(delivery, step)

    def closing(client: Any, *args: Any) -> Any:
        made = before(client, *args)
        client.close()
        return made

    monkeypatch.setattr(delivery, step, closing)
    lazy = search(ConnectFour(4, 4), minimax(2), using=par_list, engine="interpreted")
    with (
        cluster(workers=1, set_as_default=False) as client,
        pytest.raises(ClusterError, match="lost the search"),
    ):
        lazy.compute(scheduler=client)


def test_parcels_and_tables_are_sent_only_to_workers_that_need_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from distributed import Client

    def delivered() -> list[str]:
        (names,) = client.run(lambda dask_worker: list(dask_worker.plugins)).values()
        return [name for name in names if name.startswith(parcel_name(other.id))]

    monkeypatch.setattr(delivery, "KEPT", 2)
    monkeypatch.setattr(worker_side, "LINGERING", 0.01)
    monkeypatch.setattr(worker_side, "_runs", {})  # without those of clusters that closed early
    with cluster(workers=1, set_as_default=False) as client:
        with Client(client.cluster, set_as_default=False) as other:
            for width in 3, 4, 5, 4:
                lazy = search(ConnectFour(width, 4), minimax(2), engine="interpreted")
                lazy.compute(scheduler=other)
                lazy.compute(scheduler=other)
                until(lambda: not worker_side._runs)
            until(lambda: len(delivered()) == 2)
            client.cluster.scale(2)
            client.wait_for_workers(2)

            def plugins() -> list[set[str]]:
                return list(client.run(lambda dask_worker: set(dask_worker.plugins)).values())

            until(lambda: len(found := plugins()) == 2 and found[0] == found[1])
            client.cluster.scale(1)
            until(lambda: len(client.nthreads()) == 1)
        until(lambda: not delivered())


def test_a_client_that_lost_its_connection_delivers_again() -> None:
    lazy = search(ConnectFour(4, 4), minimax(2), using=par_list, engine="interpreted")
    with cluster(workers=1, set_as_default=False) as client:
        here = lazy.compute(scheduler=client)
        before = client.scheduler_comm
        client.loop.add_callback(before.comm.abort)
        until(lambda: client.scheduler_comm is not before)
        again = lazy.compute(scheduler=client)
        assert (again.value, again.move, again.nodes) == (here.value, here.move, here.nodes)


@frozen
class Guarded(ConnectFour):
    """A game whose error contains an object that cannot be pickled."""

    def estimate(self, state: Any) -> int:
        raise RuntimeError("no estimate", threading.Lock())


@pytest.mark.parametrize("strategy", [seq, par_list])
def test_an_error_of_the_rules_that_cannot_be_pickled_is_reported_as_on_one_machine(
    threads: Any, strategy: Strategy
) -> None:
    lazy = search(Guarded(4, 4), minimax(2), using=strategy, engine="interpreted")
    with pytest.raises(RuleFailed, match=r"estimate failed after the moves .*: RuntimeError: "):
        lazy.compute(scheduler=threads)


def test_rules_pickled_by_value_include_their_source() -> None:
    """A fresh process without the module and its file loads the rules and their source."""
    code = (
        "import inspect, pickle, sys\n"
        "(game,) = pickle.loads(sys.stdin.buffer.read()).values[:1]\n"
        "print(game.estimate(game.start()), inspect.getsource(type(game).estimate).split()[-1])"
    )
    name = "<no such file>"
    text = "from games import ConnectFour\nclass Far(ConnectFour):\n"
    text += "    def estimate(self, state):\n        return 17\n"
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    module = types.ModuleType("no_such_module")
    exec(compile(text, name, "exec"), vars(module))
    sys.modules[module.__name__] = module
    try:
        parcel = Parcel((module.Far(4, 4),), [module])
        given = pickle.dumps(parcel.content)
    finally:
        del sys.modules[module.__name__], linecache.cache[name]
    ran = subprocess.run([sys.executable, "-c", code], input=given, capture_output=True, check=True)
    assert ran.stdout.split() == [b"17", b"17"]


class Failing:
    """A value that cannot be unpickled."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __reduce__(self) -> Any:
        return _raise, (self.error,)


def _raise(error: Exception) -> None:
    raise error


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (MalformedError("it has other weights"), r"\(it has other weights\): copy the files"),
        (FileNotFoundError("no file"), r"\(no file\): copy the files that it reads there"),
        (ValueError("no class"), r"\(no class\): install the package that defines it there"),
    ],
)
def test_work_that_cannot_be_read_is_explained_once(error: Exception, told: str) -> None:
    parcel = Parcel(())
    with pytest.raises(ClusterError, match=f"cannot load the search {told}"):
        parcel.content.read(parcel.add(Failing(error)))
