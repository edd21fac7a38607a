"""Runs: what became of every task and every spark of an evaluation, as data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from graphs.arguments import path_of
from strategies.native.memory.transposition_table import Counts
from strategies.running.records.clocks import Call
from strategies.running.records.record import Loss, Record
from strategies.running.records.sparks import Sparks
from strategies.running.runtime.shipping import reduce_sealed
from strategies.support.files import write_whole
from strategies.support.printing import brief, data_frame

if TYPE_CHECKING:
    from strategies.running.records.rows import Names, Row


@frozen(kw_only=True)
class Run:
    """The records of an evaluation's tasks, and what they add up to; times are in seconds.

    Every result is a run: of a search, of a Monte Carlo search, of values, of a local search.  Each
    adds its answer; runs are equal if their answers are.
    """

    sparks: Sparks = field(factory=Sparks, eq=False)
    """The ledger of sparks."""
    span: float = field(default=0.0, eq=False)
    """The seconds of the longest chain of tasks that wait for each other."""
    records: tuple[Record, ...] = field(default=(), repr=False, eq=False)
    """One record per task, and one for each time that a worker joined a task."""
    call: Call | None = field(default=None, repr=False, eq=False)
    """The times of the call and its answer; None if they are not known."""
    losses: tuple[Loss, ...] = field(default=(), repr=False, eq=False)
    """The workers of a cluster that were lost or left, with their tasks, in order of time."""

    def __reduce__(self) -> tuple[Any, ...]:
        return reduce_sealed(self)

    __repr__ = brief

    @property
    def seconds(self) -> float:
        """Return the wall time from the call, after compilation, to the answer.

        If the run did not come from a call, it is the time from the start of the first task to the
        end of the last.
        """
        if self.call is not None:
            return self.call.seconds
        if not self.records:
            return 0.0
        return max(r.end for r in self.records) - min(r.start for r in self.records)

    @property
    def work(self) -> float:
        """Return the work: the seconds spent in all tasks and joins."""
        return sum(r.seconds for r in self.records)

    @property
    def cpu(self) -> float:
        """Return the processor time of all tasks: `work` without waiting."""
        return sum(r.cpu for r in self.records)

    @property
    def table(self) -> Counts:
        """Return the tasks' use of their transposition table."""
        counts = Counts()
        for r in self.records:
            counts = counts.plus(r.table)
        return counts

    @property
    def joins(self) -> tuple[Record, ...]:
        """Return the records of workers that joined a running task, which are no tasks."""
        return tuple(r for r in self.records if r.role == "join")

    @property
    def tasks(self) -> int:
        """Return the number of tasks."""
        return sum(r.role != "join" for r in self.records)

    @property
    def parallelism(self) -> float:
        """Return work divided by span: the number of workers that the run could keep busy.

        It is not a speed-up against the best sequential search, whose work may be less.
        """
        return self.work / self.span if self.span else 1.0

    @property
    def workers(self) -> int | None:
        """Return the number of workers; None if it is not known."""
        return None

    @property
    def timeline(self) -> dict[str, tuple[Record, ...]]:
        """Return the records of each worker, in order of time."""
        lanes: dict[str, list[Record]] = {}
        for r in sorted(self.records, key=lambda r: r.start):
            lanes.setdefault(r.worker, []).append(r)
        return {worker: tuple(rows) for worker, rows in lanes.items()}

    def rows(self) -> tuple[Row, ...]:
        """Return every task and join as a row with the fields of `Row`, in order of time.

        Cost: for a search, the rules are run again, interpreted, at each position above a task.
        """
        from strategies.running.records.rows import rows_of

        return rows_of(self.records, self._names())

    def to_pandas(self) -> Any:
        """Return `rows` as a DataFrame of pandas, with the names of the fields of `Row`.

        Raises: ImportError, which says what to install.
        """
        return data_frame(r._asdict() for r in self.rows())

    def to_trace(self, path: str | Path | None = None) -> str:
        """Return the run in Chrome's trace format: one lane per worker, one bar per task or join.

        The page ui.perfetto.dev opens it.  If `path` is given, it is written there, atomically.
        """
        from strategies.running.records.rows import chrome_trace

        text = chrome_trace(self.rows(), {"sparks": self.sparks.line, **self._about()})
        if path is not None:
            write_whole(path_of("path", path), text)
        return text

    def _names(self) -> Names:
        """Return the names of the places of tasks."""
        raise NotImplementedError  # each kind of run has its own

    def _about(self) -> dict[str, str]:
        """Return what a trace says of the run besides its sparks."""
        return {}
