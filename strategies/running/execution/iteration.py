"""One iteration of a deepening search: the knowledge that its tasks share and report.

Its tasks also share the table of their run, which is dropped when the run is over.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final, NamedTuple, Protocol
from weakref import WeakKeyDictionary

from attrs import define, evolve, field

from games.failed import RuleFailed
from graphs.limits import RUN_TABLES
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.fold import UNKNOWN, Interval, intersect
from strategies.native.calls.alphabeta import UNLIMITED, Found, add_up, search_alphabeta
from strategies.native.calls.windows import bounds_of
from strategies.native.engine import Engine
from strategies.native.memory.cells import Stop
from strategies.native.memory.transposition_table import LARGE, Table
from strategies.running.execution.helping import SearchPart
from strategies.running.records.record import Record, Role, Tally, now, record
from strategies.running.runtime import ordered_scheduler as runner
from strategies.running.runtime.cancellation import scope_of_tables
from strategies.running.runtime.machine_memory import memory_for
from strategies.running.runtime.together import together
from strategies.support.fork_locks import fork_lock
from strategies.support.logs import logger_of

ALONE: Final = 5
"""A search of fewer plies is not joined."""
SMALL: Final = 20_000
"""The nodes of a search before others join it, unless its size is known."""
FEW: Final = 2_000
"""The same over a large table.  Its first look-ups are slow, because the system provides the memory
as it is touched: 0.2 s for 256 MB in one thread, which two threads share."""

Path = tuple[int, ...]
"""Branch numbers from the root, in the order of the rules."""


class BranchBounds(NamedTuple):
    """The knowledge about a branch: the bounds on its value, and the best line of moves."""

    interval: Interval = UNKNOWN
    line: Path = ()


class BranchResult(NamedTuple):
    """The results of a graph's tasks for one branch."""

    interval: Interval
    line: Path
    nodes: int


class TooLarge(Exception):
    """A task took more nodes than its limit; the error has its window, what it found, and its
    record."""

    def __init__(self, window: Interval, found: Found | None = None) -> None:
        super().__init__("the task has become too large")
        self.window, self.found = window, found
        self.record: Record | None = None


class Growth(Protocol):
    """A way to replace a task that turns out too large by more tasks."""

    def limit(self, job: Any) -> int:
        """Return the number of nodes after which a task should be replaced."""

    def grow(self, job: Any, large: TooLarge, begun: Any) -> Grown | None:
        """Return the graph for a task that took too many nodes on one branch; None to go on."""


class Grown(NamedTuple):
    """The graph that replaces a task, and the key of its last task, which folds the branch."""

    graph: Mapping[Any, Any]
    last: Any


@define(eq=False)
class Iteration:
    """One iteration: the table of the whole search, and the results for its branches."""

    depth: int
    table: Table | None
    """The table of the search; None on a worker of a cluster, which keeps one for the run."""
    leftmost: bool = False
    """Whether to find the leftmost of equal branches of the root, which costs more."""
    known: Mapping[Path, BranchBounds] = field(factory=dict)
    """The results of the iteration's earlier graphs, by branch."""
    seen: dict[Path, BranchResult] = field(factory=dict)
    size: int = 0
    """The size in bytes of the table that a worker keeps."""
    growth: Growth | None = None
    """The way to replace tasks that turn out too large, if there is one."""
    joined: bool = False
    """Whether a worker without a task joins the search of a running task."""
    joins: list[Record] = field(factory=list)
    """The records of the workers that have joined tasks."""
    expected: float = 0.0
    """The expected nodes of the iteration."""
    part: SearchPart | None = field(default=None, init=False)
    """This process's part in its only search, if other processes of a cluster may help."""
    visited: int = field(default=0, init=False)
    """The nodes of all tasks so far."""
    _lock: Any = field(factory=threading.Lock, repr=False)

    def search(
        self, engine: Engine, algorithm: Algorithm, state: Any, depth: int, window: Interval,
        stop: Stop | None, nodes: int = UNLIMITED, joins: list[Record] | None = None,
    ) -> Found:  # fmt: skip
        """Search one position to one depth, with the table, within a limit of nodes.

        Adds to `joins` the record of each worker that joins; the counts returned leave it out.
        """
        table = self.table_here(engine, algorithm)
        search = partial(
            search_alphabeta, engine, table, state, depth, *window,
            scouts=True, orders=True, nearer=algorithm.nearer_wins,
            leftmost=self.leftmost and depth == self.depth,
        )  # fmt: skip
        if self.part is not None:
            return self.part.search(search, window, stop)
        if not (self.joined and nodes == UNLIMITED and depth >= ALONE):
            return search(stop=stop, nodes=nodes)
        small = FEW if 1 << table.bits >= LARGE else SMALL
        first = 1 if depth == self.depth and self.expected >= small else small
        found, idle = search(stop=stop, nodes=first), Stop(stop)
        if found.finished or found.nodes < first:
            return found
        with runner.set_when_idle(idle):
            found = add_up(found, search(stop=idle))
        if found.finished or not idle.is_set:
            return found
        return add_up(found, search_together(search, window, stop, [] if joins is None else joins))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what tasks in other processes need, without the table and the results so far."""
        size = self.size if self.table is None else 1 << self.table.bits
        return _arrived, (type(self), self.depth, self.leftmost, dict(self.known), size)

    def table_here(self, engine: Engine, algorithm: Algorithm) -> Table:
        """Return the table of the search, or this worker's table for it."""
        return self.table or table_for(engine, evolve(algorithm, table=self.size))

    def learned(self) -> Any:
        """Return the results of tasks in this process, for `learn` in another process."""
        return self.seen

    def learn(self, learned: Any) -> None:
        """Add the results of a worker's tasks."""
        for path, (interval, line, nodes) in learned.items():
            self.add_result(path, interval, line, nodes)

    def answer(self, path: Path, window: Interval) -> BranchBounds | None:
        """Return the knowledge about a branch, if it answers a search with this window."""
        known = self.known.get(path)
        if known is None:
            return None
        low, high = known.interval
        return known if low == high or high <= window[0] or low >= window[1] else None

    def add_result(self, path: Path, interval: Interval, line: Path, nodes: int) -> None:
        """Record a task's result for a branch and its nodes; combine it with an earlier result."""
        with self._lock:
            self.visited += nodes
            before = self.seen.get(path)
            if before is not None:
                interval = intersect(before.interval, interval)
                line, nodes = line or before.line, before.nodes + nodes
            self.seen[path] = BranchResult(interval, line, nodes)


def search_together(
    search: Callable[..., Found], window: Interval, stop: Stop | None, joins: list[Record]
) -> Found:
    """Search together with idle workers: each defers the branches that another is searching, and
    the first that finishes ends the others.

    Adds to `joins` the record of each of the other workers.
    Returns: the answer of the first, with the counts of this thread.
    """
    over, own = Stop(stop), list[Found]()

    def search_here(stop: Stop) -> Found | None:
        own.append(search(stop=stop, marks=True))
        return own[0] if own[0].finished else None

    def join(stop: Stop) -> Found | None:
        start, tally = now(), Tally()
        with suppress(RuleFailed):  # the search in the task shows it
            found = search(stop=stop, marks=True)
            tally.count(found)
            why = "another was first" if over.is_set else "called to a task"
            bounds = UNKNOWN
            if found.finished:
                why, bounds = "", bounds_of(found.value, window)
            role: Role = "join"
            joins.append(record((role, ()), role, start, tally, window, "done", why, bounds))
            return found if found.finished else None
        return None

    first = together(search_here, over, runner.joined, join)
    mine = own[0]
    answer = mine if mine.finished or first is None else first
    return evolve(answer, nodes=mine.nodes, leaves=mine.leaves, table=mine.table)


def _arrived(
    kind: type[Iteration], depth: int, leftmost: bool, known: dict[Path, BranchBounds], size: int
) -> Iteration:
    return kind(depth, None, leftmost, known, size=size)


Use = tuple[Engine, Algorithm]
"""The use of a table: the game, and the algorithm, which defines the meaning and the size."""

_log = logger_of("tables")


_of_runs: WeakKeyDictionary[Stop, dict[Use, Table]] = WeakKeyDictionary()
_lock = fork_lock()


def table_for(engine: Engine, algorithm: Algorithm) -> Table:
    """Return the table of this thread's run; it is dropped when the run is over.

    Under another scheduler than ours, it also serves later searches of the process, if their
    entries have the same meaning.
    """
    use = engine, algorithm.meaning
    with _lock:
        tables = _of_runs.setdefault(scope_of_tables(), {})
        found = tables.get(use)
        if found is None:
            while len(tables) >= RUN_TABLES:
                del tables[next(iter(tables))]
            found = tables[use] = Table(algorithm.table)
            shared = memory_for(scope_of_tables(), algorithm.meaning)
            if shared is not None:
                found.lay_out(shared)
            _log.info("created a table of %s for %s", algorithm.table, algorithm)
        return found
