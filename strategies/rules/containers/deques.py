"""Deques: lists with room at both ends, a greatest length, and a state that loops watch."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from strategies.rules.code.emission import Code
from strategies.rules.code.val import LIST, ONE, ZERO, Val, c64
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.forms import size
from strategies.rules.kinds.kind import I64, NEVER

# A list, the free places before its elements, the greatest length or -1, and a count of changes.
DEQUE = ir.LiteralStructType([*LIST.elements, I64, I64, I64])
FRONT, MAXLEN, STATE = 3, 4, 5


def new_header(c: Code) -> Any:
    """Return the address of a deque without elements, whose list is not set."""
    header = c.alloc(c64(size(DEQUE)))
    for i, v in ((FRONT, ZERO), (MAXLEN, c64(-1)), (STATE, ZERO)):
        c.put(header, DEQUE, i, v)
    return header


def state(c: Code, a: Val) -> Any:
    return c.get(a.v, DEQUE, STATE)


def changed(c: Code, a: Val) -> None:
    c.put(a.v, DEQUE, STATE, c.b.add(state(c, a), ONE))


def check_unchanged(c: Code, a: Val, before: Any) -> None:
    """Fail if a deque changed while it is read."""
    other = c.b.icmp_signed("!=", state(c, a), before)
    c.check(other, RuntimeError, "deque mutated during iteration")


def append(w: Walk, a: Val, x: Val, left: bool = False) -> None:
    """Put an element last, or first; of too many, the one at the other end is then lost."""
    v = w.one_more(a, x)
    if v is None:
        return
    t = v.type

    def build(r: Code, args: Any) -> Any:
        own, value = args
        n = r.get(own, DEQUE, 1)
        free = r.get(own, DEQUE, FRONT) if left else r.b.sub(r.get(own, DEQUE, 2), n)
        with r.when(r.b.icmp_signed("==", free, ZERO), rare=True):
            _room(r, own, t, back=not left)
        if left:
            _move_start(r, own, t, -1)
            r.store(value, r.get(own, DEQUE, 0))
        else:
            r.store(value, r.element(r.get(own, DEQUE, 0), t, n))
            r.put(own, DEQUE, 1, r.b.add(n, ONE))
        changed(r, Val(NEVER, own))
        with r.when(_too_long(r, own), rare=True):
            drop(r, own, t, left=not left)
        return ZERO

    w.risky(f"jam.deque_append.{left}.{t}", I64, [a.v, v], build)


def _too_long(r: Code, own: Any) -> Any:
    n, most = r.get(own, DEQUE, 1), r.get(own, DEQUE, MAXLEN)
    return r.b.and_(r.b.icmp_signed(">=", most, ZERO), r.b.icmp_signed(">", n, most))


def _room(r: Code, own: Any, t: ir.Type, back: bool) -> None:
    """Make room at one end: in the free places of the other, if they are many, or in new memory."""
    place, n, capacity, front = (r.get(own, DEQUE, i) for i in range(4))
    behind = r.b.sub(capacity, n)
    free = front if back else behind
    first = r.element(place, t, r.b.sub(ZERO, front))

    def set_list(at: Any, room: Any, before: Any) -> None:
        for i, v in ((0, at), (2, room), (FRONT, before)):
            r.put(own, DEQUE, i, v)

    def move() -> None:
        total = r.b.add(front, capacity)
        rest = r.b.sub(total, n)
        before: Any = ZERO
        if not back:  # half of what is free comes first
            half = r.b.add(r.b.lshr(rest, ONE), ONE)
            before = r.b.select(r.b.icmp_signed(">", half, rest), rest, half)
        to = r.element(first, t, before)
        r.shift(to, place, n, t)
        set_list(to, r.b.sub(total, before), before)

    def grow() -> None:
        more = r.b.add(r.b.mul(n, c64(2)), c64(4))
        gap = ZERO if back else r.b.add(n, c64(4))
        to = r.element(r.alloc_for(r.b.add(more, gap), t), t, gap)
        r.copy(to, place, n, t)
        set_list(to, more, gap)

    r.choose(r.b.icmp_signed(">", free, n), move, grow)


def drop(c: Code, own: Any, t: ir.Type, left: bool) -> None:
    """Let the last element be gone, or the first."""
    if left:
        _move_start(c, own, t, 1)
    else:
        c.put(own, DEQUE, 1, c.b.sub(c.get(own, DEQUE, 1), ONE))


def _move_start(c: Code, own: Any, t: ir.Type, by: int) -> None:
    """Let the elements start at a later place, or at an earlier one."""
    c.put(own, DEQUE, 0, c.element(c.get(own, DEQUE, 0), t, c64(by)))
    for i, more in ((1, -by), (2, -by), (FRONT, by)):
        c.put(own, DEQUE, i, c.b.add(c.get(own, DEQUE, i), c64(more)))


def clear(c: Code, a: Val) -> None:
    """Let all elements be gone."""
    with c.when(c.b.icmp_signed("!=", c.get(a.v, DEQUE, 1), ZERO)):
        changed(c, a)
    c.put(a.v, DEQUE, 1, ZERO)
