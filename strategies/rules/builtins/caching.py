"""`functools.cache` and `lru_cache`: what is remembered, by the arguments of a call."""

from __future__ import annotations

import ast
import functools
from collections.abc import Mapping, Sequence
from typing import Any

from strategies.rules.builtins.declared import by_name, function, private
from strategies.rules.code.coercion import coerce, parts_of, spread, tuple_of
from strategies.rules.code.emission import Code
from strategies.rules.code.storage import span
from strategies.rules.code.val import Arguments, Val, c64
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.kind import (
    I64,
    INT,
    NEVER,
    STR,
    TEXT,
    Boxed,
    Closure,
    Either,
    Generator,
    Lazy,
    Method,
    Record,
    Row,
    Tup,
)
from strategies.rules.kinds.parts import in_memory, key, somewhere
from strategies.rules.language.messages import Refusal
from strategies.rules.machine.memory import CONTEXT, END, FREE, KEPT_END, OTHER_END, OTHER_FREE
from strategies.rules.values.texts import CODES

ALIASES = (Boxed, Generator, Lazy, Closure, Method)
ROOM = 1 << 26  # bytes of the memory of caches that must be free for a function to run there
MARK = object()  # between the arguments by place and those by name, as in Python's key


def key_of_arguments(w: Walk, values: Sequence[Val], named: Mapping[str, Val]) -> Val:
    """Return the key of a call: an only int or text, or else the tuple of all arguments."""
    if any(a.kind is NEVER for a in (*values, *named.values())):
        return w.never
    if len(values) == 1 and not named:
        return spread(w, values[0], lambda x: x if x.kind in (INT, STR, TEXT) else tuple_of(w, [x]))
    more = [w.program.constants.value(MARK)] if named else []
    for name, a in named.items():
        more += [w.program.constants.value(name), a]
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
    return not (
        any(in_memory(a.kind) for a in given.named.values())
        or any(somewhere(a.kind, lambda k: isinstance(k, ALIASES)) for a in given.values)
    )


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
    if k is TEXT:
        return Val(k, copy_of(c, Val(CODES, a.v)).v)
    assert isinstance(k, Row)
    item = k.item

    def build(r: Code, args: Any) -> Any:
        (place, n), t = span(r, Val(k, args[0])), form(item)
        made = r.alloc_for(n, t)
        with r.counting(n) as i:
            x = copy_of(r, r.item(item, place, i))
            r.store(x.v, r.element(made, t, i))
        return r.pack(form(k), [made, n])

    return Val(k, c.risky(f"jam.copied.{key(k)}", form(k), [a.v], build))


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


@function(functools.cache, "user_function, /")
def cache(w: Walk, node: ast.AST, f: Val) -> Val:
    return w.call(_cached, f, w.program.constants.value(None))


@function(functools.lru_cache, "maxsize=128, typed=False")
def lru_cache(w: Walk, node: ast.AST, maxsize: Val, typed: Val) -> Val:
    if not typed.known or typed.py:
        raise Refusal("a cache that tells types apart is not compiled; leave `typed` out")
    if maxsize.kind not in (INT,) and not maxsize.known:
        limit = w.program.constants.value(128)
        return w.call(_cached, maxsize, limit)
    if not maxsize.known or not (maxsize.py is None or maxsize.py > 0):
        raise Refusal("the size of a cache must be None or a number above 0 that is known")
    return w.call(_decorator, maxsize)
