"""How kinds join: the least kind that has all values of both."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from strategies.rules.kinds.kind import (
    NEVER,
    TEXT,
    Array,
    Atom,
    Boxed,
    Cell,
    Either,
    Generator,
    Keywords,
    Kind,
    Member,
    Method,
    Row,
    Scalar,
    Shared,
    Static,
    Tup,
    is_text,
)
from strategies.rules.kinds.parts import alternatives, is_cell, key, parts, same, somewhere
from strategies.rules.language.messages import Refusal
from strategies.rules.language.sources import READERS, Source

MOST_TUPLES = 4  # tuples of so many lengths are kept apart in one kind
MOST_KINDS = 256  # the tags of values of several kinds are bytes


class Changes:
    """Numbers the changes of kinds that functions share: of cells, records and closures."""

    last = 0
    _numbers = itertools.count(1)

    @classmethod
    def note(cls) -> None:
        cls.last = next(cls._numbers)


def unify(a: Cell, b: Cell) -> None:
    """Let two cells be one."""
    a, b = a.root(), b.root()
    if a is not b:
        Changes.note()
        b.up, old = a, a.kind  # one from now on, because a kind may contain itself
        a.frozen |= b.frozen
        a.made |= b.made
        kind, a = join(old, b.kind), a.root()
        a.kind = kind if a.kind is old else join(a.kind, kind)


def join_all(kinds: Iterable[Kind]) -> Kind:
    """Return the least kind that has all values of all these kinds."""
    met: Kind = NEVER
    for k in kinds:
        met = join(met, k)
    return met


def join(a: Kind, b: Kind) -> Kind:
    """Return the least kind that has all values of both."""
    if a is b or b is NEVER:
        return a
    if a is NEVER:
        return b
    members = list(alternatives(a))
    for new in alternatives(b):
        for i, old in enumerate(members):
            met = _joined(old, new)
            if met is not None:
                members[i] = met
                break
        else:
            members.append(new)
    members = _few_tuples(members)
    if len(members) == 1:
        return members[0]
    if len(members) > MOST_KINDS:
        raise Refusal(
            f"a value that may be one of more than {MOST_KINDS} objects is not compiled: hold "
            "their parts in tuples, or in frozen records"
        )
    return Either(sorted(members, key=_rank))


def only_read(source: Source, kinds: Sequence[Kind]) -> int:
    """Return of how many of its first arguments a function only reads the elements."""
    if not source.is_reader or (source.name in ("min_", "max_") and key(kinds[-1]) != key(Tup(()))):
        return 0  # `max(a, b)` gives one of them back
    return READERS[source.name]


def apart(k: Kind) -> Kind:
    """Return the kind of a container for who only reads it: alike, but with cells of its own."""
    if not isinstance(k, Boxed) or is_cell(k):
        return k
    made = Boxed(k.name, *(Cell(c.root().kind) for c in k.cells))
    for new, old in zip(made.cells, k.roots(), strict=True):
        new.frozen, new.made = old.frozen, old.made
    return made


def hand_over(a: Kind, k: Kind, is_read: bool) -> None:
    """Let a container of an argument's kind be one of a parameter's, unless it is only read."""
    if is_read and isinstance(a, Boxed) and isinstance(k, Boxed) and same(a, k):
        for x, y in zip(a.roots(), k.roots(), strict=True):
            join(x.kind, y.kind)  # its elements may be given back
    else:
        join(a, k)


def are_alike(kinds: Iterable[Kind]) -> bool:
    """Whether kinds join without making containers of unlike elements one."""
    found: dict[Any, Any] = {}

    def fits(k: Kind, place: tuple[int, ...]) -> bool:
        match k:
            case Boxed():
                return bool(found.setdefault((place, k.name), key(k)) == key(k))
            case Either():
                return all(fits(i, place) for i in k.items)
            case Tup() | Row():
                return all(fits(x, (*place, i)) for i, x in enumerate(parts(k)))
        return True

    return all(fits(k, ()) for k in kinds)


def _few_tuples(members: list[Kind]) -> list[Kind]:
    """Keep tuples of few lengths apart; more become one kind of tuples of any length."""
    tuples = [m for m in members if isinstance(m, Tup)]
    rows = [m for m in members if isinstance(m, Row)]
    if len(tuples) + len(rows) < 2:
        return members
    items = [i for t in tuples for i in t.items] + [r.item for r in rows]
    if not (rows or len(tuples) > MOST_TUPLES or _is_one(items)):
        return members
    return [*(m for m in members if not isinstance(m, Tup | Row)), Row(join_all(items))]


def _is_one(kinds: Iterable[Kind]) -> bool:
    """Whether kinds join to one without a tag. It joins nothing, for that lets cells be one."""
    found = [i for k in kinds for i in alternatives(k)]
    if any(isinstance(k, Static) for k in found):
        return False
    return all(_meet(found[0], k) for k in found[1:])


def _meet(a: Kind, b: Kind) -> bool:
    match a, b:
        case ((Tup() | Row()), (Tup() | Row())):
            if isinstance(a, Tup) and isinstance(b, Tup) and len(a.items) == len(b.items):
                return True
            return _is_one([*parts(a), *parts(b)]) or isinstance(a, Row) or isinstance(b, Row)
        case Boxed(), Boxed():
            return a.name == b.name
        case Method(), Method():
            return a.function is b.function
    return a is b or _joined(a, b) is not None


def _rank(k: Kind) -> tuple[Any, ...]:
    """An order of alternatives that does not depend on what is learned later."""
    match k:
        case Atom():
            return 0, k.name, 0
        case Static():
            return 1, repr(k), 0
        case Tup():
            return 2, "", len(k.items)
        case Boxed():
            return 3, k.name, 0
        case Shared():
            return 4, type(k).__name__, k.number
        case Generator():
            return 5, "", k.instance.number
        case Member():
            return 6, f"{k.of.__module__}.{k.of.__qualname__}", 0
        case Scalar() | Array():
            return 7, repr(k), k.ndim if isinstance(k, Array) else 0
    return 8, type(k).__name__, 0


def _joined(a: Kind, b: Kind) -> Kind | None:
    """The join of two kinds as one kind without a tag, or None."""
    if a is b:
        return a
    if is_text(a) and is_text(b):
        return TEXT
    match a, b:
        case Method(), Method():
            if a.function is b.function:
                return Method(a.function, join(a.self_kind, b.self_kind))
        case Boxed(), Boxed() if a.name == b.name or (is_cell(a) and is_cell(b)):
            for x, y in zip(a.cells, b.cells, strict=True):
                unify(x, y)
            return b if a.name == "bound cell" else a
        case Tup(), Tup() if len(a.items) == len(b.items):
            return Tup(join(x, y) for x, y in zip(a.items, b.items, strict=True))
        case Keywords(), Keywords() if a.names == b.names:
            return Keywords(a.names, [join(x, y) for x, y in zip(a.items, b.items, strict=True)])
        case Row(), Row():
            return Row(join(a.item, b.item))
        case ((Static() | Member() | Shared() | Generator() | Scalar() | Array()), _):
            return a if type(a) is type(b) and same(a, b) else None
    return None


def ended(k: Kind) -> Kind:
    """Return a kind, or refuse one of tuples that hold tuples without end."""
    key(k)
    return k


def endless(k: Kind) -> bool:
    """Whether a container can contain itself."""

    def within(i: Kind) -> bool:
        own = i.roots() if isinstance(i, Boxed) else ()
        again = [
            somewhere(c.kind, lambda j: isinstance(j, Boxed) and j.roots() == own) for c in own
        ]
        return any(again)

    return somewhere(k, within)
