"""Simulated runs: the same results, the same windows, and consistent times."""

from __future__ import annotations

import threading
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from games import HANDOUT_BIG, ConnectFour, ExplicitGame
from strategies import alphabeta, par_list, parse_strategy, search, seq, young_brothers_wait
from strategies.algebra.groups import Window
from strategies.algebra.strategy import Strategy
from strategies.insight.analysis.recorded import recorded
from strategies.insight.analysis.simulate import Turn, simulate
from strategies.insight.analysis.simulation import Burden, TooLong, replay
from strategies.native.kept_engines import engine_for
from strategies.native.kernels import alphabeta as kernels
from strategies.native.kernels import fixed_depth
from strategies.native.memory.cells import Stop, Stopped
from strategies.running.execution.live_windows import LiveWindows
from strategies.running.plans.plan import opened
from tests.properties import examples
from tests.strategies.given import searches, trees

TEXTS = ["jamboree(0.5).everywhere", "scout.everywhere", "par_list.live().everywhere", "pv_split"]


@examples(20)
@given(trees(chance=True, wins=True), searches(), st.integers(1, 3), st.integers(1, 5))
def test_a_simulation_finds_the_result_of_a_run(
    game: ExplicitGame, strategy: Strategy, depth: int, workers: int
) -> None:
    answer = search(game, alphabeta(depth), using=strategy, engine="interpreted")
    run, simulated = answer.compute(num_workers=1), simulate(answer, workers)
    found = simulated.result
    assert (found.move, found.value) == (run.move, run.value)
    assert found.sparks.balanced()
    assert len(found.records) == len(run.records)
    lanes = found.timeline.values()
    assert len(lanes) <= workers
    for lane in lanes:
        assert all(a.end <= b.start + 1e-12 for a, b in pairwise(lane))
    assert simulated.seconds == max(r.end for r in found.records)
    assert 0 <= found.span <= simulated.seconds + 1e-9


@examples(15)
@given(trees(chance=True), searches(live=False), st.integers(1, 3), st.integers(2, 5))
def test_fixed_windows_agree_with_a_run(
    game: ExplicitGame, strategy: Strategy, depth: int, workers: int
) -> None:
    answer = search(game, alphabeta(depth), using=strategy, engine="interpreted")
    root = answer.plan.root
    assume(not root or not any(g.window is Window.LIVE for n in opened(root) for g in n.groups))
    run, found = answer.compute(num_workers=2), simulate(answer, workers).result
    assert (found.nodes, found.sparks) == (run.nodes, run.sparks)
    assert {r.key: r.window for r in found.records} == {r.key: r.window for r in run.records}


@pytest.mark.usefixtures("any_length")
@examples(15)
@given(trees(chance=True), searches(), st.integers(1, 3), st.integers(1, 5), st.data())
def test_the_time_of_nodes_is_the_same_in_each_run(
    game: ExplicitGame, using: Strategy, depth: int, workers: int, data: st.DataObject
) -> None:
    engine = data.draw(st.sampled_from(["interpreted", "native"]))
    answer = search(game, alphabeta(depth), using=using, engine=engine)
    one, again, other = (simulate(answer, workers, node=n) for n in (0.25, 0.25, 0.5))
    assert [r._replace(cpu=0.0) for r in one.result.records] == [
        r._replace(cpu=0.0) for r in again.result.records
    ]
    assert other.seconds == 2 * one.seconds
    alone = simulate(answer, 1, node=0.25)
    assert alone.seconds == 0.25 * alone.result.nodes


@pytest.mark.parametrize("text", TEXTS)
def test_one_virtual_worker_visits_the_nodes_of_one_worker(text: str) -> None:
    using = parse_strategy(text).to_ply(2)
    answer = search(ConnectFour(5, 4), alphabeta(4), using=using, engine="interpreted")
    run, simulated = answer.compute(num_workers=1), simulate(answer, 1)
    assert (simulated.result.nodes, simulated.result.sparks) == (run.nodes, run.sparks)
    order = [r.key for r in sorted(simulated.result.records, key=lambda r: r.start)]
    assert order == [r.key for r in sorted(run.records, key=lambda r: r.start)]


def test_a_replay_is_between_the_span_and_the_work() -> None:
    answer = search(HANDOUT_BIG, alphabeta(4), using=par_list.everywhere)
    run = answer.compute(num_workers=1)
    one, many = replay(run, 1), replay(run, 1_000)
    assert one.seconds == pytest.approx(run.work)
    assert many.seconds == pytest.approx(recorded(run).span)
    burdened = replay(run, 1, Burden(task=1.0))
    assert burdened.seconds == pytest.approx(run.work + len(run.records))
    assert "simulated: 1 worker takes" in str(one)


def test_a_replay_needs_all_records() -> None:
    from attrs import evolve

    run = search(HANDOUT_BIG, alphabeta(4), using=par_list).compute(num_workers=1)
    with pytest.raises(ValueError, match="do not match"):
        replay(evolve(run, records=run.records[1:]), 2)


def test_a_simulation_that_takes_too_long_is_abandoned_without_leftover_threads() -> None:
    answer = search(ConnectFour(5, 4), alphabeta(4), using=young_brothers_wait.to_ply(2))
    before = threading.active_count()
    with pytest.raises(TooLong):
        simulate(answer, 2, Burden(task=1.0), limit=3.0)
    assert threading.active_count() == before
    with pytest.raises(ValueError, match="workers"):
        simulate(answer, 0)


def test_iterative_deepening_is_not_simulated() -> None:
    with pytest.raises(ValueError, match="deepens"):
        simulate(search(ConnectFour(), alphabeta(4), nodes=1_000), 2)


def test_only_the_kernel_of_the_search_is_compiled() -> None:
    game = ExplicitGame.from_nested([[311, 512], [213, 914]])  # in no other test
    simulate(search(game, alphabeta(2, table="4kB"), using=par_list), 2)
    engine, state = engine_for(game), game.start()
    assert engine.compiled(kernels.alphabeta, state)
    assert not engine.compiled(fixed_depth.search, state)


def test_an_error_of_the_rules_is_raised_and_leaves_no_thread() -> None:
    before = threading.active_count()

    def fail() -> Any:
        raise RuntimeError("a rule failed")

    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as threads, pytest.raises(RuntimeError, match="a rule failed"):
        Turn(fail, Stop(), threads).step()
    assert threading.active_count() == before


def test_a_search_is_abandoned_at_the_virtual_time_when_its_window_closes() -> None:
    """Two sparks of ten seconds start together; a third closes their windows at four seconds."""
    from concurrent.futures import ThreadPoolExecutor

    from strategies.insight.analysis.simulate import VirtualCells
    from strategies.insight.analysis.simulation import list_schedule
    from strategies.running.execution.live_windows import Link

    now: dict[int, float] = {}
    stop = Stop()
    gone: list[str] = []
    cells: LiveWindows = VirtualCells()
    chain = (Link((), "max", 1), Link((1,), "min", 1))

    def busy(seconds: float) -> None:
        now[threading.get_ident()] = now.get(threading.get_ident(), 0.0) + seconds

    def long() -> None:
        own = Stop(stop)
        try:
            with cells.watch(chain, own):
                busy(10)
        except Stopped:
            gone.append("stopped")

    def short() -> None:
        busy(4)
        cells.post((), "max", 0, (5, 5))
        cells.post((1,), "min", 0, (3, 3))

    def turn(number: int) -> Turn:
        call = (long, short)[number]
        return Turn(call, stop, threads, lambda: now.get(threading.get_ident(), 0.0))

    with ThreadPoolExecutor(3) as threads:
        placed = list_schedule([(), ()], turn, lambda i, job: None, 2, Burden())
    assert gone == ["stopped"]
    assert [(p.start, p.end) for p in placed] == [(0, 4), (0, 4)]


def test_seq_is_one_task() -> None:
    s = simulate(search(ConnectFour(5, 4), alphabeta(4), using=seq), 64)
    assert len(s.result.records) == 1
    assert s.result.parallelism == 1
