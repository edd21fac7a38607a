"""Fields of games and problems: those of frozen dataclasses as attrs knows them."""

from __future__ import annotations

import dataclasses
from typing import Any
from weakref import WeakKeyDictionary

import attrs


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
    """The base class of games and problems, whose fields are known to attrs."""

    __attrs_attrs__ = _AsAttrs()


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
