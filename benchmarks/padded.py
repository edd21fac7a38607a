"""A game whose states are of any size, and whose rules do the same work for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from attrs import frozen

from games import CHANCE, Game, Status
from games.u64 import U64

PLIES: Final = 1023
"""The bits of the first cell that count the plies."""


@frozen
class Place:
    """A place in a uniform tree: its word, and as many cells as make up the size of the state."""

    cells: tuple[U64, ...]


@frozen
class Padded(Game[Place, int]):
    """A tree of uniform width whose states have `cells` cells of eight bytes.

    The first cell says all; a move changes it and copies the others.  A child's word depends on the
    path to it, so that no position occurs twice.
    """

    width: int = 4
    cells: int = 1
    last: int = PLIES
    """The ply at which plays end."""

    def start(self) -> Place:
        return Place((U64(PLIES + 1), *(U64(0) for _ in range(self.cells - 1))))

    def status(self, state: Place) -> Status:
        return Status.DRAW if self.plies(state) >= self.last else Status.IN_PLAY

    def plies(self, state: Place) -> int:
        return int(state.cells[0] & U64(PLIES))

    def player(self, state: Place) -> int:
        return self.plies(state) & 1

    def moves(self, state: Place) -> Iterator[int]:
        yield from range(self.width)

    def make_move(self, state: Place, move: int) -> Place:
        word = state.cells[0]
        mixed = ((word >> U64(10)) ^ U64(move + 1)) * U64(0x9E3779B97F4A7C15)
        mixed = mixed ^ (mixed >> U64(29))
        plies = (word + U64(1)) & U64(PLIES)
        return Place(((mixed << U64(10)) | plies, *state.cells[1:]))

    def estimate(self, state: Place) -> int:
        return int(state.cells[0] >> U64(54))


@frozen
class Keyed(Padded):
    """The same with a key, so that no table hashes the whole state."""

    def key(self, state: Place) -> U64:
        return state.cells[0]


@frozen
class Alone(Keyed):
    """The same for one player."""

    players = 1

    def player(self, state: Place) -> int:
        return 0


@frozen
class Rolled(Keyed):
    """The same where chance makes every second move."""

    def player(self, state: Place) -> int:
        return CHANCE if self.plies(state) & 1 else 0

    def outcomes(self, state: Place) -> Iterator[tuple[float, Place]]:
        for outcome in range(self.width):
            yield 1 / self.width, self.make_move(state, outcome)
