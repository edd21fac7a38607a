"""Operators and functions that call special methods of the user's classes."""

# Odd spellings are the matter of these tests.
# ruff: noqa: SIM300, RUF005, E711, C416, B905, UP031, F507

from __future__ import annotations

import pytest

from tests.strategies.rules.cases import Cases
from tests.strategies.rules.classes import Colour, Left, Letter, Modular, Odd, Right, Total, Vector
from tests.strategies.rules.compared import refused

case = Cases()


@case(3)
def operators(n):
    p = Vector(n, 1)
    return p + p, p * 2, 2 * p, -p, abs(p), p(2), p(2, b=1), p(b=1, a=2)


@case(3)
def containers(n):
    p = Vector(n, 1)
    a, *b = p
    read = len(p), p[0], p[n - 2], list(p), tuple(p), sum(p), [x for x in p], [*p], (*p, 7), max(p)
    truth = bool(p), 1 if Vector(0) else 2, (Vector(0) or 5), (p and 6), not p
    return read, truth, a, b, 3 in p, 9 in p, 9 not in p, sorted(p), list(zip(p, p))


@case(3)
def in_place(n):
    p = Vector(n)
    for _ in range(n):
        p += Vector(n, 1)
        p *= 2
    return p


@case(3)
def not_implemented(n):
    return Vector(n) + 1


@case(3)
def not_defined(n):
    return Vector(n) - 1


@case(3)
def not_ordered(n):
    return Vector(n) < Vector(n)


@case(3)
def fails_inside(n):
    return Vector(n)[5]


@case(3)
def own_equality(n):
    return (
        Modular(n) == Modular(13),
        Modular(n) == 23,
        13 == Modular(n),
        Modular(n) != 4,
        Modular(n) == None,
    )


@case(3)
def own_order(n):
    a = Total(n)
    return (
        a < Total(4),
        a <= Total(3),
        a > Total(2),
        a >= Total(4),
        a == n,
        a != Total(4),
        max(Total(1), a),
    )


@case(3)
def order_with_others(n):
    return Total(n) < n


@case(3)
def other_order_with_others(n):
    return Total(n) >= n


@case(3)
def reflected(n):
    odd = 1 + Odd(n), (1,) + Odd(n), 1.5 + Odd(n), [1] + Odd(2), None + Odd(2)
    rest = 5 % Odd(n), (1,) % Odd(n), 2.5 // Odd(n)
    both = Left(1) + Right(1), Right(1) + Left(1), Left(1) + 1, 1 + Left(1), Right(1) + Right(1)
    order = Left(1) < Right(1), Right(1) < Left(1), Left(1) > 5, 5 > Left(1), Left(2) < Left(1)
    return odd, rest, both, order


@case(3)
def reflected_in_vain(n):
    return 1 - Odd(n)


@case(3)
def reflected_after_a_format(n):
    return "a" % Odd(n)


@case(5, 5.0, Odd(3), Letter.B, Colour.RED)
def quotient_and_rest(x):
    return divmod(x, 2)


@case(5, 5.0, Odd(3), Letter.B)
def rest_of_a_quotient(x):
    return divmod(7, x), x % 2


@case(3)
def truth_of_an_int(n):
    return 1 if Odd(n) else 2


@case(3)
def comparison_of_any_kind(n):
    return Odd(n) < Odd(n), Odd(0) < 5 < (1 // 0), 5 > Odd(n)


@case(3)
def chain_goes_on(n):
    return Odd(1) < 5 < (1 // 0)


@pytest.mark.parametrize("name", case.names())
def test_as_python(name: str) -> None:
    case.run(name)


def test_own_equality_inside_of_containers_is_refused() -> None:
    assert "own ==" in refused(lambda n: Modular(n) in [Modular(13)], 3)
