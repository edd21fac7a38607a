"""Virtual workers: schedules computed by hand, and the laws of list scheduling."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from strategies.insight.analysis.recorded import Dag
from strategies.insight.analysis.simulation import (
    FREE,
    Burden,
    Placed,
    Recorded,
    list_schedule,
    schedule_recorded,
)
from strategies.insight.analysis.work_span import measures
from tests.strategies.insight.analysis.test_work_span import DIAMOND, dags


def placed(dag: Dag, workers: int, burden: Burden = FREE) -> list[Placed]:
    return schedule_recorded(
        [t.after for t in dag.tasks], [t.seconds for t in dag.tasks], workers, burden
    )


def test_a_task_can_be_replaced_by_several_at_its_place_in_the_order() -> None:
    """Task 0 becomes tasks 2 and 3, which take 1 second each, and 4, which task 1 waits for."""

    def run(workers: int) -> list[Placed]:
        seconds = (2, 5, 1, 1, 3)
        return list_schedule(
            [(), (0,)], lambda i: Recorded(seconds[i]),
            lambda i, job: None if i else [(), (), (2, 3)], workers, FREE,
        )  # fmt: skip

    assert run(1) == [(0, 2, 0), (2, 3, 0), (3, 4, 0), (4, 7, 0), (7, 12, 0)]
    assert run(2)[1:] == [(2, 3, 0), (2, 3, 1), (3, 6, 0), (6, 11, 0)]


def test_by_hand() -> None:
    assert placed(DIAMOND, 1) == [(0, 2, 0), (2, 5, 0), (5, 9, 0), (9, 10, 0)]
    assert placed(DIAMOND, 2) == [(0, 2, 0), (2, 5, 0), (2, 6, 1), (6, 7, 0)]


def test_the_first_ready_task_is_taken_first() -> None:
    dag = Dag.of({"a": (1, ()), "b": (9, ()), "c": (1, "a"), "d": (1, ())})
    assert [p.start for p in placed(dag, 2)] == [
        0,
        0,
        1,
        2,
    ]  # c comes before d, although d was ready first


def test_workers_without_a_task_cost_nothing() -> None:
    assert placed(DIAMOND, 10**12) == placed(DIAMOND, 4)


def test_burdens() -> None:
    apart = Dag.of({"a": (1, ()), "b": (1, ()), "c": (1, ())})
    late = placed(apart, 1, Burden(task=0.5))
    assert [(p.start, p.end) for p in late] == [(0.5, 1.5), (2, 3), (3.5, 4.5)]
    turns = placed(apart, 3, Burden(dispatch=0.5))
    assert [p.start for p in turns] == [0, 0.5, 1]
    slow = placed(apart, 3, Burden(together=0.5, cores=3))
    assert [p.end for p in slow] == [2, 2, 2]
    one_at_a_time = placed(apart, 3, Burden(serial=True))
    assert [p.end for p in one_at_a_time] == [3, 3, 3]


def test_latency_delays_results_but_occupies_no_worker() -> None:
    found = placed(DIAMOND, 2, Burden(latency=1))
    assert [(p.start, p.end) for p in found] == [(0, 2), (3, 6), (3, 7), (8, 9)]
    apart = Dag.of({"a": (1, ()), "b": (1, ()), "c": (1, ())})
    assert placed(apart, 1, Burden(latency=9)) == placed(apart, 1)
    beside = Dag.of({"a": (2, ()), "b": (3, "a"), "c": (4, ())})
    found = placed(beside, 1, Burden(latency=1))
    assert [(p.start, p.end) for p in found] == [(0, 2), (6, 9), (2, 6)]


@given(dags(), st.integers(1, 4), st.integers(1, 3))
def test_no_task_starts_before_the_latency_has_passed(dag: Dag, workers: int, latency: int) -> None:
    found = placed(dag, workers, Burden(latency=latency))
    for p, t in zip(found, dag.tasks, strict=True):
        assert p.end - p.start == t.seconds
        assert all(found[b].end + latency <= p.start for b in t.after)
    idle = placed(dag, len(dag.tasks) or 1, Burden(latency=latency))
    for p, t in zip(idle, dag.tasks, strict=True):  # with enough workers, nothing else delays it
        assert p.start == max((idle[b].end + latency for b in t.after), default=0)


@given(dags(), st.integers(1, 4))
def test_a_schedule_keeps_the_order_and_the_bounds(dag: Dag, workers: int) -> None:
    found = placed(dag, workers)
    for p, t in zip(found, dag.tasks, strict=True):
        assert p.end - p.start == t.seconds
        assert all(found[b].end <= p.start for b in t.after)
    for worker in range(workers):
        mine = sorted(p[:2] for p in found if p.worker == worker)
        assert all(a[1] <= b[0] for a, b in pairwise(mine))
    seconds = max((p.end for p in found), default=0)
    bounds = measures(dag).bounds(workers)
    assert bounds.least <= seconds <= bounds.greedy


BURDENS = st.builds(
    Burden,
    st.floats(0, 3), st.floats(0, 3), st.floats(0.1, 1), st.integers(1, 4), st.booleans(),
    st.sampled_from([0, 0.5, 3]),
)  # fmt: skip


@given(dags(), st.integers(1, 6), BURDENS)
def test_schedules_keep_the_greedy_bound_plus_dispatch_time(
    dag: Dag, workers: int, burden: Burden
) -> None:
    seconds = max((p.end for p in placed(dag, workers, burden)), default=0)
    assert seconds <= measures(dag, burden).bounds(workers).most * (1 + 1e-9)
