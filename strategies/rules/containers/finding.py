"""The entries of tables by their keys: found, and added."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir

from strategies.rules.code.emission import Code
from strategies.rules.code.storage import (
    ADDED,
    ENTRIES,
    FILL,
    GONE,
    LENGTH,
    ROOM,
    SLOTS,
    SMALL,
    TABLE,
    USED,
    clear_slots,
    entry_type,
)
from strategies.rules.code.val import ONE, ZERO, Val, c1, c64
from strategies.rules.kinds.kind import I1, I32, I64, NEVER, PTR, Boxed
from strategies.rules.kinds.parts import key
from strategies.rules.values.equality import equal
from strategies.rules.values.hashing import GOLDEN, absorb

RESERVED = ir.LiteralStructType([I64, I1])


def hash_word(c: Code, a: Val) -> Any:
    """Return the hash of a key, which is never `GONE`; those of equal keys are equal."""
    return c.b.or_(absorb(c, c64(GOLDEN), a), ONE)


@contextmanager
def _slots(r: Code, header: Any, h: Any) -> Iterator[tuple[Any, Callable[[Any], None]]]:
    """Walk over the slots for a hash: give the address of each, and what leaves them."""
    at = r.temp(I64)
    mask = r.b.sub(r.b.mul(r.get(header, TABLE, ROOM), c64(2)), ONE)
    r.store(r.b.and_(r.b.lshr(h, ONE), mask), at)
    slots = r.get(header, TABLE, SLOTS)
    with r.until() as leave:
        slot = r.load(at, I64)
        yield r.element(slots, I32, slot), leave
        r.store(r.b.and_(r.b.add(slot, ONE), mask), at)


def find(c: Code, k: Boxed, header: Any, x: Val) -> Any:
    """Return the number of the entry of a key, -1 if there is none. The key must be hashable."""
    if NEVER in (k.item, x.kind):
        return c64(-1)

    def build(r: Code, args: Any) -> Any:
        own, q = args
        with r.when(r.b.icmp_signed("==", r.get(own, TABLE, LENGTH), ZERO)):
            r.b.ret(c64(-1))
        wanted = Val(x.kind, q)
        _visit(r, k, own, wanted, hash_word(r, wanted), r.b.ret)
        return c64(-1)

    return c.helper(f"jam.find.{key(k)}.{key(x.kind)}", I64, [header, x.v], build)


def _visit(r: Code, k: Boxed, own: Any, x: Val, h: Any, leave: Callable[[Any], Any]) -> None:
    """Leave a helper with the number of the entry of a key, or go on if there is none."""
    t = entry_type(k)
    entries = r.get(own, TABLE, ENTRIES)

    def compare(i: Any) -> None:
        place = r.element(entries, t, i)
        with r.when(r.b.icmp_signed("==", r.get(place, t, 0), h)):
            one = equal(r, Val(k.item, r.get(place, t, 1)), x)
            with r.when(one.v):
                leave(i)

    def in_order() -> None:
        with r.counting(r.get(own, TABLE, USED)) as i:
            compare(i)

    def by_slots() -> None:
        with _slots(r, own, h) as (place, leave_slots):
            number = r.b.zext(r.load(place, I32), I64)
            leave_slots(r.b.icmp_signed("==", number, ZERO))
            compare(r.b.sub(number, ONE))

    small = r.b.icmp_signed("<=", r.get(own, TABLE, ROOM), c64(SMALL))
    r.choose(small, in_order, by_slots)


def _set_slot(r: Code, header: Any, h: Any, i: Any) -> None:
    """Let the first free slot for a hash hold an entry."""
    with _slots(r, header, h) as (place, leave):
        leave(r.b.icmp_signed("==", r.load(place, I32), I32(0)))
    r.store(r.b.trunc(r.b.add(i, ONE), I32), place)


def _in_order(c: Code, t: ir.LiteralStructType, header: Any) -> None:
    """Make room for another entry: close the gaps, or take twice the memory."""

    def build(r: Code, args: Any) -> Any:
        own = args[0]
        room, length, used = (r.get(own, TABLE, i) for i in (ROOM, LENGTH, USED))
        old = r.get(own, TABLE, ENTRIES)
        full = r.b.icmp_signed(">=", r.b.mul(length, c64(2)), room)
        more = r.b.select(
            full, r.b.select(r.b.icmp_signed("==", room, ZERO), c64(4), r.b.mul(room, c64(2))), room
        )
        r.check_memory(r.b.icmp_unsigned(">", more, c64(1 << 30)))
        out, slots = r.temp(PTR), r.temp(PTR)
        r.store(old, out)
        r.store(r.get(own, TABLE, SLOTS), slots)
        with r.when(full):
            r.store(r.alloc_for(more, t), out)
            with r.when(r.b.icmp_signed(">", more, c64(SMALL))):
                r.store(r.alloc_for(r.b.mul(more, c64(2)), I32), slots)
        new, next_ = r.load(out, PTR), r.temp(I64)
        r.store(ZERO, next_)
        with r.counting(used) as i:
            place = r.element(old, t, i)
            with r.when(r.b.icmp_signed("!=", r.get(place, t, 0), GONE)):
                to = r.load(next_, I64)
                r.store(r.load(place, t), r.element(new, t, to))
                r.store(r.b.add(to, ONE), next_)
        for i, v in (
            (ENTRIES, new),
            (SLOTS, r.load(slots, PTR)),
            (USED, length),
            (ROOM, more),
            (FILL, length),
        ):
            r.put(own, TABLE, i, v)
        with r.when(r.b.icmp_signed(">", more, c64(SMALL))):
            clear_slots(r, own)
            with r.counting(length) as i:
                _set_slot(r, own, r.get(r.element(new, t, i), t, 0), i)
        return ZERO

    c.risky(f"jam.in_order.{t}", I64, [header], build)


def reserve(c: Code, k: Boxed, header: Any, x: Val) -> tuple[Any, Any]:
    """Return the number of the entry of a key, and whether it is new and has no value yet.

    Requires: `x` has the kind of the table's keys.
    """

    def build(r: Code, args: Any) -> Any:
        own, q = args
        t = entry_type(k)
        wanted = Val(k.item, q)
        h = hash_word(r, wanted)

        def leave(i: Any) -> None:
            r.store(r.pack(RESERVED, [i, c1(False)]), r.function.args[1])
            r.b.ret(I32(0))

        _visit(r, k, own, wanted, h, leave)
        with r.when(
            r.b.icmp_signed("==", r.get(own, TABLE, FILL), r.get(own, TABLE, ROOM)), rare=True
        ):
            _in_order(r, t, own)
        i = r.get(own, TABLE, USED)
        place = r.element(r.get(own, TABLE, ENTRIES), t, i)
        r.put(place, t, 0, h)
        r.put(place, t, 1, q)
        for n in (USED, LENGTH, FILL, ADDED):
            r.put(own, TABLE, n, r.b.add(r.get(own, TABLE, n), ONE))
        with r.when(r.b.icmp_signed(">", r.get(own, TABLE, ROOM), c64(SMALL))):
            _set_slot(r, own, h, i)
        return r.pack(RESERVED, [i, c1(True)])

    both = c.risky(f"jam.reserve.{key(k)}", RESERVED, [header, x.v], build)
    return c.part(both, 0), c.part(both, 1)
