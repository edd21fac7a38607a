"""Converts tuples, sets, dicts and arrays to rows of numbers as compiled rules store them."""

from __future__ import annotations

from typing import Any

import numpy as np

from games.u64 import U64
from strategies.native.compiler.table_types import STORED, TableType


def as_rows(value: Any) -> Any:
    """Return a NumPy array, or a list of arrays for rows of rows; None if the value is neither.

    >>> as_rows((1, 2.5)).dtype.name, as_rows(("a",)) is None
    ('float64', True)
    """
    if isinstance(value, np.ndarray):
        return np.ascontiguousarray(value) if value.dtype.name in STORED and value.ndim else None
    if isinstance(value, (list, set, frozenset)):
        value = tuple(value)
    if not isinstance(value, tuple):
        return None
    if value and all(isinstance(v, (tuple, list, set, frozenset, np.ndarray)) for v in value):
        rows = [as_rows(v) for v in value]
        if any(r is None or (isinstance(r, np.ndarray) and r.ndim != 1) for r in rows):
            return None
        if len({depth(r) for r in rows}) > 1:
            return None
        kinds = {leaf.dtype.name for leaf in leaves(rows) if leaf.size}
        wide = "float64" if "float64" in kinds else next(iter(kinds), "int64")
        return _widened(rows, wide) if len(kinds | {wide}) <= 2 else None
    return _numbers(value)


def depth(rows: Any) -> int:
    """Return how many indices lead to a number in `as_rows`."""
    return rows.ndim if isinstance(rows, np.ndarray) else 1 + depth(rows[0])


def leaves(rows: Any) -> list[Any]:
    """Return the rows of numbers in rows of rows."""
    if isinstance(rows, np.ndarray):
        return [rows]
    return [leaf for row in rows for leaf in leaves(row)]


def _widened(rows: Any, kind: str) -> Any:
    if isinstance(rows, np.ndarray):
        return rows.astype(kind)
    return [_widened(row, kind) for row in rows]


def as_pair(value: dict[Any, Any]) -> Any:
    """Return the keys and the values of a dict as rows; None if that is not possible."""
    keys, values = as_rows(tuple(value)), as_rows(tuple(value.values()))
    return None if keys is None or values is None or not value else (keys, values)


def _numbers(value: tuple[Any, ...]) -> Any:
    if all(isinstance(v, U64) for v in value) and value:
        return np.array([int(v) for v in value], dtype=np.uint64)
    if all(isinstance(v, bool) for v in value) and value:
        return np.array(value, dtype=np.bool_)
    if all(isinstance(v, (int, np.integer)) for v in value):
        try:
            return np.array([int(v) for v in value], dtype=np.int64)
        except OverflowError:
            return None
    if all(isinstance(v, (int, float, np.integer, np.floating)) for v in value):
        return np.array(value, dtype=np.float64)
    return None


LONG = 256
"""From this length on, a row whose length is a power of 2 has it in its type."""


def table_type(rows: Any, written: bool = False) -> TableType:
    """Return the type of `as_rows`; `written` if rules change it."""
    if not isinstance(rows, np.ndarray):
        return TableType(leaves(rows)[0].dtype.name, depth(rows))
    lookup = rows.ndim == 1 and rows.size >= LONG and rows.size & (rows.size - 1) == 0
    return TableType(rows.dtype.name, rows.ndim, rows.size if lookup else 0, written)


def store(rows: Any, kept: list[Any]) -> tuple[int, int]:
    """Return the address and length of a row; a row of rows holds those of its rows."""
    if isinstance(rows, np.ndarray) and rows.ndim == 1:
        kept.append(rows)
        return rows.__array_interface__["data"][0], len(rows)
    inner = [store(row, kept) for row in rows]
    pairs = np.array(inner, dtype=np.uint64).reshape(-1)
    kept.append((rows, pairs))
    return pairs.__array_interface__["data"][0], len(inner)
