"""A wait warns of a missing worker only if the cluster has none."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from strategies.running.runtime import absence
from strategies.running.runtime.absence import NOBODY, Absence
from strategies.running.runtime.scheduler_side import Lost, Workers


class Cluster:
    """A stand-in for a client, its loop and its scheduler, which answers only if told so."""

    status = "running"

    def __init__(
        self, *, answers: bool, lost: tuple[Lost, ...] = (), returns: bool = False
    ) -> None:
        self.loop = self
        self.answers, self.lost, self.returns = answers, lost, returns

    def add_callback(self, ask: Callable[[], Any]) -> None:
        if self.answers:
            asyncio.run(ask())

    async def _run_on_scheduler(self, ask: Any, seconds: float) -> Workers:
        return Workers(0, (), self.lost, self.returns)


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
