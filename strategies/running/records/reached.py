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
from strategies.running.records.lines import line_texts, moves_of
from strategies.running.records.search_run import SearchRun
from strategies.running.runtime.cancellation import scope_of_call


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
def telling(
    game: Any, state: Any, depth: int, progress: Callable[[Reached], None] | None
) -> Iterator[Callable[[SearchRun], SearchRun]]:
    """Call `progress` with each depth that a search of `state` reaches inside the block.

    The block runs in the scope of a call: searches of other calls are not heard.
    Yields a function that takes the result and returns it: of a search that told nothing, because
    it searches to one `depth` only, or in other processes, it tells the result.
    """
    if progress is None:
        yield lambda result: result
        return
    last, lock, call = [0], Lock(), scope_of_call()

    def hear(run: Deepening) -> None:
        found = run.best
        others = scope_of_call() is not call or run.state != state
        if others or found is None or not found.line:
            return
        seconds = perf_counter() - run.begun
        with lock:  # of threads that search together, the first to finish a depth tells it
            if run.depth <= last[0]:
                return
            last[0] = run.depth
            line = tuple(line_texts(game, state, moves_of(game, state, found.line)))
            value = plain(float(found.value))
            progress(Reached(run.depth, value, line, run.visited, seconds))

    def conclude(result: SearchRun) -> SearchRun:
        reached = depth if result.depth is None else result.depth
        if last[0] == 0 < reached and result.line:
            found = result.value, result.line_texts, result.nodes, result.seconds
            progress(Reached(reached, *found))
        return result

    LISTENERS.append(hear)
    try:
        yield conclude
    finally:
        LISTENERS.remove(hear)
