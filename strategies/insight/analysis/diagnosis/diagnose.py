"""Diagnosing a run: all faults looked for, the costliest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from attrs import evolve, frozen

from strategies.algebra.drivers import Driver
from strategies.insight.analysis.diagnosis.facts import Facts
from strategies.insight.analysis.diagnosis.faults import FAULTS, OF_DRIVERS, Finding
from strategies.insight.analysis.diagnosis.thresholds import SHORTEST
from strategies.running.records.run import Run
from strategies.running.records.wording import seconds as told
from strategies.support.brief import brief


@frozen
class Diagnosis:
    """What was found, the costliest first; false when there is nothing to say."""

    findings: tuple[Finding, ...] = ()
    none: str = "nothing to mend was found"
    """What is said where there are no findings."""

    def __bool__(self) -> bool:
        return bool(self.findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    __repr__ = brief

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings)) or self.none

    def _repr_html_(self) -> str:
        """How a notebook shows it."""
        rows = "".join(
            f"<li><b>{escape(f.name)}</b>: {escape(f.says)} <i>{escape(f.advice)}</i></li>"
            for f in self.findings
        )
        return f"<ul>{rows}</ul>" if rows else f"<p>{self}</p>"


def diagnose(result: Run, sequential: Run | None = None) -> Diagnosis:
    """What kept a run from being faster, with numbers, and what to try.

    Of a run without sparks, or one shorter than `thresholds.SHORTEST` seconds, nothing is said; of
    the threads of a driver, whether they are slower than `sequential`.
    With `sequential`, the result of the same search under `seq`, nodes that it never visits and
    time lost against it are found too.

    Requires: `result` is of a run, real or simulated; times of `sequential` are of the same kind.
    Cost: the plan is made again; linear in the tasks.
    Source: the faults are those of the ThreadScope tour; the thresholds are in
    `strategies.insight.analysis.diagnosis.thresholds`, each with its reason.

    >>> from games import HANDOUT_SMALL
    >>> from strategies import alphabeta, search
    >>> print(diagnose(search(HANDOUT_SMALL, alphabeta(depth=2)).compute()))
    nothing to mend was found
    """
    if not (result.sparks.attempts or isinstance(result.using, Driver)):
        return Diagnosis()
    return diagnosed(Facts.of(result, sequential))


def diagnosed(facts: Facts) -> Diagnosis:
    """What the facts of a run say: see `diagnose`."""
    faults = OF_DRIVERS if isinstance(facts.result.using, Driver) else FAULTS
    if faults is FAULTS and not facts.run.sparks:
        return Diagnosis()
    if facts.seconds < SHORTEST:
        least = told(SHORTEST)
        return Diagnosis(none=f"a run of less than {least} is too short to say what to mend")
    found = [finding for fault in faults if (finding := fault(facts))]
    return Diagnosis(agreeing(sorted(found, key=lambda x: -x.lost)))


def agreeing(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings with advice that pulls one way: that of the costliest.

    Requires: the costliest come first.

    >>> few = Finding("too few sparks", "4 sparks.", "Spark deeper.", 0.5, pull=1)
    >>> small = Finding("sparks too small", "1 ms each.", "Spark one ply less.", 0.2, pull=-1)
    >>> for finding in agreeing([few, small]):
    ...     print(finding)
    too few sparks: 4 sparks. Spark deeper.
    sparks too small: 1 ms each. Its cure is the opposite: mend the costlier fault, and look again.
    """
    way = next((f.pull for f in findings if f.pull), 0)
    return tuple(
        evolve(f, advice=f.instead or OPPOSITE) if f.pull * way < 0 else f for f in findings
    )


OPPOSITE = "Its cure is the opposite: mend the costlier fault, and look again."
