"""Games as one writes them first follow their rules, and run as machine code as they stand."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.as_written.backgammon import Backgammon
from benchmarks.as_written.backgammon import Board as BackgammonBoard
from benchmarks.as_written.cant_stop import CantStop
from benchmarks.as_written.chess import Chess, Color, Kind, Piece
from benchmarks.as_written.chess import Position as ChessPosition
from benchmarks.as_written.draughts import Draughts
from benchmarks.as_written.go import Go
from benchmarks.as_written.oware import Oware
from benchmarks.as_written.oware import Position as OwarePosition
from benchmarks.as_written.quoridor import Quoridor
from benchmarks.as_written.yahtzee import Yahtzee
from strategies import engine_for
from strategies.native.compiler.rules_in_numba import Bound

GAMES = [
    *(Draughts(), Chess(), Backgammon(), Oware(), Quoridor(), Go(), CantStop(), Yahtzee()),
]
SHORT = [Draughts(), Go(4)]


def chess(text: str, turn: str = "w", castling: str = "-", en_passant: str = "-") -> ChessPosition:
    """Return the position of a Forsyth-Edwards text."""
    rows = []
    for line in text.split("/"):
        row: list[Piece | None] = []
        for letter in line:
            if letter.isdigit():
                row += [None] * int(letter)
            else:
                color = Color.WHITE if letter.isupper() else Color.BLACK
                row.append(Piece(color, Kind(letter.lower())))
        rows.append(tuple(row))
    square = None
    if en_passant != "-":
        square = (8 - int(en_passant[1]), "abcdefgh".index(en_passant[0]))
    rights = frozenset(castling.replace("-", ""))
    whose = Color.WHITE if turn == "w" else Color.BLACK
    return ChessPosition(tuple(rows), whose, rights, square)


KIWIPETE = chess("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R", "w", "KQkq")
ENDGAME = chess("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8")
PROMOTING = chess("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R", "w", "KQ")
PUBLISHED: list[tuple[Any, Any, list[int]]] = [
    (Draughts(), None, [9, 81, 658, 4265, 27117, 167140]),
    (Chess(), None, [20, 400, 8902]),
    (Chess(), KIWIPETE, [48, 2039, 97862]),
    (Chess(), ENDGAME, [14, 191, 2812, 43238]),
    (Chess(), PROMOTING, [44, 1486, 62379]),
]
"""Numbers of positions that others found: chessprogramming.org, and damforum's for draughts."""


@pytest.mark.parametrize(("game", "state", "counts"), PUBLISHED)
def test_positions_are_as_many_as_others_count(game: Any, state: Any, counts: list[int]) -> None:
    engine = engine_for(game, "native")
    state = game.start() if state is None else state
    assert [engine.perft(state, d + 1) for d in range(len(counts))] == counts


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "depth", "count"),
    [(Draughts(), 7, 1049442), (Draughts(), 8, 6483961), (Chess(), 4, 197281)],
)
def test_many_positions_are_as_many_as_others_count(game: Any, depth: int, count: int) -> None:
    assert engine_for(game, "native").perft(game.start(), depth) == count


def compare(game: Any, plays: int, depth: int) -> None:
    """Assert that random plays and what follows are the same in machine code as in Python."""
    fast, slow = (engine_for(game, how) for how in ("native", "interpreted"))
    for seed in range(plays):
        state, plies = fast.playout(game.start(), seed, 9 * seed)
        assert (state, plies) == slow.playout(game.start(), seed, 9 * seed)
        for d in range(depth + 1):
            assert fast.perft(state, d) == slow.perft(state, d)
        assert fast.search(state, depth) == slow.search(state, depth)


@pytest.mark.parametrize("game", SHORT, ids=repr)
def test_random_positions_are_those_of_python(game: Any) -> None:
    compare(game, plays=6, depth=1)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_many_random_positions_are_those_of_python(game: Any) -> None:
    assert engine_for(game).reason == ""
    assert isinstance(engine_for(game)._rules, Bound)
    compare(game, plays=20, depth=1 if engine_for(game).has_chance else 2)


def test_backgammon_plays_both_dice_and_enters_from_the_bar() -> None:
    game = Backgammon()
    points = [0] * 26
    points[25], points[6], points[1] = 1, 14, -15
    points[19] = -2
    state = BackgammonBoard(tuple(points), dice=(6, 5))
    assert list(game.moves(state)) == [((25, 5), (20, 6))]


def test_an_oware_player_who_captures_all_captures_nothing() -> None:
    game = Oware()
    state = OwarePosition((0, 0, 0, 0, 1, 2, 1, 1, 0, 0, 0, 0), (0, 0), 0)
    assert game.make_move(state, 5).scores == (0, 0)
    left = OwarePosition((0, 0, 0, 0, 1, 2, 1, 1, 0, 3, 0, 0), (0, 0), 0)
    assert game.make_move(left, 5).scores == (4, 0)


def test_a_single_stone_is_not_taken_back_at_once() -> None:
    game = Go()
    points = [(1, 0), (1, 1), (0, 1), (0, 2), (2, 1), (2, 2), (4, 4), (1, 3)]
    state = game.start()
    for point in points:
        state = game.make_move(state, point)
    taken = game.make_move(state, (1, 2))  # takes (1, 1)
    assert taken.ko == (1, 1)
    assert (1, 1) not in set(game.moves(taken))
    assert (1, 1) not in dict(taken.stones)
