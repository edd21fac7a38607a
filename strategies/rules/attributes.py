"""Attributes: fields of records, and names of modules, classes and other known objects."""

from __future__ import annotations

import ast
import enum
import inspect
import sys
import types

from strategies.rules.code import Val
from strategies.rules.kinds import (
    FLOAT,
    INT,
    NEVER,
    Closure,
    Either,
    Generator,
    Lazy,
    Member,
    Method,
    Record,
    Static,
)
from strategies.rules.messages import Refusal
from strategies.rules.values import fail, number, spread
from strategies.rules.walk import Walk


def attribute(w: Walk, a: Val, name: str) -> Val:
    """Return `a.name`."""
    k = a.kind
    if k is NEVER:
        return a
    if isinstance(k, Either):
        return spread(w, a, lambda x: attribute(w, x, name))
    if isinstance(k, Record):
        from strategies.rules import records

        return records.attribute(w, a, name)
    if isinstance(k, Static):
        return _of_static(w, k.value, name)
    if isinstance(k, Member):
        return _of_member(w, a, name)
    if number(w, a) is not None and name in ("real", "numerator") and k is not FLOAT:
        from strategies.rules import numbers

        return numbers.to_int(w, a)
    from strategies.rules.builtins import PYTHON, family

    if hasattr(PYTHON.get(family(k), object), name):
        return Val(Method(sys.intern(name), k), a.v)
    if isinstance(k, Closure | Method | Generator | Lazy):
        raise Refusal(f"the attribute {name} of a {k} is not compiled")
    return fail(w, AttributeError, f"{k} has no attribute {name}")


def _of_static(w: Walk, value: object, name: str) -> Val:
    w.program.reads.attribute(value, name)
    try:
        found = inspect.getattr_static(value, name)
    except AttributeError:
        return fail(w, AttributeError, f"there is no {name}")
    if isinstance(found, property) and not isinstance(value, type):
        from strategies.rules.calls import Arguments, call_function

        if not isinstance(found.fget, types.FunctionType):
            raise Refusal(f"the property {name} is not compiled")
        return call_function(w, found.fget, Arguments([w.program.constants.value(value)], {}))
    return w.program.constants.value(getattr(value, name))


def _of_member(w: Walk, a: Val, name: str) -> Val:
    assert isinstance(a.kind, Member)
    cls: type[enum.Enum] = a.kind.of  # type: ignore[assignment]
    if name in ("value", "name"):
        return w.program.constants.of_members(w, a, lambda m: getattr(m, name))
    found = inspect.getattr_static(cls, name, None)
    if isinstance(found, types.FunctionType):
        return Val(Method(found, a.kind), a.v)
    if isinstance(found, property) and isinstance(found.fget, types.FunctionType):
        from strategies.rules.calls import Arguments, call_function

        return call_function(w, found.fget, Arguments([a], {}))
    raise Refusal(f"{a.kind}.{name} is not compiled")


__all__ = ["INT", "ast", "attribute"]
