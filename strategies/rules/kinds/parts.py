"""What is asked of kinds: their parts and alternatives, and whether two are equal."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import Any, Final

from strategies.rules.kinds.arrays import Array, Scalar
from strategies.rules.kinds.atoms import NEVER, NUMBERS, Atom, Kind, is_text
from strategies.rules.kinds.functions import Generator, Method
from strategies.rules.kinds.kind import (
    Boxed,
    Cell,
    Either,
    Keywords,
    Lazy,
    Member,
    Row,
    Shared,
    Static,
    Tup,
)
from strategies.rules.language.messages import Refusal

DEEPEST: Final = 8  # tuples and containers in each other
Above = tuple[tuple[Cell, ...], ...]  # the cells of the containers around a kind


def key(k: Kind, above: Above = ()) -> Any:
    """Return a kind as a value that can be compared and hashed; it may contain itself."""
    if len(above) > DEEPEST:
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
        case Lazy():
            return "lazy", k.how, *(key(i, above) for i in k.parts)
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
        case Lazy():
            yield from k.parts


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
