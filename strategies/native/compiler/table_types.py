"""Rows of numbers in a game's fields: memory behind a bare pointer, read-only unless declared.

The length is not part of the type, so games that differ only in the size of a table share their
compiled code.  The exception are long rows whose length is a power of 2: they are indexed by masked
bits, and if the length is known no such index needs to be checked.  A row of rows is a row of
pointers and lengths: it may be ragged.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.imputils import RefType, iternext_impl
from numba.extending import intrinsic, lower_builtin, register_model

from strategies.native.compiler.parts import overload
from strategies.native.compiler.u64_type import word

WORD = ir.IntType(64)
STORED = {
    "int64": (types.int64, types.int64),
    "int32": (types.int32, types.int64),
    "int16": (types.int16, types.int64),
    "int8": (types.int8, types.int64),
    "uint64": (types.uint64, word),
    "uint32": (types.uint32, types.int64),
    "uint16": (types.uint16, types.int64),
    "uint8": (types.uint8, types.int64),
    "float64": (types.float64, types.float64),
    "float32": (types.float32, types.float64),
    "bool": (types.uint8, types.boolean),
}
"""The type of a number in memory, and its type for a rule that reads it."""


class TableType(types.IterableType):
    """A row of numbers, or of rows (`ndim` above 1); `size` is its length if that is known.

    Code that reads a `written` row may also change it.
    """

    def __init__(self, stored: str, ndim: int, size: int = 0, written: bool = False) -> None:
        self.stored, self.ndim, self.size, self.written = stored, ndim, size, written
        super().__init__(f"Table({stored}, {ndim}, {size}{', written' * written})")

    @property
    def key(self) -> Any:
        return self.stored, self.ndim, self.size, self.written

    @property
    def element(self) -> Any:
        return STORED[self.stored][1] if self.ndim == 1 else TableType(self.stored, self.ndim - 1)

    @property
    def iterator_type(self) -> Any:
        return TableIterator(self)


class DictType(types.IterableType):
    """A dict that never changes: a row of keys and a row of values."""

    def __init__(self, keys: TableType, values: TableType) -> None:
        self.keys, self.values = keys, values
        super().__init__(f"Dict({keys}, {values})")

    @property
    def key(self) -> Any:
        return self.keys, self.values

    @property
    def iterator_type(self) -> Any:
        return TableIterator(self.keys)


class TableIterator(types.SimpleIteratorType):
    """An iterator over a row."""

    def __init__(self, table: TableType) -> None:
        self.table = table
        super().__init__(f"iter({table})", table.element)


@register_model(TableType)
class TableModel(models.StructModel):
    def __init__(self, manager: Any, native: Any) -> None:
        super().__init__(manager, native, [("data", types.uintp), ("length", types.intp)])


@register_model(DictType)
class DictModel(models.StructModel):
    def __init__(self, manager: Any, native: Any) -> None:
        super().__init__(manager, native, [("keys", native.keys), ("values", native.values)])


@register_model(TableIterator)
class TableIteratorModel(models.StructModel):
    def __init__(self, manager: Any, native: Any) -> None:
        members = [("table", native.table), ("next", types.EphemeralPointer(types.intp))]
        super().__init__(manager, native, members)


def load_word(builder: Any, address: Any, offset: int, native: Any = WORD) -> Any:
    """Load eight bytes of memory that never changes while the code runs."""
    pointer = builder.inttoptr(builder.add(address, address.type(offset)), native.as_pointer())
    return unchanging(builder, builder.load(pointer))


def unchanging(builder: Any, load: Any) -> Any:
    """Let LLVM move or merge the load, because no code writes to a game's tables."""
    load.set_metadata("invariant.load", builder.module.add_metadata([]))
    return load


def element_at(context: Any, builder: Any, native: TableType, row: Any, index: Any) -> Any:
    """Return element `index` of a row, unchecked."""
    table = cgutils.create_struct_proxy(native)(context, builder, value=row)
    if native.ndim > 1:
        address = builder.add(table.data, builder.mul(index, index.type(16)))
        inner = cgutils.create_struct_proxy(native.element)(context, builder)
        inner.data = load_word(builder, address, 0)
        inner.length = load_word(builder, address, 8)
        return inner._getvalue()
    stored, seen = STORED[native.stored]
    pointer = builder.inttoptr(table.data, context.get_data_type(stored).as_pointer())
    value = builder.load(builder.gep(pointer, [index]))
    if not native.written:
        unchanging(builder, value)
    if seen == types.boolean:
        return builder.icmp_unsigned("!=", value, value.type(0))
    return value if seen == word else context.cast(builder, value, stored, seen)


def checked_index(context: Any, builder: Any, index: Any, length: Any) -> Any:
    """Return an index into a row: a negative one counts from the end; outside it is an
    IndexError."""
    below = builder.icmp_signed("<", index, index.type(0))
    index = builder.select(below, builder.add(index, length), index)
    with builder.if_then(builder.icmp_unsigned(">=", index, length), likely=False):
        context.call_conv.return_user_exc(builder, IndexError, ("index out of range",))
    return index


@intrinsic
def at(typing: Any, row: Any, index: Any) -> Any:
    """Return element `index` of a row."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        native = signature.args[0]
        table = cgutils.create_struct_proxy(native)(context, builder, value=args[0])
        length = args[1].type(native.size) if native.size else table.length
        index = checked_index(context, builder, args[1], length)
        return element_at(context, builder, native, args[0], index)

    return row.element(row, types.int64), build


@intrinsic
def put_at(typing: Any, row: Any, index: Any, value: Any) -> Any:
    """Write element `index` of a row of numbers."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        native = signature.args[0]
        table = cgutils.create_struct_proxy(native)(context, builder, value=args[0])
        length = args[1].type(native.size) if native.size else table.length
        index = checked_index(context, builder, args[1], length)
        stored, _ = STORED[native.stored]
        pointer = builder.inttoptr(table.data, context.get_data_type(stored).as_pointer())
        found = context.cast(builder, args[2], signature.args[2], stored)
        builder.store(found, builder.gep(pointer, [index]))
        return context.get_dummy_value()

    return types.void(row, types.int64, types.unliteral(value)), build


@overload(operator.setitem)
def _setitem(row: Any, index: Any, value: Any) -> Any:
    if isinstance(row, TableType) and row.written and isinstance(index, types.Integer):
        return lambda row, index, value: put_at(row, index, value)
    return None


@intrinsic
def length(typing: Any, row: Any) -> Any:
    """Return the number of elements of a row."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return cgutils.create_struct_proxy(signature.args[0])(
            context, builder, value=args[0]
        ).length

    return types.int64(row), build


@overload(len)
def _len(row: Any) -> Any:
    return (lambda row: length(row)) if isinstance(row, TableType) else None


@overload(operator.getitem)
def _getitem(row: Any, index: Any) -> Any:
    if not isinstance(row, TableType):
        return None
    if isinstance(index, types.Integer):
        return lambda row, index: at(row, index)
    if index == word:
        return lambda row, index: at(row, int(index))
    if isinstance(index, types.BaseTuple) and len(index) == 2 and row.ndim == 2:
        return lambda row, index: row[index[0]][index[1]]
    if isinstance(index, types.BaseTuple) and len(index) == 3 and row.ndim == 3:
        return lambda row, index: row[index[0]][index[1]][index[2]]
    return None


@overload(operator.contains)
def _contains(row: Any, value: Any) -> Any:
    if not isinstance(row, TableType):
        return None

    def search(row: Any, value: Any) -> bool:
        for element in row:  # noqa: SIM110 - compiled code has no any()
            if element == value:
                return True
        return False

    return search


@lower_builtin("getiter", TableType)
def _iterate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    walk = cgutils.create_struct_proxy(signature.return_type)(context, builder)
    walk.table = args[0]
    walk.next = cgutils.alloca_once_value(builder, context.get_constant(types.intp, 0))
    return walk._getvalue()


@lower_builtin("iternext", TableIterator)
@iternext_impl(RefType.UNTRACKED)
def _advance(context: Any, builder: Any, signature: Any, args: Any, result: Any) -> None:
    native = signature.args[0]
    walk = cgutils.create_struct_proxy(native)(context, builder, value=args[0])
    table = cgutils.create_struct_proxy(native.table)(context, builder, value=walk.table)
    index = builder.load(walk.next)
    valid = builder.icmp_signed("<", index, table.length)
    result.set_valid(valid)
    with builder.if_then(valid):
        result.yield_(element_at(context, builder, native.table, walk.table, index))
        builder.store(builder.add(index, index.type(1)), walk.next)
