"""Compare two studies of the same searches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from attrs import frozen

from graphs.errors import ArgumentError
from strategies.studies.rows import Row, in_seconds
from strategies.support.printing import Note, Printed, Table, latex, markdown


class Studied(Protocol):
    """The part of a study that a comparison uses."""

    @property
    def rows(self) -> tuple[Row, ...]:
        """Return its rows; a comparison uses these, the positions, and the fields in `SAME`."""

    @property
    def state(self) -> str:
        """Return the position."""

    @property
    def positions(self) -> Sequence[Studied]:
        """Return the studies of the positions of a set."""


@frozen
class Change:
    """One strategy on a number of workers, before and after."""

    before: Row
    after: Row

    @property
    def ratio(self) -> float:
        """Return the time before divided by the time after."""
        return self.before.seconds / self.after.seconds if self.after.seconds else 1.0

    @property
    def verdict(self) -> str:
        """Return "faster" or "slower" if the intervals do not overlap.

        Return "not seen" if they overlap, and "too few" for fewer than three runs: their interval
        contains the median less than 3 times in 4.
        """
        if min(len(self.before.runs), len(self.after.runs)) < 3:
            return "too few"
        if self.after.high < self.before.low:
            return "faster"
        return "slower" if self.after.low > self.before.high else "not seen"

    @property
    def visits(self) -> float:
        """Return the nodes after divided by the nodes before."""
        return self.after.nodes / self.before.nodes if self.before.nodes else 1.0


@frozen
class Changes(Printed):
    """The changes from one study to another: `print` it, or use its rows."""

    rows: tuple[Change, ...]
    only_before: tuple[Row, ...] = ()
    """The rows without a counterpart in the other study."""
    only_after: tuple[Row, ...] = ()

    def cells(self) -> list[list[str]]:
        """Return the table as texts, with a header row; the depth only if it varies."""
        rows = [HEADS, *(_cells(change) for change in self.rows)]
        if len({change.after.depth for change in self.rows}) > 1:
            return rows
        at = HEADS.index("depth")
        return [[*row[:at], *row[at + 1 :]] for row in rows]

    def foot(self) -> list[Note]:
        """Return the explanation of the columns, as a paragraph."""
        return [Note(FOOT)]

    def data(self) -> dict[str, Any]:
        """Return the data for a study's `to_json`: `rows`, and those without a counterpart."""
        return {
            "rows": [
                _named(change.after) | {"before": _times(change.before)}
                | {"after": _times(change.after), "ratio": change.ratio}
                | {"visits": change.visits, "verdict": change.verdict}
                for change in self.rows
            ],
            "only_before": [_named(row) for row in self.only_before],
            "only_after": [_named(row) for row in self.only_after],
        }  # fmt: skip

    def to_markdown(self) -> str:
        """Write the table in Markdown."""
        return markdown(self.cells()) + "\n"

    def to_latex(self) -> str:
        """Write the table as a `tabular` of LaTeX, with the rules of the package booktabs."""
        return latex(self.cells()) + "\n"

    def _repr_html_(self) -> str:
        """Return the parts as HTML for notebooks, with faster in bold and slower in italics."""
        html = super()._repr_html_()
        for word, tag in (("faster", "b"), ("slower", "i")):
            html = html.replace(f">{word}</td>", f"><{tag}>{word}</{tag}></td>")
        return html

    def parts(self) -> list[object]:
        """Return the parts to print: the table, its explanation, rows without a counterpart."""
        parts: list[object] = [Table(self.cells(), ruled=True), "", *self.foot()]
        for rows, when in ((self.only_before, "before"), (self.only_after, "after")):
            if rows:
                named = ", ".join(f"{r.strategy} on {r.workers} by {r.algorithm}" for r in rows)
                parts.append(f"measured only {when}: {named}")
        return parts


def compare(before: Studied, after: Studied) -> Changes:
    """Compare the rows of two studies of the same search.

    Requires: the same game, position and number of games; the depths may differ.
    Ensures: a row for each algorithm, strategy, number of workers and origin that both have.
    Raises: ValueError, one line, for studies of different searches.
    """
    for name in SAME:
        one, other = getattr(before, name), getattr(after, name)
        if one != other:
            raise ArgumentError(
                f"the studies are of different searches: {name} was {one} before, and is {other}"
            )
    if [p.state for p in before.positions] != [p.state for p in after.positions]:
        raise ArgumentError("the studies are of different sets of positions")
    known = {_key(row): row for row in before.rows}
    found = {_key(row): row for row in after.rows}
    return Changes(
        tuple(Change(known[key], row) for key, row in found.items() if key in known),
        tuple(row for key, row in known.items() if key not in found),
        tuple(row for key, row in found.items() if key not in known),
    )


SAME = "game", "state", "games", "moves", "against"
"""The fields that must be equal in two studies to be compared."""
HEADS = [
    "strategy",
    "depth",
    "workers",
    "before (s)",
    "after (s)",
    "times as fast",
    "nodes",
    "verdict",
]
FOOT = (
    "faster, slower: the intervals of the medians do not overlap; not seen: they overlap; too few:",
    "fewer than three runs; nodes: the nodes after divided by the nodes before.",
)


def _key(row: Row) -> tuple[object, ...]:
    return row.algorithm, row.strategy, row.workers, row.how


def _named(row: Row) -> dict[str, Any]:
    """Return the fields that distinguish a row from the others of its study."""
    names = "algorithm", "depth", "strategy", "workers", "how"
    return {name: getattr(row, name) for name in names}


def _times(row: Row) -> dict[str, float]:
    return {name: getattr(row, name) for name in ("seconds", "low", "high")}


def _cells(change: Change) -> list[str]:
    before, after = change.before, change.after
    return [
        after.strategy, str(after.depth), str(after.workers), _time(before), _time(after),
        f"{change.ratio:.2f}", f"{change.visits:.2f}", change.verdict,
    ]  # fmt: skip


def _time(row: Row) -> str:
    middle, low, high = map(in_seconds, (row.seconds, row.low, row.high))
    return f"{middle} ({low} to {high})"
