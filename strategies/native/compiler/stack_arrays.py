"""Room on the frame of a compiled search, read and written by index; and prefetching."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import intrinsic, overload, register_model

from strategies.native import hooks
from strategies.native.compiler.cell_type import cells_type
from strategies.native.compiler.layout import RecordType
from strategies.native.compiler.u64_type import OPTIONS


class RoomType(types.Type):
    """A row of values in the frame of a function."""

    def __init__(self, element: Any, size: int) -> None:
        self.element, self.size = element, size
        super().__init__(f"Room({element}, {size})")

    @property
    def key(self) -> Any:
        return self.element, self.size


register_model(RoomType)(models.OpaqueModel)


def words_of(native: Any) -> int:
    """How many numbers a value is made of."""
    if isinstance(native, RecordType):
        return sum(words_of(kind) for _, kind in native.fields)
    return sum(map(words_of, native.types)) if isinstance(native, types.BaseTuple) else 1


@intrinsic
def _room(typing: Any, state: Any, like: Any) -> Any:
    native = RoomType(types.unliteral(like), hooks.stack_array_length(words_of(state)))

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row = ir.ArrayType(context.get_value_type(native.element), native.size)
        with builder.goto_entry_block():  # `alloca_once` would fill it with zeros at every node
            frame = builder.alloca(row)
        return builder.bitcast(frame, cgutils.voidptr_t)

    return native(state, like), build


def _slot(context: Any, builder: Any, native: RoomType, row: Any, index: Any) -> Any:
    pointer = context.get_value_type(native.element).as_pointer()
    return builder.gep(builder.bitcast(row, pointer), [index])


@intrinsic
def _get(typing: Any, row: Any, index: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_slot(context, builder, row, *args))

    return row.element(row, types.int64), build


@intrinsic
def _set(typing: Any, row: Any, index: Any, value: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        cast = context.cast(builder, args[2], signature.args[2], row.element)
        builder.store(cast, _slot(context, builder, row, args[0], args[1]))
        return context.get_dummy_value()

    return types.void(row, types.int64, value), build


@overload(hooks.stack_array, inline="always", strict=False)
def _overload_room(state: Any, like: Any) -> Any:
    """Always inlined: the row must lie in the frame of the caller."""
    return lambda state, like: _room(state, like)


@overload(hooks.stack_array_size, jit_options=OPTIONS, strict=False)
def _room_size(state: Any) -> Any:
    size = hooks.stack_array_length(words_of(state))
    return lambda state: size


@overload(operator.getitem, strict=False)
def _getitem(row: Any, index: Any) -> Any:
    return (lambda row, index: _get(row, index)) if isinstance(row, RoomType) else None


@overload(operator.setitem, strict=False)
def _setitem(row: Any, index: Any, value: Any) -> Any:
    if not isinstance(row, RoomType):
        return None
    return lambda row, index, value: _set(row, index, value)


@intrinsic
def _prefetch(typing: Any, row: Any, index: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        small = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, small, small, small])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        pointer = builder.bitcast(builder.gep(args[0], [args[1]]), cgutils.voidptr_t)
        builder.call(function, [pointer, small(0), small(3), small(1)])
        return context.get_dummy_value()

    return types.void(row, types.int64), build


@overload(hooks.prefetch, jit_options=OPTIONS, strict=False)
def _overload_prefetch(table: Any, index: Any) -> Any:
    return (lambda table, index: _prefetch(table, index)) if table == cells_type else None
