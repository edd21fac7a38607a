"""Pickle what may be read in the process that it is from, and leave the classes there as they are.

What a program defines itself is pickled by value, and its classes come back with a result; or with
a graph, where the scheduler of a cluster runs in the program's own process.  Reading them would put
copies in the place of their methods, so the classes are put back as they were.
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
import cloudpickle

from strategies.native.digest import known_classes

HERE = uuid.uuid4().hex
"""This process, and those that were forked from it, whose classes are the same."""
_opening = threading.RLock()


def seal(make: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Callable[..., Any], Any]:
    """Pickle how an object is made again, which a process may send to itself."""
    return _unsealed, (HERE, cloudpickle.dumps((make, args)))


def _unsealed(home: str, content: bytes) -> Any:
    if home != HERE:
        make, args = pickle.loads(content)
    else:
        with _classes_kept():
            make, args = pickle.loads(content)
    return make(*args)


@contextmanager
def _classes_kept() -> Iterator[None]:
    """Put the classes of rules back as they were before the block."""
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
    except Exception:  # it holds what has no name here
        content = cloudpickle.dumps(fields)
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
