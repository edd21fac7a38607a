"""What does it cost to record every spark?  Runs with records, against runs that make none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.finding import Finding, seconds
from benchmarks.measure import interleaved


def run(quick: bool) -> list[Finding]:
    from games import ConnectFour
    from strategies import alphabeta, search, young_brothers_wait

    depth, rounds = (6, 3) if quick else (13, 40)
    answer = search(ConnectFour(), alphabeta(depth), using=young_brothers_wait.to_ply(2))
    tasks = len(answer.tasks())

    def recorded() -> Any:
        return answer.compute(num_workers=1)

    with_records, without = interleaved(recorded, _unrecorded(recorded), rounds=rounds, least=0)
    share = 100 * (min(with_records) / min(without) - 1)
    return [
        Finding(
            "recording every task, at some milliseconds a task", share, 2.0,
            "the same run, no records made", f"{tasks} tasks", seconds(min(with_records)),
            seconds(min(without)), at_most=True, unit=" %",
        )
    ]  # fmt: skip


def _unrecorded(work: Callable[[], Any]) -> Callable[[], Any]:
    """Return the work with one constant in place of all records, and no ledger, rows or clocks."""
    from attrs import evolve

    from strategies.running.execution import branches as explore
    from strategies.running.plans import search_graph, tasks
    from strategies.running.records.record import now, record
    from strategies.running.records.sparks import Sparks

    nothing = record(("step", ()), "step", now())
    places: list[tuple[Any, str, Any]] = [
        (explore, "record", lambda *_: nothing),
        (tasks, "record", lambda *_: nothing),
        (tasks, "Log", lambda *_: ()),
        (tasks, "ledger", lambda *_: Sparks()),
        (search_graph.SearchGraph, "_answered", lambda _graph, found, *_: evolve(found)),
    ]

    def bare() -> Any:
        real = [getattr(module, name) for module, name, _ in places]
        for module, name, fake in places:
            setattr(module, name, fake)
        try:
            return work()
        finally:
            for (module, name, _), old in zip(places, real, strict=True):
                setattr(module, name, old)

    return bare
