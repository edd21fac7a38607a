"""An incumbent is one cell for the processes of a machine, and nothing is wrong without it."""

from __future__ import annotations

import mmap
import os
import pickle
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies.native.memory.shared_cells import incumbent_of, raise_incumbent
from strategies.running.runtime import shared_incumbent
from strategies.running.runtime.machine_memory import Offer, machine
from strategies.running.runtime.shared_incumbent import KIND, Exchange, SharedIncumbent
from tests.properties import examples

shares = pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="memory cannot be shared here")
CHILD = """
import pickle, sys
from strategies.native.memory.shared_cells import incumbent_of, raise_incumbent
incumbent = pickle.loads(bytes.fromhex(sys.argv[1]))
print(incumbent_of(incumbent.cell))
raise_incumbent(incumbent.cell, 7.0)
"""


def in_another_process(incumbent: SharedIncumbent) -> str:
    """Raise the incumbent to 7 in another process; return what it was there."""
    sent = pickle.dumps(incumbent).hex()
    return subprocess.run(
        [sys.executable, "-c", CHILD, sent], check=True, capture_output=True, text=True, timeout=60
    ).stdout.strip()


@shares
def test_processes_of_a_machine_share_the_cell() -> None:
    incumbent = SharedIncumbent()
    raise_incumbent(incumbent.cell, 3.0)
    assert in_another_process(incumbent) == "3.0"
    assert incumbent.answers((0.0, 7.0))
    assert not incumbent.answers((0.0, 7.5))


def test_a_copy_in_the_same_process_is_the_same() -> None:
    incumbent = SharedIncumbent()
    assert pickle.loads(pickle.dumps(incumbent)) is incumbent


def test_where_memory_cannot_be_shared_each_process_has_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def created(*given: Any) -> int:
        raise AttributeError("memfd_create")

    monkeypatch.setattr(shared_incumbent, "created", created)
    incumbent = SharedIncumbent()
    raise_incumbent(incumbent.cell, 3.0)
    in_another_process(incumbent)
    assert incumbent_of(incumbent.cell) == 3.0


@shares
def test_a_file_of_somebody_else_is_not_taken_for_an_incumbent() -> None:
    other = os.memfd_create("jamboree-other")
    try:
        os.ftruncate(other, mmap.PAGESIZE)
        got = shared_incumbent._received("mine", Offer(machine(KIND), os.getpid(), other))
        raise_incumbent(got.cell, 5.0)
        assert incumbent_of(got.cell) == 5.0
        assert os.pread(other, 8, 0) == bytes(8)
    finally:
        os.close(other)


@examples(50)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(-1e6, 1e6)), min_size=1, max_size=30))
def test_the_scheduler_returns_the_best_of_all_workers(told: list[tuple[str, float]]) -> None:
    exchange, best = Exchange(), dict[str, float]()
    for search, value in told:
        best[search] = max(value, best.get(search, value))
        step = exchange.raised(search, value)
        with pytest.raises(StopIteration) as answer:
            step.send(None)
        assert answer.value.value == best[search]


def test_the_scheduler_keeps_the_incumbents_of_recent_searches_alone() -> None:
    exchange = Exchange()
    for number in range(3 * shared_incumbent.KEPT):
        with pytest.raises(StopIteration):
            exchange.raised(str(number), 1.0).send(None)
    assert len(exchange.best) == shared_incumbent.KEPT
