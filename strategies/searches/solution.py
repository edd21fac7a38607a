"""What is known of a position that was solved, or of which the solving was stopped."""

from __future__ import annotations

from typing import Any, Final

from attrs import field, frozen

from games import WIN
from games.game import LONGEST
from strategies.algebra.drivers import Driver
from strategies.algebra.strategy import Strategy, seq
from strategies.native.memory.transposition_table import Counts
from strategies.running.records.run import line_texts, moves_of
from strategies.support.brief import brief

NO_COUNTS: Final = Counts()


@frozen
class Solution:
    """What is known of a position: its value, if `low` and `high` have met."""

    low: float
    """The value is at least this, from Maxie's side; a win in n plies counts `games.win_in(n)`."""
    high: float
    """The value is at most this."""
    nodes: int = 0
    """Positions visited by the proofs that are done."""
    seconds: float = 0.0
    table: Counts = NO_COUNTS
    replay: Any = field(default=None, repr=False, eq=False)
    """Game, position and branches of the best line."""
    using: Strategy | Driver = field(default=seq, repr=False, eq=False)
    """What the proofs were made by, where they were not made at once: what `auto()` chose."""

    @property
    def exact(self) -> bool:
        """Return whether the position is solved."""
        return self.low == self.high

    @property
    def value(self) -> float:
        """Return the value.

        Raises: ValueError if the solver was stopped before it was known.
        """
        if not self.exact:
            raise ValueError(f"not solved: the value lies between {self.low} and {self.high}")
        return self.low

    @property
    def plies(self) -> int | None:
        """Return the plies to the end, if the winner hurries; None if no one wins.

        Raises: ValueError if it is not known.
        """
        return plies_to_end(self.value)

    @property
    def move(self) -> Any:
        """Return the leftmost move that has the value; None if there is none, or none is known."""
        return next(iter(self._moves(1)), None)

    @property
    def line(self) -> tuple[Any, ...]:
        """Return moves of the principal variation, as many as `solve` was told, each the
        leftmost that keeps the value; none if the value is not known."""
        return self._moves()

    def _moves(self, most: int | None = None) -> tuple[Any, ...]:
        if self.replay is None:
            return ()
        game, state, branches = self.replay
        return moves_of(game, state, branches[:most])

    __repr__ = brief

    def _repr_html_(self) -> str:
        """Show position and answer in a notebook, with the best line by its moves' names."""
        from strategies.insight.pictures.cards import card, worded

        if self.replay is None:
            return worded(str(self))
        game, state, _ = self.replay
        names = " ".join(line_texts(game, state, self.line))
        return card(game, state, f"{self}; line {names or '-'}")

    def __str__(self) -> str:
        if self.low == -float("inf"):
            return "nothing is known yet"
        if not self.exact:
            return f"between {worded(self.low)} and {worded(self.high)}"
        decided = self.value == 0 or self.plies is not None
        return worded(self.value) if decided else f"value {worded(self.value)}, proven"


def plies_to_end(value: float) -> int | None:
    """Return in how many plies a solved position is won; None if it is not."""
    return WIN + LONGEST - int(abs(value)) if abs(value) >= WIN else None


def worded(value: float) -> str:
    """Word a value for people.

    >>> from games import win_in
    >>> worded(-win_in(3)), worded(0), worded(6)
    ('Minnie wins in 3 plies', 'a draw', '6')
    """
    plies = plies_to_end(value)
    if plies is None:
        return "a draw" if value == 0 else f"{value:g}"
    count = "1 ply" if plies == 1 else f"{plies} plies"
    return f"{'Maxie' if value > 0 else 'Minnie'} wins in {count}"
