"""Othello against a plain implementation, published counts and the solved small board."""

import pickle
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import Othello, Status, weights_of, with_weights
from games.networks.learned import with_network
from games.networks.weights import Weights
from games.othello import FAR, FARTHER, PASS, REPLY, REPLY_AT_ONCE, Disks
from games.u64 import U64
from graphs.errors import MalformedError
from strategies import abdada, alphabeta, par_list, search, seq, solve
from strategies.native.hooks import proof_rank_of
from strategies.native.kept_engines import engine_for
from strategies.native.kernels.control import kernel
from strategies.native.memory.cells import cells
from tests.games.given import perft, positions

GAME = Othello()
BOARDS = [Othello(4), Othello(6), GAME]
ANY = st.sampled_from(BOARDS).flatmap(lambda game: st.tuples(st.just(game), positions(game, 70)))
PASSED = "c4 b4 a2 d2 d4 b1 a1 d3 a4"
"""A position on four rows in which Minnie can turn no disc, but Maxie can."""


def turned(rows: list[str], r: int, c: int, mark: str) -> set[tuple[int, int]]:
    """Return the discs that a disc of `mark` turns, by following each line square by square."""
    size, found = len(rows), set()
    for dr in (-1, 0, 1):
        for dc in (-1, 0, 1):
            line, y, x = [], r + dr, c + dc
            while 0 <= y < size and 0 <= x < size and rows[y][x] not in ("." + mark):
                line.append((y, x))
                y, x = y + dr, x + dc
            if (dr or dc) and 0 <= y < size and 0 <= x < size and rows[y][x] == mark:
                found |= set(line)
    return found


def places(rows: list[str], mark: str) -> list[int]:
    size = len(rows)
    squares = ((r, c) for r in range(size) for c in range(size))
    return [8 * r + c for r, c in squares if rows[r][c] == "." and turned(rows, r, c, mark)]


@given(ANY)
def test_moves_and_ends_agree_with_the_board(place: tuple[Othello, Any]) -> None:
    game, state = place
    rows, mark, other = game.rows(state), "XO"[state.turn], "OX"[state.turn]
    mine, theirs = places(rows, mark), places(rows, other)
    expected = mine or ([PASS] if theirs else [])
    assert list(game.moves(state)) == expected
    dark, light = (sum(row.count(m) for row in rows) for m in "XO")
    assert game.utility(state) == game.lead(state) == dark - light
    if mine or theirs:
        assert game.status(state) == Status.IN_PLAY
    else:
        won = [Status.DRAW, Status.MAXIE_WINS, Status.MINNIE_WINS]
        assert game.status(state) == won[(dark > light) - (dark < light)]


@given(ANY)
def test_a_move_turns_what_lies_between(place: tuple[Othello, Any]) -> None:
    game, state = place
    rows, mark = game.rows(state), "XO"[state.turn]
    for move in game.moves(state):
        after = game.make_move(state, move)
        assert after.turn == 1 - state.turn
        changed = set()
        if move != PASS:
            changed = turned(rows, move // 8, move % 8, mark) | {(move // 8, move % 8)}
        for r, row in enumerate(game.rows(after)):
            assert row == "".join(
                mark if (r, c) in changed else old for c, old in enumerate(rows[r])
            )


@given(ANY)
def test_features_agree_with_the_board(place: tuple[Othello, Any]) -> None:
    game, state = place
    rows = game.rows(state)
    corners = [row[c] for row in (rows[0], rows[-1]) for c in (0, -1)]
    mobility = len(places(rows, "X")) - len(places(rows, "O"))
    corner = corners.count("X") - corners.count("O")
    assert game.features(state) == (game.lead(state), mobility, corner)
    assert game.estimate(state) == mobility + 12 * corner
    assert with_weights(game, discs=2, corners=0).estimate(state) == mobility + 2 * game.lead(state)


def test_a_heavier_estimate_has_a_wider_range() -> None:
    assert GAME.value_range == (-112, 112)
    assert with_weights(GAME, discs=0, mobility=0, corners=0).value_range == (-64, 64)
    assert weights_of(with_weights(GAME, mobility=0.5)) == {
        "discs": 0, "mobility": 0.5, "corners": 12,
    }  # fmt: skip
    with pytest.raises(ValueError, match="no feature 'edges'; features: discs mobility corners"):
        with_weights(GAME, edges=1)


@given(ANY)
def test_pictures_and_moves_read_back(place: tuple[Othello, Any]) -> None:
    game, state = place
    assert game.parse_state(game.show(state)) == state
    for move in game.moves(state):
        assert game.parse_move(state, game.move_text(state, move)) == move


def test_a_player_without_moves_passes() -> None:
    game = Othello(4)
    state = game.parse_state(PASSED)
    assert [game.move_text(state, move) for move in game.moves(state)] == ["pass"]
    after = game.parse_state(PASSED + " pass")
    assert (after.mover, after.other, after.turn) == (state.other, state.mover, 0)
    assert game.status(state) == game.status(after) == Status.IN_PLAY


def test_perft() -> None:
    """The counts are published."""
    known = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288]
    native = engine_for(GAME, "native")
    assert [perft(GAME, GAME.start(), d) for d in range(4)] == known[:4]
    assert [native.perft(GAME.start(), d) for d in range(10)] == known


def test_value_of_small_boards() -> None:
    """On four rows the second player wins by 3 to 11, a published result."""
    found = search(Othello(4), alphabeta(depth=24)).compute()
    assert found.value == -8
    end = Othello(4).start()
    game = Othello(4)
    for move in found.line:
        end = game.make_move(end, move)
    assert (game.lead(end), game.over(end)) == (-8, True)
    assert sorted((end.mover.bit_count(), end.other.bit_count())) == [3, 11]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (". . . .\n. O ? .\n. X O .\n. . . .", "line 2, column 5: '\\?' is not one of X O"),
        (". . . .\n. O X .\n. X O .", "line 3, column 8: 3 rows where the board has 4"),
        (". . . .\n. O X\n. X O .\n. . . .", "line 2, column 6: 3 cells where the board has 4"),
        (
            ". . . .\n. O X .\n. . O .\n. . . .",
            "line 3, column 3: the four squares in the middle are never empty",
        ),
        ("a1", "line 1, column 1: 'a1' is not a legal move; legal moves: b1 a2 d3 c4"),
    ],
)
def test_bad_positions_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Othello(4).parse_state(text)


def test_bad_boards_are_refused() -> None:
    with pytest.raises(ValueError, match="size must be one of 4, 6, 8, not 5"):
        Othello(5)
    with pytest.raises(ValueError, match="size must be one of 4, 6, 8, not '6'"):
        Othello("6")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="one weight each for discs, mobility, corners"):
        Othello(weights=(1, 2))


def test_a_game_can_be_compared_hashed_and_pickled() -> None:
    for game in (*BOARDS, Othello(6, (1, 0.5, 3))):
        assert eval(repr(game)) == pickle.loads(pickle.dumps(game)) == game


@pytest.mark.parametrize("weight", [float("nan"), float("inf"), 2 * 10**9, "12", True, None])
def test_wrong_weights_are_refused(weight: Any) -> None:
    with pytest.raises(ValueError, match="corners: a weight must be a number from"):
        with_weights(GAME, corners=weight)
    with pytest.raises(ValueError, match="weight 2: a weight must be a number from"):
        Othello(8, (0, weight, 1))


@pytest.mark.parametrize(
    ("board", "turn", "score", "best"),
    [
        ("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO--", "X", 18, "g8"),
        ("----OX----OOXX---OOOXX-XOOXXOOOOOXXOXXOOOXXXOOOOOXXXXOXO--OOOOOX", "X", 2, "d1"),
        ("---X-X--X-XXXX--XXXXOXXXXXXOOOOOXXOXXXO-XOXXXXO-XOOXXX--XOOXXO--", "O", 8, "e1"),
    ],
)  # fmt: skip
def test_published_endgames(board: str, turn: str, score: int, best: str) -> None:
    """Problems 1, 3 and 8 of FForum: empty squares at the end are the winner's."""
    game = Othello(empties="winner")
    rows = [" ".join(board[8 * r : 8 * r + 8].replace("-", ".")) for r in range(8)]
    state = game.parse_state("\n".join([*rows, f"{turn} moves"]))
    found = solve(game, state)
    assert found.value == (score if turn == "X" else -score)
    assert found.line_texts[0] == best


@given(st.sampled_from(["nobody", "winner"]), st.lists(st.integers(0, 20), min_size=16))
def test_the_score_is_known_with_one_empty_square(empties: str, choices: list[int]) -> None:
    game = Othello(4, empties=empties)
    state = game.start()
    for choice in choices:
        moves = list(game.moves(state))
        if not moves:
            break
        if (state.mover | state.other).bit_count() == 15:
            low, high = game.candidate_bounds(state)
            found = search(game, alphabeta(2), state=state, engine="interpreted").compute()
            assert low == high == found.value
        state = game.make_move(state, moves[choice % len(moves)])
    if game.status(state) != Status.IN_PLAY:
        assert game.candidate_bounds(state) == (game.utility(state),) * 2


@given(st.sampled_from(BOARDS), st.lists(st.integers(0, 20), min_size=6), st.randoms())
def test_stable_discs_are_never_turned(game: Othello, choices: list[int], random: Random) -> None:
    """From any position, other plays to the end keep the discs that were stable on the way."""
    state = game.start()
    kept = [U64(0), U64(0)]
    for number in [*choices, *(random.randrange(20) for _ in range(60))]:
        if game.over(state):
            break
        empty = game.empty(state)
        for turn, discs in (state.turn, state.mover), (1 - state.turn, state.other):
            assert kept[turn] & ~discs == 0
            kept[turn] = kept[turn] | game.stable(discs, empty)
        state = game.make_move(state, game.nth_move(state, number % game.count_moves(state)))


def test_stable_discs_of_a_corner() -> None:
    """From a corner, stable discs fill the edge and rows beside it; a full board is stable."""
    corner = U64(0b111 | 0b11 << 8 | 0b1 << 16 | 0b1 << 36)
    assert GAME.stable(corner, ~corner) == corner & ~(U64(1) << 36)
    assert GAME.stable(corner, U64(0)) == corner
    assert GAME.stable(U64(0b10), ~U64(0b10)) == 0


@given(positions(Othello(4), 16))
def test_window_bounds_hold_the_score(state: Disks) -> None:
    game = Othello(4)
    if game.over(state) or (state.mover | state.other).bit_count() < 8:  # sooner, a search is long
        return
    score = search(game, alphabeta(depth=24), state=state).compute().value
    for low in range(-17, 18):
        least, most = game.window_bounds(state, low, low + 1)
        assert least <= score <= most


@kernel
def rank(game: Othello, state: Disks, control: object) -> int:
    """Return the rank of a position in a proof."""
    return proof_rank_of(game, state)


@given(positions(GAME, 58))
@settings(max_examples=20)
def test_a_learned_estimate_orders_moves(state: Disks) -> None:
    weights = np.random.default_rng(1).normal(0, 1, GAME.network().size).astype(np.float32)
    game = with_network(GAME, GAME.network(), Weights(weights))
    moves, sign = list(GAME.moves(state)), 1 - 2 * state.turn
    if GAME.status(state) != Status.IN_PLAY or PASS in moves:
        return
    empty = 64 - (state.mover | state.other).bit_count()
    after = max(sign * game.estimate(GAME.make_move(state, move)) for move in moves)
    wanted = -after - REPLY * len(moves)
    if empty < FARTHER:
        wanted = -sign * game.estimate(state) - REPLY_AT_ONCE * len(moves)
    if empty < FAR:
        wanted = GAME.promise(state)
    assert game.learned_promise(state) == pytest.approx(wanted)
    ranks = {engine_for(game, e).call(rank, state, cells(1)) for e in ("native", "interpreted")}
    assert len(ranks) == 1


def test_a_learned_estimate_changes_no_value() -> None:
    """Problem 1 of FForum after best play, with weights that order moves badly."""
    game = Othello(empties="winner")
    board = "..XXXXX..OXOXX.O.XOOXXOOXXXXXXXOOXXXOOXOOXXOXOOOOXXOOOOOXXXXXXX."
    rows = [" ".join(board[8 * r : 8 * r + 8]) for r in range(8)]
    state = game.parse_state("\n".join([*rows, "O moves"]))
    how: Any = {"memory": "4MB", "engine": "interpreted"}  # the order is the same, see above
    weights = np.random.default_rng(1).normal(0, 1, game.network().size).astype(np.float32)
    learned = with_network(game, game.network(), Weights(weights))
    one, other = (solve(each, state, **how) for each in (game, learned))
    assert (one.value, one.move) == (other.value, other.move)
    assert one.nodes != other.nodes
    for using in (seq.joined(), par_list.to_ply(1), abdada(workers=2)):
        shared = solve(learned, state, using=using, **how)
        assert (one.value, one.move) == (shared.value, shared.move)


@given(st.lists(st.integers(0, 20), max_size=58))
def test_empty_squares_are_the_winners_if_asked(choices: list[int]) -> None:
    plain, winner = Othello(4), Othello(4, empties="winner")
    state = plain.start()
    for choice in choices:
        moves = list(plain.moves(state))
        if not moves:
            break
        state = plain.make_move(state, moves[choice % len(moves)])
    left = 16 - state.mover.bit_count() - state.other.bit_count()
    lead = plain.utility(state)
    more = left if lead > 0 else -left if lead < 0 else 0
    assert winner.utility(state) == lead + more


def test_wrong_empties_are_refused() -> None:
    with pytest.raises(MalformedError, match="empties must be 'nobody' or 'winner', not 'all'"):
        Othello(empties="all")
