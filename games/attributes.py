"""What an object holds: its attributes, its slots, and what it computes once."""

from __future__ import annotations

import dataclasses
from contextlib import suppress
from functools import cached_property
from inspect import getattr_static
from types import MemberDescriptorType
from typing import Any

import attrs


def is_plain(cls: Any) -> bool:
    """Return whether neither attrs nor dataclasses made a class."""
    return not attrs.has(cls) and not dataclasses.is_dataclass(cls)


def held_by(one: Any) -> dict[str, Any]:
    """Return all that an object holds, by the names of its attributes and slots."""
    found = dict(getattr(one, "__dict__", {}))
    for cls in type(one).__mro__:
        for name, slot in vars(cls).items():
            if isinstance(slot, MemberDescriptorType):
                with suppress(AttributeError):  # nothing is in it
                    found[name] = slot.__get__(one)
    return found


def attributes(one: Any) -> dict[str, Any]:
    """Return what a game, or another record, holds, without what it computes once."""
    cls: Any = type(one)
    if not attrs.has(cls):
        return {n: v for n, v in held_by(one).items() if not _is_computed(cls, n)}
    return {f.name: getattr(one, f.name, None) for f in attrs.fields(cls)} | beyond_fields(one)


def beyond_fields(one: Any) -> dict[str, Any]:
    """Return what an instance of an attrs class holds besides its fields: attributes of a derived
    class, for example, that is none itself."""
    cls: Any = type(one)
    held: dict[str, Any] = getattr(one, "__dict__", {})
    known = {f.name for f in attrs.fields(cls)} if held else ()
    return {n: v for n, v in held.items() if n not in known and not _is_computed(cls, n)}


def computed_once(one: Any) -> dict[str, Any]:
    """Return what an object keeps of its cached properties."""
    held: dict[str, Any] = getattr(one, "__dict__", {})
    return {n: v for n, v in held.items() if _is_computed(type(one), n)}


def _is_computed(cls: type, name: str) -> bool:
    return isinstance(getattr_static(cls, name, None), cached_property)
