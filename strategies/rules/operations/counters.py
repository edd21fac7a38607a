"""Counters: a key that is not there counts 0."""

from __future__ import annotations

import ast
from collections import Counter
from typing import Any

from strategies.rules.code.coercion import fail
from strategies.rules.code.val import Val
from strategies.rules.code.walk import Walk
from strategies.rules.containers.shapes import MAPPINGS
from strategies.rules.kinds.kind import Kind, named
from strategies.rules.language.messages import Refusal


def binary(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    """Return `a op b` of Counters: only positive counts stay."""
    if named(a.kind, ("counter",)) and named(b.kind, ("counter",)):
        how: Any = {
            ast.Add: added,
            ast.Sub: subtracted,
            ast.BitOr: largest,
            ast.BitAnd: smallest,
        }.get(op)
        return None if how is None else w.call(how, a, b)
    if op is ast.BitOr and named(a.kind, MAPPINGS) and named(b.kind, MAPPINGS):
        raise Refusal("`|` of a Counter and a dict is not compiled; write Counter(…)")
    return None


def in_place(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    """Change a Counter by `a op= b`."""
    how: Any = {
        ast.Add: add_to,
        ast.Sub: subtract_from,
        ast.BitOr: raise_to,
        ast.BitAnd: lower_to,
    }.get(op)
    if how is None:
        return None
    if not named(b.kind, ("counter",)):
        raise Refusal("a Counter is changed by another Counter only; write Counter(…)")
    w.call(how, a, b)
    return a


def is_counter(k: Kind) -> bool:
    return named(k, ("counter",))


def unary(w: Walk, op: type[ast.unaryop], a: Val) -> Val:
    """Return `+a` or `-a` of a Counter: its positive counts, or its negative ones turned."""
    how: Any = {ast.UAdd: positive, ast.USub: negative}.get(op)
    if how is None:
        return fail(w, TypeError, "a Counter has no bits")
    return w.call(how, a)


def added(a: Any, b: Any) -> Any:
    found: Any = Counter()
    for x, n in a.items():
        total = n + b[x]
        if total > 0:
            found[x] = total
    for x, n in b.items():
        if x not in a and n > 0:
            found[x] = n
    return found


def subtracted(a: Any, b: Any) -> Any:
    found: Any = Counter()
    for x, n in a.items():
        total = n - b[x]
        if total > 0:
            found[x] = total
    for x, n in b.items():
        if x not in a and n < 0:
            found[x] = 0 - n
    return found


def largest(a: Any, b: Any) -> Any:
    found: Any = Counter()
    for x, n in a.items():
        other = b[x]
        total = other if n < other else n
        if total > 0:
            found[x] = total
    for x, n in b.items():
        if x not in a and n > 0:
            found[x] = n
    return found


def smallest(a: Any, b: Any) -> Any:
    found: Any = Counter()
    for x, n in a.items():
        other = b[x]
        total = n if n < other else other
        if total > 0:
            found[x] = total
    return found


def positive(a: Any) -> Any:
    found: Any = Counter()
    for x, n in a.items():
        if n > 0:
            found[x] = n
    return found


def negative(a: Any) -> Any:
    found: Any = Counter()
    for x, n in a.items():
        if n < 0:
            found[x] = 0 - n
    return found


def _keep_positive(a: Any) -> None:
    gone = [x for x, n in a.items() if not n > 0]
    for x in gone:
        del a[x]


def add_to(a: Any, b: Any) -> None:
    for x, n in b.items():
        a[x] += n
    _keep_positive(a)


def subtract_from(a: Any, b: Any) -> None:
    for x, n in b.items():
        a[x] -= n
    _keep_positive(a)


def raise_to(a: Any, b: Any) -> None:
    for x, n in b.items():
        if n > a[x]:
            a[x] = n
    _keep_positive(a)


def lower_to(a: Any, b: Any) -> None:
    for x, n in a.items():
        other = b[x]
        if other < n:
            a[x] = other
    _keep_positive(a)
