import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import MAXIE, MINNIE, Nim, NimForMany, Status, find_game
from games.nim import Heaps
from strategies import maxn, search, solve
from strategies.native.verification.parity import parity
from tests.games.given import children, perft, positions, rules_agree

GAMES = [
    Nim(),
    Nim((1, 2, 3)),
    Nim((4,)),
    Nim((2, 2, 1, 1)),
    Nim((1, 1, 1), True),
    Nim((3, 2), True),
]
ANY = st.sampled_from(GAMES).flatmap(lambda game: st.tuples(st.just(game), positions(game, 12)))


def winner(game: Nim, state: Any) -> int:
    """Return the winner, by trying all plays."""
    status = game.status(state)
    if status != Status.IN_PLAY:
        return MAXIE if status == Status.MAXIE_WINS else MINNIE
    mine = any(winner(game, child) == state.turn for child in children(game, state))
    return int(state.turn if mine else 1 - state.turn)


@given(ANY)
def test_theory_predicts_the_winner(place: tuple[Nim, Any]) -> None:
    game, state = place
    if sum(state.heaps) < 7:
        assert game.mover_wins(state) == (winner(game, state) == state.turn)


@pytest.mark.parametrize("engine", ["interpreted", pytest.param("native", marks=pytest.mark.long)])
@pytest.mark.parametrize("misere", [False, True])
def test_solving_agrees_with_theory(misere: bool, engine: str) -> None:
    game = Nim((3, 4, 5), misere)
    for text in ("3-4-5/X", "1-4-5/O", "1-1-1/X", "1-1-0/O", "2-2-0/X", "3-3-3/O"):
        state = game.parse_state(text)
        value = solve(game, state=state, engine=engine).value
        assert ((value > 0) == game.mover_wins(state)) == (state.turn == 0), text


@given(ANY)
def test_a_move_takes_from_one_heap(place: tuple[Nim, Any]) -> None:
    game, state = place
    assert len(list(game.moves(state))) == sum(state.heaps)
    for heap, take in game.moves(state):
        after = game.make_move(state, (heap, take))
        assert after.turn == 1 - state.turn
        expected = list(state.heaps)
        expected[heap] -= take
        assert list(after.heaps) == expected
        assert expected[heap] >= 0


def test_the_last_object_wins_or_loses() -> None:
    assert Nim((1,)).status(Heaps((0,), 1)) == Status.MAXIE_WINS
    assert Nim((1,), True).status(Heaps((0,), 1)) == Status.MINNIE_WINS


def test_perft() -> None:
    assert [perft(Nim((1, 2)), Nim((1, 2)).start(), d) for d in range(4)] == [1, 3, 5, 3]


@given(ANY)
def test_pictures_and_labels_read_back(place: tuple[Nim, Any]) -> None:
    game, state = place
    assert game.parse_state(game.show(state)) == game.parse_state(game.label(state)) == state
    for move in game.moves(state):
        assert game.parse_move(state, game.move_text(state, move)) == move


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("3 4", "line 1, column 4: 2 heaps where the game has 3"),
        ("3\n 9\n5", "line 2, column 2: '9' is not a number from 0 to 4"),
        ("3 x4 5", "line 1, column 3: 'x4' is not a number from 0 to 4"),
        ("1-2-3-3", "line 1, column 7: 4 heaps where the game has 3"),
        ("/", "line 1, column 2: 0 heaps"),
        ("1:9", "line 1, column 1: '1:9' is not a legal move; legal moves: 1:1 1:2 1:3 2:1"),
    ],
)
def test_bad_positions_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Nim().parse_state(text)


def test_bad_heaps_are_refused() -> None:
    with pytest.raises(ValueError, match="every heap is empty"):
        Nim((0, 0))
    with pytest.raises(ValueError, match="1 to 64 heaps of 0 to 64 objects"):
        Nim((65,))
    with pytest.raises(ValueError, match="heap 2 must be a whole number, not"):
        Nim((3, 1.5))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="line 1, column 3: 'b' is not a number from 0 to 64"):
        Nim.of("3-b")


def test_a_game_can_be_compared_hashed_and_pickled() -> None:
    for game in GAMES:
        assert eval(repr(game)) == pickle.loads(pickle.dumps(game)) == game


FOR_MANY = [NimForMany((2, 1, 2)), NimForMany((1, 3), True), NimForMany((2, 2), players=4)]


def after_all(game: NimForMany, state: Any) -> tuple[float, ...]:
    """Return the result if each player maximises their own number, by trying all plays."""
    if sum(state.heaps) == 0:
        last, n = (state.turn - 1) % game.players, game.players
        if game.misere:
            return tuple(0 if player == last else 1 / (n - 1) for player in range(n))
        return tuple(float(player == last) for player in range(n))
    found = [after_all(game, child) for child in children(game, state)]
    return max(found, key=lambda value: value[state.turn])


@pytest.mark.parametrize("engine", ["interpreted", pytest.param("native", marks=pytest.mark.long)])
@pytest.mark.parametrize("game", FOR_MANY, ids=str)
def test_nim_for_many_agrees_with_trying_all_plays(game: NimForMany, engine: str) -> None:
    state = game.start()
    for _ in range(3):
        found = search(game, maxn(sum(state.heaps)), state=state, engine=engine).compute()
        value: Any = found.value
        assert value == after_all(game, state)
        state = game.make_move(state, found.move)


def test_rules_for_many_agree_on_both_engines() -> None:
    assert rules_agree(FOR_MANY[0])


@pytest.mark.long
@pytest.mark.parametrize("game", FOR_MANY, ids=str)
def test_searches_agree_on_both_engines(game: NimForMany) -> None:
    assert parity(game, playouts=3) > 0


def test_nim_for_many_reads_texts_and_refuses_bad_ones() -> None:
    game = Nim.of("2-3", players=4)
    assert game == NimForMany((2, 3), players=4)
    state = game.parse_state("1:1 2:2 1:1")
    assert game.label(state) == "0-1/Z"
    assert game.parse_state(game.show(state)) == game.parse_state("0-1/z") == state
    assert game.estimate(state) == (0.25,) * 4
    with pytest.raises(ValueError, match="for two players, not for more"):
        game.mover_wins(state)
    with pytest.raises(ValueError, match="players must be 2 to 8, not 9"):
        find_game("nim:2-3(players=9)")
    with pytest.raises(ValueError, match="every heap is empty"):
        NimForMany((0,))


def test_one_heap_can_be_read() -> None:
    assert find_game("nim:3") == Nim((3,))
    assert find_game("nim:3(players=3)") == NimForMany((3,), players=3)
