"""Diagnose a run: look for every fault, and list the costliest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, Final

from attrs import evolve, frozen

from graphs.arguments import check_kind
from strategies.algebra.drivers import Driver
from strategies.algebra.strategy import seq
from strategies.insight.analysis.diagnosis.facts import BUSY, IDLE, SHORTEST, Facts
from strategies.insight.analysis.diagnosis.faults import (
    FAULTS,
    OF_DRIVERS,
    Finding,
    busy,
    interpreted,
    lost,
    may_wait,
    stale,
    unsparked,
)
from strategies.insight.analysis.utilisation import wall
from strategies.running.records.search_run import SearchRun
from strategies.running.records.wording import seconds
from strategies.support.printing import brief


@frozen
class Diagnosis:
    """The faults of a run, the costliest first; false if there are none."""

    findings: tuple[Finding, ...] = ()
    none: str = "no fault was found"
    """The text to show when there are no findings."""

    def __bool__(self) -> bool:
        return bool(self.findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    __repr__ = brief

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings)) or self.none

    def _repr_html_(self) -> str:
        """Return the HTML that notebooks and reports show."""
        rows = "".join(
            f"<li><b>{escape(f.name)}</b>: {escape(f.says)} <i>{escape(f.advice)}</i></li>"
            for f in self.findings
        )
        if not rows:
            return f'<p class="sound">{escape(str(self).capitalize())}.</p>'
        return f'<ul class="findings">{rows}</ul>'


def diagnose(result: SearchRun, sequential: SearchRun | None = None) -> Diagnosis:
    """Return what kept a run from being faster, with numbers, and what to try.

    Workers of a cluster that were lost come first, then a busy machine: if tasks had to wait for a
    processor, the others rest on counts and on processor time.  Else the diagnosis is empty for
    `seq`, and for a run shorter than `facts.SHORTEST` seconds.
    For the threads of a driver it says only whether they are slower than `sequential`.
    `sequential` is the result of the same search under `seq`: with it, the diagnosis also covers
    nodes that the sequential search never visits, and time lost against it; if that took less than
    `facts.SHORTEST`, no more sparks are advised.

    Requires: `result` is of a run, real or simulated; `sequential` was timed in the same way.
    Cost: the plan is made again, with those of other strategies if workers were idle; linear in the
    tasks.
    Source: the faults are those of the ThreadScope tour; the thresholds are in
    `strategies.insight.analysis.diagnosis.facts`, each with its reason.

    >>> from games import HANDOUT_SMALL
    >>> from strategies import alphabeta, search
    >>> print(diagnose(search(HANDOUT_SMALL, alphabeta(depth=2)).compute()))
    no fault was found
    """
    if sequential is not None:
        check_kind(SearchRun, "the result of the same search under seq", sequential=sequential)
    if not result.sparks.attempts and (result.using in (None, seq) or not result.records):
        return Diagnosis(lost(result))
    return diagnosed(Facts.of(result, sequential))


def diagnosed(facts: Facts) -> Diagnosis:
    """Return the diagnosis for the facts of a run: see `diagnose`."""
    faults = OF_DRIVERS if isinstance(facts.result.using, Driver) else FAULTS
    if faults is FAULTS and not facts.run.sparks and not facts.ends:
        none = unsparked(facts)
        return Diagnosis((*lost(facts.result), *([none] if none else [])))
    if facts.seconds < SHORTEST:
        return Diagnosis(
            lost(facts.result),
            none=f"a run of less than {seconds(SHORTEST)} is too short to diagnose",
        )
    first = lost(facts.result)
    if facts.on_processor < BUSY and not interpreted(facts):
        quiet = None if may_wait(facts) else facts.when_quiet()
        first = (*first, busy(facts, quiet))
        if quiet is None and not may_wait(facts):  # its tasks are not known: only counts are left
            faults = (stale,)
        facts = quiet or facts
    found = [finding for fault in faults if (finding := fault(facts))]
    if facts.sequential is not None and wall(facts.sequential) < SHORTEST:
        found = [finding for finding in found if finding.pull <= 0]  # more sparks would not help
    costliest = agreeing(sorted(found, key=lambda x: -x.lost))
    return Diagnosis((*first, *_told_once(costliest)))


def _told_once(findings: Sequence[Finding]) -> Iterator[Finding]:
    """Yield the findings; a run that is slower for a reason among them is not to be given up."""
    for f in findings:
        others = len(findings) > 1 and f.name == "slower than sequential"
        yield evolve(f, advice=f.instead) if others else f


def agreeing(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings with advice that pulls one way, that of the costliest finding.

    Requires: the costliest finding comes first.

    >>> few = Finding("too few sparks", "4 sparks.", "Spark deeper.", 0.5, pull=1)
    >>> small = Finding("sparks too small", "1 ms each.", "Spark one ply less.", 0.2, pull=-1)
    >>> for finding in agreeing([few, small]):
    ...     print(finding)
    too few sparks: 4 sparks. Spark deeper.
    sparks too small: 1 ms each. Fix the costlier fault first: the remedy for this one undoes it.
    """
    way = next((f.pull for f in findings if f.pull), 0)
    return tuple(
        evolve(f, advice=f.instead or OPPOSITE) if f.pull * way < 0 else f for f in findings
    )


OPPOSITE = "Fix the costlier fault first: the remedy for this one undoes it."


FEW: Final = 30
"""Simulations per move. With fewer, noise hides which move is better: the standard error of the
mean of so many results of 1 and -1 is almost 0.2."""
LONG: Final = 1_000
"""Random plies per simulation. With more, the game's estimate would say more in the same time."""


def diagnose_sampling(result: Any) -> Diagnosis:
    """Return what to change about a Monte Carlo search, with numbers.

    Full memory, too few simulations for the moves, plays that are long, and workers that wait.
    Nothing is said of a position that is proven.

    >>> from games import TicTacToe
    >>> from strategies import mcts, search
    >>> print(search(TicTacToe(), mcts(90)).compute().diagnosis())
    too few simulations: 90 for 9 moves, 10 each: noise hides the best move. Use 270 or more.
    """
    if result.proven:
        return Diagnosis()
    found = (check(result) for check in (_full, _few, _long, _idle))
    return Diagnosis(tuple(finding for finding in found if finding))


def _full(r: Any) -> Finding | None:
    if not r.full:
        return None
    return Finding(
        "full memory",
        f"the tree was full at {r.nodes:,} nodes.",
        "Give it more memory: mcts(memory='1GB').",
        0.0,
    )


def _few(r: Any) -> Finding | None:
    moves = len(r.moves)
    if moves < 2 or r.simulations >= FEW * moves:
        return None
    each = r.simulations // moves
    says = f"{r.simulations:,} for {moves} moves, {each:,} each: noise hides the best move."
    return Finding("too few simulations", says, f"Use {FEW * moves:,} or more.", 0.0)


def _long(r: Any) -> Finding | None:
    each = r.plies / r.simulations if r.simulations else 0
    if each <= LONG:
        return None
    return Finding(
        "long plays",
        f"{each:,.0f} random plies per simulation.",
        "Estimate the position after fewer plies: mcts(rollout=100).",
        0.0,
    )


def _idle(r: Any) -> Finding | None:
    lanes = {record.worker for record in r.records}
    if len(lanes) < 2 or r.seconds < SHORTEST:
        return None
    idle = 1 - sum(record.seconds for record in r.records) / (len(lanes) * r.seconds)
    if idle < IDLE:
        return None
    return Finding(
        "idle workers",
        f"{len(lanes)} workers had no tree to grow {idle:.0%} of the time.",
        "Grow as many trees as there are workers, or a multiple of that.",
        idle,
    )
