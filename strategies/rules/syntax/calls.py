"""Calls: of functions, methods, classes and builtins, and of functions with a cache.

What a cached function of a module has been asked for is kept for one call from Python, such as a
search, in memory of its own, to which its arguments are copied. If they cannot be copied, it lies
in the arena, until that is given back: in a search, after each step. The context holds lists of
tables.
"""

from __future__ import annotations

import ast
import enum
import functools
import operator
import types
from functools import partial
from typing import Any, cast

from llvmlite import ir

from strategies.rules.builtins import caching, call_builtin, method, method_of
from strategies.rules.builtins.declared import FUNCTIONS
from strategies.rules.builtins.functions import call_getter
from strategies.rules.calls import jitted
from strategies.rules.calls.arguments import arguments
from strategies.rules.calls.invoking import call_closure, call_function
from strategies.rules.code.coercion import fail, is_one_of, narrowed, opposite
from strategies.rules.code.emission import Code
from strategies.rules.code.val import NULL, ZERO, Arguments, Val, c1, c64
from strategies.rules.code.walk import CALLS, EXPRESSIONS, Merge, Walk
from strategies.rules.iteration import orderless
from strategies.rules.kinds import record_classes
from strategies.rules.kinds.forms import size
from strategies.rules.kinds.kind import (
    I8,
    I64,
    NEVER,
    NONE,
    PTR,
    Boxed,
    Closure,
    Either,
    Generator,
    Kind,
    Lazy,
    Member,
    Method,
    Record,
    Static,
)
from strategies.rules.kinds.parts import FAMILIES, family, is_hashable, somewhere
from strategies.rules.kinds.record_classes import is_record
from strategies.rules.language.messages import METHOD_FORM, Refusal, advised, in_library, uncompiled
from strategies.rules.language.names import CONSUMERS
from strategies.rules.machine.memory import CONTEXT, KEPT, MEMOS
from strategies.rules.operations import items, operators
from strategies.rules.operations.attributes import attribute
from strategies.rules.syntax import construction
from strategies.rules.values import enums, records
from strategies.rules.values.records import is_super

MEMO = ir.LiteralStructType([PTR, PTR, PTR])  # the next one, the function's mark, its table


def call_cached(
    w: Walk,
    wrapper: functools._lru_cache_wrapper[Any],
    given: Arguments,
    node: ast.AST,
    owner: Any = None,
) -> Val:
    """Call a cached function of a module, or a cached method of an object that is known before."""
    settings = wrapper.cache_parameters()
    constant = w.program.constants.value
    f, limit = constant(_function(w, wrapper, owner)), constant(settings["maxsize"])
    if settings["typed"]:
        raise Refusal("a cache that tells types apart is not compiled; leave `typed` out")
    key = caching.key_of_arguments(w, given.values, given.named)
    if limit.py is not None and limit.py <= 0:
        return w.call_value(f, given, node)
    w.instance.remembers = True
    lasts = caching.can_be_kept(given)
    memo = _memo(w, f, lasts)
    if NEVER in (key.kind, memo.kind):
        return w.never
    known = operators.compare(w, ast.In(), key, memo)
    if known.kind is NEVER:
        return known
    after = Merge(w, node, "cached", valued=True)

    def remembered() -> None:
        if limit.py is not None:
            w.call(caching.renew_apart if lasts else caching.renew, memo, key)
        after.arrive(items.get(w, memo, key, node))

    w.go_on(opposite(w, known).v, remembered)
    if lasts:
        more = Arguments([memo, f, limit, *given.values], given.named)
        found = w.call_value(constant(caching.computed), more, node)
    else:
        found = w.call_value(f, given, node)
    if somewhere(found.kind, _changes):
        raise Refusal("a cached function returns what can change; let it return a tuple")
    if found.kind is not NEVER and not lasts:
        w.call(caching.keep, memo, key, found, limit)
    after.arrive(found)
    return after.land()


def _function(w: Walk, wrapper: functools._lru_cache_wrapper[Any], owner: Any) -> Any:
    """Return the function that is cached; of one owner, always the same method."""
    function: Any = wrapper.__wrapped__
    if owner is None:
        return function
    name, made = ("method", id(wrapper), id(owner)), w.program.constants.made
    if name not in made:
        made[name] = types.MethodType(function, owner)
    return made[name]


def _changes(k: Kind) -> bool:
    if isinstance(k, Boxed):
        return k.name != "frozenset"
    return isinstance(k, Generator | Lazy | Closure)


def _memo(w: Walk, f: Val, lasts: bool) -> Val:
    """Return the table of a cached function, made when it is first asked for."""
    if not w.emitting:
        return w.call(caching.new_memo, f)
    mark, out = _mark(w, f), w.temp(PTR)
    memos = KEPT if lasts else MEMOS
    w.store(w.helper(f"jam.memo.{memos}", PTR, [mark], partial(_find, memos)), out)
    with w.when(w.b.icmp_unsigned("==", w.load(out, PTR), NULL), rare=True):
        there = w.call(caching.enter) if lasts else None
        made = w.call(caching.new_memo, f)
        w.store(made.v, out)
        with w.when(c1(True) if there is None else w.b.icmp_signed("!=", there.v, ZERO)):
            w.risky(f"jam.note.{memos}", I64, [mark, made.v], partial(_note, memos))
        if there is not None:
            w.call(caching.leave, there)
    return Val(made.kind, w.load(out, PTR))


def _mark(w: Walk, f: Val) -> Any:
    """Return an address that stands for a function."""
    made = w.program.constants.made
    name = "memo", id(cast(Static, f.kind).value)
    if name not in made:
        g = ir.GlobalVariable(w.program.module, I8, f"jam.memo.{len(w.program.module.globals)}")
        g.linkage, g.initializer = "internal", ir.Constant(I8, 0)
        g.type = PTR
        made[name] = g
    return made[name]


def _find(memos: int, r: Code, args: Any) -> Any:
    """Return the table of a function, or no address."""
    at = r.temp(PTR)
    r.store(r.get(r.context, CONTEXT, memos), at)
    with r.until() as leave:
        memo = r.load(at, PTR)
        leave(r.b.icmp_unsigned("==", memo, NULL))
        with r.when(r.b.icmp_unsigned("==", r.get(memo, MEMO, 1), args[0])):
            r.b.ret(r.get(memo, MEMO, 2))
        r.store(r.get(memo, MEMO, 0), at)
    return NULL


def _note(memos: int, r: Code, args: Any) -> Any:
    """Note the table of a function."""
    made = r.alloc(c64(size(MEMO)))
    for i, v in enumerate((r.get(r.context, CONTEXT, memos), *args)):
        r.put(made, MEMO, i, v)
    r.put(r.context, CONTEXT, memos, made)
    return ZERO


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
        if not isinstance(owner.kind, Static | Record | Either) or _has_methods(owner.kind):
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
        orderless.check_call(w, f.kind.value, node, given.first)
    w.used_up = room
    found = w.call_value(f, given, node)
    w.used_up = ""
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


def call_method(w: Walk, f: Val, given: Arguments, node: ast.AST) -> Val:
    """Call a function that is bound to a value."""
    k = cast(Method, f.kind)
    owner = Val(k.self_kind, f.v)
    if isinstance(k.function, str):
        return method_of(w, owner, k.function, given, node)
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
        return construction.CHANGES[value](w, given, node)
    if isinstance(value, types.FunctionType) and value not in FUNCTIONS:
        if in_library(value):
            raise uncompiled(value)
        return call_function(w, value, given)
    if isinstance(value, types.MethodType):
        if in_library(value):
            raise uncompiled(value)
        owner = w.program.constants.value(value.__self__)
        if isinstance(value.__func__, functools._lru_cache_wrapper):
            return call_cached(w, value.__func__, given, node, value.__self__)
        if not isinstance(value.__func__, types.FunctionType):
            raise advised(value.__name__, METHOD_FORM)
        return call_function(w, value.__func__, given.after([owner]))
    if isinstance(value, functools.partial):
        before = [w.program.constants.value(a) for a in value.args]
        named = {n: w.program.constants.value(a) for n, a in value.keywords.items()}
        return w.call_value(w.program.constants.value(value.func), given.after(before, named), node)
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
