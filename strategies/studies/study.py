"""Tabulates a study: its rows as a spark table, in text, JSON, CSV and HTML."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import asdict, field, fields, frozen

from graphs.errors import ArgumentError, JamboreeError
from strategies.running.records.wording import shortened
from strategies.studies.compare import compare
from strategies.studies.forms import in_seconds, latex, markdown
from strategies.studies.rows import Row
from strategies.support.brief import brief
from strategies.support.printing import Printed, Table
from strategies.support.tables import csv_text, html_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from strategies.insight.pictures.picture import Picture


class NotAStudy(JamboreeError, ValueError):
    """A text that is no study: the message says so in one line."""


@frozen
class Study(Printed):
    """What a study found: `print` it, or take its rows."""

    game: str
    algorithm: str
    state: str
    """The position, as the game labels it."""
    engine: str
    cores: int
    repeat: int
    games: int
    """How many whole games were played; 0: one position was searched."""
    moves: int
    """How many moves of each game were searched for at most; 0: all."""
    against: str
    """Whether Minnie searched in whole games too, or moved at "random"."""
    seed: int
    found: str
    """What all the searches found."""
    rows: tuple[Row, ...] = field(repr=False)
    complete: bool = True
    """False where the study was interrupted: there are fewer rows or fewer runs."""
    steps: tuple[int, int] = field(default=(1, 1), repr=False)
    """How many runs are done, and how many there will be."""

    def to_json(self, before: Study | None = None) -> str:
        """Write one object: `schema`, what was studied, and `rows`, an object each.

        Ensures: with a study from `before`, also `changes`: what `compare` finds.
        Raises: ValueError, one line, if that is of another search.
        """
        data = {"schema": SCHEMA, **asdict(self)}
        del data["steps"]
        data["rows"] = [_plain(r) for r in self.rows]
        if before is not None:
            data["changes"] = compare(before, self).data()
        return json.dumps(data, indent=2)

    @classmethod
    def from_json(cls, text: str) -> Study:
        """Read a study that `to_json` wrote.

        Ensures: the study has the same rows, and what is computed from them is computed anew;
        what it was compared with is forgotten.
        Raises: NotAStudy, one line, for any other text.
        """
        try:
            data = json.loads(text)
            if data.pop("schema") != SCHEMA:
                raise NotAStudy(f"the study is of another form than schema {SCHEMA}")
            data.pop("changes", None)
            names = {f.name for f in fields(Row)}
            rows = tuple(
                Row(**{n: v for n, v in row.items() if n in names} | {"runs": tuple(row["runs"])})
                for row in data.pop("rows")
            )
            read = cls(**data, rows=rows)
            str(read)  # a word where a number belongs fails here, not when the table is printed
            return read
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            if isinstance(error, NotAStudy):
                raise
            raise NotAStudy("the text is no study that was written as JSON") from None

    def to_markdown(self) -> str:
        """Write the table in Markdown."""
        return markdown(self.cells()) + "\n"

    def to_latex(self) -> str:
        """Write the table as a `tabular` of LaTeX, with the rules of the package booktabs."""
        return latex(self.cells()) + "\n"

    def cells(self) -> list[list[str]]:
        """The table as texts: a row of heads, then a row each."""
        columns = self.columns()
        return [[c.head for c in columns], *([c.text(r) for c in columns] for r in self.rows)]

    def to_csv(self) -> str:
        """A line of names, then a line a row; the runs are left out."""
        names = [n for n in _NAMES if n != "runs"]
        return csv_text(names, ([getattr(r, n) for n in names] for r in self.rows))

    __repr__ = brief

    def parts(self) -> list[object]:
        """Return what is printed: what was studied, the table, and what its columns mean."""
        return [*self.head(), "", Table(self.cells(), ruled=True), "", *self.foot()]

    def columns(self) -> list[Column]:
        """The columns of the table: depth, origin and interval only where there are several."""
        varied = {n for n in ("depth", "how") if len({getattr(r, n) for r in self.rows}) > 1}
        if any(len(r.runs) > 1 for r in self.rows):
            varied.add("interval")
        return [c for c in COLUMNS if c.name not in VARIED or c.name in varied]

    def foot(self) -> list[str]:
        """What the columns mean."""
        serial = any(r.kernels is not None and r.kernels <= 1 for r in self.rows)
        simulated = any(r.how == "simulated" for r in self.rows)
        short = any(r.short for r in self.rows)
        return [
            *FOOT,
            *(SHORT if short else ()),
            *(SERIAL if serial else ()),
            *(VIRTUAL if simulated else ()),
        ]

    def head(self) -> list[str]:
        """What was studied, in words."""
        what = f"the position {self.state}"
        if self.games:
            what = f"{self.games} whole games" if self.games > 1 else "a whole game"
            if self.moves:
                what = f"the first {self.moves} moves of " + what.replace("a whole", "a")
            rival = " against a random player" if self.against == "random" else ""
            what += f"{rival}, seed {self.seed}"
        done = "" if self.complete else "; interrupted, so some runs are missing"
        times = f"the median of {self.repeat} runs" if self.repeat > 1 else "of one run"
        return [
            f"{shortened(self.game, 90)}, {self.algorithm}: {what}",
            f"every search found: {self.found}",
            f"rules {self.engine}, {self.cores} cores; times are {times}, after a warm-up{done}",
        ]

    def draw(self, what: str = "time") -> Picture:
        """Draw the "time" or the "speedup" against workers, log to log, at the greatest depth.

        Raises: ValueError for anything else, and for speed-ups where `seq` was not measured.
        """
        from strategies.studies.plot import plot

        return plot(self.rows, self.game, what)

    def plot(self, what: str = "time", ax: Axes | None = None) -> Axes:
        """Plot the same as `draw` by Matplotlib, into `ax` or new axes, for a paper or a notebook.

        Requires: Matplotlib.
        Returns: the axes; ``.figure.savefig("study.pdf")`` writes them.
        Raises: ValueError as `draw`; ImportError, saying what to install.
        """
        from strategies.studies.figure import plot_lines
        from strategies.studies.lines import lines_of

        return plot_lines(lines_of(self.rows, what), ax)

    def report(self, path: str | Path, before: Study | None = None) -> Path:
        """Write one page about the study, to be opened in a browser: pictures, tables with bars.

        Requires: rows.
        Ensures: with a study from `before`, the page begins with what has changed since.
        Returns: the path.
        Raises: ValueError, one line, if that is of another search; OSError if the page cannot be
        written; there is then no file, or the one from before.
        """
        if not self.rows:
            raise ArgumentError("there is nothing to report: the study has measured nothing yet")
        from strategies.insight.report.document import write_page
        from strategies.studies.report import study_page

        changes = None if before is None else compare(before, self)
        return write_page(path, lambda: study_page(self, changes))

    def _repr_html_(self) -> str:
        about = "".join(f"<p>{escape(line)}</p>" for line in self.head())
        head, *rows = self.cells()
        return about + html_table(head, rows)


@frozen
class Column:
    """One column of the table: a row's field, and how it is written."""

    head: str
    name: str
    form: str = ","

    def text(self, row: Row) -> str:
        """What stands in this column for a row; ``-`` where there is nothing to say."""
        value = getattr(row, self.name)
        if row.short and value is not None and self.name in ("speedup", "share"):
            return "short"
        if value is None:
            return "-"
        if isinstance(value, tuple):
            return " to ".join(map(self._number, value)) if len(row.runs) > 1 else "-"
        return str(value) if isinstance(value, str) else self._number(value)

    def _number(self, value: float) -> str:
        return in_seconds(value) if self.form == "s" else format(value, self.form)


COLUMNS = (
    Column("strategy", "strategy"),
    Column("depth", "depth"),
    Column("workers", "workers"),
    Column("how", "how"),
    Column("time (s)", "seconds", "s"),
    Column("interval (s)", "interval", "s"),
    Column("moves", "moves"),
    Column("s/move", "seconds_a_move", ".5f"),
    Column("leaves", "leaves"),
    Column("nodes", "nodes"),
    Column("created", "created"),
    Column("converted", "converted"),
    Column("GC'd", "gcd"),
    Column("fizzled", "fizzled"),
    Column("speed-up", "speedup", ".2f"),
    Column("kernels", "kernels", ".2f"),
    Column("share", "share", ".0%"),
)
VARIED = ("depth", "how", "interval")
"""Columns that are left out where they say nothing."""
SCHEMA = 1
"""The version of the form of `to_json`: it grows when a name goes or means something else."""
FOOT = (
    "speed-up: against seq, the best sequential search; kernels: how many times as much got done "
    "when",
    "each worker ran a search of its own in the same minutes; share: speed-up / kernels.",
)
SHORT = (
    "short: it or seq took less than 20 ms, where one time slice of another program decides; such",
    "a speed-up says nothing of the strategy.",
)
SERIAL = (
    "kernels of 1 or less: more workers got no more done, as Python's lock or other programs held",
    "them up; a share of that says nothing of the strategy.",
)
VIRTUAL = (
    "simulated: the tasks ran one at a time, put in order on more workers than this machine has;",
    "a prediction.",
)
_NAMES = [
    "algorithm", "depth", "strategy", "template", "p", "plies", "workers", "how", "seconds", "runs",
    "moves", "seconds_a_move", "leaves", "nodes", "tasks", "created", "converted", "gcd", "fizzled",
    "pruned", "work", "span", "speedup", "kernels", "share", "low", "high",
]  # fmt: skip


def _plain(row: Row) -> dict[str, Any]:
    return {name: getattr(row, name) for name in _NAMES}
