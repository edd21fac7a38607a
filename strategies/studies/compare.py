"""Compares two studies of the same searches, as before a change and after it."""

from __future__ import annotations

from html import escape
from typing import Any, Protocol

from attrs import frozen

from graphs.errors import ArgumentError
from strategies.studies.forms import in_seconds, latex, markdown
from strategies.studies.rows import Row
from strategies.support.printing import Printed, Table


class Studied(Protocol):
    """What is compared of a study."""

    @property
    def rows(self) -> tuple[Row, ...]:
        """Its rows; they and what `SAME` names are all that is looked at."""


@frozen
class Change:
    """One strategy on so many workers, before and after."""

    before: Row
    after: Row

    @property
    def ratio(self) -> float:
        """How many times as fast it is after."""
        return self.before.seconds / self.after.seconds if self.after.seconds else 1.0

    @property
    def verdict(self) -> str:
        """Whether it is "faster" or "slower": so only where the intervals do not meet.

        "not seen" is a difference that the runs do not show, "too few" one that so few runs cannot
        show: an interval of fewer than three runs holds the median less than 3 times in 4.
        """
        if min(len(self.before.runs), len(self.after.runs)) < 3:
            return "too few"
        if self.after.high < self.before.low:
            return "faster"
        return "slower" if self.after.low > self.before.high else "not seen"

    @property
    def visits(self) -> float:
        """How many times the nodes it visits after."""
        return self.after.nodes / self.before.nodes if self.before.nodes else 1.0


@frozen
class Changes(Printed):
    """What changed from one study to another: `print` it, or take its rows."""

    rows: tuple[Change, ...]
    only_before: tuple[Row, ...] = ()
    """Rows that the other study has none for."""
    only_after: tuple[Row, ...] = ()

    def cells(self) -> list[list[str]]:
        """The table as texts: a row of heads, then a row each."""
        return [HEADS, *(_cells(change) for change in self.rows)]

    def foot(self) -> list[str]:
        """What the columns mean."""
        return list(FOOT)

    def data(self) -> dict[str, Any]:
        """What `to_json` of a study writes: `rows`, and those that one of the studies lacks."""
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
        """Show the table in a notebook; what is faster is bold, what is slower in italics."""
        head, *rows = self.cells()
        tags = {"faster": "b", "slower": "i"}
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row[:-1])
            + _marked(row[-1], tags.get(row[-1], "span")) + "</tr>"
            for row in rows
        )  # fmt: skip
        heads = "".join(f"<th>{escape(text)}</th>" for text in head)
        foot = f"<p>{escape(' '.join(self.foot()))}</p>"
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>{foot}"

    def parts(self) -> list[object]:
        """Return what is printed: the table, what its columns mean, what has no counterpart."""
        parts: list[object] = [Table(self.cells(), ruled=True), "", *self.foot()]
        for rows, when in ((self.only_before, "before"), (self.only_after, "after")):
            if rows:
                named = ", ".join(f"{r.strategy} on {r.workers} by {r.algorithm}" for r in rows)
                parts.append(f"measured only {when}: {named}")
        return parts


def compare(before: Studied, after: Studied) -> Changes:
    """Compare the rows of two studies that are of the same search.

    Requires: studies of one game, position and number of games; the algorithm may be at other
    depths.
    Ensures: a row for each algorithm, strategy, number of workers and origin that both have.
    Raises: ValueError, one line, for studies of different searches.
    """
    for name in SAME:
        one, other = getattr(before, name), getattr(after, name)
        if one != other:
            raise ArgumentError(
                f"the studies are of different searches: {name} {one}, then {other}"
            )
    known = {_key(row): row for row in before.rows}
    found = {_key(row): row for row in after.rows}
    return Changes(
        tuple(Change(known[key], row) for key, row in found.items() if key in known),
        tuple(row for key, row in known.items() if key not in found),
        tuple(row for key, row in found.items() if key not in known),
    )


SAME = "game", "state", "games", "moves", "against"
"""What two studies must have in common to be compared."""
HEADS = ["strategy", "depth", "workers", "before (s)", "after (s)", "times as fast", "nodes", "so"]
FOOT = (
    "faster, slower: the intervals of the medians do not meet; not seen: they do; too few: fewer",
    "than three runs; nodes: how many times as many are visited after.",
)


def _key(row: Row) -> tuple[object, ...]:
    return row.algorithm, row.strategy, row.workers, row.how


def _named(row: Row) -> dict[str, Any]:
    """What tells a row from the others of its study."""
    names = "algorithm", "depth", "strategy", "workers", "how"
    return {name: getattr(row, name) for name in names}


def _times(row: Row) -> dict[str, float]:
    return {name: getattr(row, name) for name in ("seconds", "low", "high")}


def _marked(text: str, tag: str) -> str:
    return f"<td><{tag}>{escape(text)}</{tag}></td>"


def _cells(change: Change) -> list[str]:
    before, after = change.before, change.after
    return [
        after.strategy, str(after.depth), str(after.workers), _time(before), _time(after),
        f"{change.ratio:.2f}", f"{change.visits:.2f}", change.verdict,
    ]  # fmt: skip


def _time(row: Row) -> str:
    middle, low, high = map(in_seconds, (row.seconds, row.low, row.high))
    return f"{middle} ({low} to {high})"
