"""Work and span: of graphs computed by hand, and against all paths of random graphs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies.insight.analysis.recorded import Dag, Timed
from strategies.insight.analysis.simulation import FREE, Burden
from strategies.insight.analysis.work_span import measures

DIAMOND = Dag.of({"a": (2, ()), "b": (3, "a"), "c": (4, "a"), "d": (1, "bc")})
CHAIN = Dag.of({"a": (1, ()), "b": (2, "a"), "c": (3, "b")})
APART = Dag.of({"a": (1, ()), "b": (2, ()), "c": (3, ())})


def dags(most: int = 9) -> st.SearchStrategy[Dag]:
    """Draw random graphs in which each task waits for some of the earlier ones."""

    def build(shapes: list[tuple[int, int]]) -> Dag:
        return Dag(
            tuple(
                Timed((str(i), ()), seconds, tuple(b for b in range(i) if mask >> b & 1))
                for i, (seconds, mask) in enumerate(shapes)
            )
        )

    return st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2**most)), max_size=most).map(build)


def paths(dag: Dag, last: int) -> list[list[int]]:
    """Yield all paths that end at a task."""
    return [[last]] + [[*p, last] for b in dag.tasks[last].after for p in paths(dag, b)]


def test_by_hand() -> None:
    assert (DIAMOND.work, DIAMOND.span) == (10, 7)
    assert (CHAIN.work, CHAIN.span) == (6, 6)
    assert (APART.work, APART.span) == (6, 3)
    nothing = measures(Dag(()), Burden(latency=1))
    assert (nothing.work, nothing.span, nothing.burdened_span) == (0, 0, 0)
    assert (nothing.parallelism, nothing.burdened_parallelism) == (1, 1)
    m = measures(DIAMOND, Burden(task=0.5))
    assert (m.work, m.span, m.burdened_work, m.burdened_span) == (10, 7, 12, 8.5)
    assert m.parallelism == 10 / 7
    assert m.burdened_parallelism == 10 / 8.5


def test_the_burden_can_make_another_path_the_longest() -> None:
    dag = Dag.of({"a": (5, ()), "b": (1, ()), "c": (1, "b"), "d": (1, "c")})
    assert [t.key[0] for t in dag.longest()] == ["a"]
    assert [t.key[0] for t in dag.longest(burden=2)] == ["b", "c", "d"]
    assert measures(dag, Burden(task=2)).burdened_span == 9


@given(dags(), st.integers(0, 3))
def test_the_span_is_the_longest_of_all_paths(dag: Dag, burden: int) -> None:
    lengths = [
        sum(dag.tasks[i].seconds + burden for i in p)
        for last in range(len(dag.tasks))
        for p in paths(dag, last)
    ]
    found = measures(dag, Burden(task=burden))
    assert found.burdened_span == max(lengths, default=0)
    assert sum(t.seconds + burden for t in dag.longest(burden)) == max(lengths, default=0)
    assert found.work == sum(t.seconds for t in dag.tasks)


@given(dags(), st.integers(1, 5))
def test_bounds_are_in_order(dag: Dag, workers: int) -> None:
    bounds = measures(dag, FREE).bounds(workers)
    assert bounds.least <= bounds.greedy + 1e-9 or bounds.binding == "dispatcher"
    assert bounds.work <= dag.work
    assert bounds.dispatcher == 0


def test_the_dispatcher_bounds_many_workers() -> None:
    m = measures(APART, Burden(task=1, dispatch=2))
    assert (m.bounds(1).dispatcher, m.bounds(64).dispatcher) == (6, 6)
    assert m.bounds(64).binding == "dispatcher"
    assert m.bounds(1).binding == "work"
    with pytest.raises(ValueError, match="1 or more"):
        m.bounds(0)


def test_overhead_never_shortens_the_span() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        Burden(task=-1)
    b = Burden(together=0.5, cores=3)
    assert [b.rate(n) for n in (1, 2, 3, 64)] == [1, 0.75, 0.5, 0.5]
    assert [Burden(serial=True).rate(n) for n in (1, 4)] == [1, 0.25]
