"""Functions inside rules: keyword arguments and defaults work in machine code as in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.strategies.native.compiled import compiled

ROWS = [(1, 2, 3, 4), (-2, 5, 9, 8), (8, -3, 0, -3)]


def some_defaults(t: Any) -> Any:
    def h(x: int, y: int = 1, z: int = 2) -> int:
        return x + 10 * y + 100 * z

    return h(t[2], t[1]), h(t[0]), h(1, 2, t[3])


def by_name(t: Any) -> Any:
    h = lambda x, y=1, z=2: x + 10 * y + 100 * z  # noqa: E731 - as written
    return h(t[2], z=t[1]), h(z=t[0], x=t[1]), (lambda x, k=2, m=3: x * k - m)(t[0], t[1])


def by_name_only(t: Any) -> Any:
    def h(x: int, y: int = 4, *, z: int = 3) -> int:
        return x + y * z

    def g(x: int, *, z: int, w: int = 5) -> int:
        return x + z * w

    return h(t[2]), h(3, 4, z=9), g(1, z=t[0]), g(1, w=2, z=t[1])


def computed_defaults(t: Any) -> Any:
    d, out = abs(t[0]), 0

    def h(x: int, y: int = d, z: int = sum([t[0], t[1]])) -> int:
        return x + y * z

    d = 77
    for i in range(3):

        def g(x: int, k: int = i * 2 + t[0]) -> int:
            return x * k

        out += g(t[0]) + g(t[1], 2) + g(k=1, x=3)
    return h(t[2]), h(3, z=d), out


def one_calls_another(t: Any) -> Any:
    def h(x: int, k: int = 1) -> int:
        return k if x > 3 else x

    def g(x: int, y: int = 7) -> int:
        return h(x, k=y) + h(x)

    return g(t[0]), g(t[1], y=2)


@pytest.mark.parametrize(
    "rule", [some_defaults, by_name, by_name_only, computed_defaults, one_calls_another]
)
def test_arguments_are_bound_as_in_python(rule: Callable[..., Any]) -> None:
    native = compiled(rule)
    for t in ROWS:
        assert native(t) == rule(t)


def too_few(t: Any) -> Any:
    def h(x: int, y: int) -> int:
        return x

    return h(t[0])  # type: ignore[call-arg]


def unknown(t: Any) -> Any:
    def h(x: int, y: int = 1) -> int:
        return x

    return h(t[0], z=3)  # type: ignore[call-arg]


@pytest.mark.parametrize("rule", [too_few, unknown])
def test_arguments_that_do_not_fit_are_a_type_error(rule: Callable[..., Any]) -> None:
    for call in rule, compiled(rule):
        with pytest.raises(TypeError, match=r"\bh\b"):
            call(ROWS[0])
