"""The windows in which a search closes in on a value, each chosen by what the last one showed.

A sequence of windows is a generator: it yields a window, is sent the bounds on the value that a
search in this window proved, and ends when the value is known.  Who searches does not matter: one
thread, several over one table, a row of graphs, or a solver.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from math import ceil, floor
from typing import Any, Final, NamedTuple

from games.game import WIN, WIN_PLIES, win_in
from strategies.native.calls.run_kernel import run_kernel
from strategies.native.engine import Engine, control_for, plain
from strategies.native.kernels.control import NARROW, NEARER, STOP
from strategies.native.kernels.window_policy import KINDS, TOO_MANY, follow
from strategies.native.memory.cells import Stop, Stopped, cells
from strategies.native.memory.floats import INFINITY, above, below

Window = tuple[float, float]
GALLOP: Final = 4.0
"""How far from the bound that a guess gave the next question is."""
OPEN: Final = (-INFINITY, INFINITY)
Windows = Generator[Window, Window | None, None]
Approach = Callable[[float | None, Window], Windows]
"""Returns the windows in which to look for a value, from a guess at it, inside a window."""


def following(windows: Windows, bounds: Window | None) -> Window | None:
    """Return the next window after a search that proved `bounds`; None if the value is known.

    >>> windows, bounds = mtdf(5.0), None
    >>> while window := following(windows, bounds):
    ...     print([round(x, 9) for x in window])
    ...     bounds = bounds_of(4.0, window)
    [5.0, 5.0]
    [4.0, 4.0]
    [4.0, 4.0]
    """
    try:
        return windows.send(bounds)
    except StopIteration:
        return None


def bounds_of(value: float, window: Window) -> Window:
    """Return the bounds that a fail-soft value proves: exact inside its window, else one side.

    >>> bounds_of(3, (0, 5)), bounds_of(-1, (0, 5)), bounds_of(7, (0, 5))
    ((3, 3), (-inf, -1), (7, inf))
    """
    a, b = window
    low = -INFINITY if value <= a != -INFINITY else value
    return low, INFINITY if value >= b != INFINITY else value


# From a guess ------------------------------------------------------------------------------------


def whole(guess: float | None = None, window: Window = OPEN, found: Window = OPEN) -> Windows:
    """Yield the part of the window that `found` leaves open, until there is none; take no guess."""
    while _is_open(found, window):
        left = _meet(window, (below(found[0]), above(found[1])))
        found = _meet(found, (yield left))


def aspiration(guess: float | None, window: Window = OPEN, margin: float = 2.0) -> Windows:
    """Yield a window that extends `margin` to both sides of the guess; if the value lies outside,
    open that side.

    Without a guess in the window, or after a forced win, the window is whole from the start.
    Source: Marsland, A Review of Game-Tree Pruning (1986).
    """
    low, high = window
    if guess is not None and low < guess < high and not won(guess):
        low, high = max(low, guess - margin), min(high, guess + margin)
    while bounds := (yield low, high):
        if bounds[1] <= low != window[0]:
            low = window[0]
        elif bounds[0] >= high != window[1]:
            high = window[1]
        else:
            return


def mtdf(
    guess: float | None, window: Window = OPEN, maximizes: bool = True, nulls: int = sys.maxsize
) -> Windows:
    """Yield null windows from the guess on, then one around the value, for the leftmost move.

    A null window asks whether the player to move, who maximizes the value or minimizes it, reaches
    the guess, or more than that if it is a known bound.  After as many as `nulls` the value is far
    from the guess, and the window is whole again; so it is without a guess, or after a forced win.
    Source: Plaat and others, Best-First Fixed-Depth Minimax Algorithms (1996).
    """
    found, nulls = OPEN, 0 if guess is None or won(guess) else nulls
    while nulls > 0 and _is_open(found, window):
        assert guess is not None
        guess, nulls = min(max(guess, found[0]), found[1]), nulls - 1
        low = guess if guess == found[0] else below(guess)
        high = guess if guess == found[1] else above(guess)
        found = _meet(found, (yield (low, above(low)) if maximizes else (below(high), high)))
    if _is_open(found, window):
        yield from whole(None, window, found)
    elif found[0] == found[1]:
        yield _meet(window, (below(found[0]), above(found[0])))


def won(value: Any) -> bool:
    """Return whether a value is a forced win or loss, which is far from all other values, and which
    no deeper search changes."""
    return not isinstance(value, tuple) and abs(value) >= WIN


def _is_open(found: Window, window: Window) -> bool:
    return found[0] < min(found[1], window[1]) and found[1] > window[0]


def _meet(x: Window, y: Window | None) -> Window:
    return x if y is None else (max(x[0], y[0]), min(x[1], y[1]))


# Proofs ------------------------------------------------------------------------------------------


def questions(known: list[float], most: int = WIN_PLIES, guess: float | None = None) -> Windows:
    """Yield null windows to prove, until the bounds `known`, low and high, meet; about wins within
    `most` plies only, if that is less than `WIN_PLIES`.

    The bounds that it is sent narrow `known`, which others may narrow, too.

    Is there a win within 6 plies, or a loss; within 10, 16, 24, 36, …; then those around the guess,
    if there is one; then the middle of the rest.  Short wins are cheap to find, and the entries
    that these proofs store help the longer ones.
    """
    for value in wins(most):
        if may_win(known, value):
            learn(known, (yield below(value), value))
        if may_lose(known, value):
            learn(known, (yield -value, above(-value)))
    if guess is not None and most == WIN_PLIES:
        yield from nearby(known, guess)
    while known[0] < known[1] and (most == WIN_PLIES or known[0] >= WIN or known[1] <= -WIN):
        learn(known, (yield at_middle(*known)))


def signs(known: list[float]) -> Windows:
    """Yield null windows to prove, until the sign of a value is known: is it above 0, or below?

    The bounds that it is sent narrow `known`, as in `questions`.
    """
    if known[0] <= 0 < known[1]:
        learn(known, (yield 0.0, above(0.0)))
    if known[0] < 0 <= known[1]:
        learn(known, (yield below(0.0), 0.0))


def nearby(known: list[float], guess: float) -> Windows:
    """Yield null windows from a guess on, each twice as far from the last, until the value lies
    between two of them.

    Far from the value a question takes few nodes, and the nearest ones take most.

    >>> known = [-64.0, 64.0]
    >>> windows, bounds = nearby(known, 9.0), None
    >>> while window := following(windows, bounds):
    ...     print(window[0])
    ...     bounds = bounds_of(-4.0, window)
    9.0
    -8.0
    """
    low, high = known
    step, asked = GALLOP, min(max(float(floor(guess)), low), below(high))
    while known[0] <= asked < known[1] and (known[0] == low or known[1] == high):
        learn(known, (yield asked, above(asked)))
        asked = known[1] - step if known[0] == low else below(known[0] + step)
        step *= 2


def learn(known: list[float], bounds: Window | None) -> None:
    """Narrow the bounds `known` by others, if there are any."""
    known[:] = _meet((known[0], known[1]), bounds)


def neighbouring(known: list[float], asked: Collection[Window]) -> Iterator[Window]:
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
    if 3 < high - low < 3 * WIN_PLIES:
        third = (high - low) // 3
        pair = tuple((x, above(x)) for x in (floor(low + third), ceil(high - third) - 1.0))
    if not asked or any(window in asked for window in pair):
        yield from (window for window in pair if window not in asked)


def wins(most: int = WIN_PLIES) -> Iterator[float]:
    """Yield the least value of a win within 6 plies, within 10, 16, 24, 36, …, and `most`."""
    plies = 6
    while plies + 1 < most:
        yield float(win_in(plies + 1))
        plies += (plies + 2) // 4 * 2  # a half more, as an even number
    yield float(win_in(most))


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


class Followed(NamedTuple):
    """The result of a search by a policy: the interval that holds the value, and counts."""

    lo: float
    hi: float
    nodes: int
    leaves: int
    inlined: int
    """The number of sparks that the policy created."""
    pruned: int
    """The number of branches whose window was closed when their turn came."""


Rows = Callable[[str, int], tuple[Sequence[int], int]]


def table(rows: Rows, most: int) -> Any:
    """Lay out a policy for nodes of up to `most` branches.

    Requires: ``rows(kind, n)`` returns a code for each of n branches, and the number of sparks.
    Ensures: cell 0 is `most`; then a row for each kind and n: the sparks, then the codes.
    """
    width = most + 1
    policy = cells(1 + 3 * width * width)
    policy[0] = most
    for k, kind in enumerate(KINDS):
        for n in range(1, width):
            codes, sparks = rows(kind, n)
            start = 1 + (k * width + n) * width
            policy[start] = sparks
            for i, code in enumerate(codes):
                policy[start + 1 + i] = code
    return policy


def run(
    engine: Engine, state: Any, depth: int, window: tuple[float, float], policy: Policy, *,
    narrow: bool, nearer: bool, stop: Stop,
) -> tuple[Followed, tuple[int, ...]]:  # fmt: skip
    """Search a position by a policy; return the result and the principal variation.

    Raises: `Stopped` if `stop` was set; `RuleFailed` where a rule fails; `NoPolicy` where a node
    has too many branches for the policy.
    """
    while True:
        control = control_for(depth)
        control[NARROW], control[NEARER] = narrow, nearer
        found, line = run_kernel(
            engine, follow, state, depth, *window, control=control, memory=policy.table, stop=stop
        )
        if control[STOP] != TOO_MANY:
            break
        policy.widen()
    if control[STOP]:
        raise Stopped("the search was stopped")
    lo, hi, *counts = found
    if engine.in_ints(state):
        lo, hi = plain(lo), plain(hi)
    return Followed(lo, hi, *counts), line


class Policy:
    """The table of a policy, which is widened for nodes with more branches."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.most = 16
        self.table = table(rows, self.most)

    def widen(self) -> None:
        """Make room for twice as many branches.

        Raises: NoPolicy.
        """
        self.table = table(self.rows, 2 * self.most)
        self.most *= 2
