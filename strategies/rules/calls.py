"""Calls: of functions, methods, classes and builtins."""

from __future__ import annotations

import ast
import enum
import functools
import operator
import types
from collections.abc import Sequence
from typing import Any

from strategies.rules import closures, enums, generators, orderless, specials
from strategies.rules.arguments import Arguments, arguments, bind, known_defaults
from strategies.rules.attributes import attribute
from strategies.rules.builtins import call_builtin, method, method_of
from strategies.rules.builtins.declared import FUNCTIONS
from strategies.rules.builtins.functions import call_getter
from strategies.rules.classes import FAMILIES, family
from strategies.rules.code import CONTEXT, FREE, NOTHING, Val
from strategies.rules.constants import is_record
from strategies.rules.forms import form
from strategies.rules.joining import join
from strategies.rules.kinds import (
    NEVER,
    NONE,
    Closure,
    Either,
    Kind,
    Member,
    Method,
    Record,
    Static,
    can_change,
    in_memory,
)
from strategies.rules.messages import Refusal
from strategies.rules.sources import (
    FunctionNode,
    Source,
    _closure_of,
    _defaults_of,
    own_nodes,
    source_of,
)
from strategies.rules.values import coerce, fail, is_one_of, narrowed, parts_of, spread
from strategies.rules.walk import Walk

_sources: dict[Any, Source] = {}


def source_known(function: types.FunctionType) -> Source:
    """Return the source of a function; its closure and defaults are read anew."""
    code = function.__code__
    if code not in _sources:
        _sources[code] = source_of(function)
    found = _sources[code]
    from attrs import evolve

    return evolve(
        found,
        closure=_closure_of(function),
        defaults=_defaults_of(function, found.node),
        globals=function.__globals__,
    )


# The iterables that a builtin uses up, by place, and whether their makers may be left to it.
CONSUMERS: dict[Any, dict[int, bool]] = {
    list: {0: True},
    tuple: {0: True},
    functools.reduce: {1: False},
    **{f: {0: False} for f in (any, all, sum, min, max, sorted, set, frozenset, dict, next)},
}


def call(w: Walk, node: ast.Call) -> Val:
    """Return the value of a call."""
    stack, w.used_up = w.used_up, False
    if isinstance(node.func, ast.Attribute):
        if is_super(node.func.value):
            from strategies.rules import records

            f = records.super_attribute(w, node.func.attr)
            given = arguments(w, node)
            return call_value(w, f, given, node) if given.known else Val(NEVER, w.undef(NEVER))
        owner = w.eval(node.func.value)
        if owner.kind is NEVER:
            return owner
        from strategies.rules import construction

        if construction.has_library_method(owner.kind, node.func.attr):
            given = arguments(w, node)
            if not given.known:
                return Val(NEVER, w.undef(NEVER))
            return construction.library_method(w, owner, node.func.attr, given, node)
        if isinstance(owner.kind, Either):
            owner = _having(w, owner, node.func.attr)
            if owner.kind is NEVER:
                return owner
        if not isinstance(owner.kind, Static | Record | Either) or _has_methods(owner.kind):
            return method(w, owner, node.func.attr, node)
        f = attribute(w, owner, node.func.attr)
    else:
        f = w.eval(node.func)
    known = f.kind.value if isinstance(f.kind, Static) and _hashable(f.kind.value) else None
    if isinstance(f.kind, Static):
        orderless.mark(w, f.kind.value, node)
    given = arguments(w, node, CONSUMERS.get(known))
    if f.kind is NEVER or not given.known:
        return Val(NEVER, w.undef(NEVER))
    if isinstance(f.kind, Static):
        orderless.check_call(w, f.kind.value, node, given.first)
    w.used_up = stack
    found = call_value(w, f, given, node)
    w.used_up = False
    return found


def _has_methods(k: Kind) -> bool:
    """Whether some alternative has the library's own methods."""
    return isinstance(k, Either) and any(not isinstance(i, Static | Record) for i in k.items)


def _having(w: Walk, a: Val, name: str) -> Val:
    """Return a value as one that has an attribute, which is looked up before arguments."""

    def has(k: Kind) -> bool:
        if isinstance(k, Record):
            return name in k.names or hasattr(k.of, name)
        return isinstance(k, Static) or hasattr(FAMILIES.get(family(k), k), name) or k is not NONE

    lacks = is_one_of(w, a, lambda k: not has(k))
    if not lacks.known:
        w.check(lacks.v, AttributeError, f"{a.kind} has no attribute {name}")
    return narrowed(w, a, has)


def is_super(node: ast.AST) -> bool:
    """Whether an expression is `super()`."""
    match node:
        case ast.Call(func=ast.Name(id="super"), args=[], keywords=[]):
            return True
    return False


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def call_value(w: Walk, f: Val, given: Arguments, node: ast.AST) -> Val:
    """Call a value with arguments."""
    k = f.kind
    if isinstance(k, Either):
        return spread(w, f, lambda g: call_value(w, g, given, node))
    if k is NEVER:
        return f
    if isinstance(k, Closure):
        return _call_closure(w, f, given)
    if isinstance(k, Method) and isinstance(k.function, str):
        return method_of(w, Val(k.self_kind, f.v), k.function, given, node)
    if isinstance(k, Record | Member):
        own = specials.own(k, "__call__")
        if own is not None:
            return call_function(w, own, given.after([f]))
    if isinstance(k, Method):
        return call_function(w, k.function, given.after([Val(k.self_kind, f.v)]))
    if isinstance(k, Static):
        return call_static(w, k.value, given, node)
    return fail(w, TypeError, f"{k} is not callable")


def call_static(w: Walk, value: Any, given: Arguments, node: ast.AST) -> Val:
    """Call a Python object that is known before."""
    from strategies.rules import construction, jitted

    if _hashable(value) and value in construction.CHANGES:
        return construction.CHANGES[value](w, given, node)
    if isinstance(value, types.FunctionType) and value not in FUNCTIONS:
        return call_function(w, value, given)
    if isinstance(value, types.MethodType):
        owner = w.program.constants.value(value.__self__)
        if not isinstance(value.__func__, types.FunctionType):
            raise Refusal(f"{value.__func__} is not compiled")
        return call_function(w, value.__func__, given.after([owner]))
    if isinstance(value, functools.partial):
        before = [w.program.constants.value(a) for a in value.args]
        named = {n: w.program.constants.value(a) for n, a in value.keywords.items()}
        return call_static(w, value.func, given.after(before, named), node)
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
        from strategies.rules.caching import call_cached

        return call_cached(w, value, given, node)
    return call_builtin(w, value, given, node)


def call_function(w: Walk, function: types.FunctionType, given: Arguments) -> Val:
    """Call a function of Python."""
    source = source_known(function)
    w.program.reads.function(function)
    args = bind(w, source.node, given, known_defaults(w, source.defaults))
    if args is None:
        return fail(w, TypeError, f"wrong arguments for {source.name}")
    return invoke(w, source, source.node, args, source.name, source.is_generator, None)


def _call_closure(w: Walk, f: Val, given: Arguments) -> Val:
    k = f.kind
    assert isinstance(k, Closure)
    node, outer = k.of

    def default(name: str) -> Val | None:
        place = closures.DEFAULT + name
        return parts_of(w, f)[k.names.index(place)] if place in k.names else None

    name = getattr(node, "name", "<lambda>")
    args = bind(w, node, given, default)
    if args is None:
        return fail(w, TypeError, f"wrong arguments for {name}")
    is_generator = any(isinstance(n, ast.Yield | ast.YieldFrom) for n in own_nodes(node))
    return invoke(w, outer, node, args, f"{outer.name}.{name}", is_generator, f)


def invoke(
    w: Walk,
    source: Source,
    node: FunctionNode,
    args: Sequence[Val],
    name: str,
    is_generator: bool,
    closure: Val | None,
) -> Val:
    """Call an instance of a function, or start it if it is a generator."""
    if any(a.kind is NEVER for a in args):
        return Val(NEVER, w.undef(NEVER))
    if is_generator:
        return generators.start(w, source, node, list(args), name, closure)
    kind = closure.kind if closure is not None else None
    assert kind is None or isinstance(kind, Closure)
    instance = w.program.instance(source, node, [a.kind for a in args], False, name, kind)
    for a, k in zip(args, instance.kinds, strict=True):
        join(a.kind, k)  # containers that are handed over share their cells
    w.instance.callees.add(instance)
    if w.infer:
        w.program.analyse(instance)
    w.fail(None) if not w.emitting else None
    returned = instance.returned
    if not w.emitting:
        return Val(returned)
    w.program.declare(instance)
    out = w.temp(form(returned))
    outer = [closure.v] if closure is not None else []
    values = [coerce(w, a, k).v for a, k in zip(args, instance.kinds, strict=True)]
    # What the call made is given back, where nothing that outlives it can hold a part of it.
    kinds = [*([kind] if kind else []), *instance.kinds]
    closed = not in_memory(returned) and not any(map(can_change, kinds))
    closed = closed and not instance.remembering()
    free = w.get(w.context, CONTEXT, FREE) if closed else NOTHING
    w.checked(w.b.call(instance.function, [w.context, out, *outer, *values]))
    if closed:
        w.put(w.context, CONTEXT, FREE, free)
    if returned is NEVER:
        w.unreachable()
        w.dead()
        return Val(NEVER, w.undef(NEVER))
    return Val(returned, w.load(out, form(returned)))
