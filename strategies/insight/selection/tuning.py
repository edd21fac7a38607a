"""The result of tuning: one row per strategy, and the best strategy."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from textwrap import wrap
from typing import Any

from attrs import asdict, field, frozen

from strategies.algebra.strategy import Strategy
from strategies.algebra.wording import plural
from strategies.support.printing import Printed, Table, brief, csv_text, data_frame


@frozen
class Trial:
    """One strategy on a number of workers; times are in seconds."""

    strategy: Strategy
    workers: int
    tasks: int
    planning: float
    """The processor time until the first task can start, on one worker."""
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

    def to_pandas(self) -> Any:
        """Return the rows as a DataFrame of pandas, with the names of the CSV.

        Raises: ImportError, which says what to install.
        """
        return data_frame(self.to_rows())

    __repr__ = brief

    def parts(self) -> list[object]:
        """Return the parts to print: the search, the table, and the best strategy."""
        told = [r for r in self.rows if r.expected is not None]
        names = [c for c in COLUMNS if c != MEASURED or any(r.measured is not None for r in told)]
        cells = [names, *([COLUMNS[name](self, r) for name in names] for r in told)]
        beyond = self.workers > self.cores
        how = f"simulated from one of {self.cores} cores" if beyond else "simulated, then measured"
        about = f"{self.search} on {plural(self.workers, 'worker')}, {how}"
        slower = given_up([r for r in self.rows if r.expected is None])
        return [about, "", Table(cells, ruled=True), "", *slower, f"best: {self.best}"]


@frozen
class Tunings(Printed):
    """The strategies tried for one search on several numbers of workers, as one table."""

    each: tuple[Tuning, ...]
    """At least one."""

    def parts(self) -> list[object]:
        """Return the parts to print: as those of a `Tuning`, with columns for each number."""
        if len(self.each) == 1:
            return self.each[0].parts()
        first = self.each[0]
        by = [{repr(r.strategy): r for r in t.rows} for t in self.each]
        every = dict.fromkeys(name for rows in by for name in rows)
        told = [n for n in every if any(n in rows and rows[n].expected for rows in by)]
        head = ["strategy"]
        for t in self.each:
            head += [f"{t.workers} workers (s)", "speed-up"]
        cells = [head]
        for name in told:
            row = [name]
            for t, rows in zip(self.each, by, strict=True):
                r = rows.get(name)
                seconds, gain = (None, None) if r is None else (r.seconds, t.against_seq(r))
                row += [_number(".4f", seconds, "slower" if r else "-"), _number(".2f", gain)]
            cells.append(row)
        slower = given_up([rows[n] for n in every if n not in told for rows in by if n in rows])
        best = "; ".join(f"on {t.workers}: {t.best}" for t in self.each)
        about = f"{first.search}, simulated from one of {first.cores} cores"
        real = [
            f"on {plural(t.workers, 'worker')} measured: {', '.join(repr(r.strategy) for r in of)}"
            for t in self.each
            if (of := [r for r in t.rows if r.measured is not None])
        ]
        which = (
            [*wrap(f"{'; '.join(real)}; the other times are simulated", WIDTH), ""] if real else []
        )
        return [about, "", Table(cells, ruled=True), "", *which, *slower, f"best {best}"]


def given_up(rows: Sequence[Trial]) -> list[str]:
    """Return the lines that name the strategies whose simulation was given up."""
    if not rows:
        return []
    names = ", ".join(dict.fromkeys(repr(r.strategy) for r in rows))
    text = f"slower than the best before, so not simulated to the end: {names}"
    return [*wrap(text, WIDTH, break_on_hyphens=False), ""]


WIDTH = 88
"""The characters of a line below the table."""
MEASURED = "measured (s)"


def _number(form: str, value: float | None, none: str = "-") -> str:
    return none if value is None else format(value, form)


COLUMNS: dict[str, Callable[[Tuning, Trial], str]] = {
    "strategy": lambda t, r: repr(r.strategy),
    "tasks": lambda t, r: f"{r.tasks:,}",
    "nodes": lambda t, r: _number(",", r.nodes),
    "parallelism": lambda t, r: _number(".1f", r.parallelism),
    "planning (s)": lambda t, r: _number(".4f", r.planning),
    "simulated (s)": lambda t, r: _number(".4f", r.simulated),
    MEASURED: lambda t, r: _number(".4f", r.measured),
    "speed-up": lambda t, r: _number(".2f", t.against_seq(r)),
}
"""The columns of the table; the speed-up is against `seq`, the best sequential search."""
