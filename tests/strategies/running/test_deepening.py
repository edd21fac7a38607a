"""Searches with a limit return correct results for the depth reached, whenever they end."""

from __future__ import annotations

from typing import Any

import dask
import pytest

import games
import strategies
from games import (
    CHANCE,
    HANDOUT_BIG,
    HANDOUT_SMALL,
    MAXIE,
    MINNIE,
    WIN,
    ConnectFour,
    PigForMany,
    TicTacToe,
)
from games.failed import RuleFailed
from games.pig.rules import Pig
from strategies import (
    AlgorithmError,
    PlanError,
    Result,
    Strategy,
    abdada,
    alphabeta,
    expectimax,
    lazy_smp,
    maxn,
    minimax,
    mtdf,
    par_list,
    paranoid,
    pvs,
    scout,
    search,
    seq,
    young_brothers_wait,
)
from strategies.players.search_agent import SearchAgent
from tests.strategies.patience import interrupted, patiently, quiet
from tests.strategies.running.test_tables_of_others import deep

pytestmark = pytest.mark.usefixtures("any_length")
GAME = ConnectFour(pairs=1)
"""A game that no search here can solve."""
DICE = deep(MINNIE, CHANCE, MINNIE, MAXIE)
KINDS = (alphabeta, pvs, mtdf)
BY_CHANCE: list[dict[str, Any]] = [{"pruning": "star2"}, {"cutoff": 0.01, "table": "64kB"}]
"""Options of expectimax, each of which is compiled for a few seconds."""


def depth_of(found: Any) -> int:
    return int(found.depth)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("nodes", [100, 1000, 100_000])
def test_the_result_is_that_of_a_search_to_the_depth_reached(kind: Any, nodes: int) -> None:
    for moves in ("", "3", "13"):
        state = GAME.parse_state(moves)
        found = search(GAME, kind(40), state=state, nodes=nodes).compute()
        assert found.depth is not None
        assert found.depth > 0
        wanted = search(GAME, alphabeta(found.depth), state=state).compute()
        assert (found.value, found.move) == (wanted.value, wanted.move)
        assert found.line[0] == found.move
        assert found.table.stores > 0


@pytest.mark.parametrize("kind", KINDS)
def test_a_limit_of_nodes_is_deterministic_on_both_engines(kind: Any) -> None:
    runs = [
        search(GAME, kind(40), nodes=1500, engine=engine).compute()
        for engine in ("native", "native", "interpreted")
    ]
    parts = [(r.value, r.move, r.line, r.depth, r.nodes, r.leaves, r.table) for r in runs]
    assert parts[0] == parts[1] == parts[2]
    assert 1500 <= runs[0].nodes < 1800


def test_more_nodes_reach_deeper() -> None:
    depths = [search(GAME, pvs(40), nodes=10**k).compute().depth for k in (2, 3, 4, 5)]
    assert depths == sorted(set(depths))


def test_a_time_limit_gives_a_move_and_leaves_no_thread() -> None:
    found = patiently(lambda s: search(GAME, pvs(42), time=s).compute(), depth_of)
    assert found.move in range(7)
    assert 0 < found.depth < 42
    assert quiet()


@pytest.mark.parametrize(
    "using", [young_brothers_wait.to_ply(3), par_list.to_ply(2), scout.to_ply(2)]
)
def test_a_deadline_ends_a_search_by_any_strategy(using: Any) -> None:
    for workers in (1, 3):

        def found_in(seconds: float, workers: int = workers) -> Result:
            answer = search(GAME, alphabeta(42), using=using, time=seconds)
            return answer.compute(num_workers=workers)

        found = patiently(found_in, depth_of)
        wanted = search(GAME, alphabeta(found.depth, table="16MB")).compute()
        assert 0 < found.depth < 42
        assert (found.value, found.move) == (wanted.value, wanted.move)
        assert quiet()


@pytest.mark.parametrize(
    ("using", "engine"),
    [(seq, "native"), (seq, "interpreted"), (par_list.to_ply(1), "interpreted")],
)
def test_deepening_continues_below_a_chance_node(using: Any, engine: str) -> None:
    game = deep(CHANCE, MAXIE, MINNIE)
    answer = search(game, alphabeta(3), using=using, engine=engine, time=60)
    assert answer.compute().depth == 3


@pytest.mark.parametrize("using", [seq, par_list])
@pytest.mark.parametrize(
    ("options", "engine"),
    [
        ({}, "native"),
        *((options, "interpreted") for options in BY_CHANCE),
        *(pytest.param(options, "native", marks=pytest.mark.long) for options in BY_CHANCE),
    ],
)
def test_expectimax_deepens_too(using: Any, options: dict[str, Any], engine: str) -> None:
    lazy = search(DICE, expectimax(4, **options), using=using, time=60, engine=engine)
    found = lazy.compute(num_workers=1)
    wanted = search(DICE, expectimax(4, **options), engine=engine).compute()
    assert (found.value, found.move, found.depth) == (wanted.value, wanted.move, 4)


@pytest.mark.parametrize("using", [seq, par_list])
def test_a_deadline_ends_a_search_with_chance(using: Any) -> None:
    def found_in(seconds: float) -> Result:
        answer = search(Pig(10), expectimax(100), using=using, engine="interpreted", time=seconds)
        return answer.compute(num_workers=1)

    found = patiently(found_in, depth_of)
    assert 0 < found.depth < 100
    wanted = search(Pig(10), expectimax(found.depth), engine="interpreted").compute()
    assert (found.value, found.move) == (wanted.value, wanted.move)
    assert quiet()


def test_algorithms_for_several_players_deepen_too() -> None:
    game = PigForMany(target=9)
    state = game.parse_state("0 7 3, Player2 has brought 2")
    for rule in (maxn, paranoid):
        found = search(game, rule(3), state=state, time=60, engine="interpreted").compute()
        wanted = search(game, rule(3), state=state, engine="interpreted").compute()
        assert (found.value, found.move, found.depth) == (wanted.value, wanted.move, 3)


def test_an_interrupt_ends_tasks_too() -> None:
    search(GAME, alphabeta(1), using=par_list.to_ply(2)).compute()  # compiled
    answer = search(GAME, alphabeta(42), using=par_list.to_ply(2), time=60)
    found = patiently(lambda s: interrupted(lambda: answer.compute(num_workers=2), s), depth_of)
    assert 0 < found.depth < 42
    assert found.move in range(7)
    assert quiet()


def test_an_agent_plays_within_its_time() -> None:
    for using in (seq, par_list.to_ply(1)):
        agent = SearchAgent(alphabeta(42), using, time=0.1)
        assert agent.next_move(GAME, GAME.start()) in range(7)


def test_an_interrupt_returns_the_best_move_so_far() -> None:
    answer = search(GAME, pvs(42), time=60)
    search(GAME, pvs(42), nodes=10).compute()
    found = patiently(lambda s: interrupted(answer.compute, s), depth_of)
    assert 0 < found.depth < 42
    assert quiet()


def test_a_limit_too_short_for_one_ply() -> None:
    found = search(GAME, pvs(9), nodes=1).compute()
    assert found.depth in (0, 1)
    assert found.move in range(7)


def test_a_forced_win_ends_it() -> None:
    state = GAME.parse_state("121212")
    found = search(GAME, pvs(30), state=state, time=60).compute()
    assert (found.value, found.move, found.depth) == (WIN, 0, 1)


def test_a_finished_position() -> None:
    game = TicTacToe()
    state = game.parse_state("1 4 2 5 3")
    found = search(game, pvs(5), state=state, nodes=100, engine="interpreted").compute()
    assert (found.value, found.move, found.line) == (WIN + 1, None, ())


def test_it_is_a_collection_like_any_other() -> None:
    answer, other = (search(GAME, pvs(6), nodes=n) for n in (5000, 6000))
    assert answer.__dask_tokenize__() != other.__dask_tokenize__()
    here = answer.compute()
    (there,) = dask.compute(answer, scheduler="sync")
    assert (here.value, here.move, here.nodes) == (there.value, there.move, there.nodes)
    assert len(answer.tasks()) == 1


def test_wrong_limits_are_refused() -> None:
    for limits in ({"time": 0}, {"time": "1"}, {"nodes": -3}, {"nodes": 1.5}, {"time": True}):
        with pytest.raises(AlgorithmError, match="above 0, not"):
            search(GAME, pvs(5), **limits)  # type: ignore[arg-type]
    with pytest.raises(AlgorithmError, match="minimax has no windows"):
        search(GAME, minimax(5), time=1)
    with pytest.raises(PlanError, match=r"for seq, .* leave out par_list, or give a limit of time"):
        search(GAME, pvs(5), using=par_list, nodes=100)
    with pytest.raises(AlgorithmError, match="takes no limit of nodes; use a limit of time"):
        search(Pig(), expectimax(5), nodes=100)


@pytest.mark.parametrize(
    ("kind", "engine"),
    [
        (alphabeta, "native"),
        *(pytest.param(k, "native", marks=pytest.mark.long) for k in (pvs, mtdf, expectimax)),
        *((k, "interpreted") for k in (alphabeta, pvs, mtdf, expectimax)),
    ],
)
@pytest.mark.parametrize("using", [seq, par_list.to_ply(1)])
def test_depths_with_missing_estimates_are_skipped(kind: Any, engine: str, using: Strategy) -> None:
    """A tree in which only the leaves have values."""
    for limit in ({}, {"time": 20.0}):
        found = search(HANDOUT_BIG, kind(4), using=using, engine=engine, **limit).compute()
        assert (found.move, found.value) == (0, 3)
    with pytest.raises(RuleFailed, match="search to another depth"):
        search(HANDOUT_BIG, kind(3), using=using, engine=engine, time=20.0).compute()


@pytest.mark.parametrize("driver", [abdada(), lazy_smp()])
def test_drivers_skip_such_depths_too(driver: Any) -> None:
    for limit in ({}, {"time": 20.0}):
        found = search(HANDOUT_BIG, pvs(4), using=driver, **limit).compute(num_workers=2)
        assert (found.move, found.value) == (0, 3)


def test_the_error_if_no_depth_with_estimates_is_reached() -> None:
    with pytest.raises(AlgorithmError, match="no estimate: give it more time, or no limit"):
        search(HANDOUT_BIG, alphabeta(4), nodes=1).compute()


@pytest.mark.parametrize("using", [seq, par_list.to_ply(1), lazy_smp(2)], ids=repr)
@pytest.mark.parametrize("limits", [{"time": 60.0}, {"nodes": 300}, {}], ids=str)
@pytest.mark.parametrize("scheduler", [None, "sync"])
def test_the_expression_that_repeats_a_search_includes_its_limits(
    using: Any, limits: dict[str, Any], scheduler: str | None
) -> None:
    """The expressions that a search and its result print recreate the search."""
    if limits.get("nodes") and isinstance(using, Strategy) and using != seq:
        return  # refused
    how = {"using": using, "engine": "interpreted"}
    answer = search(HANDOUT_SMALL, pvs(9), **how, **limits)
    found = answer.compute(scheduler=scheduler)
    scope = {n: getattr(m, n) for m in (games, strategies) for n in m.__all__}
    printed = [repr(answer)]
    if found.request is not None:
        printed.append(found.request.written)
    for text in printed:
        again = eval(text, scope).plan
        assert again.limits == answer.plan.limits
        assert again.algorithm == answer.plan.algorithm
        assert again.using == answer.plan.using
        assert again.engine == "interpreted"
    assert scheduler or len(printed) == 2
    if limits and scheduler is None:
        assert found.search().plan.algorithm.depth == found.depth
        command = search(HANDOUT_SMALL, pvs(9), **how, **limits).compute(num_workers=2).request
        assert command.expression.endswith(", ".join(f"{k}={v}" for k, v in limits.items())
                                           + ").compute(num_workers=2)")  # fmt: skip
