"""OpenSpiel's searches in Python, and the number of nodes that they visit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.finding import Skipped


def openspiel() -> tuple[Any, Any]:
    """Return the modules `pyspiel` and OpenSpiel's `minimax`.

    Raises: Skipped if they are not installed.
    """
    try:
        import pyspiel
        from open_spiel.python.algorithms import minimax
    except ImportError:
        raise Skipped("open_spiel is not installed") from None
    return pyspiel, minimax


def visited(minimax: Any, function: str, work: Callable[[], Any]) -> int:
    """Return how often `work` calls a recursive function of that module: once a node."""
    count, search = 0, getattr(minimax, function)

    def counting(*args: Any, **named: Any) -> Any:
        nonlocal count
        count += 1
        return search(*args, **named)

    setattr(minimax, function, counting)
    try:
        work()
    finally:
        setattr(minimax, function, search)
    return count
