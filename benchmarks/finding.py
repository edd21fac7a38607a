"""The finding of a benchmark: one figure and its target."""

from __future__ import annotations

from attrs import frozen


@frozen
class Finding:
    """One line of the table.  `figure` is a ratio unless `unit` says otherwise."""

    name: str
    figure: float
    bar: float
    anchor: str
    """What ours is measured against."""
    work: str
    """The work that both did, as counted."""
    ours: str
    theirs: str
    at_most: bool = False
    """Whether the figure should be at most the bar; else at least."""
    unit: str = ""

    @property
    def met(self) -> bool:
        return self.figure <= self.bar if self.at_most else self.figure >= self.bar

    def row(self, *, void: bool = False) -> str:
        """Return the finding as a row of a Markdown table; tiny questions have no figure."""
        sign = "≤" if self.at_most else "≥"
        told = ", void" if void else "" if self.met else ", missed"
        bar = f"{sign} {self.bar:g}{self.unit}{told}"
        cells = (self.name, f"{figure(self.figure)}{self.unit}", bar)
        return "| " + " | ".join((*cells, self.ours, self.anchor, self.theirs, self.work)) + " |"


class Skipped(Exception):
    """A benchmark that cannot be measured here, and what it would need."""


HEADER = """\
| question | figure | bar | ours | anchor | the anchor's | work |
|---|---|---|---|---|---|---|"""


def figure(x: float) -> str:
    """Return the text of a number with three significant digits and thousands separators.

    >>> figure(0.91234), figure(12345.6)
    ('0.912', '12,346')
    """
    return f"{x:,.0f}" if x >= 1000 else f"{x:.3g}"


def seconds(s: float) -> str:
    """Return a duration in the unit that suits it.

    >>> seconds(0.00012), seconds(2.5)
    ('120 µs', '2.5 s')
    """
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if s >= scale:
            return f"{s / scale:.3g} {unit}"
    return f"{s / 1e-9:.3g} ns"


def a_node(s: float, nodes: int) -> str:
    """Return the time of one node."""
    return f"{seconds(s / nodes)} a node"
