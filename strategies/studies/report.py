"""The page about a study: pictures, and tables of times, speed-ups and sparks with bars."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, Final

from graphs.errors import ArgumentError
from graphs.limits import STRATEGY_LETTERS
from strategies.insight.report.chart_page import Chart, Drawn, chart_page, spread
from strategies.running.records.wording import game_text, ratio, shortened
from strategies.studies.plot import BY, TITLES, lines_of
from strategies.studies.rows import Row
from strategies.support.printing import Note

MEANINGS: Final = {
    "searched": "the position, or the number of games",
    "interrupted": "if the study has a results file, the same call measures the missing runs",
    "found": "the move and the value that every search of the study found",
    "rules": "machine code, or interpreted",
    "cores": "the cores of the machine",
    "runs of each": "runs of each strategy on each number of workers; times are their medians",
    "greatest speed-up": "the greatest speed-up against seq",
}
"""The meanings of the facts of the page."""
CHANGED: Final = {
    "before (s)": "the median of the runs, and its interval",
    "after (s)": "the median of the runs, and its interval",
    "times as fast": "the time before divided by the time after",
    "nodes": "the nodes after divided by the nodes before",
    "verdict": "faster or slower if the intervals do not overlap",
}
"""The meanings of the columns of the table of changes."""


def study_page(found: Any, changes: Any = None) -> str:
    """Return the page: pictures of times and speed-ups, the rows as tables, and any changes.

    Requires: a `Study` with rows; `changes`, if given, is the result of `compare` for this study.
    Ensures: the page is complete in itself and makes no requests.
    """
    charts = [_times(found), _speedups(found), _sparks(found)]
    drawn = [_drawn(found, what, by) for what, by in _plots(found)]
    compared = [] if changes is None else [_changes(changes)]
    under = f"{found.algorithm} of {game_text(found.game, 90)}"
    return chart_page("Study", under, _facts(found), [*compared, *drawn, *charts],
                      meanings=MEANINGS)  # fmt: skip


DRAWN: Final = {
    "time": "Each point is a median; the vertical line through it is the interval of the median.",
    "speedup": "Against seq, the best sequential search{}.",
}
"""The texts above the pictures."""
IDEAL: Final = "; the dotted line is the ideal speed-up, equal to the number of workers"


def _plots(found: Any) -> Iterator[tuple[str, str]]:
    """Yield what is drawn, by what: all plots with a line that has points at two places or more."""
    for by in BY:
        for what in TITLES:
            with suppress(ArgumentError):  # without seq there is no speed-up
                lines = lines_of(found.rows, what, by)
                if any(len(set(map(lines.at, rows))) > 1 for rows in lines.series.values()):
                    yield what, by


def _drawn(found: Any, what: str, by: str) -> Drawn:
    name = f"{what}-plot" if by == "workers" else f"{what}-by-{by}"
    title = f"{TITLES[what]} against {BY[by].label}"
    says = DRAWN[what].format(IDEAL if by == "workers" else "")
    return Drawn(name, title, says, found.draw(what, by))


def _facts(found: Any) -> list[tuple[str, str]]:
    about, answer, _ = found.head()
    done, total = found.steps
    rows = [
        ("searched", about.rpartition(": ")[2]),
        ("found", shortened(answer.partition(": ")[2], STRATEGY_LETTERS)),
        ("rules", found.engine),
        ("cores", f"{found.cores:,}"),
        ("runs of each", f"{found.repeat:,}"),
    ]
    if not found.complete:
        rows.append(("interrupted", f"{done:,} of {total:,} runs are done"))
    told = [r for r in found.rows if r.speedup is not None and not r.short and r.strategy != "seq"]
    if told:
        best = max(told, key=lambda r: r.speedup or 0.0)
        on = f"{shortened(best.strategy, STRATEGY_LETTERS)} on {best.workers}"
        rows.append(("greatest speed-up", f"{ratio(best.speedup or 0.0)}, {on}, {best.how}"))
    return rows


def _table(found: Any, *names: str) -> tuple[dict[str, str], list[list[str]], int]:
    """Return heads with their meanings, cells, and the number of columns with words."""
    forms = {column.name: column for column in found.columns()}
    chosen = [forms[n] for n in ("strategy", "how", "depth", "workers", *names) if n in forms]
    cells = [[shortened(c.text(row), STRATEGY_LETTERS) for c in chosen] for row in found.rows]
    return {c.head: c.meaning for c in chosen}, cells, 1 + ("how" in forms)


def _times(found: Any) -> Chart:
    head, cells, words = _table(found, "seconds", "interval", "seconds_a_move")
    most = max(r.high for r in found.rows)
    return Chart(
        "times", "Times",
        "Bars show the interval of the median, marks the median; the axis starts at 0.",
        list(head), cells, [spread(r.low, r.high, 0, most, r.seconds) for r in found.rows],
        names=words, meanings=head,
    )  # fmt: skip


def _speedups(found: Any) -> Chart:
    head, cells, words = _table(found, "speedup", "kernels", "share")
    most = max(max(_gained(r)) for r in found.rows)
    spans = [spread(0, gain, 0, most, given) for gain, given in map(_gained, found.rows)]
    says = "Bars show the speed-up, marks that of independent searches. " + _sentences(found.foot())
    return Chart("speedups", "Speed-ups", says, list(head), cells, spans, words, head)


def _gained(row: Row) -> tuple[float, float]:
    """Return the speed-up, and that of independent searches, or 1 if it is not known."""
    said = row.speedup if row.speedup is not None and not row.short else 0.0
    return said, row.kernels if row.kernels is not None else 1.0


def _sparks(found: Any) -> Chart:
    names = ("leaves", "nodes", "created", "converted", "fizzled")
    head, cells, words = _table(found, *names)
    least = {r.depth: r.nodes for r in found.rows if r.strategy == "seq"}
    most = max(r.nodes for r in found.rows)
    return Chart(
        "nodes", "Nodes and sparks",
        "Bars show the nodes visited, marks the nodes that seq visits at the same depth.",
        list(head), cells,
        [spread(0, r.nodes, 0, most, least.get(r.depth, r.nodes)) for r in found.rows],
        names=words, meanings=head,
    )  # fmt: skip


def _changes(found: Any) -> Chart:
    head, *rows = found.cells()
    most = max([1.0, *(change.ratio for change in found.rows)])
    return Chart(
        "changes", "Changes",
        "Bars show the time before divided by the time after; the mark at 1 means no change. "
        + _sentences(found.foot()),
        head, [[shortened(cell, STRATEGY_LETTERS) for cell in row] for row in rows],
        [spread(0, change.ratio, 0, most, 1.0) for change in found.rows], meanings=CHANGED,
    )  # fmt: skip


def _sentences(notes: Iterable[Note]) -> str:
    """Return paragraphs as one text, each a sentence."""
    texts = (" ".join(note.lines).removesuffix(".") for note in notes)
    return " ".join(f"{text[:1].upper()}{text[1:]}." for text in texts)
