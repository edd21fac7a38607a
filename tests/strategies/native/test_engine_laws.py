"""The law that hooks change no value holds for correct hooks, and catches each kind of fault."""

from collections.abc import Iterator
from typing import Any, ClassVar

import pytest
from attrs import frozen

from games import WIN, ConnectFour, Game, NTuples, Status, TicTacToe, win_in
from games.connect_four import Discs
from games.laws.examine import Verdict, examine
from games.laws.plays import Plays
from games.networks.learned import with_network
from games.networks.weights import Weights
from games.u64 import U64
from strategies.native.verification.engine_laws import (
    engines_agree,
    hooks_change_no_value,
    learning_changes_no_proven_result,
)
from tests.games.laws.given import Heap, Pile


def verdict(game: Game[Any, Any]) -> Verdict:
    return examine(hooks_change_no_value, Plays(game, "dev", 0, 12))


@frozen
class Interpreted(ConnectFour):
    """Connect Four, which compiles slowly with all its hooks."""

    native: ClassVar[bool] = False


def test_the_hooks_of_connect_four_keep_the_law() -> None:
    assert verdict(Interpreted(3, 3, 3, 2)).result == "pass"


def test_it_does_not_apply_without_hooks() -> None:
    assert verdict(TicTacToe()).result == "not applicable"


@frozen
class KeysOfOnePlayer(ConnectFour):
    native: ClassVar[bool] = False

    def key(self, state: Discs) -> U64:
        return state.mover


@frozen
class TooHopeful(ConnectFour):
    """A fault: bounds that deny losses."""

    native: ClassVar[bool] = False

    def bounds(self, state: Discs) -> tuple[int, int]:
        return (0, win_in(1)) if self.player(state) == 0 else (-win_in(1), 0)


@frozen
class WinsWithoutDistance(ConnectFour):
    """A fault: bounds with a win, but without its distance."""

    native: ClassVar[bool] = False

    def bounds(self, state: Discs) -> tuple[int, int]:
        low, high = ConnectFour.bounds(self, state)
        return (WIN, WIN) if low == high == win_in(1) else (low, high)


@frozen
class FirstSafeMove(ConnectFour):
    """A fault: candidates without good moves."""

    native: ClassVar[bool] = False

    def candidates(self, state: Discs) -> Iterator[int]:
        for move in self.moves(state):
            yield move
            break


@pytest.mark.parametrize(
    ("fault", "size", "told"),
    [
        (KeysOfOnePlayer, (2, 3, 3, 1), "without key "),
        (TooHopeful, (3, 3, 2, 1), "a hook contradicts the rules"),
        (WinsWithoutDistance, (3, 2, 2, 1), "without bounds "),
        (FirstSafeMove, (3, 2, 3, 2), "without candidates "),
    ],
)
def test_a_hook_that_breaks_its_contract_is_found(
    fault: type[ConnectFour], size: tuple[int, int, int, int], told: str
) -> None:
    found = verdict(fault(*size))
    assert found.result == "broken"
    assert told in found.got, found.got


@frozen
class Spelled:
    """A state whose text no transposition table can hash."""

    text: str
    turn: int = 0


@frozen
class ConstantKey(Game[Spelled, str]):
    """A fault: all positions have the same key, which is the only one that such states can have."""

    value_range = (-9, 9)

    def start(self) -> Spelled:
        return Spelled("")

    def status(self, state: Spelled) -> Status:
        return Status.OVER if len(state.text) == 3 else Status.IN_PLAY

    def player(self, state: Spelled) -> int:
        return state.turn

    def moves(self, state: Spelled) -> Iterator[str]:
        yield from "abc"

    def make_move(self, state: Spelled, move: str) -> Spelled:
        return Spelled(state.text + move, 1 - state.turn)

    def estimate(self, state: Spelled) -> int:
        return sum(map(ord, state.text)) % 7 - 3

    utility = estimate

    def key(self, state: Spelled) -> U64:
        return U64(0)


@pytest.mark.long  # the kernels of one more game take six seconds to compile
def test_a_faulty_key_of_states_of_texts_is_found() -> None:
    found = verdict(ConstantKey())
    assert found.result == "broken"
    assert "(with the hooks)" in found.got
    assert "without key the value is right" in found.got


@frozen
class Counters:
    """A pile of counters, and the player to move."""

    left: int
    turn: int


@frozen
class Overflows(Game[Counters, int]):
    """An estimate that leaves 64 bits when one counter is left."""

    def start(self) -> Counters:
        return Counters(3, 0)

    def status(self, state: Counters) -> Status:
        return Status.IN_PLAY if state.left else Status.DRAW

    def player(self, state: Counters) -> int:
        return state.turn

    def moves(self, state: Counters) -> Iterator[int]:
        for take in range(1, min(2, state.left) + 1):  # noqa: UP028  # so that it compiles
            yield take

    def make_move(self, state: Counters, move: int) -> Counters:
        return Counters(state.left - move, 1 - state.turn)

    def estimate(self, state: Counters) -> float:
        return ((9 << (61 // state.left)) >> 61) % 7


def test_an_overflow_is_reported_with_the_rule_and_the_numbers() -> None:
    found = examine(engines_agree, Plays(Overflows(), "dev", 0, 12))
    assert found.result == "broken"
    told = f"{found.expected}; {found.got}"
    assert "estimate" in told
    assert "9 lshift 61 does not fit into 64 bits" in told


@frozen
class Tokens(Pile):
    """A pile whose last token wins; a network estimates it by the tokens left."""

    native: ClassVar[bool] = False
    value_range = (-WIN, WIN)

    def utility(self, state: Heap) -> float:
        return Game.utility(self, state)

    def cell(self, state: Heap, k: int) -> int:
        return state.left

    def network(self) -> NTuples:
        return NTuples(10, ((0,),))


def test_learned_estimates_change_no_proven_result() -> None:
    """This holds for any weights, but an unproven estimate of a win is caught."""
    game = Tokens()
    learned = with_network(game, game.network(), Weights([(-1) ** k * k for k in range(10)]))
    law = learning_changes_no_proven_result
    assert examine(law, Plays(learned, "dev", 0, 9)).result == "pass"
    assert examine(law, Plays(game, "dev", 0, 9)).result == "not applicable"

    class Boastful(type(learned)):  # type: ignore[misc]
        def estimate(self, state: Heap) -> float:
            return float(WIN)

    boastful = with_network(game, game.network(), learned.net_weights)
    object.__setattr__(boastful, "__class__", frozen(Boastful))
    assert examine(law, Plays(boastful, "dev", 0, 9)).result == "broken"
