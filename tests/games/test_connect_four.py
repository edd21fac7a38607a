import pickle
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import MAXIE, Status
from games.connect_four import ConnectFour
from tests.games.given import perft, positions

GAME = ConnectFour()
BOARDS = [
    GAME,
    ConnectFour(4, 4),
    ConnectFour(5, 4, 3),
    ConnectFour(8, 7),
    ConnectFour(9, 6, 5),
    ConnectFour(1, 9, 2),
]
ANY = st.sampled_from(BOARDS).flatmap(lambda game: st.tuples(st.just(game), positions(game, 60)))


def in_line(rows: list[str], mark: str, many: int) -> bool:
    """Say whether `k` discs are in line, by checking cell by cell."""
    cells = {(x, y) for y, row in enumerate(rows) for x, c in enumerate(row) if c == mark}
    return any(
        all((x + k * dx, y + k * dy) in cells for k in range(many))
        for (x, y), (dx, dy) in product(cells, [(1, 0), (0, 1), (1, 1), (1, -1)])
    )


def rows_of(game: ConnectFour, state: Any) -> list[str]:
    return [line.replace(" ", "") for line in game.show(state).splitlines()[:-1]]


def test_perft() -> None:
    known = [1, 7, 49, 343, 2401, 16807]
    assert [perft(GAME, GAME.start(), d) for d in range(6)] == known


@given(ANY)
def test_status_agrees_with_the_board(place: tuple[ConnectFour, Any]) -> None:
    game, state = place
    rows = rows_of(game, state)
    status = game.status(state)
    assert (status == Status.MAXIE_WINS) == in_line(rows, "X", game.connect)
    assert (status == Status.MINNIE_WINS) == in_line(rows, "O", game.connect)
    assert (status == Status.IN_PLAY) == bool(list(game.moves(state)))
    if status == Status.DRAW:
        assert "." not in "".join(rows)


@given(ANY)
def test_a_move_drops_one_disc_onto_its_column(place: tuple[ConnectFour, Any]) -> None:
    game, state = place
    before = rows_of(game, state)
    for move in game.moves(state):
        after = rows_of(game, game.make_move(state, move))
        pile = [row[move] for row in before]
        pile[pile.count(".") - 1] = "X" if game.player(state) == MAXIE else "O"
        assert [row[move] for row in after] == pile
        assert [row[:move] + row[move + 1 :] for row in after] == [
            row[:move] + row[move + 1 :] for row in before
        ]


@given(ANY)
def test_pictures_and_moves_read_back(place: tuple[ConnectFour, Any]) -> None:
    game, state = place
    if state != game.start():
        assert game.parse_state(game.show(state)) == state
    for move in game.moves(state):
        assert game.parse_move(state, game.move_text(state, move)) == move


def test_the_empty_board_reads_back() -> None:
    assert GAME.parse_state(GAME.show(GAME.start())) == GAME.start()
    assert GAME.parse_state("") == GAME.start()


def test_moves_are_read_with_and_without_separators() -> None:
    assert GAME.parse_state("4453") == GAME.parse_state("4 4 5 3") == GAME.parse_state("4,4,5,3")


def test_estimate_counts_pairs_from_maxies_side() -> None:
    game = ConnectFour(pairs=3)
    assert GAME.estimate(game.parse_state("1122")) == 0
    assert game.estimate(game.parse_state("415")) == 3
    assert game.estimate(game.parse_state("4151")) == 0
    assert game.estimate(game.parse_state("4161")) == -3


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ((9, 7), "9 columns and 7 rows needs 72 bits"),
        ((0, 4), "width must be a whole number, 1 or more, not 0"),
        ((7, 6, 1), "connect must be a whole number, 2 or more, not 1"),
        ((7, 6, 4, 10**10), "pairs: a weight must be a number from -10.9 to 10.9, not 10000000000"),
    ],
)
def test_wrong_sizes_of_boards_are_refused(fields: tuple[int, ...], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        ConnectFour(*fields)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (". . X .\n" + ". . . .\n" * 3, "line 1, column 5: a disc hangs over an empty cell"),
        (". . . .\n. . ! .\n. . . .\n. . . .", "line 2, column 5: '!' is not one of X O"),
        (". . . .\n" * 3 + "O . . .", "line 4, column 1: 0 X and 1 O"),
        (
            ". . . .\nO . . .\nO O O .\nX X X X\n",
            "line 4, column 1: the player to move already has 4 in line",
        ),
        ("1 9", "line 1, column 3: '9' is not a legal move; legal moves: 1 2 3 4"),
        ("11111", "line 1, column 5: '1' is not a legal move; legal moves: 2 3 4"),
    ],
)
def test_bad_positions_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        ConnectFour(4, 4).parse_state(text)


def test_a_game_can_be_compared_hashed_and_pickled() -> None:
    for game in BOARDS:
        assert eval(repr(game)) == pickle.loads(pickle.dumps(game)) == game
    assert ConnectFour(4, 4) in {ConnectFour(4, 4)}
    assert ConnectFour(4, 4) != ConnectFour(4, 5)
