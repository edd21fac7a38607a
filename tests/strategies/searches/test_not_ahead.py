"""`r0` in a search: the branch gets no task, and is searched by the fold that needs it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import ExplicitGame
from strategies import (
    StrategyError,
    alphabeta,
    budget,
    by_kind,
    by_type,
    eval_list,
    explain,
    jamboree,
    par_buffer,
    par_list,
    par_list_chunk,
    parse_strategy,
    r0,
    rpar_with,
    scout,
    search,
    seq,
    split_at,
    young_brothers_wait,
)  # fmt: skip
from strategies.algebra.by_node import ByType
from strategies.algebra.strategy import Strategy
from strategies.values.for_search import for_search
from tests.properties import examples
from tests.strategies.given import seen, trees, watched

ROWS = (
    eval_list, par_list, par_list_chunk(2), par_buffer(2), jamboree(0.5), young_brothers_wait,
    scout, par_list.live(), by_type(pv=par_list, all=scout),
)  # fmt: skip


@pytest.mark.parametrize("row", ROWS)
def test_one_ply_under_r0_is_searched_in_order(row: Strategy) -> None:
    assert for_search(row(r0)) == for_search(row.to_ply(1)(r0)) == seq
    if not isinstance(row, ByType):  # `r0` applies below its last ply
        assert for_search(row(r0).everywhere) == for_search(row(r0).to_ply(2)) == seq
    assert for_search(row.to_ply(3)(r0)) == for_search(row.to_ply(2))


@given(trees(chance=True), st.sampled_from(ROWS))
@examples(10)
def test_under_r0_everywhere_the_search_visits_the_leaves_of_alphabeta(
    game: ExplicitGame, row: Strategy
) -> None:
    tree = watched(game)
    seen()
    plain = search(tree, alphabeta(9)).compute(num_workers=1)
    leaves = seen()
    found = search(tree, alphabeta(9), using=row(r0)).compute(num_workers=1)
    assert (found.value, found.move, found.nodes) == (plain.value, plain.move, plain.nodes)
    assert seen() == leaves


@pytest.mark.parametrize("row", ROWS)
def test_a_branch_under_r0_is_no_spark(row: Strategy) -> None:
    game = ExplicitGame.from_nested([[3, 5], [2, 9], [4, [1, 2]]])

    def sparks(using: Strategy) -> int:
        found = search(game, alphabeta(3), using=using).compute(num_workers=2)
        return found.sparks.attempts

    assert sparks(row(r0)) == sparks(r0) == 0
    assert sparks(split_at(1, seq, r0)) == 0
    assert sparks(split_at(2, par_list, r0)) == 2
    assert sparks(par_list(r0).to_ply(2)(par_list)) == sparks(eval_list(eval_list(par_list))) == 2


def test_rpar_with_r0_equals_r0_and_is_parsed() -> None:
    assert rpar_with(r0) == r0
    assert par_list(rpar_with(r0)) == par_list(r0)
    for text in ("par_list(r0)", "jamboree(0.5)(r0)", "par_list.to_ply(2)(r0)", "by_kind(max=r0)"):
        strategy = parse_strategy(text)
        assert repr(strategy) == text
    assert explain(par_list(r0)) == explain(seq)
    assert explain(par_list.to_ply(2)(r0)) == explain(par_list.to_ply(1))
    assert for_search(by_kind(max=r0, min=par_list)) == by_kind(min=par_list)
    assert for_search(par_list.to_ply(3)(r0)) == par_list.to_ply(2)
    assert for_search(par_list(jamboree(0.5)(r0))) == par_list


def test_a_budget_refuses_r0() -> None:
    with pytest.raises(StrategyError, match=r"is searched in order anyway; leave out \(r0\)"):
        search(ExplicitGame.from_nested([1, 2]), alphabeta(1), using=budget(3)(r0))


def test_a_plan_under_r0_is_one_task() -> None:
    game = ExplicitGame.from_nested([[3, 5], [2, 9]])
    answer = search(game, alphabeta(2), using=par_list(r0).everywhere)
    assert len(answer.tasks()) == 1
