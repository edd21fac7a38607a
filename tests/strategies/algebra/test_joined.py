"""`joined` is a strategy like the others: a value, which adds joins to any order."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import ConnectFour, TicTacToe
from strategies import (
    Strategy,
    StrategyError,
    alphabeta,
    by_kind,
    by_type,
    expectimax,
    explain,
    mcts,
    minimax,
    par_list,
    parse_strategy,
    pvs,
    r0,
    rdeepseq,
    rpar_with,
    rseq,
    search,
    seq,
    split_at,
    using,
    young_brothers_wait,
)
from strategies.algebra.strategy import unfolded
from tests.strategies.given import searches

BROTHERS = young_brothers_wait.everywhere.joined()
LAST = "leave out .joined\\(\\), or write it after all others"


@given(searches(), st.integers(0, 5))
def test_it_is_a_value_with_the_order_of_its_body(s: Strategy, n: int) -> None:
    joined = s.joined()
    assert parse_strategy(repr(joined)) == pickle.loads(pickle.dumps(joined)) == joined
    assert hash(joined) == hash(s.joined())
    assert joined != s
    assert joined.joined() == joined
    assert (joined.inlined, joined.least) == (s.inlined, s.least)
    assert unfolded(joined, "max", n) == unfolded(s, "max", n)
    assert str(explain(joined)).startswith(f"{joined}, on a node with 6 branches")
    *lines, last = str(explain(joined)).splitlines()[1:]
    assert lines == str(explain(s)).splitlines()[1:]
    assert last.startswith("  joined: a worker without a task joins a running task")


@given(searches(), st.integers(0, 3), st.integers(0, 50))
def test_other_methods_change_the_order_inside(s: Strategy, plies: int, nodes: int) -> None:
    assert s.joined().everywhere == s.everywhere.joined()
    assert s.joined().to_ply(plies) == s.to_ply(plies).joined()
    assert s.joined().to_size(nodes) == s.to_size(nodes).joined()
    assert s.joined().live() == s.live().joined()
    assert s.joined().fixed() == s.fixed().joined()
    assert s.joined()(par_list) == s(par_list).joined()


def test_it_is_for_the_whole_search_only() -> None:
    class Own(Strategy):
        def unfold(self, kind: Any, n: int) -> Any:
            layer = unfolded(par_list, kind, n)
            return type(layer)(layer.groups, (BROTHERS,) * n)

    for make in (
        lambda: par_list(BROTHERS), lambda: split_at(1, BROTHERS, par_list),
        lambda: by_type(pv=BROTHERS), lambda: by_kind(max=BROTHERS),
        lambda: par_list.to_ply(2)(BROTHERS), lambda: rpar_with(BROTHERS),
        lambda: using([1, 2], par_list.joined()), lambda: using([1, 2], seq.joined()),
        lambda: unfolded(Own(), "max", 2),
    ):  # fmt: skip
        with pytest.raises(StrategyError, match=LAST):
            make()


def test_it_is_refused_where_a_search_does_not_deepen() -> None:
    game = TicTacToe()
    for algorithm in (
        alphabeta(3), alphabeta(3, table="1MB"), minimax(3), expectimax(3),
        expectimax(3, table="1MB"),
    ):  # fmt: skip
        with pytest.raises(StrategyError, match="joined\\(\\): workers can join only a search"):
            search(game, algorithm, using=BROTHERS)
    with pytest.raises(StrategyError, match=LAST):
        search(game, mcts(simulations=10, trees=2), using=BROTHERS)
    for strategy in (rdeepseq.joined(), rpar_with(rseq).joined()):
        with pytest.raises(StrategyError, match="evaluates one value"):
            search(game, pvs(3), using=strategy)


def test_it_is_taken_where_a_search_deepens() -> None:
    game = ConnectFour(5, 4, pairs=1)  # as in tests of joins, whose machine code serves here too
    plain = search(game, alphabeta(4)).compute()
    for strategy in (BROTHERS, seq.joined(), r0.joined(), rseq.joined(), par_list.joined()):
        found = search(game, pvs(4), using=strategy).compute(num_workers=2)
        assert (found.value, found.move) == (plain.value, plain.move)
        assert search(game, pvs(0), using=strategy).compute().move is None
    found = search(game, alphabeta(4), using=BROTHERS, time=60).compute(num_workers=2)
    assert (found.value, found.move, found.depth) == (plain.value, plain.move, 4)
