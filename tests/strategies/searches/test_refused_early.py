"""Mistakes are refused where they are written, in one line that says what would be right."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import pytest

from games import MAXIE, MINNIE, ExplicitGame, TicTacToe, Tree
from strategies import (
    Strategy,
    StrategyError,
    alphabeta,
    by_kind,
    by_type,
    eval_list,
    expectimax,
    jamboree,
    maxn,
    mcts,
    minimax,
    par_list,
    parse_strategy,
    pvs,
    scout,
    search,
    share,
    split_at,
    study,
    tune,
)
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.names import parse_algorithm
from strategies.insight.analysis.simulation import FREE
from strategies.native.memory.transposition_table import NoRoom, Table

TWO = ExplicitGame.from_nested([[3, 5], [2, 9]])
THREE = ExplicitGame.from_nested([[(1, 2, 6), (4, 3, 2)], [(5, 2, 5), (1, 1, 1)]])
HIDDEN: list[Strategy] = [
    scout, scout.everywhere.grain(0), scout.live(), par_list(scout), scout.everywhere.live(),
    by_kind(max=scout).everywhere.grain(0), split_at(1, scout, scout).to_ply(2),
    by_type(pv=scout).everywhere, par_list.to_ply(1)(scout),
]  # fmt: skip


@pytest.mark.parametrize("using", HIDDEN, ids=str)
@pytest.mark.parametrize("limit", [{}, {"time": 5.0}])
def test_null_windows_for_algorithms_without_windows(
    using: Strategy, limit: dict[str, Any]
) -> None:
    cases: list[tuple[ExplicitGame, Algorithm]] = [(THREE, maxn(3)), (TWO, expectimax(3))]
    for game, algorithm in [*cases, *([] if limit else [(TWO, minimax(3))])]:
        with pytest.raises(StrategyError, match=f"tests with windows, but {algorithm.name} has"):
            search(game, algorithm, using=using, **limit)


def test_null_windows_below_the_last_ply_are_never_searched() -> None:
    answer = search(TWO, expectimax(2), using=par_list(par_list(scout)), engine="interpreted")
    assert answer.compute(num_workers=1).value == 3


@pytest.mark.parametrize("player", [2, 7])
def test_players_of_a_tree_of_numbers(player: int) -> None:
    tree = Tree("a", MAXIE, (Tree("b", player, (Tree("c", MINNIE, value=3),)),))
    with pytest.raises(ValueError, match=f"node b: there is no player {player}, as values are"):
        ExplicitGame.from_tree(tree)


@pytest.mark.parametrize("value", [10**400, -(10**400), 10**5000], ids=["+", "-", "long"])
def test_leaves_beyond_the_range_of_floats(value: int) -> None:
    with pytest.raises(ValueError, match="a leaf must be a number") as found:
        ExplicitGame.from_nested([value])
    assert len(str(found.value)) < 200


@pytest.mark.parametrize(
    "p", ["1e-400", "1e-99999999", "1E+9_999_999", "0." + "0" * 999, 10**5000], ids=list("abcde")
)
def test_shares_out_of_range(p: Any) -> None:
    with pytest.raises(StrategyError, match="a share must be a number from 0 to 1"):
        share(p)


def test_shares_that_are_small_or_fractions_stay_exact() -> None:
    assert share("1e-300").of == Fraction(1, 10**300)
    assert share("1/3").of == share(Fraction(1, 3)).of == Fraction(1, 3)
    third = split_at(share("1/3"), eval_list, par_list)
    assert eval(repr(third)) == parse_strategy(repr(third)) == third


@pytest.mark.parametrize(
    "text",
    ["jamboree(1e-400)", "jamboree('1e-99999999')", "split_at(1e-999, seq, seq)"],
)
def test_numbers_in_a_strategys_text(text: str) -> None:
    with pytest.raises(StrategyError, match=r"too small|beyond"):
        parse_strategy(text)


def test_numbers_in_an_algorithms_text() -> None:
    for text in ("expectimax(3, cutoff=1e-400)", "mcts(c=1e-999)"):
        with pytest.raises(AlgorithmError, match="too small for a float"):
            parse_algorithm(text)
    assert parse_algorithm("expectimax(3, cutoff=0.0)") == expectimax(3)


@pytest.mark.parametrize(
    "size", ["9" * 5000 + "GB", "2000000000GB", 1 << 61, "²MB", "0GB", -1], ids=list("abcdef")
)
def test_wrong_sizes(size: Any) -> None:
    with pytest.raises(AlgorithmError, match="table: a size must be"):
        pvs(6, table=size)


def test_a_table_larger_than_the_memory_of_the_machine() -> None:
    with pytest.raises(NoRoom, match="not enough memory for a table of 524288GB"):
        Table("1000000GB")


def test_engines_are_checked_when_a_search_is_created() -> None:
    for algorithm in (alphabeta(2), mcts(10)):
        with pytest.raises(ValueError, match="auto, native or interpreted, not 'fast'"):
            search(TicTacToe(), algorithm, engine="fast")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"workers": 2}, "no option workers: did you mean num_workers"),
        ({"numworkers": 2}, "no option numworkers: did you mean num_workers"),
        ({"schedular": "sync"}, "no option schedular: did you mean scheduler"),
        ({"scheduler": "threads", "num_worker": 2}, "no option num_worker: did you mean num_w"),
        ({"xyz": 2}, "no option xyz: there are scheduler, num_workers"),
        ({"scheduler": "thread"}, "takes 'sync', 'threads', 'processes', .*; not 'thread'$"),
        ({"scheduler": 3}, "scheduler takes 'sync', .*; not 3$"),
        ({"scheduler": ThreadPoolExecutor}, r"takes .sync., .*; not <class .conc.*Executor.>$"),
    ],
)
def test_options_of_compute(options: dict[str, Any], why: str) -> None:
    for algorithm in (alphabeta(2), mcts(10)):
        with pytest.raises(TypeError, match=why):
            search(TicTacToe(), algorithm, engine="interpreted").compute(**options)  # type: ignore[arg-type]


def test_a_scheduler_receives_its_options() -> None:
    answer = search(TWO, alphabeta(2), engine="interpreted")
    for options in ({"scheduler": "sync", "rerun_exceptions_locally": True}, {"traverse": False}):
        assert answer.compute(**options).value == 3  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["move", "value", "sparks", "line"])
def test_a_search_instead_of_a_result(name: str) -> None:
    with pytest.raises(AttributeError, match=rf"compute\(\)\.{name}"):
        getattr(search(TWO, alphabeta(2)), name)


def test_a_search_has_no_other_attribute() -> None:
    for answer in (search(TWO, alphabeta(2)), search(TicTacToe(), mcts(10))):
        assert not hasattr(answer, "moves_to_make")
        with pytest.raises(AttributeError, match="a search has no attribute 'moves_to_make'"):
            _ = answer.moves_to_make
    with pytest.raises(AttributeError, match="simulations"):
        _ = search(TicTacToe(), mcts(10)).simulations


def test_one_strategy_is_a_list_of_one() -> None:
    for given in ("jamboree(0.5)", jamboree(0.5)):
        found = study(TWO, alphabeta(2), given, workers=[1], repeat=1, engine="interpreted")
        assert [r.strategy for r in found.rows] == ["seq", "jamboree(0.5)"]
    how: dict[str, Any] = {"workers": 8, "burden": FREE, "engine": "interpreted", "measure": False}
    tuned = tune(TWO, alphabeta(2), candidates=jamboree(0.5), **how)
    assert [repr(r.strategy) for r in tuned.rows] == ["seq", "jamboree(0.5)"]
