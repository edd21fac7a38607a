"""Comparisons of lists and dicts that can contain themselves: recursive, as CPython's are.

Elements that are one object are equal at once, so that a list equals itself.
"""

from __future__ import annotations

import ast
from typing import Any

from strategies.rules.builtins.declared import function
from strategies.rules.code import Val
from strategies.rules.kinds import BOOL, I64, Boxed, Either
from strategies.rules.values import boolean, spread
from strategies.rules.walk import Walk


class Identical:
    """Stands for the question whether two values are one list, set or dict."""


@function(Identical, "x, y, /")
def identical(w: Walk, node: ast.AST, x: Val, y: Val) -> Val:
    if isinstance(x.kind, Either):
        return spread(w, x, lambda one: identical(w, node, one, y))
    if isinstance(y.kind, Either):
        return spread(w, y, lambda one: identical(w, node, x, one))
    if not (isinstance(x.kind, Boxed) and isinstance(y.kind, Boxed)):
        return boolean(False)
    addresses = [w.b.ptrtoint(a.v, I64) for a in (x, y)]
    return Val(BOOL, w.b.icmp_signed("==", *addresses))


def equal_lists(a: Any, b: Any) -> bool:
    if len(a) != len(b):
        return False
    for i in range(len(a)):
        if not (Identical(a[i], b[i]) or a[i] == b[i]):  # type: ignore[call-arg]
            return False
    return True


def equal_dicts(a: Any, b: Any) -> bool:
    if len(a) != len(b):
        return False
    for key, value in a.items():
        if key not in b or not (Identical(value, b[key]) or value == b[key]):  # type: ignore[call-arg]
            return False
    return True


def ordered_lists(a: Any, b: Any, op: Any) -> Any:
    for i in range(min(len(a), len(b))):
        if not (Identical(a[i], b[i]) or a[i] == b[i]):  # type: ignore[call-arg]
            return op(a[i], b[i])
    return op(len(a), len(b))


EQUAL: dict[str, Any] = {"list": equal_lists, "dict": equal_dicts}


def compared(c: Any, a: Val, b: Val, op: Any = None) -> Val | None:
    """Return `a == b`, or `a op b`, of two lists or dicts; None if it is not compiled."""
    from strategies.rules.arguments import Arguments
    from strategies.rules.calls import call_function

    names = {k.name for k in (a.kind, b.kind) if isinstance(k, Boxed)}
    use: Any = EQUAL.get(*names) if len(names) == 1 else None
    if not isinstance(c, Walk) or use is None or (op is not None and names != {"list"}):
        return None
    if op is None:
        return call_function(c, use, Arguments([a, b], {}))
    use = ordered_lists
    return call_function(c, use, Arguments([a, b, c.program.constants.value(op)], {}))
