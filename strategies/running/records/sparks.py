"""The ledger of sparks: what became of every branch that a strategy asked for in parallel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve, field, frozen

from games import Game
from graphs.arguments import path_of
from strategies.running.records.record import Record
from strategies.support.printing import Printed, Table
from strategies.support.tables import html_table

if TYPE_CHECKING:
    from strategies.running.records.rows import Row

Source = tuple[Sequence[Record], Game[Any, Any], Any]
"""The records of a run, its game and its position."""


@frozen
class Sparks(Printed):
    """The counts of sparks, in GHC's words.

    A spark is *converted* when its task started with an open window and searched, and *fizzled*
    when it started and found nothing to do.  A *dud* was known without a search, so it got no task.
    Some of the converted were *aborted*: stopped half-way when a sibling closed their window.
    Branches *inlined* below the grain are not attempts, nor are those *pruned* because the window
    was closed when their turn came.  `gcd` is None where the scheduler cannot cancel a task.
    `overflowed` is 0: a plan has room for all its sparks, or is refused.
    A spark is *opened* when the plan makes tasks of what it consists of, but none of itself: it is
    no attempt.  `asked` counts all sparks, as `explain` does, and GHC its calls of `par`.
    Of a cluster, `lost` counts the times that a worker was lost that had a spark, and `repeated`
    the sparks that were run again for that.  They are no attempts: each spark is counted once,
    however often it was run, and equal ledgers may differ in these two.

    Ensures: ``attempts == created + dud + overflowed`` and
    ``created == converted + fizzled + gcd + remaining``.
    """

    attempts: int = 0
    created: int = 0
    converted: int = 0
    fizzled: int = 0
    dud: int = 0
    overflowed: int = 0
    gcd: int | None = None
    remaining: int = 0
    inlined: int = 0
    pruned: int = 0
    aborted: int = 0
    opened: int = 0
    reasons: tuple[tuple[str, int], ...] = ()
    """Why sparks fizzled, and how many for each reason."""
    lost: int = field(default=0, eq=False, repr=False)
    repeated: int = field(default=0, eq=False, repr=False)
    _source: Source | None = field(default=None, eq=False, repr=False)

    @property
    def asked(self) -> int:
        """How many sparks were asked for, the opened ones too."""
        return self.attempts + self.opened

    def balanced(self) -> bool:
        """Tell whether the laws of conservation hold."""
        return (
            self.attempts == self.created + self.dud + self.overflowed
            and self.created == self.converted + self.fizzled + (self.gcd or 0) + self.remaining
            and self.fizzled == sum(n for _, n in self.reasons)
        )

    def records(self) -> tuple[Row, ...]:
        """Return every spark, and every dud, as a row: in order of time, of stable columns.

        Ensures: ``created + dud`` rows; the columns are the fields of `Row`.
        Cost: the rules are run again, interpreted, at each position above a spark.
        """
        from strategies.running.records.rows import rows_of

        if self._source is None:
            return ()
        return tuple(r for r in rows_of(*self._source) if r.role in ("spark", "dud"))

    def to_csv(self, path: str | Path | None = None) -> str:
        """Write `records` as CSV, the first line the names; to `path` whole or not at all."""
        from strategies.running.records.rows import to_csv

        return self._written(to_csv, path)

    def to_json(self, path: str | Path | None = None) -> str:
        """Write `records` as a JSON list of objects; to `path` whole or not at all."""
        from strategies.running.records.rows import to_json

        return self._written(to_json, path)

    def _written(self, form: Callable[[Iterable[Row]], str], path: str | Path | None) -> str:
        from strategies.support.files import write_whole

        text = form(self.records())
        if path is not None:
            write_whole(path_of("path", path), text)
        return text

    @property
    def line(self) -> str:
        """Return the counts as one line, in GHC's form."""
        gcd = "-" if self.gcd is None else self.gcd
        line = (
            f"SPARKS: {self.attempts} ({self.converted} converted, {self.overflowed} overflowed, "
            f"{self.dud} dud, {gcd} GC'd, {self.fizzled} fizzled)"
        )
        why = ", ".join(f"{n} {reason}" for reason, n in self.reasons)
        more = [f"fizzled: {why}"] if why else []
        more += [f"{self.opened} opened"] if self.opened else []
        more += [f"{self.inlined} inlined"] if self.inlined else []
        more += [f"{self.aborted} aborted"] if self.aborted else []
        more += [f"{self.pruned} branches pruned"] if self.pruned else []
        if self.lost:
            more.append(f"{self.lost} lost with a worker, {self.repeated} run again")
        return "; ".join([line, *more])

    @property
    def counts(self) -> dict[str, int | None]:
        """Return all counts by the names that the ledger prints; those of lost workers where there
        were any."""
        lost = {"lost": self.lost, "repeated": self.repeated} if self.lost else {}
        return {
            "attempts": self.attempts, "dud": self.dud, "overflowed": self.overflowed,
            "created": self.created, "converted": self.converted, "fizzled": self.fizzled,
            "GC'd": self.gcd, "remaining": self.remaining, "inlined": self.inlined,
            "pruned": self.pruned, "aborted": self.aborted, "opened": self.opened, **lost,
        }  # fmt: skip

    def _repr_html_(self) -> str:
        """Show the ledger in a notebook as a table of two rows."""
        return f"{html_table(self.counts, [self._texts])}<p>{escape(self.line)}</p>"

    @property
    def table(self) -> str:
        """Return all counts in two lines; empty where nothing was asked for in parallel."""
        return str(self._table) if self.asked else ""

    @property
    def _table(self) -> Table:
        return Table([[*self.counts], self._texts], ())

    @property
    def _texts(self) -> list[str]:
        return ["-" if n is None else f"{n:,}" for n in self.counts.values()]

    def parts(self) -> list[object]:
        """Return what is printed: the counts as one line, and those of any sparks as a table."""
        return [self.line, self._table] if self.asked else [self.line]


class Unbalanced(AssertionError):
    """A ledger that does not add up: a task was lost, or counted twice."""


def ledger(
    attempts: int, records: Iterable[Record], opened: int = 0, source: Source | None = None, *,
    known: int = 0, garbage: int | None = None,
) -> Sparks:  # fmt: skip
    """Fold the records of a run into its ledger.

    `opened` sparks leave no record, nor do duds that were `known` without a task, nor those that
    became `garbage`; `source` is where the ledger's rows come from.
    """
    outcomes = {"converted": 0, "fizzled": 0}
    reasons: dict[str, int] = {}
    inlined = pruned = aborted = 0
    duds = known
    for r in records:
        inlined += r.inlined
        pruned += r.pruned
        aborted += r.aborted
        if r.role == "dud":
            duds += 1
        elif r.role == "spark":
            outcomes[r.outcome] = outcomes.get(r.outcome, 0) + 1
            if r.outcome == "fizzled":
                reasons[r.reason] = reasons.get(r.reason, 0) + 1
    return Sparks(
        attempts=attempts,
        created=sum(outcomes.values()) + (garbage or 0),
        converted=outcomes["converted"],
        fizzled=outcomes["fizzled"],
        dud=duds,
        gcd=garbage,
        inlined=inlined,
        pruned=pruned,
        aborted=aborted,
        opened=opened,
        reasons=tuple(sorted(reasons.items())),
        source=source,
    )


def lost_and_repeated(sparks: Sparks, records: Iterable[Record]) -> Sparks:
    """Return the ledger of a run whose records tell what was lost with workers."""
    rows = tuple(records)
    times = [r.lost for r in rows if r.role == "spark" and r.lost]
    source = sparks._source and (rows, *sparks._source[1:])
    return evolve(sparks, lost=sum(times), repeated=len(times), source=source)


def audited(sparks: Sparks) -> Sparks:
    """Return the ledger of a finished run, if it adds up.

    Raises: Unbalanced, which says by how much it does not.
    """
    if sparks.balanced():
        return sparks
    account = (
        f"{sparks.attempts} asked for, {sparks.created} created, {sparks.dud} dud, "
        f"{sparks.overflowed} overflowed; {sparks.converted} converted, {sparks.fizzled} fizzled, "
        f"{sparks.gcd or 0} GC'd, {sparks.remaining} remaining"
    )
    raise Unbalanced(f"the sparks do not add up: {account}; please report this with the search")
