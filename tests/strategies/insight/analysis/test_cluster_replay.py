"""Replays of runs on a cluster: the bundles, and what limits their speed."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from games import ConnectFour, TicTacToe
from graphs import ArgumentError
from strategies import Result, abdada, jamboree, minimax, par_list, pvs, search
from strategies.algebra.strategy import Strategy
from strategies.insight.analysis.cluster_replay import replay_on_cluster
from strategies.insight.analysis.simulation import Burden
from strategies.insight.analysis.utilisation import utilisation
from strategies.running.plans.bundling import grain_for


def run(using: Strategy, node: float) -> Result:
    """Return a run whose nodes take `seconds` each."""
    answer = search(ConnectFour(4, 4), minimax(5), using=using, engine="interpreted")
    once = answer.compute(num_workers=1)
    return evolve(
        once, records=tuple(r._replace(start=0.0, end=r.nodes * node) for r in once.records)
    )


@pytest.mark.parametrize("using", [par_list.to_ply(3), jamboree(0.5).to_ply(3)])
def test_every_task_runs_once_and_in_order(using: Strategy) -> None:
    result = run(using, 0.01)
    made = replay_on_cluster(result, 4, Burden(latency=0.5))
    assert made.result.work == pytest.approx(result.work)
    assert made.seconds >= result.work / 4
    found = utilisation(made.result)
    for bar in found.bars:
        assert all(found.bars[i].end <= bar.start + 1e-9 for i in bar.after)
    lanes: dict[int, float] = {}
    for bar in found.bars:
        assert bar.start >= lanes.get(bar.lane, 0.0) - 1e-9
        lanes[bar.lane] = bar.end


def test_the_scheduler_limits_short_bundles() -> None:
    """Each of 64 branches is a bundle; the scheduler starts one a second, for any workers."""
    result = run(par_list.to_ply(3), 1.0)
    work = result.work
    free, bound = (replay_on_cluster(result, 1000, Burden(dispatch=d)) for d in (0.0, 100.0))
    bundles = 64
    assert grain_for(work, 1000) < min(r.seconds for r in result.records if r.nodes > 1)
    assert free.seconds < work / 10
    assert bound.seconds >= 100.0 * (bundles - 1)
    assert bound.result.value == result.value


@pytest.mark.parametrize(
    ("result", "why"),
    [
        (
            search(TicTacToe(), pvs(3), using=par_list, engine="interpreted"),
            r"no search that deepens: .* Use replay\(result, workers\)",
        ),
        (
            search(TicTacToe(), pvs(3), using=abdada(2), engine="interpreted"),
            r"threads of abdada\(workers=2\) are not tasks",
        ),
        (3, r"a result, as from search\(...\).compute\(\), not 3"),
    ],
)
def test_the_error_says_why_a_run_cannot_be_replayed_on_a_cluster(result: Any, why: str) -> None:
    run = result if result == 3 else result.compute(num_workers=2)
    with pytest.raises(ArgumentError, match=why):
        replay_on_cluster(run, 4)
