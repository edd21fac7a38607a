"""The lines in the plot of a study: the rows that it shows, and their baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from graphs.arguments import shown
from graphs.errors import ArgumentError
from strategies.studies.rows import Row

TITLES = {"time": "Time against workers", "speedup": "Speed-up against workers"}
"""The plots of a study, with their headings."""


@frozen
class Lines:
    """The rows at a study's greatest depth, one line per strategy.  Made by `lines_of`."""

    what: str
    rows: tuple[Row, ...]
    series: Mapping[str, Sequence[Row]]
    """The rows by strategy, without `seq`."""
    base: float | None
    """The seconds of `seq`, the best sequential search, if it was measured."""

    def of(self, seconds: float) -> float:
        """Return the value to draw for a time: the time itself, or the speed-up against `seq`."""
        return seconds if self.what == "time" else (self.base or 0.0) / max(seconds, 1e-12)


def lines_of(every: Sequence[Row], what: str) -> Lines:
    """Return the lines of a plot of "time" or "speedup".

    Raises: ValueError for other plots, and for speed-ups if `seq` was not measured.
    """
    if what not in TITLES:
        raise ArgumentError(f"a study draws {' or '.join(TITLES)}, not {shown(what)}")
    if not every:
        raise ArgumentError("there is nothing to draw: the study has no measurements yet")
    depth = max(r.depth for r in every)
    rows = tuple(r for r in every if r.depth == depth)
    base = next((r.seconds for r in rows if r.strategy == "seq"), None)
    if what == "speedup" and not base:
        raise ArgumentError("there is no speed-up: seq was not measured at the greatest depth")
    series: dict[str, list[Row]] = {}
    for r in rows:
        if r.strategy != "seq":
            series.setdefault(r.template, []).append(r)
    return Lines(what, rows, series, base)
