"""Local names that are read before they are bound: machine code raises what Python raises."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.strategies.native.compiled import compiled


def in_one_branch(a: int, b: int) -> int:
    if a > 0:
        x = 5
    return x + b


def in_a_loop(a: int, b: int) -> int:
    for k in range(a):
        last = k
    return last * 10 + k + b


def in_an_inner_loop(a: int, b: int) -> int:
    n = a
    while n > 0:
        if n == b:
            found = n
        n -= 1
    return found


def then_bound_anew(a: int, b: int) -> int:
    if a:
        t = 0
    t += b
    u = t
    t = 3
    return t + u


def a_row(a: int, b: int) -> int:
    if a > 0:
        row = [1, 2, 3]
    return row[b % 3]


def some(a: int, b: int) -> Iterator[int]:
    if a:
        t = 1
    yield b
    yield t + b


def in_a_generator(a: int, b: int) -> int:
    total = 0
    for x in some(a, b):
        total += x
    return total


def in_a_comprehension(a: int, b: int) -> int:
    if a > 0:
        best = 3
    return len([v for v in range(b) if a > 0 and v > best])


def in_a_sum(a: int, b: int) -> int:
    if a > 0:
        w = 2
    return sum(x * w for x in range(b))


def _max_3(a: int, b: int) -> int:
    if a > 0:
        x = 5
    return x + b


def bound_on_every_path(a: int, b: int) -> int:
    x = 1 if a > 0 else 2
    while True:
        y = x + b
        break
    return y


NAMES = ("x", "last", "found", "t", "row", "best", "w")
RULES = [
    in_one_branch,
    in_a_loop,
    in_an_inner_loop,
    then_bound_anew,
    a_row,
    in_a_generator,
    in_a_comprehension,
    in_a_sum,
    _max_3,
    bound_on_every_path,
]


def outcome(rule: Any, a: int, b: int) -> Any:
    """Return the value of a rule, or the exception with the name that it is about."""
    try:
        return rule(a, b)
    except NameError as error:
        return type(error), [name for name in NAMES if re.search(rf"\b{name}\b", str(error))]


@pytest.mark.parametrize("rule", RULES)
def test_an_unbound_name_raises_as_in_python(rule: Any) -> None:
    native = compiled(rule)
    for a in (0, 1, 3):
        for b in (0, 1, 2):
            assert outcome(native, a, b) == outcome(rule, a, b)
