"""Pickle objects so that reading them back in the same process leaves its classes unchanged.

Definitions of the main program are pickled by value.  Their classes come back with a result, or
with a graph if the cluster's scheduler runs in the program's own process.  Reading them would
replace their methods by copies, so the classes are restored afterwards.
"""

from __future__ import annotations

import pickle
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import parent_process
from typing import Any

import attrs

from strategies.native.fingerprint import known_classes
from strategies.support import by_value
from strategies.support.fork_locks import fork_lock

HERE = uuid.uuid4().hex
"""The identity of this process and of processes forked from it, which have the same classes."""
_opening = fork_lock(threading.RLock)


def seal(make: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Callable[..., Any], Any]:
    """Pickle the construction of an object that a process may send to itself."""
    return _unsealed, (HERE, by_value.dumps((make, args)))


def _unsealed(home: str, content: bytes) -> Any:
    if home != HERE:
        make, args = pickle.loads(content)
    else:
        with _classes_kept():
            make, args = pickle.loads(content)
    return make(*args)


@contextmanager
def _classes_kept() -> Iterator[None]:
    """Restore the classes of rules after the block."""
    with _opening:
        before = [(known, dict(vars(known))) for known in known_classes()]
        try:
            yield
        finally:
            for known, names in before:
                for name, value in names.items():
                    if vars(known).get(name) is not value:
                        setattr(known, name, value)


def reduce_sealed(value: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Pickle an attrs object that a process may send to the one that started it."""
    fields = [getattr(value, f.name) for f in attrs.fields(type(value))]
    if parent_process() is None:
        return _made, (type(value), fields)
    try:
        content = pickle.dumps(fields)
    except Exception:  # it contains objects that cannot be pickled by name
        content = by_value.dumps(fields)
    return _opened, (type(value), content)


def _made(cls: type, fields: list[Any]) -> Any:
    instance: Any = object.__new__(cls)
    for f, value in zip(attrs.fields(cls), fields, strict=True):
        object.__setattr__(instance, f.name, value)
    return instance


def _opened(cls: type, content: bytes) -> Any:
    with _classes_kept():
        fields = pickle.loads(content)
    return _made(cls, fields)
