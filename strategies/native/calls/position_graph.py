"""The graph of all positions that can be reached: explored by a kernel, settled by sweeps."""

from __future__ import annotations

import ctypes
from typing import Any, Final

from attrs import frozen

from games.game import WIN
from graphs.errors import ArgumentError
from strategies.native.engine import Engine
from strategies.native.failures import UNKNOWN, failure_below, raise_failure
from strategies.native.kernels import position_graph as kernels
from strategies.native.kernels.control import STOP, STUCK
from strategies.native.kernels.position_graph import BRANCHES, COUNT, DONE, SIZE, TOP
from strategies.native.memory.cells import Stop, Stopped, cells
from strategies.native.memory.transposition_table import show_size, zeros

FEW: Final = 4_000
"""The positions of the first graph, which shows how many branches a position has."""
WIDEST: Final = 400
"""The branches for each position of the first graph, at most."""


class TooManyPositions(ArgumentError):
    """More positions can be reached than fit into the memory."""


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

    @property
    def count(self) -> int:
        """Return the number of positions; the first is the one from which others are reached."""
        return int(self.control[COUNT])

    def row(self, offset: int, kind: str = "int64") -> Any:
        """Return the cells of each position from an offset on, as an array of NumPy's."""
        import numpy as np

        return np.frombuffer(self.memory, dtype=kind, count=self.count, offset=8 * offset)

    @property
    def words(self) -> Any:
        """Return the hash of each position."""
        return self.row(self.slots, "uint64")

    @property
    def kinds(self) -> Any:
        """Return the kind of each position."""
        return self.row(self.slots + self.most)

    def values(self, upper: bool = False) -> Any:
        """Return the value of each position, or the upper bound."""
        return self.row(self.slots + (3 if upper else 2) * self.most, "float64")

    def sweep(self, *, upper: bool = False, nearer: bool = False, stop: Stop) -> float:
        """Work out each position once from its branches; return the greatest change."""
        offset = self.slots + (3 if upper else 2) * self.most
        sizes = self.slots, self.most, self.branches
        change = self._run(kernels.sweep, *sizes, offset, nearer, stop=stop)
        if change < 0:
            raise Stopped("the sweep was stopped")
        return float(change)

    def explore(self, stop: Stop) -> int:
        """Find positions until all are found, or there is no room; return how it ended."""
        sizes = self.slots, self.most, self.branches
        try:
            ended = self._run(kernels.explore, *sizes, stop=stop)
        except Exception as error:
            raise_failure(failure_below(self.engine.game, self.state, error), error)
        if self.control[STOP] == STUCK:
            raise failure_below(self.engine.game, self.state, UNKNOWN)
        if ended == kernels.HALTED:
            raise Stopped("the exploration was stopped")
        return int(ended)

    def _run(self, kernel: Any, *numbers: Any, stop: Stop) -> Any:
        with stop.watching(self.control) as row:
            return self.engine.call(kernel, self.state, *numbers, row, self.table)


def explored(engine: Engine, state: Any, memory: int, stop: Stop, control: Any) -> PositionGraph:
    """Explore all positions that can be reached from `state`, in at most `memory` bytes.

    Ensures: `control`, of `SIZE` cells, counts the positions while it runs.
    Raises: `TooManyPositions`; `Stopped`; `RuleFailed`.
    """
    width = int(engine.call(kernels.width, state, cells(1)))
    first = _empty(engine, state, cells(SIZE), FEW, WIDEST * FEW, width)
    ended = first.explore(stop)
    if ended == kernels.FINISHED:
        control[COUNT] = first.count
        return first
    done, found = max(1, first.control[DONE]), first.control[BRANCHES]
    each = 1.5 * found / done + 4
    # Slots are a power of two, from 1.5 to 3 for each position.
    most = int(memory / 8 / (3 + 5 + width + each * (2 if engine.has_chance else 1)))
    if most <= FEW:
        raise _too_many(first, memory)
    graph = _empty(engine, state, control, most, int(each * most), width)
    if graph.explore(stop) != kernels.FINISHED:
        raise _too_many(graph, memory)
    return graph


def _too_many(graph: PositionGraph, memory: int) -> TooManyPositions:
    return TooManyPositions(
        f"more than {graph.control[DONE]:,} positions can be reached, which do not fit into "
        f"{show_size(memory)}: give more memory"
    )


def _empty(
    engine: Engine, state: Any, control: Any, most: int, branches: int, width: int
) -> PositionGraph:
    slots = 1 << int(1.5 * most).bit_length()
    odds = branches if engine.has_chance else 0
    count = slots + 5 * most + 1 + branches + odds + width * most
    memory = zeros(8 * count)
    kind: Any = type("Cells", (ctypes.c_int64 * count,), {"timed": None})
    table = kind.from_buffer(memory)
    return PositionGraph(engine, state, control, table, memory, slots, most, branches)


def settle(graph: PositionGraph, endless: float, precision: float, stop: Stop) -> tuple[Any, Any]:
    """Work out the value of every position: return the lower and the upper bounds.

    Endless play is worth `endless`.  Without chance the bounds are equal, and a win in n plies is
    worth `TOP` less n.  With chance, a win is worth 1 and a loss -1 if every result is a win, a
    loss or 0; sweeps end when no two bounds differ by more than `precision` times the greatest
    value, or do not change any more.
    Raises: `Stopped`.
    """
    import numpy as np

    low, over = graph.values(), graph.kinds == kernels.OVER
    won = np.abs(low) >= WIN
    if not graph.engine.has_chance:
        low[over & won] = np.copysign(TOP, low[over & won])
        low[~over] = endless
        while graph.sweep(nearer=True, stop=stop) > 0:
            pass
        return low, low
    ends = low[over]
    if ends.size and np.all(won[over] | (ends == 0)):
        low[over] = ends = np.sign(ends)
    high = graph.values(upper=True)
    high[over] = ends
    low[~over] = min(endless, ends.min(initial=endless))
    high[~over] = max(endless, ends.max(initial=endless))
    scale = max(1.0, float(np.abs(ends).max(initial=abs(endless))))
    while np.max(high - low) > precision * scale:
        changes = [graph.sweep(upper=upper, stop=stop) for upper in (False, True)]
        if max(changes) <= 1e-16 * scale:
            break
    return low, high
