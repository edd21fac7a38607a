import pickle
from collections import Counter
from functools import cache
from typing import Any

import pytest
from hypothesis import given

from games import IllegalMove, Status
from games.tictactoe import FULL, Marks, TicTacToe
from tests.games.given import children, perft, positions

GAME = TicTacToe()


def test_every_game_is_counted_and_scored() -> None:
    @cache
    def ends(state: Marks) -> Counter[Status]:
        """Count the games by result; the games below a position are counted once and cached."""
        after = children(GAME, state)
        return sum(map(ends, after), Counter()) if after else Counter([GAME.status(state)])

    known = {Status.MAXIE_WINS: 131_184, Status.MINNIE_WINS: 77_904, Status.DRAW: 46_080}
    assert ends(GAME.start()) == known
    assert sum(known.values()) == 255_168


def test_perft() -> None:
    assert [perft(GAME, GAME.start(), d) for d in range(5)] == [1, 9, 72, 504, 3024]


@given(positions(GAME, 9))
def test_pictures_and_moves_read_back(state: Any) -> None:
    assert GAME.parse_state(GAME.show(state)) == state
    assert GAME.parse_state(GAME.label(state)) == state
    for move in GAME.moves(state):
        assert GAME.parse_move(state, GAME.move_text(state, move)) == move


@given(positions(GAME, 9))
def test_no_moves_after_the_end_and_no_square_is_used_twice(state: Any) -> None:
    assert (GAME.status(state) == Status.IN_PLAY) == bool(list(GAME.moves(state)))
    assert state.maxies & state.minnies == 0
    assert (state.maxies | state.minnies) & ~FULL == 0


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("X . .\n. Q .\n. . .", r"line 2, column 3: 'Q' is not one of X O \."),
        ("X . . .\n. . .\n. . .", "line 1, column 7: 4 cells where the board has 3"),
        ("X . .", "line 1, column 6: 1 rows where the board has 3"),
        ("X.O/...\n.../ O..", "line 2, column 6: more rows than the board's 3"),
        ("X 5 .\n. . .\n. . .", "line 1, column 3: '5' is not one of"),
        (". . / O O", "line 1, column 4: 2 cells where the board has 3"),
        ("X X .\n. . .\n. . .", "line 1, column 3: 2 X and 0 O"),
        ("X X X\nO O .\nO . .", "line 1, column 1: the player to move already has three in a row"),
        ("1 1", "line 1, column 3: '1' is not a legal move; legal moves: 2 3 4 5 6 7 8 9"),
    ],
)
def test_bad_positions_are_refused_in_one_line(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as caught:
        GAME.parse_state(text)
    assert "\n" not in str(caught.value)


def test_a_finished_game_takes_no_move() -> None:
    with pytest.raises(IllegalMove, match="legal moves: none"):
        GAME.parse_state("1 4 2 5 3 6")


def test_a_game_can_be_compared_hashed_and_pickled() -> None:
    assert eval(repr(GAME)) == pickle.loads(pickle.dumps(GAME)) == GAME
    assert hash(GAME) == hash(TicTacToe())
