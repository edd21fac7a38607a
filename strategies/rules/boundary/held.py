"""Tables and weights in fields of a compiled object: code reads them from memory.

So objects that differ only in these numbers share their code. The shapes of arrays are constants,
and those of tables if the program says so.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from enum import Enum
from itertools import takewhile
from operator import attrgetter
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

import attrs
import numpy as np

from games.marks import WEIGHT, WRITTEN
from games.u64 import U64
from strategies.rules.boundary.conversion import Boundary
from strategies.rules.code.program import Place, Program
from strategies.rules.code.val import Val, c64, undefined
from strategies.rules.code.walk import Walk
from strategies.rules.containers import arrays
from strategies.rules.kinds.forms import form, size
from strategies.rules.kinds.joining import join_all
from strategies.rules.kinds.kind import (
    BOOL,
    EMPTY,
    FLOAT,
    I8,
    INT,
    NEVER,
    PTR,
    WORD,
    Array,
    Kind,
    Row,
    Static,
)
from strategies.rules.kinds.parts import key
from strategies.rules.language.messages import Refusal
from strategies.rules.language.reads import MISSING, Reads, alike
from strategies.rules.machine.memory import CONTEXT, HELD

NUMBERS: dict[type, Kind] = {int: INT, float: FLOAT, bool: BOOL, U64: WORD}


def _is_word(number: int) -> bool:
    return -(2**63) <= number < 2**63


def table_kind(value: Any) -> Kind | None:
    """Return the kind of a table of numbers of one type: a tuple, a tuple of such, or an array."""
    if isinstance(value, np.ndarray):
        try:
            return arrays.array(value)
        except Refusal:
            return None
    if type(value) is not tuple or not value:
        return None
    kinds: list[Kind | None] = []
    for part in value:
        plain = NUMBERS.get(type(part))
        if plain is INT and not _is_word(part):
            return None
        kinds.append(plain or (Row(NEVER) if part == () else table_kind(part)))
    known = [k for k in kinds if k is not None]
    met = join_all(known)
    one = met in NUMBERS.values() or isinstance(met, Row)
    same = {type(k) for k in known} == {type(met)}
    return Row(met) if len(known) == len(kinds) and one and same and met is not NEVER else None


def shape_of(value: Any) -> tuple[int, ...]:
    """Return the length of a table, then those of its parts, as far as they are the same.

    >>> shape_of(((1, 2), (3, 4))), shape_of(((1, 2), ())), shape_of((1, 2)), shape_of(1)
    ((2, 2), (2,), (2,), ())
    """
    if type(value) is not tuple:
        return ()
    alike = takewhile(lambda n: len(set(n)) == 1, zip(*map(shape_of, value), strict=False))
    return (len(value), *(n[0] for n in alike))


def held_kind(value: Any, marks: Mapping[Any, Any]) -> Kind | None:
    """Return the kind of a field that is read from memory; None if it is a constant of the code.

    `marks` is the field's metadata: a weight is held, and an array may be written to.
    """
    if marks.get(WEIGHT) and (type(value) is float or (type(value) is int and _is_word(value))):
        return NUMBERS[type(value)]
    if marks.get(WRITTEN):
        return arrays.array(value, written=True)
    return table_kind(value)


def read(w: Walk, owner: Any, name: str) -> Val | None:
    """Return a field of the object, or of a record of arrays in it, as it lies in memory.

    None if the field is a constant.
    """
    above = w.program.paths.get(id(owner))
    if above is None or not attrs.has(type(owner)) or name not in attrs.fields_dict(type(owner)):
        return None
    value, path, held = getattr(owner, name), above + name, w.program.held
    w.program.reads.attribute(owner, name)
    if _holds_arrays(value):
        w.program.paths[id(value)] = f"{path}."
        return Val(Static(value), undefined(EMPTY))
    if path not in held:
        kind = held_kind(value, attrs.fields_dict(type(owner))[name].metadata)
        if kind is None:
            return None
        at = max((p.offset + size(form(p.kind)) for p in held.values()), default=0)
        held[path] = Place(kind, at, shape_of(value) if w.program.constant_lengths else ())
    kind, at, shape = held[path]
    base = w.load_fixed(w.field(w.context, CONTEXT, HELD), PTR)
    place = w.b.gep(base, [c64(at)], source_etype=I8, inbounds=True)
    if isinstance(kind, Row):
        return w.held(place, kind, shape)
    found = w.load(place, form(kind))
    if isinstance(kind, Array):
        # With a shape that is known, LLVM drops tests of indices and multiplications by strides.
        for i, known in enumerate((*value.shape, *value.strides)):
            found = w.b.insert_value(found, c64(known), 1 + i)
    return Val(kind, found)


def _holds_arrays(value: Any) -> bool:
    cls: Any = type(value)
    return attrs.has(cls) and any(
        isinstance(getattr(value, f.name), np.ndarray) for f in attrs.fields(cls)
    )


def served(
    one: object, other: object, program: Program, *, any_length: bool = False
) -> Reads | None:
    """Check whether code that was made for `one` is right for `other`, with the tables of `other`.

    With `any_length`, whether it would be, if it did not know the lengths of tables.

    Requires: what the program read of `one` holds.
    Returns: what the code reads of `other`, so that a change is noticed; None if it is not right.
    """
    found = Reads(program.reads)
    records = set(program.paths.values())
    for at, above in program.paths.items():
        mine, theirs = (attrgetter(above[:-1])(x) if above else x for x in (one, other))
        if id(mine) != at or type(mine) is not type(theirs):
            return None
        for name in program.reads.names(mine):
            found.attribute(theirs, name)
            if above + name in program.held or f"{above}{name}." in records:
                continue
            was, value = (getattr(x, name, MISSING) for x in (mine, theirs))
            if not ((value is MISSING or _cannot_change(value)) and alike(was, value)):
                return None
    same = all(
        _same_form(place, attrgetter(path)(one), attrgetter(path)(other), any_length)
        for path, place in program.held.items()
    )
    return found if same else None


def _cannot_change(value: Any) -> bool:
    """Whether nothing in a value can be changed in place."""
    if isinstance(value, tuple | frozenset):
        return all(map(_cannot_change, value))
    if attrs.has(type(value)):
        return all(_cannot_change(getattr(value, f.name)) for f in attrs.fields(type(value)))
    return isinstance(value, _UNCHANGING)


def _same_form(place: Place, one: Any, other: Any, any_length: bool) -> bool:
    kind = place.kind
    if isinstance(kind, Array):
        places = one.dtype, one.shape, one.strides, one.flags.aligned
        return type(other) is np.ndarray and places == (
            other.dtype, other.shape, other.strides, other.flags.aligned,
        )  # fmt: skip
    found = table_kind(other) if isinstance(kind, Row) else held_kind(other, {WEIGHT: True})
    known = () if any_length else place.shape
    return found is not None and key(found) == key(kind) and known in ((), shape_of(other))


_UNCHANGING = (
    *(int, float, str, type(None), Enum, type),
    *(FunctionType, MethodType, BuiltinFunctionType),
)  # fmt: skip


class Tables:
    """The tables of an object in memory, which lasts as long as this."""

    def __init__(self, one: object, held: Mapping[str, Place]) -> None:
        self.kept: list[Any] = []
        self.address = self.take(sum(size(form(p.kind)) for p in held.values()))
        boundary = Boundary(self, {})  # type: ignore[arg-type]  # of an arena it only asks `take`
        for name, (kind, at, _) in held.items():
            value = attrgetter(name)(one)
            if isinstance(kind, Array):
                self.kept.append(value)
            boundary.write(kind, value, self.address + at)

    def take(self, n: int) -> int:
        """Return the address of n bytes."""
        self.kept.append((ctypes.c_uint64 * (n // 8 + 1))())
        return ctypes.addressof(self.kept[-1])
