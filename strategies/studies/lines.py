"""The lines in the plot of a study: the rows that it shows, where they are, and their baseline."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Final

from attrs import frozen

from graphs.arguments import shown
from graphs.errors import ArgumentError, JamboreeError
from strategies.algebra.strategy import Modified, Strategy, seq
from strategies.notation.using import parse_using
from strategies.notation.wording import plural
from strategies.studies.rows import Row

TITLES: Final = {"time": "Time", "speedup": "Speed-up"}
"""The plots of a study, with the first words of their headings."""
REPEATED: Final = re.compile(r"\b(to_ply|grain)\((?:plies=)?\d+\)")
"""The number of plies in the text of a strategy."""


def plies_of(row: Row) -> int | None:
    """Return the number of plies in which the strategy of a row sparks; None if it has none.

    It is the number of a sweep, or that of `to_ply` or `grain`; a strategy alone covers one ply.
    """
    if row.plies is not None:
        return row.plies
    try:
        using = parse_using(row.strategy)
    except JamboreeError:  # a strategy of a user's file
        return None
    if not isinstance(using, Strategy) or using == seq:
        return None
    if not isinstance(using, Modified):
        return 1
    plies = min(using.plies or 1, inf if using.spark_plies is None else using.spark_plies)
    return None if plies == inf or using.least is not None else int(plies)


@frozen
class Across:
    """What a plot of a study has across."""

    label: str
    at: Callable[[Row], int | None]
    """Returns where the point of a row is; None if it has none."""


BY: Final = {
    "workers": Across("workers", lambda row: row.workers),
    "plies": Across("plies with sparks", plies_of),
    "leaves": Across("leaves", lambda row: max(1, row.leaves)),
}
"""What a plot may have across."""


@frozen
class Lines:
    """The rows at a study's greatest depth, one line per strategy.  Made by `lines_of`."""

    what: str
    by: str
    rows: tuple[Row, ...]
    series: Mapping[str, Sequence[Row]]
    """The rows by strategy, without `seq` and without those that have no point; unless workers are
    across, by strategy without its number of plies, and by workers."""
    base: float | None
    """The seconds of `seq`, the best sequential search, if it was measured."""

    def of(self, seconds: float) -> float:
        """Return the value to draw for a time: the time itself, or the speed-up against `seq`."""
        return seconds if self.what == "time" else (self.base or 0.0) / max(seconds, 1e-12)

    def at(self, row: Row) -> int:
        """Return where the point of a row is across."""
        return BY[self.by].at(row) or 0

    @property
    def places(self) -> list[int]:
        """Return the different places across, in order."""
        return sorted({self.at(row) for rows in self.series.values() for row in rows})

    @property
    def title(self) -> str:
        """Return the heading of the plot."""
        return f"{TITLES[self.what]} against {BY[self.by].label}"


def lines_of(every: Sequence[Row], what: str, by: str = "workers") -> Lines:
    """Return the lines of a plot of "time" or "speedup", by "workers", "plies" or "leaves".

    Raises: ValueError for other plots, for speed-ups if `seq` was not measured, and for plies if no
    strategy sparks in a fixed number of plies.
    """
    if what not in TITLES:
        raise ArgumentError(f"a study draws {' or '.join(TITLES)}, not {shown(what)}")
    if by not in BY:
        raise ArgumentError(f"by must be one of {', '.join(BY)}, not {shown(by)}")
    if not every:
        raise ArgumentError("there is nothing to draw: the study has no measurements yet")
    depth = max(r.depth for r in every)
    rows = tuple(r for r in every if r.depth == depth)
    base = next((r.seconds for r in rows if r.strategy == "seq"), None)
    if what == "speedup" and not base:
        raise ArgumentError("there is no speed-up: seq was not measured at the greatest depth")
    drawn = [r for r in rows if r.strategy != "seq" and BY[by].at(r) is not None]
    if by == "plies" and not drawn:
        raise ArgumentError(
            "there are no plies to draw: no strategy sparks in a fixed number of plies"
        )
    several = by != "workers" and len({r.workers for r in drawn}) > 1
    series: dict[str, list[Row]] = {}
    for r in drawn:
        name = r.template if by == "workers" else REPEATED.sub(r"\1(n)", r.template)
        series.setdefault(
            f"{name} on {plural(r.workers, 'worker')}" if several else name, []
        ).append(r)
    lines = Lines(what, by, rows, series, base)
    if by != "workers":
        for found in series.values():
            found.sort(key=lines.at)
    return lines
