"""Functions that `functools.cache` or `lru_cache` remember the results of.

What a function of a module has been asked for is kept for one call from Python, such as a search,
in memory of its own, to which its arguments are copied. If they cannot be copied, it lies in the
arena, until that is given back: in a search, after each step. The context holds lists of tables.
"""

from __future__ import annotations

import ast
import functools
import types
from functools import partial
from typing import Any, cast

from llvmlite import ir

from strategies.rules.builtins import caching
from strategies.rules.code.coercion import opposite
from strategies.rules.code.emission import Code
from strategies.rules.code.val import NULL, ZERO, Arguments, Val, c1, c64
from strategies.rules.code.walk import Merge, Walk
from strategies.rules.kinds.forms import size
from strategies.rules.kinds.kind import (
    I8,
    I64,
    NEVER,
    PTR,
    Boxed,
    Closure,
    Generator,
    Kind,
    Lazy,
    Static,
)
from strategies.rules.kinds.parts import somewhere
from strategies.rules.language.messages import Refusal
from strategies.rules.machine.memory import CONTEXT, KEPT, MEMOS
from strategies.rules.operations import items, operators

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
