"""Records as rows for tables, files and the trace viewers of browsers.

In a viewer, a lane is a worker, a bar is a task or a join.  Source: the Trace Event Format of the
Chromium project.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from math import isfinite
from types import NoneType
from typing import Any, NamedTuple, Protocol

from attrs import frozen

from strategies.running.records.record import Record, branch_numbers
from strategies.support.printing import csv_text


class Row(NamedTuple):
    """One task or join of a run; times are seconds after the start of the run's first task."""

    kind: str
    """The kind of task: spark, step, dud, merge, local, gate, resolve, start; or join."""
    place: str
    """The place in the tree: branch numbers from the root, as ``0.3.2``; ``?`` marks a null-window
    test."""
    ply: int
    move: str
    """The first move that the task searches; empty at the root."""
    line: str
    """The moves from the root to there, separated by blanks."""
    role: str
    outcome: str
    reason: str
    alpha: float
    beta: float
    """The window when it started; meaningless for a fold."""
    low: float
    high: float
    """The interval that contains the value of its branch."""
    nodes: int
    leaves: int
    inlined: int
    pruned: int
    aborted: int
    start: float
    end: float
    seconds: float
    cpu: float
    """The processor time in seconds."""
    worker: int
    """The number of the worker, in the order of their first tasks."""
    name: str
    """The worker's name: process and thread."""
    lost: int
    """How often it was lost with a worker of a cluster, and run again."""


class Names(Protocol):
    """The names of the places of tasks."""

    def to(self, place: Iterable[Any]) -> tuple[str, ...]:
        """Return the names from the root to a place."""


@frozen
class Numbered:
    """Names of tasks by their numbers, from 1: tree 1, tree 2, …"""

    what: str

    def move(self, path: tuple[Any, ...], index: int) -> str:
        return f"{self.what} {index + 1}"

    def to(self, place: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.move((), index) for index in place)


def rows_of(records: Sequence[Record], names: Names) -> tuple[Row, ...]:
    """Return the records of a run as rows, in order of time."""
    first = min((r.start for r in records), default=0.0)
    lanes: dict[str, int] = {}
    rows = []
    for r in sorted(records, key=lambda r: r.start):
        kind, place = r.key
        texts = names.to(place)
        row = Row(
            kind, ".".join(map(str, place)), len(branch_numbers(place)), texts[-1] if texts else "",
            " ".join(texts), r.role, r.outcome, r.reason, *r.window, *r.found,
            r.nodes, r.leaves, r.inlined, r.pruned, r.aborted,
            r.start - first, r.end - first, r.seconds, r.cpu,
            lanes.setdefault(r.worker, len(lanes)), r.worker, r.lost,
        )  # fmt: skip
        rows.append(row)
    return tuple(rows)


def to_csv(rows: Iterable[Row]) -> str:
    """Return rows as CSV with a header line; infinite bounds are ``inf`` and ``-inf``."""
    return csv_text(Row._fields, rows)


def to_json(rows: Iterable[Row]) -> str:
    """Return rows as a JSON list of objects; an infinite bound is null, because JSON has none, and
    the value of a fold that JSON has not is a text."""
    plain = [_plain(r) for r in rows]
    return json.dumps(plain, indent=1, ensure_ascii=False, default=repr) + "\n"


def _plain(row: Row) -> dict[str, Any]:
    return {
        name: None if isinstance(x, float) and not isfinite(x) else x
        for name, x in row._asdict().items()
    }


MICRO = 1e6


def chrome_trace(rows: Sequence[Row], about: dict[str, Any]) -> str:
    """Return the rows of a run as a JSON object, with times in microseconds.

    Ensures: one thread per worker; one complete event ("X") per row, with the row's move, window,
    outcome and counts as arguments; a counter of busy workers; `about` as ``otherData``.
    """
    named = dict.fromkeys((r.worker, r.name) for r in rows)
    events = [
        {"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "jamboree"}},
        *(
            {"ph": "M", "name": "thread_name", "pid": 1, "tid": n, "args": {"name": _lane(n, name)}}
            for n, name in named
        ),
        *(_bar(r) for r in rows),
        *_busy(rows),
    ]
    data = {"traceEvents": events, "displayTimeUnit": "ms", "otherData": about}
    return json.dumps(data, ensure_ascii=False) + "\n"


def _lane(number: int, name: str) -> str:
    return f"worker {number} ({name})"


def _bar(r: Row) -> dict[str, Any]:
    what = r.role
    if r.role == "spark":
        known = r.reason == "already known"
        what = "known" if known else "aborted" if r.aborted else r.outcome
    return {
        "ph": "X",
        "name": f"{r.kind} {r.move}".strip(),
        "cat": f"{r.role},{r.outcome}",
        "ts": r.start * MICRO,
        "dur": r.seconds * MICRO,
        "pid": 1,
        "tid": r.worker,
        "cname": COLOURS.get(what, "grey"),
        "args": {
            "key": f"{r.kind} {r.place}".strip(),
            "window": [_bound(r.alpha), _bound(r.beta)],
            "found": [_bound(r.low), _bound(r.high)],
            "cpu": r.cpu * MICRO,
            **{name: getattr(r, name) for name in SAME},
        },
    }


SAME = (
    "move", "line", "role", "outcome", "reason", "nodes", "leaves", "inlined", "pruned", "aborted",
    "lost",
)  # fmt: skip
"""The fields of a row that are arguments of its bar as they are."""
COLOURS = {
    "converted": "good",
    "aborted": "terrible",
    "fizzled": "bad",
    "known": "yellow",
    "step": "rail_response",
    "join": "rail_animation",
    "dud": "grey",
}
"""Chrome's names for colours."""


def _bound(x: Any) -> Any:
    if isinstance(x, tuple):
        return [_bound(one) for one in x]
    if isinstance(x, float) and not isfinite(x):
        return str(x)
    return x if isinstance(x, (int, float, str, NoneType)) else repr(x)


def _busy(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the number of workers in tasks, at each time that it changes."""
    steps: dict[float, int] = {}
    for r in rows:
        steps[r.start] = steps.get(r.start, 0) + 1
        steps[r.end] = steps.get(r.end, 0) - 1
    counts, busy = [], 0
    for at in sorted(steps):
        busy += steps[at]
        counts.append(
            {"ph": "C", "name": "busy workers", "ts": at * MICRO, "pid": 1, "tid": 0,
             "args": {"busy": busy}}
        )  # fmt: skip
    return counts
