"""A wait warns of missing workers if the cluster has none, and ends if none can do the work."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from strategies.running.runtime import absence
from strategies.running.runtime.absence import LARGER, NOBODY, Absence, Overdue
from strategies.running.runtime.scheduler_side import Lost, Workers
from strategies.running.runtime.shipping import ClusterError


class Cluster:
    """A stand-in for a client, its loop and its scheduler, which answers only if told so."""

    status = "running"

    def __init__(
        self, *, answers: bool = True, lost: tuple[Lost, ...] = (), returns: bool = False,
        count: int = 0, paused: int = 0,
    ) -> None:  # fmt: skip
        self.loop = self
        self.answers = answers
        self.workers = Workers(count, count, ("there",) * paused, lost, returns)

    def add_callback(self, ask: Callable[[], Any]) -> None:
        if self.answers:
            asyncio.run(ask())

    async def _run_on_scheduler(self, ask: Any, seconds: float) -> Workers:
        return self.workers


def look(client: Cluster) -> list[str]:
    """Check three times; return the warnings."""
    wait = Absence(client)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for _ in range(3):
            wait.look()
    return [str(w.message) for w in told]


def test_a_scheduler_that_does_not_answer_causes_no_warning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(absence, "PATIENCE", 0.0)
    monkeypatch.setattr(absence, "SELDOM", 0.0)
    assert look(Cluster(answers=True)) == [NOBODY]
    assert look(Cluster(answers=False)) == []


def test_each_wait_warns_if_there_is_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Although Python by default shows a warning once for each place in the code."""
    monkeypatch.setattr(absence, "PATIENCE", 0.0)
    monkeypatch.setattr(absence, "SELDOM", 0.0)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("default")
        for _ in range(2):
            wait = Absence(Cluster())
            for _ in range(3):
                wait.look()
    assert [str(w.message) for w in told] == [NOBODY] * 2


DIED, FULL = (Lost("tcp://there:1", 0.0, False, memory, "it broke") for memory in (0, 700_000_000))
LEFT = Lost("tcp://there:1", 0.0, True, 0, "it was closed")


@pytest.mark.parametrize(
    ("cluster", "limit", "error"),
    [
        (Cluster(lost=(DIED,)), None, "tcp://there:1 was lost, because it broke: see its log"),
        (Cluster(lost=(FULL,)), None, f"its memory limit of 700 MB: {LARGER}"),
        (Cluster(lost=(LEFT, DIED)), None, "was lost"),
        (Cluster(lost=(DIED, LEFT)), None, None),  # as when the time of a job is up
        (Cluster(lost=(DIED,), returns=True), None, None),
        (Cluster(lost=(DIED,) * 7, count=2), None, None),
        (Cluster(lost=(DIED,) * 8, count=2), None, "each new worker died again: the last, tcp"),
        (Cluster(lost=(LEFT,) * 8, count=2), None, None),
        (Cluster(count=2, paused=1), None, None),
        (Cluster(count=2, paused=2), None, "the worker there is paused, because its memory"),
        (Cluster(lost=(DIED,), count=1), 0.0, "the limit of time= is over, and the worker tcp"),
        (Cluster(lost=(DIED,), count=1), 60.0, None),
        (Cluster(count=1), 0.0, None),
    ],
)
@pytest.mark.filterwarnings("ignore:the cluster has no workers")
def test_a_wait_ends_if_the_workers_cannot_do_the_work(
    monkeypatch: pytest.MonkeyPatch, cluster: Cluster, limit: float | None, error: str | None
) -> None:
    monkeypatch.setattr(absence, "PATIENCE", 0.0)
    monkeypatch.setattr(absence, "SELDOM", 0.0)
    wait = Absence(cluster, limit)
    if error is None:
        for _ in range(3):
            wait.look()
        return
    wait.look()
    with pytest.raises(ClusterError) as told:
        wait.look()
    assert error in str(told.value)
    assert isinstance(told.value, Overdue) == (limit is not None)


def test_a_wait_ends_some_time_after_all_workers_have_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(absence, "SELDOM", 0.0)
    for lost in (LEFT,), (DIED, LEFT):
        wait, adaptive = Absence(Cluster(lost=lost)), Absence(Cluster(lost=lost))
        monkeypatch.setattr(Absence, "adapts", property(lambda w, a=adaptive: w is a))
        for each in wait, adaptive:
            each.look()
            each.look()  # the workers may come back
            each.seen = each.seen._replace(gone=each.seen.at - absence.LEAVING - 1)
        adaptive.look()
        with pytest.raises(ClusterError, match=r"all workers left .* tcp://there:1 as the last"):
            wait.look()


def test_results_show_that_workers_can_do_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(absence, "SELDOM", 0.0)
    wait = Absence(Cluster(lost=(DIED._replace(age=1.0),) * 8, count=1))
    wait.look()
    wait.progress = wait.seen.at - 0.5
    wait.look()
    wait.progress = wait.seen.at - 2.0
    with pytest.raises(ClusterError, match="each new worker died again"):
        wait.look()
