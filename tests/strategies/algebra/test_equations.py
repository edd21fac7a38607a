"""The algebraic laws of strategies, and the groups that they unfold to."""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from strategies import par_list, split_at
from strategies.algebra.combinators import budget, eval_list, par_buffer, par_list_chunk, share
from strategies.algebra.strategy import Strategy, seq
from tests.strategies.given import searches
from tests.strategies.spec import happens_before

KINDS = st.sampled_from(["max", "min", "chance"])


@given(searches(), searches(), KINDS, st.integers(0, 9))
def test_algebraic_laws(s: Strategy, t: Strategy, kind: Any, n: int) -> None:
    def same(x: Strategy, y: Strategy) -> None:
        assert x.unfold(kind, n) == y.unfold(kind, n)

    same(split_at(0, t, s), s)
    same(split_at(n, s, t), s)
    same(split_at(1.0, s, t), s)
    same(split_at(share(0), t, s), s)
    same(par_list_chunk(1)(s), par_list(s))
    same(par_buffer(1)(s), eval_list(s))
    same(par_buffer(n or 1)(s), par_list(s))
    same(par_list_chunk(n or 1)(s), eval_list(s))
    same(eval_list.live(), eval_list)
    same(budget(1)(s), s)
    for deal in ("even", "rest", "whole"):
        same(budget(5, deal, at_max=deal)(s), budget(5, deal)(s))
    same(s.live().live(), s.live())
    assert eval_list.unfold(kind, n) == seq.unfold(kind, n)
    assert par_list(seq) == par_list
    assert seq(seq) == seq
    assert s.to_ply(0) == seq
    assert s.live().fixed() == s.fixed()


@given(searches(), KINDS, st.integers(1, 9))
def test_groups_are_a_partial_order_compatible_with_the_move_order(
    s: Strategy, kind: Any, n: int
) -> None:
    groups = s.unfold(kind, n).groups
    before = happens_before(groups)
    assert all(i < j for i, j in before)
    assert all((i, k) in before for i, j in before for j2, k in before if j == j2)
    assert [x for g in groups for x in range(g.start, g.stop)] == list(range(n))
    edges = {0} | {g.stop for g in groups}
    assert all(g.after in edges and g.after <= g.start for g in groups)
    assert all(g.after <= h.after for g, h in itertools.pairwise(groups))


@given(
    searches(),
    searches(),
    searches(),
    KINDS,
    st.integers(0, 9),
    st.integers(0, 4),
    st.integers(0, 4),
)
def test_splitting_prefixes_is_associative(
    s: Strategy, t: Strategy, u: Strategy, kind: Any, n: int, j: int, k: int
) -> None:
    left = split_at(j + k, split_at(j, s, t), u)
    right = split_at(j, s, split_at(k, t, u))
    assert left.unfold(kind, n) == right.unfold(kind, n)
