"""Records: the report of every task about its search."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeVar

from attrs import define, field

from strategies.algorithms.fold import OPEN, UNKNOWN, Interval
from strategies.native.memory.transposition_table import Counts
from strategies.support.stacks import cpu_time

if TYPE_CHECKING:
    from strategies.native.calls.alphabeta import Found

T = TypeVar("T")

Role = Literal["spark", "step", "fold", "dud", "call", "join"]
"""The role of a task.  A call is a task of a Dask value that no strategy has placed.  A join is no
task: it is the search of a worker that joined a running task, at the same place in the tree."""
Outcome = Literal["converted", "fizzled", "done"]
Became = Literal["converted", "aborted", "fizzled", "known", "done"]
"""The outcome of a task: converted; aborted, if some of its search was stopped half-way; fizzled,
if its window was closed when it started; known, if a table had the value; done, for non-sparks."""


class Record(NamedTuple):
    """The record of one task; times are seconds of `time.perf_counter`, counts are its own."""

    key: tuple[str, tuple[Any, ...]]
    """The kind of task and its place in the tree: branch numbers from the root."""
    role: Role
    outcome: Outcome
    reason: str
    """Why a spark fizzled: ``window closed``, or ``already known`` if a table had the value; why a
    search was stopped: ``cut off``; ``grown`` if the task was too large and was replaced by more
    tasks; for a join, ``another was first``, or ``called to a task``; else empty."""
    window: Interval
    nodes: int
    leaves: int
    inlined: int
    """The sparks below the grain, which were searched inside this task."""
    pruned: int
    """The branches that were never searched because the window was closed when their turn came."""
    aborted: int
    """The searches stopped half-way because a sibling's result closed their window."""
    start: float
    end: float
    worker: str
    table: Counts = Counts()
    """Its use of a transposition table, if there is one."""
    found: Interval = UNKNOWN
    """The bounds on the value of its branch, or of the best of several for the player to move."""
    cpu: float = 0.0
    """The processor time in seconds.  `seconds` also includes waiting, for a core that another
    program had or for Python's lock."""
    graph: int = 0
    """The number of its graph, from 1, if the search is a row of graphs."""
    lost: int = 0
    """How often it was lost with a worker of a cluster, and run again."""

    def __repr__(self) -> str:
        """Name the task and its outcome: ``<Record: spark at 0 2, converted, 71 nodes>``."""
        place = " ".join(map(str, self.key[1])) or "the root"
        return f"<Record: {self.role} at {place}, {self.became}, {self.nodes:,} nodes>"

    @property
    def seconds(self) -> float:
        return self.end - self.start

    @property
    def became(self) -> Became:
        """Return the outcome as pictures and tables show it."""
        if self.outcome == "fizzled":
            return "known" if self.reason == "already known" else "fizzled"
        return "aborted" if self.aborted else self.outcome


RecordKey = tuple[int, tuple[str, tuple[Any, ...]]]
"""The identity of a record in a run: its `graph` and its `key`."""


class Loss(NamedTuple):
    """A worker of a cluster that was lost or left during a run."""

    time: float
    """The time on the caller's clock, in seconds."""
    worker: str
    """Its address."""
    tasks: tuple[RecordKey, ...]
    """The tasks that ran or waited there, and those whose results no other worker had."""


class Log:
    """A rope of records: joined in constant time, flattened when iterated or pickled."""

    __slots__ = ("left", "right")

    def __init__(self, left: Iterable[Record], right: Iterable[Record]) -> None:
        self.left, self.right = left, right

    def __iter__(self) -> Iterator[Record]:
        stack: list[Any] = [self]
        while stack:
            x = stack.pop()
            if isinstance(x, Log):
                stack += (x.right, x.left)
            elif isinstance(x, Record):
                yield x
            else:
                stack += reversed(x)

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (tuple(self),)


class Moment(NamedTuple):
    """A time on the clock, and this thread's processor time, in seconds."""

    wall: float
    cpu: float


def now() -> Moment:
    """Return the current time, which a task reads when it starts."""
    return Moment(perf_counter(), cpu_time())


class Counted(threading.local):
    """The positions that the current thread has counted so far, in all its tasks."""

    positions = 0


counted = Counted()


@define(eq=False)
class Tally:
    """The counts of one task while it runs."""

    nodes: int = 0
    leaves: int = 0
    inlined: int = 0
    pruned: int = 0
    aborted: int = 0
    known: int = 0
    """The branches whose value was in a table."""
    table: Counts = field(factory=Counts)
    cpu: float = 0.0
    """The processor time of other threads for this task."""
    thread: int = field(factory=threading.get_ident)
    joins: list[Record] = field(factory=list)
    """The records of the workers that joined its searches."""

    @property
    def visited(self) -> int:
        """Return the nodes of the task, and of the workers that joined it."""
        return self.nodes + sum(r.nodes for r in self.joins)

    def add(self, nodes: int = 0, leaves: int = 0, inlined: int = 0, pruned: int = 0) -> None:
        """Add counts."""
        counted.positions += nodes
        self.nodes += nodes
        self.leaves += leaves
        self.inlined += inlined
        self.pruned += pruned

    def spend(self, work: Callable[[], T]) -> T:
        """Run `work`; add its processor time if that was in another thread."""
        if threading.get_ident() == self.thread:
            return work()
        begun = cpu_time()
        try:
            return work()
        finally:
            self.cpu += cpu_time() - begun

    def count(self, found: Found) -> None:
        """Add the counts of a search; it used the table's answer if it stored at most its root."""
        table = found.table
        counted.positions += found.nodes
        self.nodes += found.nodes
        self.leaves += found.leaves
        if table.probes:
            self.table = self.table.plus(table)
            self.known += not found.leaves and table.probes == table.hits and table.stores <= 1


NOTHING = Tally()
"""The counts of a task that searches nothing."""


PART: Final = "+"
"""The mark of a part of a node in a place: the branch with the mark, and some to its right."""


def branch_numbers(place: Iterable[Any]) -> tuple[int, ...]:
    """Return the branch numbers of a place in the tree, without the marks of null-window tests.

    A part of a node is at its first branch; what is below it says which branch.

    >>> branch_numbers((0, "2?")), branch_numbers((0, "2+")), branch_numbers((0, "2+", 3))
    ((0, 2), (0, 2), (0, 3))
    """
    steps = tuple(map(str, place))
    return tuple(
        int(step.rstrip("?" + PART))
        for i, step in enumerate(steps, 1)
        if i == len(steps) or not step.endswith(PART)
    )


def unmarked(place: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the place of the node of which a place is a part; the place itself of other nodes.

    >>> unmarked((0, "2+")), unmarked((0, 2))
    ((0,), (0, 2))
    """
    return place[:-1] if place and str(place[-1]).endswith(PART) else place


HOST = socket.gethostname()


def process() -> str:
    """Return the name of this process: the host and the process id."""
    return f"{HOST}/{os.getpid()}"


def process_of(record: Record) -> str:
    """Return the process that a task ran in."""
    return record.worker.rpartition("/")[0]


def record(
    key: tuple[str, tuple[Any, ...]],
    role: Role,
    start: Moment,
    tally: Tally | None = None,
    window: Interval = OPEN,
    outcome: Outcome = "done",
    reason: str = "",
    found: Interval = UNKNOWN,
) -> Record:
    """Return the record of a task that ends now.  Requires: `start` was in this thread."""
    t = tally or NOTHING
    return Record(
        key, role, outcome, reason, window,
        t.nodes, t.leaves, t.inlined, t.pruned, t.aborted, start.wall, perf_counter(),
        f"{HOST}/{os.getpid()}/{threading.get_ident()}",
        t.table, found, cpu_time() - start.cpu + t.cpu,
    )  # fmt: skip


def by_task(graph: Mapping[Any, Any], records: Sequence[Record]) -> dict[Any, Record]:
    """Return the record of each task of a graph; the last task has the remaining record."""
    known = {r.key: r for r in records}
    found = {}
    for key in graph:
        mine = known.pop((key[0].rpartition("-")[0], key[1]), None)
        if mine is not None:
            found[key] = mine
    if len(known) == 1:
        found[next(reversed(graph))] = known.popitem()[1]
    return found
