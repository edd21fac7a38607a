"""Searches with a table find the value and move of minimax, on both engines, in any move order."""

from itertools import product
from math import nan

import pytest
from attrs import evolve, frozen
from hypothesis import given
from hypothesis import strategies as st

from games.connect_four import ConnectFour, Discs
from games.explicit import ExplicitGame, Place
from games.failed import RuleFailed
from games.game import WIN
from games.u64 import U64
from strategies.native.calls import alphabeta as calls
from strategies.native.calls.alphabeta import search_alphabeta
from strategies.native.engine import control_for
from strategies.native.hooks import NUMBERS
from strategies.native.kept_engines import engine_for
from strategies.native.kernels.alphabeta import (
    ANCESTORS,
    HISTORY,
    LARGEST,
    LINES,
    PROMISE,
    gain,
)
from strategies.native.memory.cells import Stop
from strategies.native.memory.transposition_table import Table
from tests.properties import DEEP
from tests.strategies.native.boards import Everything, brute, trees

FLAGS = tuple(product((False, True), repeat=2))
"""With and without null windows and move ordering."""


@frozen
class Hooked(ExplicitGame):
    """An explicit tree with its own move order and its own key, which has a cheap hash."""

    def promise(self, child: Place) -> int:
        return child.index * 7 % 5

    def key(self, state: Place) -> U64:
        return U64(state.index)


def both(game: ExplicitGame | ConnectFour | Everything, *args: object, **more: object) -> object:
    """Return the result of a search, which must be the same interpreted and compiled."""
    state = game.start()
    found = [
        search_alphabeta(engine_for(game, c), Table("4kB"), state, *args, **more)  # type: ignore[arg-type]
        for c in ("interpreted", "native")
    ]
    assert found[0] == found[1]
    return found[1]


WHOLE, REAL = trees(), trees(floats=True)
EITHER = st.one_of(WHOLE, REAL)
CLASSES = st.sampled_from([Hooked, ExplicitGame] if DEEP else [Hooked])
"""Each class of games and type of values needs a kernel: one of the four by default."""


@pytest.mark.usefixtures("any_length")
@given(CLASSES, EITHER if DEEP else REAL, st.integers(0, 5), st.booleans(), st.sampled_from(FLAGS))
def test_values_and_moves_of_random_trees(cls, tree, depth, nearer, flags):  # type: ignore[no-untyped-def]
    game = cls.from_tree(tree)
    value, _, _, line = brute(game, tree, depth, nearer)
    found = both(game, depth, scouts=flags[0], orders=flags[1], nearer=nearer)
    assert found.value == pytest.approx(value)
    assert found.line[:1] == line[:1]


@pytest.mark.usefixtures("any_length")
@given(trees(floats=True), st.integers(1, 4), st.floats(-3, 3), st.floats(0, 3))
def test_results_are_exact_inside_the_window_and_bounds_outside(tree, depth, alpha, width):  # type: ignore[no-untyped-def]
    game = Hooked.from_tree(tree)
    value = brute(game, tree, depth)[0]
    beta = alpha + width
    if alpha < beta:
        for scouts, orders in FLAGS:
            found = both(game, depth, alpha, beta, scouts=scouts, orders=orders).value
            if found <= alpha:
                assert value <= found + 1e-9
            elif found >= beta:
                assert value >= found - 1e-9
            else:
                assert found == pytest.approx(value)


@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize("size", ["4kB", "1MB"])
def test_connect_four_with_transpositions(flags: tuple[bool, bool], size: str) -> None:
    """A tiny table forgets constantly, a warm one nothing; neither changes the result."""
    game = ConnectFour(pairs=1)
    engine = engine_for(game)
    table = Table(size)
    for moves in ("", "3", "33", "1234", "51335"):
        state = game.parse_state(moves)
        for depth in (*range(9), 4, 7):
            wanted = engine.search(state, depth)
            found = search_alphabeta(
                engine, table, state, depth, scouts=flags[0], orders=flags[1], nearer=True
            )
            assert (found.value, found.line[:1]) == (wanted.value, wanted.line[:1])


@pytest.mark.parametrize(
    "game", [ConnectFour(pairs=1), pytest.param(Everything(), marks=pytest.mark.long)]
)
def test_engines_agree_on_games_with_transpositions(game: ConnectFour | Everything) -> None:
    for depth, flags in product((1, 4, 5), FLAGS):
        both(game, depth, scouts=flags[0], orders=flags[1])


GOLDENS = {
    (False, False): (5168, 2399),
    (False, True): (9389, 5665),
    (True, False): (4961, 2301),
    (True, True): (8903, 5288),
}
"""Nodes and leaves of Connect Four, 8 plies, estimate 0; plain alpha-beta visits 12,574 nodes."""


@pytest.mark.parametrize("flags", FLAGS)
def test_goldens(flags: tuple[bool, bool]) -> None:
    game = ConnectFour()
    engine = engine_for(game)
    found = search_alphabeta(
        engine, Table("1MB"), game.start(), 8, scouts=flags[0], orders=flags[1], nearer=False
    )
    assert (found.value, found.line[0]) == (0, 0)
    assert (found.nodes, found.leaves) == GOLDENS[flags]


def test_a_repeated_search_is_answered_by_the_table() -> None:
    game = ConnectFour(pairs=1)
    engine, table = engine_for(game), Table("1MB")
    first = search_alphabeta(engine, table, game.start(), 8)
    second = search_alphabeta(engine, table, game.start(), 8)
    assert second.nodes < 50 < first.nodes
    assert (second.value, second.line[0]) == (first.value, first.line[0])
    assert first.table.hits > 0
    assert first.table.stores > first.table.overwritten
    assert 0 < table.full() < 1


def test_wins_are_counted_from_the_root() -> None:
    game = ConnectFour()
    state = game.parse_state("121212")
    found = search_alphabeta(engine_for(game), Table("1MB"), state, 6)
    assert (found.value, found.line) == (WIN + 5, (0,))


@frozen
class Keyed(ConnectFour):
    """Connect Four with its own key, which has a cheap hash."""

    def key(self, state: Discs) -> U64:
        return state.mover + state.all


@pytest.mark.parametrize(
    ("engine", "deep"), [("interpreted", 7), pytest.param("native", 9, marks=pytest.mark.long)]
)
def test_a_key_of_the_game_does_not_change_the_result(engine: str, deep: int) -> None:
    plain, keyed = ConnectFour(5, 4, pairs=1), Keyed(5, 4, pairs=1)
    for depth in (5, deep):
        found = [
            search_alphabeta(engine_for(g, engine), Table("1MB"), g.start(), depth)
            for g in (plain, keyed)
        ]
        assert [found[0].value, found[0].line] == [found[1].value, found[1].line]


def test_a_budget_of_nodes_ends_a_search_and_is_the_same_on_both_engines() -> None:
    game = ConnectFour()
    found = both(game, 12, nodes=2000)
    assert not found.finished  # type: ignore[attr-defined]
    assert 2000 < found.nodes < 2300  # type: ignore[attr-defined]


def test_a_stop_ends_a_search() -> None:
    game, stop = ConnectFour(), Stop()
    stop.set()
    assert not search_alphabeta(
        engine_for(game), Table("4kB"), game.start(), 30, stop=stop
    ).finished


@pytest.mark.usefixtures("any_length")
def test_the_error_for_a_failing_rule_lists_its_moves() -> None:
    tree = Hooked.from_nested([[3.0, 5.0], [4.0, 9.0]])
    game = evolve(tree, values=(*map(float, tree.values[:-1]), nan))  # it runs the code of others
    for choice in ("native", "interpreted"):
        with pytest.raises(RuleFailed) as failed:
            search_alphabeta(engine_for(game, choice), Table("4kB"), game.start(), 2)
        assert failed.value.moves == ("1", "1")
    with pytest.raises(ValueError, match="0 to 1000000, not"):
        search_alphabeta(engine_for(game), Table("4kB"), game.start(), 10**7)


@given(st.lists(st.tuples(st.integers(0, 2 * NUMBERS - 1), st.integers(2, 10**6)), max_size=99))
def test_a_weight_of_the_history_never_passes_the_largest(cutoffs: list[tuple[int, int]]) -> None:
    control = [LARGEST] * ANCESTORS
    for at, depth in cutoffs:
        gain(control, HISTORY + at, depth)
        assert max(control[HISTORY:]) <= LARGEST < PROMISE


@pytest.mark.parametrize("engine", ["interpreted", "native"])
def test_searches_that_begin_with_large_weights_halve_them(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    control = control_for(6, LINES)
    control[HISTORY:ANCESTORS] = [LARGEST] * (2 * NUMBERS)
    monkeypatch.setattr(calls, "control_for", lambda depth, rows: control)
    game = ConnectFour()
    found = search_alphabeta(engine_for(game, engine), Table("64kB"), game.start(), 6, orders=True)
    weights = list(control[HISTORY:ANCESTORS])
    assert LARGEST // 2 <= max(weights) <= LARGEST
    assert (found.value, found.line[0]) == (0, 0)
