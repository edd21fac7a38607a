"""Functions that `functools.cache` or `lru_cache` remember the results of.

What a function of a module has been asked for lies in the arena, for one call from Python. The
context holds a list of such tables; whoever gives back a part of the arena hides it meanwhile.
"""

from __future__ import annotations

import ast
import functools
from typing import Any, cast

from llvmlite import ir

from strategies.rules import items, operators, values
from strategies.rules.builtins import caching
from strategies.rules.code import CONTEXT, MEMOS, NULL, Code, Val, c64
from strategies.rules.contained import somewhere
from strategies.rules.forms import size
from strategies.rules.given import Arguments
from strategies.rules.kinds import I8, NEVER, PTR, Boxed, Closure, Generator, Kind, Lazy, Static
from strategies.rules.messages import Refusal
from strategies.rules.walk import Merge, Walk

MEMO = ir.LiteralStructType([PTR, PTR, PTR])  # the next one, the function's mark, its table


def call_cached(
    w: Walk, wrapper: functools._lru_cache_wrapper[Any], given: Arguments, node: ast.AST
) -> Val:
    """Call a cached function of a module."""
    settings = wrapper.cache_parameters()
    constant = w.program.constants.value
    f, limit = constant(wrapper.__wrapped__), constant(settings["maxsize"])
    if settings["typed"]:
        raise Refusal("a cache that tells types apart is not compiled; leave `typed` out")
    key = caching.key_of_arguments(w, given.values, given.named)
    if limit.py is not None and limit.py <= 0:
        return w.call_value(f, given, node)
    w.instance.remembers = True
    memo = _memo(w, f)
    if NEVER in (key.kind, memo.kind):
        return Val(NEVER, w.undef(NEVER))
    known = operators.compare(w, ast.In(), key, memo)
    if known.kind is NEVER:
        return known
    after = Merge(w, node, "cached", valued=True)

    def remembered() -> None:
        if limit.py is not None:
            w.call(caching.renew, memo, key)
        after.arrive(items.get(w, memo, key, node))

    w.go_on(values.opposite(w, known).v, remembered)
    found = w.call_value(f, given, node)
    if somewhere(found.kind, _changes):
        raise Refusal("a cached function returns what can change; let it return a tuple")
    if found.kind is not NEVER:
        w.call(caching.keep, memo, key, found, limit)
    after.arrive(found)
    return after.land()


def _changes(k: Kind) -> bool:
    if isinstance(k, Boxed):
        return k.name != "frozenset"
    return isinstance(k, Generator | Lazy | Closure)


def _memo(w: Walk, f: Val) -> Val:
    """Return the table of a cached function, made when it is first asked for."""
    if not w.emitting:
        return w.call(caching.new_memo, f)
    mark = _mark(w, f)
    place = w.risky("jam.memo", PTR, [mark], _find)
    with w.when(w.b.icmp_unsigned("==", w.load(place, PTR), NULL), rare=True):
        made = w.call(caching.new_memo, f)
        w.store(made.v, place)
    return Val(made.kind, w.load(place, PTR))


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


def _find(r: Code, args: Any) -> Any:
    """Return where the table of a function is noted."""
    at = r.temp(PTR)
    r.store(r.get(r.context, CONTEXT, MEMOS), at)
    head, look, more, new = (r.block(n) for n in ("head", "look", "more", "new"))
    r.goto(head)
    r.at(head)
    memo = r.load(at, PTR)
    r.branch(r.b.icmp_unsigned("==", memo, NULL), new, look)
    r.at(look)
    found = r.block("found")
    r.branch(r.b.icmp_unsigned("==", r.get(memo, MEMO, 1), args[0]), found, more)
    r.at(more)
    r.store(r.get(memo, MEMO, 0), at)
    r.goto(head)
    r.at(new)
    made = r.alloc(c64(size(MEMO)))
    for i, v in enumerate((r.get(r.context, CONTEXT, MEMOS), args[0], NULL)):
        r.put(made, MEMO, i, v)
    r.put(r.context, CONTEXT, MEMOS, made)
    r.store(made, at)
    r.goto(found)
    r.at(found)
    return r.field(r.load(at, PTR), MEMO, 2)
