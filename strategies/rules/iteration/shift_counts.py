"""Counts of shifts: of the variable of a loop over a range, it is asked once, before the loop,
whether all its values are from 0 to 63.

LLVM then makes two loops of one, and the usual one has no test of counts.
"""

from __future__ import annotations

import ast
from typing import Any, Final

from llvmlite import ir

from strategies.rules.code.val import ZERO, Val, c64
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.kind import RANGE
from strategies.rules.language.names import binds

SHORT: Final = 42
"""The most expressions and statements in the body of a loop of which LLVM makes two, found by trial
with LLVM 22.  In a longer one, the test would only be another one; values are the same."""


def asked(w: Walk, s: ast.For, over: Val) -> dict[str, Any]:
    """Return what is asked before a loop that no `yield` leaves: by the name of its variable,
    whether all its values are from 0 to 63; nothing if the answer would not be used."""
    if over.kind is not RANGE or not isinstance(s.target, ast.Name):
        return {}
    small = _are_small(w, over) if _shifts_by(s.body, s.target.id) else None
    return {} if small is None else {w.full(s.target.id): small}


def _are_small(w: Walk, over: Val) -> Any:
    """Return whether all numbers of a range are from 0 to 63, or None if its direction is not
    known."""
    start, stop, step = (w.part(over.v, i) for i in range(3))
    if not isinstance(step, ir.Constant):
        return None
    up = step.constant > 0
    low, high = (start, stop) if up else (stop, start)  # of these two, the stop is left out
    least = w.b.icmp_signed(">=", low, ZERO if up else c64(-1))
    most = w.b.icmp_signed("<=", high, c64(64 if up else 63))
    return w.b.and_(least, most)


def _shifts_by(body: list[ast.stmt], name: str) -> bool:
    """Whether a short body shifts by a variable, and does not bind it."""
    nodes = [n for s in body for n in ast.walk(s)]
    if any(isinstance(n, ast.For | ast.While | ast.comprehension) for n in nodes):
        return False
    if sum(isinstance(n, ast.expr | ast.stmt) for n in nodes) > SHORT or binds(nodes, name):
        return False
    return any(_is_shift(n, name) for n in nodes)


def _is_shift(node: ast.AST, name: str) -> bool:
    match node:
        case ast.BinOp(op=ast.LShift() | ast.RShift(), right=ast.Name(id=count)):
            return count == name
        case ast.AugAssign(op=ast.LShift() | ast.RShift(), value=ast.Name(id=count)):
            return count == name
    return False
