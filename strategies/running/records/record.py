"""Records: what every task reports of its search."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from time import perf_counter, thread_time
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from attrs import define, field

from strategies.algorithms.fold import OPEN, UNKNOWN, Interval
from strategies.native.memory.transposition_table import Counts

if TYPE_CHECKING:
    from strategies.native.calls.alphabeta import Found

T = TypeVar("T")

Role = Literal["spark", "step", "fold", "dud", "call"]
"""What a task is.  A call is one that no strategy placed: among values, one that is Dask's own."""
Outcome = Literal["converted", "fizzled", "done"]
Became = Literal["converted", "aborted", "fizzled", "known", "done"]
"""What became of a task: converted, some of it given up half-way (aborted); its window was closed
when it started (fizzled), a table had the value (known); done where it is no search ahead."""


class Record(NamedTuple):
    """The record of one task: times are seconds of `time.perf_counter`, counts its own."""

    key: tuple[str, tuple[Any, ...]]
    """The kind of task and its place in the tree: branch numbers from the root."""
    role: Role
    outcome: Outcome
    reason: str
    """Why a spark fizzled: ``window closed``, or ``already known`` where a table had the value; why
    a search was given up: ``cut off``; ``grown`` where the task was too large and has become more
    tasks; else empty."""
    window: Interval
    nodes: int
    leaves: int
    inlined: int
    """Sparks that the policy asked for below the grain, searched inside this task."""
    pruned: int
    """Branches that were never searched because the window was closed when their turn came."""
    aborted: int
    """Searches given up half-way because a sibling's result closed their window."""
    start: float
    end: float
    worker: str
    table: Counts = Counts()
    """What it did with a transposition table, if there is one."""
    found: Interval = UNKNOWN
    """What the task showed of its branch, or of the best of several for the player to move."""
    cpu: float = 0.0
    """Seconds that a processor worked for it.  `seconds` has the time in which it waited, too: for
    a core that another program had, for Python's lock."""
    graph: int = 0
    """Of a search that is a row of graphs, the number of its own, from 1."""
    lost: int = 0
    """How many times it was lost with a worker of a cluster, and run again."""

    def __repr__(self) -> str:
        """Name the task and what became of it: ``<Record: spark at 0 2, converted, 71 nodes>``."""
        place = " ".join(map(str, self.key[1])) or "the root"
        return f"<Record: {self.role} at {place}, {self.became}, {self.nodes:,} nodes>"

    @property
    def seconds(self) -> float:
        return self.end - self.start

    @property
    def became(self) -> Became:
        """What became of it, as pictures and tables tell it: its outcome, or why it had none."""
        if self.outcome == "fizzled":
            return "known" if self.reason == "already known" else "fizzled"
        return "aborted" if self.aborted else self.outcome


RecordKey = tuple[int, tuple[str, tuple[Any, ...]]]
"""What tells a record of a run from the others: its `graph` and its `key`."""


class Loss(NamedTuple):
    """A worker of a cluster that was lost, or that left, while a run went on."""

    time: float
    """On the caller's clock, in seconds."""
    worker: str
    """Its address."""
    tasks: tuple[RecordKey, ...]
    """What it had: tasks under way, tasks that waited there, and results that no other had."""


class Log:
    """A rope of records: joined in constant time, flattened when it is iterated or pickled."""

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
    """A time: on the clock, and of this thread on a processor, in seconds."""

    wall: float
    cpu: float


def now() -> Moment:
    """The time, as a task reads it when it starts."""
    return Moment(perf_counter(), thread_time())


@define(eq=False)
class Tally:
    """The counts of one task while it runs."""

    nodes: int = 0
    leaves: int = 0
    inlined: int = 0
    pruned: int = 0
    aborted: int = 0
    known: int = 0
    """Branches whose value a table had."""
    table: Counts = field(factory=Counts)
    cpu: float = 0.0
    """What other threads worked for it."""
    thread: int = field(factory=threading.get_ident)

    def add(
        self, nodes: int = 0, leaves: int = 0, inlined: int = 0, pruned: int = 0, aborted: int = 0
    ) -> None:
        """Add counts."""
        self.nodes += nodes
        self.leaves += leaves
        self.inlined += inlined
        self.pruned += pruned
        self.aborted += aborted

    def spend(self, work: Callable[[], T]) -> T:
        """Do the work; count the processor's time for it where that is in another thread."""
        if threading.get_ident() == self.thread:
            return work()
        begun = thread_time()
        try:
            return work()
        finally:
            self.cpu += thread_time() - begun

    def count(self, found: Found) -> None:
        """Count what a search did; its answer is its table's if it stored its root at most."""
        table = found.table
        self.nodes += found.nodes
        self.leaves += found.leaves
        if table.probes:
            self.table = self.table.plus(table)
            self.known += not found.leaves and table.probes == table.hits and table.stores <= 1


def branch_numbers(place: Iterable[Any]) -> tuple[int, ...]:
    """Return the branch numbers of a place in the tree; a null-window test bears a question mark.

    >>> branch_numbers((0, "2?"))
    (0, 2)
    """
    return tuple(int(str(step).rstrip("?")) for step in place)


HOST = socket.gethostname()


def process() -> str:
    """Name this process: machine and number."""
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
    t = tally or Tally()
    return Record(
        key, role, outcome, reason, window,
        t.nodes, t.leaves, t.inlined, t.pruned, t.aborted, start.wall, perf_counter(),
        f"{HOST}/{os.getpid()}/{threading.get_ident()}",
        t.table, found, thread_time() - start.cpu + t.cpu,
    )  # fmt: skip


def by_task(graph: Mapping[Any, Any], records: Sequence[Record]) -> dict[Any, Record]:
    """Return the record of each task of a graph; the last task's is the one that is left."""
    known = {r.key: r for r in records}
    found = {}
    for key in graph:
        mine = known.pop((key[0].rpartition("-")[0], key[1]), None)
        if mine is not None:
            found[key] = mine
    if len(known) == 1:
        found[next(reversed(graph))] = known.popitem()[1]
    return found
