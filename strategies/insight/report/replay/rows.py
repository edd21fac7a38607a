"""The moments of a replay as rows of data for the scripts of its page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games import WIN
from strategies.insight.analysis.replays.moments import Inside, Replay, Task, Turned, What
from strategies.insight.analysis.trace_steps import (
    Candidate,
    Cut,
    Entered,
    Estimated,
    Inlined,
    Led,
    Path,
    Place,
    Returned,
)
from strategies.insight.report.replay.words import Words
from strategies.running.records.wording import bound

COUNTS: Final = (
    "leaves", "nodes", "work", "span", "attempts", "created", "converted", "fizzled", "aborted",
    "dud", "opened", "inlined", "pruned",
)  # fmt: skip
"""The counts of a page, in the order of its data."""
BEFORE: Final = ("created", "dud", "opened", "started")
"""What happens to a task before it ends."""
Row = dict[str, Any]


def side(replay: Replay, root: Place, numbers: Mapping[Path, int], words: Words) -> Row:
    """Return one replay as data; `numbers` are those of the positions that are drawn.

    Ensures: one row for each moment at a drawn position; the rows add up to the counts of all.
    """
    rows: list[Row] = []
    left: dict[str, float] = {}
    lanes = {task.number: lane for lane, task in enumerate(replay.tasks)}
    for moment in replay.moments:
        for name, n in moment.adds:
            left[name] = max(left.get(name, 0), n) if name == "span" else left.get(name, 0) + n
        what = moment.what
        if not isinstance(what, (Turned, Inside)) and what.place.path not in numbers:
            continue
        row = _row(what, numbers, words)
        row |= {"t": moment.time, "s": words.says(what), "a": _adds(left)}
        if isinstance(what, Turned) and what.fate not in BEFORE:
            row["e"] = lanes[moment.task]
        left = {}
        rows.append(row)
    closing = words.renamed("\n".join(replay.closing), root)
    last: Row = {"k": "end", "n": 0, "t": replay.end, "s": closing}
    rows.append(last | {"a": _adds(left)})
    return {
        "name": replay.title, "ticks": replay.ticks, "workers": replay.workers, "rows": rows,
        "tasks": [_task(task, numbers, words) for task in replay.tasks], "end": replay.end,
    }  # fmt: skip


def leaf_values(replay: Replay) -> list[str]:
    """Return the values of all leaves that a replay reads, as texts; one if there are none."""
    steps = (moment.what for moment in replay.moments)
    return [bound(step.value) for step in steps if isinstance(step, Estimated)] or [""]


def _adds(left: Mapping[str, float]) -> list[list[float]]:
    return [[COUNTS.index(name), n] for name, n in left.items()]


def _row(what: What, numbers: Mapping[Path, int], words: Words) -> Row:
    """Return what the scripts need to know of a step."""
    path = what.place.path
    row: Row = {"k": what.kind, "n": _near(path, numbers)}
    if isinstance(what, (Turned, Inside)):
        ways = [(*path, i) for i in what.branches] or [path]
        row["b"] = sorted({_near(way, numbers) for way in ways})
        row["p"] = int(isinstance(what, Turned) and what.spark)
    elif isinstance(what, (Led, Cut, Inlined)):
        ways = [(*path, i) for i in what.branches]
        row["b"] = [numbers[way] for way in ways if way in numbers]
    else:
        row["l"] = 1
    if isinstance(what, Entered) and what.ab is not None:
        row["w"] = [_bound(end, words) for end in what.ab]
    elif isinstance(what, Estimated):
        row["v"] = bound(what.value)
    elif isinstance(what, Returned):
        row["v"] = bound(what.best.value)
    elif isinstance(what, Led):
        row |= {"w": _bound(what.best, words), "r": what.between}
    return row


def _bound(found: Candidate, words: Words) -> list[Any]:
    """Return a bound as a number (None if there is none), as text, and whose it is."""
    value = found.value
    plain = not isinstance(value, tuple) and abs(value) < WIN
    where = "" if found.at is None else f"{words.name(found.at)}, branch {found.move}"
    return [value if plain else None, found.shown or bound(value), where]


def _near(path: Path, numbers: Mapping[Path, int]) -> int:
    """Return the number of a position, or of the folded one that it is in."""
    while path not in numbers:
        path = path[:-1]
    return numbers[path]


def _task(task: Task, numbers: Mapping[Path, int], words: Words) -> list[Any]:
    nodes = sorted({_near(path, numbers) for path in task.branches})
    fate = task.became if task.role == "spark" else "dud" if task.role == "dud" else "step"
    names = " and ".join(words.name(path) for path in task.branches[:3])
    return [task.worker, task.start, task.end, fate, nodes, names, task.nodes, task.before]
