"""Games in which chance replaces a player, or one player has all the others as one opponent."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Generic, TypeVar

from attrs import field, frozen

from games.game import Game, IllegalMove, Status, check_game, has_chance
from games.transforms.transform import Transform, check_player
from games.tuples import floats_of
from graphs.arguments import check_kind, row_of, shown
from graphs.errors import MalformedError

S = TypeVar("S")
M = TypeVar("M")


class Policy(Generic[S, M]):
    """The policy of a chance player: weights of legal moves; derive a frozen attrs class."""

    def weight(self, state: S, move: M) -> float:
        """Return the weight of `move` among the legal moves of `state`: 0 or more."""
        raise NotImplementedError


@frozen
class Uniform(Policy[Any, Any]):
    """The policy that gives every legal move the same probability."""

    def weight(self, state: Any, move: Any) -> float:
        return 1.0


def _weights(weights: Iterable[float]) -> tuple[float, ...]:
    """Check the weights of moves, and return them as floats."""
    row = row_of("policy", weights, "weights, one for each move, such as [1, 2, 1]")
    for weight in row:
        if not isinstance(weight, (int, float)) or not 0 <= weight < float("inf"):
            raise MalformedError(f"weights must be finite and 0 or more, not {shown(row)}")
    if sum(row) > sys.float_info.max:
        raise MalformedError(f"weights must have a sum that a float can hold, not {shown(row)}")
    return floats_of(row)


@frozen
class ByMove(Policy[Any, int]):
    """The policy with a weight for each move of a game whose moves are 0, 1, 2, …

    >>> ByMove((1, 3)).weight(None, 1)
    3.0
    """

    weights: tuple[float, ...] = field(converter=_weights)

    def weight(self, state: Any, move: int) -> float:
        if move < 0 or move >= len(self.weights):
            raise MalformedError("a move has no weight; moves must be 0, 1, 2, …, or give a Policy")
        return self.weights[move]


@frozen
class WithChance(Transform[S, M]):
    """A game in which chance moves for player `turned`; built by `with_chance`."""

    turned: int
    policy: Policy[S, M]
    players: int = field(init=False, eq=False, repr=False)  # type: ignore[misc]

    def __attrs_post_init__(self) -> None:
        check_player(self.game, self.turned)
        check_kind(Policy, "a Policy, or made by with_chance", policy=self.policy)

    def __repr__(self) -> str:
        policy = "" if self.policy == Uniform() else f", {self.policy!r}"
        if isinstance(self.policy, ByMove):
            policy = f", {self.policy.weights!r}"
        return f"with_chance({self.game!r}, {self.turned}{policy})"

    @players.default
    def _players(self) -> int:
        return self.game.players

    def player(self, state: S) -> int:
        player = int(self.game.player(state))
        return -1 if player == self.turned else player

    def moves(self, state: S) -> Iterator[M]:
        if self.game.player(state) != self.turned:
            yield from self.game.moves(state)

    def total(self, state: S) -> float:
        """Return the sum of the weights of the legal moves."""
        total = 0.0
        for move in self.game.moves(state):
            total += self.policy.weight(state, move)
        if total <= 0.0:
            raise MalformedError("the policy gives no legal move a weight above 0")
        return total

    def outcomes(self, state: S) -> Iterator[tuple[float, S]]:
        total = self.total(state)
        for move in self.game.moves(state):
            weight = self.policy.weight(state, move)
            if weight > 0.0:
                yield weight / total, self.game.make_move(state, move)

    # For people ---------------------------------------------------------------------------------

    def parse_move(self, state: S, text: str) -> M:
        if self.game.player(state) == self.turned:
            raise IllegalMove(f"{shown(text.strip())} is not a legal move; chance moves here")
        return self.game.parse_move(state, text)

    def parse_outcome(self, state: S, text: str) -> S:
        if self.game.player(state) == self.turned:
            return Game.parse_outcome(self, state, text)
        return self.game.parse_outcome(state, text)

    def parse_state(self, text: str) -> S:
        """Read a position in the notation of `game`, or else turns, in which the outcomes of chance
        replace the moves of `turned`."""
        try:
            read = self.game.parse_state(text)
        except IllegalMove:
            return self.read_turns(text)
        except (ValueError, NotImplementedError):
            with suppress(IllegalMove):
                return self.read_turns(text)
            raise
        try:
            turns = self.game.read_turns(text) == read
        except IllegalMove:
            turns = False
        return self.read_turns(text) if turns else read


@frozen(repr=False)
class WithMoreChance(WithChance[S, M]):
    """The same for a game that already has chance moves, which are unchanged."""

    def outcomes(self, state: S) -> Iterator[tuple[float, S]]:
        if self.game.player(state) == self.turned:
            total = self.total(state)
            for move in self.game.moves(state):
                weight = self.policy.weight(state, move)
                if weight > 0.0:
                    yield weight / total, self.game.make_move(state, move)
        else:
            yield from self.game.outcomes(state)


def with_chance(
    game: Game[S, M], player: int, policy: Policy[S, M] | Sequence[float] | None = None
) -> WithChance[S, M]:
    """Return the game in which chance makes the moves of `player`.

    Requires: `policy` is None (equal probabilities), a weight for each move of a game whose moves
    are 0, 1, 2, …, or a `Policy`.
    Ensures: a move of weight w has probability w / (sum of the weights of the legal moves); one of
    weight 0 is not an outcome.  The game's own chance moves are unchanged.
    Raises: ValueError if the game has no such player or a weight is below 0.

    >>> from games import MINNIE, ExplicitGame
    >>> game = with_chance(ExplicitGame.from_nested([[3, 12, 9], [2, 4, 6]]), MINNIE)
    >>> for move in game.moves(game.start()):
    ...     print([(round(p, 2), game.label(s))
    ...            for p, s in game.outcomes(game.make_move(game.start(), move))])
    [(0.33, 'c'), (0.33, 'd'), (0.33, 'e')]
    [(0.33, 'g'), (0.33, 'h'), (0.33, 'i')]
    """
    chosen: Policy[Any, Any]
    if policy is None:
        chosen = Uniform()
    elif isinstance(policy, Policy):
        chosen = policy
    else:
        chosen = ByMove(policy)
    plain = not has_chance(check_game(game))
    kind = WithChance if plain else WithMoreChance
    check_player(game, player)
    return kind(game, int(player), chosen)


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
    plain = not has_chance(check_game(game))
    check_player(game, me)
    return (AgainstAll if plain else AgainstAllAndChance)(game, int(me))
