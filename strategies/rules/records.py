"""Records: instances of frozen attrs classes, frozen dataclasses and NamedTuples, as structs.

A record is a value: nothing can set its fields. A list in it is an address, as everywhere. A record
whose construction is not done has a kind of its own, with only the fields that are set.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import types
from typing import Any, cast

import attrs

from strategies.rules.code import UNKNOWN, Code, Val
from strategies.rules.constants import field_names
from strategies.rules.kinds import (
    NEVER,
    UNSET,
    Boxed,
    Generator,
    Kind,
    Lazy,
    Member,
    Method,
    Record,
    Shared,
    Static,
    Tup,
    alternatives,
    can_change,
    form,
    parts,
    somewhere,
)
from strategies.rules.messages import Refusal
from strategies.rules.specials import defined, is_generated, lookup, unlike_records
from strategies.rules.values import boolean, equal, equal_parts, fail, is_one_of, narrowed, spread
from strategies.rules.walk import Walk

# Classes


def checked(cls: type) -> None:
    """Refuse a class whose instances are more than their fields."""
    name = cls.__name__
    if not _is_frozen(cls):
        raise Refusal(f"{name} is not frozen; write @frozen above it")
    if issubclass(cls, BaseException):
        raise Refusal(f"{name} is an exception, which is not compiled as a record")
    made = cls.__new__
    if issubclass(cls, tuple):
        plain = getattr(made, "__globals__", {}).get("__name__", "").startswith("namedtuple_")
    else:
        plain = made is object.__new__
    if not plain:
        raise Refusal(f"{name}.__new__ is not compiled; write a function that makes a {name}")
    unlike_records(cls)


def _is_frozen(cls: type) -> bool:
    if issubclass(cls, tuple):
        return True
    if attrs.has(cls):
        return cls.__setattr__.__name__ == "_frozen_setattrs"
    return bool(cls.__dataclass_params__.frozen)  # type: ignore[attr-defined]


def filled(w: Any, k: Record, kinds: list[Kind]) -> None:
    """Let a record have fields of these kinds, too; refuse what a record cannot hold."""
    w.program.fill(k, kinds)
    for name, kind in zip(k.names, k.kinds, strict=True):
        if _holds(kind, k, set()):
            raise Refusal(f"{k.of.__name__}.{name} holds a record of its own class: not compiled")


def _holds(kind: Kind, k: Record, seen: set[int]) -> bool:
    if kind is k:
        return True
    if isinstance(kind, Boxed):
        return False  # an address
    if isinstance(kind, Shared):
        if id(kind) in seen:
            return False
        seen.add(id(kind))
    return any(_holds(part, k, seen) for part in parts(kind))


def checked_field(cls: type, name: str, kind: Kind) -> None:
    """Refuse a field that holds an iterator."""
    if somewhere(kind, lambda k: isinstance(k, Generator | Lazy)):
        raise Refusal(f"{cls.__name__}.{name} holds an iterator; hold a list or tuple")


# Fields


def field(w: Walk, a: Val, name: str) -> Val:
    """Return a field of a record."""
    k = cast(Record, a.kind)
    if name not in k.names:
        return fail(w, AttributeError, f"{k.of.__name__}.{name} is not set")
    if a.known:
        return w.program.constants.value(getattr(a.py, name))
    i = k.names.index(name)
    found = Val(k.kinds[i], w.part(a.v, i))
    if UNSET not in alternatives(found.kind):
        return found
    message = f"{k.of.__name__}.{name} is not set"
    if found.kind is UNSET:
        return fail(w, AttributeError, message)
    w.check(is_one_of(w, found, lambda x: x is UNSET).v, AttributeError, message)
    return narrowed(w, found, lambda x: x is not UNSET)


def attribute(w: Walk, a: Val, name: str) -> Val:
    """Return `a.name` of a record."""
    k = cast(Record, a.kind)
    cls, found = k.of, lookup(k.of, name)
    if name in field_names(cls) and not isinstance(found, property):
        return field(w, a, name)
    return bound(w, a, cls, name, found)


def bound(w: Walk, a: Val, cls: type, name: str, found: Any) -> Val:
    """Return what a name of a class is for an instance, or for the class itself."""
    from strategies.rules.arguments import Arguments
    from strategies.rules.calls import call_function

    instance = not isinstance(a.kind, Static)
    match found:
        case None if name == "__class__" and instance:
            return w.program.constants.value(cls)
        case None:
            return fail(w, AttributeError, f"{cls.__name__} has no attribute {name}")
        case types.FunctionType():
            return Val(Method(found, a.kind), a.v) if instance else w.program.constants.value(found)
        case property(fget=types.FunctionType() as getter) if instance:
            return call_function(w, getter, Arguments([a], {}))
        case functools.cached_property(func=types.FunctionType() as getter) if instance:
            made = call_function(w, getter, Arguments([a], {}))
            if can_change(made.kind) or can_change(a.kind):
                raise Refusal(f"the cached property {name} has a list, set or dict; use a tuple")
            return made
        case staticmethod():
            return w.program.constants.value(found.__func__)
        case classmethod(__func__=types.FunctionType() as function):
            return w.program.constants.value(types.MethodType(function, cls))
    if name == "__class__" and instance:
        return w.program.constants.value(cls)
    if hasattr(type(found), "__get__"):
        raise Refusal(f"{cls.__name__}.{name} is not compiled")
    return w.program.constants.value(found)


def super_attribute(w: Walk, name: str) -> Val:
    """Return `super().name`."""
    start = w.source.closure.get("__class__")
    node = w.instance.node
    if start is None or w.instance.closure is not None or not isinstance(node, ast.FunctionDef):
        raise Refusal("super() is compiled only directly in a method")
    first = [*node.args.posonlyargs, *node.args.args]
    if not first:
        raise Refusal("super() needs a method with `self`")

    def of(a: Val) -> Val:
        cls = a.kind.value if isinstance(a.kind, Static) else getattr(a.kind, "of", None)
        if isinstance(a.kind, Static | Record | Member) and isinstance(cls, type):
            if not issubclass(cls, start):
                return fail(w, TypeError, "super(): self is not an instance of the class")
            found = lookup(cls, name, after=start)
            if found is None or isinstance(
                found, types.FunctionType | property | classmethod | staticmethod
            ):
                return bound(w, a, cls, name, found)
        raise Refusal(f"super().{name} is not compiled")

    return spread(w, w.name(first[0].arg), of)


# NamedTuples as tuples


def as_tuple(w: Code, a: Val) -> Val | None:
    """Return a NamedTuple as the tuple that it is."""
    if not isinstance(a.kind, Record) or not issubclass(a.kind.of, tuple):
        return None
    return Val(Tup(a.kind.kinds), a.v, tuple(a.py) if a.known else UNKNOWN)


def rebuilt(cls: type, names: tuple[str, ...], values: list[Any]) -> Any:
    """Return the instance with these fields, of which some may be `UNSET`."""
    if issubclass(cls, tuple):
        return tuple.__new__(cls, values)
    made = object.__new__(cls)
    for name, v in zip(names, values, strict=True):
        if v is not UNSET:
            object.__setattr__(made, name, v)
    if hasattr(cls, "_attrs_cached_hash"):
        object.__setattr__(made, "_attrs_cached_hash", None)
    return made


# Comparison of fields

ORDERS = {
    "<": ("__lt__", "__gt__"),
    "<=": ("__le__", "__ge__"),
    ">": ("__gt__", "__lt__"),
    ">=": ("__ge__", "__le__"),
}


def _fields_in(cls: type, owner: type, what: str) -> list[tuple[str, Any]]:
    """Return the fields that a generated method compares or hashes, with the keys of them."""
    if "__attrs_attrs__" in vars(owner):
        chosen = []
        for f in owner.__attrs_attrs__:  # type: ignore[attr-defined]
            use = f.eq if what == "eq" or (what == "hash" and f.hash is None) else getattr(f, what)
            if use:
                chosen.append((f.name, f.order_key if what == "order" else f.eq_key))
        return chosen
    chosen = []
    for f in dataclasses.fields(owner):
        use = f.hash if what == "hash" and f.hash is not None else f.compare
        if use:
            chosen.append((f.name, None))
    return chosen


def compared(k: Record) -> list[int]:
    """Return the fields by which records are looked up."""
    cls = k.of
    if issubclass(cls, tuple):
        return list(range(len(k.names)))
    name = cls.__name__
    eq, hashing = defined(cls, "__eq__"), defined(cls, "__hash__")
    if not all(f is not None and is_generated(f[0], f[1]) for f in (eq, hashing)):
        raise Refusal(f"{name} as a key is not compiled: its == or hash is not of its fields")
    equals = _fields_in(cls, eq[1], "eq")  # type: ignore[index]
    hashes = _fields_in(cls, hashing[1], "hash")  # type: ignore[index]
    if any(key for _, key in equals) or not {n for n, _ in hashes} <= {n for n, _ in equals}:
        raise Refusal(
            f"{name} as a key is not compiled: its hash is not of the fields that it compares"
        )
    _complete(k)
    return [k.names.index(n) for n, _ in hashes]


def _complete(k: Record) -> None:
    if len(k.names) != len(field_names(k.of)) or any(UNSET in alternatives(i) for i in k.kinds):
        raise Refusal(f"a {k.of.__name__} is compared of which not all fields are set")


def equal_records(c: Code, a: Val, b: Val) -> Val:
    """Return `a == b`, of which one is a record; inside of containers, too."""
    x, y = as_tuple(c, a) or a, as_tuple(c, b) or b
    if x is not a or y is not b:
        return equal(c, x, y)
    found = None
    for k in (a.kind, b.kind):
        found = defined(k.of, "__eq__") if isinstance(k, Record) else None
        if found is not None and not is_generated(*found):
            raise Refusal(
                f"an own == of {k} is compiled only where it stands itself, not in containers"
            )
    ka, kb = a.kind, b.kind
    if not isinstance(ka, Record) or not isinstance(kb, Record) or ka.of is not kb.of:
        return boolean(False)
    if found is None:
        raise Refusal(f"{ka.of.__name__} has no == of its fields, and records have no identity")
    _complete(ka)
    chosen = _fields_in(ka.of, found[1], "eq")
    if any(key for _, key in chosen):
        return equal(c, _keyed(c, a, chosen), _keyed(c, b, chosen))
    places = [ka.names.index(n) for n, _ in chosen]
    return equal_parts(c, a, b, [(i, ka.kinds[i], kb.kinds[i]) for i in places])


def _keyed(c: Code, a: Val, chosen: list[tuple[str, Any]]) -> Val:
    """Return the tuple of chosen fields, of some by a key."""
    k = cast(Record, a.kind)
    values = []
    for name, key in chosen:
        i = k.names.index(name)
        v = Val(k.kinds[i], c.part(a.v, i))
        if key is not None:
            from strategies.rules.arguments import Arguments
            from strategies.rules.calls import call_value

            if not isinstance(c, Walk):
                raise Refusal(
                    f"{k.of.__name__} has a key for {name}, which is not compiled in a container"
                )
            v = call_value(c, c.program.constants.value(key), Arguments([v], {}), c.here)
        values.append(v)
    if any(v.kind is NEVER for v in values):
        return Val(NEVER, c.undef(NEVER))
    kind = Tup(v.kind for v in values)
    return Val(kind, c.pack(form(kind), [v.v for v in values]))


def ordered(c: Code, op: str, a: Val, b: Val) -> Val:
    """Return `a op b`, where one is a record."""
    from strategies.rules.order import ordered as order_of

    x, y = as_tuple(c, a) or a, as_tuple(c, b) or b
    if x is not a or y is not b:
        return order_of(c, op, x, y)
    ka, kb = a.kind, b.kind
    name, mirrored = ORDERS[op]
    for k, method in ((ka, name), (kb, mirrored)):
        found = defined(k.of, method) if isinstance(k, Record) else None
        if found is not None and not is_generated(*found):
            raise Refusal(f"{k}.{method} is not compiled inside of a container")
    found = defined(ka.of, name) if isinstance(ka, Record) else None
    if isinstance(ka, Record) and isinstance(kb, Record) and ka.of is kb.of and found is not None:
        _complete(ka)
        chosen = _fields_in(ka.of, found[1], "order")
        return order_of(c, op, _keyed(c, a, chosen), _keyed(c, b, chosen))
    return fail(c, TypeError, f"{op} is not defined between {ka} and {kb}")
