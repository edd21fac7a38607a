"""Blocks survive a process that is killed at any byte; their thread ends in good order."""

import os
import threading
from tempfile import TemporaryFile
from typing import Any
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from strategies.native.memory import saved_blocks
from strategies.native.memory.saved_blocks import LEAST, Blocks, Saver, saved_bytes
from tests.properties import examples

START, SIZE = 16, 4 * LEAST


class Killed(BaseException):
    """The process was killed."""


def killed_after(count: int) -> Any:
    """Write as many bytes as given, then raise Killed."""
    left, write = count, os.write

    def writes(file: int, content: bytes) -> int:
        nonlocal left
        done = write(file, content[:left])
        left -= done
        if not left:
            raise Killed
        return done

    return patch.object(os, "write", writes)


@given(
    st.lists(
        st.tuples(
            st.dictionaries(st.integers(0, 3), st.integers(0, 2), min_size=1),
            st.integers(1, 7 * LEAST) | st.integers(1, 64),
            st.booleans(),
        ),
        max_size=6,
    )
)
@examples(60)
def test_a_process_that_is_killed_while_it_saves_loses_nothing_older(steps: list[Any]) -> None:
    """Each block has the content of the saving before, or of the one that was interrupted."""
    with TemporaryFile() as file:
        file.truncate(START + saved_bytes(SIZE))
        known = [0] * 4
        blocks = Blocks(file.fileno(), START, bytearray(SIZE), SIZE, 7)
        for changes, count, again in steps:
            for k, byte in changes.items():
                blocks.memory[k * LEAST : (k + 1) * LEAST] = bytes([byte]) * LEAST
            with killed_after(count):
                try:
                    blocks.save()
                except Killed:
                    again = True
                else:
                    known = [blocks.memory[k * LEAST] for k in range(4)]
            if again:
                blocks = Blocks(file.fileno(), START, bytearray(SIZE), SIZE, 7)
                damaged = blocks.load()
                for k, before in enumerate(known):
                    content = bytes(blocks.memory[k * LEAST : (k + 1) * LEAST])
                    read = {bytes([byte]) * LEAST for byte in (before, changes.get(k, before))}
                    assert content in read
                    assert damaged == 0 or 0 in changes.values()
                known = [blocks.memory[k * LEAST] for k in range(4)]


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
