"""What an object holds: its attributes, its slots, and what it computes once."""

from __future__ import annotations

import dataclasses
from contextlib import suppress
from functools import cached_property
from inspect import getattr_static
from types import MemberDescriptorType
from typing import Any, Final

import attrs

from games.digests import digest_of
from graphs.arguments import shown
from graphs.errors import MalformedError

HASH: Final = "_attrs_cached_hash"
"""Where attrs keeps the hash of a value that has ``cache_hash=True``."""


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


def remade(one: Any, cls: Any, **more: Any) -> Any:
    """Return an object of an attrs class that holds what one of a related class holds, and `more`.

    Its constructor is not called: it could convert again what is converted already.
    """
    made = object.__new__(cls)
    held = {f.name: getattr(one, f.name) for f in attrs.fields(cls) if hasattr(one, f.name)}
    for name, value in (held | beyond_fields(one) | more).items():
        object.__setattr__(made, name, value)
    if hasattr(cls, HASH):
        object.__setattr__(made, HASH, None)
    return made


def evolved(game: Any, **fields: Any) -> Any:
    """Return a game of an attrs class with other values of some fields; the others stay.

    Raises: MalformedError if its constructor converts again what is converted already, so that
    another field would change.
    """
    made: Any = attrs.evolve(game, **fields)
    for f in attrs.fields(type(game)):
        if f.init and f.name not in fields:
            old, new = getattr(game, f.name), getattr(made, f.name)
            if not _is_alike(old, new):
                raise MalformedError(
                    f"{type(game).__name__} cannot be made with other settings: its constructor "
                    f"would change {f.name} from {shown(old)} to {shown(new)}; write a converter "
                    "or __attrs_post_init__ that leaves a converted value as it is"
                )
    return made


def _is_alike(one: Any, other: Any) -> bool:
    """Return whether two values are equal, or hold the same as far as that can be seen."""
    with suppress(Exception):  # arrays have no truth value
        if one is other or one == other:
            return True
    digest = digest_of(one)
    return digest is None or digest == digest_of(other)


def computed_once(one: Any) -> dict[str, Any]:
    """Return what an object keeps of its cached properties."""
    held: dict[str, Any] = getattr(one, "__dict__", {})
    return {n: v for n, v in held.items() if _is_computed(type(one), n)}


def _is_computed(cls: type, name: str) -> bool:
    return isinstance(getattr_static(cls, name, None), cached_property)
