"""Searches a task's branches left to right, each in the window left to it.

A spark whose window is closed by then, or whose value the table has, *fizzles*: `_outcome` decides.
"""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from typing import Any

from attrs import frozen

from games import Game
from strategies.algebra.strategy import Kind, Strategy
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.fold import OPEN, UNKNOWN, Fold, Interval, Rule, Searched
from strategies.algorithms.positions import move_named
from strategies.native.engine import engine_for
from strategies.native.errors import RuleFailed
from strategies.native.memory.cells import Stop, Stopped
from strategies.running.execution.live_windows import Link, LiveWindows, Place
from strategies.running.execution.node import NodeSearch
from strategies.running.records.record import Outcome, Record, Role, Tally, now, record
from strategies.running.runtime.cancellation import current_scope
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

    @property
    def rule(self) -> Rule:
        """Return the rule by which branches are combined."""
        return self.algorithm.rule(self.game)


def explore(
    job: BranchJob, fold: Fold, cells: LiveWindows | None
) -> tuple[Fold, tuple[Searched, ...], Record]:
    """Search the job's branches; return the fold after them, the results, and the record.

    A live branch is given up when the window that it looks at closes: what is known elsewhere
    already says that its value does not matter.
    """
    start, tally, found, searched = now(), Tally(), [], 0
    first: Interval | None = None
    engine = engine_for(job.game, job.engine)
    for b in job.branches:
        window = fold.child_window(b.chance)
        chain: tuple[Link, ...] = ()
        if cells is not None:
            chain = tuple(Link(c, k, b.index if i is None else i) for c, k, i in job.chain)
            window = cells.narrow(chain, window)
        first = first or window
        result = Searched(b.index, b.chance, UNKNOWN)
        if window[0] >= window[1]:
            tally.add(pruned=1 if searched else 0)
        else:
            tally.add(nodes=0 if searched else job.entered)
            searched += 1
            stop = Stop(current_scope())
            inside = NodeSearch(engine, job.algorithm, stop, tally)
            try:
                with cells.watch(chain, stop) if cells is not None and chain else nullcontext():
                    reach = job.reach * b.chance
                    at = b.state, b.inner, job.depth, window, reach
                    if engine.native:
                        work = partial(tally.spend, partial(inside.evaluate, *at))
                        seen = interruptible(work, stop)
                    else:
                        seen = inside.evaluate(*at)
                    result = Searched(b.index, b.chance, *seen)
            except RuleFailed as error:
                last = () if b.move is None else (move_named(b.move, fold.kind == "chance"),)
                raise error.after(*job.moves, *last) from error
            except Stopped:
                if not stop.is_set:
                    raise
                tally.add(aborted=1)
            if job.cell is not None and cells is not None:
                cells.post(job.cell, fold.kind, b.index, result.interval)
        found.append(result)
        fold = fold.with_child(result)
    role = job.role
    ended = record(
        (role, (*job.path, job.branches[0].index)), role, start, tally, first or OPEN,
        *_outcome(tally, searched),
        _best("chance" if job.rule.many else fold.kind, [f.interval for f in found]),
    )  # fmt: skip
    return fold, tuple(found), ended


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
