"""A subtree that one task searches follows its strategy as separate tasks would."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from games import ExplicitGame
from strategies import alphabeta, jamboree, search
from strategies.algebra.strategy import Strategy
from tests.strategies.given import searches, trees


@given(trees(chance=True), searches(live=False, scouts=False), st.integers(0, 4))
def test_grain_changes_the_tasks_but_not_the_nodes(
    game: ExplicitGame, strategy: Strategy, plies: int
) -> None:
    whole = strategy.everywhere
    fine = search(game, alphabeta(9), using=whole)
    coarse = search(game, alphabeta(9), using=whole.grain(plies))
    a, b = fine.compute(num_workers=2), coarse.compute(num_workers=2)
    assert (a.value, a.move, a.nodes, a.leaves) == (b.value, b.move, b.nodes, b.leaves)
    assert len(b.records) <= len(a.records)


@given(trees(chance=True, wins=True), searches(live=True), st.integers(0, 2), st.integers(1, 6))
def test_both_engines_follow_a_window_policy_identically(
    game: ExplicitGame, strategy: Strategy, plies: int, depth: int
) -> None:
    coarse = strategy.everywhere.grain(plies)
    native, plain = (
        search(game, alphabeta(depth), using=coarse, engine=engine).compute(num_workers=1)
        for engine in ("native", "interpreted")
    )
    told = [(r.value, r.move, r.line, r.nodes, r.leaves, r.sparks) for r in (native, plain)]
    assert told[0] == told[1]


def test_a_window_policy_has_entries_for_the_branches_of_a_node() -> None:
    game = ExplicitGame.from_nested([[(7 * i) % 41 for i in range(n)] for n in (3, 20, 70)])
    whole, inside = (
        search(game, alphabeta(2), using=using, engine="native").compute()
        for using in (jamboree(0.5).everywhere, jamboree(0.5).everywhere.grain(0))
    )
    assert (whole.value, whole.move, whole.nodes) == (inside.value, inside.move, inside.nodes)
