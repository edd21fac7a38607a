"""Pages of tables with bars, for Monte Carlo searches, tournaments, learning and studies."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from types import MappingProxyType
from typing import Any

from attrs import frozen

from strategies.insight.analysis.move_naming import Naming
from strategies.insight.analysis.timeline_marks import lost_marks
from strategies.insight.analysis.utilisation import utilisation
from strategies.insight.pictures.picture import Picture
from strategies.insight.report.columns import columns
from strategies.insight.report.document import (
    Meanings,
    Span,
    charted,
    counted,
    document,
    facts,
    heading,
    section,
    still,
    table,
)  # fmt: skip
from strategies.insight.report.run_sections import longest, timeline


@frozen
class Chart:
    """A table whose rows may end in bars; the cells hold the numbers that the bars show."""

    name: str
    title: str
    says: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    spans: Sequence[Span] = ()
    names: int = 1
    """The number of columns with words; the columns after them hold numbers."""
    meanings: Meanings = MappingProxyType({})
    """The meanings of the column heads."""

    def written(self) -> str:
        """Return the chart as a section of a page."""
        numbers = range(self.names, len(self.head))
        if self.spans:
            inside = charted(self.head, self.rows, self.spans, numbers, self.meanings)
        else:
            inside = table(self.head, self.rows, numbers, self.meanings)
        return section(self.name, self.title, inside, says=self.says)


@frozen
class Drawn:
    """A picture under a heading."""

    name: str
    title: str
    says: str
    picture: Picture

    def written(self) -> str:
        """Return the picture as a section of a page."""
        return section(self.name, self.title, still(self.picture), says=self.says)


def chart_page(
    title: str, under: str, about: Sequence[tuple[str, str]], charts: Sequence[Chart | Drawn],
    run: Any = None, meanings: Meanings = MappingProxyType({}), names: Naming | None = None,
    again: str = "",
) -> str:  # fmt: skip
    """Return a page with a heading, facts, charts and pictures; and the tasks of `run`, if given.

    `names` are the names of these tasks; `again` is the section about running it again.

    Ensures: the page is complete in itself and makes no requests.
    """
    parts = [
        heading(title, under),
        facts(about, meanings),
        again,
        *(chart.written() for chart in charts),
    ]
    data = None
    if run is not None:
        found, lost = utilisation(run), lost_marks(run)
        parts += [
            timeline(found, lost=lost),
            section("sparks", "Sparks", counted(run.sparks), longest(found, names)),
        ]
        data = columns(found, names, losses=lost)
    return document(f"{title}: {under}", f"{''.join(parts)}<footer>{escape(FOOT)}</footer>", data)


FOOT = "Made by jamboree."


def spread(low: float, high: float, least: float, most: float, mark: float) -> Span:
    """Return a span and its mark as fractions of the range from `least` to `most`.

    >>> spread(1, 3, 0, 4, 2), spread(1, 1, 1, 1, 1)
    ((0.25, 0.75, 0.5), (0.0, 0.0, 0.0))
    """
    room = (most - least) or 1.0
    start, end, at = ((x - least) / room for x in (low, high, mark))
    return start, end, at
