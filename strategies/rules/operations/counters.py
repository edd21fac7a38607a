"""Counters: a key that is not there counts 0."""

from __future__ import annotations

import ast
from collections import Counter
from typing import Any, Final

from strategies.rules.code.coercion import fail
from strategies.rules.code.val import Val
from strategies.rules.code.walk import Walk
from strategies.rules.containers.shapes import MAPPINGS
from strategies.rules.kinds.kind import Kind
from strategies.rules.kinds.parts import named
from strategies.rules.language.messages import Refusal


def counter_binary(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    """Return `a op b` of Counters: only positive counts stay."""
    if is_counter(a.kind) and is_counter(b.kind):
        if op is ast.BitAnd:
            return w.call(common, a, b)
        how = [w.program.constants.value(f) for f in COUNTS.get(op, ())]
        return w.call(merged, a, b, *how) if how else None
    if op is ast.BitOr and named(a.kind, MAPPINGS) and named(b.kind, MAPPINGS):
        raise Refusal("`|` of a Counter and a dict is not compiled; write Counter(…)")
    return None


def counter_in_place(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    """Change a Counter by `a op= b`."""
    if op not in (*COUNTS, ast.BitAnd):
        return None
    if not is_counter(b.kind):
        raise Refusal("a Counter is changed by another Counter only; write Counter(…)")
    if op is ast.BitAnd:
        w.call(lower_to, a, b)
    else:
        w.call(change_by, a, b, w.program.constants.value(COUNTS[op][0]))
    return a


def is_counter(k: Kind) -> bool:
    return named(k, ("counter",))


def counter_unary(w: Walk, op: type[ast.unaryop], a: Val) -> Val:
    """Return `+a` or `-a` of a Counter: its positive counts, or its negative ones turned."""
    if op not in SIGNS:
        return fail(w, TypeError, "a Counter has no bits")
    return w.call(signed, a, w.program.constants.value(SIGNS[op]))


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


COUNTS: Final[dict[type[ast.operator], tuple[Any, Any]]] = {
    ast.Add: (total, itself),
    ast.Sub: (difference, opposite),
    ast.BitOr: (larger, itself),
}
"""What two counts give, and what the count of a key gives that only the second Counter has."""
SIGNS: Final[dict[type[ast.unaryop], Any]] = {ast.UAdd: itself, ast.USub: opposite}


def merged(a: Any, b: Any, both: Any, alone: Any) -> Any:
    found: Any = Counter()
    for x, n in a.items():
        count = both(n, b[x])
        if count > 0:
            found[x] = count
    for x, n in b.items():
        if x not in a:
            count = alone(n)
            if count > 0:
                found[x] = count
    return found


def signed(a: Any, sign: Any) -> Any:
    found: Any = Counter()
    for x, n in a.items():
        count = sign(n)
        if count > 0:
            found[x] = count
    return found


def common(a: Any, b: Any) -> Any:
    found: Any = Counter()
    for x, n in a.items():
        other = b[x]
        count = n if n < other else other
        if count > 0:
            found[x] = count
    return found


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
