"""Bundles of a plan's tasks find the same result, and their number follows from the grain."""

from __future__ import annotations

from graphlib import TopologicalSorter
from typing import Any

import pytest
from dask.task_spec import Task
from hypothesis import example, given
from hypothesis import strategies as st

from games import HANDOUT_SMALL, ConnectFour, ExplicitGame
from strategies import alphabeta, expectimax, minimax, par_list, search
from strategies.algebra.strategy import Strategy
from strategies.algorithms.errors import AlgorithmError
from strategies.running.execution.branches import BranchJob
from strategies.running.plans.bundling import Bundle, bundled
from strategies.running.plans.lowering import lower_fold
from strategies.running.plans.on_cluster import _tasks, unconcluded
from strategies.running.plans.opening import plan
from strategies.running.runtime.shipping import Parcel
from tests.properties import examples
from tests.strategies.given import searches, trees

pytest.importorskip("distributed")


def cost(task: Task) -> float:
    job = task.args[0] if task.args else None
    return float(len(job.branches)) if isinstance(job, BranchJob) else 0.0


def run(bundles: tuple[Bundle, ...], parcel: Parcel) -> dict[Any, Any]:
    """Run bundles in this process as a cluster does, pickling each."""
    done: dict[int, tuple[Any, ...]] = {}

    def known(n: int) -> tuple[Any, ...]:
        if n not in done:
            inputs = [known(m) for m, _ in bundles[n].needs]
            done[n] = parcel.content.read(parcel.add(bundles[n].run))(*inputs)
        return done[n]

    return {key: v for n, b in enumerate(bundles) for key, v in zip(b.gives, known(n), strict=True)}


def before(needs: dict[Any, set[Any]]) -> dict[Any, set[Any]]:
    """Return all predecessors of each task. Raises: CycleError."""
    found: dict[Any, set[Any]] = {}
    for x in TopologicalSorter(needs).static_order():
        found[x] = set(needs[x]).union(*(found[d] for d in needs[x]))
    return found


ALGORITHMS = alphabeta(9), minimax(9), expectimax(9)


@given(
    trees(chance=True, floats=True), searches(), st.sampled_from(ALGORITHMS),
    st.sampled_from([0.0, 2.0, 5.0, 1e9]), st.sampled_from([1, 2, 128]),
)  # fmt: skip
@examples(50, times=40)
def test_bundles_compute_the_result_of_one_machine(
    game: ExplicitGame, strategy: Strategy, algorithm: Any, grain: float, widest: int
) -> None:
    try:
        answer = search(game, algorithm, using=strategy, engine="interpreted")
    except (AlgorithmError, ValueError):
        return
    here = answer.compute(num_workers=1)
    graph, keys, finish = unconcluded(*answer._lowered)
    bundles = bundled(graph, keys, cost, grain, widest)
    values = run(bundles, Parcel((game, algorithm)))
    found = finish([values[key] for key in keys])
    assert (found.value, found.move) == (here.value, here.move)
    assert found.sparks.balanced()
    assert found.sparks.asked == here.sparks.asked
    if not any(word in repr(strategy) for word in ("live", "young_brothers_wait", "pv_split")):
        assert (found.nodes, found.leaves, found.line) == (here.nodes, here.leaves, here.line)
        assert found.sparks == here.sparks
        assert {r.key for r in found.records} == {r.key for r in here.records}


@given(trees(chance=True), searches(), st.sampled_from([0.0, 2.0, 5.0, 1e9]))
@example(HANDOUT_SMALL, par_list.to_ply(2), 5.0)
def test_bundles_partition_the_tasks_in_order_within_the_grain(
    game: ExplicitGame, strategy: Strategy, grain: float
) -> None:
    graph, keys = lower_fold(plan(game, alphabeta(9), strategy), "t")
    bundles = bundled(graph, keys, cost, grain)
    place = {key: i for i, key in enumerate(graph)}
    for b in bundles:
        numbers = [place[t.key] for t in b.tasks]
        assert numbers == sorted(numbers)
        assert sum(map(cost, b.tasks)) <= max(grain, max(map(cost, b.tasks)))
    assert sorted(place[t.key] for b in bundles for t in b.tasks) == list(range(len(graph)))
    firsts = [place[b.tasks[0].key] for b in bundles]
    assert firsts == sorted(firsts)


@given(trees(chance=True), searches())
@example(ExplicitGame.from_nested([[1, 2, 3, 4]] * 4), par_list.to_ply(2))
def test_without_a_grain_bundles_add_no_dependencies(
    game: ExplicitGame, strategy: Strategy
) -> None:
    graph, keys = lower_fold(plan(game, alphabeta(9), strategy), "t")
    bundles = bundled(graph, keys, cost, 0.0)
    one = before({key: set(task.dependencies) for key, task in graph.items()})
    other = before({n: {m for m, _ in b.needs} for n, b in enumerate(bundles)})
    for n, b in enumerate(bundles):
        held = [t.key for m in (*other[n], n) for t in bundles[m].tasks if cost(t)]
        for task in b.tasks:
            if cost(task):
                assert {*held} - {task.key} == {k for k in one[task.key] if cost(graph[k])}


def test_folds_become_one_merge_and_siblings_share_a_task() -> None:
    """49 branches, 12 in a bundle, make 5 bundles and one merge for all folds."""
    graph, keys = lower_fold(plan(ConnectFour(), minimax(4), par_list.to_ply(2)), "t")
    many = bundled(graph, keys, cost, 0.0)
    assert len(graph) == 49 + 42 + 7
    assert len(many) == 49 + 1
    few = bundled(graph, keys, cost, 12.0)
    assert [sum(map(cost, b.tasks)) for b in few if any(map(cost, b.tasks))] == [12] * 4 + [1]
    assert len(few) == 6
    assert len(bundled(graph, keys, cost, 49.0)) == 1


def test_tasks_wait_only_for_tasks_of_the_search() -> None:
    """Shared data are no task of the graph, because that would add an edge to every task."""
    answer = search(ConnectFour(4, 4), alphabeta(3), using=par_list.to_ply(2))
    graph, keys, _ = unconcluded(*answer._lowered)
    bundles = bundled(graph, keys, cost, 2.0)
    made, _ = _tasks("run", bundles, keys, Parcel((answer.plan.game,)))
    names = list(made)
    assert [t.dependencies for t in made.values()] == [
        {names[n] for n, _ in b.needs} for b in bundles
    ]
