"""Flags: `|`, `&`, `^`, `~`, `in`, truth, values, and the members that they are made of."""

from __future__ import annotations

import random
from collections.abc import Callable
from enum import CONFORM, KEEP, STRICT, Flag, IntEnum, IntFlag, auto
from typing import Any

import pytest

from strategies import compile_function
from tests.properties import DEEP
from tests.strategies.rules.compared import differences, function_of, refused


class Castling(Flag):
    WK = auto()
    WQ = auto()
    BK = auto()
    BQ = auto()
    ALL = WK | WQ | BK | BQ
    WHITE = WK | WQ

    def lost(self, o: Castling) -> Castling:
        return self & ~o

    @property
    def many(self) -> int:
        return self.value.bit_count()


class Access(IntFlag):
    R = 4
    W = 2
    X = 1
    NONE = 0
    RW = 6


class Gap(IntFlag):
    A = 1
    C = 8


class Backward(Flag):
    C = 8
    A = 1


class Strict(IntFlag, boundary=STRICT):
    A = 1
    B = 2
    D = 8


class Kept(Flag, boundary=KEEP):
    A = 1
    B = 4


class Number(IntEnum):
    X = 1
    Y = 3


VALUES = [
    *(Castling.WK, Castling.WHITE, Castling(0), Castling.ALL, Castling.BQ | Castling.WK),
    *(Access.R, Access(0), Access(7), Access(9), Access(64), Gap.A, Gap(9), Gap(2)),
    *(Backward.A, Backward.A | Backward.C, Strict.A, Strict(11), Kept.A, Kept(5), Kept(18)),
    *(0, 3, 5, -1, -3, True, Number.Y, None, 1.0, "a"),
]
CLASSES = Castling, Access, Gap, Backward, Strict, Kept, Number, Flag
NAMES: dict[str, Any] = {
    **{cls.__name__: cls for cls in CLASSES},
    "TABLE": {Castling.WK: 1, Castling.WHITE: 2, Castling(0): 3},
}


def flags(text: str) -> Any:
    return function_of(f"def f(x, y):\n    return ({text})\n", **NAMES)


MOST = 300 if DEEP else 40
"""Each pair of classes is compiled."""


def pairs(test: Callable[[Any, Any], bool]) -> list[tuple[Any, Any]]:
    found = [(x, y) for x in VALUES for y in VALUES if test(x, y)]
    return random.Random(1).sample(found, MOST) if len(found) > MOST else found


def alike(x: Any, y: Any) -> bool:
    return isinstance(x, Flag) and type(x) is type(y)


def unlike(x: Any, y: Any) -> bool:
    """Whether one is flags, which Python combines with the other, or says that it cannot."""
    both_ints = all(isinstance(z, IntFlag) for z in (x, y))
    return type(x) is not type(y) and not both_ints and any(isinstance(z, Flag) for z in (x, y))


OPERATORS = [
    *("x | y", "x & y", "x ^ y", "x in y", "x < y", "x + y", "x - y", "x == y, x != y", "y | x"),
]
READS = [
    "x, ~x, x.value, bool(x), not x, 1 if x else 2, x is y, x in [y, 1], type(x) is Access",
    "len(x), list(x), [m.value for m in x], sorted(m.value for m in x), max([m.value for m in x])",
    "{x: 1, y: 2}, len({x, y, Castling.WK, 1}), TABLE.get(x), [x, y].index(y), (x, y) == (y, x)",
    "isinstance(x, int), hasattr(x, 'value'), x and y, any(m == Castling.WK for m in x)",
    "Castling.WK | Castling.BQ, Castling.WHITE & ~Castling.WK, list(Castling), Castling['ALL']",
    *("int(x), f'{int(x):>3}', abs(x), -x, x << 1, bin(x)", "x.foo", "range(x)", "[1, 2, 3][x]"),
    *("x | Castling.WK", "x & ~Castling.WK", "x & 2", "x | 16", "16 | x", "x & -2", "x ^ -1"),
    *("True | x, x | True, Number.Y & x, x & Number.Y", "x[0]", "reversed(x)", "x == 5, 1 == x"),
    "x.lost(y), x.many",
]
CALLS = [f"{cls.__name__}(x)" for cls in (Castling, Access, Gap, Backward, Strict, Kept)]


@pytest.mark.parametrize("text", OPERATORS)
def test_operators_of_flags_are_those_of_python(text: str) -> None:
    assert differences(flags(text), [*pairs(alike), *pairs(unlike)]) == []


@pytest.mark.parametrize("text", READS)
def test_what_is_asked_of_flags(text: str) -> None:
    assert differences(flags(text), pairs(alike)) == []


@pytest.mark.parametrize("text", CALLS)
def test_flags_are_made_of_ints_within_their_boundary(text: str) -> None:
    assert differences(flags(text), [(n, 0) for n in (*range(-20, 20), True, Number.Y)]) == []


BODIES = [
    """
    match x:
        case Castling.WK:
            return 1
        case Castling.WQ | Castling.WHITE:
            return 2
        case Castling.BK | Castling.BQ | Access.R:
            return 3
        case Flag(value=9):
            return 5
""",
    """
    r = x
    r |= y
    r &= ~y
    r ^= x
    z = x if y else None
    first = None
    for m in x:
        first = m
    return r, z, [z], {z: 1}, z == x, first
""",
]


@pytest.mark.parametrize("body", BODIES)
def test_flags_in_statements(body: str) -> None:
    assert differences(function_of(f"def f(x, y):{body}", **NAMES), pairs(alike)) == []


ANY = [
    "x | y, x & y, x ^ y, ~x, x in y, bool(x), x.value, len(x), list(x), x == y, {x: 1}.get(y)",
    *("Any(n)", "x | n", "n & x", "TABLE.get(x), TABLE.get(y), x in TABLE"),
]


@pytest.mark.parametrize("seed", range(40 if DEEP else 6))
def test_any_class_of_flags(seed: int) -> None:
    """Of any boundary, with members of any bits, in any order; also keys of a fixed table."""
    chance = random.Random(seed)
    base, boundary = chance.choice([Flag, IntFlag]), chance.choice([STRICT, KEEP])
    bits = chance.sample(range(chance.choice([3, 8, 62])), chance.randint(1, 3))
    members = [(f"M{bit}", 1 << bit) for bit in bits]
    members += [("ALL", sum(1 << bit for bit in bits)), ("NONE", 0)][: chance.randint(0, 2)]
    chance.shuffle(members)
    made: Any = base("Any", members, boundary=boundary)  # type: ignore[call-overload]

    def number() -> int:
        return sum(1 << bit for bit in bits if chance.random() < 0.5)

    def value() -> Any:
        return made(number() | (chance.getrandbits(62) if boundary is KEEP else 0))

    values = [value() for _ in range(12)]
    names = {"Any": made, "TABLE": {x: i for i, x in enumerate(values[:6])}}
    numbers = [*range(-3, 9), *(number() for _ in range(9)), *(-number() for _ in range(9))]
    calls = [(chance.choice(values), chance.choice(values), n) for n in numbers]
    for text in ANY:
        f = function_of(f"def f(x, y, n):\n    return ({text})\n", **names)
        assert differences(f, calls) == [], text


def test_texts_of_flags_that_are_ints_are_their_digits() -> None:
    f = flags("f'{x}', f'{x:>4}', str(x), '%s-%d' % (x, x)")
    assert differences(f, [(x, 0) for x in VALUES if isinstance(x, IntFlag)]) == []


def test_flags_of_more_than_63_bits_are_too_wide() -> None:
    f = compile_function(flags("x & 3"))
    assert f(Access.R, 0) == Access(0)
    with pytest.raises(OverflowError):
        f(Access(1 << 63), 0)


class Named(Flag):
    A = 1
    BC = 6


class Conforming(Flag, boundary=CONFORM):
    A = 1


class Truthful(Flag):
    A = 1

    def __bool__(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("text", "x", "sentence"),
    [
        ("x.name", Castling.WK, "write x.value"),
        ("f'{x}'", Castling.WK, "write x.value"),
        ("repr(x)", Access.R, "write x.value"),
        ("x in Castling", Castling.WK, "write x.value"),
        ("x in Number", Access.R, "write x.value in (…), a tuple"),
        ("Castling(x)", 1.0, "write Castling(int(…))"),
        ("x | Access.R", Gap.A, "write x.value, or int(…)"),
        ("x", Named.A, "each bit of Named needs a member"),
        ("x", Conforming.A, "write STRICT or KEEP"),
        ("x", Truthful.A, "__bool__ is not compiled"),
    ],
)
def test_what_flags_cannot_do_is_refused(text: str, x: Any, sentence: str) -> None:
    assert sentence in refused(flags(text), x, 0)
