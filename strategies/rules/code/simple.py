"""Simple values: truths and numbers; and failing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from strategies.rules.code.emission import Code
from strategies.rules.code.val import NOTHING, UNKNOWN, Val, c1, c32
from strategies.rules.kinds.kind import (
    BOOL,
    FLOAT,
    INT,
    NEVER,
    NUMBERS,
    STR,
    WORD,
    Array,
    Kind,
    Member,
    Scalar,
)
from strategies.rules.kinds.parts import is_flags, is_number
from strategies.rules.language.messages import Refusal


def boolean(known: bool) -> Val:
    return Val(BOOL, c1(known), known)


def fail(c: Code, error: type[BaseException], message: str) -> Val:
    """Fail here in any case."""
    status = c32(c.program.error(error, message, c.where())) if c.emitting else NOTHING
    c.fail(status, error)
    c.dead()
    return c.never


def computed(c: Code, use: Callable[[], Any]) -> Val:
    """Return what Python gives for values that are known before, or fail as it does."""
    try:
        found = use()
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        return fail(c, type(error), str(error))
    made: Val = c.program.constants.value(found)
    return made


def number(c: Code, a: Val) -> Val | None:
    """Return a value as a number, if it is one; a member of an `IntEnum` is."""
    if a.kind in NUMBERS:
        return a
    if isinstance(a.kind, Scalar | Array):
        refuse(a.kind)
    if is_flags(a.kind) and is_number(a.kind):
        return bits(a)
    if isinstance(a.kind, Member) and issubclass(a.kind.of, int):
        return Val(INT, c.program.constants.of_members(c, a, int).v)
    return None


def bits(a: Val) -> Val:
    """Return the value of flags."""
    return Val(INT, a.v, a.py._value_ if a.known else UNKNOWN)


def as_text(c: Code, a: Val) -> Val:
    """Return a member that is a text, as of a `StrEnum`, as that text; others as they are."""
    if not isinstance(a.kind, Member) or not issubclass(a.kind.of, str):
        return a
    found = c.program.constants.of_members(c, a, str.__str__)
    return Val(STR, found.v, found.py)


def opposite(c: Code, a: Val) -> Val:
    """Return `not a` of a bool."""
    if a.kind is NEVER:
        return a
    return boolean(not a.py) if a.known else Val(BOOL, c.b.not_(a.v))


ARRAY_ADVICE = "{} is not compiled; write a loop over the elements, and int(…) or float(…) of each"


def plain(c: Code, a: Val) -> Val:
    """Return a number of numpy's as the number of Python's that it equals; others as they are."""
    return Val(a.kind.plain, a.v) if isinstance(a.kind, Scalar) else a


def refuse(k: Kind) -> None:
    """Refuse what only numpy can do with its arrays and numbers."""
    if isinstance(k, Array):
        raise Refusal(ARRAY_ADVICE.format(f"an {k} as a whole"))
    if isinstance(k, Scalar):
        names: dict[Kind, str] = {BOOL: "bool", FLOAT: "float", WORD: "U64"}
        call = names.get(k.plain, "int")
        raise Refusal(f"this operation of a {k} is not compiled; write {call}(…)")
