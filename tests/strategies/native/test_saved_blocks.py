"""The thread that saves a table ends in good order, whichever thread ends it."""

import threading
from typing import Any

from strategies.native.memory import saved_blocks
from strategies.native.memory.saved_blocks import Saver


def test_a_saver_that_ends_itself_while_it_saves_closes_after_the_last_saving(
    monkeypatch: Any,
) -> None:
    monkeypatch.setattr(saved_blocks, "PAUSE", 0.0)
    events: list[str] = []
    closed = threading.Event()
    made = threading.Event()

    def save() -> None:
        made.wait()
        events.append("begins")
        if len(events) == 1:
            saver.end()  # as the garbage collector may do here
        events.append("ends")

    def close() -> None:
        events.append("closes")
        closed.set()

    saver = Saver(save, close)
    made.set()
    assert closed.wait(60)
    assert events == ["begins", "ends", "begins", "ends", "closes"]
