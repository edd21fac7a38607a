"""Processes of a cluster that share a table help each other under a joined strategy."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from math import inf, nan
from typing import Any
from unittest.mock import patch

import pytest

from games import ConnectFour
from games.failed import RuleFailed
from strategies import Result, alphabeta, pvs, search, young_brothers_wait
from strategies.native.calls.alphabeta import Found
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.memory.transposition_table import Counts
from strategies.running.execution.helping import SearchPart, call_off, callable_by, sharing
from strategies.running.plans import row_on_cluster
from strategies.running.plans.bundling import Bundle
from strategies.running.plans.late_binding import LateBinding
from strategies.running.plans.row_on_cluster import RowOnCluster
from strategies.running.plans.row_pieces import Early, Helping, Learning
from strategies.running.records.record import Record
from strategies.running.runtime.cancellation import heeding
from tests.strategies.clusters import LIMIT, cluster, until
from tests.strategies.joining import joining
from tests.strategies.running.test_joins import check_records

GAME = ConnectFour(pairs=1)
USING: Any = young_brothers_wait.everywhere.joined()


# One process -----------------------------------------------------------------------------------


def until_stopped(began: threading.Event) -> Callable[..., Found]:
    """Return a search that ends when it is stopped; without the others it finds 3 at once."""

    def search(stop: Stop | None, marks: bool = False) -> Found:
        if not marks:
            return Found(3.0, 1, 1, (0,), Counts())
        began.set()
        while stop is not None and not any(s.is_set for s in (stop, *stop._above)):
            time.sleep(0.001)
        return Found(nan, 10, 5, (), Counts(), finished=False)

    return search


def in_a_thread(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_the_first_part_ends_the_others_which_read_the_answer_from_the_table() -> None:
    scope, began, found, joins = Stop(), threading.Event(), list[Found](), list[Record]()

    def task() -> None:
        part = SearchPart(7, helps=False)
        with heeding(scope), sharing(part):
            found.append(part.search(until_stopped(began), (0, 9), scope))

    def helper() -> None:
        part = SearchPart(7, helps=True)
        with heeding(scope), sharing(part):
            part.search(lambda stop, marks: Found(3.0, 5, 2, (0,), Counts()), (0, 9), scope)
        joins.append(part.join((2, 1)))

    first = in_a_thread(task)
    assert began.wait(30)
    in_a_thread(helper).join(30)
    first.join(30)
    assert found == [Found(3.0, 11, 6, (0,), Counts())]
    (join,) = joins
    assert (join.key, join.role, join.outcome) == (("join", (2, 1)), "join", "done")
    assert (join.nodes, join.reason, join.found, join.window) == (5, "", (3.0, 3.0), (0, 9))
    late = SearchPart(7, helps=True)
    with heeding(scope), pytest.raises(Stopped), sharing(late):
        late.search(until_stopped(began), (0, 9), scope)
    assert late.join(()).reason == "another was first"


def test_a_helper_is_called_off_to_a_task() -> None:
    scope, began, joins = Stop(), threading.Event(), list[Record]()

    def helper() -> None:
        part = SearchPart(9, helps=True)
        with heeding(scope), callable_by("run", 4, part), pytest.raises(Stopped), sharing(part):
            part.search(until_stopped(began), (0, 9), scope)
        joins.append(part.join(()))

    thread = in_a_thread(helper)
    assert began.wait(30)
    call_off("run", 5)  # another one
    call_off("other", 4)
    assert thread.is_alive()
    call_off("run", 4)
    thread.join(30)
    assert [(r.reason, r.nodes, r.found) for r in joins] == [("called to a task", 10, (-inf, inf))]
    call_off("run", 4)  # it helps no more
    other = SearchPart(9, helps=False)
    with heeding(scope), sharing(other):
        assert not other.ending.why, "a helper that was called off has not ended the search"


def test_a_search_that_the_run_stops_is_not_finished() -> None:
    part, scope = SearchPart(3, helps=False), Stop()
    scope.set()
    with heeding(scope), sharing(part):
        assert not part.search(until_stopped(threading.Event()), (0, 9), scope).finished


def test_idle_workers_help_with_the_leftmost_large_bundle_beside_them() -> None:
    bundles = [Bundle((), (), ())] * 4
    threads, near = {"a": 1, "b": 1, "c": 2}, {"a": "ab", "b": "ab", "c": "c"}
    binding = LateBinding(bundles[:2], [(), ()], ())
    list(binding.assigned({"a": 1, "c": 1}))
    assert binding.at == {0: "a", 1: "c"}

    def helpers(large: set[int], helping: str = "") -> list[tuple[int, str]]:
        return list(binding.unhelped(threads, large, helping, near.__getitem__))

    assert helpers({0, 1}) == [(0, "b"), (1, "c")]
    assert helpers({1}) == [(1, "c")]
    assert helpers({0, 1}, "bc") == []
    binding.done(0)
    assert helpers({0, 1}) == [(1, "c")]


@pytest.mark.parametrize("helped", [False, True])
def test_where_workers_help_none_waits_for_a_bundle_that_is_ready(helped: bool) -> None:
    bundles = [Bundle((), (), ())] * 4
    binding = LateBinding(bundles, [()] * 4, (), helped)
    sent = list(binding.assigned({"a": 1, "b": 1}))
    assert len(sent) == (4 if helped else 2)


def test_a_task_makes_the_first_iterations_until_they_take_time() -> None:

    def learning(number: int, seconds: float = 0.0, error: Exception | None = None) -> Any:
        def run() -> int:
            end = time.thread_time() + seconds
            while time.thread_time() < end:
                pass
            if error is not None:
                raise error
            return number

        return run

    short, long = learning(0), learning(1, 0.02)
    assert Early((short, long, learning(2)), 0.01)() == [0, 1]
    assert Early((short, learning(1), learning(2)), inf)() == [0, 1, 2]
    failing = learning(1, error=RuleFailed("estimate", (), None, "none"))
    assert Early((short, failing, learning(2)), 0.01)() == [0]
    with pytest.raises(RuleFailed):
        Early((failing, short), 0.01)()


# Several processes -----------------------------------------------------------------------------


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return the pieces of work that are sent to workers."""
    pieces, submit = list[Any](), RowOnCluster.submit

    def noted(row: RowOnCluster, piece: Any, *args: Any, **how: Any) -> Any:
        pieces.append(piece)
        return submit(row, piece, *args, **how)

    monkeypatch.setattr(RowOnCluster, "submit", noted)
    return pieces


def found_on(client: Any, depth: int, table: str = "1MB", using: Any = USING) -> Result:
    """Return a search on a cluster, after a comparison with a sequential one.

    The sequential search runs first, so that the workers need not compile its kernel.
    """
    plain = search(GAME, alphabeta(depth, table=table)).compute()
    found: Result = search(GAME, pvs(depth, table=table), using=using).compute(scheduler=client)
    assert (found.value, found.move) == (plain.value, plain.move)
    check_records(found)
    return found


needs_memory = pytest.mark.skipif(
    not hasattr(os, "memfd_create"), reason="memory cannot be shared here"
)


@needs_memory
def test_short_iterations_are_one_task(client: Any, asked: list[Any]) -> None:
    with patch.object(row_on_cluster, "EARLY", inf):
        found = found_on(client, 9)
    assert [g.depth for g in found.graphs] == [1, 3, 5, 7, 9]
    (piece,) = asked
    assert len(piece.iterations) == 5
    assert not found.joins
    for g in found.graphs:
        assert g.seconds >= max(r.seconds for r in found.records if r.graph == g.number)


@needs_memory
@pytest.mark.parametrize("whole", [inf, 0])
def test_processes_search_together_and_each_has_a_record(
    client: Any, asked: list[Any], whole: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "EARLY", "SMALL", "LEAST":
        monkeypatch.setattr(row_on_cluster, name, 0.0)
    with joining(whole):
        found = found_on(client, 11)
    helping = [piece for piece in asked if isinstance(piece, Helping)]
    assert len(found.joins) == len(helping) > 0
    largest = max(found.graphs, key=lambda g: g.tasks)
    assert (largest.tasks == 1) == (whole == inf)
    tasks = {(r.graph, r.key[1]): r for r in found.records if r.role != "join"}
    for join in found.joins:
        assert join.worker != tasks[join.graph, join.key[1]].worker
        assert join.reason in ("", "another was first", "called to a task")


@needs_memory
def test_without_joined_nobody_helps(
    client: Any, asked: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "EARLY", "SMALL", "LEAST":
        monkeypatch.setattr(row_on_cluster, name, 0.0)
    with joining(inf):
        found = found_on(client, 7, using=young_brothers_wait.everywhere)
    assert not found.joins
    assert all(isinstance(piece, Learning) and not piece.number for piece in asked)


@needs_memory
def test_the_plans_use_the_table_of_the_workers(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared, share = list[bool](), RowOnCluster.share

    def noted(row: RowOnCluster, table: Any) -> bool:
        shared.append(share(row, table))
        client.run(mark, row.run)
        assert table.cells[0] == 7
        return shared[-1]

    monkeypatch.setattr(RowOnCluster, "share", noted)
    search(GAME, pvs(3, table="64kB"), using=USING).compute(scheduler=client)
    assert shared == [True]


def mark(run: str) -> None:
    from strategies.running.runtime.machine_memory import _of_runs
    from strategies.running.runtime.worker_side import scope_of

    memory = _of_runs[scope_of(run)].cells
    memory[0] = 7


@needs_memory
def test_a_worker_that_is_killed_while_it_helps_or_is_helped_changes_nothing(
    client: Any, aside: ThreadPoolExecutor, asked: list[Any]
) -> None:
    lazy: Any = search(GAME, pvs(16, table="4MB"), state=GAME.parse_state("4444"), using=USING)
    known = lazy.compute(num_workers=2)
    there = aside.submit(lazy.compute, scheduler=client)
    until(lambda: any(isinstance(piece, Helping) for piece in asked))
    with suppress(Exception):  # the worker is gone before it can answer
        client.run(os._exit, 1, workers=[min(client.nthreads())], on_error="ignore")
    found = there.result(LIMIT)
    assert (found.value, found.move) == (known.value, known.move)
    assert found.nodes == sum(r.nodes for r in found.records)
    client.wait_for_workers(2, LIMIT)


def test_threads_of_a_process_help_each_other_without_shared_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in "EARLY", "SMALL", "LEAST":
        monkeypatch.setattr(row_on_cluster, name, 0.0)
    with cluster(workers=1, threads=3, set_as_default=False) as client, joining():
        found = found_on(client, 9)
    assert found.joins
