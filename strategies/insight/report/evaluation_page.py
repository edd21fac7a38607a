"""The page about a run of values: what was evaluated, what the sparks did, the task graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from attrs import frozen

from strategies.insight.analysis.task_dag import Dag, Timed
from strategies.insight.analysis.utilisation import Utilisation
from strategies.insight.pictures.evaluation import evaluation_and_marks, evaluation_lanes, title_of
from strategies.insight.report.columns import columns
from strategies.insight.report.document import document
from strategies.insight.report.html import facts, heading, moving, section, table, text
from strategies.insight.report.ledger import counted
from strategies.insight.report.run_sections import LONGEST, SPARK, timeline
from strategies.notation.evaluations import calls
from strategies.running.records.wording import seconds, shortened
from strategies.values.planned import Planned

VALUE = 2000
"""Characters of a value that are shown."""
CALLS = 40
"""Characters of what a task calls."""
MEANINGS: Final = {
    "time": "from the call to the value",
    "tasks": "that were run",
    "workers": "threads or processes that took tasks",
    "time in tasks": "of all tasks together, from their starts to their ends",
    "CPU time": "how long processors worked for all tasks",
    "longest chain": "the time of the longest chain of tasks that wait for one another",
    "parallelism": "the time in tasks by the longest chain: so many workers could have been kept "
                   "busy",
}  # fmt: skip
"""What the facts of the page mean."""


def evaluation_page(run: Any) -> str:
    """Make the page: value, timeline, ledger, task graph.

    Requires: an `EvaluatedRun` with a record or more.
    Ensures: the page needs nothing from elsewhere, and asks for nothing.
    """
    found = evaluation_lanes(run.planned, run.records, run.workers)
    names = _Calls(run.planned)
    picture, marks = evaluation_and_marks(run.planned, run.strategy, run.records)
    title = title_of(run.strategy)
    parts = [
        heading("Values", title),
        facts(_facts(run, found), MEANINGS),
        section("value", "Value", text(shortened(repr(run.value), VALUE))),
        timeline(found, doing="calling"),
        section("sparks", "Sparks", counted(run.sparks), _longest(found, names)),
        section(
            "graph", "Task graph", moving(picture, "graph-figure"),
            says="Down is time, across is parallelism: the tasks of a row can run at once. "
                 "Drag to pan; buttons, or Ctrl and the wheel, to zoom.",
        ),
        "<footer>Made by jamboree. Times vary from run to run, and with what else the machine "
        "does.</footer>",
    ]  # fmt: skip
    return document(title, "".join(parts), columns(found, names, (), marks, values=True))


@frozen
class _Calls:
    """Names a task by what it calls, where a search would name a move."""

    planned: Planned

    def move(self, path: tuple[Any, ...], index: int) -> str:
        return shortened(calls(self.planned.tasks[index]), CALLS)


def _facts(run: Any, found: Utilisation) -> list[tuple[str, str]]:
    span = _span(run)
    return [
        ("time", seconds(run.seconds)),
        ("tasks", f"{len(run.records):,}"),
        ("workers", f"{found.workers:,}"),
        ("time in tasks", seconds(run.work)),
        ("CPU time", seconds(run.cpu)),
        ("longest chain", seconds(span)),
        ("parallelism", f"{run.work / span:.2f}" if span else "-"),
    ]


def _span(run: Any) -> float:
    took = {r.key[1][0]: r.seconds for r in run.records}
    tasks = enumerate(run.planned.tasks)
    return Dag(tuple(Timed((t.kind, (i,)), took.get(i, 0.0), t.after) for i, t in tasks)).span


def _longest(found: Utilisation, names: _Calls) -> str:
    """The sparks that ran longest, as a table."""
    sparks = sorted(found.sparks, key=lambda b: (-b.record.seconds, b.start))[:LONGEST]
    if not sparks:
        return ""
    rows: Sequence[Sequence[str]] = [
        (names.move((), b.record.key[1][0]), seconds(b.start), seconds(b.record.seconds),
         seconds(b.record.cpu), str(b.lane + 1))
        for b in sparks
    ]  # fmt: skip
    few = len(sparks) == len(found.sparks)
    name = "All sparks" if few else f"The {len(sparks)} longest sparks"
    shown = table(("calls", "from", "took", "CPU time", "worker"), rows, (1, 2, 3, 4), SPARK)
    return f"<details><summary>{name}</summary>{shown}</details>"
