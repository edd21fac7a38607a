"""The run of an evaluation with every task recorded, and how it is recorded.

Each task is wrapped so that it returns its value together with its record, and a separate task
takes the record; so no value is kept longer than without recording.  Values go the same way.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from attrs import field, frozen
from dask.delayed import Delayed
from dask.task_spec import Task, TaskRef

from strategies.algebra.strategy import Strategy
from strategies.running.records.clocks import Call, set_clocks
from strategies.running.records.record import Outcome, Record, now, process, record
from strategies.running.records.run import Run
from strategies.running.records.sparks import Sparks, audited, ledger
from strategies.running.records.wording import shortened, value_shown
from strategies.running.runtime.batch import compute_delayed
from strategies.searches.drawing import drawn
from strategies.values.evaluated import EvaluatedGraph
from strategies.values.evaluation_text import calls
from strategies.values.lowering import Ordered, Planned, PlannedTask, layered

if TYPE_CHECKING:
    from strategies.insight.pictures.picture import Picture


SHOWN = 1000
"""The most characters of a value that are printed."""
CALL_LETTERS = 40
"""The most characters of the names of calls."""


@frozen
class CallNames:
    """Names of tasks: each is named after the functions that it calls."""

    planned: Planned

    def move(self, path: tuple[Any, ...], index: int) -> str:
        return shortened(calls(self.planned.tasks[index]), CALL_LETTERS)

    def to(self, place: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.move((), index) for index in place)


@frozen(eq=False, repr=False)
class EvaluatedRun(Run):
    """A computed value, and what became of every spark; times are in seconds."""

    value: Any
    planned: Planned = field(repr=False)
    strategy: Strategy | None = None
    workers: int | None = None

    def draw(self, what: str = "timeline") -> Picture:
        """Draw the run: its "timeline", or its task "graph".

        Raises: ArgumentError, one line, for any other picture.
        """
        from strategies.insight.pictures.evaluation import draw_evaluation, draw_lanes

        told = self.planned, self.strategy, self.records
        return drawn(
            what,
            {
                "timeline": lambda: draw_lanes(*told, self.workers),
                "graph": lambda: draw_evaluation(*told),
            },
        )

    def report(self, path: str | Path) -> Path:
        """Write one HTML page about the run, for a browser: value, timeline, ledger and graph.

        Returns: the path.
        Raises: OSError if it cannot be written; an earlier file is then unchanged.
        """
        from strategies.insight.report.document import write_page
        from strategies.insight.report.evaluation_page import evaluation_page

        return write_page(path, lambda: evaluation_page(self))

    def _names(self) -> CallNames:
        return CallNames(self.planned)

    def __str__(self) -> str:
        return f"{value_shown(self.value, SHOWN)}\n{self.sparks}"

    def _repr_html_(self) -> str:
        """Show the value, the ledger and the timeline in a notebook."""
        from strategies.insight.pictures.cards import worded

        return worded(str(self), self.draw().svg)


class Recorded(NamedTuple):
    """A value, and the record of the task that made it."""

    value: Any
    record: Record


def recorded(answer: EvaluatedGraph, scheduler: Any = None, **options: Any) -> EvaluatedRun:
    """Compute an evaluation, and return its value with the record of each task.

    Ensures: one record per task, in the order of the plan, on one clock.
    """
    planned, graph = answer._planned, answer.__dask_graph__()
    token = uuid4().hex  # new keys, so that no scheduler reuses the tasks of an earlier run
    tasks = {t.key: (i, t) for i, t in enumerate(planned.tasks) if t.kind != "known"}
    names = {key: f"run-{t.kind}-{i}-{token}" for key, (i, t) in tasks.items()}
    made: dict[Any, Any] = {}
    annotations: dict[Any, dict[str, Any]] = {}
    for layer in graph.layers.values():
        for key, node in layer.items():
            name = names.get(key, key)
            made[name] = _wrapped(node, names, *tasks[key]) if key in names else node
            if layer.annotations:
                annotations[name] = layer.annotations
    notes = {f"note-{name}": name for name in names.values()}
    made |= {note: Task(note, attrgetter("record"), TaskRef(name)) for note, name in notes.items()}
    root, last = names.get(answer.key, answer.key), f"run-{token}"
    made[last] = Task(last, _ended, answer.key in names, *map(TaskRef, (root, *notes)))
    whole = layered(last, made, annotations)
    begun = now().wall
    value, records = compute_delayed(Delayed(last, whole), scheduler, options)
    call = Call(process(), begun, now().wall)
    by_number = {r.key[1][0]: r for r in records}
    before = [
        (by_number[d], r)
        for i, r in by_number.items()
        for d in planned.tasks[i].after
        if d in by_number
    ]
    on_one_clock, _ = set_clocks(records, before, call)
    return EvaluatedRun(
        value, planned, answer._strategy, options.get("num_workers"),
        sparks=_ledger(planned, on_one_clock), span=_span(planned, on_one_clock),
        records=on_one_clock, call=call,
    )  # fmt: skip


def _ledger(planned: Planned, records: tuple[Record, ...]) -> Sparks:
    """Return the ledger of sparks, with the fates of sparks of a search.

    A spark is a dud if what it would call was known or is called elsewhere; it is garbage if
    nothing needs its value, so that it never runs.
    """
    found = ledger(
        planned.asked - planned.opened, records, planned.opened,
        (records, partial(CallNames, planned)), known=planned.dud, garbage=planned.garbage,
    )  # fmt: skip
    return audited(found)


def _span(planned: Planned, records: tuple[Record, ...]) -> float:
    """Return the seconds of the longest chain of tasks."""
    took = {r.key[1][0]: r.seconds for r in records}
    ends: list[float] = []
    for number, task in enumerate(planned.tasks):
        before = max((ends[i] for i in task.after), default=0.0)
        ends.append(before + took.get(number, 0.0))
    return max(ends, default=0.0)


def _wrapped(node: Any, names: dict[Any, str], number: int, task: PlannedTask) -> Ordered:
    inputs = tuple((d, d in names) for d in node.dependencies)
    refs = (TaskRef(names.get(d, d)) for d, _ in inputs)
    return Ordered(names[task.key], _timed, number, task.kind, (node,), inputs, *refs)


def _timed(
    number: int, kind: Any, held: tuple[Any], inputs: tuple[tuple[Any, bool], ...], *given: Any
) -> Recorded:
    """Make the call of a task, and record it; `held` hides it from Dask, which would run it."""
    known = {
        key: value.value if wrapped else value
        for (key, wrapped), value in zip(inputs, given, strict=True)
    }
    start = now()
    value = held[0](known)
    outcome: Outcome = "converted" if kind == "spark" else "done"
    return Recorded(value, record((kind, (number,)), kind, start, outcome=outcome))


def _ended(wrapped: bool, value: Any, *records: Record) -> tuple[Any, tuple[Record, ...]]:
    return value.value if wrapped else value, records
