"""Searches with a table: how a kernel of `ordered` is called, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from attrs import evolve, frozen

from games.game import WIN
from games.words import U64
from strategies.native.engine import Engine, best_line, plain
from strategies.native.errors import RuleFailed
from strategies.native.failures import failure, stuck
from strategies.native.hooks import NUMBERS, mix
from strategies.native.kernels import alphabeta as ordered
from strategies.native.kernels.control import NEARER, ROWS, STOP, STUCK
from strategies.native.memory.cells import Stop, cells
from strategies.native.memory.floats import INFINITY, above, below
from strategies.native.memory.transposition_table import Counts, Table

UNLIMITED: Final = 1 << 62


@frozen
class Found:
    """What a search with a table found; `finished` unless its budget ran out or it was stopped."""

    value: float
    nodes: int
    leaves: int
    line: tuple[int, ...]
    table: Counts
    finished: bool = True


def search_with(
    engine: Engine,
    table: Table,
    state: Any,
    depth: int,
    alpha: float = -INFINITY,
    beta: float = INFINITY,
    *,
    scouts: bool = False,
    orders: bool = False,
    nearer: bool = True,
    nodes: int = UNLIMITED,
    stop: Stop | None = None,
    marks: bool = False,
    shuffle: int = 0,
) -> Found:
    """The value of `state` at `depth` plies, by alpha-beta with a table.

    Requires: as `Table.claim`.
    Ensures: as `Engine.search`, whose value and move it has; lines may end where the table answers.
    What the table kept of another game, by other searches or with another `nearer`, is forgotten.
    With `scouts`, later branches are tested by zero windows; with `orders`, branches are tried in a
    promising order, which begins with guesses of its own for each number `shuffle` but 0.  With
    `marks`, this thread spreads out from others that search with this table.
    Raises: as `Engine.search`, but a stopped search is returned, not `finished`.

    >>> from games import HANDOUT_SMALL
    >>> from strategies.native.engine import engine_for
    >>> engine = engine_for(HANDOUT_SMALL, "interpreted")
    >>> search_with(engine, Table("64kB"), HANDOUT_SMALL.start(), 2).value
    4
    """
    if not 0 <= depth <= ordered.DEEPEST:
        raise ValueError(f"depth is {depth}: a search has 0 to {ordered.DEEPEST} plies")
    engine.settle(ordered.ordered)
    control = cells(ordered.ordered_size(depth))
    control[NEARER], control[ordered.DEPTH] = nearer, depth
    control[ordered.SCOUTS], control[ordered.ORDERS] = scouts, orders
    control[ordered.BUDGET] = nodes
    control[ordered.MARKS] = table.marks if marks else 0
    for k in range(2 * NUMBERS if shuffle else 0):
        control[ordered.HISTORY + k] = int(mix(U64(shuffle * 1000 + k)) >> 52)
    table.enter(control, (engine, ordered.ordered, nearer))
    try:
        with (stop or Stop()).watching(control):
            value, entered, leaves = engine.call(
                ordered.ordered, state, depth, alpha, beta, control, table.cells
            )
    except Exception as error:
        found = failure(engine.game, state, depth, lines(control), error)
        if found is error:
            raise
        raise found from error
    if control[STOP] == STUCK:
        raise stuck(engine.game, state, depth, lines(control))
    return Found(
        plain(value),
        entered,
        leaves,
        best_line(lines(control), depth),
        table.counts(control),
        not control[STOP],
    )


Searcher = Callable[..., Found]
"""What searches as `search_with` does, and takes its arguments."""


def add_up(first: Found, then: Found) -> Found:
    """The later of two searches, with the counts of both."""
    return evolve(
        then,
        nodes=first.nodes + then.nodes,
        leaves=first.leaves + then.leaves,
        table=first.table.plus(then.table),
    )


def search_deepening(
    engine: Engine,
    table: Table,
    state: Any,
    depth: int,
    alpha: float = -INFINITY,
    beta: float = INFINITY,
    *,
    by_tests: bool = False,
    nearer: bool = True,
    nodes: int = UNLIMITED,
    stop: Stop | None = None,
    by: Searcher = search_with,
    stride: int = 1,
) -> Found:
    """`search_with`, in a promising order, after the shallower searches two plies apart.

    What they leave in the table orders the deeper ones, which saves more than they cost.  One that
    meets a position without an estimate is left out.
    With `by_tests` the last one is MTD(f), else principal variation search.  Each is made `by` a
    function like `search_with`; with a `stride` they are that many times as far apart.
    """
    found: Found | None = None
    apart = 2 * stride
    for d in range(depth % apart or apart, depth + 1, apart) if depth else (0,):
        window = (alpha, beta) if d == depth else (-INFINITY, INFINITY)
        left = nodes - (found.nodes if found else 0)
        settings: dict[str, Any] = {"nearer": nearer, "nodes": left, "stop": stop, "orders": True}
        try:
            if by_tests and found is not None and d == depth:
                then = _by_tests(by, engine, table, state, d, *window, found.value, settings)
            else:
                then = by(engine, table, state, d, *window, scouts=True, **settings)
        except RuleFailed as error:
            if d < depth and error.lacks_estimate:
                continue
            raise
        found = add_up(found, then) if found else then
        if not found.finished:
            break
    assert found is not None
    return found


def search_aspiring(
    engine: Engine,
    table: Table,
    state: Any,
    depth: int,
    guess: float | None,
    *,
    style: str = "pvs",
    margin: float = 2.0,
    by: Searcher = search_with,
    **settings: Any,
) -> Found:
    """One search whose value is expected to lie near `guess`, with the best order known so far.

    The window is first `margin` to both sides of the guess; where the value lies beyond, that side
    is opened.  In style "mtdf" all windows are of zero width, in style "alphabeta" they are open.
    """
    if style == "alphabeta" or guess is None or abs(guess) >= WIN:
        scouts = style != "alphabeta"
        return by(engine, table, state, depth, scouts=scouts, orders=True, **settings)
    if style == "mtdf":
        asked = {**settings, "orders": True}
        return _by_tests(by, engine, table, state, depth, -INFINITY, INFINITY, guess, asked)
    low, high = guess - margin, guess + margin
    total: Found | None = None
    while True:
        asked = _after(settings, total.nodes if total else 0)
        found = by(engine, table, state, depth, low, high, scouts=True, orders=True, **asked)
        total = add_up(total, found) if total else found
        if not found.finished or low < found.value < high:
            return total
        if found.value <= low:
            low = -INFINITY
        else:
            high = INFINITY


def _after(settings: dict[str, Any], nodes: int) -> dict[str, Any]:
    """The settings of the next search, when so many nodes of the budget are spent."""
    return {**settings, "nodes": settings.get("nodes", UNLIMITED) - nodes}


def _by_tests(
    by: Searcher,
    engine: Engine,
    table: Table,
    state: Any,
    depth: int,
    alpha: float,
    beta: float,
    guess: float,
    settings: dict[str, Any],
) -> Found:
    """MTD(f): zero-window tests close in on the value; the last search finds the leftmost move."""
    low, high = -INFINITY, INFINITY
    found = Found(guess, 0, 0, (), Counts())
    while found.finished and low < high and low < beta and high > alpha:
        top = above(found.value) if found.value == low else found.value
        found = add_up(found, by(engine, table, state, depth, below(top), top, **settings))
        if found.value < top:
            high = found.value
        else:
            low = found.value
    if found.finished and low == high:
        window = max(alpha, below(low)), min(beta, above(low))
        asked = _after(settings, found.nodes)
        found = add_up(found, by(engine, table, state, depth, *window, **asked))
    return found


def lines(control: Any) -> Any:
    """The cells of a control from where a plain search has its own."""
    return control[ordered.LINES - ROWS :]
