"""Workers without a task join a running task under a joined strategy, and only there."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from math import inf, nan
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import ConnectFour, ExplicitGame, TicTacToe
from strategies import (
    Result,
    Strategy,
    alphabeta,
    engine_for,
    jamboree,
    mtdf,
    par_list,
    parse_strategy,
    pv_split,
    pvs,
    scout,
    search,
    seq,
    solve,
    young_brothers_wait,
)
from strategies.algorithms.fold import OPEN
from strategies.insight.analysis.recorded import recorded
from strategies.insight.analysis.simulate import simulate
from strategies.native.calls.alphabeta import Found
from strategies.native.memory.cells import Stop
from strategies.native.memory.transposition_table import Counts, Table
from strategies.running.execution import iteration
from strategies.running.plans import grain
from strategies.running.plans.iterations import Iterations
from strategies.running.records.record import Record
from strategies.running.records.request import SearchRequest
from strategies.running.runtime import ordered_scheduler as runner
from tests.properties import examples
from tests.strategies.clusters import cluster
from tests.strategies.given import brute, searches, trees
from tests.strategies.joining import joining
from tests.strategies.patience import interrupted, patiently, quiet

SIZES = ("4kB", "64kB", "1MB")
GAME = ConnectFour(5, 4, pairs=1)
USING = (
    seq.joined(), young_brothers_wait.everywhere.joined(), pv_split.everywhere.joined(),
    par_list.live().to_size(500).joined(), scout.to_ply(2).joined(), jamboree(0.5).joined(),
)  # fmt: skip


def check_records(found: Result) -> None:
    """Check that the records of a run, joins included, add up."""
    assert found.sparks.balanced()
    assert found.nodes == sum(r.nodes for r in found.records) == sum(g.nodes for g in found.graphs)
    assert found.leaves == sum(r.leaves for r in found.records)
    assert len(found.joins) == sum(g.joins for g in found.graphs)
    assert len(found.records) - len(found.joins) == sum(g.tasks for g in found.graphs)
    dag = recorded(found)
    assert sorted(t.record for t in dag.tasks if t.record) == sorted(found.records)
    assert dag.work == pytest.approx(found.work)
    assert dag.span <= found.work
    helped = {t.key for t in dag.tasks if t.key[0] == "join"}
    assert helped == {r.key for r in found.joins}
    for lane in found.timeline.values():
        assert all(a.end <= b.start for a, b in pairwise(lane))


@examples(30)
@given(
    trees(depth=6, wins=True), searches(), st.sampled_from([None, 0, 3, 20]),
    st.sampled_from([pvs, mtdf]), st.integers(2, 7), st.integers(1, 8), st.sampled_from(SIZES),
    st.sampled_from([0, inf]),
)  # fmt: skip
def test_value_and_leftmost_move_are_those_of_minimax(
    game: ExplicitGame, using: Strategy, size: int | None, kind: Any, depth: int, workers: int,
    table: str, whole: float,
) -> None:  # fmt: skip
    using = (using if size is None else using.to_size(size)).joined()
    asked = search(game, kind(depth, table=table), using=using, engine="native")
    with joining(whole):
        found = asked.compute(num_workers=workers)
    value, move = brute(game, game.start(), depth)
    assert (found.value, found.move) == (pytest.approx(value, abs=1e-12), move)
    if found.graphs:
        check_records(found)
    assert workers > 1 or not found.joins
    assert quiet()


@pytest.mark.parametrize("workers", [2, pytest.param(4, marks=pytest.mark.long), 8])
@pytest.mark.parametrize("whole", [0, inf])
@pytest.mark.parametrize("using", USING, ids=repr)
def test_workers_find_together_what_alpha_beta_finds(
    using: Strategy, whole: float, workers: int
) -> None:
    random, joins, game = Random(workers), 0, GAME
    for _ in range(4):
        state = game.start()
        for _ in range(random.randrange(8)):
            state = game.make_move(state, random.choice(list(game.moves(state))))
            if game.status(state):
                state = game.start()
        table, depth = random.choice(SIZES), random.choice((6, 7))
        made = random.choice((pvs, mtdf))(depth, table=table)
        asked = search(game, made, state=state, using=using)
        with joining(whole):
            found = asked.compute(num_workers=workers)
        plain = search(game, alphabeta(depth), state=state).compute()
        assert (found.value, found.move) == (plain.value, plain.move)
        check_records(found)
        joins += len(found.joins)
    assert joins


@pytest.mark.parametrize("using", USING, ids=repr)
def test_one_worker_visits_the_same_nodes_as_without_joins(using: Any) -> None:
    found = search(GAME, pvs(9), using=using).compute(num_workers=1)
    order = parse_strategy(repr(using).removesuffix(".joined()"))
    alone = search(GAME, pvs(9), using=order).compute(num_workers=1)
    assert (found.value, found.move) == (alone.value, alone.move)
    assert found.nodes == alone.nodes


@pytest.mark.parametrize("whole", [0, inf])
@pytest.mark.parametrize("workers", [2, pytest.param(4, marks=pytest.mark.long), 8])
@pytest.mark.parametrize("using", [young_brothers_wait, par_list.live(), pv_split])
def test_without_joined_nobody_joins_and_sparks_are_created(
    using: Any, workers: int, whole: float
) -> None:
    asked = search(GAME, pvs(9), using=using.everywhere)
    with joining(whole):
        found = asked.compute(num_workers=workers)
    assert not found.joins
    assert not any(g.joins for g in found.graphs)
    assert found.sparks.created > 0


def test_an_iteration_below_the_limit_is_one_task_unless_the_strategy_sets_a_size() -> None:
    def tasks(using: Strategy, whole: float, algorithm: Any = pvs) -> list[int]:
        with joining(whole):
            found = search(GAME, algorithm(9), using=using).compute(num_workers=2)
        return [g.tasks for g in found.graphs if not g.leftmost]

    brothers = young_brothers_wait.everywhere
    assert max(tasks(brothers.joined(), inf)) == 1
    assert max(tasks(brothers.joined(), 0)) > 1
    assert max(tasks(brothers, inf)) > 1
    assert max(tasks(young_brothers_wait.to_size(100).joined(), inf)) > 1


def test_tasks_that_workers_join_are_not_divided() -> None:
    with joining(), patch.multiple(grain, ROOM=0.1, ENOUGH=2):
        ran = [
            search(GAME, pvs(9), using=using).compute(num_workers=3)
            for using in (young_brothers_wait.everywhere, young_brothers_wait.everywhere.joined())
        ]
    assert [any(r.reason == "grown" for r in found.records) for found in ran] == [True, False]


def test_interpreted_rules_and_simulations_have_no_joins() -> None:
    using = young_brothers_wait.everywhere.joined()
    with joining():
        slow = search(TicTacToe(), pvs(5), using=using, engine="interpreted")
        virtual = simulate(search(GAME, pvs(8), using=using), 2).result
        assert not slow.compute(num_workers=2).joins
    assert not virtual.joins
    assert virtual.sparks.created > 0


def test_a_join_has_a_record_of_its_own() -> None:
    asked = search(GAME, pvs(11), using=seq.joined())
    with joining():
        found = asked.compute(num_workers=2)
    tasks = {r.graph: r for r in found.records if r.role == "step"}
    assert len(found.joins) > 1
    for join in found.joins:
        task = tasks[join.graph]
        assert join.key == ("join", task.key[1])
        assert join.worker != task.worker
        assert task.start < join.start < join.end <= task.end
        assert (join.outcome, join.became) == ("done", "done")
        assert join.reason in ("", "another was first", "called to a task")
        assert join.window == task.window
        assert join.reason or join.found == task.found
    assert sum(r.nodes for r in found.joins) > 0
    assert found.summary()["joins"] == len(found.joins)
    assert found.summary()["tasks"] == len(tasks)
    assert "joins" in found.iterations
    assert found.sparks.attempts == 0
    assert {r.role for r in found.rows()} == {"step", "join"}


def test_the_reason_says_why_a_join_ended() -> None:
    """A worker joins twice: it is called to a task, then another one is first."""
    joins, joined, ended = list[Record](), threading.Semaphore(0), threading.Event()

    def searched(stop: Stop, marks: bool) -> Found:
        if threading.current_thread() is owner[0]:
            ended.wait(30)
            return Found(3.0, 1, 1, (), Counts())
        joined.release()
        while not any(each.is_set for each in (stop, *stop._above)):
            time.sleep(0.001)
        return Found(nan, 2, 1, (), Counts(), finished=False)

    def first() -> Found:
        owner.append(threading.current_thread())
        return iteration.search_together(searched, (0, 9), None, joins)

    def after(_: Any) -> None:
        ran.wait()

    def last(*_: None) -> None:
        joined.acquire(timeout=30)  # it joins again
        ended.set()

    owner, ran = list[threading.Thread](), threading.Barrier(2, timeout=30)
    graph = {
        "first": (first,), "second": (lambda: joined.acquire(timeout=30),),
        "a": (after, "second"), "b": (after, "second"), "last": (last, "a", "b"),
    }  # fmt: skip
    found, *_ = runner.get(graph, ["first", "last"], num_workers=3)
    assert found == Found(3.0, 1, 1, (), Counts())
    first_reason, *reasons = (r.reason for r in joins)
    assert first_reason == "called to a task"
    assert set(reasons) == {"another was first"}
    assert {r.nodes for r in joins} == {2}


def test_a_task_counts_only_the_nodes_of_its_own_worker() -> None:
    """The other worker finds the answer."""
    joins = list[Record]()

    def searched(stop: Stop, marks: bool) -> Found:
        if threading.current_thread() is not owner[0]:
            return Found(3.0, 200, 20, (), Counts())
        while not stop.is_set:
            time.sleep(0.001)
        return Found(nan, 10, 1, (), Counts(), finished=False)

    def first() -> Found:
        owner.append(threading.current_thread())
        return iteration.search_together(searched, (0, 9), None, joins)

    owner = list[threading.Thread]()
    (found,) = runner.get({"first": (first,)}, ["first"], num_workers=2)
    assert found == Found(3.0, 10, 1, (), Counts())
    assert (joins[0].nodes, joins[0].reason, joins[0].found) == (200, "", (3.0, 3.0))


def test_a_proof_on_a_cluster_has_no_joins() -> None:
    pytest.importorskip("distributed")
    game = ConnectFour(6, 4)
    with joining(), cluster():
        using = young_brothers_wait.everywhere.joined()
        solved = solve(game, game.parse_state("44"), using=using, line=0)
    assert solved.value == 0
    assert solved.tasks > 9
    assert not solved.joins


@pytest.mark.parametrize("using", [seq.joined(), young_brothers_wait.everywhere.joined()])
@pytest.mark.parametrize("shared", [True, False])
def test_an_iteration_is_one_task_only_if_all_workers_share_a_table_with_the_plans(
    using: Strategy, shared: bool
) -> None:
    asked = SearchRequest(GAME, pvs(7), using, GAME.start(), workers=2)
    there: Any = SimpleNamespace(get=runner.get, threads=2, share=lambda table: shared)
    here, away = Iterations(asked), Iterations(asked, cluster=there)
    assert here.joined
    assert away.joined
    assert here.knowledge.whole == grain.WHOLE
    assert away.knowledge.whole == (grain.WHOLE if shared else 0)
    assert not Iterations(asked, get=runner.get).joined


def test_a_join_is_replayed_as_a_task_that_waits_for_the_same_tasks() -> None:
    asked = search(GAME, pvs(11), using=young_brothers_wait.to_size(500).joined())
    with joining():
        found = asked.compute(num_workers=3)
    tasks = recorded(found).tasks
    joins = [i for i, t in enumerate(tasks) if t.key[0] == "join"]
    assert joins
    for i in joins:
        join = tasks[i]
        task = next(t for t in tasks[i:] if t.key[0] != "join")
        assert task.after == join.after
        assert task.record is not None
        assert task.record.key[1] == join.key[1]
        assert not any(i in t.after for t in tasks)


def test_a_deadline_and_an_interrupt_end_joins() -> None:
    game = ConnectFour(pairs=1)
    using = young_brothers_wait.everywhere.joined()

    def found_in(seconds: float) -> Result:
        return search(game, pvs(42), using=using, time=seconds).compute(num_workers=3)

    found = patiently(found_in, lambda found: found.depth or 0)
    wanted = search(game, alphabeta(found.depth or 0, table="4MB")).compute()
    assert (found.value, found.move) == (wanted.value, wanted.move)
    with pytest.raises(KeyboardInterrupt):
        interrupted(lambda: search(game, pvs(42), using=using).compute(num_workers=3), 0.5)
    assert quiet()


@pytest.mark.parametrize(
    ("size", "expected", "joined"),
    [("1MB", 0.0, False), ("64MB", 0.0, True), ("1MB", 1e6, True), ("1MB", 1e4, False)],
)
def test_a_search_is_joined_if_it_is_large_or_its_table_is(
    size: str, expected: float, joined: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This one visits 4,714 nodes, too few to be worth a join unless the table is large."""
    calls = []

    def together(search: Any, window: Any, stop: Any, joins: Any) -> Found:
        calls.append(window)
        found: Found = search(stop=stop)
        return found

    @contextmanager
    def idle(stop: Stop) -> Iterator[None]:
        stop.set()
        yield

    monkeypatch.setattr(iteration, "search_together", together)
    monkeypatch.setattr(runner, "set_when_idle", idle)
    one = iteration.Iteration(8, Table(size), joined=True, expected=expected)
    found = one.search(engine_for(GAME), pvs(8), GAME.start(), 8, OPEN, None)
    assert found.finished
    assert bool(calls) == joined
