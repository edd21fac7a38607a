"""Methods of an object that is known before, such as a game, as values: they are what Python has.

Python makes a bound method anew each time that its name is read, but it is one function.
"""

from __future__ import annotations

from contextlib import suppress

import pytest

from games.u64 import U64
from strategies.rules.language.messages import Refusal
from tests.strategies.rules.compared import differences, function_of

HEAD = """
import bisect
from collections import defaultdict
from functools import lru_cache, partial, reduce
from itertools import accumulate, chain, groupby, starmap, takewhile


class Weights:
    k = 3

    def worth(self, m):
        return m % self.k

    def other(self, m):
        return m * self.k

    def both(self, a, b):
        return a * self.k + b

    def low(self, m):
        return m < self.k

    def name(self, m):
        return "abc"[m % self.k]

    def zero(self):
        return self.k

    @classmethod
    def of_class(cls, m):
        return m % cls.k

    @lru_cache
    def kept(self, m):
        return m % self.k

    def best(self, f):
        return max([1, 2, 3], key=f)


own = Weights()


def f(n):
    xs = [n, 4, 2, 7, 1]
"""
FORMS = [
    "return sorted(xs, key=own.worth), max(xs, key=own.worth), min(xs, key=own.other)",
    "xs.sort(key=own.worth); return xs",
    "g = own.worth; return sorted(xs, key=g)",
    "return sorted(xs, key=own.of_class), sorted(xs, key=type(own).of_class)",
    "return sorted(xs, key=own.kept)",
    "return partial(own.worth)(n), partial(own.both, 2)(n)",
    "return own.best(own.worth), own.best(own.other)",
    "return [(k, list(g)) for k, g in groupby(xs, own.worth)]",
    "d = defaultdict(own.zero); d[n] += 1; return d[n], d[2]",
    "return {0: own.worth, 1: own.other}[0](n), {0: own.worth, 1: own.other}[n % 2](n)",
    "return (own.worth if n > 4 else own.other)(n), list(map(own.low if n > 4 else own.zero, xs))",
    "return sum(map(own.worth, xs)), min(map(own.worth, xs)), max(map(own.other, xs))",
    "return any(map(own.low, xs)), all(map(own.low, xs)), all(g(n) for g in (own.low, own.worth))",
    "return ''.join(map(own.name, xs)), set(map(own.worth, xs)), sum(filter(own.low, xs))",
    "return reduce(own.both, xs), reduce(own.both, xs, 1), list(accumulate(xs, own.both))",
    "return list(starmap(own.both, [(n, 1), (2, 3)])), list(takewhile(own.low, sorted(xs)))",
    "return bisect.bisect(xs, 2, key=own.other)",
    "return sum(map(len, map(dict.fromkeys, [xs, xs]))), [*map(chain.from_iterable, [[xs]])] != []",
    "g = own.worth\n    while n < 20:\n        n += g(n) + 1\n        g = own.other\n    return n",
]


@pytest.mark.parametrize("form", FORMS)
def test_a_method_of_a_known_object_is_a_value(form: str) -> None:
    assert not differences(function_of(f"{HEAD}    {form}\n"), [(0,), (3,), (5,)])


VALUES: list[object] = [5, True, U64(5), 1.5, None, "ab", (1, 2), [2, 1], {1}, {1: 2}, range(3)]
SPECIAL = ("__bool__", "__invert__", "__len__", "__str__")


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_method_of_python_s_own_does_as_python_does_or_is_refused(value: object) -> None:
    wrong = []
    for name in dir(value):
        if name in SPECIAL or not name.startswith("_"):
            form = "list(x.values())" if name == "values" else f"x.{name}()"
            with suppress(Refusal):
                wrong += differences(function_of(f"def f(x): return {form}\n"), [(value,)])
    assert not wrong


MAY_BE_NONE = """
from typing import NamedTuple


class Part(NamedTuple):
    v: int

    def {name}(self, x):
        return self.v + x


def f(n):
    done = []
    part = Part(n) if n > 0 else None
    try:
        return part.{name}(done.append(1) or 2)
    except AttributeError:
        return len(done)
"""


@pytest.mark.parametrize("name", ["name", "form", "spelled", "plus"])
def test_a_method_is_looked_up_before_its_arguments_are_evaluated(name: str) -> None:
    assert not differences(function_of(MAY_BE_NONE.replace("{name}", name)), [(3,), (0,)])
