"""The runs that cannot be replayed, each with what to do instead."""

from __future__ import annotations

from graphs.arguments import check_kind
from graphs.errors import ArgumentError
from strategies.algebra.drivers import Driver
from strategies.insight.analysis.trace import check_windows
from strategies.running.plans.opening import iterates
from strategies.running.records.request import SearchRequest
from strategies.running.records.search_run import SearchRun


def check_replayed(result: SearchRun) -> None:
    """Raise ArgumentError for a run without a single graph of recorded tasks."""
    check_kind(SearchRun, "a result, as from search(...).compute()", result=result)
    if result.request is None:
        raise ArgumentError(
            "this result does not know its search, so it cannot be replayed: compute it by "
            "search(...).compute()"
        )
    check_request(result.request)
    if not result.records:
        raise ArgumentError("this result has no records: replay the result of a search")
    if any(r.reason == "grown" for r in result.records):
        raise ArgumentError(
            "tasks of this run were divided while they ran: replay a strategy of a number of "
            "plies, as .to_ply(2)"
        )
    if result.graphs or result.depth is not None or result.joins:
        raise ArgumentError(
            "this run deepened within a limit or by a row of graphs: replay a search to a fixed "
            "depth, such as alphabeta(depth=4)"
        )


def check_request(request: SearchRequest) -> None:
    """Raise ArgumentError for a search whose run could not be replayed."""
    if isinstance(request.strategy, Driver):
        raise ArgumentError(
            f"the threads of {request.strategy!r} share one search that is not made of tasks: "
            "replay a search under a strategy, such as jamboree(0.5)"
        )
    algorithm = request.algorithm
    check_windows(algorithm)
    if request.limits is not None:
        raise ArgumentError(
            "a search within a limit goes one ply deeper again and again: replay a search to a "
            "fixed depth, without time= or nodes="
        )
    if iterates(request) or algorithm.iterates:
        raise ArgumentError(
            f"{algorithm!r} searches one depth after another: replay a search to a fixed "
            f"depth, such as alphabeta(depth={min(algorithm.depth, 4)})"
        )
