"""Lists and tuples whose length is known at compile time: they are values."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import intrinsic, lower_cast, register_model

from games.tuples import put
from games.u64 import U64
from strategies.native.compiler.layout import RowType
from strategies.native.compiler.parts import OPTIONS, overload
from strategies.native.compiler.row_forms import (
    UNKNOWN_LENGTH,
    checked,
    complete,
    fill,
    loaded_as,
    refusal,
    whole,
)
from strategies.native.compiler.stack_arrays import RoomType, words_of
from strategies.native.compiler.stubs import stub
from strategies.native.compiler.tuple_ops import owned
from strategies.native.compiler.u64_type import word

register_model(RowType)(models.UniTupleModel)


@lower_cast(types.UniTuple, RowType)
@lower_cast(RowType, types.UniTuple)
def _same_bits(context: Any, builder: Any, given: Any, wanted: Any, value: Any) -> Any:
    if given.dtype == wanted.dtype:
        return value
    parts = [
        context.cast(builder, builder.extract_value(value, i), given.dtype, wanted.dtype)
        for i in range(len(given))
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


_tuple, _tuple_of, _list, _list_of = map(stub, ("tuple", "tuple_of", "list", "list_of"))
_set, _reversed, _like, _ends = map(stub, ("set_at", "reversed", "like", "ends"))
_equally_long, listed = stub("equally_long"), stub("listed")
_most, _chunk, _put_all = map(stub, ("most", "chunk", "put_all"))
kept_generator, in_order = stub("kept_generator"), stub("in_order")
changed_meanwhile, assigned_inside = stub("changed_meanwhile"), stub("assigned_inside")
deleted_by_steps = stub("deleted_by_steps")
FORMS: dict[str, Any] = {
    "_tuple": _tuple,
    "_tuple_of": _tuple_of,
    "_list": _list,
    "_list_of": _list_of,
    "_set": _set,
    "_reversed": _reversed,
    "_like": _like,
    "_ends": _ends,
    "_put_all": _put_all,
    "_checked": checked,
    "_complete": complete,
    "_fill": fill,
    "_equally_long": _equally_long,
    "_listed": listed,
    "_most": _most,
    "_chunk": _chunk,
    "_kept_generator": kept_generator,
    "_in_order": in_order,
    "_changed_meanwhile": changed_meanwhile,
    "_assigned_inside": assigned_inside,
    "_deleted_by_steps": deleted_by_steps,
}
"""The functions that rewritten rules call, by their names there."""


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
    loaded = loaded_as("tuple")

    def chunk(row: Any, more: Any) -> Any:
        cells = room()
        for k in range(len(row)):
            fill(cells, k, row[k])
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
def list_form(row: Any) -> Any:
    if isinstance(row, RowType):
        return lambda row: row
    if isinstance(row, types.UniTuple) and row.count:
        return lambda row: _as_list(row)
    if isinstance(row, types.BaseTuple) and len(row):
        return _overload_list_of(row)
    if isinstance(row, types.Set):
        raise refusal("the order of a set is not defined: write sorted(…) instead of list(…)")

    def grown(row: Any) -> Any:
        made = []
        for element in row:
            made.append(element)
        return made

    return grown


@overload(_list_of)
def _overload_list_of(row: Any) -> Any:
    kinds = {whole(kind) for kind in row.types}
    if len(kinds) == 1:
        change = ""
    elif all(isinstance(kind, (types.Integer, types.Boolean, types.Float)) for kind in kinds):
        floats = any(isinstance(kind, types.Float) for kind in kinds)
        change = "float" if floats else "int"
    else:
        from strategies.native.compiler.layout import plain_name

        names = " and ".join(sorted({plain_name(kind) for kind in kinds}))
        if " and " not in names:
            raise refusal(f"a list holds {names}s of different lengths or types: use one type")
        raise refusal(f"a list holds {names}: use elements of one type")
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
        raise refusal("a tuple cannot be changed: use put(row, index, value)")

    def set_at(row: Any, index: Any, value: Any) -> Any:
        row[index] = value
        return row

    return set_at


@overload(_put_all, **OPTIONS)
def _overload_put_all(row: Any, index: Any, new: Any) -> Any:
    """Put neighbouring elements into a row; if `row[:index] + new + row[index + …:]` has another
    length than the row, as for -1, it is an IndexError."""
    if not isinstance(row, types.UniTuple):
        return None
    size, many = len(row), len(new)
    text = "def put_all(row, index, new):\n index = int(index)\n"
    text += f" if index > {size - many} or -{many} <= index < 0:\n"
    text += "  raise IndexError('index out of range')\n"
    for k in range(many):
        text += f" row = put(row, index + {k}, new[{k}])\n"
    scope: dict[str, Any] = {"put": put}
    exec(f"{text} return row", scope)
    return scope["put_all"]


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
    if all(isinstance(kind, types.BaseTuple) for kind in (row, other)) and len(row) != len(other):
        lengths = f"{len(row)} and {len(other)}"
        raise refusal(f"zip with strict=True needs rows of one length, but these have {lengths}")

    def equally_long(row: Any, other: Any) -> Any:
        if len(row) != len(other):
            raise ValueError("the rows of zip(…, strict=True) differ in length")
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
