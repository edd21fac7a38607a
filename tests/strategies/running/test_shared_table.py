"""Drivers: threads that share a table find the value of alpha-beta, and stop on request."""

from __future__ import annotations

import json
import pickle
from typing import Any

import dask
import pytest
from attrs import evolve
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from games import ConnectFour, ExplicitGame, TicTacToe
from games.failed import RuleFailed
from games.u64 import U64
from strategies import (
    AlgorithmError,
    Result,
    SearchAgent,
    StrategyError,
    abdada,
    alphabeta,
    engine_for,
    explain,
    lazy_smp,
    minimax,
    mtdf,
    par_list,
    parse_using,
    pvs,
    search,
    seq,
)
from strategies.algebra.drivers import Driver, DriverError
from strategies.cli.group import jamboree
from strategies.insight.pictures.task_graph import draw_plan
from strategies.native.memory.cells import cells
from strategies.native.memory.shared_cells import ROOM, clear_mark, mark_of, marked, set_mark
from tests.properties import examples
from tests.strategies.given import brute, trees
from tests.strategies.patience import interrupted, patiently, quiet

KINDS = (alphabeta, pvs, mtdf)
DRIVERS = (abdada, lazy_smp)
GAME = ConnectFour(5, 4, pairs=1)


@examples(20)
@given(
    trees(depth=5, chance=True, wins=True), st.sampled_from(DRIVERS), st.sampled_from(KINDS),
    st.integers(0, 6), st.integers(1, 3),
)  # fmt: skip
def test_value_and_leftmost_optimal_move_are_those_of_minimax(
    game: ExplicitGame, driver: Any, kind: Any, depth: int, workers: int
) -> None:
    found = search(game, kind(depth, table="64kB"), using=driver(workers)).compute()
    value, move = brute(game, game.start(), depth)
    assert found.value == pytest.approx(value, abs=1e-12)
    if depth:
        assert found.move == move
    assert len(found.records) == workers
    assert quiet()


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("kind", KINDS)
def test_games_with_transpositions_on_any_number_of_threads(driver: Any, kind: Any) -> None:
    games: tuple[tuple[Any, str], ...] = (GAME, "3342"), (TicTacToe(), "5 1")
    depth = 9
    for game, line in games:
        for moves in ("", line):
            state = game.parse_state(moves)
            wanted = engine_for(game).search(state, depth)
            move = list(game.moves(state))[wanted.line[0]]
            for workers in (1, 2, 5):
                asked = search(game, kind(depth, table="1MB"), state=state, using=driver(workers))
                found = asked.compute()
                assert (found.value, found.move) == (wanted.value, move)
                assert found.nodes == sum(r.nodes for r in found.records)
                assert found.table.hits > 0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("driver", DRIVERS)
def test_one_thread_visits_the_nodes_of_the_sequential_search(driver: Any, kind: Any) -> None:
    algorithm = kind(9, table="1MB")
    alone, driven = (search(GAME, algorithm, using=u).compute() for u in (seq, driver(1)))
    assert (driven.nodes, driven.leaves, driven.table) == (alone.nodes, alone.leaves, alone.table)


def test_threads_share_the_work() -> None:
    """Two threads that shared no information would visit nearly twice the nodes.

    On a busy machine one of them may start too late to help, so one good run of five suffices.
    """
    alone = search(ConnectFour(pairs=1), pvs(14)).compute()

    def helps(driver: Any) -> bool:
        shared = search(ConnectFour(pairs=1), pvs(14), using=driver(2)).compute()
        each = [r.nodes for r in shared.records]
        return sum(each) < 1.6 * alone.nodes and min(each) > alone.nodes / 10

    for driver in DRIVERS:
        assert any(helps(driver) for _ in range(5))


def test_marks_are_set_found_cleared_and_forgotten() -> None:
    row, first = cells(ROOM + 8), 8
    marks = [mark_of(U64((1 << 64) - 64 * k), 4) for k in range(1, 7)]  # all in the same set
    assert not any(marked(row, first, m) for m in marks)
    for m in marks[:4]:
        set_mark(row, first, m)
        set_mark(row, first, m)
    assert [marked(row, first, m) for m in marks] == [True] * 4 + [False] * 2
    set_mark(row, first, marks[4])
    assert [marked(row, first, m) for m in marks] == [False] + [True] * 4 + [False]
    for m in marks:
        clear_mark(row, first, m)
    assert not any(row)


@pytest.mark.parametrize("driver", DRIVERS)
def test_a_limit_returns_the_result_of_the_depth_reached(driver: Any) -> None:
    def found_in(seconds: float) -> Result:
        return search(GAME, pvs(25), using=driver(2), time=seconds).compute()

    in_nodes = search(GAME, pvs(25), using=driver(2), nodes=20_000).compute()
    for found in (in_nodes, patiently(found_in, lambda found: found.depth)):
        assert found.depth is not None
        assert 0 < found.depth <= 25
        wanted = search(GAME, alphabeta(found.depth, table="4MB")).compute()
        assert (found.value, found.move, found.line[0]) == (wanted.value, wanted.move, wanted.move)
        assert quiet()
    assert search(GAME, pvs(9), using=driver(2), nodes=1).compute().move in range(5)


@pytest.mark.parametrize("driver", DRIVERS)
def test_an_interrupt_ends_all_threads_at_once(driver: Any) -> None:
    game = ConnectFour(pairs=1)
    search(game, pvs(4), using=driver(2)).compute()
    limited, unlimited = (search(game, pvs(42), using=driver(2), time=t) for t in (60.0, None))
    found = patiently(lambda s: interrupted(limited.compute, s), lambda found: found.depth)
    assert 0 < (found.depth or 0) < 42
    assert quiet()
    with pytest.raises(KeyboardInterrupt):
        interrupted(unlimited.compute, 0.3)
    assert quiet()


@pytest.mark.parametrize("driver", DRIVERS)
def test_a_failing_rule_is_reported_and_leaves_no_thread(driver: Any) -> None:
    game = ExplicitGame.from_nested([[3, 5], [4, None]])
    with pytest.raises(RuleFailed):
        search(game, alphabeta(2), using=driver(3)).compute()
    assert quiet()


def test_it_is_a_collection_like_any_other() -> None:
    answer = search(GAME, pvs(8), using=abdada(2))
    other = search(GAME, pvs(8), using=lazy_smp(2))
    assert answer.__dask_tokenize__() != other.__dask_tokenize__()
    here = answer.compute()
    (there,) = dask.compute(answer, scheduler="sync")
    assert (here.value, here.move) == (there.value, there.move)
    assert len(answer.tasks()) == 1
    assert len(answer.compute(num_workers=1).records) == 2
    assert len(search(GAME, pvs(8), using=abdada()).compute(num_workers=3).records) == 3
    assert repr(answer).endswith("pvs(depth=8), using=abdada(workers=2))")
    again = here.search()
    assert again.plan.using == abdada(2)
    assert "<svg" in answer._repr_svg_()
    assert "<svg" in draw_plan(answer, here).svg


@pytest.mark.parametrize("driver", [abdada(), abdada(2), lazy_smp(7)])
def test_the_repr_of_a_driver_recreates_it(driver: Driver) -> None:
    assert parse_using(repr(driver)) == driver
    assert pickle.loads(pickle.dumps(driver)) == driver
    assert repr(driver) in explain(driver)


def test_texts_of_drivers() -> None:
    same = ("abdada(2)", "abdada( workers = 2 )", " abdada(workers=2) ")
    assert {parse_using(text) for text in same} == {abdada(2)}
    assert parse_using("lazy_smp") == lazy_smp()
    assert parse_using("par_list") == par_list
    for wrong in ("abdada(par_list)", "abdada(2).to_ply(2)", "lazy_smp(2, 3)", "abdada(x)"):
        with pytest.raises(DriverError, match="takes only its number of threads"):
            parse_using(wrong)
    with pytest.raises(DriverError, match="1 to 1024, not -1"):
        parse_using("abdada(-1)")
    for count in (0, -1, 1.5, True, 5000):
        with pytest.raises(DriverError, match="1 to 1024"):
            abdada(count)  # type: ignore[arg-type]
    with pytest.raises(StrategyError):
        parse_using("par_list(abdada(2))")


def test_drivers_with_the_interpreted_engine() -> None:
    answers = [
        search(TicTacToe(), pvs(6), using=abdada(n), engine="interpreted").compute() for n in (1, 3)
    ]
    assert len({(found.value, found.move) for found in answers}) == 1
    assert answers[1].nodes < 2 * answers[0].nodes


def test_a_driver_needs_an_algorithm_with_windows() -> None:
    with pytest.raises(AlgorithmError, match=r"minimax has no windows, and abdada\(\) needs them"):
        search(GAME, minimax(4), using=abdada())


def test_an_agent_that_plays_by_a_driver() -> None:
    agent = SearchAgent.parse("pvs(depth=6) using abdada(workers=2)")
    assert str(agent) == "pvs(depth=6) using abdada(workers=2)"
    alone = evolve(agent, using=seq)
    assert agent.next_move(GAME, GAME.start()) == alone.next_move(GAME, GAME.start())


def test_drivers_on_the_command_line() -> None:
    command = ["search", "tictactoe", "--algorithm", "pvs(6)", "--explain", "--using"]
    ran = CliRunner().invoke(jamboree, [*command, "abdada(2)", "--json"])
    assert ran.exit_code == 0, ran.output
    said = json.loads(ran.stdout)
    wanted = search(TicTacToe(), pvs(6)).compute()
    assert (said["using"], said["value"], said["tasks"]) == ("abdada(workers=2)", wanted.value, 2)
    refused = CliRunner().invoke(jamboree, [*command, "abdada(0)"])
    assert refused.exit_code == 2
    assert "1 to 1024" in refused.output
