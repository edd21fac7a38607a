"""Attributes: fields of records, and names of modules, classes and other known objects."""

from __future__ import annotations

import enum
import functools
import inspect
import sys
import types

from strategies.rules.boundary import held
from strategies.rules.code.coercion import fail, number, spread
from strategies.rules.code.val import Val
from strategies.rules.code.walk import Walk
from strategies.rules.containers import arrays
from strategies.rules.kinds.kind import (
    FLOAT,
    INT,
    NEVER,
    RANGE,
    Array,
    Closure,
    Either,
    Generator,
    Member,
    Method,
    Record,
    Static,
)
from strategies.rules.kinds.parts import FAMILIES, class_of, family, inherits
from strategies.rules.language.messages import Refusal, unbound
from strategies.rules.values import enums, numbers, records

RANGE_PARTS = ("start", "stop", "step")


def attribute(w: Walk, a: Val, name: str) -> Val:
    """Return `a.name`."""
    k = a.kind
    if k is NEVER:
        return a
    if isinstance(k, Either):
        return spread(w, a, lambda x: attribute(w, x, name))
    if isinstance(k, Record):
        return records.attribute(w, a, name)
    if isinstance(k, Static):
        return _of_static(w, k.value, name)
    if isinstance(k, Array):
        return arrays.attribute(w, a, name)
    if name == "__class__" and not isinstance(k, Member):
        return w.constant(class_of(k))
    found = _of_number(w, a, name)
    if found is not None:
        return found
    if isinstance(k, Member):
        return enums.attribute(w, a, name)
    if k is RANGE and name in RANGE_PARTS:
        return Val(INT, w.part(a.v, RANGE_PARTS.index(name)))
    if callable(getattr(FAMILIES.get(family(k), object), name, None)):
        return Val(Method(sys.intern(name), k), a.v)
    if isinstance(k, Closure | Method | Generator):
        raise Refusal(f"the attribute {name} of a {k} is not compiled")
    if hasattr(class_of(k), name):
        raise Refusal(f"the attribute {name} of {k} is not compiled; keep it in a variable")
    return fail(w, AttributeError, f"{k} has no attribute {name}")


def _of_number(w: Walk, a: Val, name: str) -> Val | None:
    """Return a field of a number; None if this is none."""
    n = number(w, a)
    if n is None or (isinstance(a.kind, Member) and not inherits(a.kind, name)):
        return None
    if name == "real" or (name == "numerator" and n.kind is not FLOAT):
        return n if n.kind is FLOAT else numbers.to_int(w, n)
    if name == "imag":
        return w.constant(0.0 if n.kind is FLOAT else 0)
    return w.constant(1) if name == "denominator" and n.kind is not FLOAT else None


def _of_static(w: Walk, value: object, name: str) -> Val:
    cls = type(value)
    if isinstance(inspect.getattr_static(cls, "__getattribute__"), types.FunctionType):
        raise Refusal(f"{cls.__name__}.__getattribute__ is not compiled")
    in_memory = held.read(w, value, name)
    if in_memory is not None:
        return in_memory
    if isinstance(value, type) or not isinstance(getattr(cls, name, None), property):
        w.program.reads.attribute(value, name)
    else:  # what it gives may be made anew each time
        w.program.reads.attribute(cls, name)
    if isinstance(value, enum.EnumMeta):
        member = enums.of_class(w, value, name)
        if member is not None:
            return member
    try:
        found = inspect.getattr_static(value, name)
    except AttributeError:
        if hasattr(value, name):
            raise Refusal(f"{name} comes from a __getattr__, which is not compiled") from None
        return fail(w, AttributeError, f"there is no {name}")
    if isinstance(found, functools.singledispatchmethod):
        raise unbound(f"{cls.__name__}.{name}", found)
    if isinstance(found, property) and not isinstance(value, type):
        if not isinstance(found.fget, records.FUNCTIONS):
            raise unbound(f"the property {name}", found)
        return w.call(found.fget, w.constant(value))
    try:
        return w.constant(getattr(value, name))
    except AttributeError:  # such as a slot with nothing in it
        return fail(w, AttributeError, f"there is no {name}")
