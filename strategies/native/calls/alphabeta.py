"""Calls the alpha-beta kernel: alone, in iterative deepening, in aspiration windows, in MTD(f)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeGuard

from attrs import evolve, frozen

from games.failed import RuleFailed
from games.game import WIN
from games.u64 import U64
from strategies.native.calls.answers import Answer, answer_in, entries_of, keep_answer
from strategies.native.calls.kept_sizes import Size, keep_size
from strategies.native.calls.run_kernel import run_kernel
from strategies.native.engine import Engine, control_for, plain
from strategies.native.hooks import NUMBERS, mix
from strategies.native.kernels import alphabeta
from strategies.native.kernels.control import NEARER, STOP
from strategies.native.memory.cells import Stop
from strategies.native.memory.floats import INFINITY, above, below
from strategies.native.memory.transposition_table import Counts, Table

UNLIMITED: Final = 1 << 62


@frozen
class Found:
    """The result of a search with a table; `finished` unless its budget ran out or it was
    stopped."""

    value: float
    nodes: int
    leaves: int
    line: tuple[int, ...]
    table: Counts
    finished: bool = True


def search_alphabeta(
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
    leftmost: bool = True,
) -> Found:
    """Search `state` to `depth` plies by alpha-beta with a transposition table.

    Requires: as `Table.claim`.
    Ensures: as `Engine.search`, with the same value and move; lines may end where the table
    answers.  Entries of another game, of other searches or with another `nearer` are cleared.  With
    `scouts`, later branches are tested by null windows.  With `orders`, moves are ordered; a
    `shuffle` other than 0 starts the history heuristic with random weights, different for each
    number.  With `marks`, this thread searches other branches than the threads that share this
    table.  Without `leftmost`, the move is any optimal one: on some positions two thirds of the
    nodes suffice for that.
    Raises: as `Engine.search`, but a stopped search returns a result that is not `finished`.

    >>> from games import HANDOUT_SMALL
    >>> from strategies.native.kept_engines import engine_for
    >>> engine = engine_for(HANDOUT_SMALL, "interpreted")
    >>> search_alphabeta(engine, Table("64kB"), HANDOUT_SMALL.start(), 2).value
    4
    """
    control = control_for(depth, alphabeta.LINES)
    engine.settle(alphabeta.alphabeta)
    control[NEARER], control[alphabeta.DEPTH] = nearer, depth
    control[alphabeta.SCOUTS], control[alphabeta.ORDERS] = scouts, orders
    control[alphabeta.BUDGET], control[alphabeta.LEFTMOST] = nodes, leftmost
    control[alphabeta.MARKS] = table.marks if marks else 0
    for k in range(2 * NUMBERS if shuffle else 0):
        control[alphabeta.HISTORY + k] = int(mix(U64(shuffle * 1000 + k)) >> 52)
    table.enter(control, entries_of(engine, nearer))
    (value, entered, leaves), line = run_kernel(
        engine, alphabeta.alphabeta, state, depth, alpha, beta,
        control=control, memory=table.cells, stop=stop, rows=alphabeta.LINES,
    )  # fmt: skip
    return Found(plain(value), entered, leaves, line, table.counts(control), not control[STOP])


def answered(known: Answer) -> Found:
    """Return a stored answer as the result of a search that visited no node."""
    return Found(known.value, 0, 0, (known.branch,), Counts())


def keep_found(
    table: Table, engine: Engine, state: Any, nearer: bool, depth: int, found: Found
) -> None:
    """Store the result of a finished search in an open window, so that a later search can
    continue."""
    if found.line:
        answer = Answer(depth, found.value, found.line[0])
        keep_answer(table, engine, state, nearer, answer)
        keep_size(table, entries_of(engine, nearer), engine, state, Size(depth, found.nodes))


Searcher = Callable[..., Found]
"""A function that searches like `search_alphabeta`, with the same arguments."""


def add_up(first: Found, then: Found) -> Found:
    """Add two searches: the result of the later one, with the counts of both."""
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
    mtdf: bool = False,
    nearer: bool = True,
    nodes: int = UNLIMITED,
    stop: Stop | None = None,
    by: Searcher = search_alphabeta,
    stride: int = 1,
) -> Found:
    """Search by iterative deepening, two plies at a time, with move ordering and null windows.

    The entries of the shallower searches order the moves of the deeper ones, which saves more than
    they cost.  A depth that meets a position without an estimate is skipped.  With `mtdf` the last
    search is MTD(f), else principal variation search.  Each is made `by` a function like
    `search_alphabeta`; a `stride` multiplies the distance between depths.  With a kept table, the
    search begins above the depth of the stored answer.
    """
    known = answer_in(table, engine, state, nearer)
    found = None if known is None or known.depth > depth else answered(known)
    if known is not None and known.depth == depth:
        return answered(known)
    apart = 2 * stride
    for d in range(depth % apart or apart, depth + 1, apart) if depth else (0,):
        if known is not None and d <= known.depth and d < depth:
            continue
        window = (alpha, beta) if d == depth else (-INFINITY, INFINITY)
        left = nodes - (found.nodes if found else 0)
        settings: dict[str, Any] = {"nearer": nearer, "nodes": left, "stop": stop, "orders": True}
        try:
            if mtdf and found is not None and d == depth:
                then = _mtdf(by, engine, table, state, d, *window, found.value, settings)
            else:
                then = by(engine, table, state, d, *window, scouts=True, **settings)
        except RuleFailed as error:
            if d < depth and error.lacks_estimate:
                continue
            raise
        found = add_up(found, then) if found else then
        if not found.finished:
            break
        if window[0] < found.value < window[1]:
            keep_found(table, engine, state, nearer, d, found)
    assert found is not None
    return found


def search_open_window(
    engine: Engine,
    table: Table,
    state: Any,
    depth: int,
    guess: float | None = None,
    *,
    scouts: bool = False,
    by: Searcher = search_alphabeta,
    **settings: Any,
) -> Found:
    """Search in an open window, with the best move order known so far; `guess` is ignored."""
    return by(engine, table, state, depth, scouts=scouts, orders=True, **settings)


def search_aspiration(
    engine: Engine,
    table: Table,
    state: Any,
    depth: int,
    guess: float | None,
    *,
    margin: float = 2.0,
    by: Searcher = search_alphabeta,
    **settings: Any,
) -> Found:
    """Search in an aspiration window around `guess`, with the best move order known so far.

    The first window extends `margin` to both sides of the guess; if the value lies outside, that
    side is opened.  Without a guess, or after a forced win, the window is open from the start.
    """
    if not _guides(guess):
        return search_open_window(engine, table, state, depth, scouts=True, by=by, **settings)
    low, high = guess - margin, guess + margin
    total: Found | None = None
    while True:
        left = _after(settings, total.nodes if total else 0)
        found = by(engine, table, state, depth, low, high, scouts=True, orders=True, **left)
        total = add_up(total, found) if total else found
        if not found.finished or low < found.value < high:
            return total
        if found.value <= low:
            low = -INFINITY
        else:
            high = INFINITY


def search_mtdf(
    engine: Engine,
    table: Table,
    state: Any,
    depth: int,
    guess: float | None,
    *,
    by: Searcher = search_alphabeta,
    **settings: Any,
) -> Found:
    """Search by MTD(f) from `guess`, with the best move order known so far."""
    if not _guides(guess):
        return search_open_window(engine, table, state, depth, scouts=True, by=by, **settings)
    ordered = {**settings, "orders": True}
    return _mtdf(by, engine, table, state, depth, -INFINITY, INFINITY, guess, ordered)


def _guides(guess: float | None) -> TypeGuard[float]:
    """Return whether a guess is near other values: a forced win is far from all of them."""
    return guess is not None and abs(guess) < WIN


def _after(settings: dict[str, Any], nodes: int) -> dict[str, Any]:
    """Return the settings of the next search, after `nodes` of the budget are spent."""
    return {**settings, "nodes": settings.get("nodes", UNLIMITED) - nodes}


def _mtdf(
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
    """Close in on the value by null windows (MTD(f)); the last search finds the leftmost move."""
    low, high = -INFINITY, INFINITY
    found = Found(guess, 0, 0, (), Counts())
    while found.finished and low < high and low < beta and high > alpha:
        top = above(found.value) if found.value == low else found.value
        left = _after(settings, found.nodes)
        found = add_up(found, by(engine, table, state, depth, below(top), top, **left))
        if found.value < top:
            high = found.value
        else:
            low = found.value
    if found.finished and low == high:
        window = max(alpha, below(low)), min(beta, above(low))
        left = _after(settings, found.nodes)
        found = add_up(found, by(engine, table, state, depth, *window, **left))
    return found
