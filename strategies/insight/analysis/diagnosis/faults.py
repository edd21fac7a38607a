"""The faults that a run can have: each function checks the facts for one of them."""

from __future__ import annotations

from collections.abc import Callable
from statistics import mean, median_high
from typing import TYPE_CHECKING, Final

from attrs import evolve, frozen

from strategies.algebra.strategy import Strategy, seq
from strategies.algebra.wording import plural
from strategies.insight.analysis.diagnosis.advice import FEWER, Advice, at_once, split, widened
from strategies.insight.analysis.diagnosis.facts import (
    ALONE,
    EACH,
    FIZZLED,
    GRAIN,
    HANDED,
    HELD,
    IDLE,
    LOCKED,
    MANY,
    OVERHEAD,
    PAID,
    SHORTEST,
    STALE,
    Facts,
)
from strategies.insight.analysis.move_naming import naming, place_of, way
from strategies.insight.analysis.utilisation import wall
from strategies.running.execution.dispatch import may_test
from strategies.running.plans.plan import PlanError
from strategies.running.records.record import branch_numbers
from strategies.running.records.request import SearchRequest
from strategies.running.records.search_run import SearchRun
from strategies.running.records.wording import seconds

if TYPE_CHECKING:
    from strategies.native.engine import Engine


@frozen
class Finding:
    """One fault of a run.

    >>> print(Finding("too few sparks", "4 sparks kept 8 workers busy.", "Spark deeper.", 0.5))
    too few sparks: 4 sparks kept 8 workers busy. Spark deeper.
    """

    name: str
    says: str
    """The evidence, in numbers."""
    advice: str
    """The change to try."""
    lost: float
    """The approximate share of the workers' time that it cost."""
    pull: int = 0
    """1 if the advice is to search more in parallel, -1 if less, 0 if neither."""
    instead: str = ""
    """The advice to give if a costlier fault pulls the other way."""
    using: Strategy | None = None
    """The strategy that the advice names, if it names one for this search."""

    def __str__(self) -> str:
        return f"{self.name}: {self.says} {self.advice}"


def interpreted(f: Facts) -> Finding | None:
    """Report threads that waited for each other, because only one can run Python code at a time."""
    if f.request is None or f.run.workers < 2 or f.locked < LOCKED:
        return None
    engine = _engine(f.request)
    if engine.undecided or not engine.so_far or f.processes != 1 or len(f.run.lanes) < 2:
        return None  # undecided: another process made the run
    says = f"the rules run as Python code ({engine.so_far})"
    advice = (
        "Make the rules compile ('jamboree check' says what prevents it), or use processes: "
        "compute(scheduler='processes')."
    )
    if f.request.trial:
        says = "this first search of the game ran its rules as Python code"
        advice = (
            "Search with engine='native' (--engine native): it compiles them, or says what "
            "prevents that."
        )
    says += ", and Python runs one thread at a time."
    return Finding("interpreted rules", says, advice, f.locked)


def may_wait(f: Facts) -> bool:
    """Return whether the rules are Python code, and may mostly have waited for something."""
    python = f.request is not None and _in_python(f.request)
    return python and f.held < HELD * f.seconds


def _in_python(request: SearchRequest) -> bool:
    """Return whether the rules may have run as Python code."""
    engine = _engine(request)
    return engine.undecided or bool(engine.so_far)


def _engine(request: SearchRequest) -> Engine:
    """Return the engine of a search."""
    from strategies.native.kept_engines import engine_for

    return engine_for(request.game, request.ran_on)


def lost(result: SearchRun) -> tuple[Finding, ...]:
    """Report workers of a cluster that were lost or left, with the tasks that ran again."""
    if not result.losses:
        return ()
    names = dict.fromkeys(loss.worker for loss in result.losses)
    again = [r for r in result.records if r.lost]
    spent, total = sum(r.seconds * r.lost for r in again), sum(r.seconds for r in result.records)
    share = spent / (spent + total) if spent else 0.0
    were = "was" if len(names) == 1 else "were"
    work = f", up to {seconds(spent)} of work" if again else ""
    says = (
        f"{plural(len(names), 'worker')} ({', '.join(names)}) {were} lost or left; "
        f"{plural(len(again), 'task')} ran again{work}."
    )
    advice = (
        "The logs of the workers say why; often a smaller table= or a larger memory_limit helps."
    )
    return (Finding("lost workers", says, advice, share),)


def few(f: Facts) -> Finding | None:
    """Report workers that were idle because there were too few sparks."""
    alone = f.seconds and f.steps / f.seconds
    if f.idle < IDLE or (len(f.converted) >= EACH * f.run.workers and alone < ALONE):
        return None
    if f.ends and not f.run.sparks:  # see `duds`
        return None
    n = len(f.converted)
    says = (
        f"{plural(f.run.workers, 'worker')} idle {f.idle:.0%} of the time; {plural(n, 'spark')} "
        f"searched; branches in order took {seconds(f.steps)} of {seconds(f.seconds)}."
    )
    return evolve(_wider(f), name="too few sparks", says=says)


def waiting(f: Facts) -> Finding | None:
    """Report enough sparks of even sizes, of which too few could run at once."""
    if f.idle < IDLE or len(f.converted) < EACH * f.run.workers or f.steps >= ALONE * f.seconds:
        return None
    if f.converted[0].record.seconds >= ALONE * f.seconds or f.overhead >= OVERHEAD:
        return None
    now = at_once(f)
    how = f"on average {f.run.workers * (1 - f.idle):.2g} tasks ran at once"
    if now is not None and now < f.run.workers:
        how = f"their order lets at most {plural(now, 'task')} run at once"
    says = (
        f"{plural(f.run.workers, 'worker')} idle {f.idle:.0%} of the time; "
        f"{plural(len(f.converted), 'spark')} searched, but {how}."
    )
    return evolve(_wider(f), name="waiting sparks", says=says)


def _uneven(f: Facts) -> bool:
    """Return whether one spark took half of the run, and twice as long as the others on average."""
    times = [b.record.seconds for b in f.converted]
    return len(times) > 1 and times[0] >= ALONE * max(f.seconds, 4 * mean(times[1:]))


def _wider(f: Facts) -> Finding:
    """Return a finding with the advice that lets more tasks run at once."""
    now = at_once(f)
    found: Advice | None = None
    if now is not None and _uneven(f):
        found = split(f, place_of(f.converted[0]))
    try:
        found = widened(f, now) if now is not None and found is None else found
    except PlanError:
        now = None
    if now is None:
        advice = _deeper(f)
    elif found is not None:
        advice = str(found)
    elif now == 1:
        advice = "No order helps: no position has two branches to search"
    else:
        advice = _deeper(f, "no order is known to let more tasks run at once")
    if f.steps and (now is None or (found is not None and found.how != FEWER)):
        advice += f", or search fewer branches in order first{_share(f)}"
    advice += "."
    if _could_join(f):
        advice += " Or let idle workers join running tasks: .joined()."
    return Finding("", "", advice, f.idle, pull=1, using=None if found is None else found.using)


def _could_join(f: Facts) -> bool:
    """Return whether workers could join tasks, but the strategy does not say so."""
    if not f.result.graphs or f.request is None or getattr(f.request.strategy, "is_joined", False):
        return False
    return _engine(f.request).native and f.processes == 1


def duds(f: Facts) -> Finding | None:
    """Report sparks that were all duds, where that left workers idle or made small tasks."""
    if f.run.sparks or not f.ends or f.run.workers < 2:
        return None
    if f.idle < IDLE and f.scheduling < OVERHEAD:
        return None
    says = (
        f"all {plural(len(f.ends), 'spark')} were duds: their branches end the game, and a node "
        f"evaluates its ends one after the other; {plural(f.run.workers, 'worker')} idle "
        f"{f.idle:.0%} of the time."
    )
    advice = "Search with seq: no strategy evaluates the ends of one node at the same time."
    if max(len(branch_numbers(r.key[1])) for r in f.ends) > 1:
        advice = "Spark at an earlier ply, where a branch is a whole subtree: par_list."
        if f.result.sparks.opened:
            advice = "Spark one ply less, which is as parallel in fewer tasks, or search with seq."
    return Finding("only duds", says, advice, max(f.idle, f.scheduling), pull=-1)


def large(f: Facts) -> Finding | None:
    """Report one long spark that all other workers wait for."""
    if f.idle < IDLE or len(f.converted) < EACH * f.run.workers:
        return None
    longest, rest = f.converted[0], f.converted[1:]
    if longest.record.seconds < ALONE * f.seconds:
        return None
    times = longest.record.seconds / mean(b.record.seconds for b in rest)
    names = naming(f.result)
    says = (
        f"the spark of {way(longest, names)} ran for {seconds(longest.record.seconds)} of "
        f"{seconds(f.seconds)}, {times:.0f} times the mean of the others; "
        f"{plural(f.run.workers, 'worker')} idle {f.idle:.0%} of the time."
    )
    found = split(f, place_of(longest))
    if found is not None:
        advice = f"{found}, so that several tasks share its work."
    else:
        known = at_once(f) is not None
        advice = f"{_deeper(f, 'no order is known to split it' if known else '')}."
    if _could_join(f):
        advice += " Or let idle workers join running tasks: .joined()."
    return Finding(
        "unbalanced sparks", says, advice, f.idle, 1, using=None if found is None else found.using
    )


def small(f: Facts) -> Finding | None:
    """Report sparks whose searches are short against the cost of a task."""
    if f.overhead < OVERHEAD or not f.converted:
        return None
    middle = median_high(b.record.seconds - f.seconds_beside_search(b) for b in f.converted)
    if middle >= GRAIN * f.cost:
        return None
    created = len(f.run.sparks)
    says = (
        f"half of the sparks searched for less than {seconds(middle)}, and each task adds "
        f"{seconds(f.cost)}: {f.overhead:.0%} of the time was overhead."
    )
    if created > MANY * f.run.workers:
        says = f"{created:,} sparks for {plural(f.run.workers, 'worker')}; " + says
        advice = "Spark at fewer plies: .to_ply(2). Or limit the grain: .grain(plies=2)."
        if f.sparked <= 2:
            advice = _coarser(f)
        return Finding("too many sparks", says, advice, f.overhead, pull=-1)
    return Finding("sparks too small", says, _coarser(f), f.overhead, pull=-1)


def fizzled(f: Facts) -> Finding | None:
    """Report sparks that had nothing to search."""
    n, created = len(f.fizzled), len(f.run.sparks)
    paid = f.share(sum(b.record.seconds + f.handing for b in f.fizzled))
    if not n or n < FIZZLED * created or paid < PAID:
        return None
    why = ", ".join(f"{k:,} {reason}" for reason, k in f.result.sparks.reasons)
    says = f"{n:,} of {created:,} sparks had nothing to search ({why}): {paid:.0%} of the time."
    where = "pv_split, critical, or one ply less" if f.sparked > 1 else "pv_split or critical"
    advice = (
        f"Spark where all branches must be searched: {where}. Or search more branches in order "
        "first."
    )
    return Finding("fizzled sparks", says, advice, paid, pull=-1)


def stale(f: Facts) -> Finding | None:
    """Report nodes that the sequential search never visits."""
    if f.excess is None or f.excess < STALE:
        return None
    says = (
        f"{f.result.nodes:,} nodes were visited, {f.excess:.3g} times those of the sequential "
        "search: sparks started before results that would have narrowed their windows."
    )
    live = f.request is not None and ("live" in repr(f.request.strategy) or "young" in
                                    repr(f.request.strategy))  # fmt: skip
    wait, lost = f"earch more branches in order first{_share(f)}.", 1 - 1 / f.excess
    if live:
        return Finding("stale windows", says, "S" + wait, lost, pull=-1)
    read = "Use live windows, which a spark reads when it starts: .live(), or young_brothers_wait"
    using, depth = (f.request.strategy, f.request.algorithm.depth) if f.request else (None, 0)
    tests = isinstance(using, Strategy) and may_test(using, depth)
    if f.processes > 1 or tests or not f.followed:  # no shared memory, or nothing to read in it
        read = "Search the first branch before the others start: young_brothers_wait"
    return Finding("stale windows", says, f"{read}. Or s{wait}", lost, pull=-1, instead=read + ".")


def dispatched(f: Facts) -> Finding | None:
    """Report workers that wait for the scheduler to start ready tasks."""
    if f.scheduling < HANDED:
        return None
    says = (
        f"starting {len(f.run.tasks):,} tasks took {f.scheduling:.0%} of the workers' time: each "
        f"was ready {seconds(f.handing)} before a free worker began it."
    )
    advice = "Make fewer and larger tasks. The default scheduler has the least overhead."
    return Finding("dispatcher-bound", says, advice, f.scheduling, pull=-1)


def slower(f: Facts) -> Finding | None:
    """Report a run that is slower than the sequential search."""
    if f.speedup is None or f.speedup >= 1 or f.sequential is None:
        return None
    excess = f.excess or 1.0
    more = f" It visited {excess:.3g} times the nodes." if excess > 1.05 else ""
    search = ""
    if f.run.sparks:
        search = f"; {f.share(f.run.searching - f.inside):.0%} of the workers' time was search"
    by = ", both by processor time" if f.by_processor_time else ""
    says = (
        f"{seconds(f.seconds)} on {plural(f.run.workers, 'worker')}, against "
        f"{seconds(wall(f.sequential))} in order on one{by}{search}.{more}"
    )
    advice = "Search with seq: splitting cost more than it saved."
    return Finding(
        "slower than sequential", says, advice, 1 - f.speedup,
        instead="Fix the other faults first; if it stays slower, search with seq.",
    )  # fmt: skip


def unsparked(f: Facts) -> Finding | None:
    """Report a strategy that made no sparks, although there were workers for them."""
    using = f.result.using
    if using in (None, seq) or f.result.joins or f.run.workers < 2 or f.seconds < SHORTEST:
        return None
    says = (
        f"{using!r} searched all branches in order, so {plural(f.run.workers, 'worker')} were "
        f"idle {f.idle:.0%} of the time."
    )
    if getattr(using, "least", None) is not None:
        advice = "Let it spark smaller subtrees: a smaller number in .to_size()."
        return Finding("no sparks", says, advice, f.idle, pull=1)
    return evolve(_wider(f), name="no sparks", says=says)


def busy(f: Facts, quiet: Facts | None) -> Finding:
    """Report tasks that had no processor at times; `quiet` are the facts of the other findings."""
    had, took = sum(r.cpu for r in f.long), sum(r.seconds for r in f.long)
    says = (
        f"{plural(len(f.long), 'long task')} had a processor for {f.on_processor:.0%} of the time, "
        f"{seconds(had)} of {seconds(took)}: "
    )
    name, why = "busy machine", "other programs took the rest."
    advice, with_so_many = "Search again on a quiet machine to measure a speed-up.", ""
    python = f.request is None or _in_python(f.request)
    if python:  # machine code waits for nothing
        why = "they waited, for Python's lock or something else, or other programs took the rest."
        advice = "If the rules do not wait, search again on a quiet machine to measure a speed-up."
    if f.threads_here > f.processors and not (python and f.held < HELD * f.processors * f.seconds):
        name = "too many workers"
        why = f"{f.threads_here} shared {plural(f.processors, 'processor')}."
        advice = "Search with as many workers as processors."
        with_so_many = f" with {plural(quiet.run.workers, 'worker')}" if quiet else ""
    rests = f"Further findings rest on {'times that include it' if may_wait(f) else 'counts'}."
    if quiet is not None:
        rests = (
            "By processor time, on which further findings rest, the run would take "
            f"{seconds(quiet.seconds)}{with_so_many}, not {seconds(f.seconds)}."
        )
    return Finding(name, says + why, f"{advice} {rests}", 1 - f.on_processor)


FAULTS: Final[tuple[Callable[[Facts], Finding | None], ...]] = (
    interpreted, few, waiting, duds, large, small, fizzled, stale, dispatched, slower,
)  # fmt: skip
OF_DRIVERS: Final = (interpreted, slower)
"""The faults of threads that share a table and have no sparks."""


def _deeper(f: Facts, unless: str = "") -> str:
    """Return how to make more sparks, without a full stop; `unless` says why that is not known."""
    if f.request is not None and f.sparked >= f.request.algorithm.depth:
        unless = "this search sparks down to its leaves"
    return f"Search deeper, or on fewer workers: {unless}" if unless else "Spark one ply deeper"


def _coarser(f: Facts) -> str:
    """Return how to make fewer and larger sparks."""
    less = "Spark one ply less, or search" if f.sparked > 1 else "Search"
    return f"{less} several branches in a task: par_list_chunk(4)."


def _share(f: Facts) -> str:
    """Name the share to change, if the strategy has one."""
    has = f.request is not None and "jamboree" in repr(f.request.strategy)
    return " (the p of jamboree(p))" if has else ""
