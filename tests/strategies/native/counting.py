"""A correct game, of which each test of errors breaks one rule."""

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from games.game import MAXIE, MINNIE, Game, Status
from strategies.native.kernels.control import kernel


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


@kernel
def mixed(game: Game[Any, Any], state: Any, depth: int) -> float:
    """Return a number that depends on all moves and estimates at a depth, and on their order.

    It compiles in a fraction of the time of a search.
    """
    if depth == 0:
        return game.estimate(state) * 1.0
    found = 0.0
    for move in game.moves(state):
        found = found * 2 + mixed(game, game.make_move(state, move), depth - 1)
    return found
