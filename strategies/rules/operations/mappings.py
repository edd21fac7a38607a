"""Dicts, defaultdicts and Counters: updates, operators, and how they are made.

Operators of Counters, in which a key that is not there counts 0, are written in Python.
"""

from __future__ import annotations

import ast
from collections import Counter
from typing import Any, Final

from strategies.rules.code.coercion import fail
from strategies.rules.code.val import Val
from strategies.rules.code.walk import Walk
from strategies.rules.containers import finding
from strategies.rules.containers.tables import MAPPINGS, factory, hashable, put, set_factory
from strategies.rules.iteration import walking
from strategies.rules.iteration.steps import for_each
from strategies.rules.kinds.kind import NEVER, Either, Kind
from strategies.rules.kinds.parts import named
from strategies.rules.language.messages import Refusal
from strategies.rules.operations.sets import copied
from strategies.rules.operations.unpacking import elements


def update(w: Walk, node: ast.AST, a: Val, b: Val, what: str) -> None:
    """Put the items of a mapping, or of pairs, into a dict."""
    if isinstance(b.kind, Either):
        raise Refusal(f"an update by {b.kind} is not compiled; make it one kind before")
    if named(b.kind, MAPPINGS):
        if b.boxed.value is NEVER:
            w.change(a, 0, NEVER)
            return None
        return walking.pairs(w, node, b, lambda x, y: put(w, a, x, y), what)

    def pair(x: Val) -> None:
        first, second = elements(w, node, x, 2, None)
        put(w, a, first, second)

    for_each(w, node, b, pair, what=what)
    return None


def binary(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    """Return `a | b` of dicts, or `a op b` of Counters, of which only positive counts stay."""
    if is_counter(a.kind) and is_counter(b.kind):
        return w.call(merged, a, b, *map(w.constant, COUNTS[op])) if op in COUNTS else None
    if op is not ast.BitOr or not (named(a.kind, MAPPINGS) and named(b.kind, MAPPINGS)):
        return None
    if is_counter(a.kind) or is_counter(b.kind):
        raise Refusal("`|` of a Counter and a dict is not compiled; write Counter(…)")
    if named(a.kind, ("defaultdict",)) or named(b.kind, ("defaultdict",)):
        raise Refusal("`|` with a defaultdict is not compiled; write a copy and update()")
    made = copied(w, node, a, "dict", "left")
    update(w, node, made, b, "right")
    return made


def in_place(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    """Change a dict by `a |= b`, or a Counter by `a op= b`."""
    if not is_counter(a.kind):
        if op is not ast.BitOr:
            return None
        update(w, node, a, b, "right")
        return a
    if op not in COUNTS:
        return None
    if not is_counter(b.kind):
        raise Refusal("a Counter is changed by another Counter only; write Counter(…)")
    if op is ast.BitAnd:
        w.call(lower_to, a, b)
    else:
        w.call(change_by, a, b, w.constant(COUNTS[op][0]))
    return a


def copy(w: Walk, node: ast.AST, a: Val) -> Val:
    """Return a copy of a dict, defaultdict or Counter."""
    made = copied(w, node, a, a.boxed.name)
    if a.boxed.name == "defaultdict":
        set_factory(w, made, factory(w, a))
    return made


def without(w: Walk, a: Val, i: Val) -> tuple[object, Val]:
    """Return where the entry of a key is, and the key as it is looked for."""
    i = hashable(w, i)
    return finding.find(w, a.boxed, a.v, i), i


def is_counter(k: Kind) -> bool:
    return named(k, ("counter",))


def counter_unary(w: Walk, op: type[ast.unaryop], a: Val) -> Val:
    """Return `+a` or `-a` of a Counter: its positive counts, or its negative ones turned."""
    if op not in SIGNS:
        return fail(w, TypeError, "a Counter has no bits")
    return w.call(signed, a, w.constant(SIGNS[op]))


# Written in Python, as Python's own are


def itself(n: Any) -> Any:
    return n


def opposite(n: Any) -> Any:
    return 0 - n if n < 0 else n - n


def total(n: Any, m: Any) -> Any:
    return n + m


def difference(n: Any, m: Any) -> Any:
    return n - m


def larger(n: Any, m: Any) -> Any:
    return m if n < m else n


def smaller(n: Any, m: Any) -> Any:
    return n if n < m else m


COUNTS: Final[dict[type[ast.operator], tuple[Any, Any]]] = {
    ast.Add: (total, itself),
    ast.Sub: (difference, opposite),
    ast.BitOr: (larger, itself),
    ast.BitAnd: (smaller, None),
}
"""What two counts give, and what the count of a key gives that only the second Counter has."""
SIGNS: Final[dict[type[ast.unaryop], Any]] = {ast.UAdd: itself, ast.USub: opposite}


def merged(a: Any, b: Any, both: Any, alone: Any) -> Any:
    found: Any = Counter()
    for x, n in a.items():
        count = both(n, b[x])
        if count > 0:
            found[x] = count
    if alone is not None:
        for x, n in b.items():
            if x not in a:
                count = alone(n)
                if count > 0:
                    found[x] = count
    return found


def signed(a: Any, sign: Any) -> Any:
    return merged(Counter(), a, larger, sign)


def change_by(a: Any, b: Any, both: Any) -> None:
    for x, n in b.items():
        a[x] = both(a[x], n)
    _keep_positive(a)


def lower_to(a: Any, b: Any) -> None:
    for x, n in a.items():
        other = b[x]
        if other < n:
            a[x] = other
    _keep_positive(a)


def _keep_positive(a: Any) -> None:
    gone = [x for x, n in a.items() if not n > 0]
    for x in gone:
        del a[x]
