"""Pictures of an evaluation of values: its task graph, and the timeline of a run."""

from __future__ import annotations

from collections.abc import Sequence

from graphs.limits import LABEL_LETTERS
from strategies.algebra.strategy import Strategy
from strategies.algebra.wording import plural
from strategies.insight.analysis.utilisation import Bar, Utilisation, Wait, laid_out
from strategies.insight.pictures.labels import Words, rows_line
from strategies.insight.pictures.layout import folded
from strategies.insight.pictures.marks import Mark
from strategies.insight.pictures.picture import MARKS, Picture, headed, on_a_page
from strategies.insight.pictures.task_graph import pictured
from strategies.insight.pictures.timeline import lanes_of, times
from strategies.running.records.record import Record
from strategies.running.records.wording import shortened, took
from strategies.values.evaluation_text import calls
from strategies.values.lowering import Planned, PlannedTask

MEANING = {
    "spark": "makes its calls in parallel with what follows",
    "step": "makes its calls in order",
    "call": "left to Dask",
    "known": "a value that is known",
    "merge": "puts values together, or waits for several",
    "result": "puts the value together",
}
LINES = {
    "window": "waited for",
    "again": "waited for, and used again later",
    "result": "passed on to what follows",
    "chain": "the thread that puts the value together",
}
_SHAPES = {"fold": "merge"}


def draw_evaluation(
    planned: Planned, strategy: Strategy | None, records: Sequence[Record] | None = None, *,
    most: int | None = None,
) -> Picture:  # fmt: skip
    """Draw the task graph of an evaluation: time runs down, parallelism across.

    With the records of a run, tooltips show how long the tasks took.

    Ensures: there is one mark per task, and so per spark, unless there are more tasks than `most`,
    or than fit on a page if `most` is None: then the tasks before the last are folded into one.
    """
    return evaluation_and_marks(planned, strategy, records, most=most)[0]


def evaluation_and_marks(
    planned: Planned, strategy: Strategy | None, records: Sequence[Record] | None = None, *,
    most: int | None = MARKS,
) -> tuple[Picture, dict[int, int]]:  # fmt: skip
    """Return the picture of `draw_evaluation`, and the number of each record's mark."""
    last = len(planned.tasks) - 1
    every = tuple(_mark(i, t, i == last) for i, t in enumerate(planned.tasks))
    known = {r.key[1][0]: r for r in records or ()}
    title = shortened(title_of(strategy), 110)

    def head(rows: int) -> tuple[list[str], float]:
        counts = f"{plural(len(every), 'task')}; {plural(planned.sparks, 'spark')} created"
        counts += f", {planned.dud:,} dud"
        counts += f", {planned.opened:,} opened" if planned.opened else ""
        counts += f", {planned.garbage:,} garbage" if planned.garbage else ""
        return headed(title, counts, rows_line(rows))

    def drawn_with(most: int) -> tuple[Picture, tuple[Mark, ...]]:
        marks = folded(every, most)
        said = [_worded(m, planned, known) for m in marks]
        return pictured(title, marks, said, head, MEANING, LINES), marks

    picture, marks = on_a_page(len(every), drawn_with) if most is None else drawn_with(most)
    own = {
        id(r): k for k, mark in enumerate(marks) for m in mark.all
        if (r := known.get(int(m.place[-1])))
    }  # fmt: skip
    return picture, own


def _mark(number: int, task: PlannedTask, last: bool) -> Mark:
    kind = "result" if last and task.kind == "fold" else _SHAPES.get(task.kind, task.kind)
    return Mark(kind, (number,), (), last or task.kind == "step", task.after)


def _worded(mark: Mark, planned: Planned, records: dict[int, Record]) -> Words:
    members = [(m.place[-1], planned.tasks[int(m.place[-1])]) for m in mark.all]
    found = [r for number, _ in members if (r := records.get(int(number)))]
    outcome = "planned" if not records else "done"
    if mark.members:
        lines = [
            plural(len(members), "task"),
            plural(sum(t.kind == "spark" for _, t in members), "spark"),
        ]
        return Words((f"+{lines[0]}", lines[1]), "\n".join(lines), outcome)
    number, task = members[0]
    text = calls(task) or ("value" if mark.kind == "result" else "")
    lines = [f"task {number}: {text}", MEANING[mark.kind], *map(took, found)]
    if found:
        outcome = found[0].became
    shown = (shortened(text, LABEL_LETTERS),) if text and mark.kind != "merge" else ()
    return Words(shown, "\n".join(lines), outcome)


def draw_lanes(
    planned: Planned, strategy: Strategy | None, records: Sequence[Record], workers: int | None
) -> Picture:
    """Draw the timeline of a run: one lane per worker, one bar per task."""

    def told(bar: Bar) -> list[str]:
        number = bar.record.key[1][0]
        text = calls(planned.tasks[number]) or "puts values together"
        return [f"{bar.record.key[0]} {number}: {text}", times(bar)]

    return lanes_of(
        evaluation_lanes(planned, records, workers), title_of(strategy), told, "calling"
    )


def evaluation_lanes(
    planned: Planned, records: Sequence[Record], workers: int | None
) -> Utilisation:
    """Return what each worker did when, and what each task waited for."""
    known = {r.key[1][0]: r for r in records}
    begin = min(r.start for r in records)

    def wait(number: int) -> Wait:
        before = [r for d in planned.tasks[number].after if (r := known.get(d))]
        ready = max((r.end for r in before), default=begin)
        return Wait(ready, tuple(map(id, before)))

    waits = {id(r): wait(number) for number, r in known.items()}
    return laid_out(records, waits, workers or 0)


def title_of(strategy: Strategy | None) -> str:
    return "values, evaluated" + ("" if strategy is None else f" using {strategy!r}")
