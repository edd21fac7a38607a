"""N-tuple networks: look-ups, symmetries that share weights, weights as data."""

from __future__ import annotations

import pickle
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from games import HANDOUT_SMALL, ConnectFour, Dense, Othello, TicTacToe, Twenty48
from games.networks.learned import network_of, plain, with_network
from games.networks.ntuples import (
    NTuples,
    bits,
    distinct,
    fits,
    lines,
    looked_up_in_words,
    mirrored,
    turned,
    windows,
)
from games.networks.trainee import FAR, Rows, trainee
from games.networks.weights import Weights, digest_of
from games.networks.writing import rule
from games.u64 import U64
from strategies import learn
from tests.properties import examples

TREE: Any = HANDOUT_SMALL
SMALL = NTuples(16, ((0, 1, 2), (4, 5)), turned(4, 4))
GAMES: list[Any] = [TicTacToe(), ConnectFour(4, 4, 3), Othello(4), Twenty48(None)]


def drawn(network: NTuples, seed: int = 1) -> Weights:
    return Weights(np.random.default_rng(seed).normal(size=network.size))


@examples(40)
@given(st.integers(1, 4), st.integers(1, 4), st.booleans(), st.data())
def test_symmetric_boards_have_the_same_sum(
    rows: int, columns: int, all_sides: bool, data: st.DataObject
) -> None:
    count = rows * columns
    sides = turned(rows, columns) if all_sides else mirrored(rows, columns)
    cells = data.draw(st.permutations(range(count)))[: data.draw(st.integers(1, min(4, count)))]
    network = NTuples(3, [cells], sides)
    assert len(network.lookups) == len(network.group)
    board = data.draw(st.lists(st.integers(0, 2), min_size=count, max_size=count))

    def looked_up(values: list[int]) -> list[int]:
        return sorted(network.index(begin, cells, values) for begin, cells in network.lookups)

    for turn in network.group:
        assert looked_up([board[cell] for cell in turn]) == looked_up(board)
    assert max(looked_up(board)) < network.size


@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_an_estimate_is_the_sum_of_its_weights(game: Any) -> None:
    network = SMALL if game.players == 1 else network_of(game)
    weights = drawn(network)
    learned = with_network(game, network, weights)
    state = game.start()
    for _ in range(4):
        values = [game.cell(state, k) for k in range(network.cells)]
        assert set(values) <= set(range(network.values))
        found = sum(
            float(weights.values[network.index(begin, cells, values)])
            for begin, cells in network.lookups
        )
        sign = -1 if game.players == 2 and game.player(state) == 1 else 1
        secured = getattr(game, "secured", lambda state: 0)(state)
        assert learned.net_value(state) == pytest.approx(secured + sign * found, abs=1e-9)
        low, high = learned.net_low, learned.net_high
        assert learned.estimate(state) == min(max(learned.net_value(state), low), high)
        if game.player(state) == -1:
            state = list(game.outcomes(state))[-1][1]
        else:
            state = game.make_move(state, next(iter(game.moves(state))))


def test_learned_games_differ_by_their_weights_and_can_be_pickled() -> None:
    game, network = TicTacToe(), network_of(TicTacToe())
    one, same, other = (with_network(game, network, drawn(network, seed)) for seed in (1, 1, 2))
    assert one == same != other
    assert hash(one) == hash(same)
    assert type(one) is type(other)
    copy = pickle.loads(pickle.dumps(one))
    assert copy == one
    assert type(copy) is type(one)
    assert plain(one) == plain(game) == game
    with pytest.raises(ValueError, match="read-only"):
        one.net_weights.values[0] = 1


@examples(20)
@given(st.floats(-1, 1), st.floats(0.1, 1), st.booleans(), st.sampled_from(["1", "1 5"]))
def test_a_revision_goes_towards_its_target(
    target: float, rate: float, coherent: bool, moves: str
) -> None:
    game, network = TicTacToe(), NTuples(3, ((0, 1), (4,)), mirrored(3, 3))
    learner = trainee(game, network, Rows.new(network, 0.25, coherent))
    state = game.parse_state(moves)
    before = learner.net_value(state)
    error = learner.net_revise(state, target, rate)
    assert error == pytest.approx(target - before)
    # Each of the four look-ups takes a quarter of the step; two that share a weight take half.
    met = len(
        {
            i
            for begin, cells in network.lookups
            for i in [network.index(begin, cells, [game.cell(state, k) for k in range(9)])]
        }
    )
    assert met in (3, 4)
    if abs(error) > 1e-3:
        moved = (learner.net_value(state) - before) / (rate * error)
        assert moved == pytest.approx(1 if met == 4 else 1.5, rel=1e-3)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: NTuples(1, ((0,),)), "values must be a whole number, 2 or more"),
        (lambda: NTuples(2, ()), "one tuple or more"),
        (lambda: NTuples(2, ((0, 0),)), "must be distinct"),
        (lambda: NTuples(2, ((0, 9),), mirrored(1, 3)), "no cell 9"),
        (lambda: NTuples(2, ((0, 1),), ((0, 0),)), "each cell of the board once"),
        (lambda: NTuples(16, (tuple(range(9)),)), "too many"),
        (lambda: network_of(TREE), "define cell.*and network"),
        (lambda: with_network(TREE, NTuples(2, ((0,),)), Weights([0, 0])), "no cell"),
        (lambda: with_network(TicTacToe(), NTuples(2, ((0,),)), Weights([0])), "2 weights, not 1"),
    ],
)
def test_wrong_networks_are_refused(make: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        make()


def test_tuples_of_a_board() -> None:
    assert len(lines(6, 7, 4)) == 69
    assert len(windows(4, 4, 2, 3)) == 6
    assert distinct(windows(4, 4, 2, 3), turned(4, 4)) == ((0, 1, 2, 4, 5, 6), (4, 5, 6, 8, 9, 10))


@pytest.mark.parametrize("network", [SMALL, Dense(3, 9, 4)])
def test_a_weight_and_its_sums_lie_side_by_side(network: Any) -> None:
    """So that an update waits for memory once; files and digests do not tell the difference."""
    rows, apart = Rows.new(network, 0.5, True), Rows.new(network, 0.5)
    first, *others = (row.ctypes.data for row in (rows.values, rows.sums, rows.sizes))
    assert [other - first for other in others] == [4, 8]
    assert apart.sums.size == 0
    assert np.array_equal(rows.values, apart.values)
    assert digest_of(rows.values) == digest_of(apart.values)


@examples(30)
@given(st.data())
def test_indices_read_from_a_word_are_those_read_cell_by_cell(data: st.DataObject) -> None:
    boards = st.sampled_from([(4, 4, 16), (2, 3, 4), (3, 3, 8), (8, 8, 2)])
    rows, columns, values = data.draw(boards)
    count = rows * columns
    cells = data.draw(st.permutations(range(count)))[: data.draw(st.integers(1, min(5, count)))]
    network = NTuples(values, [cells, (count - 1,)], turned(rows, columns))
    assert fits(network)
    board = data.draw(st.lists(st.integers(0, values - 1), min_size=count, max_size=count))
    word = U64(sum(value << (bits(network) * k) for k, value in enumerate(board)))
    indices = [f"i{n}" for n in range(len(network.lookups))]
    text = f"[{', '.join(indices)}]"
    body = [" base = 7", *looked_up_in_words(network), f" return {text}"]
    found = rule("found", "self, state", body)
    game = SimpleNamespace(packed=lambda state: state)
    wanted = [network.index(7 + begin, read, board) for begin, read in network.lookups]
    assert found(game, word) == wanted


def test_learning_from_words_and_with_prefetching_is_the_same_to_the_last_bit() -> None:
    class Apart(Twenty48):
        packed = None  # type: ignore[assignment]

    network, found = NTuples(16, [(0, 1, 2, 4, 5), (4, 5, 6, 8, 9), (5, 6)], turned(4, 4)), []
    assert network.size > FAR
    for game, engine in ((Twenty48(), "native"), (frozen(Apart)(), "interpreted")):
        learned = learn(game, network, games=1, ply_limit=50, engine=engine, start=9)
        found.append(learned.weights)
    assert found[0] == found[1]
