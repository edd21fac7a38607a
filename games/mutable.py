"""The parts of a position that a rule could change in place: lists, dicts, sets and arrays."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterator
from typing import Any, Final

from games.fields import record_fields

MUTABLE: Final = (list, dict, set, deque, bytearray, array)


def mutable_parts(state: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each part of a position that can be changed in place, with the name of its field.

    Cost: it looks at every part once.

    >>> from attrs import frozen
    >>> @frozen
    ... class Board:
    ...     cells: list
    ...     turn: int
    >>> list(mutable_parts(Board([0, 1], 0)))
    [('Board.cells', [0, 1])]
    """
    if fields := record_fields(state):
        for name, _ in fields:
            where = f"{path or type(state).__name__}.{name}"
            yield from mutable_parts(getattr(state, name, None), where)
    elif is_container(state):
        yield path or "the position", state
    elif isinstance(state, tuple):
        for index, part in enumerate(state):
            if type(part) is not int:
                yield from mutable_parts(part, f"{path or 'the position'}[{index}]")


def is_container(part: Any) -> bool:
    """Return whether a part is a list, dict, set, array or the like, which can be changed."""
    return isinstance(part, MUTABLE) or _is_writeable(part)


def is_mutable(state: Any) -> bool:
    """Return whether a part of a position can be changed in place."""
    return next(mutable_parts(state), None) is not None


def changed(path: str, part: Any) -> str:
    """Return what to say of a rule that changed this part."""
    kind = "NumPy array" if _is_writeable(part) else type(part).__name__
    instead = "frozenset" if isinstance(part, set) else "tuple"
    return (
        f"it changed {path}, a {kind}, in place: use a {instead}, or return a position with a new "
        f"{kind}"
    )


def _is_writeable(value: Any) -> bool:
    """Return whether a value is a NumPy array with elements."""
    return type(value).__module__ == "numpy" and bool(getattr(value, "shape", ()))
