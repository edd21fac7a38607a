"""The ledger of sparks: what became of every branch that a strategy asked for in parallel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from attrs import frozen

from strategies.records import Record


@frozen
class Sparks:
    """Counts of sparks, in GHC's words.

    A spark is *converted* when its task started with an open window and searched, and *fizzled*
    when it started and found nothing to do.  A *dud* was known without a search, so it got no task.
    Some of the converted were *aborted*: stopped half-way when a sibling closed their window.
    Branches *inlined* below the grain are not attempts, nor are those *pruned* because the window
    was closed when their turn came.  `gcd` is None where the scheduler cannot cancel a task.

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
    reasons: tuple[tuple[str, int], ...] = ()
    """Why sparks fizzled, and how many for each reason."""

    def balanced(self) -> bool:
        """Whether the two laws of conservation hold."""
        return (
            self.attempts == self.created + self.dud + self.overflowed
            and self.created == self.converted + self.fizzled + (self.gcd or 0) + self.remaining
        )

    def __str__(self) -> str:
        gcd = "-" if self.gcd is None else self.gcd
        line = (
            f"SPARKS: {self.attempts} ({self.converted} converted, {self.overflowed} overflowed, "
            f"{self.dud} dud, {gcd} GC'd, {self.fizzled} fizzled)"
        )
        why = ", ".join(f"{n} {reason}" for reason, n in self.reasons)
        more = [f"fizzled: {why}"] if why else []
        more += [f"{self.inlined} inlined"] if self.inlined else []
        more += [f"{self.aborted} aborted"] if self.aborted else []
        more += [f"{self.pruned} branches pruned"] if self.pruned else []
        return "; ".join([line, *more])


def ledger(attempts: int, records: Iterable[Record]) -> Sparks:
    """The ledger of a run, as a fold over its records."""
    outcomes: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    duds = inlined = pruned = aborted = 0
    for r in records:
        inlined += r.inlined
        pruned += r.pruned
        aborted += r.aborted
        if r.role == "dud":
            duds += 1
        elif r.role == "spark":
            outcomes[r.outcome] += 1
            if r.reason:
                reasons[r.reason] += 1
    return Sparks(
        attempts=attempts,
        created=outcomes.total(),
        converted=outcomes["converted"],
        fizzled=outcomes["fizzled"],
        dud=duds,
        inlined=inlined,
        pruned=pruned,
        aborted=aborted,
        reasons=tuple(sorted(reasons.items())),
    )
