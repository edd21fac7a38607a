"""Threads whose stacks have room for deep searches."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import thread_time
from typing import Any, Final, TypeVar

from graphs.errors import JamboreeError
from strategies.support.fork_locks import fork_lock
from strategies.support.recursion import room_for

T = TypeVar("T")

STACK: Final = 64 << 20
"""The bytes of stack of a thread that searches no deeper than usual."""
PLY: Final = 1 << 15
"""The bytes of stack for one ply: twice what the largest frames take that were measured."""

_starting = fork_lock()
_deep = threading.local()


class NoStack(JamboreeError, MemoryError):
    """There is not enough memory for the stack of a search."""


def started(work: Callable[[], Any], name: str, stack: int = STACK) -> threading.Thread:
    """Start a thread that runs `work`, with a stack of so many bytes.

    Raises: RuntimeError if the system has no room for it.
    Cost: memory is taken as the work touches it.
    """
    thread = threading.Thread(target=work, name=name, daemon=True)
    with _starting:  # the size is that of all threads that start
        usual = threading.stack_size(stack)
        try:
            thread.start()
        finally:
            threading.stack_size(usual)
    return thread


def cpu_time() -> float:
    """Return the processor seconds of this thread, and of the deep stacks on which it has run work
    so far."""
    return thread_time() + getattr(_deep, "seconds", 0.0)


def on_deep_stack(plies: int, work: Callable[[], T], end: Callable[[], object]) -> T:
    """Return the result of `work`, which calls itself once a ply, from a thread with a stack for
    so many plies.

    At Ctrl-C, `end` is called, upon which `work` should end soon.
    Ensures: no thread is left running.
    Raises: any error of `work`; NoStack; KeyboardInterrupt.

    >>> def depth(n: int) -> int:
    ...     return 0 if n == 0 else 1 + depth(n - 1)
    >>> on_deep_stack(20_000, lambda: depth(20_000), end=bool)
    20000
    """
    found: list[T] = []
    failed: list[BaseException] = []
    spent: list[float] = []
    done = threading.Event()  # a join that Ctrl-C interrupts takes the thread for stopped

    def run() -> None:
        try:
            with room_for(plies):
                found.append(work())
        except BaseException as error:
            failed.append(error)
        finally:
            spent.append(thread_time())
            done.set()

    try:
        thread = started(run, f"search of {plies} plies", STACK + PLY * plies)
    except RuntimeError as error:
        raise NoStack(
            f"there is not enough memory for the stack of a search of {plies:,} plies: "
            "give a smaller depth"
        ) from error
    try:
        done.wait()
    except BaseException:
        end()
        done.wait()
        raise
    finally:
        thread.join()
        _deep.seconds = getattr(_deep, "seconds", 0.0) + sum(spent)
    if failed:
        raise failed[0]
    return found[0]
