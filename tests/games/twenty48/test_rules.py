import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games import CHANCE, MAXIE, Status
from games.networks.learned import with_network
from games.networks.ntuples import NTuples, turned
from games.networks.trainee import Rows, trainee
from games.networks.weights import Weights
from games.twenty48.row_tables import worths
from games.twenty48.rules import Tiles, Twenty48, points
from games.u64 import U64
from strategies.native.kept_engines import engine_for
from strategies.native.kernels.fixed_depth import leaf_value
from strategies.native.memory.cells import cells
from tests.games.given import children, positions

GAME = Twenty48()
ENDLESS = Twenty48(None)
LOW, HIGH = GAME.value_range
BOARDS = st.lists(st.integers(0, 15), min_size=16, max_size=16)
CLOSE = st.lists(st.integers(0, 2), min_size=16, max_size=16)
LAST = [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8]


def word(powers: list[int]) -> U64:
    return U64(sum(power << 4 * i for i, power in enumerate(powers)))


def powers(cells: U64) -> list[int]:
    return [int(cells >> 4 * i) & 15 for i in range(16)]


def slid(row: list[int]) -> list[int]:
    """Slide a row by the plain rule: close gaps, merge equal neighbours once, from the left."""
    tiles, out = [power for power in row if power], []
    while tiles:
        first = tiles.pop(0)
        if tiles and tiles[0] == first and first < 15:
            tiles.pop(0)
            first += 1
        out.append(first)
    return out + [0] * (4 - len(out))


def moved(board: list[int], direction: str) -> list[int]:
    rows = [board[k : k + 4] for k in (0, 4, 8, 12)]
    if direction in ("up", "down"):
        rows = [list(column) for column in zip(*rows, strict=True)]
    if direction in ("right", "down"):
        rows = [slid(row[::-1])[::-1] for row in rows]
    else:
        rows = [slid(row) for row in rows]
    if direction in ("up", "down"):
        rows = [list(column) for column in zip(*rows, strict=True)]
    return [power for row in rows for power in row]


@given(BOARDS | CLOSE)
def test_every_move_agrees_with_the_slow_rules(board: list[int]) -> None:
    state = Tiles(word(board), MAXIE)
    expected = {}
    for direction in ("left", "right", "up", "down"):
        after = moved(board, direction)
        if after != board:
            expected[direction] = after
    made = {
        ENDLESS.move_text(state, m): powers(ENDLESS.make_move(state, m).cells)
        for m in ENDLESS.moves(state)
    }
    assert made == expected
    assert list(made) == list(expected)
    assert ENDLESS.status(state) == (Status.IN_PLAY if expected else Status.OVER)


@given(BOARDS.filter(lambda board: 0 in board))
def test_chance_fills_each_empty_cell_in_order(board: list[int]) -> None:
    state = Tiles(word(board), CHANCE)
    empty = [i for i in range(16) if board[i] == 0]
    outcomes = list(ENDLESS.outcomes(state))
    assert [powers(child.cells) for _, child in outcomes] == [
        [*board[:i], new, *board[i + 1 :]] for i in empty for new in (1, 2)
    ]
    assert [p for p, _ in outcomes] == [p / len(empty) for _ in empty for p in (0.9, 0.1)]
    assert sum(p for p, _ in outcomes) == pytest.approx(1, abs=1e-12)


def test_chance_moves_twice_at_the_start() -> None:
    first = [child for _, child in GAME.outcomes(GAME.start())]
    assert len(first) == 32
    assert {child.turn for child in first} == {CHANCE}
    second = [child for _, child in GAME.outcomes(first[0])]
    assert len(second) == 30
    assert {child.turn for child in second} == {MAXIE}


@given(BOARDS)
def test_values_stay_in_their_range(board: list[int]) -> None:
    state = Tiles(word(board), MAXIE)
    assert LOW <= GAME.estimate(state) <= HIGH
    assert LOW <= GAME.utility(state) <= HIGH


def test_the_range_holds_for_every_row() -> None:
    assert worths().min() >= 0
    assert 8 * int(worths().max()) <= HIGH


def test_points_are_the_sum_of_merged_tiles() -> None:
    assert points(word([1, 2, 3, *[0] * 13])) == 0 + 4 + 16
    assert points(word([11, *[0] * 15])) == 20_480


def test_a_target_ends_the_game_won() -> None:
    game = Twenty48(8)
    state = game.parse_state("4 4 . .  . . . .  . . . .  . . . .")
    won = game.make_move(state, game.parse_move(state, "left"))
    assert game.status(won) == Status.MAXIE_WINS
    assert game.utility(won) > game.estimate(state) > game.utility(state)
    assert list(game.moves(Tiles(won.cells, MAXIE))) == []
    assert ENDLESS.status(won) == Status.IN_PLAY


def test_a_board_without_a_move_is_lost() -> None:
    stuck = Tiles(word([*LAST[:4], *LAST[4:8], *LAST[:4], *LAST[4:8]]), MAXIE)
    assert GAME.status(stuck) == Status.OVER
    assert list(GAME.moves(stuck)) == []
    assert GAME.utility(stuck) == points(stuck.cells)


@given(positions(ENDLESS, 60))
def test_positions_read_back(state: Any) -> None:
    assert ENDLESS.parse_state(ENDLESS.show(state)) == state
    assert (ENDLESS.status(state) == Status.IN_PLAY) == bool(children(ENDLESS, state))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("2 2 2", "line 1, column 6: a board has 16 cells, not 3"),
        ("2 . . .\n. 3 . .", "line 2, column 3: '3' is not a tile; tiles are 2, 4, 8 … 2048"),
        ("4096" + " ." * 15, "'4096' is not a tile"),
        ("1" + " ." * 15, "'1' is not a tile"),
        ("2 " * 16 + "chance", "there is no empty cell for a new tile"),
    ],
)
def test_bad_boards_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        GAME.parse_state(text)


@pytest.mark.parametrize("target", [0, 3, 4, 2047, 65536, -8, 2.5])
def test_bad_targets_are_refused(target: Any) -> None:
    with pytest.raises(ValueError, match=f"not {target}"):
        Twenty48(target)


def test_a_game_can_be_compared_hashed_and_pickled() -> None:
    for game in (GAME, ENDLESS, Twenty48(64)):
        assert eval(repr(game)) == pickle.loads(pickle.dumps(game)) == game
        assert hash(game) == hash(pickle.loads(pickle.dumps(game)))
    assert len(pickle.dumps(GAME)) < 200
    assert ENDLESS != GAME


@given(st.lists(st.sampled_from([0, 1, 5, 11, 12, 13, 14, 15]), min_size=16, max_size=16))
@example([*range(16)])
@example([15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 0, 1, 1])
def test_tiles_above_the_largest_missing_one_are_halved_if_the_largest_is_there(
    board: list[int],
) -> None:
    state = Tiles(word(board), CHANCE)
    missing = max({*range(1, 16)} - set(board), default=15)
    halved = [power - (power > missing) for power in board]
    assert powers(ENDLESS.familiar(state).cells) == (halved if 15 in board else board)
    assert ENDLESS.familiar(state).turn == CHANCE
    assert ENDLESS.stage(state) == sum(2**p for p in set(board) if p >= 13) // 2**13


def test_a_learned_estimate_reads_the_familiar_position_on_both_engines() -> None:
    """Its secured points are those of the position itself, and learning reads it as it is."""
    network = NTuples(16, ((0, 1, 2), (4, 5)), turned(4, 4), stages=3)
    row = np.random.default_rng(1).normal(size=network.size).astype(np.float32)
    learned: Any = with_network(ENDLESS, network, Weights(row))
    state = ENDLESS.parse_state("32768 16384 4096 2  8 . . .  . . . .  . . . . chance")
    read = ENDLESS.parse_state("16384 8192 4096 2  8 . . .  . . . .  . . . . chance")
    assert ENDLESS.familiar(state) == read
    assert learned.net_value(state) == learned.net_sum(read) + ENDLESS.secured(state)
    native = engine_for(learned, "native")
    assert native.call(leaf_value, state, cells(1)) == learned.estimate(state)
    rows = Rows(row, *np.zeros((2, 0), np.float32))
    learner, player = (trainee(ENDLESS, network, rows, playing) for playing in (False, True))
    assert player.net_sum(state) == learned.net_sum(read) == learner.net_sum(read)
    assert learner.net_sum(state) != learner.net_sum(read)
