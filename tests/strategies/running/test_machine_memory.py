"""Memory that processes of one machine share."""

from __future__ import annotations

import gc
import os

import pytest

from strategies.native.memory.cells import Stop
from strategies.running.runtime.machine_memory import (
    Offer,
    memory_for,
    offer,
    one_each,
    shared_by,
    take,
)


@pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="memory cannot be shared here")
@pytest.mark.usefixtures("only_new_garbage")
def test_memory_belongs_to_a_run_and_to_entries_of_one_meaning() -> None:
    one, other = Stop(), Stop()
    made = offer(one, 4096, "native")
    assert made is not None
    assert take(one, made, 4096, "a meaning")
    assert take(other, made, 4096, "a meaning")
    memory_for(one, "a meaning")[5] = 9
    assert memory_for(other, "a meaning")[5] == 9
    assert memory_for(one, "another one") is None
    assert memory_for(Stop(), "a meaning") is None
    del one
    gc.collect()
    assert not take(other, made, 4096, "a meaning"), "with the run its memory goes"


def test_without_shared_memory_each_process_has_its_own() -> None:
    gone = Offer("here", 2**22 + 1, 5)
    assert not take(Stop(), gone, 4096, "a meaning")
    alone = {"a": Offer("here", 1, 5), "b": Offer("here", 1, 6), "c": Offer("there", 2, 5)}
    assert shared_by({**alone, "d": None}) == {}
    assert one_each({}, "ba") == ["a", "b"]
    assert one_each({"a": gone, "b": gone}, "abc") == ["a", "c"]
