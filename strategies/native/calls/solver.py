"""Solves positions exactly by null-window proofs over a table, closer with each proof."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeVar

from games.game import MAXIE, WIN, WIN_PLIES
from graphs.errors import JamboreeError
from strategies.native.calls.windows import (
    Window,
    Windows,
    bounds_of,
    following,
    learn,
    questions,
    signs,
)
from strategies.native.engine import Engine
from strategies.native.failures import check_numbers, failure_at, failure_below, raise_failure
from strategies.native.kernels import proof, proof_entries
from strategies.native.kernels.control import STOP, STUCK
from strategies.native.memory.cells import Stop, Stopped, cells
from strategies.native.memory.floats import INFINITY, above, below
from strategies.native.memory.transposition_table import PROBES, Counts, Table

T = TypeVar("T")
ANY_PROBES = sys.maxsize
"""The limit of table probes of a solver without one."""
SHALLOW = 8
"""The plies within which a value that is not a number is looked for."""
BY_CHANCE = "chance moves in this game: use expectimax"
KERNELS = (proof.bounds, proof.prove, proof.best_line)
"""The kernels that a solver calls."""


class Unprovable(JamboreeError, ValueError):
    """The game has chance nodes, may last more plies than a value can represent, or its rules
    contradict each other."""


class ByChance(Unprovable):
    """Chance moves, which proofs do not allow."""


class TooLong(Unprovable):
    """A play may last more plies than a value can represent."""


class Contradiction(Unprovable):
    """A hook contradicts the rules."""


class TooMany(Exception):
    """The table was probed as often as allowed."""


class TooFine(Exception):
    """A value does not fit into a narrow entry: the proof must be repeated with wide ones."""


class Solver:
    """Makes null-window proofs over one table, and adds up their counts."""

    shares: ClassVar[bool] = False
    """Whether long proofs are made by tasks."""

    most_plies = WIN_PLIES
    """The most plies to a win that is looked for."""
    outcome = False
    """Whether only the sign of the value is wanted."""

    records: Sequence[Any] = ()
    """The records of its tasks or threads; none if one thread makes all proofs."""
    opened: int = 0
    """The number of sparks that its plans opened."""
    span: float = 0.0
    """The seconds of the longest chain of its tasks; 0 without records of tasks."""
    workers: int = 1
    """The number of threads that make proofs at the same time."""

    guess: float | None = None
    """A guess at the score, around which questions begin."""

    def __init__(self, engine: Engine, table: Table, stop: Stop, *, wide: bool = False) -> None:
        """`wide` asks for wide entries, which the table may have anyway."""
        self.engine, self.table, self.stop = engine, table, stop
        self.control = cells(proof.SIZE)
        self.control[proof.TOGETHER] = WIN_PLIES + 1
        self.known = [-INFINITY, INFINITY]
        self.limit(ANY_PROBES)
        wide = wide or table.claimed(self._entries(wide=True))
        self.control[proof_entries.WIDE] = wide
        table.enter(self.control, self._entries(wide=wide))

    def _entries(self, *, wide: bool) -> tuple[Any, ...]:
        """Return the meaning of the entries of the table."""
        return self.engine, proof.proof, wide

    @property
    def nodes(self) -> int:
        """Return the number of positions that the proofs have visited so far."""
        return int(self.control[proof.VISITED])

    @property
    def limited(self) -> bool:
        """Return whether the number of table probes is limited."""
        return bool(self.control[proof.MOST_PROBES] != ANY_PROBES)

    @property
    def wide(self) -> bool:
        """Return whether the entries are wide."""
        return bool(self.control[proof_entries.WIDE])

    def limit(self, probes: int) -> None:
        """Limit the number of table probes from now on; more raise `TooMany`."""
        self.control[proof.MOST_PROBES] = min(ANY_PROBES, self.control[PROBES] + probes)

    def counts(self) -> Counts:
        """Return the counts of the proofs on the table so far; also while one runs."""
        return self.table.counts(self.control)

    def run(self, kernel: Any, state: Any, *args: Any) -> tuple[Any, Any]:
        """Run a kernel, with wide entries if it needs them; return its result and its control.

        Raises: `Stopped`; `TooMany`; `Unprovable`; `RuleFailed`.
        """
        return self.widening(lambda: self.once(self.stop, kernel, state, *args))

    def widening(self, work: Callable[[], T]) -> T:
        """Do work, and do it again with wide entries if it needs them."""
        try:
            return work()
        except TooFine:  # raised after all threads and tasks have ended
            self.widen()
            return work()

    def widen(self) -> None:
        """Switch to wide entries, and clear the table."""
        self.control[proof_entries.WIDE] = 1
        self.table.claim(self._entries(wide=True), anew=True)

    def once(self, stop: Stop, kernel: Any, state: Any, *args: Any) -> tuple[Any, Any]:
        """Run a kernel in this thread; return its result and its control.

        Raises: as `run`; `TooFine`.
        """
        self.control[STOP] = 0
        try:
            with stop.watching(self.control) as control:
                found = self.engine.call(kernel, state, *args, control, self.table.cells)
        except Exception as error:
            raise_failure(failure_below(self.engine.game, state, error, estimates=False), error)
        why = self.control[STOP]
        if why == proof_entries.TOO_FINE:
            raise TooFine("a value does not fit into a narrow entry")
        if why == proof.TOO_MANY:
            raise TooMany("the table was probed as often as allowed")
        if why in (proof.TOO_LONG, STUCK):
            check_numbers(self.engine.game, state, SHALLOW, estimates=False)
        if why == proof.TOO_LONG:
            raise TooLong(
                f"the game may last more than {WIN_PLIES} plies, the most that a value can count: "
                "it cannot be proved; most_plies=100 says whether there is a win within 100"
            )
        if why == STUCK:
            raise Unprovable(
                "a position in play has no moves, or no candidates, so it has no value"
            )
        if why == proof.BY_CHANCE:
            raise ByChance(BY_CHANCE)
        if why:
            raise Stopped("the proof was stopped")
        return found, self.control

    def prove(self, state: Any, alpha: float, beta: float) -> float:
        """Prove the fail-soft value of a position in a window."""
        return float(self.run(proof.prove, state, WIN_PLIES, alpha, beta)[0])

    def bounds(self, state: Any) -> tuple[float, float]:
        """Return the bounds of the value of a position that are known without a search."""
        try:
            low, high = self.engine.call(proof.bounds, state)
        except Exception as error:
            raise_failure(failure_at(self.engine.game, state, error), error)
        if low < high and (known := score_range(self.engine.game)):
            low, high = max(low, known[0]), min(high, known[1])
        return float(low), float(high)

    def questions(self) -> Windows:
        """Return the null windows to prove from here on."""
        if self.outcome:
            return signs(self.known)
        return questions(self.known, self.most_plies, self.guess)

    @property
    def settled(self) -> bool:
        """Return whether only the outcome is wanted, and it is known to be a win or a loss."""
        return self.outcome and (self.known[0] > 0 or self.known[1] < 0)

    @property
    def one_by_one(self) -> bool:
        """Return whether only an answer tells which question is next."""
        return self.outcome or self.most_plies < WIN_PLIES or self.guess is not None

    def close_in(self, state: Any) -> None:
        """Close in on the value of a position by null-window proofs, until its bounds meet.

        `known` has the bounds at any time, also after a stop; a later call continues from them.
        """
        windows, bounds = self.questions(), None
        while window := following(windows, bounds):
            bounds = bounds_of(self.prove(state, *window), window)

    def learn(self, window: Window, found: float) -> None:
        """Narrow the bounds by the result of a proof in a window."""
        learn(self.known, bounds_of(found, window))

    def value(self, state: Any) -> float:
        """Prove the value of a position."""
        self.known[:] = self.bounds(state)
        self.close_in(state)
        return self.known[0]

    def best_line(self, state: Any, value: float, plies: int = 1) -> tuple[int, ...]:
        """Return the principal variation; each branch is the leftmost with the value of its
        position."""
        plies, control = self.run(proof.best_line, state, value, min(plies, WIN_PLIES))
        if plies < 0:
            raise self._contradiction()
        return tuple(control[proof.LINE : proof.LINE + plies])

    def leftmost(self, state: Any) -> tuple[int, ...]:
        """Return the leftmost branch with the outcome of its position, which is a win or a loss."""
        game, won = self.engine.game, self.known[0] > 0
        if (game.player(state) == MAXIE) != won:
            return (0,)  # whoever moves has lost
        window = (0.0, above(0.0)) if won else (below(0.0), 0.0)
        for index, move in enumerate(game.moves(state)):
            found = self.prove(game.make_move(state, move), *window)
            if found > 0 if won else found < 0:
                return (index,)
        raise self._contradiction()

    def _contradiction(self) -> Contradiction:
        return Contradiction(
            f"no move has the value of its position, because a hook of "
            f"{type(self.engine.game).__name__}, such as key or bounds, contradicts its rules: "
            "check_laws(game) finds which"
        )


def score_range(game: Any) -> Window | None:
    """Return the bounds of the values of a game without wins; None if it may have wins.

    >>> from games import ConnectFour, Pig
    >>> score_range(ConnectFour()), score_range(Pig())
    (None, (-1, 1))
    """
    known: Window | None = game.value_range
    if not isinstance(known, tuple) or len(known) != 2:
        return None
    return known if -WIN < known[0] <= known[1] < WIN else None
