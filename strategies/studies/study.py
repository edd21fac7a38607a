"""The result of a study: its rows as a spark table, in text, JSON, CSV and HTML."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from attrs import asdict, field, fields, frozen

from graphs.errors import ArgumentError, JamboreeError, printable
from graphs.json_text import json_in
from strategies.insight.analysis.diagnosis.facts import BUSY, SHORTEST
from strategies.running.records.wording import game_text
from strategies.studies.compare import compare
from strategies.studies.rows import Row, in_seconds, verdict
from strategies.support.printing import (
    Note,
    Printed,
    Table,
    brief,
    csv_text,
    data_frame,
    latex,
    markdown,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from strategies.insight.pictures.picture import Picture


class NotAStudy(JamboreeError, ValueError):
    """The text is not a study."""


@frozen
class Study(Printed):
    """The result of a study: `print` it, or use its rows."""

    game: str
    algorithm: str
    state: str
    """The position: "start", or as the game labels it; of a set, the number of positions."""
    engine: str
    cores: int
    repeat: int
    games: int
    """The number of whole games; 0 if one position was searched."""
    moves: int
    """The most moves of each game that were searched; 0 for all."""
    against: str
    """Minnie's player in whole games: "search", or "random"."""
    seed: int
    found: str
    """The answer of all searches."""
    rows: tuple[Row, ...] = field(repr=False)
    complete: bool = True
    """False if the study was interrupted, so that rows or runs are missing."""
    refused: tuple[str, ...] = field(default=(), repr=False)
    """The searches that were refused, each with the reason."""
    steps: tuple[int, int] = field(default=(1, 1), repr=False)
    """The number of runs that are done, and of all runs."""
    name: str = field(default="", repr=False)
    """The name of the position in a set."""
    positions: tuple[Study, ...] = field(default=(), repr=False)
    """The studies of the positions of a set, as far as they are measured; the rows of the set are
    over all of them that are complete."""

    def to_json(self, before: Study | None = None) -> str:
        """Return one JSON object: `schema`, the parameters of the study, and its `rows`.

        Ensures: with a study from `before`, also `changes`, the result of `compare`.
        Raises: ValueError, one line, if that study is of another search.
        """
        data = {"schema": SCHEMA, **self._data()}
        if before is not None:
            data["changes"] = compare(before, self).data()
        return json.dumps(data, indent=2)

    def _data(self) -> dict[str, Any]:
        data = asdict(self, recurse=False)
        del data["steps"]
        data["rows"] = [_plain(r) for r in self.rows]
        data["positions"] = [study._data() for study in self.positions]
        return data

    @classmethod
    def from_json(cls, text: str) -> Study:
        """Read a study that `to_json` wrote.

        Ensures: the study has the same rows, and computes everything else from them again; it does
        not keep the changes against another study.
        Raises: NotAStudy, one line, for any other text.
        """
        try:
            data = json_in(text)
            if data.pop("schema") != SCHEMA:
                raise NotAStudy(f"the study has another format than schema {SCHEMA}")
            data.pop("changes", None)
            read = cls._read(data)
            str(read)  # so that wrong types fail here, not when the table is printed
            if any(printable(text) != text for text in read._texts()):
                raise NotAStudy("the study has control characters in its texts")
            return read
        except (ValueError, TypeError, KeyError, AttributeError, ArithmeticError) as error:
            if isinstance(error, NotAStudy):
                raise
            raise NotAStudy("the text is not a study in JSON, as written by to_json") from None

    @classmethod
    def _read(cls, data: dict[str, Any]) -> Study:
        refused = tuple(str(why) for why in data.pop("refused", ()))
        names = {f.name for f in fields(Row)}
        rows = tuple(
            Row(**{n: v for n, v in row.items() if n in names} | {"runs": tuple(row["runs"])})
            for row in data.pop("rows")
        )
        positions = tuple(map(cls._read, data.pop("positions", ())))
        return cls(**data, rows=rows, refused=refused, positions=positions)

    def _texts(self) -> Iterator[str]:
        """Yield all texts of the study, of its rows and of its positions."""
        parts: tuple[Study | Row, ...] = (self, *self.rows)
        for part in parts:
            yield from (x for x in asdict(part, recurse=False).values() if isinstance(x, str))
        for study in self.positions:
            yield from study._texts()

    def to_markdown(self) -> str:
        """Write the table in Markdown."""
        return markdown(self.cells()) + "\n"

    def to_latex(self) -> str:
        """Write the table as a `tabular` of LaTeX, with the rules of the package booktabs."""
        return latex(self.cells()) + "\n"

    def cells(self) -> list[list[str]]:
        """Return the table as texts, with a header row."""
        columns = self.columns()
        return [[c.head for c in columns], *([c.text(r) for c in columns] for r in self.rows)]

    def to_csv(self) -> str:
        """Return the rows as CSV, with a header line and without the single runs."""
        names = [n for n in _NAMES if n != "runs"]
        return csv_text(names, ([getattr(r, n) for n in names] for r in self.rows))

    def to_pandas(self) -> Any:
        """Return the rows as a DataFrame of pandas, with the names of the CSV.

        Raises: ImportError, which says what to install.
        """
        names = [n for n in _NAMES if n != "runs"]
        return data_frame({n: getattr(r, n) for n in names} for r in self.rows)

    __repr__ = brief

    def parts(self) -> list[object]:
        """Return the parts to print: the parameters, the table, and its explanation."""
        return [*self.head(), "", Table(self.cells(), ruled=True), "", *self.foot()]

    def columns(self) -> list[Column]:
        """Return the columns of the table; depth and origin if they vary, the interval if there
        are several runs, moves if searches had several.  Those of a set are about the set."""
        varied = {n for n in ("depth", "how") if len({getattr(r, n) for r in self.rows}) > 1}
        if any(len(r.runs) > 1 for r in self.rows):
            varied |= {"interval", "gain"}
        if any(r.gcd is not None for r in self.rows):
            varied.add("gcd")
        if any(r.share is not None for r in self.rows) and not self.busy:
            varied.add("share")
        if self.positions:
            varied |= {"mean", *(SOLUTION if any(r.stated for r in self.rows) else ())}
            return [c for c in COLUMNS if c.name in varied or c.name in OF_SETS]
        if any(r.moves != 1 for r in self.rows):
            varied |= {"moves", "seconds_a_move"}
        return [c for c in COLUMNS if c.name not in VARIED or c.name in varied]

    def foot(self) -> list[Note]:
        """Return the explanation of the columns, and the verdict, as paragraphs."""
        serial = any(r.kernels is not None and r.kernels <= 1 for r in self.rows)
        simulated = any(r.how == "simulated" for r in self.rows)
        short = any(r.short for r in self.rows)
        means = [
            f"{c.head.removesuffix(' (s)')}: {c.meaning}"
            for c in self.columns() if c.name in EXPLAINED
        ]  # fmt: skip
        said = [
            "; ".join(means),
            SHORT if short else "",
            SERIAL if serial else "",
            VIRTUAL if simulated else "",
            f"busy: {self.busy}" if self.busy else "",
            *(f"refused: {why}" for why in self.refused),
            f"verdict: {self.verdict}" if self.verdict else "",
        ]
        return [Note(wrap(text, WIDTH)) for text in said if text]

    @property
    def busy(self) -> str:
        """Return that `seq` had no processor at times, and for how long; empty if it had one.

        Machine code waits for nothing, so other programs had the processor; Python code may wait.
        """
        alone = [r.on_processor for r in self.rows if r.strategy == "seq" and r.seconds >= SHORTEST]
        if not alone or min(alone) >= BUSY:
            return ""
        why, then = "other programs took the rest", ""
        if not self.engine.startswith("native"):
            why, then = "it waited for something, or other programs took the rest", "if they did, "
        return (
            f"seq had a processor for {min(alone):.0%} of its time: {why}; {then}times and "
            "speed-ups say little, and no share is given"
        )

    @property
    def verdict(self) -> str:
        """Return what the rows say about splitting, with the figures; empty if they say nothing.

        On a busy machine only simulated rows say something.
        """
        rows = (row for row in self.rows if row.how == "simulated" or not self.busy)
        return verdict(tuple(rows))

    def head(self) -> list[str]:
        """Return the parameters of the study, in words."""
        what = f"the position {self.state}" if self.state != "start" else "the start position"
        if self.positions:
            ended = sum(p.complete for p in self.positions)
            what = self.state if self.complete else f"{self.state}, {ended} of them finished"
        if self.games:
            what = f"{self.games} whole games" if self.games > 1 else "a whole game"
            if self.moves:
                what = f"the first {self.moves} moves of " + what.replace("a whole", "a")
            rival = " against a random player" if self.against == "random" else ""
            what += f"{rival}, seed {self.seed}"
        done = "" if self.complete else "; interrupted, so some runs are missing"
        times = f"the median of {self.repeat} runs" if self.repeat > 1 else "of one run"
        return [
            f"{game_text(self.game, 90)}, {self.algorithm}: {what}",
            f"every search found: {self.found}" if self.rows else "no search has ended yet",
            f"rules {self.engine}, {self.cores} cores; times are {times}, after a warm-up{done}",
        ]

    def draw(self, what: str = "time", by: str = "workers") -> Picture:
        """Draw the "time" or the "speedup" at the greatest depth: by "workers", by the "plies" in
        which strategies spark, or by the "leaves" that they visit.

        Raises: ValueError for other plots, for speed-ups if `seq` was not measured, and for plies
        if no strategy sparks in a fixed number of plies.
        """
        from strategies.studies.plot import plot

        return plot(self.rows, self.game, what, by)

    def plot(self, what: str = "time", ax: Axes | None = None, by: str = "workers") -> Axes:
        """Plot the same as `draw` with Matplotlib, into `ax` or new axes.

        Requires: Matplotlib.
        Returns: the axes; ``.figure.savefig("study.pdf")`` writes them.
        Raises: ValueError as `draw`; ImportError, with what to install.
        """
        from strategies.studies.plot import lines_of, plot_lines

        return plot_lines(lines_of(self.rows, what, by), ax)

    def report(self, path: str | Path, before: Study | None = None) -> Path:
        """Write an HTML page about the study, with pictures and tables.

        Requires: the study has rows.
        Ensures: with a study from `before`, the page starts with the changes since then.
        Returns: the path.
        Raises: ValueError, one line, if that study is of another search; OSError if the page cannot
        be written, and then an existing file is left unchanged.
        """
        if not self.rows:
            raise ArgumentError("there is nothing to report: the study has no measurements yet")
        from strategies.insight.report.document import write_page
        from strategies.studies.report import study_page

        changes = None if before is None else compare(before, self)
        return write_page(path, lambda: study_page(self, changes))


@frozen
class Column:
    """One column of the table: a field of rows, and its format."""

    head: str
    name: str
    form: str = ","
    meaning: str = ""

    def text(self, row: Row) -> str:
        """Return the cell of a row; ``-`` if it has no value."""
        value = getattr(row, self.name)
        short = {"speedup": row.short, "solution_speedup": row.solution_short}
        if value is not None and short.get(self.name):
            return "short"
        if value is None:
            return "short" if self.name in CLEAR and getattr(row, CLEAR[self.name]) else "-"
        if isinstance(value, tuple):
            if self.name == "gain" and row.short:
                return "-"
            return " to ".join(map(self._number, value)) if len(row.runs) > 1 else "-"
        return str(value) if isinstance(value, str) else self._number(value)

    def _number(self, value: float) -> str:
        return in_seconds(value) if self.form == "s" else format(value, self.form)


COLUMNS = (
    Column("strategy", "strategy"),
    Column("depth", "depth"),
    Column("workers", "workers"),
    Column("how", "how", meaning="measured on this machine, or simulated on virtual workers"),
    Column("time (s)", "seconds", "s", "the median of the runs, from the call to the answer"),
    Column("interval (s)", "interval", "s", "two of the runs, between which their median lies"),
    Column("CPU (s)", "cpu", "s", "processor seconds in tasks"),
    Column("moves", "moves", meaning="the number of moves that were searched"),
    Column("s/move", "seconds_a_move", ".5f", "seconds per move"),
    Column("leaves", "leaves", meaning="positions evaluated"),
    Column("nodes", "nodes", meaning="positions visited"),
    Column("created", "created", meaning="sparks with a task"),
    Column("converted", "converted", meaning="sparks that searched"),
    Column("GC'd", "gcd", meaning="sparks cancelled before their task started"),
    Column("fizzled", "fizzled", meaning="sparks that had nothing left to search"),
    Column("speed-up", "speedup", ".2f", "against seq, the best sequential search"),
    Column("between", "gain", ".2f", "where it may lie by the intervals of both times"),
    Column("mean", "mean", ".2f",
           "the geometric mean of the positions' speed-ups, where seq took 20 ms or more"),
    Column("kernels", "kernels", ".2f",
           "the speed-up of independent searches, one per worker, in the same minutes"),
    Column("share", "share", ".0%", "speed-up / kernels, where both are clear"),
    Column("solved", "solved_of",
           meaning="the positions at which the search ended with the stated solution"),
    Column("solution (s)", "solution", "s", "the time until a search has the solution and keeps "
           "it, in total; its speed-up and mean: as those of the whole time"),
    Column("its speed-up", "solution_speedup", ".2f"),
    Column("its mean", "solution_mean", ".2f"),
)  # fmt: skip
EXPLAINED = "cpu", "speedup", "gain", "mean", "kernels", "share", "solved_of", "solution"
"""The columns whose meanings are below the table."""
SOLUTION = "solved_of", "solution", "solution_speedup", "solution_mean"
VARIED = (
    "depth", "how", "interval", "moves", "seconds_a_move", "gcd", "gain", "share", "mean",
    *SOLUTION,
)  # fmt: skip
"""The columns that are left out if they say nothing new."""
OF_SETS = "strategy", "workers", "seconds", "nodes", "speedup", "kernels"
"""The columns that every set has."""
CLEAR = {"mean": "moves", "solution_mean": "solved"}
"""The means that are left out if `seq` was too short at all positions, of which there are some."""
SCHEMA = 1
"""The version of the format of `to_json`: it grows when a name goes or changes its meaning."""
WIDTH = 88
"""The characters of a line below the table."""
SHORT = (
    "short: the search or seq took less than 20 ms, so that one time slice of another program "
    "decides; such a speed-up says nothing about the strategy"
)
SERIAL = (
    "kernels of 1 or less: independent searches gained nothing from more workers, because of "
    "Python's lock or other programs; a share of that says nothing about the strategy"
)
VIRTUAL = (
    "simulated: the tasks ran one at a time, scheduled on more workers than this machine has: a "
    "prediction in processor time, compared with the processor time of seq"
)
_NAMES = [
    "algorithm", "depth", "strategy", "template", "p", "plies", "workers", "how", "seconds", "runs",
    "moves", "seconds_a_move", "leaves", "nodes", "tasks", "created", "converted", "gcd", "fizzled",
    "pruned", "work", "span", "cpu", "speedup", "speedup_low", "speedup_high", "kernels", "share",
    "low", "high", "mean", "clear", "solved", "solution", "solution_speedup", "solution_mean",
    "solution_clear", "stated",
]  # fmt: skip


def _plain(row: Row) -> dict[str, Any]:
    return {name: getattr(row, name) for name in _NAMES}
