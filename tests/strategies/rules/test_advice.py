"""A refusal says what to write instead."""

from __future__ import annotations

import bisect
import builtins
import collections
import copy
import enum
import functools
import heapq
import math
import operator
import random
import re
import time
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace
from typing import NamedTuple

import attrs
import numpy as np
import pytest

from strategies import compile_function
from strategies.rules.builtins.declared import FUNCTIONS
from strategies.rules.language.messages import FUNCTION_ADVICE, SYNTAX_ADVICE, Refusal
from tests.strategies.rules.compared import check, function_of, refused


class Box:
    def __init__(self) -> None:
        self.n = 0

    def add(self, k: int) -> None:
        self.n += k


@attrs.define
class Defined:
    n: int = 0


@dataclass
class Data:
    n: int = 0


class Row(list[int]):
    pass


@attrs.frozen
class Place:
    x: int = 0


@attrs.frozen
class Cached:
    n: int = 0

    @functools.cached_property
    def twice(self) -> int:
        return self.n * 2


@attrs.frozen
class Near:
    n: int = attrs.field(default=0, eq=attrs.cmp_using(eq=lambda a, b: abs(a - b) < 2))


@attrs.frozen
class Items:
    of: tuple[int, ...] = (1, 2, 3)

    def __getitem__(self, i: int) -> int:
        return self.of[i]


@attrs.frozen
class Whole:
    n: int = 3

    def __index__(self) -> int:
        return self.n


class Sub(Place):
    def before(self) -> object:
        return super(Sub, self).before()  # type: ignore[misc]  # noqa: UP008


class Down(NamedTuple):
    n: int = 1

    def __lt__(self, other: object) -> bool:
        return False


class Rank(enum.Enum):
    LOW = 1
    HIGH = 2

    @classmethod
    def _missing_(cls, value: object) -> Rank:
        return cls.LOW


class Colour(enum.Enum):
    RED = 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Colour) and self.value == other.value

    def __hash__(self) -> int:
        return 1


@functools.singledispatch
def chosen(x: object) -> int:
    return 0


NAMES = {
    **{f.__name__: f for f in (Box, Defined, Data, Row, Place, Fraction, Decimal)},
    **{f.__name__: f for f in (Cached, Near, Items, Rank, Colour, Whole, Sub, Down)},
    **{m.__name__: m for m in (bisect, collections, copy, functools, heapq, math)},
    **{m.__name__: m for m in (operator, random, re, time)},
    "KEY": functools.cmp_to_key(max),
    "TABLE": np.zeros((2, 2)),
    "RNG": random.Random(3),
    "chosen": chosen,
    "namespace": SimpleNamespace(n=1),
}
CALLS = {
    "Box()": "Box is not compiled: its objects change; write its fields under attrs' @frozen",
    "Defined()": "write attrs' @frozen above it, and evolve(x, name=…) for a changed copy",
    "Data()": "write @dataclass(frozen=True) above it, and replace(x, name=…)",
    "Row()": "write a list, and functions of it",
    "Cached(x).twice": "Cached.twice is not compiled: write @property in the place of",
    "Near(x) == Near(1)": "cmp_using(…) of Near.n is not compiled: write a function of the value",
    "Near(x) in {Near(1)}": "it does not compare n as it is: write a key in its place",
    "Items()[1:]": "a slice of Items is not compiled: write a method, or slice what is in a field",
    "Rank(x).value": "Rank._missing_ is not compiled: write a dict of the values, or `if`",
    "Colour.RED == Colour(x)": "Colour.__eq__ is not compiled; leave it out, and compare x.value",
    "int(Whole())": "Whole.__index__ is not compiled; give it a plain name, and call it by",
    "Sub().before()": "super is not compiled: call it without arguments, in a method",
    "sorted([Down()])": "Down.__lt__ is not compiled; give it a plain name, and call it by that",
    "operator.methodcaller('conjugate')(x)": "write a lambda, as in lambda x: x.method()",
    "range(x).index(2)": "the method index of range is not compiled: write tuple(…).index(x)",
    "range(x)[1:]": "write tuple(range(…))[…]",
    "range(x) == range(3)": "comparing ranges is not compiled; compare lists",
    "'%x' % x": "`%` of a text is compiled with %s and %d alone; write an f-string",
    "(lambda **k: k['a'])(a=x)": "`**k` is only passed on, as `**k`; name what is used",
    "'a'.translate(str.maketrans({'a': 'b'}))": "write the dict itself",
    "slice(0, 1)": "as in x[a:b]",
    "setattr(Place(), 'x', 1)": "return a changed copy, evolve(record, name=…)",
    "vars(Place())": "as in x.name",
    "open('a')": "read the file before, into a table of the module",
    "input()": "rules may read nothing but their arguments",
    "print(x)": "leave it out, or look at the rules while they run in Python",
    "id(x)": "compare them with `is` or `==`",
    "callable(x)": "leave the test out",
    "complex(1, 2)": "a tuple of two floats",
    "Fraction(1, 2)": "a tuple of two ints",
    "Decimal(2)": "an int of the smallest unit",
    "chosen(x)": "chosen under singledispatch is not compiled: write `match`",
    "heapq.nlargest(2, [1, 2, 3])": "write sorted(…, reverse=True)[:n]",
    "sorted([x], key=functools.cmp_to_key(max))": "write a key that sorts so",
    "sorted([x], key=KEY)": "write a key that sorts so",
    "math.frexp(2.5)": "the mantissa and the exponent as two numbers",
    "list(TABLE)[:, x]": "a slice beside another index is not compiled: write the elements",
    "TABLE[..., x]": "or each index of an array",
    "collections.deque([x], 3).maxlen": "maxlen of deque[int] is not compiled; keep it",
    "collections.defaultdict(int).default_factory": "the attribute default_factory of",
    "[x].append": "a result of the kind method is not compiled: return numbers",
    "[x for x in [lambda: x]]": "a result of the kind function is not compiled: return numbers",
    "list(heapq.merge([1], [2]))": "write sorted(chain(…))",
    "collections.OrderedDict()": "a dict, which keeps its keys in order",
    "collections.namedtuple('A', 'b')": "class Pair(NamedTuple)",
    "random.choice([1, 2])": "chance is a rule of its own, outcomes(state)",
    "RNG.randint(1, 2)": "chance is a rule of its own, outcomes(state)",
    "time.time()": "a rule must give the same each time it is called",
    "copy.deepcopy([[1]])": "of the rest, write list(…), set(…) or dict(…)",
    "re.match('a', 'b')": "use the methods of str",
    "'a'.encode()": "write tuple(map(ord, text))",
    "(3).to_bytes(2, 'big')": "shift and mask",
    "(3).__add__(4)": "write the operator",
    "b'a'": "write a text, or a tuple of ints",
}


@pytest.mark.parametrize("call", CALLS)
def test_a_call_is_refused_with_advice(call: str) -> None:
    assert CALLS[call] in refused(function_of(f"def f(x):\n    return {call}", **NAMES), 1)


VALUES_OF_YIELD = {
    "n += yield from g(x)": "write it on a line of its own, x = yield from …",
    "n = (yield from g(x)) + 1": "write it on a line of its own, x = yield from …",
    "n += yield x": "write it on a line of its own; its value is None",
}


@pytest.mark.parametrize("line", VALUES_OF_YIELD)
def test_what_yield_gives_is_taken_in_a_line_of_its_own(line: str) -> None:
    text = (
        "def g(x):\n    yield x\n    return x\n"
        f"def h(x):\n    n = 1\n    {line}\n    yield n\n"
        "def f(x):\n    return list(h(x))"
    )
    assert VALUES_OF_YIELD[line] in refused(function_of(text), 1)
    check(function_of(text.replace(line, "n = yield from g(x)")), (3,))


def test_every_syntax_that_is_not_compiled_has_advice() -> None:
    assert all(instead for _, instead in SYNTAX_ADVICE.values())


def test_a_field_is_not_assigned() -> None:
    text = "def f(x):\n    p = Place()\n    p.x = x\n    return p"
    assert "x = evolve(x, name=…)" in refused(function_of(text, **NAMES), 1)


class Two(Exception):
    def __init__(self, a: int, b: int) -> None:
        super().__init__(a, b)


def test_an_error_of_several_arguments_is_refused_with_advice() -> None:
    told = refused(function_of("def f(x):\n    raise Two(x, 1)", Two=Two), 1)
    assert "defaults, or raise ValueError" in told


RESULTS = ("(y for y in x)", "x.append", "lambda: 1", "None if x else iter(x)", "DICT(lambda: 1)")


@pytest.mark.parametrize("result", RESULTS)
def test_what_cannot_be_a_result_is_refused_before_it_runs(result: str) -> None:
    given = [1]
    text = f"def f(x):\n    x.append(1)\n    return {result}"
    f = compile_function(function_of(text, DICT=collections.defaultdict))
    with pytest.raises(Refusal, match="result"):
        f(given)
    assert given == [1]


def test_every_builtin_of_python_has_advice_or_is_compiled() -> None:
    decorators = {"staticmethod", "classmethod", "property"}
    shell = {"copyright", "credits", "license", "help", "exit", "quit", "_", "aiter", "anext"}
    for name in vars(builtins).keys() - decorators - shell:
        value = getattr(builtins, name)
        exception = isinstance(value, type) and issubclass(value, BaseException)
        if callable(value) and not exception and not name.startswith("__"):
            assert value in FUNCTIONS or name in FUNCTION_ADVICE, name


NESTED = {
    "def f(n):\n    return (f(n - 1), n) if n else ()": "tuples of its own kind",
    "def f(n):\n    h = lambda n: (h(n - 1), n) if n else ()\n    return len(h(n))": (
        "tuples of its own kind"
    ),
    "def g(n):\n    if n:\n        for t in g(n - 1):\n            yield t, n\n    yield ()\n"
    "def f(n):\n    return len(list(g(n)))": "tuples of its own kind",
    "def f(n):\n    g = lambda x: x\n    for _ in range(n):\n        g = lambda x, g=g: g(x)\n"
    "    return g(n)": "for f in functions: x = f(x)",
    "import functools\ndef f(n):\n    fs = [lambda x: x + 1, lambda x: x * 2]\n"
    "    return functools.reduce(lambda f, g: lambda x: g(f(x)), fs)(n)": (
        "for f in functions: x = f(x)"
    ),
}


@pytest.mark.parametrize("text", NESTED)
def test_what_is_nested_without_end_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(Refusal) as caught:
        compile_function(function_of(text))(3)
    assert NESTED[text] in caught.value.reason
    assert caught.value.line
    assert caught.value.function
