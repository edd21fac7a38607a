"""Lists and tuples whose length is known before the code runs: values, as tuples are."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import intrinsic, lower_cast, register_model

from games.tuples import put
from games.u64 import U64
from strategies.native.compiler.layout import RowType
from strategies.native.compiler.parts import OPTIONS, instruction, overload, overload_method
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
from strategies.native.compiler.table_types import TableType
from strategies.native.compiler.tuple_ops import owned
from strategies.native.compiler.u64_type import word

register_model(RowType)(models.UniTupleModel)


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
_equally_long, _listed = _form("equally_long"), _form("listed")
_most, _chunk = map(_form, ("most", "chunk"))
_kept_generator, _in_order = _form("kept_generator"), _form("in_order")
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
    "_checked": checked,
    "_complete": complete,
    "_fill": fill,
    "_equally_long": _equally_long,
    "_listed": _listed,
    "_most": _most,
    "_chunk": _chunk,
    "_kept_generator": _kept_generator,
    "_in_order": _in_order,
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
def _overload_list(row: Any) -> Any:
    if isinstance(row, RowType):
        return lambda row: row
    if isinstance(row, types.UniTuple) and row.count:
        return lambda row: _as_list(row)
    if isinstance(row, types.BaseTuple) and len(row):
        return _overload_list_of(row)
    if isinstance(row, types.Set):
        raise refusal("a set has no order to make a list in: write sorted(…)")

    def grown(row: Any) -> Any:
        made = []
        for element in row:
            made.append(element)
        return made

    return grown


@instruction(_listed)
def _instruction_listed(typing: Any, rows: Any) -> Any:
    """What a rule gave that returns no list stays as it is."""
    if _gives_list(rows):
        return None

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return owned(context, builder, rows, args[0])

    return rows(rows), build


@instruction(_in_order)
def _instruction_in_order(typing: Any, rows: Any) -> Any:
    """A set is walked along in an order that is not Python's: it may not count."""
    if isinstance(rows, types.Set):
        raise refusal("a set has no order to walk along: write sorted(…)")
    return rows(rows), lambda context, builder, signature, args: owned(
        context, builder, signature.return_type, args[0]
    )


@overload(_kept_generator)
def _overload_kept_generator() -> Any:
    raise refusal(
        "a generator that is kept in a name is walked along once, and computed only then: write it "
        "where it is used, or make a list, [… for …]"
    )


@overload(_listed)
def _overload_listed(rows: Any) -> Any:
    return _overload_list(rows) if _gives_list(rows) else None


def _gives_list(rows: Any) -> bool:
    return getattr(getattr(rows, "gen_func", None), "gives_list", False)


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


@overload(operator.contains, **OPTIONS)
def _walked(rows: Any, value: Any) -> Any:
    if not isinstance(rows, types.Generator):
        return None

    def walked(rows: Any, value: Any) -> bool:
        for element in rows:  # noqa: SIM110 - for the compiler
            if element == value:
                return True
        return False

    return walked


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
