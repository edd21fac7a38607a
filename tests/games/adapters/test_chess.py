"""The chess adapter (python-chess) keeps the laws, and searches find mates."""

from __future__ import annotations

from pickle import dumps, loads
from typing import Any

import pytest

from games import WIN, IllegalMove, find_game, with_repetition
from games.adapters.chess import START, Chess
from games.laws import check_laws
from games.laws.of_counts import count_by_rules
from graphs import ArgumentError
from strategies import alphabeta, jamboree, search
from strategies.native import fingerprint


@pytest.fixture
def chess() -> Any:
    return pytest.importorskip("chess", reason="python-chess is not installed")


MATES = [
    ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", 1, "a1a8"),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3, "a1a6"),
    ("r7/8/8/8/8/1p6/PP6/KBk5 b - - 0 1", 3, "a8a3"),
]
"""Mates in one, and in two: Morphy's problem, and its mirror image for Black."""


@pytest.mark.parametrize(("fen", "plies", "move"), MATES)
def test_mates_are_found(chess: Any, fen: str, plies: int, move: str) -> None:
    game = Chess(fen)
    found = search(game, alphabeta(plies)).compute()
    assert found.move == move
    assert abs(found.value) >= WIN
    assert (found.value > 0) == (" w " in fen)
    if plies > 1:
        assert abs(search(game, alphabeta(plies - 1)).compute().value) < WIN


@pytest.mark.parametrize(
    ("fen", "plies"),
    [
        (
            "k7/8/8/8/8/p7/P7/K7 w - - 146 99",
            4,
        ),
        pytest.param("8/8/8/8/8/k7/7p/K7 b - - 0 1", 4, marks=pytest.mark.long),
        pytest.param(START, 4, marks=pytest.mark.long),
    ],
)
def test_chess_keeps_the_laws(chess: Any, fen: str, plies: int) -> None:
    """The first position is four plies from a draw, so that few positions follow it."""
    report = check_laws(Chess(fen), max_plies=plies)
    assert report.ok, str(report)


@pytest.mark.long
def test_chess960_keeps_the_laws(chess: Any) -> None:
    report = check_laws(Chess("k7/8/8/8/8/p7/P7/KR6 w B - 148 99", chess960=True), max_plies=2)
    assert report.ok, str(report)


@pytest.mark.parametrize("plies", [2, pytest.param(3, marks=pytest.mark.long)])
def test_perft_of_chess(chess: Any, plies: int) -> None:
    """Published numbers of positions after one, two and three plies."""
    game = Chess()
    level = [game.start()]
    for count in (20, 400, 8902)[:plies]:
        level = [game.make_move(s, m) for s in level for m in game.moves(s)]
        assert len(level) == count


@pytest.mark.parametrize(
    ("mate", "plies"), [(MATES[0], 2), pytest.param(MATES[1], 3, marks=pytest.mark.long)]
)
def test_chess_is_searched_in_parallel(chess: Any, mate: tuple[str, int], plies: int) -> None:
    fen = mate[0]
    one = search(Chess(fen), alphabeta(plies)).compute()
    two = search(Chess(fen), alphabeta(plies), using=jamboree(0.5)).compute(
        scheduler="processes", num_workers=2
    )
    assert (one.value, one.move) == (two.value, two.move)


def test_chess_reads_san_and_uci_moves_and_fen(chess: Any) -> None:
    game = Chess()
    state = game.parse_state("e4 e7e5 Nf3")
    assert state == game.parse_state("1. e4 e5 2. Nf3") == game.parse_state("1.e4 1...e5 2.Nf3")
    with pytest.raises(IllegalMove, match="column 12: 'Nf6'"):
        game.parse_state("1. e4 e5 2.Nf6")
    again = with_repetition(game, 3).parse_state("1. Nf3 Nf6 2. Ng1 Ng8")
    assert again.known == 3  # not without its past
    assert game.show(state).endswith("Black moves")
    assert game.parse_state(state.fen) == state
    assert game.estimate(state) == 0
    with pytest.raises(IllegalMove, match="'Ke4' is not a legal move; legal moves: "):
        game.parse_move(state, "Ke4")


@pytest.mark.parametrize(
    ("fen", "complaint"),
    [
        ("8/8/8", "line 1, column 6: 3 rows where a board has 8"),
        ("x/y", "line 1, column 1: 'x' is neither a piece"),
        (f"\n {START}".replace("PPPPPPPP", "PPPPPPP"), "line 2, column 35: row 7 has 7 squares"),
        (START.replace("8", "53", 1), "line 1, column 20: two numbers side by side"),
        (START.replace("8", "~8", 1), "line 1, column 19: '~' marks a promoted piece"),
        (START.replace("8", "8p", 1), "line 1, column 20: one square more"),
        (START.replace(" w", "/8 w"), "line 1, column 44: a ninth row"),
        (START.replace("w", "W"), "line 1, column 45: 'W' is not the side to move, w or b"),
        (START.replace("KQkq", "KX"), "line 1, column 47: 'KX' is not rights to castle, - or some"),
        (START.replace("- 0", "e9 0"), "line 1, column 52: 'e9' is not a square to capture en"),
        (START.replace("0", "x"), "line 1, column 54: 'x' is not a number of plies without"),
        (START.replace("0 1", "0 -1"), "line 1, column 56: '-1' is not the number of the move"),
        (f"{START} 2", "line 1, column 58: '2' stands behind the number of the move"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "line 1, column 1: no position of chess: no white king, no"),
        ("k7/8/8/8/8/8/8/R6K w", "line 1, column 20: no position of chess: opposite check"),
        ("k7/8/8/8/8/8/8/7K w K", "line 1, column 21: no position of chess: bad castling rights"),
        ("k7/8/8/8/8/8/8/7K w - e6", "line 1, column 23: no position of chess: invalid ep square"),
    ],
)
def test_wrong_positions_are_refused(chess: Any, fen: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=f"^{complaint}") as caught:
        Chess().parse_state(fen)
    assert "\n" not in str(caught.value)


def test_a_position_of_chess960_is_refused_with_the_game_that_reads_it(chess: Any) -> None:
    fen = "4k3/8/8/8/8/8/8/5KR1 w G - 0 1"
    with pytest.raises(ValueError, match=r"bad castling rights; it is one of Chess960: .*960=True"):
        Chess(fen)
    with pytest.raises(ValueError, match=r"bad castling rights$"):
        Chess("4k3/8/8/8/8/8/8/5KR1 w A - 0 1", chess960=True)
    with pytest.raises(ValueError, match=r"^chess960 must be"):
        Chess(fen, chess960=1)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [-1, 960, True])
def test_chess960_has_960_starts(chess: Any, number: int) -> None:
    with pytest.raises(ValueError, match="number must be a whole number, 0 to 959"):
        Chess.numbered(number)


def test_the_starts_of_chess960_are_distinct_and_lawful(chess: Any) -> None:
    """The kings stand between the rooks, the bishops on two colours, and both armies alike."""
    rows = [Chess.numbered(n).fen.split("/")[0] for n in range(0, 960, 7)]
    assert len({*rows}) == len(rows)
    for row in rows:
        assert sorted(row) == sorted("rnbqkbnr")
        assert row.index("r") < row.index("k") < row.rindex("r")
        assert (row.index("b") + row.rindex("b")) % 2 == 1
    assert Chess.numbered().fen == START.replace("KQkq", "HAha")
    assert find_game("chess960:0").start().fen.startswith("bbqnnrkr/")


@pytest.mark.parametrize(
    ("fen", "move", "san", "after"),
    [
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "O-O", "5RK1 b - - 1 1"),
        ("4k3/8/8/8/8/8/8/R1K5 w Q - 0 1", "c1a1", "O-O-O", "2KR4 b - - 1 1"),
        ("4k3/8/8/8/8/8/8/RR3K2 w B - 0 1", "f1b1", "O-O-O", "R1KR4 b - - 1 1"),
    ],
)
def test_castling_in_chess960_is_king_takes_rook(
    chess: Any, fen: str, move: str, san: str, after: str
) -> None:
    game = Chess(fen, chess960=True)
    start = game.start()
    assert game.parse_move(start, san) == game.parse_move(start, move) == move
    assert move in game.moves(start)
    assert game.move_text(start, move) == san
    assert game.make_move(start, move).fen == f"4k3/8/8/8/8/8/8/{after}"
    again = loads(dumps(start))
    assert (again, list(game.moves(again))) == (start, list(game.moves(start)))
    assert game.parse_state(start.fen) == start


def test_start_518_is_chess(chess: Any) -> None:
    """The same moves but for castling, and the same counts."""
    one, other = Chess(), Chess.numbered(518)
    assert one.start() != other.start()
    text = "e4 e5 Nf3 Nf6 Bc4 Bc5"
    here, there = one.parse_state(text), other.parse_state(text)
    assert {*one.moves(here)} - {"e1g1"} == {*other.moves(there)} - {"e1h1"}
    assert count_by_rules(one, here, 2) == count_by_rules(other, there, 2)


@pytest.mark.parametrize("fen", ["", " \n"])
def test_an_empty_text_is_refused(chess: Any, fen: str) -> None:
    with pytest.raises(ValueError, match=r"^line 1, column 1: no position of chess, which"):
        Chess(fen)


@pytest.mark.parametrize("fen", [5, None, b"8/8"])
def test_what_is_no_text_is_refused(chess: Any, fen: Any) -> None:
    with pytest.raises(ArgumentError, match="fen must be a text in Forsyth-Edwards notation"):
        Chess(fen)


def test_the_token_of_a_position_visits_no_table_of_python_chess(
    chess: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    visited, game, visit = [], Chess(), fingerprint.Walk.visit
    monkeypatch.setattr(fingerprint.Walk, "visit", lambda w, v: (visited.append(0), visit(w, v)))
    start, after = game.start(), game.make_move(game.start(), next(iter(game.moves(game.start()))))
    assert fingerprint.fingerprint(start) == fingerprint.fingerprint(game.start())
    assert fingerprint.fingerprint(start) != fingerprint.fingerprint(after)
    assert len(visited) < 5_000
