"""Fixed-length tuples by value: reading an element by a computed index, and `put`.

Indices are those of players, which kernels do not check.
"""

from __future__ import annotations

import operator
from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, lower_builtin

from games.tuples import floats_of, put, zeros_of
from strategies.native.compiler.parts import overload


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


@overload(put)
def _overload_put(row: Any, index: Any, value: Any) -> Any:
    if isinstance(row, types.UniTuple):
        return lambda row, index, value: _put(row, int(index), value)
    return None


@overload(floats_of)
def _overload_floats_of(row: Any) -> Any:
    if not isinstance(row, types.UniTuple):
        return None
    scope: dict[str, Any] = {}
    parts = "".join(f"float(row[{i}]), " for i in range(len(row)))
    exec(f"def floats_of(row): return ({parts})", scope)
    return scope["floats_of"]


@overload(zeros_of)
def _overload_zeros_of(game: Any) -> Any:
    zeros = (0.0,) * game.bound.numbers["players"]
    return lambda game: zeros


@lower_builtin(operator.getitem, types.UniTuple, types.intp)
def _at(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Load an element by a computed index; Numba's own way is a switch over all indices, far
    slower."""
    row, index = args
    return builder.load(_slot(context, builder, signature.args[0], row, index)[1])
