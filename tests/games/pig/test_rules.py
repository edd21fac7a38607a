"""The rules of Pig for two and for more players."""

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import CHANCE, Pig, PigForMany, Status
from games.pig.rules import HOLD, ROLL, Turn
from tests.games.given import children, positions

GAMES = [Pig(), Pig(12), Pig(3, 2), PigForMany(10), PigForMany(9, 4, 5)]
ANY = st.sampled_from(GAMES).flatmap(lambda game: st.tuples(st.just(game), positions(game, 40)))


@given(ANY)
def test_rules_agree_with_a_plain_implementation(place: tuple[Pig, Any]) -> None:
    game, state = place
    after_me = (state.mover + 1) % game.players
    if max(state.totals) >= game.target:
        assert children(game, state) == []
    elif game.player(state) == CHANCE:
        sides = [child for _, child in game.outcomes(state)]
        assert sides[0] == Turn(state.totals, after_me, 0, False)
        assert [child.brought - state.brought for child in sides[1:]] == list(
            range(2, game.sides + 1)
        )
        assert {(child.totals, child.mover) for child in sides[1:]} <= {(state.totals, state.mover)}
    else:
        assert game.player(state) == state.mover
        assert list(game.moves(state)) == [ROLL, HOLD]
        held = game.make_move(state, HOLD)
        gains = [new - old for new, old in zip(held.totals, state.totals, strict=True)]
        assert gains == [state.brought * (p == state.mover) for p in range(game.players)]
        assert (held.mover, held.brought, held.rolling) == (after_me, 0, False)


@given(ANY)
def test_the_values_are_probabilities(place: tuple[Pig, Any]) -> None:
    game, state = place
    if game.players > 2:
        rule = game.estimate if game.status(state) == Status.IN_PLAY else game.utility
        shares: Any = rule(state)
        assert sum(shares) == pytest.approx(1)
    elif game.status(state) != Status.IN_PLAY:
        winner = [total >= game.target for total in state.totals].index(True)
        assert game.utility(state) == 1 - 2 * winner


def test_holding_the_target_wins() -> None:
    for player, status in enumerate((Status.MAXIE_WINS, Status.MINNIE_WINS, Status.OVER)):
        totals = tuple(10 * (p == player) for p in range(3))
        end = Turn(totals, (player + 1) % 3, 0, False)
        assert PigForMany(10).status(end) == status
        assert PigForMany(10).utility(end) == tuple(float(p == player) for p in range(3))


@given(ANY)
def test_pictures_read_back(place: tuple[Pig, Any]) -> None:
    game, state = place
    if game.status(state) == Status.IN_PLAY:
        assert game.parse_state(game.show(state)) == state
    assert game.parse_state("") == game.start()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("40", "line 1, column 3: expected 2 numbers"),
        ("40 100", "line 1, column 4: '100' is not a number from 0 to 99"),
        ("40 50, Bob has brought 5", "line 1, column 8: 'Bob' is not one of Maxie Minnie"),
        ("40 50, Maxie brought 5", "line 1, column 8: expected 'Maxie has brought 5'"),
        ("40 50\nMaxie has brought five", "line 2, column 19: 'five' is not a number"),
    ],
)
def test_bad_positions_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Pig().parse_state(text)


def test_bad_games_are_refused() -> None:
    for wrong, complaint in (
        ({"players": 1}, "players must be a whole number, 2 to 8, not 1"),
        ({"target": 0}, "target must be a whole number, 1 to 10000, not 0"),
        ({"sides": 1}, "sides must be a whole number, 2 to 100, not 1"),
    ):
        with pytest.raises(ValueError, match=complaint):
            Pig.of(**wrong)


def test_a_game_can_be_compared_hashed_and_pickled() -> None:
    for game in GAMES:
        assert eval(repr(game)) == pickle.loads(pickle.dumps(game)) == game
