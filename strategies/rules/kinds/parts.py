"""What is asked of kinds: their parts, what these contain, and the classes of their values.

Also whether two kinds are equal, and whether values of one point into the arena or can change.
"""

from __future__ import annotations

import enum
import types
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator
from typing import Any, Final, cast

import numpy as np

from games.u64 import U64
from strategies.rules.kinds.kind import (
    BOOL,
    NEVER,
    NUMBERS,
    TEXT,
    Array,
    Atom,
    Boxed,
    Cell,
    Closure,
    Either,
    Generator,
    Keywords,
    Kind,
    Member,
    Method,
    Record,
    Row,
    Scalar,
    Shared,
    Static,
    Tup,
    is_text,
    reachable,
)
from strategies.rules.language.messages import Refusal

NESTED_KINDS: Final = 8  # tuples and containers in each other
Above = tuple[tuple[Cell, ...], ...]  # the cells of the containers around a kind


def key(k: Kind, above: Above = ()) -> Any:
    """Return a kind as a value that can be compared and hashed; it may contain itself."""
    if len(above) > NESTED_KINDS:
        raise Refusal("a tuple that holds tuples of its own kind is not compiled; use a list")
    match k:
        case Atom():
            return k.name
        case Static():
            return "static", k.value if type(k.value) is int else id(k.value)
        case Member():
            return "member", id(k.of)
        case Tup():
            return "tuple", *(key(i, (*above, ())) for i in k.items)
        case Row():
            return "row", key(k.item, (*above, ()))
        case Boxed():
            # What may not change is apart from what may, so that a function can take both.
            name = k.name + " of rules" * k.frozen + " or of rules" * k.mixed
            roots = k.roots()
            if roots in above:
                return name, "again", above[::-1].index(roots)
            return name, *(key(c.kind, (*above, roots)) for c in roots)
        case Either():
            return "either", *(key(i, above) for i in k.items)
        case Shared():
            return type(k).__name__, k.number
        case Method():
            return "method", id(k.function), key(k.self_kind, above)
        case Generator():
            return "generator", k.instance.number
        case Keywords():
            return "keywords", k.names, *(key(i, above) for i in k.items)
        case Scalar():
            return "scalar", k.type.__name__
        case Array():
            return "array", k.item.type.__name__, k.ndim, k.written
    raise TypeError(k)


def same(a: Kind, b: Kind) -> bool:
    """Whether two kinds are equal."""
    return a is b or bool(key(a) == key(b))


def alternatives(k: Kind) -> tuple[Kind, ...]:
    """Return the kinds that a value can have."""
    return k.items if isinstance(k, Either) else () if k is NEVER else (k,)


def parts(k: Kind) -> Iterator[Kind]:
    """Yield the kinds that a value of a kind contains."""
    match k:
        case Tup() | Either() | Keywords():
            yield from k.items
        case Row():
            yield k.item
        case Boxed():
            yield from (c.root().kind for c in k.cells)
        case Shared():
            yield from k.kinds
        case Method():
            yield k.self_kind


def is_number(k: Kind) -> bool:
    """Whether values of a kind are numbers; members of an `IntEnum` are."""
    return k in NUMBERS or (isinstance(k, Member) and issubclass(k.of, int))


def is_letters(k: Kind) -> bool:
    """Whether values of a kind are texts; members of a `StrEnum` are."""
    return is_text(k) or (isinstance(k, Member) and issubclass(k.of, str))


def is_flags(k: Kind) -> bool:
    """Whether values of a kind are members of a `Flag`, and what is made of them by `|`."""
    return isinstance(k, Member) and issubclass(k.of, enum.Flag)


def is_cell(k: Kind | None) -> bool:
    """Whether a kind is that of a variable that inner functions share."""
    return isinstance(k, Boxed) and k.name in ("cell", "bound cell")


def named(k: Kind, names: tuple[str, ...]) -> bool:
    """Whether a kind is that of a container with one of these names."""
    return isinstance(k, Boxed) and k.name in names


def mark(k: Kind) -> Any:
    """Return what is the same of kinds of values that hold each other."""
    return (k.name, k.roots()) if isinstance(k, Boxed) else k


def within(*kinds: Kind) -> Iterator[Kind]:
    """Yield kinds and all their parts, also those that contain themselves."""
    return reachable(kinds, parts, mark)


def somewhere(k: Kind, test: Callable[[Kind], bool]) -> bool:
    """Whether a kind or one of its parts passes a test."""
    return any(map(test, within(k)))


def in_memory(k: Kind) -> bool:
    """Whether values of a kind point into the arena."""
    return somewhere(k, lambda i: i is TEXT or isinstance(i, Row | Boxed | Generator))


def can_change(k: Kind) -> bool:
    """Whether something can be stored in a value of a kind, or in what it points to."""
    return somewhere(k, lambda i: isinstance(i, Generator) or (isinstance(i, Boxed) and i.changes))


# By the names of kinds with an identity; those that Python code can hold in a variable of a module.
CONTAINERS: dict[str, type] = {
    "list": list,
    "set": set,
    "frozenset": frozenset,
    "dict": dict,
    "counter": Counter,
    "defaultdict": defaultdict,
    "deque": deque,
}
# By the names of kinds without parts, and those under which methods are declared.
FAMILIES: dict[str, type] = {
    **CONTAINERS,
    "tuple": tuple,
    "keys": type({}.keys()),
    "values": type({}.values()),
    "items": type({}.items()),
    "int": int,
    "bool": bool,
    "U64": U64,
    "float": float,
    "None": type(None),
    "str": str,
    "text": str,
    "range": range,
    "generator": type(x for x in [0]),
    "array": np.ndarray,
}
MISSING = object()


def family(k: Kind) -> str:
    """Return the name under which the methods of a kind are declared."""
    match k:
        case Atom():
            return "int" if k is BOOL else k.name
        case Tup() | Row():
            return "tuple"
        case Boxed():
            return k.name
        case Member():
            return "int" if issubclass(k.of, int) else "str" if issubclass(k.of, str) else "member"
        case Generator():
            return "generator"
        case Array():
            return "array"
    return ""


def inherits(k: Member, name: str) -> bool:
    """Whether members have an attribute as numbers or texts, which they are."""
    return getattr(k.of, name, None) is getattr(FAMILIES.get(family(k)), name, MISSING)


def class_of(k: Kind) -> type:
    """Return the class of the values of a kind."""
    match k:
        case Record() | Member():
            found = k.of
        case Static():
            found = type(k.value)
        case Scalar():
            found = k.type
        case Closure():
            found = types.FunctionType
        case Generator() if k.instance.source.is_builtin:
            found = None
        case _:
            found = FAMILIES.get(k.name if isinstance(k, Atom) else family(k))
    if found is None:
        raise Refusal(f"the class of a {k} is not compiled")
    return cast(type, found)


def is_hashable(value: Any) -> bool:
    """Whether a Python object can be a key."""
    try:
        hash(value)
    except TypeError:
        return False
    return True
