"""Iterative deepening by graphs finds the value of alpha-beta, whatever was learned before."""

from __future__ import annotations

from contextlib import nullcontext
from math import inf
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from games import HANDOUT_BIG, MAXIE, WIN, ConnectFour, ExplicitGame, TicTacToe, Tree
from strategies import (
    PlanError,
    Result,
    Strategy,
    alphabeta,
    critical,
    engine_for,
    eval_list,
    jamboree,
    minimax,
    mtdf,
    par_buffer,
    par_list,
    par_list_chunk,
    pv_split,
    pvs,
    scout,
    search,
    split_at,
    young_brothers_wait,
)
from strategies.algorithms.positions import is_terminal
from strategies.insight.analysis.recorded import recorded
from strategies.insight.analysis.simulate import simulate
from strategies.native.memory.floats import above, below
from strategies.running.execution.branches import BranchJob
from strategies.running.plans import grain, iterations, knowledge, opening
from strategies.running.plans.iterations import iterate
from strategies.running.records.request import SearchRequest
from strategies.running.runtime import ordered_scheduler as runner
from tests.properties import examples
from tests.strategies.given import brute, searches, trees
from tests.strategies.patience import interrupted, patiently, quiet

BASE: tuple[Strategy, ...] = (
    young_brothers_wait, scout, jamboree(0.5), jamboree(0.5).live(), pv_split.everywhere, par_list,
    par_list.live(), critical.everywhere, par_buffer(2), par_list_chunk(2).live(), jamboree(1),
)  # fmt: skip
SIZES = ("4kB", "64kB", "1MB")
CHOICES: tuple[Any, ...] = ("native", "interpreted")


def sized() -> st.SearchStrategy[Strategy]:
    """Return strategies that open all nodes, or all but the smallest."""
    any_order = st.one_of(st.sampled_from(BASE), searches())
    return st.builds(lambda s, n: s.to_size(n), any_order, st.sampled_from([0, 0, 3, 20]))


@examples(50)
@given(
    trees(depth=6, chance=True, wins=True), sized(), st.sampled_from([pvs, mtdf]),
    st.integers(1, 7), st.integers(1, 8), st.sampled_from(SIZES),
)  # fmt: skip
def test_value_and_leftmost_optimal_move_are_those_of_minimax(
    game: ExplicitGame, using: Strategy, kind: Any, depth: int, workers: int, table: str
) -> None:
    asked = search(game, kind(depth, table=table), using=using, engine="interpreted")
    found = asked.compute(num_workers=workers)
    value, move = brute(game, game.start(), depth)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.move == move
    assert found.sparks.balanced()
    assert found.nodes == sum(r.nodes for r in found.records)
    assert not found.graphs or len(recorded(found).tasks) == len(found.records)
    assert quiet()


@examples(15)
@given(
    trees(depth=6, chance=True, wins=True), sized(), st.sampled_from([pvs, mtdf]),
    st.integers(4, 7), st.integers(2, 8), st.sampled_from([0.0, 0.5, 2.0]),
)  # fmt: skip
def test_tasks_that_split_find_the_minimax_value(
    game: ExplicitGame, using: Strategy, kind: Any, depth: int, workers: int, room: float
) -> None:
    asked = search(game, kind(depth, table="64kB"), using=using, engine="interpreted")
    with patch.multiple(grain, ROOM=room, ENOUGH=2), patch.object(knowledge, "MORE", 100):
        runs = asked.compute(num_workers=workers), simulate(asked, workers).result
    for found in runs:
        value, move = brute(game, game.start(), depth)
        assert found.value == pytest.approx(value, abs=1e-12)
        assert found.move == move
        assert found.sparks.balanced()
        assert found.nodes == sum(r.nodes for r in found.records)
        assert not found.graphs or len(recorded(found).tasks) == len(found.records)
    assert quiet()


@pytest.mark.parametrize("using", [young_brothers_wait, scout, jamboree(0.5)])
def test_a_task_that_is_too_large_splits_unless_workers_are_few(using: Any) -> None:
    game = ConnectFour(5, 4, pairs=1)
    asked = search(game, pvs(8), using=using.to_size(300))
    with patch.multiple(grain, ROOM=0.1, ENOUGH=3), patch.object(knowledge, "MORE", 30):
        found, alone = asked.compute(num_workers=3), asked.compute(num_workers=2)
    grown = [r for r in found.records if r.reason == "grown"]
    again = [r for r in found.records if r.key[0] == "grown"]
    assert len(grown) == len(again) > 10
    assert sum(g.tasks for g in found.graphs) == len(found.records)
    assert not any(r.reason == "grown" for r in alone.records)
    assert (found.value, found.move) == (alone.value, alone.move)
    assert found.sparks.balanced()


@pytest.mark.parametrize("k", range(6))
def test_positions_that_transpose_under_small_tables(k: int) -> None:
    small = ConnectFour(5, 4, pairs=1)
    game, moves, depth = ((small, "3342", 8), (TicTacToe(), "5 1", 7))[k % 2]
    state, kind = game.parse_state(moves), (pvs, mtdf)[k // 3]
    wanted = engine_for(game).search(state, depth)
    move = list(game.moves(state))[wanted.line[0]]
    for using in BASE[k % 3 :: 3]:
        asked = search(game, kind(depth, table=SIZES[k % 3]), state=state, using=using.to_size(300))
        found = asked.compute(num_workers=1 + k % 4)
        assert (found.value, found.move) == (wanted.value, move), using
        assert found.line[0] == move


def test_mtdf_uses_null_windows_near_the_guess_and_the_full_window_far_from_it() -> None:
    def windows(last: int, kind: Any = mtdf) -> list[tuple[float, float]]:
        """Return the windows with which the value at four plies is searched."""
        game = ExplicitGame.from_tree(row(last))
        asked = search(game, kind(4), using=par_list.to_size(0), engine="interpreted")
        found = asked.compute(num_workers=2)
        assert (found.value, found.move) == brute(game, game.start(), 4)
        return [g.window for g in found.graphs if g.depth == 4 and not g.leftmost]

    def row(last: int) -> Tree:
        """Return a position with value 5 at two plies, and at four plies min(`last`, 4)."""

        def line(*values: int) -> Tree:
            below = (line(*values[1:]),) if len(values) > 1 else ()
            return Tree("", len(values) % 2, below, values[0])

        return Tree("", MAXIE, (line(0, 4, 0, 4), line(0, 5, 0, last)), 0)

    assert windows(5, pvs) == [(-inf, inf)]
    assert windows(5) == [(below(5), 5), (5, above(5))]
    assert windows(4) == [(below(5), 5), (below(4), 4)]
    assert windows(7) == [(below(5), 5), (7, above(7))]
    with patch.object(iterations, "NULLS", 1):
        assert windows(7) == [(below(5), 5), (below(7), inf)]


def test_a_null_window_that_one_task_searches_is_searched_again_for_the_move() -> None:
    game = ConnectFour(4, 4, pairs=1)
    known = search(game, alphabeta(6), engine="interpreted").compute()
    using = young_brothers_wait.everywhere.grain(plies=0)
    with patch.object(grain, "INTERPRETED", 0):
        found = search(game, mtdf(6), using=using, engine="interpreted").compute()
    assert len(found.graphs) == len(found.records) > 6
    assert (found.value, found.move) == (known.value, known.move)


@pytest.mark.parametrize("using", [jamboree(0.5), scout, par_buffer(2)])
def test_fixed_windows_on_one_worker_visit_the_same_nodes_on_every_run(using: Any) -> None:
    asked = search(ConnectFour(5, 4, pairs=1), pvs(9), using=using.to_size(400))
    one, two = (asked.compute(num_workers=1) for _ in range(2))
    assert [r._replace(start=0, end=0, worker="", cpu=0) for r in one.records] == [
        r._replace(start=0, end=0, worker="", cpu=0) for r in two.records
    ]
    assert len(one.records) > 50


def test_a_plan_opens_positions_with_compiled_rules_if_possible() -> None:
    game = ConnectFour(5, 4, pairs=1)
    ways = [search(game, pvs(8), using=young_brothers_wait.to_size(300), engine=e) for e in CHOICES]
    with patch.object(grain, "INTERPRETED", grain.SMALLEST):  # so that both open the same
        native, interpreted = (way.compute(num_workers=1) for way in ways)
    assert (native.value, native.move, native.nodes) == (
        interpreted.value, interpreted.move, interpreted.nodes,
    )  # fmt: skip
    assert [g.order for g in native.graphs] == [g.order for g in interpreted.graphs]
    with patch.object(opening.positions, "children", side_effect=AssertionError):
        assert ways[0].compute(num_workers=1).nodes == native.nodes


def test_small_iterations_are_one_task_each() -> None:
    found = search(ConnectFour(5, 4, pairs=1), pvs(7), using=young_brothers_wait.everywhere)
    assert len(found.compute().graphs) == len(found.compute().records)


@given(searches(sized=True), st.integers(1, 4))
@example(eval_list(split_at(9, par_list.to_size(5), par_list)).grain(plies=1), 4)
def test_sizes_need_a_deepening_search(using: Strategy, depth: int) -> None:
    """Wherever in a strategy they are, also below its grain and where no node is reached."""
    if ".to_size(" not in repr(using):
        search(HANDOUT_BIG, alphabeta(depth), using=using)
        return
    with pytest.raises(PlanError, match="uses sizes, which only a search that deepens knows"):
        search(HANDOUT_BIG, alphabeta(depth), using=using)


def test_a_deadline_during_an_iteration_returns_the_previous_one() -> None:
    game = ConnectFour(pairs=1)
    using = young_brothers_wait.to_size(5_000)

    def found_in(seconds: float) -> Result:
        return search(game, pvs(42), using=using, time=seconds).compute(num_workers=3)

    found = patiently(found_in, lambda found: found.depth or 0)
    wanted = search(game, alphabeta(found.depth or 0, table="4MB")).compute()
    assert 0 < (found.depth or 0) < 42
    assert (found.value, found.move) == (wanted.value, wanted.move)
    assert quiet()


def test_an_interrupt_during_an_iteration_leaves_no_thread() -> None:
    answer = search(ConnectFour(pairs=1), pvs(42), using=young_brothers_wait.to_size(5_000))
    with pytest.raises(KeyboardInterrupt):
        interrupted(lambda: answer.compute(num_workers=3), 0.5)
    assert quiet()


def test_fewer_nodes_are_opened_if_a_graph_would_be_too_large() -> None:
    asked = search(TicTacToe(), pvs(4), using=young_brothers_wait.to_size(1), engine="interpreted")
    with patch.object(opening, "GRAPH_TASKS", 40):
        found = asked.compute(num_workers=2)
    free = asked.compute(num_workers=2)
    assert (found.value, found.move) == (free.value, free.move)
    assert 4 < max(g.tasks for g in found.graphs) <= 80 < max(g.tasks for g in free.graphs)


def test_the_graphs_of_a_deepening_search_are_measured_as_one() -> None:
    using = young_brothers_wait.to_size(20)
    found = search(TicTacToe(), pvs(6), using=using, engine="interpreted").compute()
    dag = recorded(found)
    assert len(dag.tasks) == len(found.records) == sum(g.tasks for g in found.graphs)
    assert dag.work == pytest.approx(found.work)
    assert dag.span <= found.work
    assert found.nodes == sum(g.nodes for g in found.graphs)


def test_a_simulation_runs_all_graphs_of_a_deepening_search() -> None:
    using = young_brothers_wait.to_size(20)
    asked = search(TicTacToe(), pvs(5), using=using, engine="interpreted")
    many, one = (simulate(asked, workers, node=1e-6) for workers in (64, 1))
    run = asked.compute(num_workers=1)
    assert (many.result.move, many.result.value) == (run.move, run.value)
    assert many.result.sparks.balanced()
    assert many.seconds < one.seconds


class Forgetful:
    """Workers on a cluster that lose the records of their tasks."""

    threads = 2

    def set_forecast(self, *_: object) -> None:
        """Ignore the records."""

    def share(self, _: object) -> bool:
        return False

    def losses(self) -> tuple[()]:
        return ()

    def get(self, graph: Any, keys: list[Any]) -> list[Any]:
        values: list[Any] = runner.get(graph, keys, num_workers=2)
        for task in graph.values():
            for job in task.args[:1]:
                if isinstance(job, BranchJob) and job.iteration is not None:
                    job.iteration.seen.clear()
        return values


def test_records_of_lost_workers_are_not_needed() -> None:
    game = ConnectFour(4, 4, pairs=1)
    known = search(game, alphabeta(4), engine="interpreted").compute()
    for kind, using in (pvs, young_brothers_wait), (mtdf, par_list):
        algorithm, strategy = kind(4, table="64kB"), using.to_size(0)
        request = SearchRequest(game, algorithm, strategy, game.start(), "interpreted")
        found = iterate(request, cluster=lambda stop: nullcontext(Forgetful()))
        assert (found.value, found.move) == (known.value, known.move)


@pytest.mark.parametrize("algorithm", [pvs(0), mtdf(0), pvs(4)])
@pytest.mark.parametrize("using", [par_list.to_size(10), young_brothers_wait.to_size(9).joined()])
def test_strategies_by_size_give_the_value_of_a_position_without_a_move(
    algorithm: Any, using: Any
) -> None:
    game = TicTacToe()
    over = game.parse_state("1 2 4 5 7")
    for state in (over, game.start())[: 1 + (algorithm.depth == 0)]:
        found = search(game, algorithm, state=state, using=using).compute(num_workers=2)
        wanted = search(game, minimax(algorithm.depth), state=state).compute()
        assert (found.value, found.move) == (wanted.value, None)


@examples(10, times=100)
@given(
    st.lists(st.integers(0, 4), max_size=8), st.integers(4, 5), st.sampled_from([mtdf, pvs]),
    st.sampled_from([par_list, young_brothers_wait, scout, pv_split]), st.integers(1, 3),
)  # fmt: skip
def test_the_line_leads_to_a_position_with_the_value(
    moves: list[int], depth: int, kind: Any, strategy: Any, workers: int
) -> None:
    """In passes with null windows, only bounds are known of most branches."""
    game = ConnectFour(5, 4, pairs=1)
    state = game.start()
    for move in moves:
        if move in game.moves(state) and not is_terminal(game, game.make_move(state, move)):
            state = game.make_move(state, move)
    answer = search(game, kind(depth), state=state, using=strategy.to_size(8))
    found = answer.compute(num_workers=workers)
    assume(abs(found.value) < WIN)
    for move in found.line:
        state = game.make_move(state, move)
    left = depth - len(found.line)  # the line may end where the table answered
    assert search(game, minimax(left), state=state).compute().value == found.value
