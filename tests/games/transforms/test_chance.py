import pickle
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from games import CHANCE, MAXIE, MINNIE, ConnectFour, Game, Status, TicTacToe, Twenty48
from games.connect_four import Discs
from games.failed import RuleFailed
from games.transforms.chance import ByMove, Policy, Uniform, WithChance, WithMoreChance, with_chance
from strategies import expectimax, search
from tests.games.given import children, positions

C4 = ConnectFour()


@frozen
class Centre(Policy[Discs, int]):
    """A policy that prefers the middle and never plays the first column."""

    def weight(self, state: Discs, move: int) -> float:
        return float(move * (6 - move) if move < 6 else 1)


GAMES: list[WithChance[Any, Any]] = [
    with_chance(C4, MINNIE),
    with_chance(C4, MAXIE, (1, 2, 3, 4, 3, 2, 1)),
    with_chance(C4, MINNIE, Centre()),
    with_chance(Twenty48(64), MAXIE),
    with_chance(with_chance(TicTacToe(), MINNIE), MAXIE),
]
PLACES = st.sampled_from(GAMES).flatmap(lambda game: st.tuples(st.just(game), positions(game)))


@given(PLACES)
def test_chance_makes_the_moves_of_a_player(place: tuple[WithChance[Any, Any], Any]) -> None:
    game, state = place
    if game.status(state) != Status.IN_PLAY:
        assert list(game.moves(state)) == []
    elif game.player(state) != CHANCE:
        assert game.game.player(state) == game.player(state) != game.turned
        assert list(game.moves(state)) == list(game.game.moves(state))
    else:
        assert list(game.moves(state)) == []
        outcomes = list(game.outcomes(state))
        assert all(p > 0 for p, _ in outcomes)
        assert sum(p for p, _ in outcomes) == pytest.approx(1, abs=1e-12)
        if game.policy == Uniform():
            assert [child for _, child in outcomes] == children(game.game, state)


@given(positions(C4, 20))
def test_weights_are_shared_among_the_legal_moves(state: Discs) -> None:
    weights = (1.0, 2.0, 3.0, 4.0, 3.0, 2.0, 0.0)
    game = with_chance(C4, C4.player(state), weights)
    legal = [m for m in C4.moves(state) if weights[m] > 0]
    if legal:
        total = sum(weights[m] for m in legal)
        expected = [(weights[m] / total, C4.make_move(state, m)) for m in legal]
        assert list(game.outcomes(state)) == expected


def test_chance_nodes_of_the_game_stay() -> None:
    game = with_chance(Twenty48(), MAXIE)
    assert isinstance(game, WithMoreChance)
    assert list(game.outcomes(game.start())) == list(Twenty48().outcomes(game.start()))
    full = game.parse_state("2 2 . . . . . . . . . . . . . .")
    assert [p for p, _ in game.outcomes(full)] == [1 / 3] * 3


def test_a_policy_without_a_move_raises() -> None:
    game = with_chance(C4, MAXIE, (0,) * 7)
    with pytest.raises(ValueError, match="no legal move a weight above 0"):
        list(game.outcomes(game.start()))


@pytest.mark.parametrize("move", [-7, -1, 7, 8])
def test_a_move_without_a_weight_has_not_that_of_another(move: int) -> None:
    with pytest.raises(ValueError, match="a move has no weight"):
        ByMove((1, 2, 3, 4, 5, 6, 7)).weight(None, move)
    few = with_chance(C4, MINNIE, (1, 2))
    with pytest.raises(RuleFailed, match="a move has no weight"):
        search(few, expectimax(2), engine="interpreted").compute()


@pytest.mark.parametrize("weights", [(-1, 2), (float("nan"),), (float("inf"), 1)])
def test_bad_weights_are_refused(weights: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="weights must be finite and 0 or more"):
        with_chance(C4, MINNIE, weights)


@pytest.mark.parametrize("weights", [(10**400,), (1e308,) * 9, (10**308, 10.0**308)])
def test_weights_without_a_finite_sum_are_refused(weights: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="a sum that a float can hold"):
        with_chance(C4, MINNIE, weights)


@pytest.mark.parametrize("player", [CHANCE, 2])
def test_a_player_the_game_lacks_is_refused(player: int) -> None:
    with pytest.raises(ValueError, match=f"no player {int(player)}; players: 0 to 1"):
        with_chance(C4, player)


def test_it_delegates_to_the_game() -> None:
    game: Game[Any, Any] = with_chance(C4, MINNIE)
    state = game.parse_state("4453")
    assert game.show(state) == C4.show(state)
    assert game.label(state) == C4.label(state)
    assert game.move_text(state, 3) == "4"
    assert game.parse_move(state, "4") == 3
    assert (game.value_range, game.players, game.native) == (C4.value_range, 2, True)
    assert with_chance(Twenty48(), MAXIE).players == 1


def test_a_game_can_be_compared_hashed_and_pickled() -> None:
    names = {
        kind.__name__: kind
        for kind in (
            WithChance,
            with_chance,
            WithMoreChance,
            ConnectFour,
            TicTacToe,
            Twenty48,
            ByMove,
            Uniform,
            Centre,
        )
    }
    for game in GAMES:
        assert eval(repr(game), names) == pickle.loads(pickle.dumps(game)) == game
        assert hash(game) == hash(pickle.loads(pickle.dumps(game)))
    assert len(set(GAMES)) == len(GAMES)
