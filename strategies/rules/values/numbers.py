"""Numbers as words and floats: `int`, `bool`, `float` and `U64`, and one made of another.

An int has 64 bits; what needs more is an OverflowError.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from strategies.rules.code.coercion import fail, number, spread
from strategies.rules.code.emission import Code
from strategies.rules.code.val import ZERO, Val, c32, c64
from strategies.rules.kinds.kind import (
    BOOL,
    F64,
    FLOAT,
    I1,
    I64,
    INT,
    NEVER,
    WORD,
    Either,
    Scalar,
    Static,
)
from strategies.rules.language.messages import Refusal, TooWide
from strategies.rules.values.asking import fabs

TOO_WIDE = "an int needs more than 64 bits"
LOWEST = c64(-(2**63))
EXACT = 1 << 53  # ints up to here are floats exactly


def as_int(c: Code, a: Val) -> Any:
    """Return the word of an int, bool or U64."""
    return c.b.zext(a.v, I64) if a.kind is BOOL else a.v


def as_float(c: Code, a: Val) -> Any:
    """Return a number as a float, rounded as Python rounds."""
    if a.kind is FLOAT:
        return a.v
    if a.known:
        return F64(float(a.py))
    return c.b.sitofp(a.v, F64) if a.kind is INT else c.b.uitofp(a.v, F64)


def is_zero(c: Code, v: Any) -> Any:
    return c.b.fcmp_ordered("==", v, F64(0.0))


def overflow(c: Code, name: str, x: Any, y: Any) -> Any:
    """Add, subtract or multiply, or fail with OverflowError."""
    t = ir.LiteralStructType([I64, I1])
    both = c.intrinsic(f"llvm.{name}.with.overflow.i64", t, [x, y])
    c.check(c.part(both, 1), TooWide, TOO_WIDE)
    return c.part(both, 0)


def copysign(c: Code, v: Any, sign: Any) -> Any:
    return c.intrinsic("llvm.copysign.f64", F64, [v, sign])


def to_int(c: Code, a: Val) -> Val:
    """Return `int(a)`."""
    if a.kind is INT:
        return Val(INT, a.v, a.py)
    if a.kind is BOOL:
        return Val(INT, c.b.zext(a.v, I64), int(a.py) if a.known else a.py)
    if a.kind is WORD:
        if not (a.known and a.py < 1 << 63):
            c.check(c.b.icmp_signed("<", a.v, ZERO), TooWide, TOO_WIDE)
        return Val(INT, a.v, int(a.py) if a.known else a.py)
    _check_finite(c, a.v)
    fits = c.b.and_(
        c.b.fcmp_ordered(">=", a.v, F64(-(2.0**63))), c.b.fcmp_ordered("<", a.v, F64(2.0**63))
    )
    c.check(c.b.not_(fits), TooWide, TOO_WIDE)
    return Val(INT, c.b.fptosi(a.v, I64))


def _check_finite(c: Code, v: Any) -> None:
    c.check(c.b.fcmp_unordered("uno", v, v), ValueError, "NaN is no int")
    infinite = c.b.fcmp_ordered("==", fabs(c, v), F64(float("inf")))
    c.check(infinite, OverflowError, "an infinite float is no int")


def word_of_float(c: Code, v: Any) -> Any:
    """Return the lowest 64 bits of `int(v)` of a float."""

    def build(r: Code, args: Any) -> Any:
        b, x = r.b, args[0]
        _check_finite(r, x)
        size = fabs(r, x)
        with r.when(b.fcmp_ordered("<", size, F64(2.0**63))):
            r.store(b.fptosi(x, I64), r.function.args[1])
            b.ret(c32(0))
        # A multiple of 1024: its digits, moved up by the exponent.
        bits = b.bitcast(size, I64)
        digits = b.or_(b.and_(bits, c64((1 << 52) - 1)), c64(1 << 52))
        up = b.sub(b.lshr(bits, c64(52)), c64(1075))
        far = b.icmp_unsigned(">", up, c64(63))
        word = b.select(far, ZERO, b.shl(digits, b.select(far, ZERO, up)))
        return b.select(b.fcmp_ordered("<", x, F64(0.0)), b.sub(ZERO, word), word)

    return c.risky("jam.word_of_float", I64, [v], build)


def is_wide(a: Val) -> bool:
    """Whether a value is a known int of more than 64 bits."""
    return isinstance(a.kind, Static) and isinstance(a.kind.value, int)


def refuse_wide(a: Val) -> None:
    """Refuse a known int of more than 64 bits."""
    if is_wide(a):
        raise Refusal("an int of more than 64 bits is used here; write U64(…) or float(…)")


def as_index(c: Code, a: Val) -> Val:
    """Return `operator.index(a)`."""
    if isinstance(a.kind, Either):
        return spread(c, a, lambda x: as_index(c, x))
    if isinstance(a.kind, Scalar) and a.kind.plain is INT:
        return Val(INT, a.v)
    refuse_wide(a)
    n = number(c, a)
    if a.kind is NEVER:
        return a
    if n is None or n.kind is FLOAT:
        return fail(c, TypeError, f"{a.kind} is not an int")
    return n if n.kind is INT else to_int(c, n)
