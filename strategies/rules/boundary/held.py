"""What rules share, in memory before they run: fixed containers, and fields of the object.

A fixed list, set, dict or deque is laid out in the code and may be read only; as an argument of a
function, only its kind is found. Tables and weights in fields of a compiled object are read from
memory, so objects that differ only in these numbers share their code. The lengths of tables and
arrays are constants of the code if the program says so.
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
from attrs import evolve
from llvmlite import ir

from games.fields import WEIGHT, WRITTEN, is_frozen_record
from strategies.rules.boundary import conversion
from strategies.rules.boundary.conversion import Boundary
from strategies.rules.code.constants import MAKERS, Constants
from strategies.rules.code.program import Place, Program
from strategies.rules.code.storage import SMALL, TABLE, entry_type, is_list
from strategies.rules.code.val import FIXED, LIST, NULL, UNKNOWN, ZERO, Val, c64, undefined
from strategies.rules.code.walk import Walk
from strategies.rules.containers import arrays
from strategies.rules.containers.deques import DEQUE
from strategies.rules.kinds.forms import form, size
from strategies.rules.kinds.joining import join, join_all
from strategies.rules.kinds.kind import (
    CELLS,
    EMPTY,
    I8,
    I32,
    INT,
    NEVER,
    PTR,
    Array,
    Boxed,
    Cell,
    Kind,
    Row,
    Static,
)
from strategies.rules.kinds.parts import CONTAINERS, key
from strategies.rules.language.messages import Refusal
from strategies.rules.language.reads import MISSING, Reads, alike
from strategies.rules.machine.memory import CONTEXT, HELD
from strategies.rules.values.hashing import key_hash, room_for, slots_for

NAMES = {cls: name for name, cls in CONTAINERS.items()}


def table(constants: Constants, value: Any, argument: bool) -> Val:
    """Return a container as a value of the code."""
    name = NAMES[type(value)]
    k = constants.lists.get(id(value))
    if k is None:
        cells = CELLS.get(name, 1)
        frozen = not argument and name != "frozenset"
        k = Boxed(name, *(Cell(frozen=frozen) for _ in range(cells)))
        constants.keep(value, k, argument)
        k.cells[0].root().kind = join_all(constants.value(v, argument).kind for v in _steady(value))
        if cells > 1:
            found = join_all(constants.value(v, argument).kind for v in value.values())
            k.cells[1].root().kind = join(found, INT) if name == "counter" else found
        if cells > 2:
            if not (value.default_factory is None or callable(value.default_factory)):
                raise Refusal("the factory of this defaultdict is not compiled")
            k.cells[2].root().kind = constants.value(value.default_factory).kind
            if form(k.factory) != ir.LiteralStructType([]):
                raise Refusal("the factory of this defaultdict is not compiled")
    if argument:
        return Val(k)
    known = value if name in ("dict", "set", "frozenset") else UNKNOWN
    if not constants.program.queue:  # kinds may still change, and addresses in it are not known
        return Val(k, undefined(PTR), known)
    at = name, id(value), key(k)
    if at not in constants.made:
        constants.made[at] = (_sequence if is_list(k) else _laid_out)(constants, value, k)
    return Val(k, constants.made[at], known)


def _steady(value: Any) -> Any:
    """Return the elements of a table in an order that is the same in each process.

    Texts are numbered as they are met, and the order of a set of texts is another one each time.
    """
    return sorted(value, key=repr) if isinstance(value, set | frozenset) else value


def _sequence(constants: Constants, value: Any, k: Boxed) -> Any:
    """Return the address of a list or deque."""
    parts = [constants.row(list(value), k.item).constant[0], c64(len(value)), FIXED]
    if k.name == "list":
        return constants.place("list", ir.Constant(LIST, parts))
    longest = -1 if value.maxlen is None else value.maxlen
    return constants.place("deque", ir.Constant(DEQUE, [*parts, ZERO, c64(longest), ZERO]))


def _laid_out(constants: Constants, value: Any, k: Boxed) -> Any:
    """Return the address of a table."""
    t, rows = entry_type(k), []
    for x in value:
        h = key_hash(x, constants.program.texts.key)
        parts = [c64(h), constants.as_kind(constants.value(x), k.item, x)]
        if len(k.cells) > 1:
            parts.append(constants.as_kind(constants.value(value[x]), k.value, value[x]))
        rows.append((h, str(parts[1]), ir.Constant(t, parts)))
    if isinstance(value, set | frozenset):
        rows.sort(key=lambda row: row[:2])  # not by chance, so that the code is the same each time
    room, n = room_for(len(rows)), c64(len(rows))
    entries, slots = NULL, NULL
    if rows:
        entries = constants.place(
            "entries", ir.Constant(ir.ArrayType(t, len(rows)), [r[2] for r in rows])
        )
    if room > SMALL:
        numbers = [I32(i) for i in slots_for([r[0] for r in rows], room)]
        slots = constants.place("slots", ir.Constant(ir.ArrayType(I32, len(numbers)), numbers))
    header = ir.Constant(TABLE, [entries, slots, n, n, c64(room), FIXED, n, ZERO])
    if len(k.cells) > 2:
        made, factory = constants.value(value.default_factory), k.factory
        parts = [header, constants.as_kind(made, factory, value.default_factory)]
        header = ir.Constant(ir.LiteralStructType([TABLE, form(factory)]), parts)
    return constants.place("table", header)


MAKERS.update(dict.fromkeys(NAMES, table))


NUMBERS: dict[type, Kind] = {cls: k for k, (cls, *_) in conversion.NUMBERS.items()}


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


def shape_of(value: Any, constant_lengths: bool = True) -> tuple[int, ...]:
    """Return what the code knows of the lengths of a table or array.

    Of a tuple, its length, then those of its parts, as far as they are the same; of an array, its
    lengths and strides. Without constant lengths, only the last stride of an array.

    >>> shape_of(((1, 2), (3, 4))), shape_of(((1, 2), ())), shape_of((1, 2)), shape_of(1)
    ((2, 2), (2,), (2,), ())
    >>> shape_of(np.zeros((2, 3))), shape_of(np.zeros((2, 3)), constant_lengths=False)
    ((2, 3, 24, 8), (8,))
    """
    if isinstance(value, np.ndarray):
        return (*value.shape, *value.strides) if constant_lengths else value.strides[-1:]
    if type(value) is not tuple or not constant_lengths:
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
        held[path] = Place(kind, at, shape_of(value, w.program.constant_lengths))
    kind, at, shape = held[path]
    base = w.load_fixed(w.field(w.context, CONTEXT, HELD), PTR)
    place = w.b.gep(base, [c64(at)], source_etype=I8, inbounds=True)
    if isinstance(kind, Row):
        return w.held(place, kind, shape)
    found = w.load(place, form(kind))
    if isinstance(kind, Array):
        # With lengths that are known, LLVM drops tests of indices and multiplications by strides.
        for i, known in enumerate(shape, 1 + 2 * kind.ndim - len(shape)):
            found = w.b.insert_value(found, c64(known), i)
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
            was: Any = getattr(mine, name, MISSING)
            value: Any = getattr(theirs, name, MISSING)
            if _is_method(was, mine) and _is_method(value, theirs):
                was, value = was.__func__, value.__func__
            if not ((value is MISSING or _cannot_change(value)) and alike(was, value)):
                return None
    constant_lengths = program.constant_lengths and not any_length
    same = all(
        _same_form(place, attrgetter(path)(one), attrgetter(path)(other), constant_lengths)
        for path, place in program.held.items()
    )
    return found if same else None


def _is_method(value: Any, owner: object) -> bool:
    """Whether a value is a method that is bound to an object."""
    return isinstance(value, MethodType) and value.__self__ is owner


def _cannot_change(value: Any) -> bool:
    """Whether nothing in a value can be changed in place."""
    if isinstance(value, tuple | frozenset):
        return all(map(_cannot_change, value))
    if attrs.has(type(value)):
        return is_frozen_record(type(value)) and all(
            _cannot_change(getattr(value, f.name)) for f in attrs.fields(type(value))
        )
    return isinstance(value, _UNCHANGING)


def _same_form(place: Place, one: Any, other: Any, constant_lengths: bool) -> bool:
    """Whether code for the table `one`, which lies at a place, is right for another."""
    kind = place.kind
    found = table_kind(other) if isinstance(kind, Row) else held_kind(other, {WEIGHT: True})
    if isinstance(kind, Array) and isinstance(found, Array):
        found = evolve(found, written=kind.written)
    same = found is not None and key(found) == key(kind)
    return same and shape_of(one, constant_lengths) == shape_of(other, constant_lengths)


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
