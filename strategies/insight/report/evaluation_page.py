"""The page about an evaluation of values: the value, the sparks, the task graph."""

from __future__ import annotations

from typing import Any, Final

from strategies.insight.analysis.utilisation import Utilisation
from strategies.insight.pictures.evaluation import evaluation_and_marks, evaluation_lanes, title_of
from strategies.insight.report.columns import columns
from strategies.insight.report.document import (
    counted,
    document,
    facts,
    heading,
    moving,
    section,
    text,
)
from strategies.insight.report.run_sections import longest, timeline
from strategies.running.records.wording import seconds, value_shown

VALUE = 2000
"""The most characters of a value that are shown."""
MEANINGS: Final = {
    "time, first task to last": "from the start of the first task to the end of the last",
    "before and after": "the rest of the time that the call took",
    "tasks": "the number of tasks that were run",
    "workers": "threads or processes that ran tasks",
    "time in tasks": "the durations of all tasks, added up",
    "CPU time": "the processor time of all tasks, added up",
    "longest chain": "the duration of the longest chain of tasks that wait for each other",
    "parallelism": "time in tasks divided by the longest chain: the number of workers that could "
                   "be kept busy",
}  # fmt: skip
"""The meanings of the facts of the page."""


def evaluation_page(run: Any) -> str:
    """Return the page: value, timeline, ledger, task graph.

    Requires: `run` is an `EvaluatedRun` with at least one record.
    Ensures: the page is complete in itself and makes no requests.
    """
    found = evaluation_lanes(run.planned, run.records, run.workers)
    names = run._names()
    picture, marks = evaluation_and_marks(run.planned, run.strategy, run.records)
    title = title_of(run.strategy)
    parts = [
        heading("Values", title),
        facts(_facts(run, found), MEANINGS),
        section("value", "Value", text(value_shown(run.value, VALUE))),
        timeline(found, doing="calling"),
        section("sparks", "Sparks", counted(run.sparks), longest(found, names, calls=True)),
        section(
            "graph", "Task graph", moving(picture, "graph-figure"),
            says="Time runs down, parallelism across: the tasks of a row can run at the same time. "
                 "Drag to pan; zoom with the buttons or Ctrl and the mouse wheel.",
        ),
        "<footer>Made by jamboree. Times vary from run to run, and with the load of the machine."
        "</footer>",
    ]  # fmt: skip
    return document(title, "".join(parts), columns(found, names, (), marks, values=True))


def _facts(run: Any, found: Utilisation) -> list[tuple[str, str]]:
    return [
        ("time, first task to last", seconds(found.seconds)),
        ("before and after", seconds(max(0.0, run.seconds - found.seconds))),
        ("tasks", f"{len(run.records):,}"),
        ("workers", f"{found.workers:,}"),
        ("time in tasks", seconds(run.work)),
        ("CPU time", seconds(run.cpu)),
        ("longest chain", seconds(run.span)),
        ("parallelism", f"{run.parallelism:.2f}" if run.span else "-"),
    ]
