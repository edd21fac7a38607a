"""The facts and findings of a diagnosis, from a run whose times are set by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies.insight.analysis.diagnosis.facts import Facts
from strategies.insight.analysis.diagnosis.faults import (
    Finding,
    dispatched,
    few,
    fizzled,
    large,
    slower,
    small,
    stale,
)
from strategies.insight.analysis.utilisation import Wait, laid_out
from strategies.running.records.record import Record, Role, now, record

MS = 1e-3


def task(worker: str, start: float, end: float, role: Role = "spark", **more: Any) -> Record:
    outcome = {"spark": "converted"}.get(role, "done")
    one = record((role, (0,)), role, now(), outcome=outcome)  # type: ignore[arg-type]
    return one._replace(start=3 + start * MS, end=3 + end * MS, worker=worker, **more)


def facts(tasks: list[tuple[Record, float]], nodes: int = 300, **more: Any) -> Facts:
    """Return the facts of tasks, each with the time at which it was ready, in milliseconds."""
    records = tuple(r for r, _ in tasks)
    waits = {id(r): Wait(3 + ready * MS) for r, ready in tasks}
    reasons = (("window closed", 1), ("already known", 1))
    result = SimpleNamespace(
        records=records, nodes=nodes, request=None, graphs=(),
        sparks=SimpleNamespace(reasons=reasons),
    )  # fmt: skip
    return Facts(result, laid_out(records, waits), **more)  # type: ignore[arg-type]


def sequential(milliseconds: float, nodes: int) -> Any:
    return SimpleNamespace(records=(task("h/1/1", 0, milliseconds, "step"),), nodes=nodes)


CLOSED = {"outcome": "fizzled", "reason": "window closed"}
RUN = [
    (task("h/1/1", 0, 30, "step"), 0.0),
    (task("h/1/1", 32, 52), 30.0),  # 2 ms after it was ready
    (task("h/1/2", 36, 66), 30.0),  # 6 ms
    (task("h/1/1", 60, 64, **CLOSED), 60.0),  # at once; the worker was idle for 8 ms
    (task("h/1/1", 71, 80, "fold"), 66.0),  # 5 ms
]
"""80 ms on two workers, the second of which is idle for 30 ms before its task and 14 ms after."""


def test_the_facts_are_those_of_the_clock() -> None:
    found = facts(RUN, sequential=sequential(100, 200))
    assert found.seconds == pytest.approx(80 * MS)
    assert found.idle == pytest.approx((8 + 2 + 30 + 14) / 160)
    assert [b.record.seconds for b in found.converted] == pytest.approx([30 * MS, 20 * MS])
    assert found.steps == pytest.approx(30 * MS)
    assert found.handing == pytest.approx(2 * MS), "the median of 0, 2, 6, 0 and 5 ms"
    assert found.scheduling == pytest.approx(2 * 5 / 160), "less than the 13 ms in all"
    assert found.cost == pytest.approx((2 + 9 / 3) * MS), "a fold for three sparks"
    assert found.overhead == pytest.approx((10 + 9 + 4) / 160)
    assert found.excess == 300 / 200
    assert found.speedup == pytest.approx(100 / 80)
    assert facts(RUN).excess is facts(RUN).speedup is None


def said(finding: Finding | None) -> tuple[str, str, float]:
    assert finding is not None
    return finding.name, finding.says, finding.lost


def test_findings_name_the_numbers_of_the_facts() -> None:
    found = facts(RUN, sequential=sequential(60, 200))
    assert said(few(found)) == (
        "too few sparks",
        "2 workers idle 34% of the time; 2 sparks searched; branches in order took 30 ms of 80 ms.",
        pytest.approx(54 / 160),
    )
    assert said(stale(found)) == (
        "stale windows",
        "300 nodes were visited, 1.5 times those of the sequential search: sparks started before "
        "results that would have narrowed their windows.",
        pytest.approx(1 / 3),
    )
    assert said(slower(found)) == (
        "slower than sequential",
        f"80 ms on 2 workers, against 60 ms in order on one; {84 / 160:.0%} of the workers' time "
        "was search. It visited 1.5 times the nodes.",
        pytest.approx(1 / 4),
    )
    assert small(found) is large(found) is fizzled(found) is dispatched(found) is None
    assert slower(facts(RUN, sequential=sequential(81, 300))) is None
    assert stale(facts(RUN, sequential=sequential(81, 300))) is None


def test_steps_of_half_the_run_are_too_few_sparks_in_any_number() -> None:
    sparks = [(task("h/1/2", 40 + k, 41 + k), 40.0) for k in range(4)]
    for milliseconds, fault in ((30, False), (50, True)):
        found = facts([(task("h/1/1", 0, milliseconds, "step"), 0.0), *sparks,
                       (task("h/1/1", 60, 80, "fold"), 60.0)])  # fmt: skip
        assert found.idle > 0.25
        assert (few(found) is not None) == fault


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 30)), min_size=1, max_size=8))
def test_steps_that_overlap_take_no_longer_than_the_run(times: list[tuple[int, int]]) -> None:
    """Each step has its own worker; the time is that in which any of them ran."""
    steps = [
        (task(f"h/1/{worker}", start, start + took, "step"), 0.0)
        for worker, (start, took) in enumerate(times)
    ]
    searched = {ms for start, took in times for ms in range(start, start + took)}
    found = facts(steps)
    assert found.steps == pytest.approx(len(searched) * MS)
    assert found.steps < found.seconds + 1e-9


def test_fewer_branches_in_order_are_advised_only_if_there_are_some() -> None:
    spark = (task("h/1/1", 0, 60), 0.0)
    idle = (task("h/1/2", 0, 1), 0.0)
    alone = few(facts([spark, idle]))
    after = few(facts([(task("h/1/2", 0, 9, "step"), 0.0), spark]))
    assert alone is not None
    assert after is not None
    assert ("in order" in alone.advice, "in order" in after.advice) == (False, True)


def late(closed: int) -> Facts:
    """Return a run of 25 ms: four sparks of 2 ms, each 4 ms after it was ready."""
    sparks = [
        (task("h/1/1", 5 + 6 * k, 7 + 6 * k, **(CLOSED if k < closed else {})), 1.0)
        for k in range(4)
    ]
    return facts([(task("h/1/1", 0, 1, "step"), 0.0), *sparks])


def test_the_cost_of_starting_tasks_is_named() -> None:
    assert said(dispatched(late(0))) == (
        "dispatcher-bound",
        "starting 5 tasks took 64% of the workers' time: each was ready 4 ms before a free "
        "worker began it.",
        pytest.approx(16 / 25),
    )
    assert said(small(late(0))) == (
        "sparks too small",
        "half of the sparks searched for less than 2 ms, and each task adds 4 ms: 64% of the time "
        "was overhead.",
        pytest.approx(16 / 25),
    )
    assert said(fizzled(late(3))) == (
        "fizzled sparks",
        "3 of 4 sparks had nothing to search (1 window closed, 1 already known): 72% of the time.",
        pytest.approx(18 / 25),
    )
    assert fizzled(late(1)) is None
    assert small(late(4)) is None, "no spark searched"


def test_what_a_brief_spark_does_beside_its_search_is_overhead() -> None:
    """A task that visits 1,000 nodes a millisecond tells how long 10 nodes take."""
    slow = [(task("h/1/2", k / 10, k / 10 + 0.1, nodes=10), 0.0) for k in range(80)]
    fast, longer = task("h/1/1", 0, 9, nodes=9000), task("h/1/1", 9, 10, nodes=10)
    found = facts([(fast, 0.0), (longer, 0.0), *slow])
    assert [
        found.seconds_beside_search(b) for b in found.run.bars if b.record in (fast, longer)
    ] == [0, 0]
    assert found.inside == pytest.approx(80 * 0.09 * MS)
    assert found.overhead - found.scheduling == pytest.approx(80 * 0.09 / 20)
    name, says, _ = said(small(found))
    assert name == "sparks too small"
    assert "half of the sparks searched for less than 10 µs, and each task adds 87.8 µs" in says


def test_the_longest_spark_is_compared_with_the_others() -> None:
    rest = [(task("h/1/2", 10 * k, 10 * k + 8), 0.0) for k in range(3)]
    name, says, lost = said(large(facts([(task("h/1/1", 0, 60), 0.0), *rest])))
    assert name == "unbalanced sparks"
    assert " ran for 60 ms of 60 ms, 8 times the mean of the others; 2 workers idle" in says
    assert lost == pytest.approx(32 / 120)
    assert large(facts([(task("h/1/1", 0, 60), 0.0), *rest[:2]])) is None, "too few to compare"
