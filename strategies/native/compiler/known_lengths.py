"""Finds the length of a tuple or list at compile time.

The rule's own expression is run on stand-ins for its arguments: constants of the game and lengths
of tuples are known then, and all other values refuse to be used.
"""

from __future__ import annotations

import enum
import inspect
from types import FunctionType
from typing import Any

from attrs import frozen
from numba import types

from strategies.native.compiler.layout import GameType, RecordType

LONGEST = 1024
"""The length above which a row is better kept on the heap than as a value."""


@frozen
class Form:
    """A comprehension or slice in a rule."""

    name: str
    kind: str
    given: tuple[str, ...]
    field: Any = None
    source: str = ""


class Undetermined(Exception):
    """An expression needs a value that is not known at compile time."""


class Unknown:
    """A value that is not known at compile time: it cannot be used."""

    def _refuse(self, *_: Any) -> Any:
        raise Undetermined

    __bool__ = __eq__ = __ne__ = __hash__ = __iter__ = __index__ = __getattr__ = _refuse


class Known:
    """A game or a state of which only the type is known."""

    def __init__(self, native: Any) -> None:
        self.__dict__["_native"] = native

    def __getattr__(self, name: str) -> Any:
        native = self.__dict__["_native"]
        if isinstance(native, GameType):
            if name in dict(native.constants):
                return dict(native.constants)[name]
            for part in native.parts:
                if part.name == name:
                    return stand_in(part.native)
        elif name in dict(native.fields):
            return stand_in(dict(native.fields)[name])
        found = inspect.getattr_static(native.cls, name, None)
        if isinstance(found, property) and found.fget is not None:
            return found.fget(self)
        if isinstance(found, FunctionType):
            return found.__get__(self)
        if isinstance(found, staticmethod):
            return found.__func__
        if isinstance(found, (int, float, tuple, list, dict, set, frozenset, enum.Enum)):
            return found
        raise Undetermined


def stand_in(native: Any) -> Any:
    """Return what an expression sees of a value at compile time."""
    if isinstance(native, (GameType, RecordType)):
        return Known(native)
    if isinstance(native, types.BaseTuple):
        return tuple(stand_in(t) for t in native.types)
    if isinstance(native, types.Literal):
        return native.literal_value
    return Unknown()


def length_of(counted: Any, given: Any) -> int | None:
    try:
        found = len(counted(*map(stand_in, given)))
    except Exception:  # a rule that is run on stand-ins may raise anything
        return None
    return found if found <= LONGEST else None


def meant_length(form: Form, given: Any) -> int | None:
    """Return the length of the field that a tuple is passed to, taken from a state at hand."""
    cls, field = form.field or (None, "")
    found = {
        len(kind)
        for native in given
        if isinstance(native, RecordType) and (cls is None or native.cls is cls)
        for name, kind in native.fields
        if name == field and isinstance(kind, types.BaseTuple)
    }
    return found.pop() if len(found) == 1 else None
