"""Powers of numbers, of the kind that Python gives them."""

from __future__ import annotations

from typing import Any

from strategies.rules.asking import asked, fabs
from strategies.rules.code import ONE, ZERO, Code, Val
from strategies.rules.forms import form
from strategies.rules.kinds import F64, FLOAT, I1, I64, INT, WORD, Either
from strategies.rules.messages import TooWide
from strategies.rules.numbers import TOO_WIDE, as_float, as_int, overflow
from strategies.rules.values import coerce


def power(c: Code, a: Val, b: Val) -> Val:
    """Return `a ** b`. The power of an int has the kind that Python gives it."""
    if FLOAT in (a.kind, b.kind):
        return Val(FLOAT, float_power(c, as_float(c, a), as_float(c, b)))
    x, y = as_int(c, a), as_int(c, b)
    if WORD in (a.kind, b.kind):
        # Plain ints, which may not fit.
        for v in (a, b):
            if v.kind is WORD:
                c.check(c.b.icmp_signed("<", v.v, ZERO), TooWide, TOO_WIDE)
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


def _inverse(c: Code, x: Any, y: Any) -> Any:
    """Return the power of an int with a negative exponent."""
    c.check(c.b.icmp_signed("==", x, ZERO), ZeroDivisionError, "0 to a negative power")
    return float_power(c, as_float(c, Val(INT, x)), as_float(c, Val(INT, y)))


def _int_power(c: Code, x: Any, y: Any) -> Any:
    def build(r: Code, args: Any) -> Any:
        base, e, made = r.temp(I64), r.temp(I64), r.temp(I64)
        r.store(args[0], base)
        r.store(args[1], e)
        r.store(ONE, made)
        head, odd, next_, square, done = (
            r.block(n) for n in ("head", "odd", "next", "square", "done")
        )
        r.goto(head)
        r.at(head)
        left = r.load(e, I64)
        r.branch(r.b.trunc(left, I1), odd, next_)
        r.at(odd)
        r.store(overflow(r, "smul", r.load(made, I64), r.load(base, I64)), made)
        r.goto(next_)
        r.at(next_)
        half = r.b.lshr(left, ONE)
        r.store(half, e)
        r.branch(r.b.icmp_signed("==", half, ZERO), done, square)
        r.at(square)
        b = r.load(base, I64)
        r.store(overflow(r, "smul", b, b), base)
        r.goto(head)
        r.at(done)
        return r.load(made, I64)

    return c.risky("jam.int_power", I64, [x, y], build)


def float_power(c: Code, x: Any, y: Any) -> Any:
    def build(r: Code, args: Any) -> Any:
        made = r.intrinsic("jam.libm.pow", F64, list(args))
        odd = r.b.or_(
            r.b.fcmp_unordered("uno", made, made),
            r.b.fcmp_ordered("==", fabs(r, made), F64(float("inf"))),
        )
        out = r.temp(F64)
        r.store(made, out)
        with r.when(odd, rare=True):
            r.store(asked(r, "power", "ff", list(args)), out)
        return r.load(out, F64)

    return c.risky("jam.float_power", F64, [x, y], build)
