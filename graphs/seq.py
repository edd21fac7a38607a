"""An immutable sequence whose slices are windows into shared storage; its list and tree views."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Generic, NoReturn, TypeVar, overload

from attrs import frozen

from graphs.arguments import check_kind, shown
from graphs.errors import ArgumentError

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
        pairs = zip(self, other, strict=False)
        return len(self) == len(other) and all(x is y or x == y for x, y in pairs)

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


SEQ: Final = "a Seq, such as Seq([1, 2])"


@frozen
class Nil:
    """The list view of an empty sequence."""


@frozen
class Cons(Generic[T]):
    """The list view of a non-empty sequence: its first element, and its tail as a sequence."""

    head: T
    tail: Seq[T]


def showl(seq: Seq[T]) -> Nil | Cons[T]:
    """Return the list view of a sequence, one element deep.

    Ensures: ``showl(hidel(view)) == view``.  O(1) work, because the tail is a window.

    >>> match showl(Seq([3, 1, 2])):
    ...     case Cons(first, rest):
    ...         print(first, rest)
    ...     case Nil():
    ...         print("empty")
    3 Seq([1, 2])
    """
    if not isinstance(seq, Seq):
        check_kind(Seq, SEQ, seq=seq)
    return Cons(seq[0], seq[1:]) if seq else _NIL


def hidel(view: Nil | Cons[T]) -> Seq[T]:
    """Return the sequence that a list view shows.

    O(n) work, O(1) span.

    >>> hidel(Cons(3, Seq([1, 2])))
    Seq([3, 1, 2])
    """
    match view:
        case Cons(head, tail):
            return Seq((head, *tail))
        case Nil():
            return Seq()
    raise ArgumentError(f"view must be a Nil or a Cons, as showl returns, not {shown(view)}")


def to_list(seq: Seq[T]) -> list[T]:
    """Return the elements of a sequence as a list, read through list views.

    O(n) work and span, for any length, without recursion.

    >>> to_list(Seq("abc"))
    ['a', 'b', 'c']
    """
    found: list[T] = []
    while isinstance(view := showl(seq), Cons):
        found.append(view.head)
        seq = view.tail
    return found


@frozen
class Empty:
    """The tree view of an empty sequence."""


@frozen
class Leaf(Generic[T]):
    """The tree view of a sequence of one element."""

    value: T


@frozen
class Node(Generic[T]):
    """The tree view of a longer sequence: its halves as sequences."""

    left: Seq[T]
    right: Seq[T]


def showt(seq: Seq[T]) -> Empty | Leaf[T] | Node[T]:
    """Return the tree view of a sequence, one node deep; the right half may be longer by one.

    Ensures: ``hidet(showt(seq)) == seq``.  O(1) work, because the halves are windows.

    >>> showt(Seq([1, 2, 3]))
    Node(left=Seq([1]), right=Seq([2, 3]))
    """
    check_kind(Seq, SEQ, seq=seq)
    half = len(seq) // 2
    if half:
        return Node(seq[:half], seq[half:])
    return Leaf(seq[0]) if seq else _EMPTY


def hidet(view: Empty | Leaf[T] | Node[T]) -> Seq[T]:
    """Return the sequence that a tree view shows; its halves may have any lengths.

    O(n) work, O(1) span.

    >>> hidet(Node(Seq([1]), Seq([2, 3])))
    Seq([1, 2, 3])
    """
    match view:
        case Node(left, right):
            return Seq((*left, *right))
        case Leaf(value):
            return Seq([value])
        case Empty():
            return Seq()
    raise ArgumentError(
        f"view must be an Empty, a Leaf or a Node, as showt returns, not {shown(view)}"
    )


_NIL = Nil()
_EMPTY = Empty()
