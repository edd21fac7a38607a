"""The laws of windows: exact inside, a bound outside, narrowed by branches that happen before."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import CHANCE, MAXIE, MINNIE, ExplicitGame, Tree
from strategies import alphabeta, expectimax, minimax, par_list, parse_strategy, search
from strategies.algebra.combinators import scout, young_brothers_wait
from strategies.algebra.strategy import Strategy
from strategies.algorithms.fold import OPEN
from strategies.running.plans.opening import plan
from strategies.searches.search import Search
from tests.properties import examples
from tests.strategies.given import RUNS, brute, searches, seen, trees, watched
from tests.strategies.spec import spec


@pytest.mark.usefixtures("any_length")
@given(trees(), searches(), st.integers(-4, 4), st.integers(1, 3), st.sampled_from(RUNS[:3]))
def test_a_search_is_exact_inside_its_window_and_a_bound_outside(
    game: ExplicitGame, strategy: Strategy, a: int, width: int, run: dict[str, Any]
) -> None:
    b, (v, _) = a + width, brute(game, game.start(), 9)
    r = Search(plan(game, alphabeta(9), strategy, window=(a, b))).compute(**run).value
    assert r == v if a < v < b else v <= r <= a if v <= a else b <= r <= v


@examples(25, times=80)
@given(trees(chance=True), searches(live=False, scouts=False), st.sampled_from(RUNS))
def test_a_fixed_window_is_narrowed_by_exactly_what_happens_before(
    game: ExplicitGame, strategy: Strategy, run: dict[str, Any]
) -> None:
    leaves: list[int] = []
    spec(game, game.start(), 9, strategy, OPEN, leaves)
    seen()
    found = search(watched(game), alphabeta(9), using=strategy).compute(**run)
    assert sorted(seen()) == sorted(leaves)
    assert found.leaves == len(leaves)


@given(trees(chance=True), searches(scouts=False).filter(lambda s: not s.is_fixed))
def test_live_windows_on_one_worker_visit_the_nodes_of_alphabeta(
    game: ExplicitGame, strategy: Strategy
) -> None:
    seen()
    ab = search(watched(game), alphabeta(9)).compute(num_workers=1)
    order = seen()
    live = search(watched(game), alphabeta(9), using=strategy.live()).compute(num_workers=1)
    assert sorted(seen()) == sorted(order)
    assert live.nodes == ab.nodes
    assert (live.value, live.move) == (ab.value, ab.move)


@pytest.mark.parametrize("using", [par_list.live().everywhere, young_brothers_wait.everywhere])
@pytest.mark.parametrize("algorithm", [minimax, expectimax])
def test_live_windows_do_not_change_a_search_that_visits_every_node(
    algorithm: Any, using: Strategy
) -> None:
    game = ExplicitGame.from_nested([0, [0, 0, 0]])
    found = search(game, algorithm(2), using=using).compute(num_workers=1)
    assert (found.nodes, found.leaves) == (6, 4)


@given(
    trees(),
    st.sampled_from(
        [
            scout(par_list.everywhere).live(),
            scout.live().everywhere,
            scout(young_brothers_wait.everywhere),
        ]
    ),
)
def test_a_null_window_test_and_its_value_search_share_no_cells(
    game: ExplicitGame, strategy: Strategy
) -> None:
    found = search(game, alphabeta(9), using=strategy).compute(num_workers=2)
    assert (found.value, found.move) == brute(game, game.start(), 9)


def test_live_windows_do_not_pass_through_a_chance_node() -> None:
    def leaf(value: int) -> Tree:
        return Tree("", 0, value=value)

    chance = Tree("c", CHANCE, (leaf(1), leaf(0), leaf(3)), chances=(0.5, 0.25, 0.25))
    low, high = Tree("l", MINNIE, (leaf(0),)), Tree("h", MAXIE, (leaf(-3), leaf(-1), leaf(0)))
    game = ExplicitGame.from_tree(Tree("r", MAXIE, (low, chance, high)))
    for text in (
        "by_kind(max=young_brothers_wait, chance=par_list).everywhere",
        "by_kind(min=par_list.live(), chance=par_list).everywhere",
        "young_brothers_wait(par_list)(jamboree(0.5))(par_list)",
    ):
        found = search(game, alphabeta(2), using=parse_strategy(text)).compute(num_workers=1)
        assert (found.value, found.move) == (1.25, 1)
