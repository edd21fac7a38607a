"""Solves positions exactly by null-window proofs over a table, closer with each proof."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from math import ceil, floor
from typing import Any, ClassVar

from games.game import LONGEST, WIN, win_in
from graphs.errors import JamboreeError
from strategies.native.engine import Engine
from strategies.native.failures import check_numbers, failure_at, failure_below, raise_failure
from strategies.native.kernels import proof, proof_entries
from strategies.native.kernels.control import STOP, STUCK
from strategies.native.memory.cells import Stop, Stopped, cells
from strategies.native.memory.floats import INFINITY, above, below
from strategies.native.memory.transposition_table import PROBES, Counts, Table

UNLIMITED = sys.maxsize
SHALLOW = 8
"""The plies within which a value that is not a number is looked for."""
BY_CHANCE = "chance moves in this game: use expectimax"
Window = tuple[float, float]
KERNELS = (proof.bounds, proof.prove, proof.best_line)
"""The kernels that a solver calls."""


class Unprovable(JamboreeError, ValueError):
    """The game has chance nodes, may last more plies than a value can represent, or its rules
    contradict each other."""


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

    most_plies = LONGEST
    """The most plies to a win that is looked for."""

    def __init__(self, engine: Engine, table: Table, stop: Stop, *, wide: bool = False) -> None:
        """`wide` asks for wide entries, which the table may have anyway."""
        self.engine, self.table, self.stop = engine, table, stop
        self.control = cells(proof.SIZE)
        self.control[proof.TOGETHER] = LONGEST + 1
        self.known = [-INFINITY, INFINITY]
        self.limit(UNLIMITED)
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
        return bool(self.control[proof.MOST] != UNLIMITED)

    @property
    def wide(self) -> bool:
        """Return whether the entries are wide."""
        return bool(self.control[proof_entries.WIDE])

    def limit(self, probes: int) -> None:
        """Limit the number of table probes from now on; more raise `TooMany`."""
        self.control[proof.MOST] = min(UNLIMITED, self.control[PROBES] + probes)

    def counts(self) -> Counts:
        """Return the counts of the proofs on the table so far; also while one runs."""
        return self.table.counts(self.control)

    def run(self, kernel: Any, state: Any, *args: Any) -> tuple[Any, Any]:
        """Run a kernel, with wide entries if it needs them; return its result and its control.

        Raises: `Stopped`; `TooMany`; `Unprovable`; `RuleFailed`.
        """
        try:
            return self.once(self.stop, kernel, state, *args)
        except TooFine:
            self.widen()
            return self.once(self.stop, kernel, state, *args)

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
            check_numbers(self.engine.game, state, SHALLOW)
        if why == proof.TOO_LONG:
            raise TooLong(
                f"the game may last more than {LONGEST} plies, the most that a value can count: "
                "it cannot be proved; most_plies=100 says whether there is a win within 100"
            )
        if why == STUCK:
            raise Unprovable(
                "a position in play has no moves, or no candidates, so it has no value"
            )
        if why == proof.BY_CHANCE:
            raise Unprovable(BY_CHANCE)
        if why:
            raise Stopped("the proof was stopped")
        return found, self.control

    def prove(self, state: Any, alpha: float, beta: float) -> float:
        """Prove the fail-soft value of a position in a window."""
        return float(self.run(proof.prove, state, LONGEST, alpha, beta)[0])

    def bounds(self, state: Any) -> tuple[float, float]:
        """Return the bounds of the value of a position that are known without a search."""
        try:
            low, high = self.engine.call(proof.bounds, state)
        except Exception as error:
            raise_failure(failure_at(self.engine.game, state, error), error)
        if low < high and (known := score_range(self.engine.game)):
            low, high = max(low, known[0]), min(high, known[1])
        return float(low), float(high)

    def close_in(self, state: Any) -> None:
        """Close in on the value of a position by null-window proofs, until its bounds meet.

        `known` has the bounds at any time, also after a stop; a later call continues from them.
        """
        for alpha, beta in questions(self.known, self.most_plies):
            self.learn(alpha, self.prove(state, alpha, beta))

    def learn(self, alpha: float, found: float) -> None:
        """Update the bounds by the result of a proof in the null window above `alpha`."""
        low, high = self.known
        if found <= alpha:
            self.known[1] = min(high, found)
        else:
            self.known[0] = max(low, found)

    def value(self, state: Any) -> float:
        """Prove the value of a position."""
        self.known[:] = self.bounds(state)
        self.close_in(state)
        return self.known[0]

    def best_line(self, state: Any, value: float, plies: int = 1) -> tuple[int, ...]:
        """Return the principal variation; each branch is the leftmost with the value of its
        position."""
        plies, control = self.run(proof.best_line, state, value, min(plies, LONGEST))
        if plies < 0:
            game = self.engine.game
            raise Contradiction(
                f"no move has the value of its position, because a hook of {type(game).__name__}, "
                "such as key or bounds, contradicts its rules: check_laws(game) finds which"
            )
        return tuple(control[proof.LINE : proof.LINE + plies])


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


def questions(known: list[float], most: int = LONGEST) -> Iterator[Window]:
    """Yield null windows to prove, until the bounds `known`, low and high, meet; about wins within
    `most` plies only, if that is less than `LONGEST`.

    Is there a win within 6 plies, or a loss; within 10, 16, 24, 36, …; then the middle of the rest.
    Short wins are cheap to find, and the entries that these proofs store help the longer ones.
    """
    for value in wins(most):
        if may_win(known, value):
            yield below(value), value
        if may_lose(known, value):
            yield -value, above(-value)
    while known[0] < known[1] and (most == LONGEST or decisive(known)):
        yield at_middle(*known)


def beside(known: list[float], asked: Collection[Window]) -> Iterator[Window]:
    """Yield the null windows to prove next while those in `asked` are not decided yet.

    The order is that of `questions`.  At most one question about a win is open at a time, and one
    about a loss, because most of these are needed.  Then come a third and two thirds of the rest,
    at the same time.  A question that the open ones will probably make needless is left out.
    """
    low, high = known
    some_win, some_loss = any(a >= 0 for a, _ in asked), any(a < 0 for a, _ in asked)
    decided = True
    for value in wins():
        if may_win(known, value):
            decided = False
            if not some_win:
                yield below(value), value
            some_win = True
        if may_lose(known, value):
            decided = False
            if not some_loss:
                yield -value, above(-value)
            some_loss = True
    if not decided or low >= high:
        return
    pair: tuple[Window, ...] = (at_middle(low, high),)  # between a loss and a win is a draw
    if 3 < high - low < 3 * LONGEST:
        third = (high - low) // 3
        pair = tuple((x, above(x)) for x in (floor(low + third), ceil(high - third) - 1.0))
    if not asked or any(window in asked for window in pair):
        yield from (window for window in pair if window not in asked)


def wins(most: int = LONGEST) -> Iterator[float]:
    """Yield the least value of a win within 6 plies, within 10, 16, 24, 36, …, and `most`."""
    plies = 6
    while plies + 1 < most:
        yield float(win_in(plies + 1))
        plies += (plies + 2) // 4 * 2  # a half more, as an even number
    yield float(win_in(most))


def decisive(known: list[float]) -> bool:
    """Return whether it is known that somebody wins."""
    return known[0] >= WIN or known[1] <= -WIN


def may_win(known: list[float], value: float) -> bool:
    """Return whether the bounds leave open if there is a win of this value or more."""
    return known[0] < WIN and known[0] < value <= known[1]


def may_lose(known: list[float], value: float) -> bool:
    """Return whether the bounds leave open if there is a loss of this value or more."""
    return known[1] > -WIN and known[0] <= -value < known[1]


def at_middle(low: float, high: float) -> Window:
    """Return the null window in the middle of two values."""
    middle = float(floor(low + (high - low) / 2)) if high - low > 1 else low
    middle = max(low, middle)  # low and high need not be whole numbers
    return middle, above(middle)
