"""Modifiers of strategies: their order does not matter, and of two of a kind the tighter counts."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import TypeAlias

from hypothesis import given
from hypothesis import strategies as st

from games import ExplicitGame
from strategies import Strategy, alphabeta, par_list, parse_strategy, search, seq
from strategies import young_brothers_wait as brothers
from strategies.algebra.combinators import by_type, critical, eval_list, jamboree, split_at
from strategies.algebra.groups import Window
from strategies.algebra.strategy import Layer, unfolded
from tests.strategies.given import brute, searches, trees

Modifier: TypeAlias = Callable[[Strategy], Strategy]

WHOLE: list[Modifier] = [lambda s: s.live(), lambda s: s.fixed(), lambda s: s.everywhere]


def modifiers(plain: bool = False) -> st.SearchStrategy[Modifier]:
    """Draw a modifier, those of a `plain` search only or any."""
    options = [
        st.sampled_from(WHOLE),
        st.integers(0, 3).map(lambda n: lambda s: s.to_ply(n)),
        st.integers(0, 3).map(lambda n: lambda s: s.grain(plies=n)),
    ]
    if not plain:
        options.append(st.integers(0, 3).map(lambda n: lambda s: s.to_size(n)))
        options.append(st.just(lambda s: s.joined()))
    return st.one_of(options)


def in_turn(s: Strategy, row: tuple[Modifier, ...]) -> Strategy:
    """Return a strategy with modifiers, from left to right."""
    for modifier in row:
        s = modifier(s)
    return s


def nodes(s: Strategy, plies: int = 3, ply: int = 0) -> Iterator[tuple[int, Strategy, Layer]]:
    """Yield the plies, strategies and layers of the nodes of small trees."""
    for kind, n in (("max", 3), ("chance", 2)):
        layer = unfolded(s, kind, n)  # type: ignore[arg-type]
        yield ply, s, layer
        for inner in layer.inner if ply + 1 < plies else ():
            yield from nodes(inner, plies, ply + 1)


@given(searches(), st.lists(modifiers(), max_size=4))
def test_the_order_of_modifiers_does_not_matter(s: Strategy, row: list[Modifier]) -> None:
    one = in_turn(s, tuple(row))
    for other in (in_turn(s, order) for order in permutations(row)):
        assert other == one
        assert hash(other) == hash(one)
        assert repr(other) == repr(one)
    assert in_turn(one, tuple(row)) == one  # twice is once
    for _, below, layer in nodes(one):
        assert parse_strategy(repr(below)) == pickle.loads(pickle.dumps(below)) == below
        assert layer == below.unfold("max" if len(layer.inner) == 3 else "chance", len(layer.inner))


@given(searches(), searches(), st.lists(modifiers(), max_size=3))
def test_a_strategy_is_modified_with_what_it_is_applied_to(
    s: Strategy, inner: Strategy, row: list[Modifier]
) -> None:
    views: list[Modifier] = [lambda s: s.live(), lambda s: s.fixed(), lambda s: s.grain(2)]
    for view in views:
        assert view(s)(inner) == view(s(inner)) or s == seq
    one = in_turn(s(inner), tuple(row))
    assert all(in_turn(s(inner), order) == one for order in permutations(row))


@given(searches(), st.lists(modifiers(), max_size=3), st.integers(0, 3))
def test_fixed_wins_wherever_it_stands(s: Strategy, row: list[Modifier], at: int) -> None:
    fixed = in_turn(s, (*row[:at], lambda s: s.fixed(), *row[at:]))
    windows = {g.window for _, _, layer in nodes(fixed) for g in layer.groups}
    assert Window.LIVE not in windows
    assert fixed.live() == fixed


@given(searches())
def test_live_reaches_all_parts(s: Strategy) -> None:
    for _, _, layer in nodes(s.live() if not s.is_fixed else seq):
        sparks = zip(layer.groups, layer.sparks, strict=True)
        assert not any(g.window is Window.FIXED for g, sparked in sparks if sparked)


@given(searches(), st.integers(0, 4), st.integers(0, 4))
def test_the_tighter_of_two_counts(s: Strategy, a: int, b: int) -> None:
    assert s.to_ply(a).to_ply(b) == s.to_ply(min(a, b))
    assert s.to_ply(a).everywhere == s.to_ply(a)
    assert s.to_size(a).to_size(b) == s.to_size(max(a, b))
    assert s.grain(a).grain(b) == s.grain(min(a, b))


@given(searches(), st.integers(0, 3))
def test_each_modifier_does_what_it_says(s: Strategy, n: int) -> None:
    assert all(below == seq for ply, below, _ in nodes(s.to_ply(n)) if ply >= n)
    assert all(below.inlined for ply, below, _ in nodes(s.grain(n)) if ply >= n)
    whole, first = ([x for x in nodes(t) if x[0] < n] for t in (s.everywhere, s.to_ply(n)))
    assert [layer.groups for _, _, layer in whole] == [layer.groups for _, _, layer in first]
    whole, above = (list(nodes(t)) for t in (s, s.grain(n)))
    assert [layer.groups for _, _, layer in whole] == [layer.groups for _, _, layer in above]
    assert s.to_size(n).least in (n, None if s.to_size(n) == seq else n)


@given(trees(chance=True), searches(), st.lists(modifiers(plain=True), max_size=3))
def test_modifiers_do_not_change_the_value(
    game: ExplicitGame, s: Strategy, row: list[Modifier]
) -> None:
    found = search(game, alphabeta(9), using=in_turn(s, tuple(row)), engine="interpreted").compute()
    assert (found.value, found.move) == brute(game, game.start(), 9)


def test_the_text_has_one_order() -> None:
    inner = jamboree(0.5)
    for made, text in (
        (par_list.joined().to_size(9).to_ply(2), "par_list.to_ply(2).to_size(9).joined()"),
        (par_list.to_size(9).everywhere, "par_list.to_size(9)"),
        (par_list.grain(2).everywhere.live(), "par_list.live().everywhere.grain(plies=2)"),
        (par_list.to_ply(2).live()(inner), "par_list.live().to_ply(2)(jamboree(0.5))"),
        (par_list.live()(inner).fixed(), "par_list(jamboree(0.5)).fixed()"),
        (par_list.to_ply(2)(inner).to_ply(4), "par_list.to_ply(2)(jamboree(0.5)).to_ply(4)"),
        (critical.to_ply(3).live(), "critical.live().to_ply(3)"),
        (par_list.to_ply(0).joined(), "seq.joined()"),
        (seq.live().everywhere.grain(1), "seq"),
        (brothers.everywhere.fixed(), "young_brothers_wait.fixed().everywhere"),
    ):
        assert repr(made) == text


def test_node_types_follow_the_branches_of_a_repeated_strategy() -> None:
    types = by_type(pv=brothers, cut=eval_list, all=par_list)
    first, second, _ = unfolded(types.to_ply(4).live(), "max", 3).inner
    assert (first, second) == (types.live().to_ply(3), types.at_type("cut").live().to_ply(3))
    assert unfolded(second, "min", 2).inner[0] == types.at_type("all").live().to_ply(2)
    variation = by_type(pv=split_at(1, eval_list, par_list)).to_ply(3)(par_list)
    assert repr(unfolded(variation, "max", 2).inner[1]) == "eval_list.to_ply(2)(par_list)"
