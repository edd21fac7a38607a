"""Counters: a key that is not there counts 0."""

from __future__ import annotations

import ast
from typing import Any

from strategies.rules import iteration, numbers, operators, storage, tables
from strategies.rules.arguments import Arguments
from strategies.rules.code import ZERO, Code, Val, c1
from strategies.rules.contents import scan
from strategies.rules.forms import form
from strategies.rules.kinds import BOOL, I1, INT, NEVER, NUMBERS, Boxed, Kind, key
from strategies.rules.messages import Refusal
from strategies.rules.shapes import MAPPINGS, SETS, named
from strategies.rules.storage import key_at, value_at, value_kind
from strategies.rules.values import fail
from strategies.rules.walk import Walk


def compared(c: Code, op: str, a: Val, b: Val) -> Val:
    """Return `a op b` of two Counters."""
    ka, kb = a.boxed, b.boxed
    if value_kind(ka) not in NUMBERS or value_kind(kb) not in NUMBERS:
        raise Refusal("comparing Counters is compiled for counts of one kind of number")
    if op in (">", ">="):
        return compared(c, "<" if op == ">" else "<=", b, a)
    if op == "<":
        fits, alike = compared(c, "<=", a, b), compared(c, "==", a, b)
        return Val(BOOL, c.b.and_(fits.v, c.b.not_(alike.v)))
    if not c.emitting:
        return Val(BOOL)

    def build(r: Code, args: Any) -> Any:
        both = Val(ka, args[0]), Val(kb, args[1])
        _all_compared(r, op, *both, swapped=False)
        _all_compared(r, op, *reversed(both), swapped=True)
        return c1(True)

    return Val(BOOL, c.helper(f"jam.counted{op}.{key(ka)}.{key(kb)}", I1, [a.v, b.v], build))


def _all_compared(r: Code, op: str, a: Val, b: Val, *, swapped: bool) -> None:
    """Return false from a helper unless all counts of a Counter compare with those of another."""
    k, j = a.boxed, b.boxed
    if k.item is NEVER:
        return

    def test(i: Any) -> None:
        there = _count(r, j, b.v, key_at(r, k, a.v, i))
        mine = value_at(r, k, a.v, i)
        pair = (there, mine) if swapped else (mine, there)
        with r.when(r.b.not_(numbers.compare(r, op, *pair).v)):
            r.b.ret(c1(False))

    scan(r, k, a.v, test)


def _count(c: Code, k: Boxed, header: Any, x: Val) -> Val:
    value = value_kind(k)
    out = c.temp(form(value))
    c.store(form(value)(0), out)
    at = storage.find(c, k, header, x)
    with c.when(c.b.icmp_signed(">=", at, ZERO)):
        c.store(value_at(c, k, header, at).v, out)
    return Val(value, c.load(out, form(value)))


def count_all(w: Walk, node: ast.AST, a: Val, b: Val, what: str, op: type[ast.operator]) -> None:
    """Add to a Counter, or subtract from it, the counts of a mapping, or one for each element."""
    one = w.program.constants.value(1)
    if named(b.kind, MAPPINGS):
        if value_kind(b.boxed) not in (INT, NEVER):
            raise Refusal("a Counter is made of a mapping with ints only")
        return tables.pairs(w, node, b, lambda x, n: count(w, a, x, n, node, op), what)
    if named(b.kind, SETS):
        return tables.over(w, node, b, lambda x: count(w, a, x, one, node, op), what)
    iteration.each(w, node, b, lambda x: count(w, a, x, one, node, op), what)
    return None


def count(w: Walk, a: Val, x: Val, n: Val, node: ast.AST, op: type[ast.operator]) -> None:
    """Count an element n times more, or less."""
    if NEVER in (x.kind, n.kind):
        return
    old = tables.get(w, a, x, node)
    order = (n, old) if op is ast.Add else (old, n)
    tables.put(w, a, x, operators.binary(w, op, *order, node))


def binary(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    """Return `a op b` of Counters: only positive counts stay."""
    from strategies.rules.builtins import counting
    from strategies.rules.calls import call_function

    if named(a.kind, ("counter",)) and named(b.kind, ("counter",)):
        how: Any = {
            ast.Add: counting.added,
            ast.Sub: counting.subtracted,
            ast.BitOr: counting.largest,
            ast.BitAnd: counting.smallest,
        }.get(op)
        return None if how is None else call_function(w, how, Arguments([a, b], {}))
    if op is ast.BitOr and named(a.kind, MAPPINGS) and named(b.kind, MAPPINGS):
        raise Refusal("`|` of a Counter and a dict is not compiled; write Counter(…)")
    return None


def in_place(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    """Change a Counter by `a op= b`."""
    from strategies.rules.builtins import counting
    from strategies.rules.calls import call_function

    how: Any = {
        ast.Add: counting.add_to,
        ast.Sub: counting.subtract_from,
        ast.BitOr: counting.raise_to,
        ast.BitAnd: counting.lower_to,
    }.get(op)
    if how is None:
        return None
    if not named(b.kind, ("counter",)):
        raise Refusal("a Counter is changed by another Counter only; write Counter(…)")
    call_function(w, how, Arguments([a, b], {}))
    return a


def is_counter(k: Kind) -> bool:
    return named(k, ("counter",))


def unary(w: Walk, op: type[ast.unaryop], a: Val) -> Val:
    """Return `+a` or `-a` of a Counter: its positive counts, or its negative ones turned."""
    from strategies.rules.builtins import counting
    from strategies.rules.calls import call_function

    how: Any = {ast.UAdd: counting.positive, ast.USub: counting.negative}.get(op)
    if how is None:
        return fail(w, TypeError, "a Counter has no bits")
    return call_function(w, how, Arguments([a], {}))
