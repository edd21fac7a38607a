"""Comparisons of lists and dicts that can contain themselves: recursive, as CPython's are.

Elements that are one object are equal at once, so that a list equals itself.
"""

from __future__ import annotations

import ast
from typing import Any

from strategies.rules.builtins.declared import private
from strategies.rules.code.coercion import boolean
from strategies.rules.code.val import Val
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.kind import BOOL, I64, Boxed
from strategies.rules.values.equality import COMPARES


@private("x, y, /", each=True)
def are_one(w: Walk, node: ast.AST, x: Val, y: Val) -> Val:
    """Return whether two values are one list, set or dict."""
    if not (isinstance(x.kind, Boxed) and isinstance(y.kind, Boxed)):
        return boolean(False)
    addresses = [w.b.ptrtoint(a.v, I64) for a in (x, y)]
    return Val(BOOL, w.b.icmp_signed("==", *addresses))


def equal_lists(a: Any, b: Any) -> bool:
    if len(a) != len(b):
        return False
    for i in range(len(a)):
        if not (are_one(a[i], b[i]) or a[i] == b[i]):
            return False
    return True


def equal_dicts(a: Any, b: Any) -> bool:
    if len(a) != len(b):
        return False
    for key, value in a.items():
        if key not in b or not (are_one(value, b[key]) or value == b[key]):
            return False
    return True


def ordered_lists(a: Any, b: Any, op: Any) -> Any:
    for i in range(min(len(a), len(b))):
        if not (are_one(a[i], b[i]) or a[i] == b[i]):
            return op(a[i], b[i])
    return op(len(a), len(b))


def compared(c: Any, a: Val, b: Val, op: Any) -> Val | None:
    """Return `a == b`, or `a op b`, of two lists or dicts; None if it is not compiled."""
    names = {a.boxed.name, b.boxed.name}
    if len(names) > 1 and op is None:
        return boolean(False)
    if not isinstance(c, Walk) or names not in ({"list"}, {"dict"}):
        return None
    if op is None:
        return c.call(equal_lists if names == {"list"} else equal_dicts, a, b)
    if names != {"list"}:
        return None
    return c.call(ordered_lists, a, b, c.program.constants.value(op))


COMPARES.append(compared)
