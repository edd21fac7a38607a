"""Bulk operations on sequences, with the work and span of the parallel algorithm.

Work is the number of steps, and span the length of the longest chain of dependent steps; both count
one call of a given function as one step.  The code itself runs in one thread.  To run the calls as
tasks, evaluate a list of them by a strategy.  Some names are those of builtins, so write ``from
graphs import bulk`` and ``bulk.map``.
Source: the cost model of Blelloch's NESL.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import TypeVar

from graphs.errors import MalformedError
from graphs.seq import Seq

S = TypeVar("S")
T = TypeVar("T")


def tabulate(f: Callable[[int], T], n: int) -> Seq[T]:
    """Return the sequence ``f(0), f(1), …, f(n - 1)``.

    Requires: n >= 0.  O(n) work, O(1) span.
    Raises: ValueError if n is negative.

    >>> tabulate(lambda i: i * i, 4)
    Seq([0, 1, 4, 9])
    """
    if n < 0:
        raise MalformedError(f"n must be 0 or more, not {n}")
    return Seq(builtins.map(f, range(n)))


def map(f: Callable[[S], T], seq: Seq[S]) -> Seq[T]:
    """Return the sequence of the results of `f` for each element.

    O(n) work, O(1) span.

    >>> map(str, Seq([1, 2]))
    Seq(['1', '2'])
    """
    return Seq(builtins.map(f, seq))


def zip(left: Seq[S], right: Seq[T]) -> Seq[tuple[S, T]]:
    """Return the pairs of elements at equal indices, as many as the shorter sequence has.

    O(n) work, O(1) span.

    >>> zip(Seq([1, 2]), Seq("abc"))
    Seq([(1, 'a'), (2, 'b')])
    """
    return Seq(builtins.zip(left, right, strict=False))


def append(left: Seq[T], right: Seq[T]) -> Seq[T]:
    """Return the elements of `left`, then those of `right`.

    O(m + n) work, O(1) span.

    >>> append(Seq([1]), Seq([2, 3]))
    Seq([1, 2, 3])
    """
    return Seq((*left, *right))


def flatten(rows: Seq[Seq[T]]) -> Seq[T]:
    """Return the concatenation of the rows.

    O(m + n) work and O(log m) span for m rows of n elements in all.

    >>> flatten(Seq([Seq([1]), Seq(), Seq([2, 3])]))
    Seq([1, 2, 3])
    """
    return Seq(x for row in rows for x in row)


def filter(keep: Callable[[T], object], seq: Seq[T]) -> Seq[T]:
    """Return the elements for which `keep` is true, in order.

    O(n) work, O(log n) span.

    >>> filter(lambda x: x % 2, Seq([1, 2, 3]))
    Seq([1, 3])
    """
    return Seq(builtins.filter(keep, seq))


def split(seq: Seq[T], k: int) -> tuple[Seq[T], Seq[T]]:
    """Return the first k elements and the others, both as windows into the same storage.

    Requires: 0 <= k <= n.  O(1) work.
    Raises: ValueError otherwise.

    >>> split(Seq([1, 2, 3]), 1)
    (Seq([1]), Seq([2, 3]))
    """
    if not 0 <= k <= len(seq):
        raise MalformedError(f"a sequence of length {len(seq)} cannot be split at {k}")
    return seq[:k], seq[k:]


def reduce(f: Callable[[T, T], T], zero: T, seq: Seq[T]) -> T:
    """Return the elements combined by `f` as a balanced tree, whose halves are those of `showt`.

    Requires: `f` is associative, for a result that does not depend on the grouping.  `zero` is the
    result for an empty sequence, and is not used for others.  O(n) work, O(log n) span.

    >>> reduce(lambda a, b: f"({a}{b})", "", Seq("abcde"))
    '((ab)(c(de)))'
    """

    def combine(start: int, stop: int) -> T:
        if stop - start == 1:
            return seq[start]
        half = (start + stop) // 2
        return f(combine(start, half), combine(half, stop))

    return combine(0, len(seq)) if seq else zero


def scan(f: Callable[[T, T], T], zero: T, seq: Seq[T]) -> tuple[Seq[T], T]:
    """Return the combination of all elements before each index, and that of all elements.

    The algorithm is contraction.

    Requires: `f` is associative and `zero` its identity.  O(n) work, O(log n) span.

    >>> scan(lambda a, b: a + b, 0, Seq([1, 2, 3, 4]))
    (Seq([0, 1, 3, 6]), 10)
    """
    n = len(seq)
    if n <= 1:
        return Seq([zero] * n), reduce(f, zero, seq)
    pairs = tabulate(lambda i: f(seq[2 * i], seq[2 * i + 1]), n // 2)
    before, total = scan(f, zero, append(pairs, seq[n - n % 2 :]))
    return tabulate(lambda i: f(before[i // 2], seq[i - 1]) if i % 2 else before[i // 2], n), total
