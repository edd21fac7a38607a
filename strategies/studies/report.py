"""The page about a study: pictures, and tables of times, speed-ups and sparks with bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from strategies.insight.report.chart_page import Chart, Drawn, chart_page, spread
from strategies.running.records.wording import ratio, shortened
from strategies.studies.rows import Row

MEANINGS: Final = {
    "searched": "the position, or how many games",
    "interrupted": "what is missing, the same call goes on with, if it has a file of results",
    "found": "the move and the value that every search of the study found",
    "rules": "as machine code, or interpreted",
    "cores": "of the machine",
    "runs of each": "of each strategy on each number of workers; times are their medians",
    "greatest speed-up": "how many times as fast as seq",
}
"""What the facts of the page mean."""
COLUMNS: Final = {
    "how": "measured on this machine, or simulated on virtual workers",
    "time (s)": "the median of the runs, from the call to the answer",
    "interval (s)": "two of the runs, between which the median of all such runs lies",
    "moves": "how many were searched for",
    "s/move": "seconds for each move that was searched for",
    "speed-up": "how many times as fast as seq, the best sequential search",
    "kernels": "how many times as much got done when each worker ran a search of its own",
    "share": "speed-up / kernels",
    "leaves": "positions that were valued",
    "nodes": "positions that were entered",
    "created": "sparks that got a task",
    "converted": "sparks that searched",
    "fizzled": "sparks that found nothing left to do",
}
CHANGED: Final = {
    "before (s)": "the median of the runs, and its interval",
    "after (s)": "the median of the runs, and its interval",
    "times as fast": "the time before by the time after",
    "nodes": "how many times as many are visited after",
    "so": "faster or slower where the intervals do not meet",
}
"""What the columns of the tables mean."""
LONGEST = 60
"""Characters of a strategy's name."""


def study_page(found: Any, changes: Any = None) -> str:
    """Make the page: pictures of times and speed-ups, the rows as tables, and what has changed.

    Requires: a `Study` with rows; `changes`, if given, is what `compare` made of another and this.
    Ensures: the page needs nothing from elsewhere, and asks for nothing.
    """
    charts = [_times(found), _speedups(found), _sparks(found)]
    what = ["time", "speedup"] if any(r.strategy == "seq" for r in found.rows) else ["time"]
    drawn = [
        Drawn(f"{name}-plot", title, says, found.draw(name))
        for name, (title, says) in DRAWN.items()
        if name in what
    ]
    compared = [] if changes is None else [_changes(changes)]
    under = f"{found.algorithm} of {shortened(found.game, 90)}"
    return chart_page("Study", under, _facts(found), [*compared, *drawn, *charts],
                      meanings=MEANINGS)  # fmt: skip


DRAWN = {
    "time": (
        "Time against workers",
        "Each point is a median, the upright line through it the interval of that median.",
    ),
    "speedup": (
        "Speed-up against workers",
        "Against seq, the best sequential search; the dotted line is as many times as fast as "
        "workers.",
    ),
}
"""The pictures, and what stands above them."""


def _facts(found: Any) -> list[tuple[str, str]]:
    about, answer, _ = found.head()
    done, total = found.steps
    rows = [
        ("searched", about.rpartition(": ")[2]),
        ("found", shortened(answer.partition(": ")[2], LONGEST)),
        ("rules", found.engine),
        ("cores", f"{found.cores:,}"),
        ("runs of each", f"{found.repeat:,}"),
    ]
    if not found.complete:
        rows.append(("interrupted", f"{done:,} of {total:,} runs are done"))
    told = [r for r in found.rows if r.speedup is not None and not r.short and r.strategy != "seq"]
    if told:
        best = max(told, key=lambda r: r.speedup or 0.0)
        on = f"{shortened(best.strategy, LONGEST)} on {best.workers}"
        rows.append(("greatest speed-up", f"{ratio(best.speedup or 0.0)}, {on}, {best.how}"))
    return rows


def _table(found: Any, *names: str) -> tuple[list[str], list[list[str]], int]:
    """Heads, cells, and how many of the columns are words."""
    forms = {column.name: column for column in found.columns()}
    chosen = [forms[n] for n in ("strategy", "how", "depth", "workers", *names) if n in forms]
    cells = [[shortened(c.text(row), LONGEST) for c in chosen] for row in found.rows]
    return [c.head for c in chosen], cells, 1 + ("how" in forms)


def _times(found: Any) -> Chart:
    head, cells, words = _table(found, "seconds", "interval", "seconds_a_move")
    most = max(r.high for r in found.rows)
    return Chart(
        "times", "Times",
        "A bar is the interval of the median, its mark the median; all from 0 on.",
        head, cells, [spread(r.low, r.high, 0, most, r.seconds) for r in found.rows], names=words,
        meanings=COLUMNS,
    )  # fmt: skip


def _speedups(found: Any) -> Chart:
    head, cells, words = _table(found, "speedup", "kernels", "share")
    most = max(max(_gained(r)) for r in found.rows)
    spans = [spread(0, gain, 0, most, given) for gain, given in map(_gained, found.rows)]
    says = (
        "A bar is the speed-up, its mark how many times as much independent searches got done. "
        + _sentence(found.foot())
    )
    return Chart("speedups", "Speed-ups", says, head, cells, spans, words, COLUMNS)


def _gained(row: Row) -> tuple[float, float]:
    """The speed-up, and what the machine gave; 1 where it is not known."""
    said = row.speedup if row.speedup is not None and not row.short else 0.0
    return said, row.kernels if row.kernels is not None else 1.0


def _sparks(found: Any) -> Chart:
    names = ("leaves", "nodes", "created", "converted", "fizzled")
    head, cells, words = _table(found, *names)
    least = {r.depth: r.nodes for r in found.rows if r.strategy == "seq"}
    most = max(r.nodes for r in found.rows)
    return Chart(
        "nodes", "Nodes and sparks",
        "A bar is the nodes visited, its mark those that seq visits at that depth.",
        head, cells,
        [spread(0, r.nodes, 0, most, least.get(r.depth, r.nodes)) for r in found.rows],
        names=words, meanings=COLUMNS,
    )  # fmt: skip


def _changes(found: Any) -> Chart:
    head, *rows = found.cells()
    most = max([1.0, *(change.ratio for change in found.rows)])
    return Chart(
        "changes", "What has changed",
        "A bar is how many times as fast it is after; its mark is at 1, where nothing has changed. "
        + _sentence(found.foot()),
        head, [[shortened(cell, LONGEST) for cell in row] for row in rows],
        [spread(0, change.ratio, 0, most, 1.0) for change in found.rows], meanings=CHANGED,
    )  # fmt: skip


def _sentence(lines: Sequence[str]) -> str:
    text = " ".join(lines)
    return text[:1].upper() + text[1:]
