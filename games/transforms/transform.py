"""A game made from another, to which it delegates every rule that it does not define."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from attrs import field, frozen

from games.board import Board
from games.endings import ply_limit_of
from games.game import Game, Status, check_game
from graphs.arguments import check_integers
from graphs.errors import MalformedError

S = TypeVar("S")
M = TypeVar("M")


@frozen
class Transform(Game[S, M], Generic[S, M]):
    """A game that delegates to `game`; derive a frozen attrs class, and override rules.

    `outcomes` is not delegated, because searches check whether the class defines it; a transform of
    a game with chance must define it.  Hooks that only make searches faster are not delegated.
    """

    game: Game[S, M]
    value_range: tuple[float, float] | None = field(init=False, eq=False, repr=False)
    native: bool = field(init=False, eq=False, repr=False)  # type: ignore[misc]

    @value_range.default
    def _value_range(self) -> tuple[float, float] | None:
        return check_game(self.game).value_range

    @native.default
    def _native(self) -> bool:
        return self.game.native

    @property
    def ply_limit(self) -> int:  # type: ignore[override]
        return ply_limit_of(self.game)

    @property
    def repetition_limit(self) -> int | None:  # type: ignore[override]
        return self.game.repetition_limit

    def start(self) -> S:
        return self.game.start()

    def status(self, state: S) -> Status:
        return self.game.status(state)

    def player(self, state: S) -> int:
        return int(self.game.player(state))

    def moves(self, state: S) -> Iterator[M]:
        yield from self.game.moves(state)

    def make_move(self, state: S, move: M) -> S:
        return self.game.make_move(state, move)

    def estimate(self, state: S) -> float:
        return self.game.estimate(state)

    def utility(self, state: S) -> float:
        return self.game.utility(state)

    # For people ---------------------------------------------------------------------------------

    def show(self, state: S) -> str:
        return self.game.show(state)

    def picture(self, state: S) -> Board | None:
        return self.game.picture(state)

    def metrics(self, first: S, last: S, drawn: int) -> dict[str, float]:
        return self.game.metrics(first, last, drawn)

    def label(self, state: S) -> str:
        return self.game.label(state)

    def move_text(self, state: S, move: M) -> str:
        return self.game.move_text(state, move)

    def parse_move(self, state: S, text: str) -> M:
        return self.game.parse_move(state, text)

    def parse_outcome(self, state: S, text: str) -> S:
        return self.game.parse_outcome(state, text)

    def split_turns(self, text: str, blanks: str = "", start: int = 0) -> list[tuple[str, str]]:
        return self.game.split_turns(text, blanks, start)

    def parse_state(self, text: str) -> S:
        """Read a position as `game` does; a transform in which turns mean something else must
        define this rule."""
        return self.game.parse_state(text)


def check_player(game: Game[S, M], player: int) -> None:
    """Check that a game has a player with this number.

    Raises: ValueError, with the range of players.
    """
    check_integers(player=player)
    if not 0 <= player < game.players:
        raise MalformedError(f"there is no player {player}; players: 0 to {game.players - 1}")
