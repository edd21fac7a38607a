"""The graph of all positions that can be reached: explored by kernels, in pieces at once."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from functools import partial
from typing import Any, Final

from attrs import frozen

from graphs.errors import ArgumentError
from strategies.native.engine import Engine
from strategies.native.failures import UNKNOWN, failure_below, raise_failure
from strategies.native.kernels import position_graph as kernels
from strategies.native.kernels.control import STOP, STUCK
from strategies.native.kernels.position_graph import (
    BRANCHES,
    CHILD,
    COUNT,
    DONE,
    FINISHED,
    PIECE,
    RECORDS,
    SIZE,
)
from strategies.native.kernels.sweeps import ROWS
from strategies.native.memory.cells import Stop, Stopped, cells
from strategies.native.memory.transposition_table import show_size, zeros

FEW: Final = 4_000
"""The positions of the first graph, which shows how many branches a position has."""
FIRST_BRANCHES: Final = 400
"""The branches for each position of the first graph, at most."""
COMPONENTS: Final = ROWS + 7
"""The cells of a position in the search for components, and in the order that comes from it."""
TOGETHER: Final = PIECE
"""The positions of a piece."""
BUFFERS: Final = 4
"""The pieces for each worker."""
ALL: Final = 1 << 62

AtOnce = Callable[[Sequence[Callable[[], int]]], Generator[int, None, None]]
"""Makes calls, some of them at once, and generates their results in order."""
Pause = Callable[[], None]
"""What is done between two steps, when nothing else runs."""


class TooManyPositions(ArgumentError):
    """More positions can be reached than fit into the memory."""


def one_by_one(calls: Sequence[Callable[[], int]]) -> Generator[int, None, None]:
    """Make calls one after another, when their results are asked for."""
    yield from (call() for call in calls)


@frozen(eq=False)
class Work:
    """How a graph is worked on: the threads, the flag that ends it, and what is done meanwhile."""

    stop: Stop
    at_once: AtOnce = one_by_one
    workers: int = 1
    pause: Pause = lambda: None


@frozen(eq=False)
class PositionGraph:
    """All positions that can be reached from one, with their branches, as rows of numbers."""

    engine: Engine
    state: Any
    control: Any
    table: Any
    memory: Any
    slots: int
    most: int
    branches: int
    width: int
    """The cells of a position; negative if they point to memory that lasts as long as a call."""

    @property
    def count(self) -> int:
        """Return the number of positions; the first is the one from which others are reached."""
        return int(self.control[COUNT])

    @property
    def waiting(self) -> int:
        """Return the number of positions that are not expanded yet."""
        return self.count - int(self.control[DONE])

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Return the numbers from which kernels know where the rows begin."""
        return self.slots, self.most, self.branches

    def row(self, offset: int, count: int | None = None, kind: str = "int64") -> Any:
        """Return cells from an offset on, by default one for each position, as an array."""
        import numpy as np

        size = self.count if count is None else count
        return np.frombuffer(self.memory, dtype=kind, count=size, offset=8 * offset)

    @property
    def words(self) -> Any:
        """Return the hash of each position."""
        return self.row(self.slots, kind="uint64")

    @property
    def kinds(self) -> Any:
        """Return the kind of each position."""
        return self.row(self.slots + self.most)

    def values(self, upper: bool = False) -> Any:
        """Return the value of each position, or the upper bound."""
        return self.row(self.slots + (3 if upper else 2) * self.most, kind="float64")

    def branch_rows(self) -> tuple[Any, Any]:
        """Return the first branch of each position, with the end of the last one, and where each
        branch leads."""
        first = self.slots + 4 * self.most
        leads = first + self.most + 1
        return self.row(first, self.count + 1), self.row(leads, int(self.control[BRANCHES]))

    def run(self, kernel: Any, *numbers: Any, stop: Stop, control: Any = None) -> Any:
        """Run a kernel over the graph, until `stop` is set."""
        with stop.watching(self.control if control is None else control) as row:
            return self.engine.call(kernel, self.state, *numbers, row, self.table)

    def explore(self, work: Work) -> int:
        """Find positions until all are found, or there is no room; return how it ended.

        Raises: `Stopped`; `RuleFailed`.
        """
        ended = FINISHED
        while ended == FINISHED and (self.waiting or not self.count):
            work.pause()
            wide = self.width > 0 and self.waiting >= 2 * TOGETHER
            ended = self._round(work) if wide else self._alone(work.stop)
        return ended

    def _alone(self, stop: Stop) -> int:
        """Explore in this thread until there is enough for several."""
        until = 2 * TOGETHER if self.width > 0 else ALL
        numbers = 0, 0, until, *self.sizes, self.states, self._buffer(0)
        ended = self._checked(kernels.explore, *numbers, stop=stop, control=self.control)
        if ended == kernels.HALTED:
            raise Stopped("the exploration was stopped")
        return ended

    def _round(self, work: Work) -> int:
        """Expand pieces at once, and merge them in order; return how that ended."""
        begin, end = int(self.control[DONE]), self.count
        starts = range(begin, end, TOGETHER)[: BUFFERS * work.workers]
        pieces = [(first, min(first + TOGETHER, end)) for first in starts]
        stop = Stop(work.stop)
        calls = [partial(self._expand, k, *piece, stop) for k, piece in enumerate(pieces)]
        with closing(work.at_once(calls)) as counts:
            for k, ((first, last), count) in enumerate(zip(pieces, counts, strict=True)):
                while (ended := self._merge(k, first, count, work.stop)) == FINISHED:
                    first += count
                    if first == last:
                        break
                    count = self._expand(k, first, last, stop)
                if ended != FINISHED:
                    stop.set()
                    return ended
        return FINISHED

    def _expand(self, k: int, first: int, last: int, stop: Stop) -> int:
        numbers = first, last, 0, *self.sizes, self.states, self._buffer(k)
        control = cells(SIZE)
        control[COUNT] = last
        count = self._checked(kernels.explore, *numbers, stop=stop, control=control)
        if count < 0:
            raise Stopped("the exploration was stopped")
        return count

    def _merge(self, k: int, first: int, count: int, stop: Stop) -> int:
        if count == 0:
            return kernels.FULL_OF_BRANCHES
        numbers = first, count, *self.sizes, self.states, self._buffer(k)
        return int(self.run(kernels.merge, *numbers, stop=stop))

    def _checked(self, kernel: Any, *numbers: Any, stop: Stop, control: Any) -> int:
        try:
            found = self.run(kernel, *numbers, stop=stop, control=control)
        except Exception as error:
            raise_failure(failure_below(self.engine.game, self.state, error), error)
        if control[STOP] == STUCK:
            raise failure_below(self.engine.game, self.state, UNKNOWN)
        return int(found)

    @property
    def states(self) -> int:
        """Return the offset of the positions themselves."""
        odds = self.branches if self.engine.has_chance else 0
        return self.slots + 5 * self.most + 1 + self.branches + odds

    def _buffer(self, k: int) -> int:
        """Return the offset of a buffer."""
        return self.states + self.most * abs(self.width) + k * buffer_size(self.width)


def buffer_size(width: int) -> int:
    """Return the cells of a buffer."""
    return PIECE + RECORDS * (CHILD + abs(width))


def explored(
    engine: Engine, state: Any, memory: int, work: Work, control: Any,
    begun: Callable[[PositionGraph], None] = lambda graph: None,
) -> PositionGraph:  # fmt: skip
    """Explore all positions that can be reached from `state`, in at most `memory` bytes.

    Ensures: `control`, of `SIZE` cells, counts the positions while it runs.  `begun` is called with
    the graph when its memory is there; it may fill in what is known from an earlier run.
    Raises: `TooManyPositions`; `Stopped`; `RuleFailed`.
    """
    width, buffers = int(engine.call(kernels.width, state, cells(1))), BUFFERS * work.workers
    graph = _empty(engine, state, cells(SIZE), FEW, FIRST_BRANCHES * FEW, width, buffers)
    if graph.explore(Work(work.stop)) != FINISHED:
        each = 1.5 * graph.control[BRANCHES] / max(1, graph.control[DONE]) + 4
        # Slots are a power of two, from 1.5 to 3 for each position; components come later.
        cells_each = 3 + 5 + abs(width) + each * (2 if engine.has_chance else 1) + COMPONENTS
        most = int(memory / 8 / cells_each)
        if most <= FEW:
            raise _too_many(graph, memory)
        graph = _empty(engine, state, control, most, int(each * most), width, buffers)
    begun(graph)
    if graph.explore(work) != FINISHED:
        raise _too_many(graph, memory)
    control[COUNT] = graph.count
    return graph


def _too_many(graph: PositionGraph, memory: int) -> TooManyPositions:
    return TooManyPositions(
        f"more than {graph.count:,} positions can be reached, which do not fit into "
        f"{show_size(memory)}: give more memory"
    )


def _empty(
    engine: Engine, state: Any, control: Any, most: int, branches: int, width: int, buffers: int
) -> PositionGraph:
    slots = 1 << int(1.5 * most).bit_length()
    odds = branches if engine.has_chance else 0
    count = slots + 5 * most + 1 + branches + odds + abs(width) * most
    count += buffers * buffer_size(width)
    memory = zeros(8 * count)
    table = row_type(count).from_buffer(memory)
    return PositionGraph(engine, state, control, table, memory, slots, most, branches, width)


def row_type(count: int) -> Any:
    """Return the type of a row of cells, as `cells` makes it, that is used once."""
    return type("Cells", (ctypes.c_int64 * count,), {"timed": None})
