"""The laws of strategies and searches, over random trees and random strategies."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from attrs import evolve
from dask.callbacks import Callback
from hypothesis import given
from hypothesis import strategies as st

from games import CHANCE, HANDOUT_SMALL, MAXIE, MINNIE, ExplicitGame, Tree
from strategies import (
    alphabeta,
    expectimax,
    jamboree,
    minimax,
    par_list,
    parse_strategy,
    search,
    split_at,
)  # fmt: skip
from strategies.collection import Search
from strategies.combinators import (
    budget,
    eval_list,
    par_buffer,
    par_list_chunk,
    scout,
    share,
    young_brothers_wait,
)
from strategies.fold import OPEN
from strategies.groups import happens_before
from strategies.planning import plan
from strategies.strategy import Strategy, seq
from tests.properties import examples
from tests.strategies.given import brute, searches, seen, trees, uniform_trees, watched
from tests.strategies.spec import spec

RUNS: list[dict[str, Any]] = [
    {"scheduler": "sync"},
    {"num_workers": 1},
    {"num_workers": 2},
    {"num_workers": 4},
    {"scheduler": "threads", "num_workers": 1},
    {"scheduler": "threads", "num_workers": 2},
    {"scheduler": "threads", "num_workers": 4},
]


@given(trees(chance=True, floats=True), searches(), st.integers(1, 4), st.sampled_from(RUNS))
def test_value_and_leftmost_optimal_move_are_those_of_plain_expectimax(
    game: ExplicitGame, strategy: Strategy, depth: int, run: dict[str, Any]
) -> None:
    found = search(game, alphabeta(depth), using=strategy).compute(**run)
    value, move = brute(game, game.start(), depth)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.move == move
    assert found.sparks.balanced()


@given(trees(wins=True), searches(), st.sampled_from([minimax, alphabeta]), st.sampled_from(RUNS))
def test_of_two_forced_wins_the_nearer_is_chosen_and_of_two_losses_the_later(
    game: ExplicitGame, strategy: Strategy, algorithm: Any, run: dict[str, Any]
) -> None:
    if algorithm is minimax and "scout" in repr(strategy):
        strategy = par_list
    found = search(game, algorithm(6), using=strategy).compute(**run)
    assert (found.value, found.move) == brute(game, game.start(), 6)


@given(trees(), searches(), st.integers(-4, 4), st.integers(1, 3), st.sampled_from(RUNS[:3]))
def test_a_search_is_exact_inside_its_window_and_a_bound_outside(
    game: ExplicitGame, strategy: Strategy, a: int, width: int, run: dict[str, Any]
) -> None:
    b, (v, _) = a + width, brute(game, game.start(), 9)
    r = Search(plan(game, alphabeta(9), strategy, window=(a, b))).compute(**run).value
    assert r == v if a < v < b else v <= r <= a if v <= a else b <= r <= v


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


SHARES = st.sampled_from([0, 0.25, 0.3, 0.5, 0.6, 0.75, 1])


@given(trees(), SHARES, SHARES)
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


@given(uniform_trees(), SHARES, SHARES)
@examples(40)
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


@given(trees(chance=True), searches(scouts=False))
def test_live_windows_on_one_worker_visit_what_alphabeta_visits(
    game: ExplicitGame, strategy: Strategy
) -> None:
    seen()
    ab = search(watched(game), alphabeta(9)).compute(num_workers=1)
    order = seen()
    live = search(watched(game), alphabeta(9), using=strategy.live()).compute(num_workers=1)
    if ".grain" not in repr(strategy):
        assert sorted(seen()) == sorted(order)
        assert live.nodes == ab.nodes
    assert (live.value, live.move) == (ab.value, ab.move)


@pytest.mark.parametrize("using", [par_list.live().everywhere, young_brothers_wait.everywhere])
@pytest.mark.parametrize("algorithm", [minimax, expectimax])
def test_live_windows_narrow_nothing_where_every_node_is_visited(
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
def test_a_test_and_its_value_search_share_no_cells(game: ExplicitGame, strategy: Strategy) -> None:
    found = search(game, alphabeta(9), using=strategy).compute(num_workers=2)
    assert (found.value, found.move) == brute(game, game.start(), 9)


@given(trees(chance=True), searches(live=False, scouts=False), st.integers(0, 4))
def test_grain_changes_the_tasks_but_not_the_nodes(
    game: ExplicitGame, strategy: Strategy, plies: int
) -> None:
    from strategies.strategy import Everywhere

    whole = strategy.everywhere
    if not isinstance(whole, Everywhere) or whole.plies is not None:
        return
    fine = search(game, alphabeta(9), using=whole)
    coarse = search(game, alphabeta(9), using=whole.grain(plies))
    a, b = fine.compute(num_workers=2), coarse.compute(num_workers=2)
    assert (a.value, a.move, a.nodes, a.leaves) == (b.value, b.move, b.nodes, b.leaves)
    assert len(b.records) <= len(a.records)


def test_live_windows_above_do_not_pass_through_a_chance_node() -> None:
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


KINDS = st.sampled_from(["max", "min", "chance"])


@given(searches(), searches(), KINDS, st.integers(0, 9))
def test_equations(s: Strategy, t: Strategy, kind: Any, n: int) -> None:
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
    same(s.live().live(), s.live())
    assert eval_list.unfold(kind, n) == seq.unfold(kind, n)
    assert par_list(seq) == par_list
    assert seq(seq) == seq
    assert s.to_ply(0) == seq
    assert s.live().fixed() == s.fixed()


@given(searches(), KINDS, st.integers(1, 9))
def test_groups_are_a_partial_order_within_the_move_order(s: Strategy, kind: Any, n: int) -> None:
    groups = s.unfold(kind, n).groups
    before = happens_before(groups)
    assert all(i < j for i, j in before)
    assert all((i, k) in before for i, j in before for j2, k in before if j == j2)
    assert [x for g in groups for x in range(g.start, g.stop)] == list(range(n))
    edges = {0} | {g.stop for g in groups}
    assert all(g.after in edges and g.after <= g.start for g in groups)
    assert all(g.after <= h.after for g, h in itertools.pairwise(groups))


@given(trees(chance=True), searches(), st.integers(1, 3))
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
    again = search(game, alphabeta(depth), using=strategy)
    assert again.expr._name == answer.expr._name


def test_no_task_is_added_by_dask() -> None:
    import dask

    answer = search(HANDOUT_SMALL, alphabeta(2), using=jamboree(0.5).everywhere)
    a, b = dask.compute(answer, search(HANDOUT_SMALL, minimax(2)))
    assert (a.move, a.value, a.leaves) == (b.move, b.value, b.leaves) == (1, 4, 9)
    assert len(a.records) == len(answer.tasks())


@given(trees(chance=True, wins=True), searches(live=True), st.integers(0, 2), st.integers(1, 6))
def test_a_policy_is_followed_alike_on_both_engines(
    game: ExplicitGame, strategy: Strategy, plies: int, depth: int
) -> None:
    from strategies.strategy import Everywhere

    coarse = strategy.everywhere
    if isinstance(coarse, Everywhere):
        coarse = coarse.grain(plies)
    native, plain = (
        search(game, alphabeta(depth), using=coarse, engine=engine).compute(num_workers=1)
        for engine in ("native", "interpreted")
    )
    told = [(r.value, r.move, r.line, r.nodes, r.leaves, r.sparks) for r in (native, plain)]
    assert told[0] == told[1]


def test_a_policy_grows_with_the_branches_of_a_node() -> None:
    game = ExplicitGame.from_nested([[(7 * i) % 41 for i in range(n)] for n in (3, 20, 70)])
    whole, inside = (
        search(game, alphabeta(2), using=using, engine="native").compute()
        for using in (jamboree(0.5).everywhere, jamboree(0.5).everywhere.grain(0))
    )
    assert (whole.value, whole.move, whole.nodes) == (inside.value, inside.move, inside.nodes)


@given(
    searches(),
    searches(),
    searches(),
    KINDS,
    st.integers(0, 9),
    st.integers(0, 4),
    st.integers(0, 4),
)
def test_splits_of_prefixes_associate(
    s: Strategy, t: Strategy, u: Strategy, kind: Any, n: int, j: int, k: int
) -> None:
    left = split_at(j + k, split_at(j, s, t), u)
    right = split_at(j, s, split_at(k, t, u))
    assert left.unfold(kind, n) == right.unfold(kind, n)


@given(uniform_trees(width=3, depth=4), searches(live=False))
@examples(40)
def test_no_search_reads_fewer_leaves_than_the_minimal_tree(
    game: ExplicitGame, strategy: Strategy
) -> None:
    found = search(game, alphabeta(4), using=strategy).compute(num_workers=2)
    assert found.leaves >= 3**2 + 3**2 - 1  # Knuth and Moore: b^⌈d/2⌉ + b^⌊d/2⌋ - 1


@given(trees(), searches(live=False))
def test_the_mirrored_tree_has_the_mirrored_value(game: ExplicitGame, strategy: Strategy) -> None:
    mirrored = evolve(
        game, movers=tuple(1 - m for m in game.movers), values=tuple(-v for v in game.values)
    )
    if "by_kind" in repr(strategy):
        strategy = par_list.everywhere
    a, b = (
        search(g, alphabeta(9), using=strategy).compute(num_workers=2) for g in (game, mirrored)
    )
    assert (a.value, a.move, a.nodes, a.leaves) == (-b.value, b.move, b.nodes, b.leaves)


@given(trees(chance=True), searches(live=False), st.sampled_from(RUNS), st.sampled_from(RUNS))
def test_fixed_windows_visit_the_same_nodes_on_every_run(
    game: ExplicitGame, strategy: Strategy, one: dict[str, Any], other: dict[str, Any]
) -> None:
    answer = search(game, alphabeta(9), using=strategy)
    a, b = answer.compute(**one), answer.compute(**other)
    assert (a.nodes, a.leaves, a.line, a.sparks) == (b.nodes, b.leaves, b.line, b.sparks)
