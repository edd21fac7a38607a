"""Take containers apart, and rebuild them with other parts: those that Dask evaluates, and more.

Containers are lists, tuples, sets, deques and dicts (keys and values), their subclasses, sequences
of `graphs`, slices, named tuples, attrs classes and dataclasses.  An iterator counts as the list of
its elements.
"""

from __future__ import annotations

import copy
import dataclasses
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import attrs

from games.attributes import HASH
from graphs.limits import NESTED_CONTAINERS
from graphs.seq import Seq
from strategies.algebra.strategy import StrategyError

SEQUENCES = list, tuple, deque, Seq
"""Containers whose elements have an index."""
ITERABLES = *SEQUENCES, set, frozenset
PLAIN = str, bytes, bytearray, memoryview, range
"""Collections that count as plain values."""


def parts(x: Any) -> list[Any] | None:
    """Return the parts of a container, in order; None if `x` is not a container.

    >>> parts({"a": 1, "b": [2]}), parts("ab")
    (['a', 1, 'b', [2]], None)
    """
    if isinstance(x, ITERABLES):
        return list(x)
    if isinstance(x, dict):
        return [part for item in x.items() for part in item]
    if type(x) is slice:
        return [x.start, x.stop, x.step]
    names = _fields(x)
    return None if names is None else [getattr(x, name) for name in names]


def rebuilt(x: Any, new: Sequence[Any]) -> Any:
    """Return the container `x` with the parts `new`; `x` itself if they are the same.

    Requires: as many parts as ``parts(x)``.
    Raises: StrategyError if the class of `x` cannot be made with other parts.

    >>> rebuilt({"a": 1, "b": 2}, ["a", 3, "b", 4])
    {'a': 3, 'b': 4}
    """
    old = parts(x) or []
    if all(a is b for a, b in zip(old, new, strict=True)):
        return x
    try:
        return _made(x, new)
    except (TypeError, ValueError) as error:
        if isinstance(x, (set, frozenset, dict)) and "unhashable" in str(error):
            raise
        raise StrategyError(
            f"values of type {type(x).__qualname__} cannot be rebuilt with evaluated parts "
            f"({error}); use a list, a tuple or a dict"
        ) from error


def _made(x: Any, new: Sequence[Any]) -> Any:
    if isinstance(x, (list, deque, set)):
        container = copy.copy(x)  # so that a subclass keeps its other attributes
        container.clear()
        (container.update if isinstance(container, set) else container.extend)(new)
        return container
    if isinstance(x, dict):
        table = copy.copy(x)
        table.clear()
        for key, value in zip(new[::2], new[1::2], strict=True):
            table[key] = value
        return table
    if isinstance(x, tuple):
        return type(x)(*new) if hasattr(x, "_fields") else type(x)(new)
    if isinstance(x, (frozenset, Seq)):
        return type(x)(new)
    if type(x) is slice:
        return slice(*new)
    return _record(x, dict(zip(_fields(x) or (), new, strict=True)))


def _record(x: Any, fields: dict[str, Any]) -> Any:
    """Return a copy of an attrs class or dataclass with other values in its fields.

    Its constructor is not called: it would convert values a second time.
    """
    made = copy.copy(x)
    for name in (*getattr(made, "__dict__", ()),):
        if name == HASH:  # computed from the fields, as the properties
            made.__dict__[name] = None
        elif isinstance(getattr(type(x), name, None), cached_property):
            del made.__dict__[name]
    for name, value in fields.items():
        object.__setattr__(made, name, value)
    return made


def mapped(x: Any, is_leaf: Callable[[Any], bool], f: Callable[[Any], Any]) -> Any:
    """Map `f` over the leaves of `x`, left to right, through all containers.

    >>> mapped([1, {"a": (2, "b")}], lambda v: isinstance(v, int), lambda v: v + 1)
    [2, {'a': (3, 'b')}]
    """
    if is_leaf(x):
        return f(x)
    held = parts(x)
    return x if held is None else rebuilt(x, [mapped(v, is_leaf, f) for v in held])


def listed(x: Any, is_leaf: Callable[[Any], bool], depth: int = 0) -> Any:
    """Replace each iterator in `x` by a list, after checking that every leaf can be reached.

    Raises: StrategyError if a leaf is in a collection that is not a container here, or if
    containers are nested deeper than `NESTED_CONTAINERS`.

    >>> listed([iter("ab"), 1], lambda v: v == 1)
    [['a', 'b'], 1]
    """
    if is_leaf(x):
        return x
    if isinstance(x, Iterator):
        x = list(x)
    held = parts(x)
    if held is None:
        _refuse_hidden(x, is_leaf)
        return x
    if depth == NESTED_CONTAINERS:
        raise StrategyError(
            f"containers are nested deeper than {NESTED_CONTAINERS}, which Dask and pickle cannot "
            "process; flatten them into one list, or put them behind one thunk"
        )
    if attrs.has(type(x)) or dataclasses.is_dataclass(x):
        for hidden in _not_given(x):
            _refuse_hidden([hidden], is_leaf, x)
    return rebuilt(x, [listed(v, is_leaf, depth + 1) for v in held])


def _refuse_hidden(x: Any, is_leaf: Callable[[Any], bool], owner: Any = None) -> None:
    """Raise StrategyError for a collection that contains a leaf but cannot be rebuilt."""
    seen: dict[int, Any] = {}
    if any(_holds(v, is_leaf, seen) for v in _collected(x)):
        what = type(x if owner is None else owner).__qualname__
        raise StrategyError(
            f"values of type {what} cannot be rebuilt with evaluated parts; use a list, a "
            "tuple or a dict"
        )


def _holds(x: Any, is_leaf: Callable[[Any], bool], seen: dict[int, Any], depth: int = 0) -> bool:
    """Return whether `x` is a leaf or contains one, in collections of any kind.

    `seen` keeps what was looked into before: a collection may be in itself.
    """
    if is_leaf(x):
        return True
    if id(x) in seen or depth == NESTED_CONTAINERS:
        return False
    seen[id(x)] = x
    held = parts(x)
    within = _collected(x) if held is None else held
    return any(_holds(v, is_leaf, seen, depth + 1) for v in within)


def _collected(x: Any) -> Iterable[Any]:
    """Return the elements of a collection that is not a container here; nothing of other values."""
    many = isinstance(x, Collection) and not isinstance(x, PLAIN)
    if not many or (hasattr(x, "dtype") and x.dtype != object) or hasattr(x, "iloc"):
        return ()
    found: Iterable[Any] = x.flat if hasattr(x, "flat") else x.items() if hasattr(x, "items") else x
    return found


def _fields(x: Any) -> list[str] | None:
    """Return the names of the fields that the constructor of its class takes."""
    if isinstance(x, type):
        return None
    if attrs.has(type(x)):
        return [f.name for f in attrs.fields(type(x)) if f.init]
    if dataclasses.is_dataclass(x):
        return [f.name for f in dataclasses.fields(x) if f.init]
    return None


def _not_given(x: Any) -> list[Any]:
    """Return the values of the fields that the constructor of `x` does not take."""
    fields: Any = attrs.fields(type(x)) if attrs.has(type(x)) else dataclasses.fields(x)
    return [getattr(x, f.name) for f in fields if not f.init and hasattr(x, f.name)]
