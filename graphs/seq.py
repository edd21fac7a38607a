"""An immutable sequence whose tails and slices are windows into shared storage."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NoReturn, TypeVar, overload

from graphs.arguments import check_kind

T = TypeVar("T", covariant=True)


class Seq(Sequence[T]):
    """An immutable sequence: equal by value, hashable if its elements are, cheap to slice.

    Ensures: `len`, indexing and a slice of step 1 take O(1) work.  Such a slice is a window, which
    keeps the whole storage alive (``Seq(list(window))`` copies it).
    Source: the SEQUENCE signature of functional parallel programming.

    >>> cities = Seq(["Pittsburgh", "Boston", "Denver"])
    >>> len(cities), cities[0], cities[1:]
    (3, 'Pittsburgh', Seq(['Boston', 'Denver']))
    >>> cities[1:] == Seq(["Boston", "Denver"])
    True
    """

    __slots__ = ("_items", "_start", "_stop")

    _items: tuple[T, ...]
    _start: int
    _stop: int

    def __init__(self, items: Iterable[T] = ()) -> None:
        try:
            stored = tuple(items)
        except TypeError:
            check_kind(Iterable, "a row of elements, such as [1, 2]", items=items)
            raise
        _place(self, stored, 0, len(stored))

    def __len__(self) -> int:
        return self._stop - self._start

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Seq[T]: ...
    def __getitem__(self, index: int | slice) -> T | Seq[T]:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step != 1:
                return Seq(self[i] for i in range(start, stop, step))
            return self._window(self._start + start, self._start + max(start, stop))
        i, n = operator.index(index), len(self)
        if not -n <= i < n:
            raise IndexError(f"index {i} is outside a sequence of length {n}")
        return self._items[self._start + i % n]

    def __iter__(self) -> Iterator[T]:
        return map(self._items.__getitem__, range(self._start, self._stop))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Seq):
            return NotImplemented
        return len(self) == len(other) and all(map(operator.eq, self, other))

    def __hash__(self) -> int:
        return hash((Seq, tuple(self)))

    def __repr__(self) -> str:
        return f"Seq({list(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Seq, (tuple(self),)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a Seq is immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a Seq is immutable")

    def _window(self, start: int, stop: int) -> Seq[T]:
        """Return the window from `start` to `stop` of the storage, not of the sequence."""
        window = object.__new__(Seq)
        _place(window, self._items, start, stop)
        return window


def _place(seq: Seq[T], items: tuple[T, ...], start: int, stop: int) -> None:
    assign = object.__setattr__
    assign(seq, "_items", items)
    assign(seq, "_start", start)
    assign(seq, "_stop", stop)
