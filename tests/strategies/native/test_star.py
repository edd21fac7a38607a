"""Star1 and Star2: the value and move of expectimax to the last bit, and fewer nodes."""

from __future__ import annotations

import random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

from games import CHANCE, MAXIE, MINNIE, ExplicitGame, TicTacToe, Tree
from games.pig.rules import Pig
from strategies import (
    alphabeta,
    eval_list,
    expectimax,
    minimax,
    par_list,
    parse_strategy,
    search,
    seq,
)
from strategies.algebra.strategy import Strategy
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.names import parse_algorithm
from strategies.native.calls.expectimax import search_star
from strategies.native.kept_engines import engine_for
from strategies.native.kernels.star import narrowed, outcome_window
from strategies.native.memory.cells import Stop
from strategies.native.memory.transposition_table import Table
from strategies.running.plans.opening import plan
from strategies.searches.search import Search
from tests.properties import DEEP, examples
from tests.strategies.given import searches, trees

PRUNINGS = st.sampled_from(["star1", "star2"])
TABLES = st.sampled_from([None, "64kB"])
RUNS: list[dict[str, Any]] = [{"num_workers": 1}, {"num_workers": 4}]


def mixed(seed: int) -> ExplicitGame:
    """Return a random tree with all kinds of nodes in any order and many ties."""
    draw = random.Random(seed)
    fine = draw.random() < 0.5

    def value() -> float:
        return draw.randint(-30, 30) / 10 if fine else draw.randint(-3, 3)

    def build(depth: int) -> Tree:
        if depth == 0 or draw.random() < 0.1:
            return Tree("", draw.randint(0, 1), value=value())
        kind = draw.choice([MAXIE, MINNIE, CHANCE])
        below = tuple(build(depth - 1) for _ in range(draw.randint(1, 4)))
        odds = [draw.randint(1, 5) for _ in below]
        chances = tuple(p / sum(odds) for p in odds) if kind == CHANCE else ()
        return Tree("", kind, below, value(), chances)

    return ExplicitGame.from_tree(build(draw.randint(1, 6)))


@pytest.mark.parametrize("block", range(100 if DEEP else 4))
def test_value_and_move_agree_with_expectimax_to_the_last_bit(block: int) -> None:
    saved = 0
    for seed in range(100 * block, 100 * (block + 1)):
        game = mixed(seed)
        depth = 1 + seed % 6
        engine = engine_for(game, "interpreted")
        full = engine.search(game.start(), depth, narrow=False)
        for probes in (False, True):
            for table in (None, Table("16kB")):
                found = search_star(
                    engine, game.start(), depth, game.value_range or (0, 0), probes=probes,
                    table=table,
                )  # fmt: skip
                assert (found.value, found.line[:1]) == (full.value, full.line[:1]), seed
                saved += full.nodes - found.nodes
    assert saved > 0


@pytest.mark.parametrize("three", [3.0, -3.0])
@pytest.mark.parametrize("pruning", ["star1", "star2"])
@pytest.mark.parametrize("using", [seq, eval_list.everywhere, par_list.everywhere], ids=str)
def test_a_mean_may_be_rounded_beyond_the_bounds(
    three: float, pruning: str, using: Strategy
) -> None:
    """0.2 · 3 + 0.8 · 3 is 3.0000000000000004, slightly more than the greatest leaf."""
    # Floats only: ints among them would be compiled for anew.
    leaf = Tree("", value=three)
    inner = Tree("", CHANCE, (leaf, leaf), value=0.0, chances=(0.2, 0.8))
    outer = Tree("", CHANCE, (inner, Tree("", value=-three)), value=0.0, chances=(0.5, 0.5))
    player = MAXIE if three > 0 else MINNIE
    game = ExplicitGame.from_tree(Tree("", player, (Tree("", value=0.0), outer), value=0.0))
    for engine in ("native", "interpreted"):
        full = search(game, expectimax(3), engine=engine).compute()
        found = search(game, expectimax(3, pruning=pruning), using=using, engine=engine).compute()
        assert (found.value, found.move) == (full.value, full.move)
        assert found.move == 1


@examples(15)
@given(trees(chance=True, floats=True), PRUNINGS, st.integers(1, 5))
def test_the_engines_agree_on_every_count(game: ExplicitGame, pruning: str, depth: int) -> None:
    if not DEEP:  # one type of values, because each compiles kernels of its own
        game = evolve(game, values=tuple(map(float, game.values)))
    found = [
        search_star(
            engine_for(game, choice), game.start(), depth, game.value_range or (0, 0),
            probes=pruning == "star2", table=Table("16kB"),
        )
        for choice in ("native", "interpreted")
    ]  # fmt: skip
    assert found[0] == found[1]


@examples(40)
@given(
    trees(chance=True, floats=True), PRUNINGS, TABLES, st.floats(-4, 4), st.floats(-4, 4),
    searches(), st.sampled_from(RUNS),
)  # fmt: skip
def test_a_search_is_exact_inside_its_window_and_a_bound_outside(
    game: ExplicitGame, pruning: str, table: str | None, a: float, b: float, strategy: Strategy,
    run: dict[str, Any],
) -> None:  # fmt: skip
    assume(a < b)
    v = search(game, minimax(9), engine="interpreted").compute().value
    algorithm = expectimax(9, pruning=pruning, table=table)
    asked = plan(game, algorithm, strategy, window=(a, b), engine="interpreted")
    r = Search(asked).compute(**run).value
    assert r == v if a < v < b else v <= r <= a if v <= a else b <= r <= v


@examples(40)
@given(
    trees(chance=True, floats=True, wins=True), searches(), PRUNINGS, TABLES, st.integers(1, 5),
    st.sampled_from(RUNS),
)  # fmt: skip
def test_no_strategy_changes_value_or_move(
    game: ExplicitGame, strategy: Strategy, pruning: str, table: str | None, depth: int,
    run: dict[str, Any],
) -> None:  # fmt: skip
    algorithm = expectimax(depth, pruning=pruning, table=table)
    wanted = search(game, minimax(depth), engine="interpreted").compute()
    found = search(game, algorithm, using=strategy, engine="interpreted").compute(**run)
    assert (found.value, found.move) == (wanted.value, wanted.move)
    assert found.sparks.balanced()


@given(trees(chance=True, floats=True), st.integers(1, 5))
def test_sequential_strategies_visit_the_nodes_of_the_kernel(
    game: ExplicitGame, depth: int
) -> None:
    algorithm = expectimax(depth, pruning="star1")
    alone = search(game, algorithm, engine="interpreted").compute()
    inside = [
        eval_list.everywhere,
        eval_list.to_ply(2),
        parse_strategy("eval_list.everywhere.grain(plies=1)"),
    ]
    for strategy in inside:
        found = search(game, algorithm, using=strategy, engine="interpreted").compute(num_workers=2)
        assert (found.nodes, found.leaves) == (alone.nodes, alone.leaves)
    apart = search(game, algorithm, using=par_list.everywhere, engine="interpreted")
    assert (
        apart.compute().nodes <= search(game, minimax(depth), engine="interpreted").compute().nodes
    )


@given(trees(floats=True), st.integers(1, 5), PRUNINGS)
def test_without_chance_it_visits_the_nodes_of_alphabeta(
    game: ExplicitGame, depth: int, pruning: str
) -> None:
    plain = search(game, alphabeta(depth), engine="interpreted").compute()
    found = search(game, expectimax(depth, pruning=pruning), engine="interpreted").compute()
    assert (found.value, found.move, found.nodes) == (plain.value, plain.move, plain.nodes)


def test_goldens_of_pig() -> None:
    nodes = {
        (pruning, table): search(Pig(10), expectimax(8, pruning=pruning, table=table))
        .compute()
        .nodes
        for pruning in (None, "star1", "star2")
        for table in (None, "4MB")
    }
    assert nodes[None, None] == 7421
    assert nodes["star1", None] == 3435
    assert nodes["star2", None] == 3187
    assert nodes["star1", "4MB"] == 1276
    assert nodes["star2", "4MB"] == 1076


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.data())
def test_an_outcome_outside_its_window_decides_the_node(odds: list[int], data: Any) -> None:
    chances = [p / sum(odds) for p in odds]
    values = [data.draw(st.integers(-3, 3)) for _ in odds]
    alpha = data.draw(st.integers(-4, 3))
    beta = data.draw(st.integers(alpha + 1, 4))
    mean = sum(p * v for p, v in zip(chances, values, strict=True))
    least, most = -3.0, 3.0
    for p, v in zip(chances, values, strict=True):
        a, b = outcome_window(alpha, beta, least, most, p, -3.0, 3.0, 1e-6)
        if a >= b or (v < a or v > b):
            assert mean <= alpha or mean >= beta
            return
        least, most = narrowed(least, most, p, -3.0, 3.0, v, v)
    assert least == pytest.approx(mean) == most


def test_an_algorithm_is_printed_and_errors_say_what_to_do() -> None:
    written = "expectimax(depth=5, table='1MB', pruning='star2')"
    assert repr(parse_algorithm(written)) == written
    for text, words in (
        ("expectimax(5, pruning='star3')", "'star1', 'star2' or None"),
        ("expectimax(5, pruning='star1', cutoff=0.1)", "with cutoff; leave one out"),
        ("expectimax(5, pruning='star1', rounded=True)", "outside the bounds .* leave one out"),
    ):
        with pytest.raises(AlgorithmError, match=words):
            parse_algorithm(text)
    unbounded = ExplicitGame((0,), (1,), (0,), (1,), (3,), (1.0,))
    with pytest.raises(AlgorithmError, match="no value_range; leave out pruning"):
        search(unbounded, expectimax(2, pruning="star1"))


def test_it_deepens_within_a_time_limit() -> None:
    pruned, plain = (expectimax(3, pruning=p) for p in ("star1", None))
    found = search(Pig(10), pruned, time=60).compute()
    assert (found.depth, found.value) == (3, search(Pig(10), plain).compute().value)


def test_a_stopped_search_returns_no_result() -> None:
    stop = Stop()
    stop.set()
    found = search_star(engine_for(Pig(10)), Pig(10).start(), 9, (-1, 1), probes=True, stop=stop)
    assert not found.finished
    assert found.nodes < 100


def test_a_strategy_with_compiled_rules() -> None:
    using = parse_strategy("jamboree(0.5).to_ply(3)")
    for game in (Pig(10), TicTacToe()):
        wanted = search(game, expectimax(7)).compute()
        for pruning in ("star1", "star2"):
            found = search(game, expectimax(7, pruning=pruning), using=using).compute(num_workers=2)
            assert (found.value, found.move) == (wanted.value, wanted.move)
