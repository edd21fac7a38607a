"""Truth and length, by special methods too."""

from __future__ import annotations

from strategies.rules.code.coercion import boolean, fail, number, spread
from strategies.rules.code.emission import Code
from strategies.rules.code.storage import length
from strategies.rules.code.val import ZERO, Val, c64
from strategies.rules.kinds.kind import (
    BOOL,
    F64,
    FLOAT,
    INT,
    NEVER,
    NONE,
    STR,
    WORD,
    Array,
    Boxed,
    Closure,
    Either,
    Generator,
    Lazy,
    Member,
    Method,
    Record,
    Scalar,
    Static,
    Tup,
)
from strategies.rules.kinds.parts import is_flags
from strategies.rules.kinds.record_classes import own
from strategies.rules.language.messages import Refusal
from strategies.rules.values import numbers


def truth(c: Code, a: Val) -> Val:
    """Return `bool(a)`."""
    k = a.kind
    if k is NEVER or k is BOOL:
        return a
    if a.known and not isinstance(k, Boxed):
        return boolean(bool(a.py))
    match k:
        case Either():
            return spread(c, a, lambda x: truth(c, x))
        case Scalar():
            return truth(c, Val(k.plain, a.v))
        case Array():
            raise Refusal("the truth of an array is not compiled; write len(…) > 0, or a loop")
        case Tup():
            return boolean(bool(k.items))
        case Static():
            return boolean(bool(k.value))
        case Closure() | Method() | Generator() | Lazy():
            return boolean(True)
        case Record():
            return _of_object(c, a) or boolean(bool(k.names) if issubclass(k.of, tuple) else True)
        case Member() if is_flags(k):
            return Val(BOOL, c.b.icmp_signed("!=", a.v, ZERO))
        case Member():
            return Val(BOOL, c.program.constants.of_members(c, a, lambda m: bool(m)).v)
    n = length(c, a)
    if n is not None:
        return Val(BOOL, c.b.icmp_signed("!=", n, ZERO))
    if k is INT or k is WORD:
        return Val(BOOL, c.b.icmp_signed("!=", a.v, ZERO))
    if k is FLOAT:
        return Val(BOOL, c.b.fcmp_unordered("!=", a.v, F64(0.0)))
    if k is NONE:
        return boolean(False)
    if k is STR:
        return Val(BOOL, c.b.icmp_signed("!=", a.v, c64(c.program.texts.number(""))))
    raise Refusal(f"the truth of {k} is not compiled")


def _of_object(c: Code, a: Val) -> Val | None:
    """Return `bool(a)` by special methods, or None if there are none."""
    found = own(a.kind, "__bool__")
    if found is None:
        n = length_of_object(c, a)
        return truth(c, n) if n is not None else None

    def one(x: Val) -> Val:
        if x.kind is BOOL or x.kind is NEVER:
            return x
        return fail(c, TypeError, "__bool__ should return bool")

    return spread(c, c.call(found, a), one)


def length_of_object(c: Code, a: Val) -> Val | None:
    """Return `len(a)` by a special method, or None if there is none."""
    found = own(a.kind, "__len__")
    if found is None:
        return None

    def one(x: Val) -> Val:
        if x.kind is NEVER:
            return x
        n = number(c, x)
        if n is None or n.kind is FLOAT:
            return fail(c, TypeError, "__len__() should return an int")
        if n.kind is WORD:
            raise Refusal("a length that is a U64 is not compiled; write int(…)")
        n = numbers.to_int(c, n)
        c.check(c.b.icmp_signed("<", n.v, ZERO), ValueError, "__len__() should return >= 0")
        return n

    return spread(c, c.call(found, a), one)
