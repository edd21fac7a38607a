"""Records: instances of frozen attrs classes, frozen dataclasses and NamedTuples, as structs.

A record is a value: nothing can set its fields. A list in it is an address, as everywhere. A record
whose construction is not done has a kind of its own, with only the fields that are set.
"""

from __future__ import annotations

import ast
import functools
import types
from typing import Any, cast

from strategies.rules.code.coercion import fail, is_one_of, narrowed, spread
from strategies.rules.code.val import Val
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.kind import UNSET, Member, Method, Record, Static
from strategies.rules.kinds.parts import alternatives, can_change
from strategies.rules.kinds.record_classes import field_names, lookup
from strategies.rules.language.messages import Refusal, advised, unbound
from strategies.rules.values.equality import fields

FUNCTIONS = types.FunctionType, functools._lru_cache_wrapper
BOUND = *FUNCTIONS, property, classmethod, staticmethod


def field(w: Walk, a: Val, name: str) -> Val:
    """Return a field of a record."""
    k = cast(Record, a.kind)
    if name not in k.names:
        return fail(w, AttributeError, f"{k.of.__name__}.{name} is not set")
    if a.known:
        return w.constant(getattr(a.py, name))
    found = fields(w, a)[name]
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
    known = a.kind.value if isinstance(a.kind, Static) else None
    instance = not isinstance(known, type)
    match found:
        case None:
            return fail(w, AttributeError, f"{cls.__name__} has no attribute {name}")
        case types.FunctionType() | functools._lru_cache_wrapper():
            if known is None:
                return Val(Method(found, a.kind), a.v)
            return w.constant(types.MethodType(found, known) if instance else found)
        case property(fget=getter) if instance and isinstance(getter, FUNCTIONS):
            return w.call(getter, a)
        case functools.cached_property(func=types.FunctionType() as getter) if instance:
            made = w.call(getter, a)
            if can_change(made.kind) or can_change(a.kind):
                raise Refusal(f"the cached property {name} has a list, set or dict; use a tuple")
            return made
        case staticmethod():
            return w.constant(found.__func__)
        case classmethod(__func__=function) if isinstance(function, FUNCTIONS):
            return w.constant(types.MethodType(function, cls))
    if name == "__class__" and instance:
        return w.constant(cls)
    if hasattr(type(found), "__get__"):
        raise unbound(f"{cls.__name__}.{name}", found)
    return w.constant(found)


def super_attribute(w: Walk, name: str) -> Val:
    """Return `super().name`."""
    start = w.source.closure.get("__class__")
    node = w.source.node
    if start is None or w.instance.closure is not None or not isinstance(node, ast.FunctionDef):
        raise Refusal("super() is compiled only directly in a method")
    first = [*node.args.posonlyargs, *node.args.args]
    if not first:
        raise Refusal("super() needs a method with `self`")

    def of(a: Val) -> Val:
        cls = a.kind.value if isinstance(a.kind, Static) else getattr(a.kind, "of", None)
        cls = cls if isinstance(cls, type) or cls is None else type(cls)
        if isinstance(a.kind, Static | Record | Member) and isinstance(cls, type):
            if not issubclass(cls, start):
                return fail(w, TypeError, "super(): self is not an instance of the class")
            found = lookup(cls, name, after=start)
            if isinstance(found, BOUND) or not hasattr(type(found), "__get__"):
                return bound(w, a, cls, name, found)
        raise advised(f"super().{name}", f"write self.{name}")

    return spread(w, w.name(first[0].arg), of)


def is_super(node: ast.AST) -> bool:
    """Whether an expression is `super()`."""
    match node:
        case ast.Call(func=ast.Name(id="super"), args=[], keywords=[]):
            return True
    return False
