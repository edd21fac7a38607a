"""A variable that inner functions share counts as not bound only where that may be."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from tests.strategies.rules.compared import differences, function_of, refused

STATEMENTS = "def g(x): return x + m", "m = n", "found.append(g(1))", "h = lambda x: g(x) + m"


def in_order(statements: tuple[str, ...]) -> Any:
    lines = ["found = []", *statements, "found.append(h(2))", "return found"]
    return function_of("def f(n):\n" + "".join(f"    {line}\n" for line in lines))


@pytest.mark.parametrize("statements", list(permutations(STATEMENTS)))
def test_a_name_is_unbound_where_it_is_in_python(statements: tuple[str, ...]) -> None:
    assert not differences(in_order(statements), [(3,)])


def itself(s: Any) -> Any:
    def deep(n: Any) -> Any:
        return n == 2 if n <= 2 else deep(n - 1)

    return any(deep(x) for x in s)


def by_a_lambda(s: Any) -> Any:
    deep = lambda n: n == 2 if n <= 2 else deep(n - 1)  # noqa: E731

    return any(deep(x) for x in s)


def each_other(s: Any) -> Any:
    def even(n: Any) -> Any:
        return n <= 0 or odd(n - 1)

    def odd(n: Any) -> Any:
        return n > 0 and even(n - 1)

    return all(even(x) for x in s)


def bound_again(s: Any) -> Any:
    best = 0
    for y in (1, 2):
        best = max(best, y)

    def above(x: Any) -> Any:
        return x > best

    return any(above(x) for x in s)


def bound_on_both_ways(s: Any) -> Any:
    if len(s) > 1:
        m = 1
        first = 0
    else:
        first = m = 2
    m += first
    above = lambda x: x > m  # noqa: E731
    return any(above(x) for x in s)


def bound_in_a_comprehension(s: Any) -> Any:
    return [any((lambda x: x > y)(x) for x in s) for y in (1, 2)]


@pytest.mark.parametrize(
    "function",
    [itself, by_a_lambda, each_other, bound_again, bound_on_both_ways, bound_in_a_comprehension],
)
def test_what_is_bound_cannot_fail(function: Any) -> None:
    """Else `any`, which may end before a step that fails, would not be compiled over a set."""
    assert not differences(function, [({1, 2, 4},), (set(),)])


def bound_on_one_way(s: Any) -> Any:
    if len(s) > 1:
        m = 1

    def above(x: Any) -> Any:
        return x > m

    return any(above(x) for x in s)


def called_before(s: Any) -> Any:
    def above(x: Any) -> Any:
        return x > m

    first = len(s) > 5 and above(1)
    m = 2
    return first or any(above(x) for x in s)


@pytest.mark.parametrize("function", [bound_on_one_way, called_before])
def test_what_may_be_unbound_may_fail(function: Any) -> None:
    assert "before a step that fails" in refused(function, {1, 2})


READ = [
    *("[y for x in s]", "{x for x in s if y}", "{x: y for x in s}", "[x for x in range(y)]"),
    *("list(y for x in s)", "[[y for x in s] for _ in s]", "[z for x in s for z in range(y)]"),
    *("[y := y + x for x in s]", "[[x for x in range(y)] for _ in s]"),
    *("(lambda: [y for x in s])()", "list([y for x in s] for _ in s)"),
    "[w for x in s if x and [w for w in s] and w for w in s]",
    *("[[w for x in s] for _ in s for w in s if w]", "[[w for x in s] + [w] for _ in s if w]"),
]


@pytest.mark.parametrize("read", READ)
def test_the_error_of_an_unbound_name_in_a_comprehension_is_pythons(read: str) -> None:
    """Its type depends on the version of Python, too."""
    text = f"""
    if n > 1:
        y = n
    if n > 2:
        w = n
    try:
        found = {read}
    except UnboundLocalError:
        return 'own'
    except NameError:
        return 'free'
    return found
"""
    assert not differences(function_of("def f(s, n):" + text), [([0, 1], n) for n in (0, 2, 3)])
