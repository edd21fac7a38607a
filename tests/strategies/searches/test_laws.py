"""The laws of searches, over random trees and random strategies."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from attrs import evolve
from dask.callbacks import Callback
from hypothesis import given
from hypothesis import strategies as st

from games import HANDOUT_SMALL, ExplicitGame
from strategies import alphabeta, critical, jamboree, minimax, par_list, search
from strategies.algebra.strategy import Strategy
from strategies.algorithms.fold import OPEN
from strategies.insight.analysis.recorded import recorded
from tests.properties import DEEP, examples
from tests.strategies.given import RUNS, brute, searches, seen, trees, uniform_trees, watched
from tests.strategies.spec import spec

pytestmark = pytest.mark.usefixtures("any_length")


def real(game: ExplicitGame) -> ExplicitGame:
    """Return a tree with floats only: one with ints among them would be compiled for itself."""
    return evolve(game, values=tuple(map(float, game.values)), value_range=None)


REAL = trees(chance=True, floats=True).map(lambda game: game if DEEP else real(game))


@given(REAL, searches(), st.integers(1, 4), st.sampled_from(RUNS))
@examples(20, times=100)
def test_value_and_leftmost_optimal_move_are_those_of_plain_expectimax(
    game: ExplicitGame, strategy: Strategy, depth: int, run: dict[str, Any]
) -> None:
    found = search(game, alphabeta(depth), using=strategy).compute(**run)
    value, move = brute(game, game.start(), depth)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.move == move
    assert found.sparks.balanced()


@given(trees(wins=True), searches(), st.sampled_from([minimax, alphabeta]), st.sampled_from(RUNS))
@examples(20, times=100)
def test_of_two_forced_wins_the_nearer_is_chosen_and_of_two_losses_the_later(
    game: ExplicitGame, strategy: Strategy, algorithm: Any, run: dict[str, Any]
) -> None:
    if algorithm is minimax and "scout" in repr(strategy):
        strategy = par_list
    found = search(game, algorithm(6), using=strategy).compute(**run)
    assert (found.value, found.move) == brute(game, game.start(), 6)


SHARES = st.sampled_from([0, 0.25, 0.3, 0.5, 0.6, 0.75, 1])


@given(trees(), SHARES, SHARES)
@examples(20, times=100)
def test_jamboree_lies_between_alphabeta_and_minimax(
    game: ExplicitGame, p: float, q: float
) -> None:
    tree = watched(game)

    def run(algorithm: Any, **using: Any) -> tuple[Any, list[int]]:
        seen()
        return search(tree, algorithm(9), **using).compute(num_workers=1), seen()

    leaves = {}
    for x in {0, p, q, 1}:
        result, leaves[x] = run(alphabeta, using=jamboree(x).everywhere)
        if x == 1:
            one = result
        if x == 0:
            zero = result
    assert set(leaves[max(p, q)]) <= set(leaves[min(p, q)])
    ab, order = run(alphabeta)
    assert leaves[1] == order
    assert one.nodes == ab.nodes
    everything, order = run(minimax)
    assert leaves[0] == order
    assert zero.nodes == everything.nodes
    assert run(alphabeta, using=par_list.everywhere)[1] == order


def best_first(random: Random, plies: int, value: int = 0, sign: int = 1) -> Any:
    """Return the branches of a tree of this value whose first branch is a best one everywhere."""
    if plies == 0:
        return value
    worse = [value, *(value - sign * random.randint(0, 4) for _ in range(random.randint(0, 3)))]
    return [best_first(random, plies - 1, v, -sign) for v in worse]


@given(st.randoms(use_true_random=False), st.integers(1, 5))
@examples(20, times=100)
def test_critical_visits_the_nodes_of_alphabeta_where_the_first_branch_is_best(
    random: Random, plies: int
) -> None:
    tree = watched(ExplicitGame.from_nested(best_first(random, plies)))
    seen()
    ab = search(tree, alphabeta(plies)).compute()
    leaves = seen()
    found = search(tree, alphabeta(plies), using=critical.everywhere).compute(num_workers=1)
    assert seen() == leaves
    assert (found.value, found.move, found.nodes) == (0, 0, ab.nodes)


@given(uniform_trees(), SHARES, SHARES)
@examples(20)
def test_on_uniform_trees_the_span_never_falls_as_p_grows(
    game: ExplicitGame, p: float, q: float
) -> None:
    def span(x: float) -> int:
        return spec(game, game.start(), 9, jamboree(x).everywhere, OPEN, [])[2]

    assert span(min(p, q)) <= span(max(p, q))


def test_on_an_uneven_tree_the_span_can_fall_as_p_grows() -> None:
    game = ExplicitGame.from_nested([-1, 0, [0, 0, 0, 0]])
    spans = [spec(game, game.start(), 9, jamboree(p).everywhere, OPEN, [])[2] for p in (0.5, 0.75)]
    assert spans == [4, 3]


@given(trees(chance=True), searches(), st.integers(1, 3))
@examples(20, times=100)
def test_the_tasks_of_the_graph_are_those_that_ran_and_were_recorded(
    game: ExplicitGame, strategy: Strategy, depth: int
) -> None:
    class Ran(Callback):  # type: ignore[misc]
        keys: list[Any]

        def _start(self, dsk: Any) -> None:
            self.keys = []

        def _pretask(self, key: Any, dsk: Any, state: Any) -> None:
            self.keys.append(key)

    answer = search(game, alphabeta(depth), using=strategy)
    for scheduler in ({"scheduler": "sync"}, {"num_workers": 2}):
        with Ran() as ran:
            found = answer.compute(**scheduler)
        assert len(ran.keys) == len(set(ran.keys)) == len(answer.tasks()) == len(found.records)
        sparks = [k for k in answer.tasks() if k[0].startswith("spark-")]
        made = sum(r.role == "spark" for r in found.records)
        assert made == len(sparks) == found.sparks.created
        assert found.span == pytest.approx(recorded(found).span)
    again = search(game, alphabeta(depth), using=strategy)
    assert again.expr._name == answer.expr._name


def test_no_task_is_added_by_dask() -> None:
    import dask

    answer = search(HANDOUT_SMALL, alphabeta(2), using=jamboree(0.5).everywhere)
    a, b = dask.compute(answer, search(HANDOUT_SMALL, minimax(2)))
    assert (a.move, a.value, a.leaves) == (b.move, b.value, b.leaves) == (1, 4, 9)
    assert len(a.records) == len(answer.tasks())


@given(uniform_trees(width=3, depth=4), searches(live=False))
@examples(20)
def test_every_search_visits_at_least_the_minimal_tree(
    game: ExplicitGame, strategy: Strategy
) -> None:
    found = search(game, alphabeta(4), using=strategy).compute(num_workers=2)
    assert found.leaves >= 3**2 + 3**2 - 1  # Knuth and Moore: b^⌈d/2⌉ + b^⌊d/2⌋ - 1


@given(trees(), searches(live=False))
@examples(20, times=100)
def test_the_mirrored_tree_has_the_mirrored_value(game: ExplicitGame, strategy: Strategy) -> None:
    mirrored = evolve(
        game, movers=tuple(1 - m for m in game.movers), values=tuple(-v for v in game.values)
    )
    if any(word in repr(strategy) for word in ("by_kind", "at_max")):  # not alike for both sides
        strategy = par_list.everywhere
    a, b = (
        search(g, alphabeta(9), using=strategy).compute(num_workers=2) for g in (game, mirrored)
    )
    assert (a.value, a.move, a.nodes, a.leaves) == (-b.value, b.move, b.nodes, b.leaves)


@given(trees(chance=True), searches(live=False), st.sampled_from(RUNS), st.sampled_from(RUNS))
@examples(20, times=100)
def test_fixed_windows_visit_the_same_nodes_on_every_run(
    game: ExplicitGame, strategy: Strategy, one: dict[str, Any], other: dict[str, Any]
) -> None:
    answer = search(game, alphabeta(9), using=strategy)
    a, b = answer.compute(**one), answer.compute(**other)
    assert (a.nodes, a.leaves, a.line, a.sparks) == (b.nodes, b.leaves, b.line, b.sparks)
