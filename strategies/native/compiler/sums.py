"""Sums of floats, equal to the last bit to those of the running Python.

Since 3.12, `sum` collects what each addition of two floats loses, and adds it at the end.
"""

from __future__ import annotations

import math
import sys
from typing import Any

from numba import types

from strategies.native.compiler.parts import OPTIONS, overload
from strategies.native.compiler.stubs import stub
from strategies.native.compiler.table_types import TableType

COMPENSATED = sys.version_info >= (3, 12)
"""Whether the running Python sums floats in this way."""

summed, lost, made_whole = map(stub, ("summed", "lost", "made_whole"))
FORMS: dict[str, Any] = {"_summed": summed, "_lost": lost, "_made_whole": made_whole}
"""The functions that rewritten sums call, by their names there."""


@overload(lost, **OPTIONS)
def _overload_lost(a: Any, b: Any) -> Any:
    """Return what `a + b` loses, by Neumaier; 0, if they are not both floats."""
    floats = [isinstance(kind, types.Float) for kind in (a, b)]
    if not all(floats):
        nothing = 0.0 if any(floats) else 0
        return lambda a, b: nothing

    def lost_by(a: Any, b: Any) -> float:
        total = a + b
        return (a - total) + b if abs(a) >= abs(b) else (b - total) + a  # type: ignore[no-any-return]

    return lost_by


@overload(made_whole, **OPTIONS)
def _overload_made_whole(total: Any, rest: Any) -> Any:
    if not isinstance(total, types.Float):
        return lambda total, rest: total
    return lambda total, rest: total + rest if math.isfinite(rest) else total


@overload(summed, **OPTIONS)
def _overload_summed(row: Any, begin: Any = None) -> Any:
    """Sum a row that has a name."""
    from_zero = begin is None or begin == types.none or getattr(begin, "value", 0) is None
    table = isinstance(row, TableType) and row.ndim == 1
    kind = row.element if table else getattr(row, "dtype", None)
    if not isinstance(kind, types.Float):
        if from_zero:
            return lambda row, begin=None: sum(row)
        return lambda row, begin=None: sum(row, begin)
    floats = from_zero or isinstance(begin, types.Float)
    first = 0.0 if from_zero else None

    def of_floats(row: Any, begin: Any = None) -> float:
        total, rest, plain = float(begin) if first is None else first, 0.0, not floats
        for element in row:
            if not plain:
                rest = rest + lost(total, element)
            total, plain = total + element, False
        return made_whole(total, rest)  # type: ignore[no-any-return]

    return of_floats
