"""Numbers as words and floats: `int`, `bool`, `float` and `U64`, one made of another; their order.

An int has 64 bits; what needs more is an OverflowError. Two numbers are compared by their
mathematical values. Functions of floats are the C library's, or Python's where that differs or
fails.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from strategies.rules.code.coercion import boolean, fail, number, spread
from strategies.rules.code.emission import Code
from strategies.rules.code.val import ZERO, Val, c1, c32, c64
from strategies.rules.kinds.kind import (
    BOOL,
    F64,
    FLOAT,
    I1,
    I32,
    I64,
    INT,
    NEVER,
    WORD,
    Either,
    Scalar,
    Static,
)
from strategies.rules.language.messages import Refusal, TooWide
from strategies.rules.language.sources import COMPARED
from strategies.rules.machine import questions


def fabs(c: Code, v: Any) -> Any:
    return c.intrinsic("llvm.fabs.f64", F64, [v])


def asked(c: Code, name: str, how: str, args: list[Any], result: Any = F64) -> Any:
    """Return what a function of Python gives; `how` says which words are floats."""
    words = [c.b.bitcast(v, I64) if h == "f" else v for h, v in zip(how, args, strict=True)]
    status, word = c.ask(questions.NUMBERS[name, how], *words)
    c.checked(status)
    return c.b.bitcast(word, F64) if result is F64 else word


def libm(c: Code, name: str, args: list[Any], question: str = "") -> Any:
    """Return what a function of the C library gives, or Python where that is not finite.

    Args:
        question: what Python is asked, unless it is the function of the same name.
    """

    def build(r: Code, given: Any) -> Any:
        made = r.intrinsic(f"jam.libm.{name}", F64, list(given))
        out = r.temp(F64)
        r.store(made, out)
        with r.when(r.b.not_(is_finite(r, made)), rare=True):
            r.store(asked(r, question or name, "f" * len(args), list(given)), out)
        return r.load(out, F64)

    return c.risky(f"jam.{question or name}", F64, args, build)


def is_finite(c: Code, v: Any) -> Any:
    return c.b.fcmp_ordered("<", fabs(c, v), F64(float("inf")))


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
