"""The functions that run in the tasks of a plan: plain functions over immutable data."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import Any, Literal, NamedTuple

from attrs import evolve, frozen

from games.game import has_chance, in_range
from graphs.errors import ArgumentError
from strategies.algebra.strategy import Kind
from strategies.algorithms.fold import OPEN, SHUT, Fold, Interval, Rule, Searched, intersect
from strategies.native.calls.alphabeta import UNLIMITED
from strategies.native.failures import check_numbers
from strategies.running.execution.branches import BranchJob, explore
from strategies.running.execution.iteration import TooLarge
from strategies.running.execution.live_windows import LiveWindows, Place
from strategies.running.plans.plan import SparkCounts
from strategies.running.records.moves import Moves
from strategies.running.records.record import Log, Record, now, record
from strategies.running.records.request import SearchRequest
from strategies.running.records.search_run import SearchRun
from strategies.running.records.sparks import audited, ledger
from strategies.running.runtime.more import More

Mode = Literal["same", "opened", "test", "tied"]
"""How a source's window is passed on: unchanged, opened below a chance node, as a null window that
tests whether a branch is better, or as one that tests whether it is as good."""


class Reading(NamedTuple):
    """How a task reads the fold that it starts from."""

    mode: Mode
    kind: Kind | None
    """The kind of the node to enter; None if the fold is the node's own."""
    rule: Rule
    player: int = 0
    """The player to move at the node to enter."""
    through: tuple[float, ...] = ()
    """The probabilities of the outcomes from the source's node to this one, if windows pass through
    chance nodes."""
    own: Any = None
    """What the node to enter adds to a fold over all nodes; None in other searches."""


class Post(NamedTuple):
    """The place to which a node's value is posted as soon as it is known: the cell and the kind of
    its parent, and the branch."""

    cell: Place
    kind: Kind
    branch: int


BranchEntry = tuple[int, float, Place | None]
"""The data of an opened branch: its number, its probability, the cell to which it is posted."""

Source = Fold | Interval


@frozen
class Found:
    """The result of a task: the branches that it searched."""

    branches: tuple[Searched, ...]
    log: Any = ()
    span: float = 0.0


Begun = tuple[LiveWindows, Record]


def window_of(source: Source, entry: Reading) -> Interval:
    """Return the window that a source passes on."""
    mode, _, rule, _, through, _ = entry
    if isinstance(source, Fold):
        cut = int(source.kind == "chance")
        own, through = through[:cut], through[cut:]
        null = mode in ("test", "tied")
        window = source.null_window(mode == "tied") if null else source.child_window(*own)
    else:
        window = source
    for chance in through:
        window = Fold.enter("chance", window, rule).child_window(chance)
    return OPEN if mode == "opened" and window != SHUT else window


def enter(source: Source, entry: Reading, begun: Begun | None) -> Fold:
    """Return the fold to work on: the source itself, or a node entered from it; at the root after
    the task that created the live windows."""
    mode, kind, rule, player, _, own = entry
    if kind is None:
        assert isinstance(source, Fold)
        if mode == "same":
            return source
        a, b = window_of(source, entry)
        return evolve(source, a=a, b=b)
    span = source.span if isinstance(source, Fold) else seconds_of(begun)
    return Fold.enter(kind, window_of(source, entry), rule, player, span, own)


def begin() -> Begun:
    """Start a live search: create its live windows."""
    start = now()
    return LiveWindows(), record(("start", ()), "fold", start)


def seconds_of(begun: Begun | None) -> float:
    """Return the seconds that it took to create the live windows; 0 if there are none."""
    return begun[1].seconds if begun else 0.0


def spark(
    job: BranchJob, entry: Reading, source: Source, begun: Begun | None = None
) -> Found | More:
    """Search branches in the window of `source`; the node's fold merges them later."""
    found = explored(job, enter(source, entry, begun), begun, asked=True)
    return found if isinstance(found, More) else found[1]


def step(job: BranchJob, entry: Reading, source: Source, begun: Begun | None = None) -> Fold | More:
    """Search branches that continue the node's fold."""
    fold = enter(source, entry, begun)
    searched = explored(job, fold, begun)
    if isinstance(searched, More):
        return searched
    after, found = searched
    return after.with_log(Log(fold.log, found.log), found.span)


def explored(
    job: BranchJob, fold: Fold, begun: Begun | None, *, asked: bool = False
) -> tuple[Fold, Found] | More:
    """Search branches; return the node's fold after them, without their log, and the results.

    A task that is too large is divided; then `asked` says which of the two the new tasks compute.
    """
    growth = job.growth or (job.iteration and job.iteration.growth)
    limit, cells = growth.limit(job) if growth else UNLIMITED, begun and begun[0]
    try:
        after, found, r = explore(job, fold, cells, limit)
    except TooLarge as large:
        more = large.record
        assert growth
        assert more
        grown = growth.grow(job, large, begun)
        if grown is not None:
            then = partial(regrown, job, fold, cells, more, fold.span + more.seconds, asked)
            return More(*grown, then)
        after, found, r = explore(job, fold, cells)
        r = r._replace(nodes=r.nodes + more.nodes, leaves=r.leaves + more.leaves, start=more.start)
    return after, Found(found, (r,), fold.span + r.seconds)


def regrown(
    job: BranchJob, fold: Fold, cells: LiveWindows | None, first: Record, span: float, asked: bool,
    found: Fold,
) -> Fold | Found:  # fmt: skip
    """Return the result of a divided task; `first` is the record of its work before."""
    start, (b,) = now(), job.branches
    searched = b.searched(((found.lo, found.hi), found.line))
    if job.cell is not None and cells is not None:
        cells.post(job.cell, fold.kind, searched.branch, searched.interval)
    r = record(("grown", job.place), "fold", start)
    log, span = Log(Log((first,), found.log), (r,)), span + found.span + r.seconds
    if asked:
        return Found((searched,), log, span)
    return fold.with_child(searched).with_log(Log(fold.log, log), span)


def merge(
    path: Place, entry: Reading, branches: tuple[BranchEntry | None, ...], source: Source,
    *found: Found | Fold, begun: Begun | None = None, test: Fold | None = None,
    gate: Fold | None = None, post: Post | None = None, name: str = "merge",
) -> Fold:  # fmt: skip
    """Merge the results of tasks, or opened branches, into the node's fold, in order.

    `test` is the null-window search before that of an opened branch, `gate` the fold that made its
    window.  The value of the node is posted to `post`, before its parent's fold gets to it.
    """
    start = now()
    fold = enter(source, entry, begun)
    log = fold.log
    for each, branch in zip(found, branches, strict=True):
        fold, log = merged(fold, each, branch, begun, test), Log(log, each.log)
    more = [x for x in (test, gate) if x is not None]
    for each in more:
        log = Log(log, each.log)
    if post is not None and begun is not None:
        begun[0].post(*post, (fold.lo, fold.hi))
    r = record((name, path), "fold", start)
    span = max(x.span for x in (fold, *found, *more))
    return fold.with_log(Log(log, (r,)), span + r.seconds)


def merged(
    fold: Fold, found: Found | Fold, branch: BranchEntry | None,
    begun: Begun | None, test: Fold | None = None,
) -> Fold:  # fmt: skip
    """Return the node's fold after the branches of one task, or after one opened branch."""
    if isinstance(found, Found):
        for b in found.branches:
            fold = fold.with_child(b)
        return fold
    assert branch is not None
    index, chance, cell = branch
    interval = found.lo, found.hi
    if test is not None:
        interval = intersect(interval, (test.lo, test.hi))
    if cell is not None and begun is not None:
        begun[0].post(cell, fold.kind, index, interval)
    return fold.with_child(Searched(index, chance, interval, found.line))


def local(
    path: Place, entry: Reading, branches: tuple[BranchEntry | None, ...], source: Source,
    found: Found | Fold, begun: Begun | None = None,
) -> Fold:  # fmt: skip
    """Merge inside a group: the result is only a source of windows.

    The node's own fold merges the branches later, so this task has only its own record.
    """
    fold = merge(path, entry, branches, source, found, begun=begun, name="local")
    last: Record = fold.log.right[0]
    return evolve(fold, log=(last,))


def dud(
    job: BranchJob, entry: Reading, source: Source, gate_entry: Reading, gate: Source,
    begun: Begun | None = None,
) -> Fold:  # fmt: skip
    """Merge branches whose value is known without a search, so that there is no spark."""
    gated, found, r = explore(job, enter(gate, gate_entry, begun), begun and begun[0])
    fold = enter(source, entry, begun)
    for b in found:
        fold = fold.with_child(b)
    span = max(fold.span, gated.span) + r.seconds
    return fold.with_log(Log(fold.log, (r,)), span)


def reopen(path: Place, source: Fold, test: Fold) -> Fold:
    """Return the fold from which a tested branch is searched: closed if the test failed."""
    start = now()
    fold = source
    if fold.settled(Searched(path[-1], 1.0, (test.lo, test.hi))):
        fold = evolve(fold, a=SHUT[0], b=SHUT[1])
    r = record(("gate", path), "fold", start)
    return fold.with_log((r,), max(source.span, test.span) + r.seconds)


def resolve(job: BranchJob, source: Fold, test: Found) -> Fold:
    """Resolve a tested branch: search for its value if the test passed, and merge it."""
    start = now()
    (branch,) = test.branches
    log = Log(source.log, test.log)
    if source.settled(branch):
        r = record(("resolve", (*job.path, branch.branch)), "fold", start)
    else:
        _, (again,), r = explore(job, source, None)
        r = r._replace(key=("resolve", r.key[1]))
        branch = again._replace(interval=intersect(branch.interval, again.interval))
    span = max(source.span, test.span) + r.seconds
    return source.with_child(branch).with_log(Log(log, (r,)), span)


def alone(job: BranchJob, window: Interval, begun: Begun | None = None) -> Fold | More:
    """Search the whole tree below one position in one task, in the caller's window."""
    rule = job.algorithm.rule(job.game, scouts=job.iteration is not None)
    fold = Fold.enter("max", window, rule, span=seconds_of(begun))
    found = explored(job, fold, begun, asked=True)
    if isinstance(found, More):
        return More(found.graph, found.last, lambda last: _whole(fold, found.then(last)))
    return _whole(fold, found[1])


def _whole(fold: Fold, found: Found) -> Fold:
    """Return the fold of the whole tree."""
    (result,) = found.branches
    lo, hi = result.interval
    move = result.line[0] if result.line else None
    return fold.with_result(lo, hi, move, result.line, found.log, found.span)


def conclude(
    result_class: type[SearchRun], request: SearchRequest, counts: SparkCounts, window: Interval,
    begun: Begun | None, task: Callable[..., Fold | More], /, *args: Any, **kwargs: Any,
) -> SearchRun | More:  # fmt: skip
    """Conclude a search in its last task: return its result, as a `result_class`."""
    fold = task(*args, **kwargs)
    about = result_class, request, counts, window, begun
    if isinstance(fold, More):
        return More(fold.graph, fold.last, lambda last: concluded(*about, fold.then(last)))
    return concluded(*about, fold)


def concluded(
    result_class: type[SearchRun], request: SearchRequest, counts: SparkCounts, window: Interval,
    begun: Begun | None, fold: Fold,
) -> SearchRun:  # fmt: skip
    """Return the result of a search whose last fold is known."""
    game, state = request.game, request.state
    records = (*fold.log, *(begun[1:] if begun else ()))
    lo, hi = fold.lo, fold.hi
    value = lo if lo == hi or lo >= window[1] else hi
    if isinstance(value, float) and value.is_integer() and has_chance(type(game)):
        value = int(value)  # as of a search without tasks, so that 3 is 3 after a mean, too
    if not request.algorithm.tuples and not in_range(value):
        check_numbers(game, state, request.algorithm.depth)
        raise ArgumentError(
            f"the value of the position is {value}, but estimate and utility must return numbers "
            "strictly between Minnie's win and Maxie's"
        )
    if lo != hi and window[0] < value < window[1]:
        raise AssertionError(f"the value is only known to be in [{lo}, {hi}]")
    # A value that is not above the window in which the algorithm begins is a bound, without a line.
    attempts = counts.attempts
    if any(r.reason == "grown" for r in records):  # tasks were divided, each into sparks
        attempts = sum(r.role in ("spark", "dud") for r in records)
    reached = request.algorithm.tuples or value > request.algorithm.window[0]
    line = fold.line if reached else ()
    return result_class(
        move=next(islice(game.moves(state), line[0], None)) if line else None,
        value=value,
        leaves=sum(r.leaves for r in records),
        nodes=sum(r.nodes for r in records),
        sparks=audited(
            ledger(attempts, records, counts.opened, (records, partial(Moves, game, state)))
        ),
        span=fold.span,
        records=records,
        replay=(game, state, line),
        request=request,
    )
