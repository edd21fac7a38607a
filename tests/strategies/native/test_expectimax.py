"""Expectimax with its options: cutoff, table, rounded terms; the same on both engines."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from games import CHANCE, MAXIE, WIN, ExplicitGame, Pursuit, TicTacToe, Tree, Twenty48
from games.explicit import Place
from games.pig.rules import Pig
from strategies import alphabeta, expectimax, parse_strategy, search
from strategies.algebra.strategy import Strategy
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.names import parse_algorithm
from strategies.native.calls.expectimax import search_expectimax
from strategies.native.kept_engines import engine_for
from strategies.native.memory.cells import Stop
from strategies.native.memory.transposition_table import Table
from tests.properties import DEEP, examples
from tests.strategies.given import searches, trees

cutoffs = st.sampled_from([0.0, 0.0, 0.05, 0.2, 0.34, 0.5, 1.0])
RUNS: list[dict[str, Any]] = [{"num_workers": 1}, {"num_workers": 4}]


def spec(
    game: ExplicitGame, state: Place, depth: int, cutoff: float, rounded: bool, reach: float = 1.0
) -> tuple[float, int | None, int]:
    """Return the value, the leftmost optimal branch and the nodes, by definition."""
    n = game.many[state.index]
    chance = game.player(state) == CHANCE
    if n == 0 or depth == 0 or (chance and reach < cutoff):
        value = game.estimate(state)
        nearer = depth if n == 0 and abs(value) >= WIN else 0
        return value + (nearer if value > 0 else -nearer), None, 1
    below = [Place(game.first[state.index] + k) for k in range(n)]
    odds = [game.odds[s.index] if chance else 1.0 for s in below]
    found = [
        spec(game, s, depth - 1, cutoff, rounded, reach * p)
        for s, p in zip(below, odds, strict=True)
    ]
    nodes = 1 + sum(f[2] for f in found)
    if chance:
        mean = 0.0
        for p, f in zip(odds, found, strict=True):
            mean += round(p * f[0]) if rounded else p * f[0]
        return mean, None, nodes
    values = [f[0] for f in found]
    best = (max if game.player(state) == MAXIE else min)(values)
    return best, values.index(best), nodes


@pytest.mark.usefixtures("any_length")
@examples(30)
@given(
    trees(chance=True, floats=True), searches(scouts=False), st.integers(1, 5),
    cutoffs, st.booleans(), st.sampled_from([None, "64kB"]), st.sampled_from(RUNS),
)  # fmt: skip
def test_strategies_and_tables_do_not_change_the_value_of_the_definition(
    game: ExplicitGame, strategy: Strategy, depth: int, cutoff: float, rounded: bool,
    table: str | None, run: dict[str, Any],
) -> None:  # fmt: skip
    if not DEEP:  # one type of values, because each compiles kernels of its own
        game = evolve(game, values=tuple(map(float, game.values)))
    algorithm = expectimax(depth, cutoff=cutoff, rounded=rounded, table=table)
    found = search(game, algorithm, using=strategy).compute(**run)
    value, move, nodes = spec(game, game.start(), depth, cutoff, rounded)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert type(found.value) is (int if found.value == int(found.value) else float)
    assert found.move == move
    assert found.nodes == nodes if table is None else found.nodes <= nodes


TWENTY48 = Twenty48()
BOARD = TWENTY48.parse_state("2 4 8 .  8 4 16 4  16 32 4 2  64 32 8 .")
ROOMY = TWENTY48.parse_state("2 . . .  4 . 2 .  . . . .  8 4 . .")
POSITIONS: list[Any] = [
    (TWENTY48, BOARD, 4),
    (TWENTY48, ROOMY, 3),
    pytest.param(Pursuit(), Pursuit().start(), 5, marks=pytest.mark.long),
    pytest.param(TicTacToe(), TicTacToe().parse_state("1 5"), 5, marks=pytest.mark.long),
]


@pytest.mark.parametrize(("game", "state", "depth"), POSITIONS, ids=lambda x: repr(x)[:20])
def test_without_a_cutoff_it_is_plain_expectimax_on_both_engines(
    game: Any, state: Any, depth: int
) -> None:
    for choice in ("native", "interpreted"):
        engine = engine_for(game, choice)
        plain = engine.search(state, depth, narrow=False)
        bare = search_expectimax(engine, state, depth)
        assert (bare.value, bare.nodes, bare.leaves) == (plain.value, plain.nodes, plain.leaves)
        assert bare.line[:1] == plain.line[:1]
        kept = search_expectimax(engine, state, depth, table=Table("64kB"))
        assert (kept.value, kept.line[:1]) == (plain.value, plain.line[:1])
        assert kept.nodes <= plain.nodes


@pytest.mark.parametrize("cutoff", [0.0, 0.002, 0.03])
@pytest.mark.parametrize("rounded", [False, True])
def test_the_engines_agree_on_every_count(cutoff: float, rounded: bool) -> None:
    for state, depth in ((BOARD, 5), (ROOMY, 3)):
        found = [
            search_expectimax(
                engine_for(TWENTY48, choice), state, depth, cutoff=cutoff, rounded=rounded,
                table=Table("64kB"),
            )
            for choice in ("native", "interpreted")
        ]  # fmt: skip
        assert found[0] == found[1]


def test_a_table_saves_nodes_and_its_reuse_changes_nothing() -> None:
    table = Table("1MB")
    engine = engine_for(TWENTY48)
    alone = search_expectimax(engine, ROOMY, 5, cutoff=1e-4)
    first = search_expectimax(engine, ROOMY, 5, cutoff=1e-4, table=table)
    for other in (BOARD, ROOMY):
        search_expectimax(engine, other, 5, cutoff=1e-4, table=table)
        search_expectimax(engine, other, 4, cutoff=1e-4, table=table)
    again = search_expectimax(engine, ROOMY, 5, cutoff=1e-4, table=table)
    assert first.table.hits > 0
    assert first.nodes < alone.nodes
    assert alone.value == first.value == again.value
    assert alone.line[:1] == first.line[:1] == again.line[:1]


def test_a_cutoff_stops_at_chance_and_only_there() -> None:
    """Chance is reached with probability 1, then 1/4; players search on until it moves."""
    inner = Tree(
        "inner", CHANCE, (Tree("x", 0, value=40.0), Tree("y", 0, value=0.0)), 8.0, (0.5, 0.5)
    )
    player = Tree("player", MAXIE, (inner, Tree("z", 0, value=5.0)), -9.0)
    outer = Tree("outer", CHANCE, (player, Tree("w", 0, value=0.0)), 3.0, (0.25, 0.75))
    game = ExplicitGame.from_tree(Tree("root", MAXIE, (outer, Tree("v", 0, value=1.0)), 0.0))
    values = {c: search(game, expectimax(4, cutoff=c)).compute().value for c in (0, 0.25, 0.3, 1)}
    assert values == {0: 5, 0.25: 5, 0.3: 2, 1: 2}


def test_a_stopped_search_is_marked_as_unfinished() -> None:
    stop = Stop()
    stop.set()
    found = search_expectimax(engine_for(TWENTY48), ROOMY, 6, cutoff=1e-6, stop=stop)
    assert not found.finished


def test_half_points_are_rounded_to_even() -> None:
    for leaf, wanted in ((5.0, 2), (7.0, 4), (-5.0, -2), (3.0, 2)):
        leaves = Tree("a", 0, value=leaf), Tree("b", 0, value=0.0)
        tree = Tree("c", CHANCE, leaves, 0.0, (0.5, 0.5))
        game = ExplicitGame.from_tree(Tree("root", MAXIE, (tree,), 0.0))
        for choice in ("native", "interpreted"):
            found = search(game, expectimax(2, rounded=True), engine=choice).compute()
            assert found.value == wanted


def test_a_rounded_mean_may_lie_outside_the_bounds_of_its_outcomes() -> None:
    """This is why windows cannot pass through rounded means."""
    leaves = Tree("a", 0, value=3.0), Tree("b", 0, value=3.0)
    tree = Tree("c", CHANCE, leaves, 0.0, (0.5, 0.5))
    game = ExplicitGame.from_tree(tree)
    assert search(game, expectimax(1)).compute().value == 3
    assert search(game, expectimax(1, rounded=True)).compute().value == 4


def test_options_are_printed_and_parsed() -> None:
    algorithm = expectimax(7, cutoff=1e-4, table="1MB", rounded=True)
    assert repr(algorithm) == "expectimax(depth=7, table='1MB', cutoff=0.0001, rounded=True)"
    assert parse_algorithm(repr(algorithm)) == algorithm
    assert repr(expectimax(7, cutoff=0)) == "expectimax(depth=7)"


@pytest.mark.parametrize("cutoff", [-0.1, 1.5, True, "1e-4", float("nan")])
def test_a_cutoff_must_be_a_probability(cutoff: Any) -> None:
    with pytest.raises(AlgorithmError, match="cutoff must be a probability from 0 to 1"):
        expectimax(3, cutoff=cutoff)


def test_a_plan_opens_no_chance_node_below_the_cutoff() -> None:
    using = parse_strategy("par_list.to_ply(4)")
    plain = search(TWENTY48, expectimax(4), state=BOARD, using=using)
    cut = search(TWENTY48, expectimax(4, cutoff=0.3), state=BOARD, using=using)
    alone = search(TWENTY48, expectimax(4, cutoff=0.3), state=BOARD).compute()
    assert len(cut.tasks()) < len(plain.tasks())
    assert cut.compute(num_workers=2).nodes == alone.nodes
    visited = f"Terminals visited: {alone.leaves}"
    assert visited in search(TWENTY48, expectimax(4, cutoff=0.3), state=BOARD).trace()


@pytest.mark.parametrize("kind", [alphabeta, expectimax])
def test_a_table_keeps_one_position_at_many_depths(kind: Any) -> None:
    found, plain = (
        search(Pig(10), algorithm, engine="interpreted").compute()
        for algorithm in (kind(10, table="4MB"), kind(10))
    )
    assert 4 * found.nodes < plain.nodes
