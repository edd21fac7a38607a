"""Changes of slices of a list, written in Python."""

from __future__ import annotations

from typing import Any


def put_slice(self: Any, first: int, step: int, many: int, values: Any) -> None:
    """Do `self[slice] = values`, where the slice has many elements from the first on."""
    new = list(values)
    if step == 1:
        last, n = first + many, len(self)  # making the list may have changed this one
        kept = self[: min(first, n)] + new + self[max(first, last) :]
        self.clear()
        self.extend(kept)
        return
    if len(new) != many:
        raise ValueError("a slice with a step takes as many values as it has elements")
    for i in range(many):
        self[first + i * step] = new[i]


def delete_slice(self: Any, first: int, step: int, many: int) -> None:
    """Do `del self[slice]`, where the slice has many elements from the first on."""
    if many == 0:
        return
    gone = range(first, first + step * (many - 1) + (1 if step > 0 else -1), step)
    kept = [self[i] for i in range(len(self)) if i not in gone]
    self.clear()
    self.extend(kept)
