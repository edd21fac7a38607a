"""Calls the kernel that makes the branches of a position."""

from __future__ import annotations

from typing import Any, NamedTuple

from strategies.native.engine import Engine
from strategies.native.kernels.steps import child


class Child(NamedTuple):
    """A branch of a position."""

    move: Any
    """The move; for an outcome, its number."""
    chance: float
    """The probability of an outcome, else 1."""
    state: Any
    over: bool | None = None
    """Whether the game is over there; None if unknown."""
    rank: int | None = None
    """The rank of the game's promise among the siblings; None if unknown."""


def children(engine: Engine, state: Any) -> list[Child]:
    """Create the branches of a position in play where a player moves, by the kernel `child`.

    >>> from games import TicTacToe
    >>> from strategies.native.kept_engines import engine_for
    >>> engine = engine_for(TicTacToe(), "interpreted")
    >>> [(b.move, b.over) for b in children(engine, engine.game.parse_state("1 4 2 5"))]
    [(2, True), (5, False), (6, False), (7, False), (8, False)]
    """
    found = []
    for index, move in enumerate(engine.game.moves(state)):
        after, over, rank = engine.call(child, state, index)
        found.append(Child(move, 1, after, bool(over), int(rank)))
    return found
