"""One player of several against all the others, as a game of two."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Generic, TypeVar

from attrs import field, frozen

from games.game import Game, Status

S = TypeVar("S")
M = TypeVar("M")


@frozen
class AgainstAll(Game[S, M], Generic[S, M]):
    """A game of several players in which Maxie is player `me`, and Minnie all others.

    Built by `against_all`.
    """

    game: Game[S, M]
    me: int
    value_range: tuple[float, float] | None = field(init=False, eq=False, repr=False)
    native: bool = field(init=False, eq=False, repr=False)  # type: ignore[misc]

    def __attrs_post_init__(self) -> None:
        if not 0 <= self.me < self.game.players:
            raise ValueError(f"there is no player {self.me}; players: 0 to {self.game.players - 1}")

    @value_range.default
    def _value_range(self) -> tuple[float, float] | None:
        return self.game.value_range

    @native.default
    def _native(self) -> bool:
        return self.game.native

    def start(self) -> S:
        return self.game.start()

    def status(self, state: S) -> Status:
        return Status.IN_PLAY if self.game.status(state) == Status.IN_PLAY else Status.OVER

    def player(self, state: S) -> int:
        player = int(self.game.player(state))
        return player if player < 0 else 0 if player == self.me else 1

    def moves(self, state: S) -> Iterator[M]:
        for move in self.game.moves(state):  # noqa: UP028 - `yield from` does not compile
            yield move

    def make_move(self, state: S, move: M) -> S:
        return self.game.make_move(state, move)

    def estimate(self, state: S) -> Any:
        return self.game.estimate(state)[self.me]  # type: ignore[index]

    def utility(self, state: S) -> Any:
        return self.game.utility(state)[self.me]  # type: ignore[index]

    # For people ---------------------------------------------------------------------------------

    def show(self, state: S) -> str:
        return self.game.show(state)

    def label(self, state: S) -> str:
        return self.game.label(state)

    def move_text(self, state: S, move: M) -> str:
        return self.game.move_text(state, move)

    def parse_move(self, state: S, text: str) -> M:
        return self.game.parse_move(state, text)

    def parse_state(self, text: str) -> S:
        return self.game.parse_state(text)


@frozen
class AgainstAllAndChance(AgainstAll[S, M]):
    """The same for a game with chance."""

    def outcomes(self, state: S) -> Iterator[tuple[float, S]]:
        for probability, child in self.game.outcomes(state):  # noqa: UP028 - as above
            yield probability, child


def against_all(game: Game[S, M], me: int) -> AgainstAll[S, M]:
    """The same game, in which all others want nothing but that player `me` gets little.

    Requires: a game whose estimates and results are tuples, a number for each player.
    Ensures: a game of two, whose values are those of `me`.
    Raises: ValueError if the game has no such player.

    >>> from games import PigForMany
    >>> game = against_all(PigForMany(target=20), 2)
    >>> game.estimate(game.parse_state("0 7 4, Player2 has brought 5"))
    0.5625
    """
    plain = type(game).outcomes is Game.outcomes
    return (AgainstAll if plain else AgainstAllAndChance)(game, int(me))
