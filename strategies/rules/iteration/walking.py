"""Steps over tables, and over deques: what Python says of one that changes meanwhile."""

from __future__ import annotations

import ast
from collections.abc import Callable

from strategies.rules.code import storage
from strategies.rules.code.coercion import parts_of
from strategies.rules.code.storage import ADDED, LENGTH, LOWEST, TABLE, is_table
from strategies.rules.code.val import ONE, ZERO, Val
from strategies.rules.code.walk import Walk
from strategies.rules.containers.tables import SETS, element_kind, item_at, view
from strategies.rules.iteration.orderless import check_order
from strategies.rules.iteration.orderless_loops import check_loop
from strategies.rules.iteration.steps import STEPS, Iteration, Steps, for_each, through
from strategies.rules.kinds.kind import I64, NEVER, PTR, Boxed
from strategies.rules.kinds.parts import named

CHANGED = "the size of a set or dict changes while it is read"
MOVED = "the keys of a dict change while it is read"


def of_table(at: Iteration, a: Val) -> Steps:
    """Return the elements of a table, in the order of insertion."""
    w, k, item = at.w, a.boxed, element_kind(a.kind)
    place, number = at.keep("v", PTR, a.v), at.keep("i", I64, ZERO)
    length = at.keep("n", I64, w.get(a.v, TABLE, LENGTH))
    still = at.keep("left", I64, w.get(a.v, TABLE, LENGTH))
    added = at.keep("added", I64, w.get(a.v, TABLE, ADDED))

    def following(done: Callable[[], None]) -> Val:
        b, header, i = w.b, w.load(place, PTR), w.load(number, I64)
        size = w.get(header, TABLE, LENGTH)
        changed = b.icmp_signed("!=", size, w.load(length, I64))
        with w.noted():  # where a step changes nothing, it cannot be
            w.check(changed, RuntimeError, CHANGED)
        live = storage.next_live(w, k, header, i)
        w.go_on(b.icmp_signed(">=", live, ZERO), done)
        # A new key where an old one was: Python's own answer depends on how it keeps entries.
        fresh = b.icmp_signed("!=", w.get(header, TABLE, ADDED), w.load(added, I64))
        lowest = w.get(header, TABLE, LOWEST)
        gone = b.and_(b.icmp_signed("!=", lowest, ZERO), b.icmp_signed("<=", lowest, i))
        left = w.load(still, I64)
        beyond = b.icmp_signed("==", left, ZERO)
        with w.noted():
            w.check(b.or_(b.and_(fresh, gone), beyond), RuntimeError, MOVED)
        w.store(b.sub(left, ONE), still)
        w.store(b.add(live, ONE), number)
        return w.never if item is NEVER else item_at(w, Val(k, header), live)

    return Steps(item, following)


def over(w: Walk, node: ast.AST, a: Val, use: Callable[[Val], None], what: str) -> None:
    """Use each element of a table, in an order that does not matter or is a dict's."""
    if w.env is not None and (w.infer or element_kind(a.kind) is not NEVER):
        at = Iteration(w, node, what)
        through(at, of_table(at, a), use)


def pairs(w: Walk, node: ast.AST, a: Val, use: Callable[[Val, Val], None], what: str) -> None:
    """Use each key of a mapping, with its value."""

    def use_parts(x: Val) -> None:
        if x.kind is not NEVER:
            use(*parts_of(w, x))

    over(w, node, view(a, "items"), use_parts, what)


def each(w: Walk, node: ast.AST, a: Val, use: Callable[[Val], None], what: str) -> None:
    """Use each element of an iterable to make a table."""
    if is_table(a.kind):
        over(w, node, a, use, what)
    else:
        for_each(w, node, a, use, what=what)


def steps(at: Iteration, a: Val) -> Steps:
    """Return the elements of a table, if their order is not chance."""
    if named(a.kind, SETS):
        if isinstance(at.node, ast.For) and not at.w.source.is_builtin:
            check_loop(at.w, at.node, a)
        else:
            check_order(at.w, at.node, a, at.what)
    return of_table(at, a)


STEPS[Boxed] = steps
