"""Arithmetic of numbers, exactly as Python's: `int`, `bool`, `float`, and `U64`.

What is rare is asked of Python itself, so that it cannot differ: such as the quotient of ints
beyond 53 bits. Known ints of more than 64 bits, such as the masks of packed boards, may stand
beside words and floats.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from strategies.rules.code.coercion import boolean, coerce, fail, number
from strategies.rules.code.emission import Code
from strategies.rules.code.val import ONE, ZERO, Counted, Val, c1, c64
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.kind import (
    BOOL,
    F64,
    FLOAT,
    I1,
    I64,
    INT,
    NUMBERS,
    WORD,
    Either,
    Static,
)
from strategies.rules.language.messages import Late, Refusal, TooWide
from strategies.rules.language.sources import COMPARED
from strategies.rules.values import numbers
from strategies.rules.values.numbers import (
    EXACT,
    LOWEST,
    TOO_WIDE,
    as_float,
    as_int,
    asked,
    copysign,
    fabs,
    is_finite,
    is_wide,
    is_zero,
    libm,
    overflow,
    refuse_wide,
    to_int,
    word_of_float,
)

COMPLEX = "the result is complex, which is not compiled: write a power of abs(x), and its sign"


def arithmetic(c: Code, op: type[ast.operator], a: Val, b: Val) -> Val:
    """Return `a op b` of two numbers."""
    if FLOAT in (a.kind, b.kind) and WORD in (a.kind, b.kind):
        if a.kind is WORD and op in (ast.Add, ast.Sub, ast.Mult):
            b = Val(WORD, word_of_float(c, b.v))  # U64's own operators do this
        elif op in _BITS or (a.kind is WORD and op in (ast.FloorDiv, ast.Mod)):
            raise Refusal(
                "a U64 meets a float here, which is not compiled; write int(…) of the float"
            )
    if a.kind is FLOAT or b.kind is FLOAT or op is ast.Div:
        return _floats(c, op, a, b)
    if op is ast.Pow:
        return power(c, a, b)
    if WORD in (a.kind, b.kind):
        return _words(c, op, a, b)
    if op in (ast.BitAnd, ast.BitOr, ast.BitXor):
        if a.kind is BOOL and b.kind is BOOL:
            return Val(BOOL, _bits(c, op, a.v, b.v))
        return Val(INT, _bits(c, op, as_int(c, a), as_int(c, b)))
    x, y = as_int(c, a), as_int(c, b)
    if op in _OVERFLOWING:
        return Val(INT, overflow(c, _OVERFLOWING[op], x, y))
    if op in (ast.LShift, ast.RShift):
        return Val(INT, _shift(c, op, x, y, b))
    quotient, rest = _divided(c, x, y, b)
    return Val(INT, quotient if op is ast.FloorDiv else rest)


_BITS = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)
_OVERFLOWING: dict[type[ast.operator], str] = {ast.Add: "sadd", ast.Sub: "ssub", ast.Mult: "smul"}


def _bits(c: Code, op: type[ast.operator], x: Any, y: Any) -> Any:
    return {ast.BitAnd: c.b.and_, ast.BitOr: c.b.or_, ast.BitXor: c.b.xor}[op](x, y)


def _not_negative(c: Code, y: Any, b: Val) -> None:
    if b.kind is INT and not (b.known and b.py >= 0):
        c.check(c.b.icmp_signed("<", y, ZERO), ValueError, "negative shift count")


def _shift(c: Code, op: type[ast.operator], x: Any, y: Any, b: Val) -> Any:
    if op is ast.RShift:
        return _by_count(c, y, b, c.b.ashr(x, c64(63)), lambda: c.b.ashr(x, y))

    def shifted() -> Any:
        made = c.b.shl(x, y)
        c.check(c.b.icmp_signed("!=", c.b.ashr(made, y), x), TooWide, TOO_WIDE)
        return made

    def check() -> None:
        c.check(c.b.icmp_signed("!=", x, ZERO), TooWide, TOO_WIDE)

    return _by_count(c, y, b, ZERO, shifted, check)


def _by_count(
    c: Code, y: Any, b: Val, far: Any, near: Callable[[], Any],
    check: Callable[[], None] = lambda: None,
) -> Any:  # fmt: skip
    """Return what a shift gives: `near`, or `far` after a `check` if the count is above 63.

    One test finds counts that are too large or negative: both are rare. A loop that counts may have
    done it before.
    """
    if b.known and 0 <= b.py < 64:
        return near()
    out = c.temp(I64)
    c.store(far, out)

    def rare() -> None:
        _not_negative(c, y, b)
        check()

    is_far = c.b.icmp_unsigned(">", y, c64(63))
    if isinstance(b, Counted):
        is_far = c.b.select(b.small, c1(False), is_far)
    c.choose(is_far, rare, lambda: c.store(near(), out), rare=True)
    return c.load(out, I64)


def _divided(c: Code, x: Any, y: Any, b: Val) -> tuple[Any, Any]:
    """Return the quotient and the rest of ints, rounded down."""
    known = b.known and int(b.py) not in (0, -1)
    if not known:
        c.check(c.b.icmp_signed("==", y, ZERO), ZeroDivisionError, "division by zero")
    minus = c.b.icmp_signed("==", y, c64(-1))
    safe = y if known else c.b.select(minus, ONE, y)  # the lowest int by -1 traps
    q, r = c.b.sdiv(x, safe), c.b.srem(x, safe)
    off = c.b.and_(c.b.icmp_signed("!=", r, ZERO), c.b.icmp_signed("<", c.b.xor(r, y), ZERO))
    q = c.b.select(off, c.b.sub(q, ONE), q)
    if not known:
        q = c.b.select(minus, c.b.sub(ZERO, x), q)
    return q, c.b.select(off, c.b.add(r, y), r)


def floor_divide(c: Code, a: Val, b: Val) -> Val:
    """Return `a // b` of ints, with its overflow."""
    x, y = as_int(c, a), as_int(c, b)
    q, _ = _divided(c, x, y, b)
    if not (b.known and b.py != -1):
        c.check(
            c.b.and_(c.b.icmp_signed("==", y, c64(-1)), c.b.icmp_signed("==", x, LOWEST)),
            TooWide,
            TOO_WIDE,
        )
    return Val(INT, q)


def _words(c: Code, op: type[ast.operator], a: Val, b: Val) -> Val:
    """Arithmetic in which one of two is a U64, as its methods define it."""
    x, y = as_int(c, a), as_int(c, b)
    if op in (ast.Add, ast.Sub, ast.Mult):
        return Val(WORD, {ast.Add: c.b.add, ast.Sub: c.b.sub, ast.Mult: c.b.mul}[op](x, y))
    if op in (ast.BitAnd, ast.BitOr, ast.BitXor):
        return Val(WORD, _bits(c, op, x, y))
    if op in (ast.LShift, ast.RShift):
        shifted = c.b.shl if op is ast.LShift else c.b.lshr
        return Val(WORD, _by_count(c, y, b, ZERO, lambda: shifted(x, y)))
    c.check(c.b.icmp_signed("==", y, ZERO), ZeroDivisionError, "division by zero")
    q, r = c.b.udiv(x, y), c.b.urem(x, y)
    if a.kind is WORD and b.kind is INT and not (b.known and b.py >= 0):
        # A negative divisor: x // -d is -ceil(x / d), and the rest has the divisor's sign.
        negative = c.b.icmp_signed("<", y, ZERO)
        d = c.b.select(negative, c.b.sub(ZERO, y), ONE)
        up, left = c.b.udiv(x, d), c.b.urem(x, d)
        some = c.b.icmp_signed("!=", left, ZERO)
        below = c.b.sub(ZERO, c.b.add(up, c.b.zext(some, I64)))
        rest = c.b.select(some, c.b.sub(left, d), ZERO)
        q, r = c.b.select(negative, below, q), c.b.select(negative, rest, r)
    return Val(WORD, q if op is ast.FloorDiv else r)


def _floats(c: Code, op: type[ast.operator], a: Val, b: Val) -> Val:
    if op is ast.Div:
        return Val(FLOAT, divide(c, a, b))
    if op is ast.Pow:
        return power(c, a, b)
    if op not in (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod):
        return fail(c, TypeError, "floats have no bits")
    x, y = as_float(c, a), as_float(c, b)
    if op in (ast.Add, ast.Sub, ast.Mult):
        return Val(FLOAT, {ast.Add: c.b.fadd, ast.Sub: c.b.fsub, ast.Mult: c.b.fmul}[op](x, y))
    c.check(is_zero(c, y), ZeroDivisionError, "division by zero")
    quotient, rest = float_divmod(c, x, y)
    return Val(FLOAT, quotient if op is ast.FloorDiv else rest)


def float_divmod(c: Code, x: Any, y: Any) -> tuple[Any, Any]:
    """Return quotient and rest of floats as CPython computes them; the divisor is not zero."""
    zero = F64(0.0)
    mod = c.b.frem(x, y)
    div = c.b.fdiv(c.b.fsub(x, mod), y)
    some = c.b.fcmp_unordered("!=", mod, zero)
    other = c.b.xor(c.b.fcmp_ordered("<", y, zero), c.b.fcmp_ordered("<", mod, zero))
    off = c.b.and_(some, other)
    rest = c.b.select(off, c.b.fadd(mod, y), c.b.select(some, mod, copysign(c, zero, y)))
    div = c.b.select(off, c.b.fsub(div, F64(1.0)), div)
    floor = c.intrinsic("llvm.floor.f64", F64, [div])
    up = c.b.fcmp_ordered(">", c.b.fsub(div, floor), F64(0.5))
    whole = c.b.select(up, c.b.fadd(floor, F64(1.0)), floor)
    nought = copysign(c, zero, c.b.fdiv(x, y))
    return c.b.select(c.b.fcmp_unordered("!=", div, zero), whole, nought), rest


def divide(c: Code, a: Val, b: Val) -> Any:
    """Return the float `a / b`."""
    x, y = as_float(c, a), as_float(c, b)
    c.check(is_zero(c, y), ZeroDivisionError, "division by zero")
    made = c.b.fdiv(x, y)
    if FLOAT in (a.kind, b.kind):
        return made
    wide = [v for v in (a, b) if v.kind is not BOOL and not (v.known and abs(v.py) <= EXACT)]
    if not wide:
        return made
    out = c.temp(F64)
    c.store(made, out)
    large: Any = c1(False)
    for v in wide:
        # A U64 with its highest bit set is beyond as well.
        beyond = c.b.icmp_unsigned(">", c.b.add(v.v, c64(EXACT)), c64(2 * EXACT))
        large = c.b.or_(large, beyond)
    with c.when(large, rare=True):
        how = "".join("u" if v.kind is WORD else "i" for v in (a, b))
        c.store(asked(c, "truediv", how, [as_int(c, a), as_int(c, b)]), out)
    return c.load(out, F64)


def negative(c: Code, a: Val) -> Val:
    """Return `-a`."""
    if a.kind is FLOAT:
        return Val(FLOAT, c.b.fneg(a.v))
    if a.kind is WORD:
        return Val(WORD, c.b.sub(ZERO, a.v))
    return Val(INT, overflow(c, "ssub", ZERO, as_int(c, a)))


def plain(c: Code, a: Val) -> Val:
    """Return `+a`: a U64 or a bool becomes an int."""
    return Val(FLOAT, a.v) if a.kind is FLOAT else to_int(c, a)


def inverted(c: Code, a: Val) -> Val:
    """Return `~a` of an int, bool or U64."""
    return Val(WORD if a.kind is WORD else INT, c.b.not_(as_int(c, a)))


def absolute(c: Code, a: Val) -> Val:
    """Return `abs(a)`."""
    if a.kind is FLOAT:
        return Val(FLOAT, fabs(c, a.v))
    a = to_int(c, a)
    c.check(c.b.icmp_signed("==", a.v, LOWEST), TooWide, TOO_WIDE)
    return Val(INT, c.b.select(c.b.icmp_signed("<", a.v, ZERO), c.b.sub(ZERO, a.v), a.v))


def power(c: Code, a: Val, b: Val) -> Val:
    """Return `a ** b`. The power of an int has the kind that Python gives it."""
    if FLOAT in (a.kind, b.kind):
        return Val(FLOAT, _float_power(c, as_float(c, a), as_float(c, b)))
    x, y = as_int(c, a), as_int(c, b)
    if WORD in (a.kind, b.kind):
        # Plain ints, which may not fit; but any to the power of 0 is 1.
        for v in (a, b):
            if v.kind is WORD:
                large = c.b.icmp_signed("<", v.v, ZERO)
                some = c.b.icmp_signed("!=", y, ZERO)
                c.check(c.b.and_(large, some), TooWide, TOO_WIDE)
    if b.kind is not INT or (b.known and b.py >= 0):
        return Val(INT, _int_power(c, x, y))
    if b.known:
        return Val(FLOAT, _inverse(c, x, y))
    kind = Either([FLOAT, INT])
    out = c.temp(form(kind))

    def below() -> None:
        c.store(coerce(c, Val(FLOAT, _inverse(c, x, y)), kind).v, out)

    def above() -> None:
        c.store(coerce(c, Val(INT, _int_power(c, x, y)), kind).v, out)

    c.choose(c.b.icmp_signed("<", y, ZERO), below, above)
    return Val(kind, c.load(out, form(kind)))


def _float_power(c: Code, x: Any, y: Any) -> Any:
    with c.when(c.b.fcmp_ordered("<", x, F64(0.0)), rare=True):
        broken = c.b.fcmp_unordered("!=", c.intrinsic("llvm.floor.f64", F64, [y]), y)
        bad = c.b.and_(c.b.and_(is_finite(c, x), is_finite(c, y)), broken)
        c.check(bad, Late, COMPLEX)
    return libm(c, "pow", [x, y], "power")


def _inverse(c: Code, x: Any, y: Any) -> Any:
    """Return the power of an int with a negative exponent."""
    c.check(c.b.icmp_signed("==", x, ZERO), ZeroDivisionError, "0 to a negative power")
    floats = [as_float(c, Val(INT, v)) for v in (x, y)]
    return libm(c, "pow", floats, "power")


def _int_power(c: Code, x: Any, y: Any) -> Any:
    def build(r: Code, args: Any) -> Any:
        base, e, made = r.temp(I64), r.temp(I64), r.temp(I64)
        r.store(args[0], base)
        r.store(args[1], e)
        r.store(ONE, made)
        with r.until() as leave:
            left = r.load(e, I64)
            with r.when(r.b.trunc(left, I1)):
                r.store(overflow(r, "smul", r.load(made, I64), r.load(base, I64)), made)
            half = r.b.lshr(left, ONE)
            r.store(half, e)
            leave(r.b.icmp_signed("==", half, ZERO))
            b = r.load(base, I64)
            r.store(overflow(r, "smul", b, b), base)
        return r.load(made, I64)

    return c.risky("jam.int_power", I64, [x, y], build)


WIDE_ADVICE = "an int of more than 64 bits meets {}; write U64(…), whose words have 64 bits"
_BY_BITS = (ast.Add, ast.Sub, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor)


def wide_number(c: Code, a: Val) -> Val | None:
    """Return a value as a number of 64 bits, if it is a number."""
    refuse_wide(a)
    if isinstance(a.kind, Static):
        raise Refusal(f"{a.kind} is used as a number, which is not compiled; write int or float")
    return number(c, a)


def _wide_value(a: Val) -> int:
    assert isinstance(a.kind, Static)
    return int(a.kind.value)


def wide_binary(c: Code, op: type[ast.operator], a: Val, b: Val) -> Val:
    """Return `a op b`, of which one is such an int and the other a number."""
    wide, other = (a, b) if is_wide(a) else (b, a)
    value = _wide_value(wide)
    if other.kind is WORD:
        as_word = Val(WORD, c64(_signed(value)))
        if op in _BY_BITS:
            return arithmetic(c, op, *((as_word, b) if wide is a else (a, as_word)))
        if op in (ast.FloorDiv, ast.Mod) and wide is b and 0 <= value < 2**64:
            return arithmetic(c, op, a, as_word)
    if other.kind is FLOAT:
        try:
            as_float = Val(FLOAT, F64(float(value)))
        except OverflowError:
            raise Refusal("an int that is larger than all floats meets a float") from None
        return arithmetic(c, op, *((as_float, b) if wide is a else (a, as_float)))
    if other.kind is BOOL and op is ast.BitAnd and 0 <= value < 2**64:
        return Val(INT, c.b.and_(numbers.as_int(c, other), c64(_signed(value))))
    raise Refusal(WIDE_ADVICE.format(other.kind))


def _signed(value: int) -> int:
    """Return the lowest 64 bits of an int as a signed word."""
    low = value % 2**64
    return low - 2**64 if low >= 2**63 else low


def wide_compare(c: Code, op: str, a: Val, b: Val) -> Val | None:
    """Return `a op b` of such an int and a number; None if they are not."""
    if is_wide(a) and is_wide(b):
        return boolean(bool(COMPARED[op](_wide_value(a), _wide_value(b))))
    wide, other = (a, b) if is_wide(a) else (b, a)
    if not is_wide(wide) or other.kind not in NUMBERS:
        return None
    value = _wide_value(wide)
    if other.kind is WORD and 0 <= value < 2**64:
        as_number = Val(WORD, c64(_signed(value)))
    elif other.kind is FLOAT:
        try:
            exact = int(float(value)) == value
        except OverflowError:
            exact = False
        if not exact:
            raise Refusal(
                "an int that is no float exactly is compared with a float; write float(…)"
            )
        as_number = Val(FLOAT, F64(float(value)))
    else:
        least: Any = 0
        found = COMPARED[op](*((value, least) if wide is a else (least, value)))
        return boolean(bool(found))
    return numbers.compare(c, op, *((as_number, b) if wide is a else (a, as_number)))
