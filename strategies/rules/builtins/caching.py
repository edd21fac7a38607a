"""`functools.cache` and `lru_cache`: what is remembered, by the arguments of a call.

What a cached function of a module has been asked for is kept for one call from Python, such as a
search, in memory of its own, to which its arguments are copied. If they cannot be copied, it lies
in the arena, until that is given back: in a search, after each step. The context holds lists of
tables.
"""

from __future__ import annotations

import ast
import functools
import types
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, cast

from llvmlite import ir

from strategies.rules.builtins.declared import by_name, function, private
from strategies.rules.code import storage
from strategies.rules.code.coercion import coerce, opposite, parts_of, spread, tuple_of
from strategies.rules.code.emission import Code
from strategies.rules.code.val import NULL, ZERO, Arguments, Val, c1, c64
from strategies.rules.code.walk import Merge, Walk
from strategies.rules.kinds.forms import form, size
from strategies.rules.kinds.kind import (
    I8,
    I64,
    INT,
    NEVER,
    PTR,
    STR,
    TEXT,
    Boxed,
    Closure,
    Either,
    Generator,
    Kind,
    Method,
    Record,
    Row,
    Static,
    Tup,
)
from strategies.rules.kinds.parts import in_memory, key, somewhere
from strategies.rules.language.messages import Refusal
from strategies.rules.machine.memory import (
    CONTEXT,
    END,
    FREE,
    KEPT,
    KEPT_END,
    MEMOS,
    OTHER_END,
    OTHER_FREE,
)
from strategies.rules.operations import items, operators
from strategies.rules.values.texts import CODES

ALIASES = (Boxed, Generator, Closure, Method)
ROOM = 1 << 26  # bytes of the memory of caches that must be free for a function to run there
MARK = object()  # between the arguments by place and those by name, as in Python's key


def key_of_arguments(w: Walk, values: Sequence[Val], named: Mapping[str, Val]) -> Val:
    """Return the key of a call: an only int or text, or else the tuple of all arguments."""
    if any(a.kind is NEVER for a in (*values, *named.values())):
        return w.never
    if len(values) == 1 and not named:
        return spread(w, values[0], lambda x: x if x.kind in (INT, STR, TEXT) else tuple_of(w, [x]))
    more = [w.constant(MARK)] if named else []
    for name, a in named.items():
        more += [w.constant(name), a]
    return tuple_of(w, [*values, *more])


@private("*args, **keywords")
def key_of(w: Walk, node: ast.AST, args: Val, keywords: Val) -> Val:
    if not isinstance(args.kind, Tup):
        raise Refusal("a cached function takes a known number of arguments")
    return key_of_arguments(w, parts_of(w, args), by_name(w, keywords))


def new_memo(f: Any) -> Any:
    """Return a new table; it has a kind of its own for each function."""
    return {}


def renew(memo: Any, key: Any) -> None:
    """Let a key be the one that was asked for last."""
    found = memo.pop(key)
    memo[key] = found


def keep(memo: Any, key: Any, found: Any, limit: Any) -> None:
    """Remember a result, in place of the one that was asked for longest ago if there are many."""
    if limit is not None:
        if key in memo:
            return
        if len(memo) >= limit:
            del memo[next(iter(memo))]
    memo[key] = found


# In memory of its own, which lasts as long as a call from Python

NOWHERE, INSIDE, ENTERED = range(3)


def renew_apart(memo: Any, key: Any) -> None:
    """Do what `renew` does, where the table is, if there is room."""
    place = enter()
    if place:
        renew(memo, copied(key))
    leave(place)


def computed(memo: Any, f: Any, limit: Any, /, *args: Any, **keywords: Any) -> Any:
    """Return the result of a function, and keep it if there is room."""
    place = enter()
    try:
        args = copied(args)
        found = f(*args, **keywords)
        if place:
            keep(memo, key_of(*args, **keywords), found, limit)
    finally:
        leave(place)
    return found


@private("")
def enter(w: Walk, node: ast.AST) -> Val:
    """Let memory be taken from that of caches, if there is room, and it is not already."""

    def build(c: Code, _: Any) -> Any:
        at, b = c.context, c.b
        last = b.ptrtoint(c.get(at, CONTEXT, KEPT_END), I64)
        with c.when(b.icmp_unsigned("==", b.ptrtoint(c.get(at, CONTEXT, END), I64), last)):
            b.ret(c64(INSIDE))
        left = b.sub(last, b.ptrtoint(c.get(at, CONTEXT, OTHER_FREE), I64))
        with c.when(b.icmp_unsigned("<", left, c64(ROOM))):
            b.ret(c64(NOWHERE))
        _swap(c)
        return c64(ENTERED)

    return Val(INT, w.helper("jam.enter", I64, [], build))


@private("place, /")
def leave(w: Walk, node: ast.AST, place: Val) -> None:
    with w.when(w.b.icmp_signed("==", place.v, c64(ENTERED))):
        _swap(w)


def _swap(c: Code) -> None:
    for one, other in ((FREE, OTHER_FREE), (END, OTHER_END)):
        a, b = (c.get(c.context, CONTEXT, i) for i in (one, other))
        c.put(c.context, CONTEXT, one, b)
        c.put(c.context, CONTEXT, other, a)


def can_be_kept(given: Arguments) -> bool:
    """Whether `computed` copies all that the arguments of a call point to."""
    named, values = given.named.values(), given.values
    return not any(in_memory(a.kind) for a in named) and all(can_be_copied(a.kind) for a in values)


def can_be_copied(kind: Kind) -> bool:
    """Whether `copied` copies all that a value points to, and nothing tells the copy from it."""

    def is_alias(k: Kind) -> bool:
        plain = isinstance(k, Boxed) and k.name == "frozenset" and not in_memory(k.item)
        return isinstance(k, ALIASES) and not plain

    return not somewhere(kind, is_alias)


@private("value, /")
def copied(w: Walk, node: ast.AST, a: Val) -> Val:
    return copy_of(w, a)


def copy_of(c: Code, a: Val) -> Val:
    """Return a value whose memory is new."""
    k = a.kind
    if a.known or not in_memory(k):
        return a
    if isinstance(k, Either):
        return coerce(c, spread(c, a, lambda x: copy_of(c, x)), k)
    if isinstance(k, Tup | Record):
        return Val(k, c.pack(form(k), [copy_of(c, x).v for x in parts_of(c, a)]))
    if isinstance(k, Boxed):  # a frozenset of numbers
        made = storage.new_header(c)
        storage.copy_all(c, k, a.v, made)
        return Val(k, made)
    if k is TEXT:
        return Val(k, copy_of(c, Val(CODES, a.v)).v)
    assert isinstance(k, Row)
    item = k.item

    def build(r: Code, args: Any) -> Any:
        (place, n), t = storage.span(r, Val(k, args[0])), form(item)
        made = r.alloc_for(n, t)
        with r.counting(n) as i:
            x = copy_of(r, r.item(item, place, i))
            r.store(x.v, r.element(made, t, i))
        return r.pack(form(k), [made, n])

    return Val(k, c.risky(f"jam.copied.{key(k)}", form(k), [a.v], build))


# Functions of a module

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
    function = wrapper.__wrapped__
    f = w.constant(function if owner is None else types.MethodType(function, owner))
    limit = w.constant(settings["maxsize"])
    if settings["typed"]:
        raise Refusal("a cache that tells types apart is not compiled; leave `typed` out")
    asked = key_of_arguments(w, given.values, given.named)
    if limit.py is not None and limit.py <= 0:
        return w.call_value(f, given, node)
    w.instance.remembers = True
    lasts = can_be_kept(given)
    memo = _memo(w, f, lasts)
    if NEVER in (asked.kind, memo.kind):
        return w.never
    known = operators.compare(w, ast.In(), asked, memo)
    if known.kind is NEVER:
        return known
    after = Merge(w, node, "cached", valued=True)

    def remembered() -> None:
        if limit.py is not None:
            w.call(renew_apart if lasts else renew, memo, asked)
        after.arrive(items.get(w, memo, asked, node))

    w.go_on(opposite(w, known).v, remembered)
    if lasts:
        more = Arguments([memo, f, limit, *given.values], given.named)
        found = w.call_value(w.constant(computed), more, node)
    else:
        found = w.call_value(f, given, node)
    if somewhere(found.kind, _changes):
        raise Refusal("a cached function returns what can change; let it return a tuple")
    if found.kind is not NEVER and not lasts:
        w.call(keep, memo, asked, found, limit)
    after.arrive(found)
    return after.land()


def _changes(k: Kind) -> bool:
    if isinstance(k, Boxed):
        return k.name != "frozenset"
    return isinstance(k, Generator | Closure)


def _memo(w: Walk, f: Val, lasts: bool) -> Val:
    """Return the table of a cached function, made when it is first asked for."""
    if not w.emitting:
        return w.call(new_memo, f)
    mark, out = _mark(w, f), w.temp(PTR)
    memos = KEPT if lasts else MEMOS
    w.store(w.helper(f"jam.memo.{memos}", PTR, [mark], partial(_find, memos)), out)
    with w.when(w.b.icmp_unsigned("==", w.load(out, PTR), NULL), rare=True):
        there = w.call(enter) if lasts else None
        made = w.call(new_memo, f)
        w.store(made.v, out)
        with w.when(c1(True) if there is None else w.b.icmp_signed("!=", there.v, ZERO)):
            w.risky(f"jam.note.{memos}", I64, [mark, made.v], partial(_note, memos))
        if there is not None:
            w.call(leave, there)
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


# Made inside of a call


def _cached(f: Any, limit: Any) -> Any:
    memo: dict[Any, Any] = {}

    def call(*args: Any, **keywords: Any) -> Any:
        key = key_of(*args, **keywords)
        if key in memo:
            if limit is not None:
                renew(memo, key)
            return memo[key]
        found = f(*args, **keywords)
        keep(memo, key, found, limit)
        return found

    return call


def _decorator(limit: Any) -> Any:
    return lambda f: _cached(f, limit)


function(functools.cache, "user_function, /")(
    lambda w, node, f: w.call(_cached, f, w.constant(None))
)


@function(functools.lru_cache, "maxsize=128, typed=False")
def lru_cache(w: Walk, node: ast.AST, maxsize: Val, typed: Val) -> Val:
    if not typed.known or typed.py:
        raise Refusal("a cache that tells types apart is not compiled; leave `typed` out")
    if maxsize.kind not in (INT,) and not maxsize.known:
        limit = w.constant(128)
        return w.call(_cached, maxsize, limit)
    if not maxsize.known or not (maxsize.py is None or maxsize.py > 0):
        raise Refusal("the size of a cache must be None or a number above 0 that is known")
    return w.call(_decorator, maxsize)
