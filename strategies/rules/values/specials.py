"""Special methods of the user's classes: `__add__`, `__eq__`, `__len__` and their like, as calls.

Truth is here as a whole, of all values. What attrs, dataclasses, NamedTuples and
enumerations generate themselves is no special method here: it is done field by field.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from strategies.rules.code.coercion import boolean, fail, number, opposite, spread
from strategies.rules.code.emission import Code
from strategies.rules.code.storage import length
from strategies.rules.code.val import ZERO, Val, c64
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.kind import (
    BOOL,
    F64,
    FLOAT,
    INT,
    NEVER,
    NONE,
    NUMBERS,
    STR,
    WORD,
    Array,
    Boxed,
    Closure,
    Either,
    Generator,
    Kind,
    Member,
    Method,
    Record,
    Scalar,
    Static,
    Tup,
    is_text,
)
from strategies.rules.kinds.parts import class_of, is_flags, is_letters, is_number
from strategies.rules.kinds.record_classes import defined, own
from strategies.rules.language.messages import Refusal
from strategies.rules.language.sources import BINARY, COMPARISONS, METHODS
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
            return boolean(c.program.reads.answer(bool, k.value))
        case Closure() | Method() | Generator():
            return boolean(True)
        case Record():
            return _of_object(c, a) or boolean(bool(k.names) if issubclass(k.of, tuple) else True)
        case Member() if not is_flags(k):
            return Val(BOOL, c.program.constants.of_members(c, a, lambda m: bool(m)).v)
    n = a.v if k in (INT, WORD) or is_flags(k) else length(c, a)
    if n is not None:
        return Val(BOOL, c.b.icmp_signed("!=", n, ZERO))
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


Attempt = Callable[[], Val]


def first_of(w: Walk, attempts: list[Attempt], otherwise: Attempt) -> Val:
    """Return the first result that is not NotImplemented."""
    if not attempts:
        return otherwise()
    found = attempts[0]()

    def settle(x: Val) -> Val:
        if isinstance(x.kind, Static) and x.kind.value is NotImplemented:
            return first_of(w, attempts[1:], otherwise)
        return x

    return spread(w, found, settle) if found.kind is not NEVER else found


def _derived(b: Kind, a: Kind) -> bool:
    """Whether the class of one kind is a base of another's, and not the same."""
    if not isinstance(b, Record | Member) or not (
        isinstance(a, Record | Member) or a in NUMBERS or is_text(a)
    ):
        return False
    return b.of is not class_of(a) and issubclass(b.of, class_of(a))


def _same_class(a: Kind, b: Kind) -> bool:
    return isinstance(a, Record | Member) and isinstance(b, Record | Member) and a.of is b.of


def binary(
    w: Walk, op: type[ast.operator], a: Val, b: Val, otherwise: Attempt, changing: bool = False
) -> Val | None:  # fmt: skip
    """Return `a op b` by special methods, or None if there are none."""
    name = BINARY[op]
    first, second = own(a.kind, f"__{name}__"), own(b.kind, f"__r{name}__")
    attempts: list[Attempt] = []
    if changing:
        place = own(a.kind, f"__i{name}__")
        if place is not None:
            attempts.append(lambda: w.call(place, a, b))
    if first is not None:
        attempts.append(lambda: w.call(first, a, b))
    if second is not None and not _same_class(a.kind, b.kind):

        def reflected() -> Val:
            return w.call(second, b, a)

        before = defined(a.kind.of, f"__r{name}__") if isinstance(a.kind, Record | Member) else None
        overrides = before is None or before[0] is not second
        numbers = is_number(a.kind) and is_number(b.kind)
        if WORD in (a.kind, b.kind) and numbers:
            raise Refusal(f"{second.__qualname__} with a U64 is not compiled")
        if _derived(b.kind, a.kind) and overrides:
            attempts.insert(1 if changing and len(attempts) > (first is not None) else 0, reflected)
        elif first is not None or not (numbers or (op is ast.Mod and is_letters(a.kind))):
            attempts.append(reflected)
    return first_of(w, attempts, otherwise) if attempts else None


def unary(w: Code, name: str, a: Val) -> Val | None:
    """Return the result of a special method without arguments, or None if there is none."""
    found = own(a.kind, f"__{name}__")
    return w.call(found, a) if found is not None else None


def compare(w: Walk, op: ast.cmpop, a: Val, b: Val, inherited: Attempt) -> Val | None:
    """Return `a op b` of a comparison by special methods, or None if there are none.

    Members that are numbers or texts are compared as these, `inherited`, where a class does not
    say how, before those of another class are asked.
    """
    if type(op) not in COMPARISONS:
        return None
    name, mirrored = METHODS[COMPARISONS[type(op)]]
    pairs = [(a, name, b), (b, mirrored, a)]
    if _derived(b.kind, a.kind):
        pairs.reverse()
    alike = all(map(is_number, (a.kind, b.kind))) or all(map(is_letters, (a.kind, b.kind)))
    attempts: list[Attempt] = []
    for one in pairs:
        found = _comparing(w, *one)
        attempts += found
        if alike and not found:
            break
    else:
        alike = False
    if not attempts:
        return None
    if w.source.is_builtin and name in ("__eq__", "__ne__"):
        raise Refusal(
            f"an own == of {a.kind} or {b.kind} is not compiled in a function of Python's"
        )

    def otherwise() -> Val:
        if alike:
            return inherited()
        if not isinstance(op, ast.Eq | ast.NotEq):
            return fail(w, TypeError, f"{name} is not defined between {a.kind} and {b.kind}")
        if _same_class(a.kind, b.kind):
            raise Refusal("records have no identity; let == give True or False")
        return boolean(isinstance(op, ast.NotEq))

    return first_of(w, attempts, otherwise)


def _comparing(w: Walk, a: Val, name: str, b: Val) -> list[Attempt]:
    found = own(a.kind, name)
    if found is not None:
        return [lambda: w.call(found, a, b)]
    if name == "__ne__":
        equals = own(a.kind, "__eq__")
        if equals is not None:
            return [lambda: _opposite(w, w.call(equals, a, b))]
    if (
        _same_class(a.kind, b.kind)
        and isinstance(a.kind, Record)
        and defined(a.kind.of, name) is not None
    ):
        other = own(b.kind, dict(METHODS.values())[name])
        if other is not None:
            raise Refusal(f"{a.kind} has own and generated comparisons; write all of them, or none")
    return []


def _opposite(w: Walk, a: Val) -> Val:
    def one(x: Val) -> Val:
        if isinstance(x.kind, Static) and x.kind.value is NotImplemented:
            return x
        return opposite(w, truth(w, x))

    return spread(w, a, one) if a.kind is not NEVER else a


def contains(w: Walk, x: Val, a: Val) -> Val | None:
    """Return `x in a` by special methods, or None if there are none."""
    found = own(a.kind, "__contains__")
    if found is not None:
        return truth(w, w.call(found, a, x))
    if isinstance(a.kind, Record) and not issubclass(a.kind.of, tuple):
        iterable = any(own(a.kind, n) for n in ("__iter__", "__getitem__"))
        if iterable:
            raise Refusal(f"`in` of {a.kind} is not compiled; give it __contains__")
    return None


def iterated(w: Walk, a: Val) -> Val | None:
    """Return `iter(a)` by a special method, or None if there is none."""
    found = own(a.kind, "__iter__")
    if found is None:
        if own(a.kind, "__getitem__") is not None:
            raise Refusal(
                f"{a.kind} is iterated over by __getitem__, which is not compiled; write __iter__"
            )
        return None
    made = w.call(found, a)
    if made.kind is not NEVER and not isinstance(made.kind, Generator):
        if isinstance(made.kind, Either):
            raise Refusal(f"{found.__qualname__} gives one of several kinds, which is not compiled")
        return fail(w, TypeError, "__iter__() gives no iterator")
    return made
