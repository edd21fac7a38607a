"""Arrays on the frame of a compiled search, read and written by index; and prefetching."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import register_model

from games.memory import prefetch
from strategies.native import hooks
from strategies.native.compiler.cell_type import cells_type
from strategies.native.compiler.parts import instruction
from strategies.native.compiler.rule_types import ValueType
from strategies.rules.kinds.atoms import Kind
from strategies.rules.kinds.contained import in_memory
from strategies.rules.kinds.forms import size
from strategies.rules.kinds.kind import Either, Record, Row, Tup
from strategies.rules.kinds.parts import parts


class RoomType(types.Type):
    """An array of values on the frame of a function."""

    def __init__(self, element: Any, size: int) -> None:
        self.element, self.size = element, size
        super().__init__(f"Room({element}, {size})")

    @property
    def key(self) -> Any:
        return self.element, self.size


register_model(RoomType)(models.OpaqueModel)


def words_of(native: Any) -> int:
    """Return the number of numbers in a value."""
    if isinstance(native, ValueType):
        return words_of_kind(native.kind)
    return sum(map(words_of, native.types)) if isinstance(native, types.BaseTuple) else 1


def words_of_kind(kind: Kind) -> int:
    """Return the number of words in a value, as `hooks.words_in` counts them."""
    if isinstance(kind, Row):
        return 2
    if isinstance(kind, Either):
        return max(map(words_of_kind, kind.items))
    return sum(map(words_of_kind, parts(kind))) if isinstance(kind, Tup | Record) else 1


@instruction(hooks.stack_array)
def _room(typing: Any, state: Any, like: Any) -> Any:
    """Place the array on the frame of the function that calls this."""
    native = RoomType(types.unliteral(like), hooks.stack_array_length(words_of(state)))

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return on_frame(context, builder, native)

    return native(state, like), build


def on_frame(context: Any, builder: Any, native: RoomType) -> Any:
    """Place an array on the frame of the function that is being built."""
    row = ir.ArrayType(context.get_value_type(native.element), native.size)
    with builder.goto_entry_block():  # `alloca_once` would fill it with zeros at every node
        frame = builder.alloca(row)
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


@instruction(hooks.stack_array_size)
def _room_size(typing: Any, state: Any) -> Any:
    size = hooks.stack_array_length(words_of(state))

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.get_constant(types.int64, size)

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
        return context.get_constant(types.int64, -(-stored_size(context, state) // 8))

    return types.int64(state), build


@instruction(hooks.in_arena)
def _in_arena(typing: Any, state: Any) -> Any:
    held = isinstance(state, ValueType) and in_memory(state.kind)

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.get_constant(types.boolean, held)

    return types.boolean(state), build


def stored_size(context: Any, state: Any) -> int:
    """Return the bytes of a stored value."""
    return size(context.get_value_type(state))


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
