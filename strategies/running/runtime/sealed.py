"""Pickle results that come home from another process, and leave the classes there as they are.

What a program defines itself is pickled by value, and its classes come back with a result.  Reading
them would put copies in the place of their methods, so the classes are put back as they were.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from multiprocessing import parent_process
from typing import Any

import attrs
import cloudpickle

from strategies.native.digest import known_classes

_opening = threading.Lock()


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
    with _opening:
        before = [(known, dict(vars(known))) for known in known_classes()]
        try:
            fields = pickle.loads(content)
        finally:
            for known, names in before:
                for name, value in names.items():
                    if vars(known).get(name) is not value:
                        setattr(known, name, value)
    return _made(cls, fields)
