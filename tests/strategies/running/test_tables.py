"""Algorithms with a table: the laws of searches hold for them, whatever the strategy."""

from __future__ import annotations

import gc
from typing import Any
from weakref import ref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import ConnectFour, ExplicitGame
from strategies import alphabeta, parse_strategy, search
from strategies.algebra.strategy import Strategy
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.names import parse_algorithm
from strategies.algorithms.two_players import mtdf, pvs
from strategies.native.kept_engines import engine_for
from strategies.native.memory.transposition_table import Counts, Table
from strategies.running.execution.iteration import _of_runs
from strategies.values.notation import parse_using
from tests.properties import DEEP
from tests.strategies.given import brute, searches, trees

KINDS = (alphabeta, pvs, mtdf)
RUNS: list[dict[str, Any]] = [
    {"num_workers": 1},
    {"num_workers": 4},
    {"scheduler": "threads", "num_workers": 4},
]


@given(
    st.one_of(
        st.tuples(st.just("native"), trees(chance=True, floats=DEEP)),
        st.tuples(st.just("interpreted"), trees(chance=True, floats=True)),
    ),  # native searches of floats need kernels of their own
    searches(),
    st.sampled_from(KINDS),
    st.integers(1, 5),
    st.sampled_from(RUNS),
)
def test_value_and_leftmost_optimal_move_are_those_of_minimax(
    tree: tuple[str, ExplicitGame], strategy: Strategy, kind: Any, depth: int, run: dict[str, Any]
) -> None:
    engine, game = tree
    asked = search(game, kind(depth, table="64kB"), using=strategy, engine=engine)
    found = asked.compute(**run)
    value, move = brute(game, game.start(), depth)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.move == move


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("using", ["seq", "jamboree(0.5).to_ply(2)", "scout.to_ply(2)"])
def test_threads_share_a_table_and_agree_with_plain_alpha_beta(kind: Any, using: str) -> None:
    game = ConnectFour(5, 4, pairs=1)
    for moves in ("", "3", "3342"):
        state = game.parse_state(moves)
        wanted = engine_for(game).search(state, 9)
        found = search(game, kind(9, table="1MB"), state=state, using=parse_strategy(using))
        result = found.compute(num_workers=4)
        assert (result.value, result.move) == (wanted.value, wanted.line[0])
        assert result.table.hits > 0


GOLDENS = {"alphabeta": (19108, 10196), "pvs": (15391, 8908), "mtdf": (19032, 11271)}
"""Nodes and leaves of Connect Four with estimates by pairs, 8 plies."""


@pytest.mark.parametrize("kind", KINDS)
def test_known_node_counts_on_every_run(kind: Any) -> None:
    for _ in range(2):
        found = search(ConnectFour(pairs=1), kind(8, table="1MB")).compute()
        assert (found.value, found.move) == (2, 3)
        assert (found.nodes, found.leaves) == GOLDENS[kind.__name__]


@pytest.mark.usefixtures("only_new_garbage")
def test_a_table_is_released_after_its_run() -> None:
    gc.collect()
    before = len(_of_runs)
    found = search(ConnectFour(5, 4, pairs=1), pvs(6)).compute()
    gc.collect()
    assert len(_of_runs) == before
    assert found.table.probes > 0
    assert search(ConnectFour(5, 4, pairs=1), alphabeta(6)).compute().table == Counts()


@pytest.mark.parametrize(
    "algorithm",
    [pvs(3), pvs(3, table="1MB"), mtdf(4, nearer_wins=False), alphabeta(2, table=5000), pvs(0)],
)
def test_the_repr_of_an_algorithm_recreates_it(algorithm: Algorithm) -> None:
    assert parse_algorithm(repr(algorithm)) == algorithm


@pytest.mark.parametrize("size", ["12XB", "", 0, -5, True, 1.5])
def test_a_wrong_size_is_refused(size: Any) -> None:
    with pytest.raises(AlgorithmError, match="a size must be a number of bytes"):
        alphabeta(3, table=size)


@pytest.mark.parametrize("time", [None, 0.02])
@pytest.mark.parametrize(
    "using", ["seq", "abdada(2)", "lazy_smp(2)", "par_list.everywhere", "seq.joined()"]
)
def test_a_table_is_given_back_as_soon_as_its_search_is_over(
    using: str, time: float | None
) -> None:
    """No cycle of objects holds it until the garbage collector finds that."""
    gc.collect()
    gc.disable()
    try:
        for _ in range(2):
            table = Table("64kB")
            gone = ref(table)
            asked = search(
                ConnectFour(), pvs(40 if time else 5), using=parse_using(using), time=time
            )
            asked.compute(num_workers=2, memory=table)
            del table
            assert gone() is None
    finally:
        gc.enable()
