"""Locks that are free in a forked process, where the threads that held them do not exist."""

from __future__ import annotations

import os
import threading
from typing import Any
from weakref import WeakSet

_locks: WeakSet[Any] = WeakSet()


def fork_lock(kind: Any = threading.Lock) -> Any:
    """Create a lock of a kind, `threading.Lock` or `threading.RLock`, that a fork frees.

    Requires: what the lock protects is valid whenever a thread may hold it.

    >>> with fork_lock() as held:
    ...     held
    True
    """
    lock = kind()
    _locks.add(lock)
    return lock


def _free() -> None:
    """Free all locks, as the standard library frees its own."""
    for lock in _locks:
        lock._at_fork_reinit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_free)
