"""Exact values by zero-window proofs over a table: what each is asked, and what is then known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.game import LONGEST, MAXIE, WIN, win_in

from . import proving
from .cells import Stop, Stopped, cells
from .engine import Engine
from .failures import failure_at
from .floats import INFINITY, above, below
from .kernels import STOP
from .table import Counts, Table


class Unprovable(ValueError):
    """A game that chance has a part in, or that may go on for more plies than a value can tell."""


class Solver:
    """Proofs over one table."""

    def __init__(self, engine: Engine, table: Table, stop: Stop) -> None:
        self.engine, self.table, self.stop = engine, table, stop
        self.control = cells(proving.SIZE)
        table.enter(self.control)
        self.nodes = 0

    def counts(self) -> Counts:
        """What the proofs did with the table so far; may be asked while one runs."""
        return self.table.counts(self.control)

    def warm(self, state: Any) -> None:
        """Compiles the proof now, or reads it from the cache."""
        args = state, LONGEST, INFINITY, -INFINITY, cells(proving.SIZE), self.table.cells
        self.engine.call(proving.prove, *args)

    def prove(self, state: Any, alpha: float, beta: float) -> float:
        """The fail-soft value of a position.

        Raises: `Stopped`; `Unprovable`; `RuleFailed`.
        """
        self.control[STOP] = 0
        try:
            with self.stop.watching(self.control):
                value, nodes = self.engine.call(
                    proving.prove, state, LONGEST, alpha, beta, self.control, self.table.cells
                )
        except Exception as error:
            raise failure_at(self.engine.game, state, error) from error
        self.nodes += nodes
        if self.control[STOP] == proving.TOO_LONG:
            raise Unprovable(
                f"a play of more than {LONGEST} plies is possible: nothing can be proved"
            )
        if self.control[STOP] == proving.BY_CHANCE:
            raise Unprovable("chance moves in this game: use expectimax")
        if self.control[STOP]:
            raise Stopped("the proof was stopped")
        return float(value)

    def close_in(self, state: Any) -> Iterator[tuple[float, float]]:
        """Bounds of the value of a position, closer after each proof, until they meet."""
        known = [-float(win_in(0)), float(win_in(0))]
        for alpha, beta in _questions(known):
            found = self.prove(state, alpha, beta)
            known[found <= alpha] = found
            yield known[0], known[1]

    def value(self, state: Any) -> float:
        """The value of a position."""
        *_, (low, _) = self.close_in(state)
        return low

    def best_branch(self, state: Any, value: float) -> int:
        """The leftmost branch that has the value of its position."""
        game = self.engine.game
        wanted = proving.later(value)
        for index, move in enumerate(game.moves(state)):
            child = game.make_move(state, move)
            if game.player(state) == MAXIE:
                if self.prove(child, below(wanted), wanted) >= wanted:
                    return index
            elif self.prove(child, wanted, above(wanted)) <= wanted:
                return index
        raise AssertionError("no branch has the value of its position: a hook breaks its promise")


def _questions(known: list[float]) -> Iterator[tuple[float, float]]:
    """The zero windows to ask about, until what is `known`, low and high, has met.

    Is there a win within 8 plies, or a loss; within 16, 32, …; then the middle of what is left.
    Short wins are found cheaply, and what they leave in the table helps the longer proofs.
    """
    plies = 8
    while plies < 2 * LONGEST:
        value = float(max(win_in(plies + 1), WIN))
        if known[0] < WIN and known[0] < value < known[1]:
            yield below(value), value
        if known[1] > -WIN and known[0] < -value < known[1]:
            yield -value, above(-value)
        plies *= 2
    while known[0] < known[1]:
        low, high = known
        middle = float(int(low + (high - low) / 2)) if high - low > 1 else low
        yield middle, above(middle)
