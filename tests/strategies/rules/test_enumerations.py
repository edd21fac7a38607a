"""Enumerations: members, values, attributes, look-ups and operators."""

# Odd spellings are the matter of these tests.
# ruff: noqa: C416

from __future__ import annotations

from enum import IntEnum
from typing import Any

import pytest

from tests.strategies.rules.cases import Cases
from tests.strategies.rules.classes import Colour, Letter, Planet, Rank
from tests.strategies.rules.compared import function_of, refused

case = Cases()


@case(0, 1)
def members(n):
    c = Colour.RED if n else Colour.GREEN
    plain = (
        c,
        c.value,
        c.name,
        c.warm,
        c.other(),
        Colour.first(),
        Colour.after(n),
        c.after(n),
        c.first(),
    )
    alike = (
        c is Colour.RED,
        c == Colour.GREEN,
        c == 1,
        c != Colour.RED,
        bool(c),
        c in Colour,
        type(c) is Colour,
    )
    return (
        plain,
        alike,
        Colour.ALIAS,
        list(Colour),
        [x for x in Colour],
        len(Colour),
        c in (Colour.RED,),
    )


@case(1, 0, 2, 1.0, "b", "c", True, None, ((1, 2),), ((2, 1),))
def by_value(v):
    return Colour(v)


@case("ONE", "TWO", "x")
def by_name(name):
    return Rank[name], Rank["TEN"], Colour["ALIAS"]


@case("RED", "ALIAS", "x")
def by_alias(name):
    return Colour[name]


@case(1, 2, 10, 3, 1.0, 2.5, True)
def ints(n):
    r = Rank(n)
    numbers = (
        r + 1,
        r * 2,
        r - 1,
        1 - r,
        r + Letter.B,
        -r,
        r & 3,
        int(r),
        float(r),
        r.real,
        r.bit_count(),
    )
    alike = (
        r < 2,
        r == 2,
        r == Letter.A,
        r == n,
        r in (1, 2),
        max(r, Letter.B),
        min(Rank),
        sorted(Rank, reverse=True),
    )
    return r, r.value, r.name, numbers, alike, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10][r], range(r)


@case(1, 2)
def attributes(n):
    p = Planet.EARTH if n == 1 else Planet.MARS
    return (
        p.mass,
        p.r,
        p.gravity,
        p + 1,
        p < Planet.MARS,
        bool(p),
        1 if p else 2,
        p.value,
        sorted([Planet.MARS, p]),
    )


@case(1)
def own_operators(n):
    return Letter.A - Rank.TWO, 5 - Letter.A, Letter.A - Letter.B, Rank.ONE - Letter.B


@case(1)
def no_order(n):
    return Colour.RED < Colour.GREEN


@case(1)
def no_sum(n):
    return Colour.RED + 1


@case(1)
def no_attribute(n):
    return Colour.RED.foo


@case(1)
def no_member(n):
    return Colour.FOO


@case(Colour.RED, Colour.GREEN, Rank.ONE, Planet.MARS)
def arguments(m):
    return m, (m, m), [m], m.value


@case(1, 0)
def several(n):
    c = Colour.RED if n else Rank.TWO
    d = Rank.TWO if n else Colour.RED
    return c, d, c == d, c in (d, 1), (c, d) == (d, c), c.value, d.name, {c: 1, d: 2}[c]


@pytest.mark.parametrize("name", case.names())
def test_as_python(name: str) -> None:
    case.run(name)


def test_members_by_name_are_refused_with_advice() -> None:
    function = function_of("def f(n):\n    return len(C.__members__)", C=Planet)
    assert refused(function, 1) == "Planet.__members__ is not compiled: loop over Planet"


class Ordered(IntEnum):
    """Members whose `<` is not that of their numbers."""

    A = 1
    B = 2

    def __lt__(self, o: Any) -> bool:
        return int(self) > int(o)


@pytest.mark.parametrize("cls", [Ordered, Planet])
@pytest.mark.parametrize(
    "text", ["sorted([(n, a), (n, b)])", "(n, a) < (n, b)", "[a] > [b]", "max([n, [a]], [n, [b]])"]
)
def test_an_order_of_its_own_is_refused_inside_of_containers(cls: Any, text: str) -> None:
    function = function_of(f"def f(n):\n    a, b = C\n    return {text}", C=cls)
    told = refused(function, 1)
    assert "inside of a container is not compiled: write a key in its place, such as x.v" in told
