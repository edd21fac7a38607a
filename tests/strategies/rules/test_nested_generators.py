"""Generators that use up others, whose frames lie inside theirs: re-entered, left, recursive."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from strategies import compile_function


def upto(n: int) -> Iterator[int]:
    k = 0
    while k < n:
        yield k
        k += 1


def falling(n: int) -> Iterator[int]:
    for k in upto(n):
        yield n - k
    n = 0


def pairs(n: int) -> Iterator[tuple[int, int]]:
    for a in upto(n):
        for b in upto(a + 1):
            yield a, b


def left_early(n: int) -> Iterator[int]:
    for a in upto(n):
        for b in upto(9):
            if b > a:
                break
            yield 10 * a + b


def after_one_another(n: int) -> Iterator[int]:
    for a in upto(n):
        yield 2 * a
    yield from falling(n)
    yield from upto(n // 2)


def deep(n: int) -> Iterator[int]:
    yield n
    if n > 0:
        for k in deep(n - 1):
            yield k
            for j in upto(k % 3):
                yield 100 * j


def filtered(n: int) -> Iterator[int]:
    yield from (a * b for a, b in pairs(n) if (a + b) % 2)
    for x in (y + 1 for y in falling(n)):
        yield 3 * x


def failing(n: int) -> Iterator[float]:
    for k in upto(n):
        yield 12 / (2 - k)


def kept(n: int) -> Iterator[int]:
    """One generator is kept in a variable, and goes on in the next loop."""
    left = upto(n)
    for a in left:
        if a == n // 2:
            break
        yield a
    for b in left:
        yield -b


GENERATORS: list[Callable[[int], Iterator[Any]]] = [
    pairs, left_early, after_one_another, deep, filtered, falling, kept,
]  # fmt: skip


@pytest.mark.parametrize("generator", GENERATORS, ids=lambda g: g.__name__)
def test_a_generator_yields_what_python_yields(generator: Callable[[int], Iterator[Any]]) -> None:
    def listed(n: int) -> Any:
        return list(generator(n))

    def twice(n: int) -> Any:
        """Two of them run in turn, each with frames of its own."""
        found = []
        for a, b in zip(generator(n), generator(n + 1), strict=False):
            found.append((a, b))
        return found

    for function in (listed, twice):
        native = compile_function(function)
        for n in (0, 1, 4, 7):
            assert native(n) == function(n)


def test_an_error_inside_ends_all_of_them() -> None:
    def tried(n: int) -> Any:
        found = []
        try:
            for x in failing(n):
                found.append(x)
        except ZeroDivisionError:
            found.append(-1.0)
        return found

    native = compile_function(tried)
    for n in (1, 2, 3, 5):
        assert native(n) == tried(n)
