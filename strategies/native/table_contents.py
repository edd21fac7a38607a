"""What tables and games hold, to see later whether they have changed."""

from __future__ import annotations

import hashlib
import sys
from array import array
from collections import deque
from collections.abc import Iterator
from operator import is_
from typing import Any

import attrs

from games.attributes import attributes, beyond_fields
from games.fields import WithFields

ROWS = (tuple, list, set, frozenset, deque, array, bytearray)
NESTED_ROWS = 100
"""The most levels of rows in rows that are read as numbers, so that rows in themselves are not."""


def same(row: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Return whether two rows have the same objects."""
    return len(row) == len(other) and all(map(is_, row, other))


def is_array(value: Any) -> bool:
    """Return whether a value is a NumPy array, or a number of NumPy, whose bytes are its value."""
    numbers = type(value).__module__ == "numpy" and hasattr(value, "tobytes")
    return numbers and not value.dtype.hasobject


def holds_numbers(value: Any) -> bool:
    """Return whether rules can read a value: numbers, and rows of them.  Caches that hold other
    things change while a process runs."""
    level = [value]
    for _ in range(NESTED_ROWS):
        inside: dict[int, Any] = {}
        for part in level:
            if isinstance(part, (dict, *ROWS)):
                held = () if one_kind(part) is not None else tuple(part)
                held += tuple(part.values()) if isinstance(part, dict) else ()
                inside |= {id(x): x for x in held}
            elif not isinstance(part, (int, float)) and not is_array(part):
                return False
        if not inside:
            return True
        level = list(inside.values())
    return False


def one_kind(row: Any) -> Any:
    """Return the type of the numbers of a row, if they have one; None for any other row."""
    kinds = set(map(type, row))
    kind = kinds.pop() if len(kinds) == 1 else None
    return kind if kind is not None and issubclass(kind, (int, float)) else None


def contents(table: Any) -> tuple[Any, ...]:
    """Return the numbers in a table or a game, to be compared by identity with those at another
    time.

    Arrays that are fields of a record are left out if machine code reads their own memory.

    >>> row = [1.5, (2, 3)]
    >>> before = contents(row)
    >>> row[0] = 2.5
    >>> same(contents(row), before)
    False
    """
    found: list[Any] = []
    left = [table]
    seen: dict[int, Any] = {}  # it keeps the parts, so that no other can have the id of one
    while left:
        part = left.pop()
        if id(part) in seen:  # parts may hold each other
            found.append(part)
            continue
        seen[id(part)] = part
        if isinstance(part, dict):
            left += (list(part), list(part.values()))
        elif isinstance(part, (tuple, frozenset)) and one_kind(part) is not None:
            found.append(part)
        elif isinstance(part, ROWS):
            row = tuple(part)
            found += (type(part), sys.intern(str(len(row))))
            if one_kind(row) is not None:
                found += row
            else:
                left += row
        elif attrs.has(type(part)):
            found.append(type(part))
            for value in _values(part):
                (found if _shared(value) else left).append(value)
            if more := beyond_fields(part):
                left.append(more)
        elif isinstance(part, WithFields):  # of a plain class
            found.append(type(part))
            left.append(attributes(part))
        elif is_array(part):
            elements = hashlib.sha256(part.tobytes()).hexdigest()
            found.append(sys.intern(f"{part.dtype}{part.shape}{elements}"))
        else:
            found.append(part)
    return tuple(found)


def _values(record: Any) -> Iterator[Any]:
    return (getattr(record, f.name, None) for f in attrs.fields(type(record)))


def _shared(value: Any) -> bool:
    """Return whether machine code reads the elements of a field where they are."""
    return is_array(value) and bool(value.flags.c_contiguous)
