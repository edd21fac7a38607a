"""Make the result of a search, in the last task of a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from math import inf
from typing import Any

from attrs import evolve

from games import WIN
from games.game import LONGEST
from graphs.errors import ArgumentError
from strategies.algorithms.fold import Fold, Interval
from strategies.native.failures import check_numbers
from strategies.running.plans.plan import SparkCounts
from strategies.running.plans.tasks import Begun
from strategies.running.records.clocks import Call, Reading, set_clocks
from strategies.running.records.record import Record, process_of
from strategies.running.records.request import SearchRequest
from strategies.running.records.run import Run
from strategies.running.records.sparks import audited, ledger


def answered(
    result: Run, call: Call, graph: Callable[[], Mapping[Any, Any]],
    readings: Callable[[], Iterable[Reading]] = tuple,
) -> Run:  # fmt: skip
    """Return the result of a call, with its times on the caller's clock; `readings` reads those of
    other processes."""
    result = evolve(result, call=call)
    if {process_of(r) for r in result.records} <= {call.process}:
        return result
    tasks = graph()
    recorded = by_task(tasks, result.records)
    before = (
        (recorded[d], recorded[key]) for key, task in tasks.items() for d in task.dependencies
        if d in recorded and key in recorded
    )  # fmt: skip
    records, clocks = set_clocks(result.records, before, call, readings())
    source = (records, *result._replay[:2])
    return evolve(
        result, records=records, clocks=clocks, sparks=evolve(result.sparks, source=source)
    )


def by_task(graph: Mapping[Any, Any], records: Sequence[Record]) -> dict[Any, Record]:
    """Return the record of each task of a graph; the last task's is the one that is left."""
    known = {r.key: r for r in records}
    found = {}
    for key in graph:
        mine = known.pop((key[0].rpartition("-")[0], key[1]), None)
        if mine is not None:
            found[key] = mine
    if len(known) == 1:
        found[next(reversed(graph))] = known.popitem()[1]
    return found


def conclude(
    result_class: type[Run], request: SearchRequest, counts: SparkCounts, window: Interval,
    begun: Begun | None, task: Callable[..., Fold], /, *args: Any, **kwargs: Any,
) -> Run:  # fmt: skip
    """Conclude a search in its last task: return its result, as a `result_class`."""
    game, state = request.game, request.state
    fold = task(*args, **kwargs)
    records = (*fold.log, *(begun[1:] if begun else ()))
    lo, hi = fold.lo, fold.hi
    value = lo if lo == hi or lo >= window[1] else hi
    several = isinstance(value, tuple)
    if not several and not abs(value) <= WIN + LONGEST:
        check_numbers(game, state, request.algorithm.depth)
        if value != value or abs(value) != inf:
            raise ArgumentError(
                f"the value of the position came out as {value}: a number strictly between "
                "Minnie's win and Maxie's is wanted of estimate and utility"
            )
    if lo != hi and window[0] < value < window[1]:
        raise AssertionError(f"the value is only known to lie in [{lo}, {hi}]")
    return result_class(
        move=next(islice(game.moves(state), fold.line[0], None)) if fold.line else None,
        value=value,
        leaves=sum(r.leaves for r in records),
        nodes=sum(r.nodes for r in records),
        sparks=audited(ledger(counts.attempts, records, counts.opened, (records, game, state))),
        span=fold.span,
        records=records,
        replay=(game, state, fold.line),
        request=request,
    )
