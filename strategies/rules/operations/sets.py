"""Operators of sets, and of the keys and items of dicts; and copies of all tables."""

from __future__ import annotations

import ast
from typing import Any

from strategies.rules.code import storage
from strategies.rules.code.storage import TABLE, length
from strategies.rules.code.val import ONE, Val
from strategies.rules.code.walk import Walk
from strategies.rules.containers import finding
from strategies.rules.containers.contents import contains
from strategies.rules.containers.tables import SET_LIKE, SETS, VIEWS, add, hashable, new, put
from strategies.rules.iteration.orderless import mixes_numbers
from strategies.rules.iteration.walking import each, over, pairs
from strategies.rules.kinds.joining import join
from strategies.rules.kinds.kind import CELLS, I64, NEVER, NONE, NUMBERS, Boxed
from strategies.rules.kinds.parts import key, named, parts
from strategies.rules.language.messages import Refusal


def pour(w: Walk, node: ast.AST, made: Val, b: Val, what: str) -> None:
    """Add all elements of an iterable to a set."""
    each(w, node, b, lambda x: add(w, made, x), what)


def copied(w: Walk, node: ast.AST, a: Val, name: str, what: str = "copy") -> Val:
    """Return a new set or dict of the elements of a table."""
    made = new(w, node, name)
    k, ka = made.boxed, a.boxed
    for i in range(min(CELLS[name], 2)):
        w.widen(k, i, ka.cells[i].root().kind)
    mine, other = ([key(kind) for kind in parts(one)][:2] for one in (k, ka))
    if ka.name not in VIEWS and mine == other:
        storage.copy_all(w, k, a.v, made.v)
    elif CELLS[name] == 1:
        pour(w, node, made, a, what)
    else:
        pairs(w, node, a, lambda x, y: put(w, made, x, y), what)
    return made


def replace_entries(w: Walk, a: Val, b: Val) -> None:
    """Let a table have the entries of another, which nothing else uses."""
    for i, (mine, other) in enumerate(zip(a.boxed.cells, b.boxed.cells, strict=True)):
        w.change(a, i, other.root().kind)
        w.widen(b.boxed, i, mine.root().kind)
    for i in range(len(TABLE.elements)):
        if i not in (storage.ADDED, storage.LOWEST):
            w.put(a.v, TABLE, i, w.get(b.v, TABLE, i))
    w.put(a.v, TABLE, storage.LOWEST, ONE)


OPERATORS = (ast.BitOr, ast.BitAnd, ast.Sub, ast.BitXor)


def binary(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    """Return `a op b`, of which at least one is a set or a view of a dict."""
    if op not in OPERATORS or named(a.kind, ("values",)) or named(b.kind, ("values",)):
        return None
    both = named(a.kind, SET_LIKE) and named(b.kind, SET_LIKE)
    if not both:
        if not any(named(x.kind, SETS) or x.kind in (*NUMBERS, NONE) for x in (a, b)):
            raise Refusal(
                "an operator of keys() or items() is compiled for sets only; write set(…)"
            )
        return None
    views = not (named(a.kind, SETS) and named(b.kind, SETS))
    if views and mixes_numbers(join(a.boxed.item, b.boxed.item)):
        raise Refusal(
            "an operator of views with keys of several kinds is not compiled; write set(…)"
        )
    name = "frozenset" if a.boxed.name == "frozenset" and not views else "set"
    return combined(w, op, a, b, node, name)


def combined(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST, name: str) -> Val:
    """Return a new set of the elements of two tables."""
    if op is ast.BitOr:
        made = copied(w, node, a, name, "left")
        pour(w, node, made, b, "right")
        return made
    if op is ast.BitAnd:
        return intersection(w, a, b, node, name)
    made = new(w, node, name)
    keep(w, node, made, a, b, "left", inside=False)
    if op is ast.BitXor:
        keep(w, node, made, b, a, "right", inside=False)
    return made


def keep(
    w: Walk, node: ast.AST, made: Val, a: Val, b: Val, what: str, *, inside: bool
) -> None:  # fmt: skip
    """Add those elements of a table that are in another, or those that are not."""

    def use(x: Val) -> None:
        found = contains(w, x, b).v
        with w.when(found if inside else w.b.not_(found)):
            add(w, made, x)

    over(w, node, a, use, what)


def intersection(w: Walk, a: Val, b: Val, node: ast.AST, name: str) -> Val:
    """Return the elements that two tables share: those of the smaller, or else of the second."""
    made = new(w, node, name)
    larger = w.b.icmp_signed(">", length(w, b), length(w, a))
    w.choose(
        larger,
        lambda: keep(w, node, made, a, b, "first", inside=True),
        lambda: keep(w, node, made, b, a, "second", inside=True),
    )
    return made


def discard(w: Walk, a: Val, x: Val) -> Any:
    """Remove an element of a set; return the number of its entry, negative if it is not there."""
    at = finding.find(w, a.boxed, a.v, x)
    with w.when(w.b.icmp_signed(">=", at, storage.GONE)):
        storage.remove(w, a.boxed, a.v, at)
    return at


def in_place(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    """Change a set by `a op= b` of another set."""
    if op not in OPERATORS:
        return None
    w.change(a, 0, a.boxed.item)  # a set of rules must not change
    if op is ast.BitOr:
        pour(w, node, a, b, "right")
    elif op is ast.BitAnd:
        replace_entries(w, a, intersection(w, a, b, node, "set"))
    else:
        take_out(w, node, a, b, "right", swap=op is ast.BitXor)
    return a


def take_out(
    w: Walk, node: ast.AST, a: Val, b: Val, what: str, *, swap: bool = False
) -> None:  # fmt: skip
    """Remove the elements of an iterable from a set; with `swap`, add those that are not there."""

    def use(x: Val) -> None:
        x = hashable(w, x)
        if x.kind is NEVER:
            return
        at = discard(w, a, x)
        if swap:
            with w.when(w.b.icmp_signed("<", at, storage.GONE)):
                add(w, a, x)

    def take() -> None:
        each(w, node, b, use, what)

    if not isinstance(b.kind, Boxed):
        return take()
    itself = w.b.icmp_signed("==", w.b.ptrtoint(a.v, I64), w.b.ptrtoint(b.v, I64))
    return w.choose(itself, lambda: storage.clear(w, a.v), take)
