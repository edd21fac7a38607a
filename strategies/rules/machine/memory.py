"""Memory: the arena of a thread, and what else a function's context holds.

The address of the context is the first argument of each function. `CONTEXT` is its structure for
code, and `Context` the same for Python.

Values of varying length lie in the arena, one after another. It is given back as a whole when a
call from Python ends. Its pages belong to the process only from their first use.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from operator import attrgetter
from typing import Final

from llvmlite import ir

from strategies.rules.kinds.kind import I64, PTR
from strategies.rules.machine.questions import ANSWER

CONTEXT = ir.LiteralStructType(
    [PTR, PTR, PTR, I64, PTR, PTR, PTR, PTR, PTR, I64, PTR, I64, PTR, PTR, PTR, PTR, PTR]
)
FREE, END, STACK, COUNTDOWN, ASK = range(5)
RAISED = range(5, 8)  # what a handler of signals raised: type, value, traceback
MEMOS = 8  # the tables of cached functions in the arena
FAILED = 9  # the status of a rule that failed in a kernel
STOPS = 10  # the address of a word that is not 0 once a search is to stop; or none
MAIN = 11  # whether this is the thread that handles signals
HELD = 12  # the tables of the object whose functions these are
KEPT = 13  # the tables of cached functions in memory of their own
OTHER_FREE, OTHER_END = 14, 15  # that memory; or the arena, while a cached function runs
KEPT_END = 16  # where that memory ends

ARENA: Final = 1 << 30  # the most bytes that one call may take
KEPT_BYTES: Final = 1 << 24  # so much of it stays with the process between calls
MEMORY_OF_CACHES: Final = 1 << 28  # behind the arena, for what cached functions keep
RESERVE: Final = 1 << 18  # bytes of a stack that rules leave to what they call
POLL_EVERY: Final = 1 << 16


class Context(ctypes.Structure):
    """What `CONTEXT` describes for code."""

    _fields_ = (
        ("free", ctypes.c_uint64),
        ("end", ctypes.c_uint64),
        ("stack", ctypes.c_uint64),
        ("countdown", ctypes.c_int64),
        ("ask", ctypes.c_void_p),
        ("raised", ctypes.py_object * 3),
        ("memos", ctypes.c_uint64),
        ("failed", ctypes.c_int64),
        ("stops", ctypes.c_uint64),
        ("main", ctypes.c_int64),
        ("held", ctypes.c_uint64),
        ("kept", ctypes.c_uint64),
        ("other_free", ctypes.c_uint64),
        ("other_end", ctypes.c_uint64),
        ("kept_end", ctypes.c_uint64),
    )


assert [n for n, _ in Context._fields_].index("ask") == ASK
assert Context.kept_end.offset == 8 * KEPT_END
assert (FREE, END, STACK, COUNTDOWN) == (0, 1, 2, 3)


MARKED: Final = ("free", "end", "memos", "kept", "other_free", "other_end", "stops", "held")
"""The fields that are after a call as they were before it.  `Arena.end` sets them in this order,
one by one, which is faster than a loop."""
_marked: Final = attrgetter(*MARKED)


class Arena:
    """The memory of one thread's calls."""

    def __init__(self) -> None:
        names = ("MAP_PRIVATE", "MAP_ANONYMOUS", "MAP_NORESERVE")
        flags = sum(getattr(mmap, name, 0) for name in names)
        size = ARENA + MEMORY_OF_CACHES
        self.pages = mmap.mmap(-1, size, flags=flags) if flags else mmap.mmap(-1, size)
        self.start = ctypes.addressof(ctypes.c_char.from_buffer(self.pages))
        self.context = Context(
            self.start,
            self.start + ARENA,
            0,
            POLL_EVERY,
            ctypes.cast(ANSWER, ctypes.c_void_p).value,
        )
        self.context.other_free = self.start + ARENA
        self.context.other_end = self.context.kept_end = self.start + size
        self.context.main = threading.current_thread() is threading.main_thread()
        self.address = ctypes.addressof(self.context)
        self.end_of_stack = _end_of_stack()

    def take(self, n: int) -> int:
        """Return the address of n bytes."""
        at = int(self.context.free)
        new = at + (n + 7) // 8 * 8
        if new > self.context.end:
            raise MemoryError("more memory than rules may take")
        self.context.free = new
        return at

    def stopped(self) -> bool:
        """Return whether the search in which rules run was stopped."""
        at = self.context.stops
        return bool(at and ctypes.c_int64.from_address(at).value)

    def raise_pending(self) -> None:
        """Raise what a handler of signals raised while machine code ran, if one did."""
        word = ctypes.c_uint64 * 3
        found = word.from_buffer(self.context, Context.raised.offset)
        if found[0]:
            kind, value = self.context.raised[0], self.context.raised[1] if found[1] else None
            for i in range(3):
                found[i] = 0  # the references are this frame's now
            raise (
                value
                if isinstance(value, BaseException)
                else kind()
                if value is None
                else kind(value)
            )

    def begin(self) -> tuple[int, ...]:
        """Begin a call, perhaps inside of another; return what `end` must get."""
        context = self.context
        mark: tuple[int, ...] = _marked(context)
        context.memos = context.kept = 0  # what is added to them would be given back, too
        context.stack = self.end_of_stack
        return mark

    def end(self, mark: tuple[int, ...]) -> None:
        """Give back what was taken since `begin`."""
        context = self.context
        used, cached = context.free - self.start, context.other_free - self.start - ARENA
        (
            context.free, context.end, context.memos, context.kept, context.other_free,
            context.other_end, context.stops, context.held,
        ) = mark  # fmt: skip
        if not hasattr(mmap, "MADV_DONTNEED") or mark[0] - self.start >= KEPT_BYTES:
            return
        if used > KEPT_BYTES:
            self.pages.madvise(mmap.MADV_DONTNEED, KEPT_BYTES, ARENA - KEPT_BYTES)
        if cached > KEPT_BYTES:
            self.pages.madvise(mmap.MADV_DONTNEED, ARENA, MEMORY_OF_CACHES)

    @contextmanager
    def call(self) -> Iterator[Arena]:
        """Give back what is taken inside."""
        mark = self.begin()
        try:
            yield self
        finally:
            self.end(mark)


def _end_of_stack() -> int:
    """Return the lowest address of this thread's stack that rules may use; 0 if it is not known."""
    try:
        return _linux_stack() if sys.platform.startswith("linux") else 0
    except (OSError, AttributeError, ValueError):
        return 0


def _linux_stack() -> int:
    libc = ctypes.CDLL(None)
    attributes = ctypes.create_string_buffer(256)
    libc.pthread_self.restype = ctypes.c_void_p
    if libc.pthread_getattr_np(ctypes.c_void_p(libc.pthread_self()), attributes):
        return 0
    low, size = ctypes.c_void_p(), ctypes.c_size_t()
    libc.pthread_attr_getstack(attributes, ctypes.byref(low), ctypes.byref(size))
    libc.pthread_attr_destroy(attributes)
    # The main thread's stack grows, so what is reported may be more than there will be.
    main = threading.current_thread() is threading.main_thread()
    used = min(size.value, 8 << 20) if main else size.value
    return (low.value or 0) + size.value - used + min(RESERVE, used // 4)


_local = threading.local()


def arena() -> Arena:
    """Return this thread's arena, a new one in a process that was forked."""
    if getattr(_local, "process", None) != os.getpid():
        _local.arena, _local.process = Arena(), os.getpid()
    found: Arena = _local.arena
    return found
