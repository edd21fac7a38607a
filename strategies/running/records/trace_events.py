"""A run in Chrome's trace format, for Perfetto (ui.perfetto.dev) and chrome://tracing.

A lane is a worker, a bar is a task or a join.  Source: the Trace Event Format of the Chromium
project.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import isfinite
from types import NoneType
from typing import Any

from strategies.running.records.rows import Row

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
