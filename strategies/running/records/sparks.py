"""The ledger of sparks: the outcome of every branch that a strategy sparked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import asdict, evolve, field, frozen

from graphs.arguments import path_of
from strategies.running.records.record import Record
from strategies.support.printing import Printed, Table, data_frame

if TYPE_CHECKING:
    from strategies.running.records.rows import Names, Row

Source = tuple[Sequence[Record], Callable[[], "Names"]]
"""The records of a run, and what makes the names of their places."""


@frozen
class Sparks(Printed):
    """The counts of sparks, in GHC's terms.

    A spark is *converted* if its task started with an open window and searched, and *fizzled* if it
    started but had nothing to search.  A *dud* was known without a search, so none was created; in
    a search, a task folds its value into that of the node.
    Converted sparks are also *aborted* if they were stopped half-way because a sibling closed their
    window.  Branches *inlined* below the grain are not attempts, nor are branches *pruned* because
    the window was closed when their turn came.  `gcd` is None if the scheduler cannot cancel tasks.
    `overflowed` is 0: a plan has room for all its sparks, or is refused.
    A spark is *opened* if the plan replaces it by the tasks that it consists of; it is not an
    attempt.  `asked` counts all sparks, as `explain` does, and as GHC counts calls of `par`.
    On a cluster, `lost` counts how often a spark was lost with its worker, and `repeated` the
    sparks that were run again for that reason.  They are not attempts: each spark is counted once,
    however often it was run, and equal ledgers may differ in these two counts.

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
    """The reasons why sparks fizzled, with their counts."""
    lost: int = field(default=0, eq=False, repr=False)
    repeated: int = field(default=0, eq=False, repr=False)
    _source: Source | None = field(default=None, eq=False, repr=False)

    @property
    def asked(self) -> int:
        """Return the number of sparks that the strategy made, including the opened ones."""
        return self.attempts + self.opened

    def of(self, records: Iterable[Record]) -> Sparks:
        """Return the same ledger with other records of the same tasks, such as moved times."""
        return evolve(self, source=self._source and (tuple(records), self._source[1]))

    def balanced(self) -> bool:
        """Return whether the counts add up."""
        return (
            self.attempts == self.created + self.dud + self.overflowed
            and self.created == self.converted + self.fizzled + (self.gcd or 0) + self.remaining
            and self.fizzled == sum(n for _, n in self.reasons)
        )

    def records(self) -> tuple[Row, ...]:
        """Return every spark and every dud as a row, in order of time.

        Ensures: ``created + dud`` rows; the columns are the fields of `Row`.
        Cost: for a search, the rules are run again, interpreted, at each position above a spark.
        """
        from strategies.running.records.rows import rows_of

        if self._source is None:
            return ()
        records, names = self._source
        return tuple(r for r in rows_of(records, names()) if r.role in ("spark", "dud"))

    def to_csv(self, path: str | Path | None = None) -> str:
        """Return `records` as CSV with a header line; write it to `path`, if given, atomically."""
        from strategies.running.records.rows import to_csv

        return self._written(to_csv, path)

    def to_pandas(self) -> Any:
        """Return `records` as a DataFrame of pandas, with the names of the CSV.

        Raises: ImportError, which says what to install.
        """
        return data_frame(r._asdict() for r in self.records())

    def to_json(self, path: str | Path | None = None) -> str:
        """Return `records` as a JSON list of objects; write it to `path`, if given, atomically."""
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
        """Return the counts as one line, in GHC's form; what GHC does not count is after it."""
        gcd = "-" if self.gcd is None else self.gcd
        line = (
            f"SPARKS: {self.attempts} ({self.converted} converted, {self.overflowed} overflowed, "
            f"{self.dud} dud, {gcd} GC'd, {self.fizzled} fizzled)"
        )
        why = ", ".join(f"{n:,} {reason}" for reason, n in self.reasons)
        more = [f"fizzled: {why}"] if why else []
        more += [f"{self.opened:,} opened"] if self.opened else []
        more += [f"{self.inlined:,} inlined"] if self.inlined else []
        more += [f"{self.aborted:,} aborted"] if self.aborted else []
        more += [f"{self.pruned:,} branch{'es' * (self.pruned > 1)} pruned"] if self.pruned else []
        if self.lost:
            more.append(f"{self.lost:,} lost with a worker, {self.repeated:,} run again")
        return "; ".join([line, *more])

    @property
    def counts(self) -> dict[str, int | None]:
        """Return all counts by name, including those of lost workers if there were any."""
        lost = {"lost": self.lost, "repeated": self.repeated} if self.lost else {}
        return {
            "attempts": self.attempts, "dud": self.dud, "overflowed": self.overflowed,
            "created": self.created, "converted": self.converted, "fizzled": self.fizzled,
            "GC'd": self.gcd, "remaining": self.remaining, "inlined": self.inlined,
            "pruned": self.pruned, "aborted": self.aborted, "opened": self.opened, **lost,
        }  # fmt: skip

    def summary(self) -> dict[str, Any]:
        """Return all counts as plain data for JSON, with the names used in Python."""
        counts = asdict(self, filter=lambda field, _: not field.name.startswith("_"))
        return {**counts, "reasons": dict(self.reasons)}

    @property
    def table(self) -> str:
        """Return all counts in two lines; empty if the strategy made no sparks."""
        return str(self._table) if self.asked else ""

    @property
    def _table(self) -> Table:
        return Table([[*self.counts], self._texts], ())

    @property
    def _texts(self) -> list[str]:
        return ["-" if n is None else f"{n:,}" for n in self.counts.values()]

    def parts(self) -> list[object]:
        """Return the parts to print: the counts as a line, and as a table if there were sparks."""
        return [self.line, self._table] if self.asked else [self.line]


class Unbalanced(AssertionError):
    """A ledger that does not add up: a task was lost, or counted twice."""


def ledger(
    attempts: int, records: Iterable[Record], opened: int = 0, source: Source | None = None, *,
    known: int = 0, garbage: int | None = None,
) -> Sparks:  # fmt: skip
    """Fold the records of a run into its ledger.

    Some sparks leave no record: `opened` ones, duds that were `known` without a task, and those
    that became `garbage`.  `source` is the origin of the ledger's rows.
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
    """Return a ledger with the counts of lost and repeated sparks from these records."""
    rows = tuple(records)
    times = [r.lost for r in rows if r.role == "spark" and r.lost]
    return evolve(sparks.of(rows), lost=sum(times), repeated=len(times))


def audited(sparks: Sparks) -> Sparks:
    """Return the ledger of a finished run, if it adds up.

    Raises: Unbalanced, with the counts, if it does not.
    """
    if sparks.balanced():
        return sparks
    account = (
        f"{sparks.attempts} attempts, {sparks.created} created, {sparks.dud} dud, "
        f"{sparks.overflowed} overflowed; {sparks.converted} converted, {sparks.fizzled} fizzled, "
        f"{sparks.gcd or 0} GC'd, {sparks.remaining} remaining"
    )
    raise Unbalanced(f"the sparks do not add up: {account}; please report this as a bug")
