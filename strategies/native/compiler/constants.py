"""Lists, sets and dicts that rules read and never change: rows of numbers inside the code."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.imputils import RefType, iternext_impl, lower_constant
from numba.extending import intrinsic, lower_builtin, register_model

from strategies.native.compiler.parts import OPTIONS, overload, overload_method
from strategies.native.compiler.stored_rows import as_pair, as_rows, table_type
from strategies.native.compiler.table_types import STORED, WORD, DictType, TableType, element_at


class Constant:
    """A list, set or dict in compiled rules."""

    def __init__(self, value: Any, native: Any) -> None:
        self.value, self._numba_type_ = value, native


def constant_type(value: Any) -> Any:
    """Return the type of a list, set or dict of numbers; None if it has none."""
    if isinstance(value, dict):
        pair = as_pair(value)
        return DictType(*(_short(table_type(rows)) for rows in pair)) if pair else None
    rows = as_rows(value) if isinstance(value, (list, set, frozenset)) else None
    return None if rows is None else _short(table_type(rows))


def _short(native: TableType) -> TableType:
    return TableType(native.stored, native.ndim)


def constant(value: Any) -> Any:
    """Return what replaces `value` when a rule is compiled."""
    native = constant_type(value)
    return Unfit() if native is None else Constant(value, native)


def unfit(name: str, value: Any) -> str:
    """Describe why rules cannot read a list, tuple, set or dict."""
    parts = [*value, *value.values()] if isinstance(value, dict) else list(value)
    kinds = ", ".join(sorted({type(part).__name__ for part in parts})) or "nothing"
    return (
        f"{name} is a {type(value).__name__} of {kinds}, which compiled rules cannot read: use "
        "numbers of one type (int, float, bool or U64), or rows of such numbers"
    )


class Unfit:
    """Replaces a list, set or dict that cannot be compiled: it has no type, so Numba refuses it."""


@lower_constant(TableType)
def _table(context: Any, builder: Any, native: TableType, value: Any) -> Any:
    return _embedded(context, builder, native, as_rows(getattr(value, "value", value)))


def _embedded(context: Any, builder: Any, native: TableType, rows: Any) -> Any:
    address, length = _placed(context, builder, native, rows)
    table = cgutils.create_struct_proxy(native)(context, builder)
    table.data, table.length = address, ir.Constant(WORD, length)
    return table._getvalue()


def _placed(context: Any, builder: Any, native: TableType, rows: Any) -> tuple[Any, int]:
    """Return the address of a row in the module's own memory, and its length."""
    if isinstance(rows, np.ndarray) and rows.ndim == 1:
        stored, _ = STORED[native.stored]
        of = context.get_data_type(stored)
        parts = [ir.Constant(of, x) for x in rows.astype(native.stored).tolist()]
        if native.stored == "bool":
            parts = [ir.Constant(of, int(x)) for x in rows]
    else:
        of, inner = WORD, TableType(native.stored, native.ndim - 1)
        pairs = [_placed(context, builder, inner, row) for row in rows]
        parts = [x for at, size in pairs for x in (at, ir.Constant(WORD, size))]
    row = ir.Constant(ir.ArrayType(of, len(parts)), parts)
    kept = cgutils.global_constant(builder.module, "constant_row", row)
    return kept.ptrtoint(WORD), len(rows)


@lower_constant(DictType)
def _dict(context: Any, builder: Any, native: DictType, value: Any) -> Any:
    keys, values = as_pair(getattr(value, "value", value))
    made = cgutils.create_struct_proxy(native)(context, builder)
    made.keys = _embedded(context, builder, native.keys, keys)
    made.values = _embedded(context, builder, native.values, values)
    return made._getvalue()


def _half(name: str) -> Any:
    @intrinsic
    def half(typing: Any, row: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            made = cgutils.create_struct_proxy(signature.args[0])(context, builder, value=args[0])
            return getattr(made, name)

        return getattr(row, name)(row), build

    return half


keys_of, values_of = _half("keys"), _half("values")


class ItemsType(types.IterableType):
    """The pairs of a dict."""

    def __init__(self, of: DictType) -> None:
        self.of = of
        super().__init__(f"Items({of})")

    @property
    def iterator_type(self) -> Any:
        return ItemsIterator(self.of)


class ItemsIterator(types.SimpleIteratorType):
    """An iterator over the pairs of a dict."""

    def __init__(self, of: DictType) -> None:
        self.of = of
        super().__init__(f"iter({of})", types.Tuple((of.keys.element, of.values.element)))


@register_model(ItemsType)
class ItemsModel(models.StructModel):
    def __init__(self, manager: Any, native: Any) -> None:
        super().__init__(manager, native, [("of", native.of)])


@register_model(ItemsIterator)
class ItemsIteratorModel(models.StructModel):
    def __init__(self, manager: Any, native: Any) -> None:
        members = [("of", native.of), ("next", types.EphemeralPointer(types.intp))]
        super().__init__(manager, native, members)


@intrinsic
def items_of(typing: Any, row: Any) -> Any:
    """Return the pairs of a dict, to iterate over."""
    native = ItemsType(row)

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        made = cgutils.create_struct_proxy(native)(context, builder)
        made.of = args[0]
        return made._getvalue()

    return native(row), build


@lower_builtin("getiter", ItemsType)
def _iterate_items(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    given = cgutils.create_struct_proxy(signature.args[0])(context, builder, value=args[0])
    walk = cgutils.create_struct_proxy(signature.return_type)(context, builder)
    walk.of = given.of
    walk.next = cgutils.alloca_once_value(builder, context.get_constant(types.intp, 0))
    return walk._getvalue()


@lower_builtin("iternext", ItemsIterator)
@iternext_impl(RefType.UNTRACKED)
def _advance(context: Any, builder: Any, signature: Any, args: Any, result: Any) -> None:
    native = signature.args[0]
    walk = cgutils.create_struct_proxy(native)(context, builder, value=args[0])
    pair = cgutils.create_struct_proxy(native.of)(context, builder, value=walk.of)
    keys = cgutils.create_struct_proxy(native.of.keys)(context, builder, value=pair.keys)
    index = builder.load(walk.next)
    valid = builder.icmp_signed("<", index, keys.length)
    result.set_valid(valid)
    with builder.if_then(valid):
        key = element_at(context, builder, native.of.keys, pair.keys, index)
        value = element_at(context, builder, native.of.values, pair.values, index)
        result.yield_(context.make_tuple(builder, native.yield_type, (key, value)))
        builder.store(builder.add(index, index.type(1)), walk.next)


@overload_method(DictType, "keys")
def _keys(row: Any) -> Any:
    return lambda row: keys_of(row)


@overload_method(DictType, "values")
def _values(row: Any) -> Any:
    return lambda row: values_of(row)


@overload_method(DictType, "items")
def _items(row: Any) -> Any:
    return lambda row: items_of(row)


@overload(len)
def _len(row: Any) -> Any:
    return (lambda row: len(keys_of(row))) if isinstance(row, DictType) else None


@overload(operator.contains)
def _contains(row: Any, value: Any) -> Any:
    return (lambda row, value: value in keys_of(row)) if isinstance(row, DictType) else None


@overload(operator.getitem, **OPTIONS)
def _getitem(row: Any, key: Any) -> Any:
    if not isinstance(row, DictType):
        return None

    def find(row: Any, key: Any) -> Any:
        index = 0
        for known in keys_of(row):
            if known == key:
                return values_of(row)[index]
            index += 1  # noqa: SIM113 - for the compiler
        raise KeyError("this key is not in the dict")

    return find


@overload_method(DictType, "get", **OPTIONS)
def _get(row: Any, key: Any, default: Any = None) -> Any:
    def find(row: Any, key: Any, default: Any = None) -> Any:
        index = 0
        for known in keys_of(row):
            if known == key:
                return values_of(row)[index]
            index += 1  # noqa: SIM113 - for the compiler
        return default

    return find


@overload(operator.eq, **OPTIONS)
def _eq(a: Any, b: Any) -> Any:
    """Compare a row of a table with a tuple, for example to find a pair among pairs."""
    if isinstance(b, TableType) and isinstance(a, types.UniTuple):
        return lambda a, b: b == a
    if not (isinstance(a, TableType) and isinstance(b, types.UniTuple) and a.ndim == 1):
        return None
    size = len(b)

    def same(a: Any, b: Any) -> bool:
        if len(a) != size:
            return False
        for k in range(size):  # noqa: SIM110 - for the compiler
            if a[k] != b[k]:
                return False
        return True

    return same


@lower_builtin("getiter", DictType)
def _iterate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    made = cgutils.create_struct_proxy(signature.args[0])(context, builder, value=args[0])
    walk = cgutils.create_struct_proxy(signature.return_type)(context, builder)
    walk.table = made.keys
    walk.next = cgutils.alloca_once_value(builder, context.get_constant(types.intp, 0))
    return walk._getvalue()
