"""One player of several against all the others, as a game of two."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from attrs import frozen

from games.game import Game, Status, check_game, has_chance
from games.transforms.transform import Transform, check_player

S = TypeVar("S")
M = TypeVar("M")


@frozen
class AgainstAll(Transform[S, M]):
    """A game of two: Maxie is player `me` of several, Minnie the coalition of all others.

    Built by `against_all`.
    """

    me: int

    def __attrs_post_init__(self) -> None:
        check_player(self.game, self.me)

    def __repr__(self) -> str:
        return f"against_all({self.game!r}, {self.me})"

    def status(self, state: S) -> Status:
        return Status.IN_PLAY if self.game.status(state) == Status.IN_PLAY else Status.OVER

    def player(self, state: S) -> int:
        player = int(self.game.player(state))
        return player if player < 0 else 0 if player == self.me else 1

    def estimate(self, state: S) -> Any:
        return self._own(self.game.estimate(state))

    def utility(self, state: S) -> Any:
        return self._own(self.game.utility(state))

    def _own(self, values: Any) -> Any:
        """Return the part of `me`."""
        many = self.game.players
        if len(values) != many:
            raise ValueError(f"{values} is not a tuple of {many} numbers, one per player")
        return values[self.me]


@frozen(repr=False)
class AgainstAllAndChance(AgainstAll[S, M]):
    """The same for a game with chance."""

    def outcomes(self, state: S) -> Iterator[tuple[float, S]]:
        yield from self.game.outcomes(state)


def against_all(game: Game[S, M], me: int) -> AgainstAll[S, M]:
    """Return the game of player `me` against the coalition of all others, who minimize its value.

    Requires: a game whose estimates and results are tuples with a number for each player.
    Ensures: a game of two players, whose values are those of `me`.
    Raises: ValueError if the game has no such player.

    >>> from games import PigForMany
    >>> game = against_all(PigForMany(target=20), 2)
    >>> game.estimate(game.parse_state("0 7 4, Player2 has brought 5"))
    0.5625
    """
    plain = not has_chance(type(check_game(game)))
    check_player(game, me)
    return (AgainstAll if plain else AgainstAllAndChance)(game, int(me))
