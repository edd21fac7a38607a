"""The rule that chooses how a solver's proofs are searched."""

from __future__ import annotations

import os

import pytest

from strategies import abdada, auto, seq
from strategies.insight.selection.auto import choose_for_proofs
from strategies.running.plans.grain import MANY


def test_the_number_of_workers_is_that_of_the_cluster_or_the_wish_or_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 5)
    assert ": 5 workers of" in str(choose_for_proofs(auto()))
    assert ": 3 workers of" in str(choose_for_proofs(auto(3)))
    assert "tasks for 7 workers" in str(choose_for_proofs(auto(3), cluster_threads=7))
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert choose_for_proofs(auto()).best == seq


def test_interpreted_rules_and_drivers_only_matter_on_this_machine() -> None:
    assert choose_for_proofs(auto(4), native=False).best == seq
    assert choose_for_proofs(auto(4, drivers=True)).best == abdada(4)
    for many in (2, MANY - 1, MANY):
        plain = choose_for_proofs(auto(4), cluster_threads=many)
        drivers = auto(4, drivers=True)
        assert plain == choose_for_proofs(drivers, native=False, cluster_threads=many)
        assert ("no brother waits" in plain.why) == (many >= MANY)
    assert choose_for_proofs(auto(4), cluster_threads=1).best == seq
