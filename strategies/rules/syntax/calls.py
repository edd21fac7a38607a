"""Calls: of functions, methods, classes and builtins."""

from __future__ import annotations

import ast
import enum
import functools
import operator
import types
from typing import Any, cast

from strategies.rules.builtins import call_builtin, method, method_of
from strategies.rules.builtins.caching import call_cached
from strategies.rules.builtins.declared import FUNCTIONS
from strategies.rules.builtins.functions import call_getter
from strategies.rules.calls import jitted
from strategies.rules.calls.arguments import arguments
from strategies.rules.calls.invoking import call_closure, call_function
from strategies.rules.code.coercion import fail, is_one_of, narrowed
from strategies.rules.code.val import Arguments, Val
from strategies.rules.code.walk import CALLS, EXPRESSIONS, Walk
from strategies.rules.iteration import orderless
from strategies.rules.kinds import record_classes
from strategies.rules.kinds.kind import (
    NEVER,
    NONE,
    Closure,
    Either,
    Kind,
    Member,
    Method,
    Record,
    Static,
)
from strategies.rules.kinds.parts import alternatives, is_hashable
from strategies.rules.kinds.record_classes import is_record
from strategies.rules.language.messages import (
    DISPATCH,
    METHOD_FORM,
    Refusal,
    advised,
    in_library,
    is_generic,
    uncompiled,
)
from strategies.rules.language.names import CONSUMERS
from strategies.rules.operations.attributes import attribute
from strategies.rules.syntax import construction
from strategies.rules.values import enums, records
from strategies.rules.values.records import is_super

# The iterables that a builtin uses up, by place, and whether their makers may be left to it.
USED_UP: dict[Any, dict[int, bool]] = {
    functools.reduce: {1: False},
    **{f: {0: f in (list, tuple)} for f in CONSUMERS},
}


def call(w: Walk, node: ast.Call) -> Val:
    """Return the value of a call."""
    room, w.used_up = w.used_up, ""
    if isinstance(node.func, ast.Attribute):
        if is_super(node.func.value):
            f = records.super_attribute(w, node.func.attr)
            given = arguments(w, node)
            return w.call_value(f, given, node) if given.known else w.never
        owner = w.eval(node.func.value)
        if owner.kind is NEVER:
            return owner
        if construction.has_library_method(owner.kind, node.func.attr):
            match node.keywords if node.func.attr == "_replace" and not node.args else []:
                case [ast.keyword(None, ast.Dict([ast.expr() as key], [value]))]:
                    name, new = w.eval(key), w.eval(value)
                    return construction.replace_by_name(w, owner, name, new, node)
            given = arguments(w, node)
            if not given.known:
                return w.never
            return construction.library_method(w, owner, node.func.attr, given, node)
        if isinstance(owner.kind, Either):
            owner = _having(w, owner, node.func.attr)
            if owner.kind is NEVER:
                return owner
        if any(not isinstance(k, Static | Record) for k in alternatives(owner.kind)):
            return method(w, owner, node.func.attr, node)
        f = attribute(w, owner, node.func.attr)
    else:
        f = w.eval(node.func)
    known = f.kind.value if isinstance(f.kind, Static) and is_hashable(f.kind.value) else None
    if isinstance(f.kind, Static):
        orderless.mark(w, f.kind.value, node)
    given = arguments(w, node, USED_UP.get(known))
    if f.kind is NEVER or not given.known:
        return w.never
    if isinstance(f.kind, Static):
        orderless.check_call(w, f.kind.value, node, given)
    w.used_up = room
    found = w.call_value(f, given, node)
    w.used_up = ""
    return found


def _having(w: Walk, a: Val, name: str) -> Val:
    """Return a value as one that has an attribute, which is looked up before arguments."""

    def has(k: Kind) -> bool:
        if isinstance(k, Record):
            return name in k.names or hasattr(k.of, name)
        return k is not NONE or hasattr(None, name)

    lacks = is_one_of(w, a, lambda k: not has(k))
    if not lacks.known:
        w.check(lacks.v, AttributeError, f"{a.kind} has no attribute {name}")
    return narrowed(w, a, has)


def call_method(w: Walk, f: Val, given: Arguments, node: ast.AST) -> Val:
    """Call a function that is bound to a value."""
    k = cast(Method, f.kind)
    owner = Val(k.self_kind, f.v)
    if isinstance(k.function, str):
        return method_of(w, owner, k.function, given, node)
    if isinstance(k.function, functools._lru_cache_wrapper):
        return call_cached(w, k.function, given.after([owner]), node)
    return call_function(w, k.function, given.after([owner]))


def call_object(w: Walk, f: Val, given: Arguments, node: ast.AST) -> Val:
    """Call a record or member of an enumeration."""
    own = record_classes.own(f.kind, "__call__")
    if own is None:
        return fail(w, TypeError, f"{f.kind} is not callable")
    return call_function(w, own, given.after([f]))


def call_known(w: Walk, f: Val, given: Arguments, node: ast.AST) -> Val:
    """Call a Python object that is known before."""
    value = cast(Static, f.kind).value
    if is_hashable(value) and value in construction.CHANGES:
        return construction.change(w, value, given, node)
    if isinstance(value, types.FunctionType) and value not in FUNCTIONS:
        if in_library(value):
            raise uncompiled(value)
        if is_generic(value):
            raise advised(f"{value.__name__} under singledispatch", DISPATCH)
        return call_function(w, value, given)
    if isinstance(value, types.MethodType):
        if in_library(value):
            raise uncompiled(value)
        owner = w.constant(value.__self__)
        if isinstance(value.__func__, functools._lru_cache_wrapper):
            return call_cached(w, value.__func__, given, node, value.__self__)
        if not isinstance(value.__func__, types.FunctionType):
            raise advised(value.__name__, METHOD_FORM)
        return call_function(w, value.__func__, given.after([owner]))
    if isinstance(value, functools.partial):
        for name in ("func", "args", "keywords"):
            w.program.reads.attribute(value, name)
        w.program.reads.contents(value.keywords)
        before = [w.constant(a) for a in value.args]
        named = {n: w.constant(a) for n, a in value.keywords.items()}
        return w.call_value(w.constant(value.func), given.after(before, named), node)
    if isinstance(value, operator.itemgetter | operator.attrgetter):
        return call_getter(w, value, given, node)
    if jitted.is_jitted(value):
        return jitted.call(w, value, given, node)
    if is_record(value):
        return construction.construct(w, value, given, node)
    if isinstance(value, enum.EnumMeta):
        if len(given.values) != 1 or given.named:
            raise Refusal("an enumeration is called with one value")
        return enums.member(w, value, given.values[0])
    if isinstance(value, functools._lru_cache_wrapper):
        return call_cached(w, value, given, node)
    return call_builtin(w, value, given, node)


CALLS.update(
    {
        Closure: call_closure,
        Method: call_method,
        Record: call_object,
        Member: call_object,
        Static: call_known,
    }
)
EXPRESSIONS[ast.Call] = call
