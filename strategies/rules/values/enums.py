"""Enumerations: members, their values and attributes, and the look-up of members."""

from __future__ import annotations

import ast
import enum
import inspect
import types
from typing import Any, cast

from strategies.rules.code.coercion import as_text, bits, fail, is_one_of, number, spread
from strategies.rules.code.val import Val, c1, c64
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.kind import BOOL, FLOAT, INT, NEVER, WORD, Either, Member, is_text
from strategies.rules.kinds.parts import alternatives, is_flags, is_number, same
from strategies.rules.kinds.record_classes import check_enumeration, defined, lookup, words_of
from strategies.rules.language.messages import Refusal, advised
from strategies.rules.values import arithmetic
from strategies.rules.values.equality import equal
from strategies.rules.values.numbers import to_int
from strategies.rules.values.records import bound


def attribute(w: Walk, a: Val, name: str) -> Val:
    """Return `a.name` of a member."""
    cls = cast(type[enum.Enum], cast(Member, a.kind).of)
    w.program.reads.space(cls)
    found = lookup(cls, name)
    if name in ("value", "name", "_value_", "_name_"):
        if name in ("value", "name") and cast(Any, defined(cls, name))[1].__module__ != "enum":
            raise Refusal(f"{cls.__name__}.{name} is written anew, which is not compiled")
        if issubclass(cls, enum.Flag) and "value" in name:
            return bits(a)
        return w.program.constants.of_members(w, a, lambda m: getattr(m, name))
    members = list(cls)
    if all(name in vars(m) for m in members) and not isinstance(found, property):
        for one in members:
            w.program.reads.attribute(one, name)
        return w.program.constants.of_members(w, a, lambda m: getattr(m, name))
    if name in cls.__members__ or any(name in vars(m) for m in members):
        raise Refusal(
            f"{cls.__name__}.{name} of a member is not compiled; write {cls.__name__}.{name}"
        )
    return bound(w, a, cls, name, found)


def of_class(w: Walk, cls: Any, name: str) -> Val | None:
    """Return `cls.name`, if it is a member or what the class defines."""
    if name in cls.__members__:
        return w.constant(cls[name])
    w.program.reads.space(cls)
    found = inspect.getattr_static(cls, name, None)
    if isinstance(found, types.DynamicClassAttribute | property):
        loop = f"loop over {cls.__name__}" if name == "__members__" else ""
        raise advised(f"{cls.__name__}.{name}", loop)
    return None


def member(w: Walk, cls: Any, x: Val) -> Val:
    """Return `cls(x)`: the member with a value."""
    check_enumeration(cls)
    if not cls.__members__:
        raise Refusal(f"{cls.__name__} has no members")
    is_flag = issubclass(cls, enum.Flag)
    if lookup(cls, "_missing_") is not vars(enum.Flag if is_flag else enum.Enum)["_missing_"]:
        raise advised(f"{cls.__name__}._missing_", "write a dict of the values, or `if`")
    if x.kind is NEVER or (isinstance(x.kind, Member) and x.kind.of is cls):
        return x
    if isinstance(x.kind, Either):
        return spread(w, x, lambda y: member(w, cls, y))
    if is_flag:
        return _of_bits(w, cls, x)
    error = f"the value is not one of {cls.__name__}"
    return _chosen(w, cls, [(m.value, m) for m in cls], x, ValueError, error)


def _chosen(
    w: Walk, cls: Any, keys: list[tuple[Any, Any]], x: Val, error: type[Exception], message: str
) -> Val:
    """Return the member whose key equals a value; the first wins."""
    tests = [equal(w, x, w.constant(k)) for k, _ in keys]
    if any(t.kind is NEVER for t in tests):
        return w.never
    if all(t.known for t in tests):
        at = next((i for i, t in enumerate(tests) if t.py), None)
        return fail(w, error, message) if at is None else w.constant(keys[at][1])
    words = words_of(cls)
    found: Any = c64(0)
    some: Any = c1(False)
    for i, t in reversed(list(enumerate(tests))):
        found = w.b.select(t.v, c64(words(keys[i][1])), found)
        some = w.b.or_(some, t.v)
    w.check(w.b.not_(some), error, message)
    return Val(Member(cls), found)


def item(w: Walk, cls: Any, x: Val) -> Val:
    """Return `cls[x]`: the member with a name."""
    check_enumeration(cls)
    if x.kind is NEVER:
        return x
    if isinstance(x.kind, Either):
        return spread(w, x, lambda y: item(w, cls, y))
    x = as_text(w, x)
    if not is_text(x.kind):
        if isinstance(x.kind, Member):
            raise Refusal("a member is looked up by its name")
        return fail(w, KeyError, f"{cls.__name__} has no member of this name")
    if x.known:
        if x.py in cls.__members__:
            return w.constant(cls[x.py])
        return fail(w, KeyError, f"{cls.__name__} has no member {x.py}")
    return _chosen(w, cls, list(cls.__members__.items()), x, KeyError, "no member of this name")


def contains(w: Walk, cls: Any, x: Val) -> Val:
    """Return `x in cls`."""
    kinds = alternatives(x.kind)
    if not all(isinstance(k, Member) for k in kinds):
        raise Refusal(f"`in` {cls.__name__} is compiled for members only; write a tuple of values")
    more = [k for k in kinds if isinstance(k, Member) and issubclass(k.of, enum.Flag | int | str)]
    if any(k.of is not cls or issubclass(cls, enum.Flag) for k in more):
        raise Refusal(f"`in` {cls.__name__} differs between Pythons; write x.value in (…), a tuple")
    return is_one_of(w, x, lambda k: isinstance(k, Member) and k.of is cls)


# Flags


def _of_bits(w: Walk, cls: Any, x: Val) -> Val:
    """Return the flags that have a value."""
    if not is_number(x.kind) or x.kind in (FLOAT, WORD):
        raise Refusal(f"{cls.__name__}({x.kind}) is not compiled; write {cls.__name__}(int(…))")
    mask, n = cls._flag_mask_, to_int(w, cast(Val, number(w, x)))
    inside = _in_bounds if cls._boundary_ is enum.STRICT else _kept
    made = w.call(inside, n, *map(w.constant, (mask, (1 << mask.bit_length()) - 1)))
    return made if made.kind is NEVER else Val(Member(cls), made.v)


def _in_bounds(n: int, mask: int, bits: int) -> int:
    if not ~bits <= n <= bits or n & (bits ^ mask):
        raise ValueError("the value is not one of flags")
    return n & mask


def _kept(n: int, mask: int, bits: int) -> int:
    if n >= 0:
        return n
    return n + bits + 1 if n >= ~bits else n + (1 << n.bit_length())


def combined(w: Walk, op: type[ast.operator], a: Val, b: Val) -> Val | None:
    """Return `a | b`, `a & b` or `a ^ b` of flags; None if Python has no such operator."""
    if op not in (ast.BitOr, ast.BitAnd, ast.BitXor) or not (is_flags(a.kind) or is_flags(b.kind)):
        return None
    if is_flags(a.kind) and same(a.kind, b.kind):
        return Val(a.kind, arithmetic.arithmetic(w, op, bits(a), bits(b)).v)
    x, y = number(w, a), number(w, b)
    if x is None or y is None or FLOAT in (x.kind, y.kind):
        return None
    if WORD in (x.kind, y.kind) or (is_flags(a.kind) and is_flags(b.kind)):
        raise Refusal(f"{a.kind} and {b.kind} are not combined; write x.value, or int(…), of them")
    if not is_flags(a.kind) and a.kind is not INT:
        return None  # the operator of bools and members comes first, which gives an int
    cls = cast(Member, (a if is_flags(a.kind) else b).kind).of
    return member(w, cls, arithmetic.arithmetic(w, op, x, y))


def inverted(w: Walk, a: Val) -> Val:
    """Return `~a` of flags."""
    cls = cast(Member, a.kind).of
    inverse = arithmetic.inverted(w, bits(a))
    if cls._boundary_ is enum.KEEP:
        return member(w, cls, inverse)
    return Val(a.kind, w.b.and_(inverse.v, c64(cls._flag_mask_)))


def has_flags(w: Walk, x: Val, a: Val) -> Val:
    """Return `x in a` of flags."""
    if not same(x.kind, a.kind):
        return fail(w, TypeError, f"{a.kind} contains no {x.kind}")
    return Val(BOOL, w.b.icmp_signed("==", w.b.and_(x.v, a.v), x.v))


def single(w: Walk, a: Val) -> Val:
    """Return the members of one bit that flags are made of; other values as they are."""
    if not is_flags(a.kind):
        return a
    singles = w.constant(tuple(cast(Member, a.kind).of))
    return w.call(_contained, singles, a)


def _contained(singles: Any, flags: Any) -> Any:
    return [m for m in singles if m in flags]
