"""Advice: strategies under which more tasks can run at once, found by making their plans."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

from attrs import evolve, frozen

from graphs.errors import JamboreeError
from strategies.algebra.by_node import Budget
from strategies.algebra.combinators import par_list, young_brothers_wait
from strategies.algebra.orders import ParBuffer, ParListChunk, Share, SplitAt
from strategies.algebra.strategy import EvalList, Modified, Strategy, uses_sizes
from strategies.insight.analysis.diagnosis.facts import EACH, Facts
from strategies.running.plans.opening import plan
from strategies.running.plans.plan import Node, PlanError
from strategies.running.records.request import SearchRequest

PLANNED: Final = 10_000
"""The most tasks of a plan that is made to see what a strategy would do."""
FEWER: Final = "Search fewer branches in order first"


@frozen
class Advice:
    """A strategy to try, and how it differs."""

    how: str
    using: Strategy

    def __str__(self) -> str:
        return f"{self.how}: {self.using!r}"


def width(node: Node | None) -> int:
    """Return how many tasks at a node and below it can run at once, in the order of its plan.

    Ends of the game do not count: a node evaluates them one after the other.
    """
    if node is None:
        return 1
    each = [
        max(0 if b.over else width(node.nodes[b.turn]) for b in node.branches[g.start : g.stop])
        for g in node.groups
    ]
    beside = (  # the groups before each that it does not wait for, with itself
        sum(each[i] for i in range(last + 1) if node.groups[i].start >= g.after)
        for last, g in enumerate(node.groups)
    )
    return max(1, *beside)


def at_once(f: Facts) -> int | None:
    """Return how many tasks the order of a run lets run at once; None if its plan is not known."""
    asked = _asked(f)
    try:
        return width(_root(*asked)) if asked else None
    except JamboreeError:
        return None


def widened(f: Facts, now: int) -> Advice | None:
    """Return the nearest strategy that is known to let more than `now` tasks run at once.

    Raises: PlanError if the plans of those strategies are too large to say so.
    """
    return _first(f, f.sparked + 1, lambda root: width(root) > now, now)


def split(f: Facts, place: tuple[int, ...]) -> Advice | None:
    """Return the nearest strategy that is known to split the task at a place."""

    def splits(node: Node | None) -> bool:
        for i in place:
            node = node and node.nodes[i]
        return width(node) > 1

    with suppress(PlanError):
        return _first(f, len(place) + 1, splits)
    return None


def _asked(f: Facts) -> tuple[SearchRequest, Strategy] | None:
    """Return the request of a run and its strategy, if its tasks are those of one plan."""
    request = f.request
    if not request or f.result.graphs or not isinstance(request.strategy, Strategy):
        return None
    return None if uses_sizes(request.strategy) else (request, request.strategy)


def _first(
    f: Facts, plies: int, suits: Callable[[Node | None], bool], now: int = 1
) -> Advice | None:
    """Return the first of the candidates whose plan suits.

    Raises: PlanError if two plans are too large.
    """
    asked, too_large = _asked(f), 0
    if asked is None:
        return None
    request, using = asked
    for advice in _candidates(request, using, plies, f.run.workers, now):
        try:
            if suits(_root(request, advice.using)):
                return advice
        except PlanError:
            too_large += 1
            if too_large == 2:
                raise
        except JamboreeError:  # the strategy does not suit the algorithm
            continue
    return None


def _root(request: SearchRequest, using: Strategy) -> Node | None:
    """Return the root of the plan of the same search under a strategy.

    Raises: PlanError if it is too large; JamboreeError if the strategy does not suit the search.
    """
    return plan(
        request.game, request.algorithm, using, request.state, engine=request.ran_on,
        most_tasks=PLANNED,
    ).root  # fmt: skip


def _candidates(
    request: SearchRequest, using: Strategy, plies: int, workers: int, now: int
) -> Iterator[Advice]:
    """Yield strategies to try, the nearest first; `plies` is the next ply that could spark."""
    narrows = request.algorithm.narrows
    more = loosened(using, workers, now, narrows)
    if more is not None:
        yield Advice("Let more branches run at once", more)
    depths = range(plies, request.algorithm.depth + 1)
    for k in depths[:1]:
        yield Advice("Spark one ply deeper", _to_ply(using, k))
    fewer = halved(using)
    if fewer is not None:
        yield Advice(FEWER, fewer)
    for k in depths:
        if k > plies:
            yield Advice("Spark at more plies", _to_ply(using, k))
        for other in (young_brothers_wait, par_list) if narrows else (par_list,):
            yield Advice("Spark at other nodes, too", other.to_ply(k))


def _to_ply(using: Strategy, plies: int) -> Strategy:
    """Return a strategy with sparks at so many plies, where it has fewer."""
    if not isinstance(using, Modified):
        return using.to_ply(plies)
    grain = using.spark_plies and max(using.spark_plies, plies)
    return evolve(using, plies=max(using.plies or 1, plies), spark_plies=grain)


def loosened(using: Strategy, workers: int, now: int, narrows: bool) -> Strategy | None:
    """Return a strategy with a larger buffer or budget, smaller chunks, or less order; None if it
    has none of these.  `now` is how many of its tasks run at once, `narrows` whether a branch gains
    from the results of those before it.

    >>> from strategies import eval_list, par_buffer, par_list_chunk
    >>> loosened(par_buffer(2), 8, 2, True), loosened(par_list_chunk(8).to_ply(3), 4, 2, True)
    (par_buffer(8), par_list_chunk(2).to_ply(3))
    >>> [loosened(eval_list(par_list), 8, 2, narrows) for narrows in (True, False)]
    [young_brothers_wait(par_list), par_list(par_list)]
    """
    match using:
        case Modified():
            body = loosened(using.body, workers, now, narrows)
            return body and using.on(body)
        case ParBuffer() if using.size < workers:
            return evolve(using, size=workers)
        case ParListChunk() if using.size > 1:
            return evolve(using, size=max(1, using.size * now // (EACH * workers)))
        case Budget() if using.threads < workers:
            return evolve(using, threads=workers)
        case EvalList():
            return (young_brothers_wait if narrows else par_list).plug(using.inner)
    return None


def halved(using: Strategy) -> Strategy | None:
    """Return a strategy that searches half as many branches in order first; None if it has none.

    >>> from strategies import jamboree
    >>> halved(jamboree(0.5).to_ply(2)), halved(young_brothers_wait)
    (jamboree(0.25).to_ply(2), None)
    """
    match using:
        case Modified():
            body = halved(using.body)
            return body and using.on(body)
        case SplitAt(at=Share(of=of)) if of:
            return evolve(using, at=Share(of / 2))
        case SplitAt(at=int(at)) if at > 1:
            return evolve(using, at=at // 2)
    return None
