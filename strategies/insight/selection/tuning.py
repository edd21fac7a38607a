"""The result of tuning: one row per strategy, and the best strategy."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from attrs import asdict, field, frozen

from strategies.algebra.strategy import Strategy
from strategies.support.brief import brief
from strategies.support.notebook_text import preformatted
from strategies.support.printing import Printed, Table
from strategies.support.tables import csv_text


@frozen
class Trial:
    """One strategy on a number of workers; times are in seconds."""

    strategy: Strategy
    workers: int
    tasks: int
    planning: float
    """The time until the first task can start, on one worker."""
    simulated: float | None
    """The time on virtual workers; None if abandoned because it was longer than the best."""
    nodes: int | None
    parallelism: float | None
    measured: float | None
    """The median time from the call to the answer on real workers; None if not measured."""

    @property
    def expected(self) -> float | None:
        """Return the time of planning and of the simulated run together."""
        return None if self.simulated is None else self.planning + self.simulated

    @property
    def seconds(self) -> float | None:
        """Return the measured time if there is one, else the expected time."""
        return self.expected if self.measured is None else self.measured


@frozen
class Tuning(Printed):
    """The strategies tried for one search on a number of workers; `print` it, or use its rows.

    `best` prints as an expression that evaluates to the same strategy.
    """

    search: str
    """The search, under `seq`, as an expression."""
    workers: int
    cores: int
    burden: Any
    rows: tuple[Trial, ...] = field(repr=False)
    """The rows in the order in which they were tried; `seq` first."""

    @property
    def best(self) -> Strategy:
        """Return the fastest strategy; of equals the one tried first."""
        judged = [r for r in self.rows if r.seconds is not None]
        measured = [r for r in judged if r.measured is not None]
        return min(measured or judged, key=lambda r: r.seconds or 0.0).strategy

    def against_seq(self, row: Trial) -> float | None:
        """Return the speed-up against `seq`, the best sequential search: from measured times if
        both were measured, else from expected times."""
        first = self.rows[0]
        if row.measured is not None and first.measured is not None:
            return first.measured / row.measured
        if row.expected is None or first.expected is None:
            return None
        return first.expected / row.expected

    def to_rows(self) -> list[dict[str, Any]]:
        """Return the rows as plain data with stable names, and strategies as text."""
        return [
            {
                **asdict(r, recurse=False),
                "strategy": repr(r.strategy),
                "expected": r.expected,
                "speedup": self.against_seq(r),
                "best": r.strategy == self.best,
            }
            for r in self.rows
        ]

    def to_json(self) -> str:
        """Return one JSON object: the search, workers, cores, burden, best, and `rows`."""
        about = {"search": self.search, "workers": self.workers, "cores": self.cores}
        more = {"burden": asdict(self.burden), "best": repr(self.best), "rows": self.to_rows()}
        return json.dumps(about | more, indent=2, ensure_ascii=False)

    def to_csv(self) -> str:
        """Return the rows as CSV, with a header line."""
        rows = self.to_rows()
        return csv_text(list(rows[0]), (row.values() for row in rows))

    __repr__ = brief

    def parts(self) -> list[object]:
        """Return the parts to print: the search, the table, and the best strategy."""
        cells = [list(COLUMNS), *([text(self, r) for text in COLUMNS.values()] for r in self.rows)]
        beyond = self.workers > self.cores
        how = f"simulated from one of {self.cores} cores" if beyond else "simulated, then measured"
        about = f"{self.search} on {self.workers} workers, {how}"
        return [about, "", Table(cells, ruled=True), "", f"best: {self.best}"]

    def _repr_html_(self) -> str:
        return preformatted(str(self))


def _number(form: str, value: float | None, none: str = "-") -> str:
    return none if value is None else format(value, form)


COLUMNS: dict[str, Callable[[Tuning, Trial], str]] = {
    "strategy": lambda t, r: repr(r.strategy),
    "tasks": lambda t, r: f"{r.tasks:,}",
    "nodes": lambda t, r: _number(",", r.nodes),
    "parallelism": lambda t, r: _number(".1f", r.parallelism),
    "planning (s)": lambda t, r: _number(".4f", r.planning),
    "simulated (s)": lambda t, r: _number(".4f", r.simulated, "more"),
    "measured (s)": lambda t, r: _number(".4f", r.measured),
    "speed-up": lambda t, r: _number(".2f", t.against_seq(r)),
}
"""The columns of the table; the speed-up is against `seq`, the best sequential search."""
