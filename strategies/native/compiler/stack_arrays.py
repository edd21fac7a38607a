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

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return on_frame(context, builder, native)

    return native(state, like), build


def on_frame(context: Any, builder: Any, native: RoomType) -> Any:
    """Place an array on the frame of the function that is being built."""
    element = context.get_value_type(native.element)
    with builder.goto_entry_block():  # `alloca_once` would fill it with zeros at every node
        frame = builder.alloca(element, size=_length(native.state))
    return builder.bitcast(frame, cgutils.voidptr_t)


def slot(context: Any, builder: Any, native: RoomType, row: Any, index: Any) -> Any:
    pointer = context.get_value_type(native.element).as_pointer()
    return builder.gep(builder.bitcast(row, pointer), [index])


@instruction(operator.getitem)
def _getitem(typing: Any, row: Any, index: Any) -> Any:
    if not isinstance(row, RoomType):
        return None

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(slot(context, builder, row, *args))

    return row.element(row, types.int64), build


@instruction(operator.setitem)
def _setitem(typing: Any, row: Any, index: Any, value: Any) -> Any:
    if not isinstance(row, RoomType):
        return None

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        cast = context.cast(builder, args[2], signature.args[2], row.element)
        builder.store(cast, slot(context, builder, row, args[0], args[1]))
        return context.get_dummy_value()

    return types.void(row, types.int64, value), build


def _length(state: Any) -> Any:
    """Return the length of an array for a state."""
    if isinstance(state, ValueType):
        return number_hole(f"room.{state.number}")
    return c64(hooks.stack_array_length(1))


@instruction(hooks.stack_array_size)
def _room_size(typing: Any, state: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _length(state)

    return types.int64(state), build


@instruction(prefetch)
def _prefetch(typing: Any, table: Any, index: Any) -> Any:
    if table != cells_type:
        return None

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        small = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, small, small, small])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        pointer = builder.bitcast(builder.gep(args[0], [args[1]]), cgutils.voidptr_t)
        builder.call(function, [pointer, small(0), small(3), small(1)])
        return context.get_dummy_value()

    return types.void(table, types.int64), build


@instruction(hooks.cells_in)
def _cells_in(typing: Any, state: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return number_hole(f"cells.{state.number}") if isinstance(state, ValueType) else c64(1)

    return types.int64(state), build


@instruction(hooks.in_arena)
def _in_arena(typing: Any, state: Any) -> Any:
    held = isinstance(state, ValueType) and state.about.in_arena

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.get_constant(types.boolean, held)

    return types.boolean(state), build


@instruction(hooks.put_state)
def _put_state(typing: Any, table: Any, at: Any, state: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[2], _stored(builder, args), align=8)
        return context.get_dummy_value()

    return types.void(table, types.int64, state), build


@instruction(hooks.taken_state)
def _taken_state(typing: Any, table: Any, at: Any, like: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_stored(builder, args), align=8)

    return like(table, types.int64, like), build


def _stored(builder: Any, args: Any) -> Any:
    """Return where a value is stored: at a cell of a row."""
    pointer = args[2].type.as_pointer()
    return builder.bitcast(builder.gep(args[0], [args[1]]), pointer)


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

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load_atomic(builder.gep(args[0], [args[1]]), "monotonic", 8)

    return types.int64(row, types.int64), build


@instruction(operator.setitem)
def _set_cell(typing: Any, row: Any, index: Any, value: Any) -> Any:
    if row != cells_type or not _counts(index, value):
        return None

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store_atomic(args[2], builder.gep(args[0], [args[1]]), "monotonic", 8)
        return context.get_dummy_value()

    return types.void(row, types.int64, types.int64), build


@instruction(copy_cells)
def _copy_cells(typing: Any, row: Any, to: Any, start: Any, count: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row, to, start, count = args
        target, source = builder.gep(row, [to]), builder.gep(row, [start])
        cgutils.raw_memmove(builder, target, source, count, 8)
        return context.get_dummy_value()

    return types.void(row, types.int64, types.int64, types.int64), build


@instruction(add_to)
def _add_to(typing: Any, row: Any, index: Any, amount: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row, index, amount = args
        return builder.atomic_rmw("add", builder.gep(row, [index]), amount, "monotonic")

    return types.int64(row, types.int64, types.int64), build


@instruction(stopped)
def _stopped(typing: Any, row: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        flag = builder.load_atomic(args[0], "monotonic", 8)
        return builder.icmp_unsigned("!=", flag, CELL(0))

    return types.boolean(row), build


@instruction(claim)
def _claim(typing: Any, row: Any, index: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = builder.gep(args[0], [args[1]])
        pair = builder.cmpxchg(pointer, CELL(0), CELL(1), "monotonic", "monotonic")
        return builder.extract_value(pair, 1)

    return types.boolean(row, types.int64), build
