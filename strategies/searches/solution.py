"""The result of solving a position: its value, or bounds if the solver was stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from games import WIN, Game, SearchTree
from games.game import WIN_PLIES
from strategies.algebra.drivers import Driver
from strategies.algebra.strategy import Strategy, seq
from strategies.native.calls.solver import score_range
from strategies.native.memory.transposition_table import Counts
from strategies.running.records.moves import Moves, line_texts, moves_of
from strategies.running.records.rows import Names, Numbered
from strategies.running.records.run import Run
from strategies.searches.drawing import drawn

if TYPE_CHECKING:
    from strategies.insight.pictures.picture import Picture

NOTHING: Final = "nothing is known yet"
NO_COUNTS: Final = Counts()


@frozen(repr=False)
class Solution(Run):
    """The result of solving a position: its value, if `low` equals `high`, else bounds.

    Its records are those of the proofs: of one task, of the threads of a driver, or of the tasks of
    a strategy.  There are none if the value was known at once, or if all positions were solved.
    """

    low: float
    """The lower bound of the value, from Maxie's side; a win in n plies is `games.win_in(n)`."""
    high: float
    """The upper bound of the value."""
    nodes: int = 0
    """The positions visited by the finished proofs."""
    table: Counts = NO_COUNTS
    replay: Any = field(default=None, repr=False, eq=False)
    """The game, the position and the branches of the best line."""
    using: Strategy | Driver = field(default=seq, repr=False, eq=False)
    """The strategy or driver of the proofs; with `auto()`, the one that it chose."""
    workers: int | None = field(default=None, repr=False, eq=False)
    """The number of threads that made proofs at the same time; None if there was no proof."""
    position: Any = field(default=None, repr=False, eq=False)
    """The game and the position, if there are records."""

    limit: int | None = None
    """The limit `most_plies`, if no win was found within it; else None."""
    settled: bool = False
    """Whether only the outcome was asked for, and somebody wins."""
    alone: bool = field(default=False, repr=False)
    """Whether the game has one player, so that a win is a solution."""
    scored: bool = field(default=False, repr=False)
    """Whether the values of the game are scores, not wins."""
    distance: int | None = field(default=None, repr=False, eq=False)
    """The plies to the win, where they may be more than a value can count."""
    chance: bool = field(default=False, repr=False)
    """Whether chance moves in the game, so that nobody knows how far a win is."""

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
            raise ValueError(f"not solved: the value is between {self.low} and {self.high}")
        return self.low

    @property
    def outcome(self) -> int | None:
        """Return the sign of the value, 1 if Maxie wins or has a score above 0; None if it is not
        known.

        >>> Solution(2, 8).outcome, Solution(0, 0).outcome, Solution(-1, 8).outcome
        (1, 0, None)
        """
        known = self.exact or self.low > 0 or self.high < 0
        return (self.low > 0) - (self.high < 0) if known else None

    @property
    def plies(self) -> int | None:
        """Return the plies to the end if the winner plays fast; None if nobody wins, or if chance
        moves in the game.

        Raises: ValueError if the solver was stopped before it was known.
        """
        plies = plies_to_end(self.value) if self.distance is None else self.distance
        return None if self.chance else plies

    @property
    def move(self) -> Any:
        """Return the leftmost move with the value, or with the outcome if only that was asked for;
        None if there is none, or it is not known."""
        return next(iter(self._moves(1)), None)

    @property
    def line(self) -> tuple[Any, ...]:
        """Return the principal variation, up to the plies `line` of `solve`; each move is the
        leftmost that keeps the value.  It is empty if the value is not known."""
        return self._moves()

    @property
    def line_texts(self) -> tuple[str, ...]:
        """Return the principal variation as the game writes it."""
        if self.replay is None:
            return ()
        game, state, _ = self.replay
        return tuple(line_texts(game, state, self.line))

    def _moves(self, most: int | None = None) -> tuple[Any, ...]:
        if self.replay is None:
            return ()
        game, state, branches = self.replay
        return moves_of(game, state, branches[:most])

    def draw(self, what: str = "timeline") -> Picture:
        """Draw the "timeline" of the tasks.

        Raises: ArgumentError, one line, for any other picture, or if there are no records.
        """
        from strategies.insight.pictures.timeline import draw_timeline

        return drawn(what, {"timeline": lambda: draw_timeline(self)})

    def _names(self) -> Names:
        if self.position is None or isinstance(self.using, Driver):
            return Numbered("thread")
        return Moves(*self.position)

    def _repr_html_(self) -> str:
        """Show the position, the answer and the best line in a notebook."""
        from strategies.insight.pictures.cards import card, worded

        if self.replay is None:
            return worded(str(self))
        game, state, _ = self.replay
        return card(game, state, f"{self}; line {' '.join(self.line_texts) or '-'}")

    def __str__(self) -> str:
        if self.settled:
            return self._settled()
        if not self.exact:
            return self._bounds()
        plies, decided = self.plies, abs(self.value) >= WIN
        if self.alone and (decided or (not self.scored and self.value <= 0)):
            if not (decided and self.value > 0):
                return "no solution"
            return "solved" if plies is None else f"solved in {counted(plies)}"
        if decided or (self.value == 0 and not self.alone):
            return worded(self.value, plies, chance=self.chance)
        return f"value {self.value:.12g}, proven"

    def _settled(self) -> str:
        """Return the text of an outcome."""
        if max(self.low, -self.high) < WIN:
            return "above 0" if self.low > 0 else "below 0"
        if self.alone:
            return "solved" if self.low > 0 else "no solution"
        return "Maxie wins" if self.low > 0 else "Minnie wins"

    def _bounds(self) -> str:
        """Return the text of bounds."""
        if self.low == -float("inf"):
            return NOTHING
        if self.chance:
            return f"between {worded(self.low, chance=True)} and {worded(self.high, chance=True)}"
        won, lost = self.high >= WIN, self.low <= -WIN
        if self.scored and (lost or won):
            if lost and won:
                return NOTHING
            return f"at most {self.high:g}" if lost else f"at least {self.low:g}"
        if self.alone and self.low >= WIN:
            return f"solved in at most {counted(WIN + WIN_PLIES - int(self.low))}"
        if self.alone and not self.scored:
            within = WIN + WIN_PLIES - int(self.high) - 1 if won else WIN_PLIES
            return f"no solution within {counted(within)}" if within else NOTHING
        more = "" if self.limit is None else f"; wins were looked for within {counted(self.limit)}"
        return f"between {worded(self.low)} and {worded(self.high)}{more}"


def scores(game: Game[Any, Any]) -> bool:
    """Return whether the values of a game are scores, so that wins do not bound them; those of the
    leaves of a tree are, also if all are 0."""
    if score_range(game) is not None or isinstance(game, SearchTree):
        return True
    return game.value_range is None and type(game).utility is not Game.utility


def plies_to_end(value: float) -> int | None:
    """Return the plies to the win of a solved position; None if nobody wins."""
    return WIN + WIN_PLIES - int(abs(value)) if abs(value) >= WIN else None


def counted(plies: int) -> str:
    """Return the text of a number of plies."""
    return "1 ply" if plies == 1 else f"{plies} plies"


def worded(value: float, plies: int | None = None, *, chance: bool = False) -> str:
    """Return the text of a value, whose winner needs `plies`, or as many as the value says; where
    `chance` moves, nobody knows how many.

    >>> from games import win_in
    >>> worded(-win_in(3)), worded(0), worded(6), worded(win_in(0), chance=True)
    ('Minnie wins in 3 plies', 'a draw', '6', 'Maxie wins')
    """
    if abs(value) < WIN:
        return "a draw" if value == 0 else f"{value:.12g}"
    wins = f"{'Maxie' if value > 0 else 'Minnie'} wins"
    if chance:
        return wins
    return f"{wins} in {counted(plies_to_end(value) or 0 if plies is None else plies)}"
