"""Fields of records, and the base class of games and problems, whose fields are known to attrs.

Marks of fields say how the compiler of rules treats them; `prefetch` tells it what is read next.
"""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from reprlib import recursive_repr
from types import FunctionType
from typing import Any, Final
from weakref import WeakKeyDictionary

import attrs

from games.attributes import attributes, is_plain
from games.digests import digest_of

WEIGHT: Final = "weight"
"""The metadata key of a field that is a weight: ``field(default=1, metadata={WEIGHT: True})``.

Compiled rules read its number from memory, so that games with other weights share their code; other
numbers of a game are constants of the code.
"""
TUNED: Final = "tuned"
"""The metadata key of a field that is a weight and a constant of compiled rules, so that each value
needs compiling: ``field(default=0, metadata={TUNED: True})``."""
WRITTEN: Final = "written"
"""The metadata key of a field with an array to which rules write, as learning does."""


def prefetch(row: Any, index: int) -> None:
    """Announce that an element of a row will soon be read, so that the processor fetches it now.

    Ensures: nothing but speed changes; an index out of range does no harm.
    """


def record_fields(record: Any) -> tuple[tuple[str, bool], ...] | None:
    """Return the fields of an instance of an attrs class or a dataclass, each with whether ``==``
    compares it; None for any other value.

    >>> record_fields(0) is None
    True
    """
    cls: Any = type(record)
    return class_fields(cls)


@lru_cache(maxsize=256)
def class_fields(cls: Any) -> tuple[tuple[str, bool], ...] | None:
    """Return the fields of an attrs class or a dataclass, each with whether ``==`` compares it;
    None for any other class."""
    if attrs.has(cls):
        return tuple((f.name, bool(f.eq)) for f in attrs.fields(cls))
    if dataclasses.is_dataclass(cls):
        return tuple((f.name, f.compare) for f in dataclasses.fields(cls))
    return None


def by_attrs(cls: Any) -> bool:
    """Whether attrs made a class of records, not only knows its fields."""
    for members in map(vars, cls.__mro__):
        if isinstance(members.get("__attrs_attrs__"), tuple):
            return True
        if "__dataclass_params__" in members:
            return False
    return False


def is_frozen_record(cls: Any) -> bool:
    """Return whether the fields of a class of records cannot be set.

    >>> [is_frozen_record(attrs.make_class("A", ["x"], frozen=how)) for how in (False, True)]
    [False, True]
    """
    if issubclass(cls, tuple):
        return True
    if by_attrs(cls):
        return bool(cls.__setattr__.__name__ == "_frozen_setattrs")
    return bool(cls.__dataclass_params__.frozen)


class _AsAttrs:
    """Where attrs looks for the fields of a class; those that attrs makes have their own."""

    def __get__(self, instance: object, cls: type) -> Any:
        about = getattr(cls, "__dataclass_params__", None)
        if about is None or not about.frozen:
            raise AttributeError("__attrs_attrs__")
        if cls not in _known:
            _known[cls] = _fields(cls)
        return _known[cls]


class WithFields:
    """The base class of games and problems, whose fields are known to attrs.

    Objects of a plain class are equal if all their attributes are.
    """

    __attrs_attrs__ = _AsAttrs()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other) or not is_plain(type(self)):
            return NotImplemented
        try:
            return bool(attributes(self) == attributes(other))
        except (ValueError, RecursionError):  # arrays, or a game that holds itself
            digest = digest_of(attributes(self))
            return digest is not None and digest == digest_of(attributes(other))

    def __hash__(self) -> int:
        return hash(type(self)) if is_plain(type(self)) else super().__hash__()

    def __repr__(self) -> str:
        return _text(self) if is_plain(type(self)) else super().__repr__()


@recursive_repr()
def _text(value: Any) -> str:
    """Return a repr without addresses, which is the same in every process, as records of a game
    are continued by it."""
    cls: Any = type(value)
    if cls is dict:
        return "{" + ", ".join(f"{_text(k)}: {_text(v)}" for k, v in value.items()) + "}"
    if cls is list:
        return f"[{', '.join(map(_text, value))}]"
    if cls is tuple:
        return f"({', '.join(map(_text, value))}{',' * (len(value) == 1)})"
    if cls in (set, frozenset) and value:
        parts = "{" + ", ".join(sorted(map(_text, value))) + "}"
        return parts if cls is set else f"frozenset({parts})"
    if isinstance(value, FunctionType):
        return value.__qualname__
    if cls.__repr__ not in (object.__repr__, WithFields.__repr__):
        return repr(value)
    shown = ", ".join(f"{name}={_text(held)}" for name, held in attributes(value).items())
    return f"{cls.__qualname__}({shown})"


_known: WeakKeyDictionary[type, Any] = WeakKeyDictionary()
"""The fields of each dataclass; a class that a notebook defines again is not kept."""


def _fields(cls: Any) -> Any:
    """Return the fields of a dataclass as those of an attrs class."""

    def default(f: dataclasses.Field[Any]) -> Any:
        if f.default_factory is not dataclasses.MISSING:
            return attrs.Factory(f.default_factory)
        return attrs.NOTHING if f.default is dataclasses.MISSING else f.default

    named = {
        f.name: attrs.field(
            default=default(f), init=f.init, eq=f.compare, hash=f.hash, repr=f.repr,
            kw_only=True, metadata=dict(f.metadata),
        )
        for f in dataclasses.fields(cls)
    }  # fmt: skip
    return attrs.fields(attrs.make_class(cls.__name__, named, eq=False))
