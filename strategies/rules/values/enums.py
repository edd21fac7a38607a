"""Enumerations: members, their values and attributes, and the look-up of members."""

from __future__ import annotations

import enum
import inspect
import types
from typing import Any, cast

from strategies.rules.code.coercion import is_one_of, spread
from strategies.rules.code.simple import as_text, fail
from strategies.rules.code.val import Val, c1, c64
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.atoms import NEVER, is_text
from strategies.rules.kinds.kind import Either, Member
from strategies.rules.kinds.record_classes import check_enumeration, lookup
from strategies.rules.language.messages import Refusal
from strategies.rules.values.equality import equal
from strategies.rules.values.records import bound


def attribute(w: Walk, a: Val, name: str) -> Val:
    """Return `a.name` of a member."""
    cls = cast(type[enum.Enum], cast(Member, a.kind).of)
    found = lookup(cls, name)
    if name in ("value", "name", "_value_", "_name_"):
        if name in ("value", "name") and not _is_own_of_enum(cls, name):
            raise Refusal(f"{cls.__name__}.{name} is written anew, which is not compiled")
        return w.program.constants.of_members(w, a, lambda m: getattr(m, name))
    members = list(cls)
    if all(name in vars(m) for m in members) and not isinstance(found, property):
        return w.program.constants.of_members(w, a, lambda m: getattr(m, name))
    if name in cls.__members__ or any(name in vars(m) for m in members):
        raise Refusal(
            f"{cls.__name__}.{name} of a member is not compiled; write {cls.__name__}.{name}"
        )
    return bound(w, a, cls, name, found)


def _is_own_of_enum(cls: type[enum.Enum], name: str) -> bool:
    owner = next(c for c in cls.__mro__ if name in vars(c))
    return owner.__module__ == "enum"


def of_class(w: Walk, cls: Any, name: str) -> Val | None:
    """Return `cls.name`, if it is a member or what the class defines."""
    if name in cls.__members__:
        return w.program.constants.value(cls[name])
    found = inspect.getattr_static(cls, name, None)
    if isinstance(found, types.DynamicClassAttribute | property):
        raise Refusal(f"{cls.__name__}.{name} is not compiled")
    return None


def member(w: Walk, cls: Any, x: Val) -> Val:
    """Return `cls(x)`: the member with a value."""
    check_enumeration(cls)
    if not cls.__members__:
        raise Refusal(f"{cls.__name__} has no members")
    if lookup(cls, "_missing_") is not enum.Enum.__dict__["_missing_"]:
        raise Refusal(f"{cls.__name__}._missing_ is not compiled")
    if x.kind is NEVER or (isinstance(x.kind, Member) and x.kind.of is cls):
        return x
    if isinstance(x.kind, Either):
        return spread(w, x, lambda y: member(w, cls, y))
    error = f"the value is not one of {cls.__name__}"
    return _chosen(w, cls, x, [m.value for m in cls], ValueError, error)


def _chosen(
    w: Walk, cls: Any, x: Val, keys: list[Any], error: type[Exception], message: str
) -> Val:
    """Return the member whose key equals a value; the first wins."""
    tests = [equal(w, x, w.program.constants.value(k)) for k in keys]
    if any(t.kind is NEVER for t in tests):
        return w.never
    if all(t.known for t in tests):
        at = next((i for i, t in enumerate(tests) if t.py), None)
        return fail(w, error, message) if at is None else w.program.constants.value(list(cls)[at])
    found: Any = c64(0)
    some: Any = c1(False)
    for i, t in reversed(list(enumerate(tests))):
        found = w.b.select(t.v, c64(i), found)
        some = w.b.or_(some, t.v)
    w.check(w.b.not_(some), error, message)
    return Val(Member(cls), found)


def item(w: Walk, cls: Any, x: Val) -> Val:
    """Return `cls[x]`: the member with a name."""
    check_enumeration(cls)
    if x.kind is NEVER:
        return x
    if isinstance(x.kind, Either):
        return spread(w, x, lambda y: item(w, cls, y))
    x = as_text(w, x)
    if not is_text(x.kind):
        if isinstance(x.kind, Member):
            raise Refusal("a member is looked up by its name")
        return fail(w, KeyError, f"{cls.__name__} has no member of this name")
    if x.known:
        if x.py in cls.__members__:
            return w.program.constants.value(cls[x.py])
        return fail(w, KeyError, f"{cls.__name__} has no member {x.py}")
    if len(cls.__members__) != len(list(cls)):
        raise Refusal(f"{cls.__name__} has several names for a member, which is not compiled")
    return _chosen(w, cls, x, [m.name for m in cls], KeyError, "no member of this name")


def contains(w: Walk, cls: Any, x: Val) -> Val:
    """Return `x in cls`."""
    if not all(
        isinstance(k, Member) for k in (x.kind.items if isinstance(x.kind, Either) else [x.kind])
    ):
        raise Refusal(f"`in` {cls.__name__} is compiled for members only")
    return is_one_of(w, x, lambda k: isinstance(k, Member) and k.of is cls)
