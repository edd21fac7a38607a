"""Special methods of the user's classes: `__add__`, `__eq__`, `__len__` and their like, as calls.

What attrs, dataclasses, NamedTuples and enumerations generate themselves is no special method here:
it is done field by field.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Callable
from typing import Any

import attr

from strategies.rules import numbers
from strategies.rules.arguments import Arguments
from strategies.rules.classes import class_of
from strategies.rules.code import ZERO, Code, Val
from strategies.rules.kinds import (
    BOOL,
    FLOAT,
    NEVER,
    NUMBERS,
    WORD,
    Either,
    Generator,
    Kind,
    Lazy,
    Member,
    Record,
    Static,
)
from strategies.rules.messages import Refusal
from strategies.rules.symbols import BINARY, COMPARISONS, METHODS
from strategies.rules.values import boolean, fail, number, spread, truth
from strategies.rules.walk import Walk

LIBRARY = {"builtins", "enum", "typing", "abc", "_collections_abc", "collections.abc"}
GENERATED = f"{attr.__path__[0]}/_make.py"
NUMERIC = [
    "index",
    "int",
    "float",
    "complex",
    "trunc",
    "floor",
    "ceil",
    "round",
    "divmod",
    "rdivmod",
]
REFLECTIVE = [
    "getattr",
    "getattribute",
    "get",
    "set",
    "del",
    "next",
    "reversed",
    "length_hint",
    "setitem",
    "delitem",
    "missing",
]
TUPLE = ["iter", "getitem", "len", "contains", "eq", "ne", "lt", "le", "gt", "ge", "hash", "init"]

# What classes define


def defined(cls: type, name: str) -> tuple[Any, type] | None:
    """Return what a class or one of its bases defines, and which; None if only `object` does."""
    for owner in cls.__mro__[:-1]:
        if name in vars(owner):
            return vars(owner)[name], owner
    return None


def lookup(cls: type, name: str, after: type | None = None) -> Any:
    """Return what a name is in a class, or in those that come after one of its bases."""
    classes = cls.__mro__
    if after is not None:
        classes = classes[classes.index(after) + 1 :]
    return next((vars(c)[name] for c in classes if name in vars(c)), None)


def is_generated(found: Any, owner: type) -> bool:
    """Whether a special method was generated from the fields of a class, or is Python's own."""
    if owner.__module__ in LIBRARY or owner is tuple:
        return True
    if found is None or not isinstance(found, types.FunctionType):
        return False
    file = found.__code__.co_filename
    if "__attrs_attrs__" in vars(owner) and (
        file.startswith("<attrs generated") or file == GENERATED
    ):
        return True
    return file == "<string>" and "__dataclass_params__" in vars(owner)


def own(k: Kind, name: str) -> types.FunctionType | None:
    """Return a special method that a user wrote."""
    if not isinstance(k, Record | Member):
        return None
    found = defined(k.of, name)
    if found is None or is_generated(*found) or found[0] is None:
        return None
    if not isinstance(found[0], types.FunctionType):
        if issubclass(k.of, tuple) and not hasattr(found[0], "__get__"):
            return None
        raise Refusal(f"{k.of.__name__}.{name} is not a plain function, which is not compiled")
    return found[0]


def refuse_own(cls: type, names: list[str]) -> None:
    for name in names:
        found = defined(cls, f"__{name}__")
        if (
            found is not None
            and isinstance(found[0], types.FunctionType)
            and not is_generated(*found)
        ):
            raise Refusal(f"{cls.__name__}.__{name}__ is not compiled; give it another name")


def unlike_records(cls: type) -> None:
    """Refuse a class with special methods that are not compiled."""
    refuse_own(cls, [*NUMERIC, *REFLECTIVE, *(TUPLE if issubclass(cls, tuple) else ["init"])])


def unlike_members(cls: type) -> None:
    """Refuse an enumeration with special methods that are not compiled."""
    refuse_own(cls, [*NUMERIC, *REFLECTIVE, "eq", "ne", "hash"])


# Calls of them


def call(w: Code, function: types.FunctionType, *values: Val) -> Val:
    """Call a special method."""
    from strategies.rules.calls import call_function

    if not isinstance(w, Walk):
        raise Refusal(f"{function.__qualname__} is not compiled inside of a container")
    return call_function(w, function, Arguments(list(values), {}))


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
    x = a.of if isinstance(a, Record | Member) else class_of(a) if a in NUMBERS else object
    y = b.of  # type: ignore[attr-defined]
    return x is not object and x is not y and issubclass(y, x)


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
            attempts.append(lambda: call(w, place, a, b))
    if first is not None:
        attempts.append(lambda: call(w, first, a, b))
    if second is not None and not _same_class(a.kind, b.kind):
        reflected: Attempt = lambda: call(w, second, b, a)  # noqa: E731
        before = defined(a.kind.of, f"__r{name}__") if isinstance(a.kind, Record | Member) else None
        overrides = before is None or before[0] is not second
        numbers = _is_number(a.kind) and _is_number(b.kind)
        if WORD in (a.kind, b.kind) and numbers:
            raise Refusal(f"{second.__qualname__} with a U64 is not compiled")
        if _derived(b.kind, a.kind) and overrides:
            attempts.insert(1 if changing and len(attempts) > (first is not None) else 0, reflected)
        elif first is not None or not numbers:
            attempts.append(reflected)
    return first_of(w, attempts, otherwise) if attempts else None


def _is_number(k: Kind) -> bool:
    return k in NUMBERS or (isinstance(k, Member) and issubclass(k.of, int))


def unary(w: Code, name: str, a: Val) -> Val | None:
    """Return the result of a special method without arguments, or None if there is none."""
    found = own(a.kind, f"__{name}__")
    return call(w, found, a) if found is not None else None


def compare(w: Walk, op: ast.cmpop, a: Val, b: Val) -> Val | None:
    """Return `a op b` of a comparison by special methods, or None if there are none."""
    if type(op) not in COMPARISONS:
        return None
    name, mirrored = METHODS[COMPARISONS[type(op)]]
    pairs = [(a, name, b), (b, mirrored, a)]
    if isinstance(b.kind, Record | Member) and _derived(b.kind, a.kind):
        pairs.reverse()
    attempts = [x for one in pairs for x in _comparing(w, *one)]
    if not attempts:
        return None
    if w.source.globals.get("__name__", "").startswith("strategies.rules.") and name in (
        "__eq__",
        "__ne__",
    ):
        raise Refusal(
            f"an own == of {a.kind} or {b.kind} is not compiled in a function of Python's"
        )

    def otherwise() -> Val:
        if not isinstance(op, ast.Eq | ast.NotEq):
            return fail(w, TypeError, f"{name} is not defined between {a.kind} and {b.kind}")
        if _same_class(a.kind, b.kind):
            raise Refusal("records have no identity; let == give True or False")
        return boolean(isinstance(op, ast.NotEq))

    return first_of(w, attempts, otherwise)


def _comparing(w: Walk, a: Val, name: str, b: Val) -> list[Attempt]:
    found = own(a.kind, name)
    if found is not None:
        return [lambda: call(w, found, a, b)]
    if name == "__ne__":
        equals = own(a.kind, "__eq__")
        if equals is not None:
            return [lambda: _opposite(w, call(w, equals, a, b))]
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
    from strategies.rules.operators import opposite

    def one(x: Val) -> Val:
        if isinstance(x.kind, Static) and x.kind.value is NotImplemented:
            return x
        return opposite(w, truth(w, x))

    return spread(w, a, one) if a.kind is not NEVER else a


def true(c: Code, a: Val) -> Val | None:
    """Return `bool(a)` by special methods, or None if there are none."""
    found = own(a.kind, "__bool__")
    if found is None:
        n = length(c, a)
        return truth(c, n) if n is not None else None

    def one(x: Val) -> Val:
        if x.kind is BOOL or x.kind is NEVER:
            return x
        return fail(c, TypeError, "__bool__ should return bool")

    return spread(c, call(c, found, a), one)


def length(c: Code, a: Val) -> Val | None:
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

    return spread(c, call(c, found, a), one)


def contains(w: Walk, x: Val, a: Val) -> Val | None:
    """Return `x in a` by special methods, or None if there are none."""
    found = own(a.kind, "__contains__")
    if found is not None:
        return truth(w, call(w, found, a, x))
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
    made = call(w, found, a)
    if made.kind is not NEVER and not isinstance(made.kind, Generator | Lazy):
        if isinstance(made.kind, Either):
            raise Refusal(f"{found.__qualname__} gives one of several kinds, which is not compiled")
        return fail(w, TypeError, "__iter__() gives no iterator")
    return made
