"""Operators of numpy's numbers, such as an element of an array: the results are numpy's, too.

Compiled are those on which all versions of numpy agree: arithmetic of int64 and float64, with each
other and with Python's numbers, and comparisons. A result beyond 64 bits is an OverflowError, where
numpy wraps around with a warning. A quotient by 0 is numpy's.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from strategies.rules.code.coercion import plain, refuse
from strategies.rules.code.emission import Code
from strategies.rules.code.val import ONE, ZERO, Val
from strategies.rules.kinds.kind import BOOL, FLOAT, INT, Kind, Scalar
from strategies.rules.kinds.parts import alternatives
from strategies.rules.values import arithmetic, numbers

WHOLE, REAL, TRUTH = Scalar(np.int64, INT), Scalar(np.float64, FLOAT), Scalar(np.bool_, BOOL)
_BITS = ast.BitAnd, ast.BitOr, ast.BitXor
_ARITHMETIC = ast.Add, ast.Sub, ast.Mult, ast.Div


def concerns(*kinds: Kind) -> bool:
    """Return whether a number of numpy's is among these kinds, or their alternatives."""
    return any(isinstance(i, Scalar) for k in kinds for i in alternatives(k))


def binary(c: Code, op: type[ast.operator], a: Val, b: Val) -> Val | None:
    """Return `a op b` where one is a number of numpy's; None if the other is no number."""
    x, y = plain(c, a), plain(c, b)
    if not {x.kind, y.kind} <= {INT, FLOAT, BOOL}:
        return None
    wide = all(_is_wide(v.kind) for v in (a, b))
    truths = x.kind is y.kind is BOOL and op in _BITS
    if truths:
        return Val(TRUTH, arithmetic.arithmetic(c, op, x, y).v)
    if not wide or BOOL in (a.kind, b.kind):
        refuse(a.kind if isinstance(a.kind, Scalar) else b.kind)
    if FLOAT in (x.kind, y.kind) or op is ast.Div:
        if op in _ARITHMETIC:
            u, v = numbers.as_float(c, x), numbers.as_float(c, y)
            how: Any = {ast.Add: c.b.fadd, ast.Sub: c.b.fsub, ast.Mult: c.b.fmul, ast.Div: c.b.fdiv}
            return Val(REAL, how[op](u, v))
    elif op in (*_ARITHMETIC, *_BITS):
        return Val(WHOLE, arithmetic.arithmetic(c, op, x, y).v)
    elif op in (ast.FloorDiv, ast.Mod):
        return Val(WHOLE, _divided(c, op, x, y))
    refuse(a.kind if isinstance(a.kind, Scalar) else b.kind)
    return None


def _divided(c: Code, op: type[ast.operator], x: Val, y: Val) -> Any:
    """Return the quotient or the rest of two ints, which is 0 for a division by 0."""
    none = c.b.icmp_signed("==", numbers.as_int(c, y), ZERO)
    divisor = Val(INT, c.b.select(none, ONE, numbers.as_int(c, y)))
    return c.b.select(none, ZERO, arithmetic.arithmetic(c, op, x, divisor).v)


def _is_wide(k: Kind) -> bool:
    """Whether a number is Python's, or numpy's of 64 bits, with a sign."""
    return k in (INT, FLOAT) or (isinstance(k, Scalar) and k.type in (np.int64, np.float64))


def unary(c: Code, op: type[ast.unaryop] | str, a: Val) -> Val:
    """Return `-a`, `+a`, `~a` or `abs(a)` of a number of numpy's."""
    k, x = a.kind, plain(c, a)
    how: Any = {
        ast.USub: arithmetic.negative, ast.UAdd: arithmetic.plain, ast.Invert: arithmetic.inverted,
        "abs": arithmetic.absolute,
    }  # fmt: skip
    if not _is_wide(k) or (op is ast.Invert and x.kind is FLOAT):
        refuse(k)
    return Val(k, how[op](c, x).v)


def compare(c: Code, op: str, a: Val, b: Val) -> Val | None:
    """Return `a op b` where one is a number of numpy's; None if the other is no number."""
    x, y = plain(c, a), plain(c, b)
    if not {x.kind, y.kind} <= {INT, FLOAT, BOOL}:
        return None
    if FLOAT in (x.kind, y.kind):
        if not all(_is_wide(v.kind) for v in (a, b)):
            refuse(a.kind if isinstance(a.kind, Scalar) else b.kind)
        x, y = (Val(FLOAT, numbers.as_float(c, v)) for v in (x, y))
    return Val(TRUTH, numbers.compare(c, op, x, y).v)
