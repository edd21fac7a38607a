"""Iterative deepening: one loop of depths for every searcher, which it does not know.

A searcher is a function of a depth, a guess at the value, a window, and a number of nodes: one
thread, several over one table, a task for each branch, or a row of graphs, here or on a cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import Any, Final

from attrs import define, evolve, field

from games.failed import RuleFailed
from strategies.native.calls.alphabeta import (
    SIZE,
    UNLIMITED,
    Answer,
    Found,
    Searcher,
    add_up,
    answer_in,
    keep_answer,
    search_alphabeta,
)
from strategies.native.calls.windows import (
    OPEN,
    Approach,
    Window,
    Windows,
    bounds_of,
    following,
    whole,
    won,
)
from strategies.native.engine import Engine
from strategies.native.memory.cells import Stop
from strategies.native.memory.floats import INFINITY, above
from strategies.native.memory.transposition_table import Table

Step = Callable[[int, float | None, Window, int], Found]
"""Searches to a depth, from a guess at the value, in a window, within a number of nodes."""

LISTENERS: Final[list[Callable[[Deepening], None]]] = []
"""The functions that are told of each depth that a search in this process finishes."""


@define(eq=False)
class Deepening:
    """A search to one depth after another, with the result of the last that was finished."""

    engine: Engine
    table: Table
    state: Any
    nearer: bool = True
    nodes: int = UNLIMITED
    """The nodes after which no further depth begins."""
    limited: bool = False
    """Whether the search has a limit: then a forced win ends it."""
    window: Window = OPEN
    """The window of the last depth."""
    best: Found | None = None
    depth: int = 0
    """The depth of `best`."""
    spent: Found | None = None
    """The last result, also of a depth that was not finished, with the counts of all."""
    values: dict[int, Any] = field(factory=dict)
    """The values of the finished depths."""
    count: Callable[[], int] | None = None
    """Counts the nodes so far, if the results do not."""
    begun: float = field(factory=perf_counter)

    @property
    def visited(self) -> int:
        """Return the nodes so far."""
        if self.count is not None:
            return self.count()
        return self.spent.nodes if self.spent is not None else 0

    def resume(self, last: int) -> Answer | None:
        """Begin above the depth of a kept table's answer, unless that is beyond the last depth;
        return the answer, if any."""
        answer = answer_in(self.table, self.engine, self.state, self.nearer)
        if answer is not None and answer.depth <= last:
            self.keep(answer.depth, Found(answer.value, line=(answer.branch,)))
        return answer

    def work(self, search: Step, depths: Sequence[int]) -> None:
        """Search to each of the depths that are not known yet, until a limit.

        The guess is the value of two plies before, because values of odd and even depths differ.  A
        depth that meets a position without an estimate is skipped, unless it is the last.  A kept
        table stores the answer of each finished depth, so that a later search can continue.
        """
        for depth in depths:
            if self.best is not None and depth <= self.depth:
                continue
            left = self.nodes - (self.spent.nodes if self.spent else 0)
            if self.limited and (left <= 0 or (self.best is not None and won(self.best.value))):
                return
            last = depth == depths[-1]
            with estimates_to_spare(not last):
                window = self.window if last else OPEN
                found = search(depth, self.values.get(depth - 2), window, left)
                self.spent = add_up(self.spent, found) if self.spent else found
                if not found.finished:
                    return
                self.keep(depth, found)
                if self.table.kept and found.line and window[0] < found.value < window[1]:
                    self.store(depth, found)

    def keep(self, depth: int, found: Found) -> None:
        """Record the result of a finished depth."""
        self.best, self.depth, self.values[depth] = found, depth, found.value
        for listener in tuple(LISTENERS):
            listener(self)

    def store(self, depth: int, found: Found) -> None:
        """Store an answer in the kept table; with its size, if it counts its nodes."""
        at = self.table, self.engine, self.state, self.nearer
        keep_answer(*at, Answer(depth, found.value, found.line[0]))
        if found.nodes:
            keep_answer(*at, Answer(depth, found.nodes), SIZE)


@contextmanager
def estimates_to_spare(spared: bool = True) -> Iterator[None]:
    """Ignore the error about a missing estimate inside the block, if `spared`."""
    try:
        yield
    except RuleFailed as error:
        if not (spared and error.lacks_estimate):
            raise


def search_in_windows(
    windows: Windows, by: Searcher, *position: Any, scouts: bool, nodes: int = UNLIMITED,
    **settings: Any,
) -> Found:  # fmt: skip
    """Search a position in one window after another; return the last result, with all counts.

    Each search is made `by` a function like `search_alphabeta`, with ordered moves.  The limit of
    nodes applies to all of them together.  With `scouts`, later branches are tested by null
    windows, unless the window around them is as narrow.
    """
    total, bounds = None, None
    while window := following(windows, bounds):
        found = by(
            *position, *window, scouts=scouts and above(above(window[0])) < window[1], orders=True,
            nodes=nodes - (total.nodes if total else 0), **settings,
        )  # fmt: skip
        total = add_up(total, found) if total else found
        if not found.finished:
            break
        bounds = bounds_of(found.value, window)
    assert total is not None
    return total


def search_deepening(
    engine: Engine, table: Table, state: Any, depth: int, alpha: float = -INFINITY,
    beta: float = INFINITY, *, last: Approach = whole, nearer: bool = True, nodes: int = UNLIMITED,
    stop: Stop | None = None, by: Searcher = search_alphabeta, stride: int = 1,
) -> Found:  # fmt: skip
    """Search by iterative deepening, two plies at a time, with move ordering and null windows.

    The entries of the shallower searches order the moves of the deeper ones, which saves more than
    they cost.  The `last` depth is searched in the windows of an approach, the others in the whole
    window.  Each search is made `by` a function like `search_alphabeta`; a `stride` multiplies the
    distance between depths.
    Ensures: as `search_alphabeta`; `finished` only if the last depth is.
    Raises: as `search_alphabeta`.
    Source: Slate and Atkin, Chess 4.5 (1977).

    >>> from games import HANDOUT_SMALL
    >>> from strategies.native.kept_engines import engine_for
    >>> engine = engine_for(HANDOUT_SMALL, "interpreted")
    >>> search_deepening(engine, Table("64kB"), HANDOUT_SMALL.start(), 2).value
    4
    """

    def to(d: int, guess: float | None, window: Window, left: int) -> Found:
        if guess is None and run.best is not None:  # from one ply before, or from more than two
            guess = run.best.value
        windows = (last if d == depth else whole)(guess, window)
        how: dict[str, Any] = {"nearer": nearer, "nodes": left, "stop": stop}
        return search_in_windows(windows, by, engine, table, state, d, scouts=True, **how)

    run = Deepening(engine, table, state, nearer, nodes, window=(alpha, beta))
    answer, apart = run.resume(depth), 2 * stride
    depths: Sequence[int] = range(depth % apart or apart, depth + 1, apart) if depth else (0,)
    deeper = answer is not None and answer.depth > depth  # so the table knows the order of moves
    run.work(to, depths[-1:] if deeper else depths)
    found = run.spent or run.best
    assert found is not None
    return evolve(found, finished=run.depth == depth and run.best is not None)
