"""The order of calls: in the graph, and as observed with one to four threads."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import dask
import pytest
from dask import delayed
from hypothesis import example, given
from hypothesis import strategies as st

from strategies import (
    Strategy,
    eval_list,
    par_buffer,
    par_list,
    par_list_chunk,
    rpar,
    split_at,
    using,
)
from tests.strategies.spec import happens_before
from tests.strategies.values.given import LISTS, seen, thunks

SCHEDULERS: list[dict[str, Any]] = [
    {"scheduler": "sync"},
    *({"scheduler": "threads", "num_workers": n} for n in (1, 2, 4)),
]


@pytest.mark.parametrize("scheduler", SCHEDULERS, ids=str)
@given(LISTS, st.integers(0, 10))
def test_elements_are_called_in_the_order_of_the_strategy(
    scheduler: dict[str, Any], s: Strategy, n: int
) -> None:
    seen()
    using(thunks(n), s).compute(**scheduler)
    at = {i: k for k, i in enumerate(seen())}
    assert all(at[i] < at[j] for i, j in happens_before(s.unfold("list", n).groups))


@example(par_buffer(2), [True] * 2 + [False] * 4 + [True] * 2)
@example(split_at(2, par_list, split_at(2, par_list, par_list)), [True] * 2 + [False] * 2 + [True])
@given(LISTS, st.lists(st.booleans(), max_size=10))
def test_the_graph_contains_exactly_the_order(s: Strategy, called: list[bool]) -> None:
    """Also where some elements are plain values, which call nothing."""
    n = len(called)
    values = [thunk if call else -1 for thunk, call in zip(thunks(n), called, strict=True)]
    order = happens_before(s.unfold("list", n).groups)
    assert waits(values, s) == {(i, j) for i, j in order if called[i] and called[j]}


def waits(values: list[Any], s: Strategy) -> frozenset[tuple[int, int]]:
    """Return the pairs (i, j) such that the graph calls element j only after element i is known."""
    graph = dict(using(values, s).__dask_graph__())
    calls = {
        key: [node.args[0] for _, node in task.args[0] if node.func.__name__ == "called"]
        for key, task in graph.items()
        if not str(key).startswith("wait")
    }

    def above(key: Any) -> set[Any]:
        found: set[Any] = set()
        stack = list(graph[key].dependencies)
        while stack:
            k = stack.pop()
            if k not in found:
                found.add(k)
                stack += graph[k].dependencies
        return found

    pairs = {
        (i, j)
        for key, own in calls.items()
        for j in own
        for i in [x for k in above(key) for x in calls.get(k, ())] + own[: own.index(j)]
    }
    return frozenset(pairs)


INNER = st.sampled_from([par_list, par_list_chunk(2), eval_list(rpar), par_buffer(1)])


@given(LISTS, INNER, st.integers(0, 6), st.integers(1, 3))
def test_a_group_waits_for_the_sparks_of_the_elements_before_it(
    s: Strategy, inner: Strategy, n: int, m: int
) -> None:
    calls = thunks(n * m)
    pairs = waits([calls[m * i : m * i + m] for i in range(n)], s(inner))
    for g in s.unfold("list", n).groups:
        before, own = range(m * g.after), range(m * g.start, m * g.stop)
        assert pairs >= {(i, j) for i in before for j in own}


@given(LISTS, st.integers(0, 10))
def test_one_worker_calls_elements_in_program_order(s: Strategy, n: int) -> None:
    answer = using(thunks(n), s)
    seen()
    for compute in (answer.compute, lambda **options: answer.run(**options).value):
        assert compute(num_workers=1) == [i * i for i in range(n)]
        assert seen() == list(range(n))


def test_the_configuration_of_dask_is_heeded() -> None:
    names = [delayed(lambda _: threading.current_thread().name, pure=False)(i) for i in range(8)]
    with dask.config.set(num_workers=1):
        assert len(set(using(names, par_list).compute())) == 1
        assert len(set(using(names, par_list).run().value)) == 1
    with ThreadPoolExecutor(2, "own pool") as pool, dask.config.set(pool=pool):
        assert all(name.startswith("own pool") for name in using(names, par_list).compute())


def test_sparks_run_at_the_same_time_and_steps_do_not() -> None:
    meeting = threading.Barrier(2)

    @delayed(pure=False)
    def meet(wait: float) -> int:
        return meeting.wait(wait)

    both = [meet(60), meet(60)]
    for s in (par_list, eval_list(rpar), par_buffer(2)):
        assert sorted(using(both, s).compute(scheduler="threads", num_workers=2)) == [0, 1]
    for s in (eval_list, par_buffer(1), par_list_chunk(2)):
        meeting.reset()
        alone = using([meet(0.01), meet(0.01)], s)
        with pytest.raises(threading.BrokenBarrierError):
            alone.compute(scheduler="threads", num_workers=2)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_buffer_limits_the_elements_in_flight_to_its_size(size: int) -> None:
    lock = threading.Lock()
    now = most = 0

    @delayed(pure=False)
    def enter(i: int) -> int:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        return i

    @delayed(pure=False)
    def leave(i: int) -> int:
        nonlocal now
        with lock:
            now -= 1
        return i

    inside = [[enter(i), leave(i)] for i in range(12)]
    answer = using(inside, par_buffer(size)(eval_list))
    assert answer.compute(scheduler="threads", num_workers=4) == [[i, i] for i in range(12)]
    assert most <= size


def test_many_elements_wait_for_many_others_through_one_task() -> None:
    from strategies import split_at
    from tests.strategies.values.given import roles

    answer = using(thunks(200), split_at(100, par_list, par_list))
    assert roles(answer) == {"spark": 200, "wait": 1, "step": 1}
    edges = sum(len(t.dependencies) for t in dict(answer.__dask_graph__()).values())
    assert edges == 100 + 100 + 200
