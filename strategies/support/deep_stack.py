"""Stacks for searches that are deeper than those of usual threads allow."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final, TypeVar

from graphs.errors import JamboreeError
from strategies.support.fork_locks import fork_lock
from strategies.support.recursion import room_for

T = TypeVar("T")

PLY: Final = 1 << 15
"""The bytes of stack for one ply: twice what the largest frames take that were measured."""

_lock = fork_lock()


class NoStack(JamboreeError, MemoryError):
    """There is not enough memory for the stack of a search."""


def on_deep_stack(plies: int, work: Callable[[], T]) -> T:
    """Return the result of `work`, which calls itself once a ply, from a thread with a stack for
    so many plies.

    Raises: any error of `work`; NoStack.
    Cost: memory is taken as the work touches it.

    >>> def depth(n: int) -> int:
    ...     return 0 if n == 0 else 1 + depth(n - 1)
    >>> on_deep_stack(20_000, lambda: depth(20_000))
    20000
    """
    found: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            with room_for(plies):
                found.append(work())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run, name=f"search of {plies} plies", daemon=True)
    with _lock:
        before = threading.stack_size(PLY * (plies + 500))
        try:
            thread.start()
        except RuntimeError as error:
            raise NoStack(
                f"there is not enough memory for the stack of a search of {plies:,} plies: "
                "give a smaller depth"
            ) from error
        finally:
            threading.stack_size(before)
    thread.join()
    if failed:
        raise failed[0]
    return found[0]
