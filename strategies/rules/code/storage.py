"""Storage: rows, by the number of their elements and where these lie; and tables.

A row is a tuple, list, table or range. A table has its entries in order of insertion, found by
their hashes, as in CPython's dicts. One of up to `SMALL` entries is searched from the first to the
last; a larger one has slots, which hold one plus the number of an entry. An entry whose key was
removed has the hash `GONE`.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from strategies.rules.code.emission import Code
from strategies.rules.code.val import FIXED, LIST, NULL, ONE, ZERO, Val, c1, c64
from strategies.rules.kinds.forms import form, size
from strategies.rules.kinds.joining import join_all
from strategies.rules.kinds.kind import I8, I32, I64, PTR, RANGE, TEXT, VOID, Boxed, Kind, Row, Tup
from strategies.rules.kinds.parts import is_cell, key

# The addresses and numbers of a table, in the order of `ENTRIES` to `LOWEST`.
TABLE = ir.LiteralStructType([PTR, PTR, *[I64] * 6])
ENTRIES, SLOTS = 0, 1
USED, LENGTH = 2, 3  # entries, those that are gone included, and those that are not
# Entries that there is memory for, and those written since it was last put in order.
ROOM, FILL = 4, 5
ADDED, LOWEST = 6, 7  # keys that were ever added, and one plus the lowest entry that ever went
HEADER = size(TABLE)  # what comes after it belongs to the kind, such as a defaultdict's factory
SMALL = 8
GONE = ZERO


def entry_type(k: Boxed) -> ir.LiteralStructType:
    """Return the LLVM type of the entries of a table: hash, key, and value if it has one."""
    return ir.LiteralStructType([I64, *(form(c.kind) for c in k.roots()[:2])])


def entry(c: Code, k: Boxed, header: Any, i: Any) -> Any:
    """Return the address of an entry."""
    return c.element(c.get(header, TABLE, ENTRIES), entry_type(k), i)


def key_at(c: Code, k: Boxed, header: Any, i: Any) -> Val:
    t = entry_type(k)
    return Val(k.item, c.get(entry(c, k, header, i), t, 1))


def value_at(c: Code, k: Boxed, header: Any, i: Any) -> Val:
    t = entry_type(k)
    return Val(k.value, c.get(entry(c, k, header, i), t, 2))


def clear_slots(c: Code, header: Any) -> None:
    """Let no slot hold an entry."""
    n = c.b.mul(c.get(header, TABLE, ROOM), c64(8))
    c.intrinsic("llvm.memset.p0.i64", VOID, [c.get(header, TABLE, SLOTS), I8(0), n, c1(False)])


def set_value(c: Code, k: Boxed, header: Any, i: Any, v: Any) -> None:
    c.put(entry(c, k, header, i), entry_type(k), 2, v)


def remove(c: Code, k: Boxed, header: Any, i: Any) -> None:
    """Let an entry be gone."""
    c.put(entry(c, k, header, i), entry_type(k), 0, GONE)
    c.put(header, TABLE, LENGTH, c.b.sub(c.get(header, TABLE, LENGTH), ONE))
    low, at = c.get(header, TABLE, LOWEST), c.b.add(i, ONE)
    lower = c.b.or_(c.b.icmp_signed("==", low, ZERO), c.b.icmp_signed("<", at, low))
    c.put(header, TABLE, LOWEST, c.b.select(lower, at, low))


def clear(c: Code, header: Any) -> None:
    """Let all entries be gone."""
    for i in (USED, LENGTH, FILL):
        c.put(header, TABLE, i, ZERO)
    c.put(header, TABLE, LOWEST, ONE)
    with c.when(c.b.icmp_signed(">", c.get(header, TABLE, ROOM), c64(SMALL))):
        clear_slots(c, header)


def next_live(c: Code, k: Boxed, header: Any, i: Any) -> Any:
    """Return the number of the first entry from one on that is not gone, -1 if there is none."""
    return _live(c, entry_type(k), header, i, ONE)


def last_live(c: Code, k: Boxed, header: Any, i: Any) -> Any:
    """Return the number of the last entry up to a number that is not gone, -1 if there is none."""
    return _live(c, entry_type(k), header, i, c64(-1))


def _live(c: Code, t: ir.LiteralStructType, header: Any, start: Any, step: Any) -> Any:
    def build(r: Code, args: Any) -> Any:
        own, first = args
        at = r.temp(I64)
        r.store(first, at)
        with r.until() as leave:
            i = r.load(at, I64)
            leave(r.b.icmp_unsigned(">=", i, r.get(own, TABLE, USED)))
            h = r.get(r.element(r.get(own, TABLE, ENTRIES), t, i), t, 0)
            with r.when(r.b.icmp_signed("!=", h, GONE)):
                r.b.ret(i)
            r.store(r.b.add(i, step), at)
        return c64(-1)

    return c.helper(f"jam.live.{step.constant}.{t}", I64, [header, start], build)


def new_header(c: Code, more: int = 0) -> Any:
    """Return the address of a new table, with bytes of its kind's own behind it."""
    header = c.alloc(c64(HEADER + more))
    for i, t in enumerate(TABLE.elements):
        c.put(header, TABLE, i, NULL if t == PTR else ZERO)
    return header


def copy_all(c: Code, k: Boxed, source: Any, to: Any) -> None:
    """Let a new table have the entries of another of the same kind."""

    def build(r: Code, args: Any) -> Any:
        old, new = args
        t = entry_type(k)
        used, room = r.get(old, TABLE, USED), r.get(old, TABLE, ROOM)
        entries = r.alloc_for(room, t)
        r.copy(entries, r.get(old, TABLE, ENTRIES), used, t)
        r.put(new, TABLE, ENTRIES, entries)
        for i in (USED, LENGTH, ROOM, FILL, ADDED, LOWEST):
            r.put(new, TABLE, i, r.get(old, TABLE, i))
        with r.when(r.b.icmp_signed("==", r.get(old, TABLE, FILL), FIXED)):
            r.put(new, TABLE, FILL, used)
        with r.when(r.b.icmp_signed(">", room, c64(SMALL))):
            n = r.b.mul(room, c64(2))
            slots = r.alloc_for(n, I32)
            r.copy(slots, r.get(old, TABLE, SLOTS), n, I32)
            r.put(new, TABLE, SLOTS, slots)
        return ZERO

    c.risky(f"jam.copy.{key(k)}", I64, [source, to], build)


def shorten(c: Code, header: Any, i: Any) -> None:
    """Forget the entries from one on that is gone, after which all are."""
    c.put(header, TABLE, USED, i)


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
