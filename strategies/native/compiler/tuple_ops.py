"""Fixed-length tuples by value: reading an element by a computed index, and `put`.

In kernels, indices are those of players, and are not checked. In other functions that Numba
compiles, elements are read as Numba reads them.
"""

from __future__ import annotations

import operator
from typing import Any

from numba import types
from numba.core import cgutils
from numba.cpython.tupleobj import getitem_unituple
from numba.extending import intrinsic, lower_builtin

from games.tuples import put, zeros_of
from strategies.native.compiler.parts import overload
from strategies.native.compiler.templates import Template


def _slot(context: Any, builder: Any, native: Any, row: Any, index: Any) -> tuple[Any, Any]:
    """Return a copy of the tuple in memory, and the address of an element of it."""
    memory = cgutils.alloca_once_value(builder, row)
    return memory, builder.gep(memory, [index.type(0), index])


@intrinsic
def _put(typing: Any, row: Any, index: Any, value: Any) -> Any:
    if not typing.can_convert(value, row.dtype) and value != row.dtype:
        return None
    if isinstance(value, types.Float) and not isinstance(row.dtype, types.Float):
        return None

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row, index, value = args
        native = signature.args[0]
        memory, slot = _slot(context, builder, native, row, index)
        builder.store(context.cast(builder, value, signature.args[2], native.dtype), slot)
        return builder.load(memory)

    return row(row, types.int64, value), build


def _checked_put(row: Any, index: Any, value: Any) -> Any:
    at = int(index) + len(row) if index < 0 else int(index)
    if at < 0 or at >= len(row):
        raise IndexError("list assignment index out of range")
    return _put(row, at, value)


@overload(put)
def _overload_put(row: Any, index: Any, value: Any) -> Any:
    if isinstance(row, types.UniTuple):
        return _checked_put
    return None


@overload(zeros_of)
def _overload_zeros_of(game: Any) -> Any:
    zeros = (0.0,) * game.shape.number["players"]
    return lambda game: zeros


@lower_builtin(operator.getitem, types.UniTuple, types.intp)
def _at(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Load an element by a computed index; Numba's own way, which checks it, is a switch over all
    indices, far slower."""
    if not isinstance(context.active_code_library, Template):
        return getitem_unituple(context, builder, signature, args)
    row, index = args
    return builder.load(_slot(context, builder, signature.args[0], row, index)[1])
