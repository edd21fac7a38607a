"""Containers: lists, tuples, dicts (their values), attrs classes and dataclasses."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import attrs


def parts(x: Any) -> list[Any] | None:
    """What a container holds, in order; None if `x` is none.

    >>> parts({"a": 1, "b": [2]}), parts("ab")
    ([1, [2]], None)
    """
    if type(x) in (list, tuple) or (isinstance(x, tuple) and hasattr(x, "_fields")):
        return list(x)
    if type(x) is dict:
        return list(x.values())
    names = _fields(x)
    return None if names is None else [getattr(x, name) for name, _ in names]


def rebuilt(x: Any, new: Sequence[Any]) -> Any:
    """The container `x` with other parts; `x` itself if they are the same.

    Requires: as many as ``parts(x)``.

    >>> rebuilt({"a": 1, "b": 2}, [3, 4])
    {'a': 3, 'b': 4}
    """
    old = parts(x) or []
    if all(a is b for a, b in zip(old, new, strict=True)):
        return x
    if isinstance(x, dict):
        return dict(zip(x, new, strict=True))
    if hasattr(x, "_fields"):
        return type(x)(*new)
    if isinstance(x, (list, tuple)):
        return type(x)(new)
    changes = {arg: v for (_, arg), v in zip(_fields(x) or (), new, strict=True)}
    return attrs.evolve(x, **changes) if attrs.has(type(x)) else dataclasses.replace(x, **changes)


def mapped(x: Any, is_leaf: Callable[[Any], bool], f: Callable[[Any], Any]) -> Any:
    """`x` with `f` applied to its leaves, left to right, through all containers.

    >>> mapped([1, {"a": (2, "b")}], lambda v: isinstance(v, int), lambda v: v + 1)
    [2, {'a': (3, 'b')}]
    """
    if is_leaf(x):
        return f(x)
    held = parts(x)
    return x if held is None else rebuilt(x, [mapped(v, is_leaf, f) for v in held])


def _fields(x: Any) -> list[tuple[str, str]] | None:
    """(attribute, argument) of each field that its class's constructor takes."""
    if isinstance(x, type):
        return None
    if attrs.has(type(x)):
        return [(f.name, f.alias or f.name) for f in attrs.fields(type(x)) if f.init]
    if dataclasses.is_dataclass(x):
        return [(f.name, f.name) for f in dataclasses.fields(x) if f.init]
    return None
