"""`sorted`, `min` and `max` of a set are compiled where the order of the set cannot show."""

from __future__ import annotations

from enum import Enum
from itertools import permutations
from typing import Any

import pytest

from tests.strategies.rules import classes
from tests.strategies.rules.classes import Point
from tests.strategies.rules.compared import differences, function_of, outcome, refused


class Loose(Enum):
    """Members whose `<` is no order."""

    A = 1
    B = 2
    C = 3

    def __lt__(self, o: Any) -> bool:
        return False


NAMES = {**vars(classes), "Loose": Loose}
READERS = ("sorted", "min", "max")
SETTLED = {
    "Pair(1, 0), Pair(0, 1), Pair(1, n)": READERS,
    "Scored(1, n), Scored(0, 1), Scored(1, 0)": READERS,
    "(0, Scored(1, n, 'b')), (0, Scored(1, n, 'a')), (n, Scored(0, 0, 'c'))": READERS,
    "(Rank.TEN, 'x'), (Rank.ONE, 'y'), (Rank.ONE, 'x')": READERS,
    "(1, 2), (1, 2, n), (0,)": READERS,
    "None, n, n + 1": READERS,
    "Colour.RED, Colour.BLUE": READERS,
    "(0, 0), (1, None), (1, n)": ("sorted",),
    "Pair(0, 0), Pair(1, None), Pair(1, n)": ("sorted",),
    "Scored(0, 0), Scored(1, None), Scored(1, n)": ("sorted",),
    "(0, Colour.RED), (1, Colour.RED), (1, Colour.BLUE)": ("sorted",),
    "Loose.A, Loose.B, Loose.C": (),
    "(n, Loose.A), (n, Loose.B), (n, Loose.C)": (),
    "Ranked(n, 1), Ranked(n, 0), Ranked(0)": (),
    "frozenset({1}), frozenset({n}), frozenset({1, n})": (),
}


@pytest.mark.parametrize("elements", SETTLED)
def test_what_is_compiled_is_the_same_in_every_order(elements: str) -> None:
    for reader in set(READERS) - set(SETTLED[elements]):
        function = function_of(f"def f(n):\n    return {reader}({{{elements}}})", **NAMES)
        assert "depends on its order" in refused(function, 2)
    asked = ", ".join(f"{reader}({{{elements}}})" for reader in SETTLED[elements])
    assert not differences(function_of(f"def f(n):\n    return ({asked})", **NAMES), [(2,)])
    values = eval(f"[{elements}]", {**NAMES, "n": 2})
    for reader in SETTLED[elements]:
        found = {repr(outcome(eval(reader), (list(p),))[:2]) for p in permutations(values)}
        assert len(found) == 1


def whole(x: Any) -> Any:
    return -x.y, x.x


APART = {
    "lambda p: (p[1], -p[0])": "(1, 2), (n, 1), (3, 1), (3, n)",
    "lambda p: (p.b, p[0])": "Pair(1, n), Pair(0, 2), Pair(3, 0)",
    "lambda p: (p.y, p.x)": "Partly(1, y='a'), Partly(n, y='a', z=5), Partly(0, y='b')",
    "whole": "Point(1, n), Point(n, 1), Point(0, n), Point(3, 1)",
}
TOGETHER = {
    "lambda p: (p[1],)": "(1, 2), (n, 2)",
    "lambda p: (p[0], p[-2])": "(1, 2), (n, 2)",
    "lambda p: (p.x, p.total)": "Point(1, n), Point(n, 1)",
    "lambda p: ()": "1, n",
}


@pytest.mark.parametrize("key", APART)
def test_a_key_of_all_parts_puts_a_set_in_one_order(key: str) -> None:
    asked = ", ".join(f"{reader}(s, key={key})" for reader in READERS)
    text = f"def f(n):\n    s = {{{APART[key]}}}\n    return {asked}"
    assert not differences(function_of(text, **NAMES, whole=whole), [(2,)])
    names = {**NAMES, "whole": whole, "n": 2}
    keys = [eval(key, names)(x) for x in eval(f"[{APART[key]}]", names)]
    assert len({*keys}) == len(keys)


@pytest.mark.parametrize("key", TOGETHER)
def test_a_key_that_elements_may_share_is_refused(key: str) -> None:
    text = f"def f(n):\n    return sorted({{{TOGETHER[key]}}}, key={key})"
    assert "may meet equal keys" in refused(function_of(text, **NAMES), 2)


def test_the_advice_for_a_set_of_records_without_an_order_is_a_way_out() -> None:
    for asked in ("sorted(s)", "min(s, key=lambda p: p.x)"):
        told = refused(function_of(f"def f(s):\n    return {asked}"), {Point(1, 2), Point(2, 1)})
        assert told.endswith("write a key of all its fields, key=lambda x: (x.x, x.y)")


@pytest.mark.parametrize(
    "text",
    [
        "sorted(Partly(1, z=x) for x in s)",
        "sorted(Pair(1, 2) if x > 1 else (1, 2) for x in s)",
        "max((x % 2, None if x else 1) for x in s)",
        "min(Loose(x) for x in s)",
        "{Pair(1, 2) if x > 1 else (1, 2) for x in s}",
        "{Pair(1, 2) if x > 1 else Tens(1, 2) for x in s}",
    ],
)
def test_equal_values_that_differ_and_values_that_may_not_meet_are_refused(text: str) -> None:
    assert "order of a set" in refused(function_of(f"def f(s):\n    return {text}", **NAMES), {1})


@pytest.mark.parametrize(
    "text",
    [
        "sorted(Scored(x % 2, 1) for x in s), max((Pair(x, x), 'a') for x in s)",
        "any(w.startswith(('b', 'a')) and w.find('c') > 0 for w in {'abc', 'bcd', str(len(s))})",
        "any(sum(a != b for a, b in zip(w, 'abd')) == 1 for w in {'abc', 'bcd', str(len(s))})",
        "all(w.count('b') or w.endswith('d') for w in {'abc', 'bcd', str(len(s))})",
    ],
)
def test_steps_that_cannot_fail_are_compiled(text: str) -> None:
    assert not differences(function_of(f"def f(s):\n    return {text}", **NAMES), [({1, 2, 3},)])


@pytest.mark.parametrize(
    "text",
    [
        "set(xs), 0.1",
        "set(xs), start=0.1",
        "{x for x in xs}, start=0.1",
        "{x: 1 for x in xs}.keys() & {1, 3, 45}, start=0.1",
        "(x for x in set(xs)), 0.1",
        "(x for x in set(xs)), start=0.1",
        "[x for x in set(xs)], start=0.1",
        "(x for x in set(xs)), *[0.1]",
        "set(xs), **{'start': 0.1}",
    ],
)
def test_a_sum_of_a_set_that_starts_with_a_float_is_refused(text: str) -> None:
    function = function_of(f"def f(xs):\n    return sum({text})")
    assert "order of a set" in refused(function, [-19, 45, 1, 3, 35, -28])


@pytest.mark.parametrize(
    "text",
    [
        "(x / 2 for x in xs), 0.0",
        "[x for x in xs], start=0.5",
        "[[x] for x in xs], []",
        "((x,) for x in xs), ()",
        "(Vector(x, 1) for x in xs), Vector(0, 0)",
        "set(xs), 1",
        "(x for x in set(xs)), start=True",
    ],
)
def test_a_sum_that_is_one_in_every_order_is_compiled(text: str) -> None:
    function = function_of(f"def f(xs):\n    return sum({text})", **NAMES)
    assert not differences(function, [([-19, 45, 1, 3, 35, -28],)])
