"""Threads whose stacks have room for deep searches, and the limit of calls inside each other.

Also a pause of the garbage collector, while very many objects are made that all stay alive.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import thread_time
from typing import Any, Final, TypeVar

from graphs.errors import JamboreeError
from strategies.support.fork_locks import fork_lock

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
            "give a smaller depth, or end plays that return to positions"
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


SHALLOW: Final = 60
"""The plies for which the usual limit of 1,000 calls has room."""
CALLS: Final = 10
"""The most calls inside each other that a walk makes for a ply."""

_lock = fork_lock()
_walks: dict[int, int] = {}
"""The calls that the walks under way need, by the identity of each."""
_usual: list[int] = []
"""The limit before the first of them."""


@contextmanager
def room_for(plies: int) -> Iterator[None]:
    """Raise Python's limit of calls inside each other while a walk of so many plies is under way,
    unless it has room for them.

    Ensures: when the last walk has ended, in any thread, the limit is as it was before the first.

    >>> before = sys.getrecursionlimit()
    >>> with room_for(400):
    ...     sys.getrecursionlimit() >= before + 4000
    True
    >>> sys.getrecursionlimit() == before
    True
    """
    if plies <= SHALLOW:
        yield
        return
    walk = object()
    with _lock:
        if not _walks:
            _usual[:] = [sys.getrecursionlimit()]
        _walks[id(walk)] = CALLS * plies
        sys.setrecursionlimit(_usual[0] + max(_walks.values()))
    try:
        yield
    finally:
        with _lock:
            del _walks[id(walk)]
            if not _walks:
                sys.setrecursionlimit(_usual[0])


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause the search for garbage cycles in the block; then restore the collector's state.

    The collector would scan a growing plan again and again: a third of the time of a large one.

    >>> with gc_paused():
    ...     gc.isenabled()
    False
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
