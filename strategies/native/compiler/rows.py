"""Lists and tuples whose length is known before the code runs: values, as tuples are.

The length comes from running the rule's own expression on stand-ins for its arguments: constants of
the game and lengths of tuples are known there, and everything else refuses to be used.
"""

from __future__ import annotations

import enum
import inspect
import operator
from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, NamedTuple

from attrs import frozen
from llvmlite import ir
from numba import types
from numba.core import cgutils, errors
from numba.core.datamodel import models
from numba.extending import intrinsic, lower_cast, register_model

from games.tuples import put
from games.u64 import U64
from strategies.native.compiler.layout import GameType, RecordType, RowType
from strategies.native.compiler.parts import OPTIONS, PART, overload, overload_method
from strategies.native.compiler.stack_arrays import RoomType, words_of
from strategies.native.compiler.table_types import TableType
from strategies.native.compiler.tuple_ops import owned
from strategies.native.compiler.u64_type import word

LONGEST = 1024
"""From here on, a row is better kept on the heap than as a value."""

register_model(RowType)(models.UniTupleModel)
UNKNOWN_LENGTH = (
    "the length of this tuple is not known before the rules run: build it from a tuple, a range of "
    "constants, or a list that was made from a tuple and only had its elements changed"
)


def refusal(text: str) -> errors.TypingError:
    """An error whose text is told as it stands."""
    return errors.TypingError(f"⟦{text}⟧")


@frozen
class Form:
    """A comprehension or slice that a rule is compiled with."""

    name: str
    kind: str
    given: tuple[str, ...]
    field: Any = None
    source: str = ""


# Lengths --------------------------------------------------------------------------------------


class Undetermined(Exception):
    """A value is asked for that is not known before the code runs."""


class Unknown:
    """Stands for a value that is not known before the code runs: it cannot be used."""

    def _refuse(self, *_: Any) -> Any:
        raise Undetermined

    __bool__ = __eq__ = __ne__ = __hash__ = __iter__ = __index__ = __getattr__ = _refuse


class Known:
    """Stands for a game or a state of which only the type is known."""

    def __init__(self, native: Any) -> None:
        self.__dict__["_native"] = native

    def __getattr__(self, name: str) -> Any:
        native = self.__dict__["_native"]
        if isinstance(native, GameType):
            if name in dict(native.constants):
                return dict(native.constants)[name]
            for part in native.parts:
                if part.name == name:
                    return stand_in(part.native)
        elif name in dict(native.fields):
            return stand_in(dict(native.fields)[name])
        found = inspect.getattr_static(native.cls, name, None)
        if isinstance(found, property) and found.fget is not None:
            return found.fget(self)
        if isinstance(found, FunctionType):
            return found.__get__(self)
        if isinstance(found, staticmethod):
            return found.__func__
        if isinstance(found, (int, float, tuple, list, dict, set, frozenset, enum.Enum)):
            return found
        raise Undetermined


def stand_in(native: Any) -> Any:
    """What an expression sees of a value before the code runs."""
    if isinstance(native, (GameType, RecordType)):
        return Known(native)
    if isinstance(native, types.BaseTuple):
        return tuple(stand_in(t) for t in native.types)
    if isinstance(native, types.Literal):
        return native.literal_value
    return Unknown()


def _length(counted: Any, given: Any) -> int | None:
    try:
        found = len(counted(*map(stand_in, given)))
    except Exception:  # whatever a rule raises that is run on stand-ins
        return None
    return found if found <= LONGEST else None


def _meant_length(form: Form, given: Any) -> int | None:
    """The length of the field that a tuple is meant for, as a state at hand has it."""
    cls, field = form.field or (None, "")
    found = {
        len(kind)
        for native in given
        if isinstance(native, RecordType) and (cls is None or native.cls is cls)
        for name, kind in native.fields
        if name == field and isinstance(kind, types.BaseTuple)
    }
    return found.pop() if len(found) == 1 else None


class Linker(NamedTuple):
    """How a function is made one that compiles: copied, then its names given their native forms."""

    copied: Callable[[FunctionType], FunctionType]
    link: Callable[[FunctionType, FunctionType, dict[str, Any]], None]


def row_form(form: Form, scope: dict[str, Any], function: FunctionType, linker: Linker) -> Any:
    """The function that a part of a rule becomes: its code depends on whether a length is known."""
    stub = scope[form.name]
    ready: dict[Any, Any] = {}
    plain = scope[f"{form.name}_counted"]
    counted = FunctionType(plain.__code__, {**scope, "sorted": lambda row, **_: list(row)})

    def made(which: str, length: int = 0, kind: str = "") -> Any:
        if (which, length, kind) not in ready:
            plain = scope[f"{form.name}_{which}"]
            plain.__qualname__ = function.__qualname__
            native = ready[which, length, kind] = linker.copied(plain)
            more = {"_length": length, "_cells": _cells(length), "_loaded": _loaded(kind)}
            linker.link(native, plain, more if which == "filled" else {})
        return ready[which, length, kind]

    @overload(stub, **OPTIONS)
    def choose(*given: Any) -> Any:
        by_name = dict(zip(form.given, given, strict=True))
        kind = form.kind
        if form.source and isinstance(by_name.get(form.source), types.BaseTuple):
            return made("plain")
        if kind == "slice":
            source = _type_of(made("source"), given)
            if not isinstance(source, types.BaseTuple):
                return made("plain" if not isinstance(source, TableType) else "grown")
            kind = "list" if isinstance(source, RowType) else "tuple"
        length = _length(counted, given)
        if length is None:
            length = _meant_length(form, given)
        if length is not None:
            return made("filled", length, kind)
        if form.kind == "tuple":
            raise refusal(UNKNOWN_LENGTH)
        return made("grown")

    stub.has_native_form = True
    return stub


def _type_of(native: Any, given: Any) -> Any:
    from numba import njit

    dispatcher = _typed.setdefault(native, njit(native, **PART, **OPTIONS))
    dispatcher.compile(tuple(given))
    return dispatcher.overloads[tuple(given)].signature.return_type


_typed: dict[Any, Any] = {}


@cache
def _cells(length: int) -> Any:
    """Room in the frame for so many values like a given one."""

    @intrinsic
    def cells(typing: Any, like: Any) -> Any:
        native = RoomType(_whole(like), length)

        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            row = ir.ArrayType(context.get_value_type(native.element), length)
            with builder.goto_entry_block():
                frame = builder.alloca(row)
            return builder.bitcast(frame, cgutils.voidptr_t)

        return native(like), build

    return cells


@intrinsic
def _fill(typing: Any, cells: Any, index: Any, value: Any) -> Any:
    """Sets an element of room in the frame."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        of = context.get_value_type(cells.element)
        slot = builder.gep(builder.bitcast(args[0], of.as_pointer()), [args[1]])
        value = context.cast(builder, args[2], signature.args[2], cells.element)
        builder.store(owned(context, builder, cells.element, value), slot)
        return context.get_dummy_value()

    return types.void(cells, types.int64, value), build


def _whole(native: Any) -> Any:
    native = types.unliteral(native)
    return types.int64 if isinstance(native, types.Integer) else native


@cache
def _loaded(kind: str) -> Any:
    @intrinsic
    def loaded(typing: Any, cells: Any) -> Any:
        native = (RowType if kind == "list" else types.UniTuple)(cells.element, cells.size)

        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            pointer = context.get_value_type(native).as_pointer()
            return builder.load(builder.bitcast(args[0], pointer))

        return native(cells), build

    return loaded


def _checked(count: int, length: int) -> int:
    if count >= length:
        raise ValueError("a row has more elements than its field")
    return count


def _complete(count: int, length: int) -> None:
    if count != length:
        raise ValueError("a row has fewer elements than its field")


# Lists as values ------------------------------------------------------------------------------


@lower_cast(types.UniTuple, RowType)
@lower_cast(RowType, types.UniTuple)
def _same_bits(context: Any, builder: Any, had: Any, wanted: Any, value: Any) -> Any:
    if had.dtype == wanted.dtype:
        return value
    parts = [
        context.cast(builder, builder.extract_value(value, i), had.dtype, wanted.dtype)
        for i in range(len(had))
    ]
    return context.make_tuple(builder, wanted, parts)


def _cast(maker: Any) -> Any:
    @intrinsic
    def cast(typing: Any, row: Any) -> Any:
        native = maker(row.dtype, row.count)

        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return owned(context, builder, native, args[0])

        return native(row), build

    return cast


_as_list, _as_tuple = _cast(RowType), _cast(types.UniTuple)


def _form(name: str) -> Any:
    """A function that means something in compiled code only."""

    def form(*_: Any) -> Any:
        raise NotImplementedError(f"{name} is for compiled code")

    form.has_native_form = True  # type: ignore[attr-defined]
    form.__name__ = form.__qualname__ = name
    return form


_tuple, _tuple_of, _list, _list_of = map(_form, ("tuple", "tuple_of", "list", "list_of"))
_set, _reversed, _like, _ends = map(_form, ("set_at", "reversed", "like", "ends"))
_equally_long = _form("equally_long")
_most, _chunk = map(_form, ("most", "chunk"))
FORMS: dict[str, Any] = {
    "_tuple": _tuple,
    "_tuple_of": _tuple_of,
    "_list": _list,
    "_list_of": _list_of,
    "_set": _set,
    "_reversed": _reversed,
    "_like": _like,
    "_ends": _ends,
    "_put": put,
    "_checked": _checked,
    "_complete": _complete,
    "_fill": _fill,
    "_equally_long": _equally_long,
    "_most": _most,
    "_chunk": _chunk,
}
"""What written out rules call, by the names that they call it."""


def _chunk_size(row: Any) -> int:
    return max(1, min(32, 128 // max(1, words_of(row.dtype))))


@overload(_most)
def _overload_most(row: Any) -> Any:
    size = _chunk_size(row)
    return lambda row: size


@overload(_chunk, **OPTIONS)
def _overload_chunk(row: Any, more: Any) -> Any:
    size = _chunk_size(row)
    room = _room_for(row.dtype, size)
    loaded = _loaded("tuple")

    def chunk(row: Any, more: Any) -> Any:
        cells = room()
        for k in range(len(row)):
            _fill(cells, k, row[k])
        return len(row), more, loaded(cells)

    return chunk


def _room_for(kind: Any, size: int) -> Any:
    @intrinsic
    def room(typing: Any) -> Any:
        native = RoomType(kind, size)

        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            row = ir.ArrayType(context.get_value_type(kind), size)
            frame = cgutils.alloca_once(builder, row, zfill=True)
            return builder.bitcast(frame, cgutils.voidptr_t)

        return native(), build

    return room


@overload(_tuple)
def _overload_tuple(row: Any) -> Any:
    if isinstance(row, RowType):
        return lambda row: _as_tuple(row)
    if isinstance(row, types.BaseTuple):
        return lambda row: row
    raise refusal(UNKNOWN_LENGTH)


@overload(_tuple_of)
def _overload_tuple_of(row: Any) -> Any:
    return lambda row: row


@overload(_list)
def _overload_list(row: Any) -> Any:
    if isinstance(row, RowType):
        return lambda row: row
    if isinstance(row, types.UniTuple) and row.count:
        return lambda row: _as_list(row)
    if isinstance(row, types.BaseTuple) and len(row):
        return _overload_list_of(row)

    def grown(row: Any) -> Any:
        made = []
        for element in row:
            made.append(element)
        return made

    return grown


@overload(_list_of)
def _overload_list_of(row: Any) -> Any:
    kinds = {_whole(kind) for kind in row.types}
    if len(kinds) == 1:
        change = ""
    elif all(isinstance(kind, (types.Integer, types.Boolean, types.Float)) for kind in kinds):
        floats = any(isinstance(kind, types.Float) for kind in kinds)
        change = "float" if floats else "int"
    else:
        from strategies.native.compiler.layout import plain_name

        names = " and ".join(sorted({plain_name(kind) for kind in kinds}))
        raise refusal(f"a list holds {names}: its elements must be of one type")
    if all(isinstance(part, types.Integer) for part in row.types):
        change = "int"
    parts = "".join(f"{change}(row[{i}]), " for i in range(len(row)))
    scope: dict[str, Any] = {"cast": _as_list}
    exec(f"def list_of(row): return cast(({parts}))", scope)
    return scope["list_of"]


@overload(_set)
def _overload_set(row: Any, index: Any, value: Any) -> Any:
    if isinstance(row, RowType):
        if isinstance(value, types.Float) and isinstance(row.dtype, types.Integer):
            raise refusal("a float is put into a list of int: use // or int(…)")
        return lambda row, index, value: put(row, index, value)
    if isinstance(row, types.BaseTuple):
        raise refusal("an element of a tuple cannot be set: use put(row, index, value)")

    def set_at(row: Any, index: Any, value: Any) -> Any:
        row[index] = value
        return row

    return set_at


@overload(_reversed)
def _overload_reversed(row: Any) -> Any:
    if isinstance(row, types.BaseTuple):
        scope: dict[str, Any] = {}
        parts = "".join(f"row[{i}], " for i in reversed(range(len(row))))
        exec(f"def backwards(row): return ({parts})", scope)
        return scope["backwards"]
    if isinstance(row, types.RangeType):

        def backwards_range(row: Any) -> Any:
            last = row.start + (len(row) - 1) * row.step
            return range(last, row.start - row.step, -row.step)

        return backwards_range

    def backwards(row: Any) -> Any:
        made = []
        for k in range(len(row) - 1, -1, -1):
            made.append(row[k])
        return made

    return backwards


@overload(_equally_long, **OPTIONS)
def _overload_equally_long(row: Any, other: Any) -> Any:
    def equally_long(row: Any, other: Any) -> Any:
        if len(row) != len(other):
            raise ValueError("the rows of a zip differ in length")
        return row

    return equally_long


@overload(_like)
def _overload_like(number: Any, like: Any) -> Any:
    if like == word:
        return lambda number, like: U64(number)
    if isinstance(like, types.Float):
        return lambda number, like: float(number)
    return lambda number, like: number


@overload(_ends, **OPTIONS)
def _overload_ends(low: Any, high: Any, step: Any, size: Any) -> Any:
    no_low, no_high, no_step = (k == types.none for k in (low, high, step))
    text = ["def ends(low, high, step, size):", f" step = {'1' if no_step else 'int(step)'}"]
    text += [" least, most = (0, size) if step > 0 else (-1, size - 1)"]
    for name, absent, default in (
        ("low", no_low, "least if step > 0 else most"),
        ("high", no_high, "most if step > 0 else least"),
    ):
        if absent:
            text += [f" {name}_ = {default}"]
        else:
            text += [f" {name}_ = int({name})", f" if {name}_ < 0: {name}_ += size"]
            text += [f" {name}_ = min(max({name}_, least), most)"]
    scope: dict[str, Any] = {}
    exec("\n".join([*text, " return low_, high_, step"]), scope)
    return scope["ends"]


def _equality(operation: Any, same: bool) -> None:
    @overload(operation, **OPTIONS)
    def _compare(a: Any, b: Any) -> Any:
        if not {type(a), type(b)} <= {types.List, RowType} or type(a) is type(b):
            return None

        def compare(a: Any, b: Any) -> bool:
            if len(a) != len(b):
                return not same
            for k in range(len(a)):
                if a[k] != b[k]:
                    return not same
            return same

        return compare


_equality(operator.eq, True)
_equality(operator.ne, False)


@overload_method(types.UniTuple, "count", **OPTIONS)
@overload_method(TableType, "count", **OPTIONS)
def _count(row: Any, value: Any) -> Any:
    def count(row: Any, value: Any) -> int:
        found = 0
        for element in row:
            if element == value:
                found += 1
        return found

    return count


@overload_method(TableType, "index", **OPTIONS)
def _index(row: Any, value: Any) -> Any:
    def index(row: Any, value: Any) -> int:
        found = 0
        for element in row:
            if element == value:
                return found
            found += 1  # noqa: SIM113 - for the compiler
        raise ValueError("not in this row")

    return index


@overload_method(RowType, "copy")
def _copy(row: Any) -> Any:
    return lambda row: row


@overload(sum)
def _sum(row: Any) -> Any:
    if not isinstance(row, TableType) or row.ndim > 1:
        return None
    zero: Any = U64(0) if row.element == word else 0.0 if row.element == types.float64 else 0

    def total_of(row: Any) -> Any:
        total = zero
        for element in row:
            total = total + element
        return total

    return total_of


def _extreme(builtin: Any, sign: str) -> None:
    text = f"""
def extreme(row):
    best = row[0]
    for element in row:
        if element {sign} best:
            best = element
    return best
"""

    @overload(builtin)
    def _overload_extreme(row: Any) -> Any:
        if not isinstance(row, TableType) or row.ndim > 1:
            return None
        scope: dict[str, Any] = {}
        exec(text, scope)
        return scope["extreme"]


_extreme(min, "<")
_extreme(max, ">")
