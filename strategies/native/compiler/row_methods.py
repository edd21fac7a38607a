"""Comparisons, methods and builtins of rows that Numba has only for its own tuples and lists."""

from __future__ import annotations

import operator
from typing import Any

from numba import types

from games.u64 import U64
from strategies.native.compiler.layout import RowType
from strategies.native.compiler.parts import (
    OPTIONS,
    instruction,
    overload,
    overload_method,
    register_jitable,
)
from strategies.native.compiler.stand_ins import EXTREMES
from strategies.native.compiler.table_types import TableType
from strategies.native.compiler.tuple_ops import owned
from strategies.native.compiler.u64_type import word

ROWS = (RowType, TableType, types.UniTuple, types.List)
"""Types whose elements have one type and an index."""
ON_HEAP = (types.List, types.Set, types.DictType)
EXTENDING = (RowType, TableType, types.UniTuple, types.RangeType)
"""Types by which a list can be extended, apart from another list on the heap."""


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


@overload(operator.getitem, **OPTIONS)
def _at_bool(row: Any, index: Any) -> Any:
    """Read `row[a > b]`: a bool is an int in Python."""
    if isinstance(index, types.Boolean) and isinstance(row, ROWS):
        return lambda row, index: row[int(index)]
    return None


@overload(operator.setitem, **OPTIONS)
def _set_at(row: Any, index: Any, value: Any) -> Any:
    """Set `row[a > b] = x`, and `row[a:b] = [x, y]`, for which a list on the heap needs one of its
    type."""
    if not isinstance(row, types.List):
        return None
    if isinstance(index, types.Boolean):

        def set_at(row: Any, index: Any, value: Any) -> None:
            row[int(index)] = value

        return set_at
    if isinstance(index, types.SliceType) and isinstance(value, (RowType, types.UniTuple)):

        def set_part(row: Any, index: Any, value: Any) -> None:
            made = []
            for element in value:
                made.append(element)
            row[index] = made

        return set_part
    return None


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


@overload(next, **OPTIONS)
def _next_or(rows: Any, default: Any) -> Any:
    """Return the next element of a generator, or the default if it has none."""
    if not isinstance(rows, types.Generator):
        return None

    def next_or(rows: Any, default: Any) -> Any:
        for element in rows:
            return element
        return default

    return next_or


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
        raise ValueError("this value is not in the row")

    return index


@overload_method(RowType, "copy")
def _copy(row: Any) -> Any:
    return lambda row: row


@overload(sum, **OPTIONS)
def _sum(row: Any) -> Any:
    if isinstance(row, types.Set):
        kind = row.dtype if isinstance(row.dtype, types.Integer) else None
    else:
        kind = row.element if isinstance(row, TableType) and row.ndim == 1 else None
    if kind is None:
        return None
    zero: Any = U64(0) if kind == word else 0.0 if kind == types.float64 else 0

    def total_of(row: Any) -> Any:
        total = zero
        for element in row:
            total = total + element
        return total

    return total_of


@overload(operator.add, **OPTIONS)
def _joined(a: Any, b: Any) -> Any:
    """Join two lists, not both of which are Numba's or of known length."""
    kinds = {type(a), type(b)}
    if not kinds <= {types.List, RowType, TableType} or kinds in ({types.List}, {RowType}):
        return None
    if any(isinstance(row, TableType) and row.ndim > 1 for row in (a, b)):
        return None

    def joined(a: Any, b: Any) -> Any:
        made = []
        for element in a:
            made.append(element)
        for element in b:
            made.append(element)
        return made

    return joined


@instruction(operator.add)
def _joined_values(typing: Any, a: Any, b: Any) -> Any:
    """Join two lists of known length: Numba's own sum of them is a tuple, which nothing changes."""
    if not (isinstance(a, RowType) and isinstance(b, RowType) and a.dtype == b.dtype):
        return None
    native = RowType(a.dtype, a.count + b.count)

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        sizes = zip(args, signature.args, strict=True)
        parts = [builder.extract_value(row, k) for row, kind in sizes for k in range(kind.count)]
        return owned(context, builder, native, context.make_tuple(builder, native, parts))

    return native(a, b), build


@overload(operator.iadd, **OPTIONS)
def _extended(a: Any, b: Any) -> Any:
    if not (isinstance(a, types.List) and isinstance(b, EXTENDING)):
        return None

    def extended(a: Any, b: Any) -> Any:
        for element in b:
            a.append(element)
        return a

    return extended


WHOLE = {**OPTIONS, "forceinline": False}
"""Options of code with sets, which is long: it is called, not copied into each caller."""


def _with_set(operation: Any) -> None:
    @overload(operation, **WHOLE)
    def _of_set_and_row(a: Any, b: Any) -> Any:
        """Compare and combine a set that a rule makes with a constant one, which is a table."""
        if isinstance(a, types.Set) and isinstance(b, TableType) and b.ndim == 1:
            return lambda a, b: operation(a, _set_of(b))
        if isinstance(a, TableType) and isinstance(b, types.Set) and a.ndim == 1:
            return lambda a, b: operation(_set_of(a), b)
        return None


for _operation in (
    operator.le, operator.lt, operator.ge, operator.gt,
    operator.and_, operator.or_, operator.xor, operator.sub,
):  # fmt: skip
    _with_set(_operation)


@overload_method(TableType, "issubset", **WHOLE)
def _is_subset(row: Any, other: Any) -> Any:
    return lambda row, other: _set_of(row).issubset(_set_of(other))


@overload_method(TableType, "isdisjoint", **WHOLE)
def _is_disjoint(row: Any, other: Any) -> Any:
    return lambda row, other: _set_of(row).isdisjoint(_set_of(other))


@register_jitable(**WHOLE)
def _set_of(row: Any) -> Any:
    made = set()
    for element in row:
        made.add(element)
    return made


def _extreme(builtin: Any, sign: str) -> None:
    text = f"""
def extreme(row):
    best = row[0]
    for element in row:
        if element {sign} best:
            best = element
    return best
def extreme_on_heap(row):
    if len(row) == 0:
        raise ValueError('{builtin.__name__}() iterable argument is empty')
    empty = True
    for element in row:
        if empty:
            best, empty = element, False
        elif element {sign} best:
            best = element
    return best
def numbas(row):
    return builtin(row)
def extreme_of(*rows):
    best = rows[0]
    for row in rows:
        if row {sign} best:
            best = row
    return best
"""
    scope: dict[str, Any] = {"__name__": __name__, "builtin": builtin}
    exec(text, scope)

    @overload(builtin)
    def _overload_extreme(row: Any) -> Any:
        return scope["extreme"] if isinstance(row, TableType) and row.ndim == 1 else None

    @overload(EXTREMES[builtin], **OPTIONS)
    def _overload_extreme_of_one(row: Any) -> Any:
        return scope["extreme_on_heap" if isinstance(row, ON_HEAP) else "numbas"]

    @overload(builtin, **OPTIONS)
    def _overload_extreme_of(*rows: Any) -> Any:
        """Compare several tuples or lists of one type."""
        several = len(rows) > 1 and len(set(rows)) == 1
        return scope["extreme_of"] if several and isinstance(rows[0], types.BaseTuple) else None


_extreme(min, "<")
_extreme(max, ">")
