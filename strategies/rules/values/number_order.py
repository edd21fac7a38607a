"""The order of numbers by their mathematical values."""

from __future__ import annotations

from typing import Any

from strategies.rules.code.coercion import boolean
from strategies.rules.code.emission import Code
from strategies.rules.code.val import ZERO, Val, c1, c32
from strategies.rules.kinds.kind import BOOL, F64, FLOAT, I32, I64, WORD
from strategies.rules.language.sources import COMPARED
from strategies.rules.values.numbers import EXACT, as_float, as_int


def compare(c: Code, op: str, a: Val, b: Val) -> Val:
    """Compare two numbers by their mathematical values."""
    if a.known and b.known:
        return boolean(COMPARED[op](a.py, b.py))
    if a.kind is FLOAT or b.kind is FLOAT:
        return _compare_floats(c, op, a, b)
    x, y = as_int(c, a), as_int(c, b)
    if (a.kind is WORD) == (b.kind is WORD):
        by = c.b.icmp_unsigned if a.kind is WORD else c.b.icmp_signed
        return Val(BOOL, by(op, x, y))
    found = c.b.icmp_unsigned(op, x, y)
    other, v = (b, y) if a.kind is WORD else (a, x)
    if other.kind is BOOL or (other.known and other.py >= 0):
        return Val(BOOL, found)
    below = c.b.icmp_signed("<", v, ZERO)
    if_below = COMPARED[op](0, -1) if a.kind is WORD else COMPARED[op](-1, 0)
    return Val(BOOL, c.b.select(below, c1(if_below), found))


def _compare_floats(c: Code, op: str, a: Val, b: Val) -> Val:
    small = all(v.kind in (FLOAT, BOOL) or (v.known and abs(v.py) <= EXACT) for v in (a, b))
    if small:
        by = c.b.fcmp_unordered if op == "!=" else c.b.fcmp_ordered
        return Val(BOOL, by(op, as_float(c, a), as_float(c, b)))
    swapped = a.kind is FLOAT
    n, f = (b, a) if swapped else (a, b)
    order = _order_of(c, n, f)
    unordered = c.b.icmp_signed("==", order, c32(2))
    if swapped:
        order = c.b.sub(c32(0), order)
    found = c.b.icmp_signed(op, order, c32(0))
    return Val(BOOL, c.b.select(unordered, c1(op == "!="), found))


def _order_of(c: Code, n: Val, f: Val) -> Any:
    """Return -1, 0 or 1 as an int is below, equal to or above a float; 2 for NaN."""
    word = n.kind is WORD

    def build(r: Code, args: Any) -> Any:
        b, (x, y) = r.b, args
        with r.when(b.fcmp_unordered("uno", y, y)):
            b.ret(c32(2))
        top, bottom = (2.0**64, 0.0) if word else (2.0**63, -(2.0**63))
        with r.when(b.fcmp_ordered(">=", y, F64(top))):
            b.ret(c32(-1))
        with r.when(b.fcmp_ordered("<", y, F64(bottom))):
            b.ret(c32(1))
        # y is in the range of the int, so its whole part is too.
        whole = b.fptoui(y, I64) if word else b.fptosi(y, I64)
        back = b.uitofp(whole, F64) if word else b.sitofp(whole, F64)
        by = b.icmp_unsigned if word else b.icmp_signed
        with r.when(by("<", x, whole)):
            b.ret(c32(-1))
        with r.when(by(">", x, whole)):
            b.ret(c32(1))
        return b.select(
            b.fcmp_ordered("<", back, y),
            c32(-1),
            b.select(b.fcmp_ordered(">", back, y), c32(1), c32(0)),
        )

    return c.helper(f"jam.order.{'word' if word else 'int'}", I32, [n.v, f.v], build)
