"""Rows: tuples, lists, tables and ranges by the number of their elements, and where these lie."""

from __future__ import annotations

from typing import Any

from strategies.rules.code.emission import Code
from strategies.rules.code.storage import LENGTH, TABLE
from strategies.rules.code.val import LIST, ONE, ZERO, Val
from strategies.rules.kinds.joining import join_all
from strategies.rules.kinds.kind import RANGE, TEXT, Boxed, Kind, Row, Tup
from strategies.rules.kinds.parts import is_cell


def span(c: Code, a: Val) -> tuple[Any, Any]:
    """Return the address and the number of the elements of a tuple or list in memory."""
    if isinstance(a.kind, Row):
        return c.part(a.v, 0), c.part(a.v, 1)
    return c.get(a.v, LIST, 0), c.get(a.v, LIST, 1)


def is_list(k: Kind) -> bool:
    return isinstance(k, Boxed) and k.name in ("list", "deque")


def is_table(k: Kind) -> bool:
    return isinstance(k, Boxed) and not (is_list(k) or is_cell(k))


def range_length(c: Code, a: Val) -> Any:
    """Return the number of elements of a range."""
    b = c.b
    start, stop, step = (c.part(a.v, i) for i in range(3))
    up = b.icmp_signed(">", step, ZERO)
    low, high = b.select(up, start, stop), b.select(up, stop, start)
    size = b.select(up, step, b.neg(step))
    some = b.icmp_signed("<", low, high)
    # Unsigned, because the gap may need 64 bits.
    n = b.add(b.udiv(b.sub(b.sub(high, low), ONE), size), ONE)
    return b.select(some, n, ZERO)


def length(c: Code, a: Val) -> Any:
    """Return the number of elements of what has them in memory, or of a range; None of others."""
    k = a.kind
    if isinstance(k, Row) or k is TEXT:
        return c.part(a.v, 1)
    if isinstance(k, Boxed):
        return c.get(a.v, *((LIST, 1) if is_list(k) else (TABLE, LENGTH)))
    return range_length(c, a) if k is RANGE else None


def item_kind(k: Kind) -> Kind:
    """Return the kind of the elements of a sequence."""
    if isinstance(k, Tup):
        return join_all(k.items)
    assert isinstance(k, Row | Boxed)
    return k.item
