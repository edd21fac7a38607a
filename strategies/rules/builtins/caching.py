"""`functools.cache` and `lru_cache`: what is remembered, by the arguments of a call."""

from __future__ import annotations

import ast
import functools
from collections.abc import Mapping, Sequence
from typing import Any

from strategies.rules.builtins.declared import Private, function
from strategies.rules.code import Val
from strategies.rules.kinds import INT, NEVER, STR, TEXT, Keywords, Tup
from strategies.rules.messages import Refusal
from strategies.rules.values import parts_of, spread, tuple_of
from strategies.rules.walk import Walk

MARK = object()  # between the arguments by place and those by name, as in Python's key


def key_of_arguments(w: Walk, values: Sequence[Val], named: Mapping[str, Val]) -> Val:
    """Return the key of a call: an only int or text, or else the tuple of all arguments."""
    if any(a.kind is NEVER for a in (*values, *named.values())):
        return Val(NEVER, w.undef(NEVER))
    if len(values) == 1 and not named:
        return spread(w, values[0], lambda x: x if x.kind in (INT, STR, TEXT) else tuple_of(w, [x]))
    more = [w.program.constants.value(MARK)] if named else []
    for name, a in named.items():
        more += [w.program.constants.value(name), a]
    return tuple_of(w, [*values, *more])


key_of = Private("key_of")


@function(key_of, "*args, **keywords")
def _key_of(w: Walk, node: ast.AST, args: Val, keywords: Val) -> Val:
    if not isinstance(args.kind, Tup):
        raise Refusal("a cached function takes a known number of arguments")
    assert isinstance(keywords.kind, Keywords)
    named = dict(zip(keywords.kind.names, parts_of(w, keywords), strict=True))
    return key_of_arguments(w, parts_of(w, args), named)


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
