"""Settles a graph of positions: works out the value of each from those that it leads to.

The plies in which best moves lead to the end are counted: in a game of scores that returns to
positions, a move may keep the value and go round in a circle, which is worth what endless play is.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from functools import partial
from itertools import pairwise
from typing import Any, Final, NamedTuple

from attrs import define, field

from games.game import WIN
from strategies.native.calls.position_graph import BUFFERS, PositionGraph, Work, row_type
from strategies.native.kernels import position_graph as kernels
from strategies.native.kernels import sweeps
from strategies.native.kernels.position_graph import COUNT, SIZE, TOP
from strategies.native.kernels.sweeps import (
    CHANGE,
    CURSOR,
    DEPTH,
    LEVEL,
    ORDER,
    ORDERED,
    PART,
    ROWS,
    TINY,
    components,
)
from strategies.native.memory.cells import Stopped, cells

ENOUGH: Final = 1 << 12
"""The positions that are worth a thread."""
LARGE: Final = 1 << 15
"""The positions of a component that several threads sweep: parts of it, or its two bounds."""
SETTLING, RUNS, BEGUN, AT, SPENT, MARKS = 0, 1, 2, 3, 5, 7
"""Marks of how far it is: whether it began (`NORMALIZED` if wins count 1), the runs done, whether a
large component has begun; where the sweeps of its two bounds are, and the bits of their changes;
the number of marks."""
NORMALIZED: Final = 2


class Run(NamedTuple):
    """Components that are settled together."""

    begin: int
    end: int
    pieces: tuple[int, ...]
    """Where the pieces begin that can be settled at once."""
    is_large: bool


Settle = Callable[[Run, Any, Any], None]
"""Settles a run, given the cells that kernels share and where each component begins."""


@define(eq=False)
class Settling:
    """The settling of a graph, which can be interrupted after any step and continued."""

    graph: PositionGraph
    endless: float
    precision: float
    work: Work
    marks: Any = field(factory=lambda: cells(MARKS))
    done: int = 0
    """The positions that are settled."""

    def settle(self) -> tuple[Any, Any]:
        """Work out the value of every position: return the lower and the upper bounds.

        Endless play is worth `endless`.  Without chance the bounds are equal, and a win in n plies
        is worth `TOP` less n.  With chance, a win is worth 1 and a loss -1 if every result is a
        win, a loss or 0; bounds then differ by at most `precision` times the greatest result, or
        where sweeps do not bring them closer.
        Ensures: the same for any threads, and whether or not it was continued.
        Raises: `Stopped`.
        """
        import numpy as np

        graph, low = self.graph, self.graph.values()
        if graph.engine.has_chance:
            high, enough, settle = self._bounds()
        else:
            high, enough, settle = low, 1.0, self._wins()
        row, starts, levels = self._ordered(enough)
        with self.work.stop.watching(row):
            for run in runs_of(starts, levels)[self.marks[RUNS] :]:
                self.work.pause()
                self.done = int(starts[run.begin])
                settle(run, row, starts)
                self.marks[RUNS] += 1
        self.done = graph.count
        return np.minimum(low, high), np.maximum(low, high)  # rounding may have crossed them

    @property
    def is_normalized(self) -> bool:
        """Return whether wins count 1, once it began."""
        return bool(self.marks[SETTLING] == NORMALIZED)

    def _wins(self) -> Settle:
        """Begin with values without chance; return what settles a run, sweeping until nothing
        changes.

        Values better than `endless` only rise, and those that are worse only fall, so that the end
        does not depend on the order.
        """
        import numpy as np

        graph, low = self.graph, self.graph.values()
        if not self.marks[SETTLING]:
            over = graph.kinds == kernels.OVER
            won = np.abs(low) >= WIN
            low[over & won] = np.copysign(TOP, low[over & won])
            low[~over] = self.endless
            self.marks[SETTLING] = 1
        engine, state, sizes, table = graph.engine, graph.state, graph.sizes, graph.table

        def settle(run: Run, row: Any, starts: Any) -> None:
            if not run.is_large:
                self._settle_parts(sweeps.settle_wins, (), run, row, starts)
                return
            begin, end = int(starts[run.begin]), int(starts[run.end])
            parts = max(1, min(BUFFERS * self.work.workers, (end - begin) // ENOUGH))
            edges = [begin + (end - begin) * k // parts for k in range(parts + 1)]
            calls = [
                partial(engine.call, sweeps.sweep_wins, state, *pair, *sizes, row, table)
                for pair in pairwise(edges)
            ]
            while self._total(calls):
                self.work.pause()

        return settle

    def _total(self, calls: Any) -> int:
        """Make calls of kernels, some at once; return the sum of their results.

        Raises: `Stopped`.
        """
        with closing(self.work.at_once(calls)) as results:
            found = list(results)
        if min(found) < 0:
            raise Stopped("the sweep was stopped")
        return sum(found)

    def _bounds(self) -> tuple[Any, float, Settle]:
        """Begin with bounds of values with chance; return the upper bounds, the difference that
        will do, and what settles a run."""
        import numpy as np

        graph = self.graph
        low, high, over = graph.values(), graph.values(upper=True), graph.kinds == kernels.OVER
        if not self.marks[SETTLING]:
            won, ends = np.abs(low) >= WIN, low[over]
            normalized = ends.size and np.all(won[over] | (ends == 0))
            if normalized:
                low[over] = np.sign(ends)
            high[over] = low[over]
            self.marks[SETTLING] = NORMALIZED if normalized else 1

        def settle(run: Run, row: Any, starts: Any) -> None:
            if run.is_large:
                self._sweep_both(run, row, starts)
            else:
                self._settle_parts(sweeps.settle_parts, (self.endless,), run, row, starts)

        return high, self.precision, settle

    def _settle_parts(
        self, kernel: Any, numbers: tuple[float, ...], run: Run, row: Any, starts: Any
    ) -> None:
        """Settle the small components of a run, some at once."""
        engine, state, sizes = self.graph.engine, self.graph.state, self.graph.sizes
        edges, at = (*run.pieces, run.end), ORDERED + int(starts[-1])
        calls = [
            partial(
                engine.call, kernel, state, begin, end, at, *sizes, *numbers, row, self.graph.table
            )
            for begin, end in pairwise(edges)
        ]
        self._total(calls)

    def _results(self, places: Any) -> tuple[float, float]:
        """Return bounds of what play can be worth from a component, as `sweeps.results_of`."""
        import numpy as np

        graph = self.graph
        first, leads = graph.branch_rows()
        inside = np.zeros(graph.count, bool)
        inside[places] = True
        left = leads[np.repeat(inside, np.diff(first))]
        left = left[~inside[left]]
        low, high = graph.values()[left], graph.values(upper=True)[left]
        return float(low.min(initial=self.endless)), float(high.max(initial=self.endless))

    def _sweep_both(self, run: Run, row: Any, starts: Any) -> None:
        """Sweep both bounds of a large component, each in a thread, until they are close."""
        import numpy as np

        graph, marks = self.graph, self.marks
        begin, end = int(starts[run.begin]), int(starts[run.end])
        places = np.frombuffer(row, dtype="int64")[ORDERED + begin : ORDERED + end]
        lowest, highest = self._results(places)
        greatest = max(1.0, abs(lowest), abs(highest))
        share = np.frombuffer(row, dtype="float64")[ORDERED + int(starts[-1]) + 2 * run.begin + 1]
        low, high = graph.values(), graph.values(upper=True)
        row[CURSOR : CURSOR + 4] = marks[AT:MARKS]
        if not marks[BEGUN]:
            low[places], high[places] = lowest, highest
            row[CURSOR : CURSOR + 4] = [begin, begin, 0, 0]
        marks[BEGUN] = 1
        call = partial(graph.engine.call, sweeps.sweep_bound, graph.state, end)
        calls = [partial(call, upper, *graph.sizes, row, graph.table) for upper in (0, 1)]
        tiny, enough = TINY * greatest, share * greatest
        changes = np.frombuffer(row, dtype="float64")[CHANGE : CHANGE + 2]
        while True:
            try:
                self._total(calls)
            finally:
                marks[AT:MARKS] = row[CURSOR : CURSOR + 4]
            if max(changes) <= tiny or np.max(high[places] - low[places]) <= enough:
                break
            row[CURSOR : CURSOR + 4] = [begin, begin, 0, 0]
            marks[AT:MARKS] = row[CURSOR : CURSOR + 4]
            self.work.pause()
        marks[BEGUN] = 0

    def _ordered(self, enough: float) -> tuple[Any, Any, Any]:
        """Order the positions in play by component, those below first.

        Returns the cells that kernels share, where each component begins in the order, and the
        level of each component.
        """
        import numpy as np

        graph, stop, count = self.graph, self.work.stop, self.graph.count
        control = row_type(SIZE + ROWS * count)()
        control[COUNT] = count
        sizes = graph.slots, graph.most, graph.states
        parts = graph.run(components, *sizes, stop=stop, control=control)
        if parts < 0:
            raise Stopped("the search for components was stopped")
        rows = np.frombuffer(control, dtype="int64")[SIZE:].reshape(ROWS, count)
        # Wins need few sweeps, so that what counts is that positions are near each other.
        order = rows[ORDER] if graph.engine.has_chance else np.arange(count)[::-1]
        order = order[graph.kinds[order] != kernels.OVER]
        place = np.empty(parts, dtype="int64")  # the place of each component
        place[np.argsort(rows[LEVEL][:parts], kind="stable")] = np.arange(parts)
        part = rows[PART][order] - 1
        here = place[part]
        by_place = np.argsort(here, kind="stable")
        order, part, here = order[by_place], part[by_place], here[by_place]
        new = np.flatnonzero(np.diff(here, prepend=-1))
        deep = rows[DEPTH][part[new]]
        share = (deep >> 1) / max(1, int(deep.max(initial=0)) >> 1)
        starts = np.append(new, len(order))
        row = row_type(ORDERED + len(order) + 2 * len(starts))()
        np.frombuffer(row, dtype="int64")[ORDERED : ORDERED + len(order)] = order
        ends = np.frombuffer(row, dtype="int64")[ORDERED + len(order) :]
        ends[::2] = starts
        ends.view("float64")[1:-2:2] = np.where(deep & 1, enough * share, 0.0)
        return row, starts, rows[LEVEL][part[new]]


def runs_of(starts: Any, levels: Any) -> list[Run]:
    """Divide components, by level, into runs: of one piece, or of pieces that can be made at once.

    A large component is a run of its own.
    """
    import numpy as np

    sizes, parts = np.diff(starts), len(levels)
    large = sizes >= LARGE
    new = np.diff(levels, prepend=-1) != 0
    new[1:] |= large[:-1]
    edges: list[int] = np.append(np.flatnonzero(new | large), parts).tolist()
    runs, pending = list[Run](), 0
    for begin, end in pairwise(edges):
        size = int(starts[end] - starts[begin])
        if size < 2 * ENOUGH and not large[begin]:
            if int(starts[end] - starts[pending]) > 64 * ENOUGH:
                runs.append(Run(pending, end, (pending,), False))
                pending = end
            continue
        if pending < begin:
            runs.append(Run(pending, begin, (pending,), False))
        runs.append(Run(begin, end, _pieces(starts, begin, end), bool(large[begin])))
        pending = end
    if pending < parts:
        runs.append(Run(pending, parts, (pending,), False))
    return runs


def _pieces(starts: Any, begin: int, end: int) -> tuple[int, ...]:
    """Divide independent components into pieces of about as many positions as are enough."""
    import numpy as np

    marks = np.arange(int(starts[begin]), int(starts[end]), ENOUGH)
    found = np.unique(np.searchsorted(starts[begin:end], marks)) + begin
    return tuple(found[found < end].tolist())


def steps_to_end(graph: PositionGraph, values: Any, endless: float) -> Any:
    """Return for each position the plies until play ends at its value, if the side to which this is
    worth more than endless play hurries, and the other one puts it off; None if there is nothing to
    choose, because each move that keeps a value leads nearer to the end.

    Requires: the exact values of a game without chance; `endless` is what endless play is worth.
    Ensures: 0 if play is over, or its value is that of endless play, or a win, which counts plies.
    From any other position, each move that keeps the value leads to fewer steps, if it is one of
    those that make progress.
    Cost: some microseconds for each position and branch.
    """
    import numpy as np

    first, leads = graph.branch_rows()
    going = (graph.kinds != kernels.OVER) & (np.abs(values) < WIN) & (values != endless)
    if not going.any():
        return None
    hurries = (values > endless) == (graph.kinds == kernels.MAX)
    source = np.repeat(np.arange(graph.count), np.diff(first))
    kept = going[source] & (values[source] == values[leads])
    source, target = source[kept], leads[kept]
    order = np.argsort(target, kind="stable")
    before = source[order]
    begins = np.searchsorted(target[order], np.arange(graph.count + 1))
    waits = np.bincount(source, minlength=graph.count)
    steps = np.where(going, -1, 0)
    reached, step = np.flatnonzero(graph.kinds == kernels.OVER), 0
    while len(reached):
        step += 1
        sizes = begins[reached + 1] - begins[reached]
        places = np.repeat(begins[reached] - np.cumsum(sizes) + sizes, sizes)
        above = before[places + np.arange(len(places))]
        np.subtract.at(waits, above, 1)
        reached = np.unique(above[(hurries[above] | (waits[above] == 0)) & (steps[above] < 0)])
        steps[reached] = step
    round_and_round = (steps[target] < 0) | (steps[target] >= steps[source])
    return steps if round_and_round.any() else None
