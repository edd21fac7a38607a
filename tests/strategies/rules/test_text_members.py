"""Members of `StrEnum`, and of enumerations that mix `str` in, are texts wherever texts are."""

from __future__ import annotations

import itertools
from collections import Counter, deque
from enum import Enum, IntEnum, StrEnum
from typing import Any

import pytest

from tests.properties import DEEP
from tests.strategies.rules.compared import differences, function_of, refused


class Side(StrEnum):
    A = "a"
    B = "b"
    LONG = "long one"
    NONE = ""
    DIGIT = "7"

    def opposite(self) -> Side:
        return Side.B if self is Side.A else Side.A

    def lower(self) -> str:
        return "mine"


class Other(StrEnum):
    A = "a"
    Z = "z"


class Mixed(str, Enum):  # noqa: UP042 - that this works, too, is the matter
    A = "a"
    X = "x"
    ONE = 1


class Backward(StrEnum):
    A = "a"
    B = "b"

    def __lt__(self, o: str) -> bool:
        return len(self) + 1 > len(o)


class Plain(Enum):
    A = "a"
    B = "b"

    def bit_count(self) -> int:
        return 7


class One(IntEnum):
    X = 1
    Y = 2


class Two(IntEnum):
    X = 1
    Y = 2

    def __gt__(self, o: object) -> bool:
        return True

    def bit_length(self) -> int:
        return 40


CLASSES = Side, Other, Mixed, Backward, Plain, One, Two, Counter, deque
NAMES: dict[str, Any] = {
    **{cls.__name__: cls for cls in CLASSES},
    "TABLE": {"a": 1, "long one": 2},
    "SIDES": {Side.A: 1, Side.B: 2},
}
PAIRS = [
    *itertools.product(Side, [Side.A, Side.B, Side.NONE]),
    *((Mixed.A, "a"), (Mixed.ONE, "a"), (Other.A, Backward.A), (Other.Z, Backward.A)),
]
if DEEP:  # each pair of classes is compiled
    PAIRS += itertools.product([*Side, "a"], [Side.A, "a", Other.A])
    PAIRS += [(Mixed.A, Side.A), (Mixed.X, Mixed.A), (Side.A, Mixed.A), (Other.A, Side.A)]
TEXTS = [
    "x, x.value, type(x) is Side, isinstance(x, str), isinstance(x, Side), type(x + '')",
    "x == 'a', 'a' == x, x != 'b', x == y, x == Plain.A, x == 1, x is None, x is Side.A, x is y",
    "x < 'b', 'b' < x, x <= Other.Z, x >= y, max(x, y), sorted([x, 'c', 'aa']), x <= 'a' <= y",
    "len(x), bool(x), not x, x and 1, x or 2, x[0:], x[::-1], x[-1:], x[:0], type(x[:])",
    "[c for c in x], list(x), tuple(x), [*x, *y], list(zip(x, y)), list(reversed(x))",
    "list(enumerate(x)), next(iter(x), None), sorted(x), set(x) == {'a'}, deque(x), Counter(x)",
    "'a' in x, x in 'abc long one', x in ('a', 'b'), x in {'a', 'q'}, x in {'a': 1}, x in [y]",
    "x + y, x + 'q', 'q' + x, x * 2, 2 * x, x * True, x * 1",
    "f'{x}', f'{x!r}', f'{x!s:<4}|', str(x), repr(x), '%s-' % x, '%s %s' % (x, y), f'{x}{y}'",
    "x.upper(), x.lower(), x.find('o'), x.count('a'), x.startswith('l'), x.endswith(y), x.strip()",
    "x.replace('a', y), x.join(['p', 'q']), x.join([y, y]), '-'.join([x, y]), '-'.join((x, 'u'))",
    "'abca'.find(x), 'abca'.replace(x, y), 'ab'.startswith((x, y)), 'abc'.removeprefix(x)",
    "x.rjust(9, y or 'q'), x.zfill(4), x.isdigit(), x.title(), x.casefold(), str.upper(x)",
    "TABLE.get(x), TABLE.get(y, 9), x in TABLE, SIDES.get(x), SIDES.get('a'), SIDES.get(y)",
    "{x: 1, 'a': 2, y: 3}, {x, 'a', y}, {x: 1}.get('a', 5), {x: 1}.get(Side.A), {x} | {'a'}",
    "frozenset({x}) == frozenset({'a'}), {'a'} & {x}, {x} - {'a'}, Counter([x, y, 'a'])",
    "(x, 1) == ('a', 1), (x, 1) < ('b', 0), [x] == ['a'], [x, y].index(y), (x, y).count('a')",
    "sorted([x, y], key=len), ''.join([x]), type(''.join([x])), ''.join(m for m in (x, y))",
    "hasattr(x, 'upper'), hasattr(x, 'foo'), [*Side], [m.value for m in Mixed]",
    *("Side(x)", "Side('a'), Side(y)", "Side[x]", "Other(x)", "x[0]", "x + 1", "x < 1", "x - y"),
    *("int(x)", "float(x)", "ord(x)", "-x", "x.foo", "[1, 2][x]", "{'a': 1}[x]", "'abc'.index(x)"),
    "x.opposite() if isinstance(x, Side) else 0, x.name if not isinstance(x, str) else y",
]


def texts(text: str) -> Any:
    return function_of(f"def f(x, y):\n    return ({text})\n", **NAMES)


@pytest.mark.parametrize("text", TEXTS)
def test_a_member_is_the_text_that_it_equals(text: str) -> None:
    assert differences(texts(text), PAIRS) == []


BODIES = [
    """
    match x:
        case "a":
            r = 1
        case Side.B | "zz":
            r = 2
        case [*_]:
            r = 3
        case str(q):
            r = (4, q)
    match x, y:
        case (Side.A, "b"):
            return r, 1
        case (Side.A | Side.B, Other.A):
            return r, 2
        case (str(), Side()):
            return r, 3
    return r
""",
    """
    found = {}
    for m in (x, y, "a", "b"):
        found[m] = found.get(m, 0) + 1
    z = x if len(y) == 1 else "a"
    several = z, z == "a", z + "b", {z: 1}, z.upper(), [z, y], z < "b", len(z), f"{z}", z[:1]
    rest = [*x]
    rest += y
    rest.extend(x)
    return found, several, rest
""",
]


@pytest.mark.parametrize("body", BODIES)
def test_members_are_texts_in_statements(body: str) -> None:
    assert differences(function_of(f"def f(x, y):{body}", **NAMES), PAIRS) == []


def test_keys_of_arguments_that_are_members_are_found() -> None:
    f = texts("x.get(y), x.get('a'), x.get(Side.B), Side.A in x, len(x)")
    tables = [{Side.A: 1}, {Side.B: 2, "a": 3}, {"a": 4}, {Other.A: 5, Side.NONE: 6}]
    assert differences(f, itertools.product(tables, [Side.A, Side.B, "a", ""])) == []


MEMBERS = [
    *("One.X < Two.Y", "One.X > Two.Y", "Two.X > One.Y", "1 > Two.X", "1 < Two.X"),
    *("Backward.A < Backward.B", "'a' < Backward.A", "Backward.A < 'abc'", "Backward.B > 'abc'"),
    *("Other.A < Backward.A", "Backward.A < Other.A", "max(Backward.A, Backward.B)"),
    *("int.bit_length(Two(n)), Two(n).bit_length()", "str.lower(Side.B), Side.B.lower()"),
    *("One(n) is Two(n)", "One(n) == Two(n)", "Side.A is Other.A", "Plain.A.bit_count()"),
]


@pytest.mark.parametrize("text", MEMBERS)
def test_the_class_that_python_asks_first_says_what_operators_do(text: str) -> None:
    assert differences(function_of(f"def f(n):\n    return {text}\n", **NAMES), [(1,), (2,)]) == []


class Sized(Enum):
    A = 1

    def __len__(self) -> int:
        return 3


class Unlike(str, Enum):  # noqa: UP042 - a StrEnum refuses such members itself
    A = 1

    def __new__(cls, n: int) -> Unlike:
        made = str.__new__(cls, "one")
        made._value_ = n  # type: ignore[assignment]
        return made


@pytest.mark.parametrize(
    ("text", "x", "y", "sentence"),
    [
        ("f'{x:>3}'", Side.LONG, 0, "write x.value in it"),
        ("x.split(' ')", Side.LONG, 0, "write x.value.split"),
        ("x.partition('n')", Side.LONG, 0, "write x.value.partition"),
        ("str.split(x, ' ')", Side.LONG, 0, "write x.value.split"),
        ("[(x, 1) < (y, 2)]", Backward.B, Backward.A, "write a key in its place, such as x.value"),
        ("len(x)", Sized.A, 0, "__len__ is not compiled"),
        ("len(x)", Unlike.A, 0, "other texts than their values"),
    ],
)
def test_what_members_cannot_do_is_refused(text: str, x: Any, y: Any, sentence: str) -> None:
    assert sentence in refused(texts(text), x, y)
