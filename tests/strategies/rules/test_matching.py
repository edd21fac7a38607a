"""`match`: tables, and random patterns over random values."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies.rules.language.messages import Refusal
from tests.properties import examples
from tests.strategies.rules.cases import Cases
from tests.strategies.rules.classes import Colour, Pair, Point, Rank, Scored, Solid
from tests.strategies.rules.compared import check, function_of, refused

case = Cases()
SUBJECTS = (
    ((),), ((1,),), ((1, 2),), ((1, 2, 3),), [], [1], [1, 2], [1, 2, 3], 5, None, "a", 1.0, True, 0,
    2, Point(1), Point(1, 3), Point(2, (1, 2)), (Pair(1),), (Pair(Point(1), 2),), Scored(1),
    Colour.RED, Rank.TWO, ((1, (2, 3)),), ((Point(1), None),),
)  # fmt: skip


@case(*SUBJECTS)
def many_patterns(v):
    match v:
        case 5 | "a":
            return "literal"
        case None:
            return "none"
        case True:
            return "true"
        case 2.0:
            return "two"
        case Point(1, y=3):
            return "one and three"
        case Point(x=2, y=(a, b)):
            return a, b
        case Point(z, 2) if z == 1:
            return z
        case Pair(Point(q)):
            return "pair", q
        case Colour.RED:
            return "red"
        case Rank.ONE:
            return "one"
        case int(i):
            return "int", i
        case float() as f:
            return "float", f
        case Scored():
            return "scored"
        case []:
            return "empty"
        case [a]:
            return "one of", a
        case (1, (c, d)) | (c, d):
            return c, d
        case [a, *rest]:
            return a, rest
        case _:
            return "other"


@case(*SUBJECTS)
def captured_or_not(v):
    r = 0
    match v:
        case [*_, last] if last:
            r = last
        case tuple() | list():
            r = "sequence"
        case bool():
            r = "bool"
        case 1 | 2:
            r = "small"
        case Point() as p:
            r = p.x
    return r


@case(0, 1, 2, 3, 4)
def kinds_change(n):
    v = None if n == 0 else Point(n) if n == 1 else (n, n + 1) if n == 2 else [n] if n == 3 else 2.5
    out = []
    for _ in range(3):
        match v:
            case None:
                out.append(0)
            case Point(x):
                out.append(x + v.y)
                v = (x, 7)
            case (a, b):
                out.append(a + b)
                v = None
                continue
            case [a]:
                out.append(a)
                break
            case float() | int() as z:
                out.append(z * 2)
                v = Point(1)
    return out, v


@case(0, 1, 2)
def unbound(n):
    match n:
        case 1:
            y = 5
    return y


@case(0, 1, 2)
def too_many(n):
    match Point(n):
        case Point(1):
            return 1
        case Point(0, 2, 3):
            return 2
    return 3


@case(({1, 2, 3},), (set(),))
def all_members(s):
    def of_colour(x):
        match Colour.RED if x < 2 else Colour.BLUE if x < 3 else Colour.GREEN:
            case Colour.RED:
                return 5
            case Colour.ALIAS | Colour.GREEN as colour:
                return len(colour.name)
            case Colour.BLUE:
                return 7

    def of_rank(x):
        match Rank.ONE if x < 2 else Rank.TWO if x < 3 else None:
            case None:
                return 0
            case Rank.ONE if x > 7:
                return 1
            case Rank.TWO:
                return 2
            case Rank.ONE:
                found = 3
            case Rank.TEN:
                found = 4
        return found

    def of_test(x):
        match x > 2:
            case True:
                return 1
            case False:
                return 2

    def guarded(x):
        match Rank.ONE if x < 2 else Rank.TWO:
            case Rank.ONE | Rank.TEN:
                return 1
            case Rank.TWO if x > 2:
                return 2

    found = sorted({of_colour(x) for x in s}), sorted({of_rank(x) for x in s})
    return found, sorted({of_test(x) for x in s}), [guarded(x) for x in sorted(s)]


@case(3, 0)
def in_a_generator(n):
    def g():
        for x in range(n):
            match (x, x % 2):
                case (k, 0):
                    yield k
                case (k, _):
                    yield -k
                    yield k

    return list(g())


@case(0, 1, 2)
def guards_run_once(n):
    s = []

    def f(k):
        s.append(k)
        return k

    match f(n):
        case 0 if f(7) < 0:
            pass
        case 0 | 1 if f(8):
            s.append("x")
        case _:
            f(9)
    return s


@case(({"a": 1, "b": 2},), ({"a": 1},), ({},), ({"b": 3, "c": 4},), 3, [2])
def keys(d):
    match d:
        case {} if not d:
            return "empty"
        case {"a": 1, "b": x}:
            return "both", x
        case {"b": x, **rest}:
            rest["d"] = 5
            return x, rest, d
        case {"a": _}:
            return "one"
        case [*_]:
            return "list"
    return "other"


@case(({1: (2, 3)},), ({4: (2, 3)},), ({4: (2,)},), (defaultdict(list),), (Counter([2, 2]),))
def keys_with_patterns_as_values(d):
    match d:
        case {1: (a, b)} | {4: (b, a)}:
            return a, b
        case {2: int(n)}:
            return n
    return len(d)


@case(({"a": {"c": [1, 2]}}, 0), ({"a": {}}, 0), ({"a": {"c": [3]}}, 1))
def keys_in_keys(d, one):
    match [7] if one else d:
        case {"a": {"c": [first, *rest]}}:
            return first, rest
        case [x]:
            return x


@pytest.mark.parametrize("name", case.names())
def test_as_python(name: str) -> None:
    case.run(name)


def property_pattern(n):
    match Point(n):
        case Point(total=5):
            return 1
    return 2


def test_refused() -> None:
    assert "write" in refused(property_pattern, 3)


# Random patterns

PLAIN = [
    "0", "1", "-1", "True", "None", "1.0", "'a'", "Colour.RED", "Rank.TWO", "int()", "float()",
    "bool()", "str()", "tuple()", "list()", "Point()", "Solid()", "Pair()", "Rank()", "_",
]  # fmt: skip
CLASSES = [
    "Point({}, {})",
    "Point({}, y={})",
    "Pair(b={}, a={})",
    "Solid(x={}, z={})",
    "Scored({}, {})",
]


def pattern(r: random.Random, depth: int, names: list[str]) -> str:
    kind = (
        r.choice(["plain", "plain", "name", "sequence", "class", "or", "as"]) if depth else "plain"
    )
    if kind == "name" and names:
        return r.choice(["{}", "int({})", "(str() | None) as {}"]).format(names.pop())
    if kind == "sequence":
        parts = [pattern(r, depth - 1, names) for _ in range(r.randint(0, 3))]
        if r.random() < 0.4:
            star = names.pop() if names and r.random() < 0.5 else "_"
            parts.insert(r.randint(0, len(parts)), f"*{star}")
        return f"[{', '.join(parts)}]"
    if kind == "class":
        return r.choice(CLASSES).format(pattern(r, depth - 1, names), pattern(r, depth - 1, names))
    if kind == "or":
        return f"({pattern(r, 0, [])} | {pattern(r, depth - 1, [])})"
    if kind == "as" and names:
        return f"({pattern(r, depth - 1, names)}) as {names.pop()}"
    return r.choice(PLAIN)


def program(r: random.Random) -> str:
    lines = ["def f(v, n):", "    out, p = None, 'old'", "    match v:"]
    for i in range(r.randint(1, 4)):
        names = ["p", "q", "s", "t"]
        text = pattern(r, 2, names)
        used = sorted({"p", "q", "s", "t"} - set(names))
        guard = r.choice(["n", "n > 1", *(f"{u} == 1" for u in used)])
        test = f" if {guard}"
        way = r.choice(["return {}", "out = {}"]).format(", ".join([str(i), *used, "v"]))
        lines.append(f"        case {text}{test}: {way}")
    return "\n".join([*lines, "    return out, p, v\n"])


leaves = st.integers(-1, 2) | st.sampled_from([True, None, 1.0, "a", Colour.RED, Rank.TWO])
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3).map(tuple)
        | st.builds(Pair, inner, inner)
        | st.builds(Scored, inner, inner)
    ),
    max_leaves=4,
)
subjects = values | st.builds(Point, values, values) | st.builds(Solid, leaves, values, leaves)


@examples(60)
@given(st.integers(0, 10**9), subjects | st.lists(leaves, max_size=3), st.integers(0, 2))
def test_random_patterns(seed: int, subject: Any, n: int) -> None:
    text = program(random.Random(seed))
    names = {c.__name__: c for c in (Colour, Pair, Point, Rank, Scored, Solid)}
    try:
        f = function_of(text, **names)
    except SyntaxError:
        return
    try:
        check(f, (subject, n))
    except Refusal as refusal:
        assert "own class" in refusal.reason  # noqa: PT017
