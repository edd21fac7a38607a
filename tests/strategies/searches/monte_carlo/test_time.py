"""Trees that grow one after the other share the limit of time; others have all of it."""

from __future__ import annotations

from typing import Any

import dask
import pytest

from games import TicTacToe
from strategies import eval_list, mcts, par_list, par_list_chunk, search
from strategies.searches.monte_carlo.search import lower
from tests.strategies.clusters import cluster


@pytest.mark.parametrize(
    ("using", "workers", "one_after_the_other"),
    [(par_list, 4, 1), (par_list, 3, 2), (par_list, 1, 4), (par_list_chunk(2), 4, 2),
     (eval_list, 4, 4)],
)  # fmt: skip
def test_trees_share_the_time(using: Any, workers: int, one_after_the_other: int) -> None:
    answer = search(TicTacToe(), mcts(4, trees=4), using=using, time=8.0)
    graph, _ = lower(answer.job, answer.groups, "here", workers)
    jobs = [task.args[0] for key, task in graph.items() if key[0] == "tree-here"]
    assert {job.seconds for job in jobs} == {8.0 / one_after_the_other}


@pytest.mark.parametrize(
    ("settings", "one_after_the_other"),
    [({"num_workers": 4}, 1), ({"num_workers": 3}, 2), ({"scheduler": "sync"}, 4),
     ({"scheduler": "processes", "num_workers": 2}, 2)],
)  # fmt: skip
def test_trees_share_the_time_under_dask(
    settings: dict[str, Any], one_after_the_other: int
) -> None:
    answer = search(TicTacToe(), mcts(4, trees=4), using=par_list, time=8.0)
    with dask.config.set(settings):
        jobs = [task.args[0] for key, task in answer.dask.items() if key[0].startswith("tree")]
    assert {job.seconds for job in jobs} == {8.0 / one_after_the_other}


def test_trees_on_all_threads_of_a_cluster_have_the_whole_time() -> None:
    with cluster(workers=2, threads=2):
        answer = search(TicTacToe(), mcts(4, trees=4), using=par_list, time=8.0)
        jobs = [task.args[0] for key, task in answer.dask.items() if key[0].startswith("tree")]
    assert {job.seconds for job in jobs} == {8.0}
