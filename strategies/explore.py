"""The sequential search inside a task: branches left to right, each in the window left to it."""

from __future__ import annotations

from math import inf
from time import perf_counter
from typing import Any

from attrs import frozen

from games import CHANCE, MAXIE, Game, Status
from strategies.algorithms import Algorithm
from strategies.cells import Cells, Link, Place
from strategies.fold import UNKNOWN, Fold, Interval, Searched, known, meet
from strategies.groups import Group, Window, sparks
from strategies.native import Engine, RuleFailed, engine_for
from strategies.native.failures import failure_at
from strategies.native.policies import run
from strategies.policy import policy_of
from strategies.records import Record, Role, Tally, record
from strategies.stopping import current
from strategies.strategy import Kind, Strategy, seq


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
class Job:
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


def kind_of(game: Game[Any, Any], state: Any) -> Kind:
    """What moves at a position."""
    player = game.player(state)
    return "chance" if player == CHANCE else "max" if player == MAXIE else "min"


def children(game: Game[Any, Any], state: Any, kind: Kind) -> list[tuple[Any, float, Any]]:
    """(move, probability, position) of each branch, in order; an outcome's move is its number."""
    if kind == "chance":
        return [(i, p, s) for i, (p, s) in enumerate(game.outcomes(state))]
    return [(m, 1, game.make_move(state, m)) for m in game.moves(state)]


def look(game: Game[Any, Any], state: Any) -> tuple[Kind, list[tuple[Any, float, Any]]]:
    """What moves at a position, and its branches.

    Raises: RuleFailed, which tells the rule and the position, if a rule fails.
    """
    try:
        kind = kind_of(game, state)
        return kind, children(game, state, kind)
    except Exception as error:
        raise failure_at(game, state, error) from error


def is_over(game: Game[Any, Any], state: Any) -> bool:
    """Whether a position is not in play.

    Raises: RuleFailed if the rule fails.
    """
    try:
        return bool(game.status(state) != Status.IN_PLAY)
    except Exception as error:
        raise failure_at(game, state, error) from error


def told(move: Any, chance: bool) -> str:
    """A move as errors tell it."""
    return f"outcome {move}" if chance else str(move)


def explore(job: Job, fold: Fold, cells: Cells | None) -> tuple[Fold, tuple[Searched, ...], Record]:
    """Search the job's branches; the fold after them, what was found, and the record."""
    start, tally, found, searched = perf_counter(), Tally(), [], False
    first: Interval | None = None
    engine = engine_for(job.game, job.engine)
    for b in job.branches:
        window = fold.inner()
        if cells is not None:
            chain = (Link(c, k, b.index if i is None else i) for c, k, i in job.chain)
            window = cells.narrow(chain, window)
        first = first or window
        result = Searched(b.index, b.chance, UNKNOWN)
        if window[0] >= window[1]:
            tally.pruned += 1 if searched else 0
        else:
            tally.nodes += 0 if searched else job.entered
            searched = True
            try:
                interval, line = evaluate(
                    engine, b.state, b.inner, job.depth, window, job.algorithm, tally
                )
            except RuleFailed as error:
                last = () if b.move is None else (told(b.move, fold.kind == "chance"),)
                raise error.after(*job.moves, *last) from error
            result = Searched(b.index, b.chance, interval, line)
            if job.cell is not None and cells is not None:
                cells.post(job.cell, fold.kind, b.index, interval)
        found.append(result)
        fold = fold.take(result)
    role = job.role
    ended = record(
        (role, (*job.path, job.branches[0].index)), role, start, tally, first or fold.inner(),
        "converted" if searched else "fizzled", "" if searched else "window closed",
    )  # fmt: skip
    return fold, tuple(found), ended


def evaluate(
    engine: Engine, state: Any, inner: Strategy, depth: int, window: Interval,
    algorithm: Algorithm, tally: Tally,
) -> tuple[Interval, tuple[int, ...]]:  # fmt: skip
    """What is found of one position, and its line, under a strategy that makes no tasks."""
    if inner == seq or depth == 0 or is_over(engine.game, state):
        found = engine.search(
            state, depth, *window,
            narrow=algorithm.narrows, nearer=algorithm.nearer_wins, stop=current(),
        )  # fmt: skip
        tally.nodes += found.nodes
        tally.leaves += found.leaves
        return known(found.value, window if algorithm.narrows else (-inf, inf)), found.line
    policy = policy_of(inner) if engine.native else None
    if policy is None:
        fold = follow(engine, state, inner, depth, window, algorithm, tally)
        return (fold.lo, fold.hi), fold.line
    seen, line = run(
        engine, state, depth, window, policy,
        narrow=algorithm.narrows, nearer=algorithm.nearer_wins, stop=current(),
    )  # fmt: skip
    tally.nodes += seen.nodes
    tally.leaves += seen.leaves
    tally.inlined += seen.inlined
    tally.pruned += seen.pruned
    return (seen.lo, seen.hi), line


def follow(
    engine: Engine, state: Any, strategy: Strategy, depth: int, window: Interval,
    algorithm: Algorithm, tally: Tally,
) -> Fold:  # fmt: skip
    """A node searched as a strategy says, but in this task: same windows, same nodes, no sparks."""
    tally.nodes += 1
    kind, below = look(engine.game, state)
    layer = strategy.unfold(kind, len(below))
    tally.inlined += sum(sparks(layer.groups))
    prefix = [Fold.enter(kind, window, algorithm.narrows)]

    def branch(i: int, window: Interval) -> Searched:
        move, chance, child = below[i]
        if window[0] >= window[1]:
            tally.pruned += 1
            return Searched(i, chance, UNKNOWN)
        try:
            found = evaluate(engine, child, layer.inner[i], depth - 1, window, algorithm, tally)
        except RuleFailed as error:
            raise error.after(told(move, kind == "chance")) from error
        return Searched(i, chance, *found)

    for g in layer.groups:
        local = prefix[entry(g)]
        for i in range(g.start, g.stop):
            if g.window is Window.ZERO:
                found = branch(i, local.zero())
                if not settled(prefix[i], found.interval):
                    again = branch(i, prefix[i].inner())
                    found = again._replace(interval=meet(found.interval, again.interval))
            else:
                found = branch(i, local.inner())
                local = local.take(found)
            prefix.append(prefix[i].take(found))
    return prefix[-1]


def entry(group: Group) -> int:
    """How many branches a group sees when it runs in order: all earlier ones if it looks live."""
    return group.start if group.window is Window.LIVE else group.after


def settled(fold: Fold, interval: Interval) -> bool:
    """Whether a test already says all that the node needs."""
    a, b = fold.inner()
    if a >= b:
        return True
    if fold.kind == "max":
        return interval[1] <= a or interval[0] >= b
    return interval[0] >= b or interval[1] <= a
