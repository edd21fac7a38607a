"""Cells and arrays of compiled searches, read and written by index; and prefetching.

A row of cells is a bare pointer; every access is atomic and never cached in a register.  An array
is on the frame of a search.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import NativeValue, register_model, unbox

from games.fields import prefetch
from strategies.native import hooks
from strategies.native.compiler.parts import instruction
from strategies.native.compiler.rule_types import ValueType
from strategies.native.compiler.shapes import number_hole
from strategies.native.memory.cells import add_to, claim, copy_cells, stopped
from strategies.rules.code.val import c64


class RoomType(types.Type):
    """An array of values on the frame of a function, whose length is that for a state."""

    def __init__(self, element: Any, state: Any) -> None:
        self.element, self.state = element, state
        super().__init__(f"Room({element}, {state})")


register_model(RoomType)(models.OpaqueModel)


@instruction(hooks.stack_array)
def _room(typing: Any, state: Any, like: Any) -> Any:
    """Place the array on the frame of the function that calls this."""
    native = RoomType(types.unliteral(like), state)

    def emit(context: Any, builder: Any, *_: Any) -> Any:
        element = context.get_value_type(native.element)
        with builder.goto_entry_block():  # `alloca_once` would fill it with zeros at every node
            frame = builder.alloca(element, size=_length(state))
        return builder.bitcast(frame, cgutils.voidptr_t)

    return native(state, like), emit


def slot(context: Any, builder: Any, native: RoomType, row: Any, index: Any) -> Any:
    pointer = context.get_value_type(native.element).as_pointer()
    return builder.gep(builder.bitcast(row, pointer), [index])


@instruction(operator.getitem)
def _getitem(typing: Any, row: Any, index: Any) -> Any:
    if not isinstance(row, RoomType):
        return None

    def emit(context: Any, builder: Any, *at: Any) -> Any:
        return builder.load(slot(context, builder, row, *at))

    return row.element(row, types.int64), emit


@instruction(operator.setitem)
def _setitem(typing: Any, row: Any, index: Any, value: Any) -> Any:
    if not isinstance(row, RoomType):
        return None

    def emit(context: Any, builder: Any, start: Any, index: Any, found: Any) -> None:
        cast = context.cast(builder, found, value, row.element)
        builder.store(cast, slot(context, builder, row, start, index))

    return types.void(row, types.int64, value), emit


def _length(state: Any) -> Any:
    """Return the length of an array for a state."""
    if isinstance(state, ValueType):
        return number_hole(f"room.{state.number}")
    return c64(hooks.stack_array_length(1))


@instruction(hooks.stack_array_size)
def _room_size(typing: Any, state: Any) -> Any:
    return types.int64(state), lambda *_: _length(state)


@instruction(prefetch)
def _prefetch(typing: Any, table: Any, index: Any) -> Any:
    if table != cells_type:
        return None

    def emit(context: Any, builder: Any, start: Any, index: Any) -> None:
        small = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, small, small, small])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        pointer = builder.bitcast(builder.gep(start, [index]), cgutils.voidptr_t)
        builder.call(function, [pointer, small(0), small(3), small(1)])

    return types.void(table, types.int64), emit


@instruction(hooks.cells_in)
def _cells_in(typing: Any, state: Any) -> Any:
    opaque = isinstance(state, ValueType)
    return types.int64(state), lambda *_: number_hole(f"cells.{state.number}") if opaque else c64(1)


@instruction(hooks.in_arena)
def _in_arena(typing: Any, state: Any) -> Any:
    held = isinstance(state, ValueType) and state.about.in_arena
    return types.boolean(state), lambda context, *_: context.get_constant(types.boolean, held)


@instruction(hooks.put_state)
def _put_state(typing: Any, table: Any, at: Any, state: Any) -> Any:
    def emit(context: Any, builder: Any, start: Any, index: Any, value: Any) -> None:
        builder.store(value, _stored(builder, start, index, value), align=8)

    return types.void(table, types.int64, state), emit


@instruction(hooks.taken_state)
def _taken_state(typing: Any, table: Any, at: Any, like: Any) -> Any:
    def emit(context: Any, builder: Any, *at: Any) -> Any:
        return builder.load(_stored(builder, *at), align=8)

    return like(table, types.int64, like), emit


def _stored(builder: Any, start: Any, index: Any, like: Any) -> Any:
    """Return where a value like this one is stored: at a cell of a row."""
    return builder.bitcast(builder.gep(start, [index]), like.type.as_pointer())


CELL = ir.IntType(64)


class CellsType(types.Type):
    """A row of shared cells; Python passes it as a number, its address."""

    def __init__(self) -> None:
        super().__init__("Cells")


cells_type = CellsType()


@register_model(CellsType)
class CellsModel(models.PrimitiveModel):
    def __init__(self, manager: Any, native: Any) -> None:
        super().__init__(manager, native, CELL.as_pointer())


@unbox(CellsType)
def _unbox(native: Any, value: Any, c: Any) -> Any:
    address = c.pyapi.long_as_ulonglong(value)
    return NativeValue(
        c.builder.inttoptr(address, CELL.as_pointer()), is_error=c.pyapi.c_api_error()
    )


def _counts(*kinds: Any) -> bool:
    return all(isinstance(kind, (types.Integer, types.Boolean)) for kind in kinds)


@instruction(operator.getitem)
def _get_cell(typing: Any, row: Any, index: Any) -> Any:
    if row != cells_type or not _counts(index):
        return None

    def emit(context: Any, builder: Any, start: Any, index: Any) -> Any:
        return builder.load_atomic(builder.gep(start, [index]), "monotonic", 8)

    return types.int64(row, types.int64), emit


@instruction(operator.setitem)
def _set_cell(typing: Any, row: Any, index: Any, value: Any) -> Any:
    if row != cells_type or not _counts(index, value):
        return None

    def emit(context: Any, builder: Any, start: Any, index: Any, value: Any) -> None:
        builder.store_atomic(value, builder.gep(start, [index]), "monotonic", 8)

    return types.void(row, types.int64, types.int64), emit


@instruction(copy_cells)
def _copy_cells(typing: Any, row: Any, to: Any, start: Any, count: Any) -> Any:
    def emit(context: Any, builder: Any, row: Any, to: Any, start: Any, count: Any) -> None:
        target, source = builder.gep(row, [to]), builder.gep(row, [start])
        cgutils.raw_memmove(builder, target, source, count, 8)

    return types.void(row, types.int64, types.int64, types.int64), emit


@instruction(add_to)
def _add_to(typing: Any, row: Any, index: Any, amount: Any) -> Any:
    def emit(context: Any, builder: Any, start: Any, index: Any, amount: Any) -> Any:
        return builder.atomic_rmw("add", builder.gep(start, [index]), amount, "monotonic")

    return types.int64(row, types.int64, types.int64), emit


@instruction(stopped)
def _stopped(typing: Any, row: Any) -> Any:
    def emit(context: Any, builder: Any, start: Any) -> Any:
        flag = builder.load_atomic(start, "monotonic", 8)
        return builder.icmp_unsigned("!=", flag, CELL(0))

    return types.boolean(row), emit


@instruction(claim)
def _claim(typing: Any, row: Any, index: Any) -> Any:
    def emit(context: Any, builder: Any, start: Any, index: Any) -> Any:
        pointer = builder.gep(start, [index])
        pair = builder.cmpxchg(pointer, CELL(0), CELL(1), "monotonic", "monotonic")
        return builder.extract_value(pair, 1)

    return types.boolean(row, types.int64), emit
