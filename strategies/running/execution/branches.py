"""Searches a task's branches left to right, each in the window left to it.

A spark whose window is closed by then, or whose value the table has, *fizzles*: `_outcome` decides.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from math import inf
from typing import Any

from attrs import Factory, field, frozen

from games import Game
from strategies.algebra.strategy import Kind, Strategy, seq
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.fold import (
    OPEN,
    UNKNOWN,
    Fold,
    Interval,
    Rule,
    Searched,
    intersect,
    null,
)
from strategies.algorithms.positions import move_named
from strategies.native.calls.alphabeta import UNLIMITED
from strategies.native.engine import engine_for
from strategies.native.errors import RuleFailed
from strategies.native.memory.cells import Stop, Stopped
from strategies.running.execution.iteration import Iteration, Known, TooLarge
from strategies.running.execution.live_windows import Link, LiveWindows, Place
from strategies.running.execution.node import NodeSearch
from strategies.running.records.record import Outcome, Record, Role, Tally, now, record
from strategies.running.runtime.cancellation import current_scope, engine_here
from strategies.running.runtime.deadline import interruptible


@frozen(eq=False)
class Branch:
    """One branch of an opened node."""

    index: int
    chance: float
    """Its probability where chance moves, else 1."""
    move: Any
    """None where the branch is a whole search."""
    state: Any
    over: bool
    """Whether its value is known without a search."""
    inner: Strategy
    """How it is searched when it has no node of its own in the plan."""
    ahead: Strategy = seq
    """How it would be searched if it had a node."""
    turn: int = field(default=Factory(lambda self: self.index, takes_self=True))
    """Its place among its siblings in the order of the plan; `index` is that of the rules."""


@frozen(eq=False)
class BranchJob:
    """A run of branches to search in one task."""

    game: Game[Any, Any]
    algorithm: Algorithm
    engine: str
    path: tuple[Any, ...]
    """The place of the node in the tree."""
    depth: int
    """Plies left below the branches."""
    branches: tuple[Branch, ...]
    role: Role
    entered: int = 0
    """How many opened nodes this task is the first to enter."""
    chain: tuple[Link, ...] = ()
    """The nodes above whose windows are live."""
    cell: Place | None = None
    """Where to post results."""
    moves: tuple[str, ...] = ()
    """The moves from the root to the node, for errors to tell."""
    reach: float = 1.0
    """The probability with which the root's search comes to the node."""
    iteration: Iteration | None = None
    """The iteration of a deepening search that it is part of."""

    @property
    def rule(self) -> Rule:
        """Return the rule by which branches are combined."""
        return self.algorithm.rule(self.game, scouts=self.iteration is not None)


def explore(
    job: BranchJob, fold: Fold, cells: LiveWindows | None, limit: int = UNLIMITED
) -> tuple[Fold, tuple[Searched, ...], Record]:
    """Search the job's branches; return the fold after them, the results, and the record.

    A live branch is given up when the window that it looks at closes: what is known elsewhere
    already says that its value does not matter.
    Raises: `TooLarge`, with the record, where a branch of an iteration takes more nodes than the
    limit; what a search raises.
    """
    start, tally, found, searched = now(), Tally(), [], 0
    first: Interval | None = None
    engine, scope, rule = engine_for(job.game, engine_here(job.engine)), current_scope(), job.rule
    scouts = rule.scouts
    for b in job.branches:
        window = fold.younger_window() if scouts else fold.child_window(b.chance)
        chain: tuple[Link, ...] = ()
        if cells is not None:
            chain = tuple(
                link._replace(branch=b.index) if link.branch is None else link for link in job.chain
            )
            window = cells.narrow(chain, window)
        first = first or window
        result = Searched(b.index, b.chance, UNKNOWN)
        if window[0] >= window[1]:
            tally.add(pruned=1 if searched else 0)
        elif job.iteration and (known := _answer(job.iteration, job, b, window)):
            tally.add(nodes=0 if searched else job.entered)
            searched += 1
            tally.known += 1
            result = Searched(b.index, b.chance, *known)
        else:
            tally.add(nodes=0 if searched else job.entered)
            searched += 1
            watched = cells is not None and chain
            stop = Stop(scope)  # Ctrl-C sets it, which must not end later searches of the scope
            inside = NodeSearch(engine, job.algorithm, stop, tally, job.iteration, limit)
            before = tally.nodes
            try:
                with cells.watch(chain, stop, window) if cells and watched else nullcontext():
                    narrow = partial(cells.narrow, chain) if cells is not None else None
                    at = b.state, b.inner, job.depth, window, job.reach * b.chance
                    work = (
                        partial(_scout, inside, job, b, fold, window, narrow)
                        if scouts
                        else partial(inside.evaluate, *at)
                    )
                    seen = (
                        interruptible(partial(tally.spend, work), stop) if engine.native else work()
                    )
                    result = Searched(b.index, b.chance, *seen)
            except RuleFailed as error:
                last = () if b.move is None else (move_named(b.move, fold.kind == "chance"),)
                raise error.after(*job.moves, *last) from error
            except TooLarge as large:
                key = job.role, (*job.path, b.index)
                assert job.iteration
                job.iteration.saw(key[1], UNKNOWN, (), tally.nodes - before)
                window = first or OPEN
                large.record = record(key, job.role, start, tally, window, "converted", "grown")
                raise
            except Stopped:
                if not stop.is_set:
                    raise
                tally.add(aborted=1)
            if job.iteration is not None:
                way = (*job.path, b.index) if b.move is not None else ()
                job.iteration.saw(way, result.interval, result.line, tally.nodes - before)
        if job.cell is not None and cells is not None:
            cells.post(job.cell, fold.kind, b.index, result.interval)
        found.append(result)
        fold = fold.with_child(result)
    role = job.role
    ended = record(
        (role, (*job.path, job.branches[0].index)), role, start, tally, first or OPEN,
        *_outcome(tally, searched),
        _best("chance" if rule.many else fold.kind, [f.interval for f in found]),
    )  # fmt: skip
    return fold, tuple(found), ended


def _answer(iteration: Iteration, job: BranchJob, b: Branch, window: Interval) -> Known | None:
    """What is known of a branch, if that will do; nothing where it stands for the whole search,
    whose task has the path of the first branch."""
    return None if b.move is None else iteration.answer((*job.path, b.index), window)


def _scout(
    inside: NodeSearch, job: BranchJob, b: Branch, fold: Fold, window: Interval,
    narrow: Callable[[Interval], Interval] | None,
) -> tuple[Interval, tuple[int, ...]]:  # fmt: skip
    """A branch in an iteration: a younger one is tested by a null window, and researched in place
    if it passes, in the window that is known by then."""
    kind, asked = fold.kind, window
    near = window[0] if kind == "max" else -window[1]
    if near > -inf and (fold.move is not None or window != fold.child_window()):
        asked = null(kind, window)
    found, line = inside.evaluate(b.state, b.inner, job.depth, asked)
    passed = found[0] >= asked[1] if kind == "max" else found[1] <= asked[0]
    if asked == window or not passed:
        return found, line
    if narrow is not None:
        window = narrow(window)
    if window[0] >= window[1] or found[0] >= window[1] or found[1] <= window[0]:
        return found, line
    again, line = inside.evaluate(b.state, b.inner, job.depth, window)
    return intersect(found, again), line


def _outcome(tally: Tally, searched: int) -> tuple[Outcome, str]:
    """Return the outcome of a task that searched so many branches, and the reason."""
    if searched == 0:
        return "fizzled", "window closed"
    if tally.known == searched:
        return "fizzled", "already known"
    return "converted", "cut off" if tally.aborted else ""


def _best(kind: Kind, found: list[Interval]) -> Interval:
    """Return what is known of the best of these, for who moves at a node of this kind."""
    if len(found) == 1:
        return found[0]
    if kind == "chance":
        return UNKNOWN
    best = max if kind == "max" else min
    return best(lo for lo, _ in found), best(hi for _, hi in found)
