"""A correct game, of which each test of errors breaks one rule."""

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from games.game import MAXIE, MINNIE, Game, Status


@frozen
class At:
    a: int


@frozen
class Counting(Game[Any, int]):
    """A move counts upwards by 1 to `n`; the game never ends."""

    n: int = 3
    name: str = "text"

    def start(self) -> Any:
        return At(0)

    def status(self, state: Any) -> Status:
        return Status.IN_PLAY

    def player(self, state: Any) -> int:
        return MAXIE if state.a % 2 == 0 else MINNIE

    def moves(self, state: Any) -> Iterator[int]:
        for move in range(self.n):  # noqa: UP028
            yield move

    def make_move(self, state: Any, move: int) -> Any:
        return At(state.a + move + 1)

    def estimate(self, state: Any) -> float:
        return 0
