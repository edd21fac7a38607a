"""The depths that a deepening search has reached, told while it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from time import perf_counter
from typing import Any

from attrs import frozen

from games.estimate import Estimate
from strategies.native.calls.deepening import LISTENERS, Deepening
from strategies.native.engine import plain
from strategies.running.records.run import line_texts, moves_of


@frozen
class Reached:
    """A depth that a search has finished, with its answer."""

    depth: int
    value: Any
    line: tuple[str, ...]
    """The best line, as the game writes moves."""
    nodes: int
    """The nodes of this search so far; of one thread, if several search together."""
    seconds: float
    """The seconds since the search began; compiling is not counted."""

    def __str__(self) -> str:
        """Return a line as chess engines print it."""
        worth = f"{Estimate(self.value)}"
        cost = f"{self.nodes:>13,} nodes {self.seconds:>8.2f} s"
        return f"depth {self.depth:>2}  {worth:<14} {cost}  {' '.join(self.line)}"


@contextmanager
def telling(game: Any, state: Any, progress: Callable[[Reached], None] | None) -> Iterator[None]:
    """Call `progress` with each depth that a search of `state` reaches inside the block.

    Searches in other processes are not heard.
    """
    if progress is None:
        yield
        return
    last, lock = [0], Lock()

    def hear(run: Deepening) -> None:
        found = run.best
        if found is None or not found.line or run.state != state or run.engine.game != game:
            return
        with lock:
            if run.depth <= last[0]:
                return
            last[0] = run.depth
        line = tuple(line_texts(game, state, moves_of(game, state, found.line)))
        value, seconds = plain(float(found.value)), perf_counter() - run.begun
        progress(Reached(run.depth, value, line, run.visited, seconds))

    LISTENERS.append(hear)
    try:
        yield
    finally:
        LISTENERS.remove(hear)
