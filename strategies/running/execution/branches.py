"""Search a task's branches from left to right, each in the window that the others leave.

A spark *fizzles* if its window is closed by then, or if the table has its value: see `_outcome`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from math import inf
from typing import Any

from attrs import Factory, field, frozen

from games import Game
from games.failed import RuleFailed
from strategies.algebra.groups import Window
from strategies.algebra.strategy import Strategy, seq, unfolded
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.fold import (
    OPEN,
    SHUT,
    UNKNOWN,
    Fold,
    Interval,
    Searched,
    in_order,
    intersect,
    null,
)
from strategies.algorithms.positions import expand, is_terminal
from strategies.native.calls.alphabeta import UNLIMITED
from strategies.native.calls.windows import bounds_of, run
from strategies.native.engine import Engine
from strategies.native.kept_engines import engine_in_task
from strategies.native.kernels.window_policy import NoPolicy
from strategies.native.memory.cells import Stop, Stopped
from strategies.running.execution.dispatch import policy_for, search_position, without_windows
from strategies.running.execution.iteration import BranchBounds, Growth, Iteration, TooLarge
from strategies.running.execution.live_windows import Link, LiveWindows, Place
from strategies.running.records.record import (
    PART,
    Outcome,
    Record,
    Role,
    Tally,
    branch_numbers,
    counted,
    now,
    record,
    unmarked,
)
from strategies.running.runtime.aside import interruptible
from strategies.running.runtime.cancellation import scope_of_task
from strategies.running.runtime.shared_incumbent import SharedIncumbent
from strategies.support.stacks import room_for


@frozen(eq=False)
class Branch:
    """One branch of an opened node."""

    index: int
    chance: float
    """The probability of the branch at a chance node, else 1."""
    move: Any
    state: Any
    over: bool
    """Whether its value is known without a search."""
    inner: Strategy
    """Its strategy if it has no node of its own in the plan."""
    ahead: Strategy = seq
    """Its strategy if it had a node."""
    turn: int = field(default=Factory(lambda self: self.index, takes_self=True))
    """Its place among its siblings in the order of the plan; `index` is its place in the rules."""
    tied: bool = False
    """Whether it is tested first for being as good as the leader, and then for being better."""
    whole: bool = False
    """Whether it stands for the node itself, without a move that leads to it."""
    path: tuple[int, ...] = ()
    """Where the search of a tree goes on below it, after that of another task."""
    until: int | None = None
    """If it stands for a part of a node of a tree, from branch `index` on: the first branch behind
    the part."""

    def searched(self, found: tuple[Interval, tuple[int, ...]]) -> Searched:
        """Return the result of its search as the result of one branch of the node."""
        interval, line = found
        if self.until is not None and line:
            return Searched(line[0], self.chance, interval, line[1:])
        return Searched(self.index, self.chance, interval, line)


@frozen(eq=False)
class BranchJob:
    """The branches that one task searches."""

    game: Game[Any, Any]
    algorithm: Algorithm
    engine: str
    path: tuple[Any, ...]
    """The place of the node in the tree."""
    depth: int
    """The number of plies to search below the branches."""
    branches: tuple[Branch, ...]
    role: Role
    entered: int = 0
    """The number of opened nodes that this task is the first to enter."""
    chain: tuple[Link, ...] = ()
    """The ancestors whose windows are live."""
    cell: Place | None = None
    """The live window to which it posts results."""
    reach: float = 1.0
    """The probability with which the search from the root reaches the node."""
    iteration: Iteration | None = None
    """The iteration of the deepening search that it belongs to."""
    growth: Growth | None = None
    """How it is replaced by more tasks if it turns out too large; None as the iteration says."""

    def way(self, b: Branch) -> tuple[int, ...]:
        """Return the branch numbers from the root to one of its branches."""
        above = branch_numbers(unmarked(self.path))
        return above if b.whole else (*above, b.index)

    @property
    def place(self) -> Place:
        """Return the place of its first branch."""
        return place_of(self.path, self.branches[0])


def place_of(path: Place, b: Branch) -> Place:
    """Return the place of a branch of the node at a place; of a part of a node, with its mark."""
    return (*path, b.index) if b.until is None else (*unmarked(path), f"{b.index}{PART}")


def job_of(task: Any) -> BranchJob | None:
    """Return the branches that a task searches; None for a fold."""
    return next((x for x in task.args if isinstance(x, BranchJob)), None)


def explore(
    job: BranchJob, fold: Fold, cells: LiveWindows | None, limit: int = UNLIMITED
) -> tuple[Fold, tuple[Searched, ...], Record]:
    """Search the job's branches; return the fold after them, the results, and the record.

    A live branch is abandoned when its window closes, because results elsewhere show that its value
    does not matter.
    Raises: `TooLarge`, with the record, if a branch of an iteration takes more nodes than `limit`;
    any error of a search.
    """
    start, tally, found, searched = now(), Tally(), [], 0
    first: Interval | None = None
    engine, scope = engine_in_task(job.game, job.engine), scope_of_task()
    for b in job.branches:
        window = fold.younger_window(b.tied) if fold.rule.scouts else fold.child_window(b.chance)
        chain: tuple[Link, ...] = ()
        shared: SharedIncumbent | None = None
        if cells is not None:
            chain, shared, window = _narrowed(job, b, cells, window)
        first = first or window
        result = Searched(b.index, b.chance, UNKNOWN)
        if window[0] >= window[1]:
            tally.pruned += searched > 0
        else:
            if not searched:
                tally.nodes += job.entered
                counted.positions += job.entered
            searched += 1
            known = _answer(job.iteration, job, b, window) if job.iteration else None
            if known is not None:
                tally.known += 1
                result = Searched(b.index, b.chance, *known)
            else:
                inside = NodeSearch(
                    engine, job.algorithm, Stop(scope), tally, job.iteration, limit, shared,
                    b.path, b.until,
                )  # fmt: skip
                try:
                    result = _searched(job, b, fold, window, inside, cells, chain)
                except TooLarge as large:
                    at, opened = (job.role, place_of(job.path, b)), first or OPEN
                    large.record = record(at, job.role, start, tally, opened, "converted", "grown")
                    raise
        if job.cell is not None and cells is not None:
            above = job.chain if job.game.players == 1 else ()
            cells.post(job.cell, fold.kind, result.branch, result.interval, above)
        found.append(result)
        fold = fold.with_child(result)
    role, place = job.role, job.place
    if job.iteration is not None:
        job.iteration.joins += (r._replace(key=("join", place)) for r in tally.joins)
    ended = record(
        (role, place), role, start, tally, first or OPEN,
        *_outcome(tally, searched),
        found[0].interval if len(found) == 1 else _best(fold, [f.interval for f in found]),
    )  # fmt: skip
    return fold, tuple(found), ended


def _narrowed(
    job: BranchJob, b: Branch, cells: LiveWindows, window: Interval
) -> tuple[tuple[Link, ...], SharedIncumbent | None, Interval]:
    """Return the live windows above a branch, the incumbent of its tree, and its window by both."""
    chain = tuple(link.at(b.index, b.tied) if link.branch is None else link for link in job.chain)
    window = cells.narrow(chain, window)
    shared = cells.incumbent if chain and job.algorithm.splits else None
    if shared is not None and shared.answers(window):
        window = SHUT
    return chain, shared, window


def _searched(
    job: BranchJob, b: Branch, fold: Fold, window: Interval, inside: NodeSearch,
    cells: LiveWindows | None, chain: tuple[Link, ...],
) -> Searched:  # fmt: skip
    """Search a branch in its window; its value is unknown if the search was abandoned.

    Raises: `TooLarge`, `Stopped`, RuleFailed; any error of a search.
    """
    stop, tally = inside.stop, inside.tally  # set by Ctrl-C; the scope's later searches go on
    before = tally.visited if job.iteration else 0
    result = Searched(b.index, b.chance, UNKNOWN)
    try:
        with cells.watch(chain, stop, window) if cells and chain else nullcontext():
            if fold.rule.scouts:
                narrow = partial(cells.narrow, chain) if cells is not None else None
                work = partial(_scout, inside, job, b, fold, window, narrow, b.tied)
            else:
                at = b.state, b.inner, job.depth, window, job.reach * b.chance
                work = partial(inside.evaluate, *at)
            native = inside.engine.native
            seen = interruptible(work, stop, tally.spend) if native else work()
            result = b.searched(seen)
    except RuleFailed as error:
        raise error.below(*job.way(b)) from error
    except TooLarge:
        if job.iteration is not None:
            place = (*job.path, b.index)
            job.iteration.add_result(place, UNKNOWN, (), tally.visited - before)
        raise
    except Stopped:
        if not stop.is_set and not (inside.incumbent and inside.incumbent.answers(window)):
            raise
        tally.aborted += 1
    if job.iteration is not None:
        way = () if b.whole else (*job.path, b.index)
        job.iteration.add_result(way, result.interval, result.line, tally.visited - before)
    return result


def _answer(
    iteration: Iteration, job: BranchJob, b: Branch, window: Interval
) -> BranchBounds | None:
    """Return the bounds on a branch if they answer its window; None for the whole search, because
    its task has the path of the first branch."""
    return None if b.whole else iteration.answer((*job.path, b.index), window)


def _scout(
    inside: NodeSearch, job: BranchJob, b: Branch, fold: Fold, window: Interval,
    narrow: Callable[[Interval], Interval] | None, tied: bool,
) -> tuple[Interval, tuple[int, ...]]:  # fmt: skip
    """Search a branch of an iteration; test a younger brother by a null window first.

    A branch that passes is searched again in place, in the window that is known by then.  If it is
    `tied`, it passes if it is as good as the leader, and is then tested for being better.
    """
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
    if tied:
        window = (asked[1], window[1]) if kind == "max" else (window[0], asked[0])
        again, better = _scout(inside, job, b, fold, window, narrow, tied=False)
        both = intersect(found, again)
        return both, line if both[0] == both[1] == asked[kind == "max"] else better
    again, line = inside.evaluate(b.state, b.inner, job.depth, window)
    return intersect(found, again), line


def _outcome(tally: Tally, searched: int) -> tuple[Outcome, str]:
    """Return the outcome of a task that searched a number of branches, and the reason."""
    if searched == 0:
        return "fizzled", "window closed"
    if tally.known == searched:
        return "fizzled", "already known"
    return "converted", "cut off" if tally.aborted else ""


def _best(fold: Fold, found: list[Interval]) -> Interval:
    """Return the bounds on the best of these branches for the player to move at the node."""
    if fold.kind == "chance" or fold.rule.many:
        return UNKNOWN
    best = max if fold.kind == "max" else min
    return best(lo for lo, _ in found), best(hi for _, hi in found)


@frozen(eq=False)
class NodeSearch:
    """The search of nodes in a task: the engine, the algorithm, the stop flag and the counts."""

    engine: Engine
    algorithm: Algorithm
    stop: Stop
    tally: Tally
    iteration: Iteration | None = None
    """The iteration of a deepening search: its table, and one search to one depth at a time."""
    limit: int = UNLIMITED
    """The most nodes of one search of an iteration."""
    incumbent: Any = None
    """The best leaf that live tasks share."""
    path: tuple[int, ...] = ()
    """Where the search of a tree goes on."""
    until: int | None = None
    """The branch before which it ends."""

    def evaluate(
        self, state: Any, inner: Strategy, depth: int, window: Interval, reach: float = 1.0
    ) -> tuple[Interval, tuple[int, ...]]:
        """Search one position, reached with probability `reach`; return its interval and its line.

        Raises: `Stopped`; `TooLarge`; `RuleFailed`, with the moves from `state`.
        """
        game, algorithm = self.engine.game, self.algorithm
        if (
            inner == seq
            or self.iteration is not None
            or inner.least is not None
            or depth == 0
            or is_terminal(game, state)
            or algorithm.cuts(game, state, reach)
        ):
            return self.search(state, depth, window, reach)
        policy = policy_for(algorithm, self.engine, inner)
        try:
            if policy is None:
                raise NoPolicy
            found, line = run(
                self.engine, state, depth, window, policy,
                narrow=self.algorithm.narrows, nearer=self.algorithm.nearer_wins, stop=self.stop,
            )  # fmt: skip
        except NoPolicy:
            with room_for(depth):
                fold = self.follow(state, inner, depth, window, reach)
            return (fold.lo, fold.hi), fold.line
        self.tally.add(found.nodes, found.leaves, found.inlined, found.pruned)
        return (found.lo, found.hi), line

    def search(
        self, state: Any, depth: int, window: Interval, reach: float = 1.0
    ) -> tuple[Interval, tuple[int, ...]]:
        """Search by one kernel: under ``seq``, all branches are searched in order."""
        if self.iteration is None:
            found = search_position(
                self.algorithm, self.engine, state, depth, window, self.stop, reach=reach,
                incumbent=self.incumbent, limit=self.limit, path=self.path, until=self.until,
            )  # fmt: skip
        else:
            found = self.iteration.search(
                self.engine, self.algorithm, state, depth, window, self.stop, self.limit,
                self.tally.joins,
            )  # fmt: skip
        self.tally.count(found)
        if not found.finished:
            if (found.path or found.nodes > self.limit) and not self.stop.is_set:
                raise TooLarge(window, found)
            raise Stopped("the search was stopped")
        if self.algorithm.tuples:
            return (found.value, found.value), found.line
        if not self.algorithm.narrows:
            return bounds_of(found.value, OPEN), found.line
        searched = max(window[0], found.raised), window[1]
        return bounds_of(found.value, searched), found.line

    def follow(
        self, state: Any, strategy: Strategy, depth: int, window: Interval, reach: float = 1.0
    ) -> Fold:
        """Search a node under a strategy inside this task, with the same windows and nodes."""
        if self.stop.is_set:
            raise Stopped("the search was stopped")
        game = self.engine.game
        kind, below = expand(game, state)
        layer = unfolded(strategy, kind, len(below))
        if not self.algorithm.narrows and any(g.window is Window.ZERO for g in layer.groups):
            raise without_windows(strategy, self.algorithm)
        self.tally.add(nodes=1, inlined=sum(layer.sparks))
        entered = Fold.enter(
            kind,
            window,
            self.algorithm.rule(game),
            game.player(state),
            own=self.algorithm.own_value(game, state),
        )

        def branch(i: int, window: Interval) -> Searched:
            _, chance, child = below[i]
            if window[0] >= window[1]:
                self.tally.add(pruned=1)
                return Searched(i, chance, UNKNOWN)
            try:
                found = self.evaluate(child, layer.inner[i], depth - 1, window, reach * chance)
            except RuleFailed as error:
                raise error.below(i) from error
            return Searched(i, chance, *found)

        return in_order(layer.groups, entered, [chance for _, chance, _ in below], branch)
