"""Views of a sequence as a list or as a balanced tree, for pattern matching with `match`."""

from __future__ import annotations

from typing import Final, Generic, TypeVar

from attrs import frozen

from graphs.arguments import check_kind, shown
from graphs.errors import ArgumentError
from graphs.seq import Seq

T = TypeVar("T")
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
