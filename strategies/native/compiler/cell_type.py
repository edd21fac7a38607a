"""Cells in machine code: a bare pointer; every access is atomic and never cached in a register."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import NativeValue, register_model, unbox

from strategies.native.compiler.parts import instruction
from strategies.native.memory.cells import add_to, claim, copy_cells, stopped

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
def _getitem(typing: Any, row: Any, index: Any) -> Any:
    if row != cells_type or not _counts(index):
        return None

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load_atomic(builder.gep(args[0], [args[1]]), "monotonic", 8)

    return types.int64(row, types.int64), build


@instruction(operator.setitem)
def _setitem(typing: Any, row: Any, index: Any, value: Any) -> Any:
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
