"""Functions as values: stars, closures, decorators, caches, `operator` and `functools`."""

# ruff: noqa: B023, C417, PIE804, E731, PIE810, RUF005, RUF100

from __future__ import annotations

import contextlib
import functools
import operator
from collections import Counter, defaultdict
from functools import cache, lru_cache, partial, reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import compile_function
from strategies.rules.language.messages import Refusal, RuleError
from tests.properties import examples
from tests.strategies.rules.classes import Absolute, Bare
from tests.strategies.rules.compared import check, function_of, refused

CASES = []


def case(*args):
    def add(f):
        CASES.append(pytest.param(f, args, id=f.__name__))
        return f

    return add


@case([3, 2, 4], (5, 6))
def stars(t, u):
    def f(a, b=10, *c, d=4):
        return a, b, c, d

    def g(a, b, c):
        return a * 100 + b * 10 + c

    one = f(*t), f(*t, *u), f(1, *t), f(*t, d=7), g(*t), f(*u, *t, 9)
    two = f(*[1]), f(*range(2)), f(*(x for x in t)), [*t, *u], (*t, *u)
    return one, two, max(*t), min(*t, -1)


@case([3, 2, 4])
@case([3, 2])
@case([3])
def stars_of_a_number(t):
    def g(a, b):
        return a, b

    return g(*t)


@case([3, 2, 4])
@case([3])
def stars_and_names(t):
    def g(a, b):
        return a, b

    return g(*t[:2], b=3)


@case([3, 2, 4])
def stars_and_defaults(t):
    def g(a, b, c=1.5):
        return a, b, c

    return g(*t[:1], b=3), g(*t), g(*t[:2])


@case([3, 2, 4])
def passes_on(t):
    def f(a, b=2, *, c=3):
        return a, b, c

    def g(*args, **kwargs):
        return f(*args, **kwargs)

    return g(1), g(1, c=5), g(b=1, a=t[0]), g(*t[:2], c=0.5)


@case([3, 2, 4])
def passes_on_a_wrong_name(t):
    def f(a, b=2):
        return a, b

    def g(*args, **kwargs):
        return f(*args, **kwargs)

    return g(1, c=5)


@case(3)
def names_twice(n):
    def f(a, b=2):
        return a, b

    def g(**kwargs):
        return f(1, a=n, **kwargs)

    return g()


def adding(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs) + 1

    return wrapper


@adding
def times(x, y=3):
    return x * y


@case(5)
def decorated(n):
    return times(n), times(n, y=2), times(y=n, x=1)


@case(5)
def decorated_inside(n):
    def twice(f):
        def g(*a):
            return f(f(*a))

        return g

    @twice
    @adding
    def h(x):
        return x * n

    return h(2)


@case(5)
def partials(n):
    add = partial(lambda a, b, c=0: a * 100 + b * 10 + c, n)
    h = partial(add, c=4)
    powers = list(map(partial(pow, 2), [1, 2, 3]))
    return add(2), add(2, 3), h(1), h(1, c=7), partial(max)(n, 3), powers


@case(1)
def functions_among_values(n):
    values = [n, lambda x: x, 2.5, (n,), None]
    return values.index(None), values.count(n), values[1] == n, n != values[1], (n,) in values


@case(0, 1, 3)
def getters_of_what_comes(n):
    rows = [(3, 1, 2), (1, 2, 3), (2, 3, 1)]
    by = sorted(rows, key=operator.itemgetter(n)), max(rows, key=operator.itemgetter(n, 0))
    return by, operator.itemgetter(n, 0)([1, 2.5, "a"])


@case([3, 2, 4])
def operators(t):
    g = operator.itemgetter(1)
    by = sorted([(1, 3), (2, 1)], key=operator.itemgetter(1)), operator.itemgetter(0, 2)(t)
    a = (
        operator.add(1, 2.5),
        operator.lt(1, 2),
        operator.not_(t),
        operator.neg(3),
        operator.floordiv(7, 2),
    )
    b = operator.xor(True, False), operator.contains(t, 2), operator.getitem(t, -1)
    c = operator.countOf(t, 2), operator.indexOf(t, 4), operator.index(True), operator.iadd(t, [1])
    return g(t), by, a, b, c, operator.is_(t, t), operator.truth([])


@case([3, 2, 4])
def reduces(t):
    some = reduce(operator.add, [], 7), reduce(max, t)
    return reduce(lambda a, b: a * b, t), reduce(lambda a, b: a + b, t, 0.5), some


@case([])
def reduces_nothing(t):
    return reduce(lambda a, b: a * b, [])


@case(3)
def names_of_places(n):
    def f(a, /, b=2, **named):
        return a, b, dict(**named)

    d = dict({"q": n}, iterable=3, self=4)
    d.update({"z": 1}, other=5)
    c = Counter("ab", iterable=n)
    c.subtract({"a": 1}, self=2)
    return f(n, a=5), f(n, b=1, a=5), d, dict(c), dict(defaultdict(int, default_factory=n))


TABLE = (max, min, lambda a, b: a - b)


@case(5, 2)
def tables(a, b):
    other = [operator.add, operator.sub][b - 1](a, b)
    return [f(a, b) for f in TABLE], TABLE[b](a, b), other


@case(5)
def counters(n):
    def make():
        c = 0

        def inc(k=1):
            nonlocal c
            c += k
            return c

        return inc

    a, b = make(), make()
    fs = [a, b, a]
    return [f() for f in fs], a(5), b(), [f(2) for f in (a, b)]


@case(3)
def defaults(n):
    fs = []
    for i in range(n):
        fs.append(lambda x=i: x)
    gs = [lambda: i for i in range(n)]
    return [f() for f in fs], [g() for g in gs], fs[1](7)


@cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@case(60)
def cached(n):
    return fib(n)


@cache
def pairs_to(a, b):
    return (a, b) if a + b < 2 else (pairs_to(a - 1, b)[0] + pairs_to(a, b - 1)[1], a)


def sum_to(n):
    return sum(pairs_to(k, n)[0] for k in range(n)) + fib(n)


@case(9)
def cached_below(n):
    found = []
    for k in range(n):
        found.append(sum_to(k % 7 + 1))
        found.append(len([x * k for x in range(40)]))
    return found, sum_to(n)


@case(60)
def cached_inside(n):
    @cache
    def f(i, j):
        if i == 0 or j == 0:
            return 1
        return (f(i - 1, j) + f(i, j - 1)) % 1000007

    return f(n, n)


@case(1)
def cached_by_value(n):
    @cache
    def f(*x):
        return x

    return f(1), f(1.0), f(True), f((1, 2)), f((True, 2.0)), f(1, 2), f(1.0, True)


@lru_cache
def length(x):
    return len(x)


@case([1, 2])
def cached_of_a_list(t):
    return length(t)


@case([1, 2])
def cached_calls(n):
    calls = []

    @lru_cache(maxsize=2)
    def f(x, y=2):
        calls.append(x)
        return x * y

    some = f(1), f(1), f(1, 2), f(1, y=2), f(x=1), f(1)
    return some, [f(x) for x in (3, 4, 3, 5, 3, 4)], calls


@case([1, 2])
def cached_failures(n):
    calls = []

    @cache
    def f(x):
        calls.append(x)
        if x == 2:
            raise ValueError
        return [x]

    a = f(1)
    a.append(5)
    q = [f(1)]
    for _ in range(2):
        try:
            f(2)
        except ValueError:
            q.append([])
    return q, calls, f(1) is a


@case([1, 2.5, 3])
def names_in_a_display(xs):
    def f(a, b=1, **k):
        return a, b

    return f(**{"a": xs[0], "b": 2}), f(1, **{}), f(1, **{"b": 3.5})


@case(2)
def names_in_a_display_twice(n):
    def f(a, b=1):
        return a, b

    return f(1, **{"a": n})


@case([3, 1, 2])
def builtins_in_the_keys_of_builtins(xs):
    few = max(xs, key=lambda x: max([x, 2], default=0)), min(xs, key=lambda x: max(x, 2))
    far = max(xs, key=lambda x: abs(x - max(xs, default=0.5))), min([], default=max(xs))
    cut = max(xs, key=lambda x: -max(xs[:x], default=9)), sum(sum(xs[:x], 1.5) for x in xs)
    return few, far, cut, sorted(xs, key=lambda x: sorted([x, 2], reverse=x > 1)[0])


@pytest.mark.parametrize(("function", "args"), CASES)
def test_does_as_python_does(function, args):
    check(function, args)


def test_what_is_cached_ends_with_the_call():
    compiled = compile_function(cached)
    assert [compiled(n) for n in (60, 3, 90, 60)] == [fib(n) for n in (60, 3, 90, 60)]


def lasting():
    n = 0

    def f(k):
        nonlocal n
        n += k
        return n

    return f


def looks_at_names(n):
    def f(**kwargs):
        return len(kwargs)

    return f(a=n)


def compares_functions(n):
    def f():
        return n

    return f is f


def asks_for_parts(n):
    return partial(max, n).args


@cache
def several(n):
    return [n]


def changes_what_is_cached(n):
    return several(n)


@pytest.mark.parametrize(
    "function",
    [lasting(), looks_at_names, compares_functions, asks_for_parts, changes_what_is_cached],
)
def test_refuses(function):
    assert refused(function, 3)


MARK = object()


def marked(n, *, x=MARK, row=(1, 2)):
    return n if x is MARK else row[n]


def uses_marked(n):
    return marked(n) + marked(0, x=n)


def test_an_object_as_a_default_does_not_change():
    check(uses_marked, (0,), (2,))
    compiled = compile_function(uses_marked)
    found, (made,) = compiled(0), compiled._made
    assert (compiled(0), compiled._made) == (found, (made,))
    marked.__kwdefaults__["row"] = (3, 2)
    try:
        assert compiled(0) == found + 2
    finally:
        marked.__kwdefaults__["row"] = (1, 2)


def size(row):
    return len(row)


@pytest.mark.parametrize("row", [range(2**70), {Absolute(1)}, iter(()), [2**64], {Bare(1): 2}])
def test_a_refused_call_leaves_a_function_as_it_was(row):
    compiled = compile_function(size)
    assert (compiled((1, 2)), len(compiled._made)) == (2, 1)
    with pytest.raises((RuleError, OverflowError)):
        compiled(row)
    assert ([compiled((1, 2)), compiled((5,))], len(compiled._made)) == ([2, 1], 2)


# Lambdas that stand on one line

BODIES = ["abs(n)", "float(n)", "n + k", "n * k", "n + 1", "n + 2", "(lambda m: m - k)(n)"]
LAYOUTS = [
    "def f(k):\n    return {{\n        1: {0}, 2: {1},\n        3: {2}\n    }}",
    "def f(k):\n    return dict(enumerate([{0}, {1}, {2}], 1))",
    "def f(k):\n    return dict(enumerate((\n        {0}, {1}, {2}), 1))",
    "def f(k):\n    return {{1: {0},\n    2: {1}, 3: {2}}}",
]


@given(st.sampled_from(LAYOUTS), st.lists(st.sampled_from(BODIES), min_size=3, max_size=3))
@examples(40)
def test_a_lambda_beside_others_is_compiled_as_itself_or_refused(
    layout: str, bodies: list[str]
) -> None:
    made = function_of(layout.format(*(f"lambda n: {body}" for body in bodies)))(3)
    for function in made.values():
        with contextlib.suppress(Refusal):
            assert compile_function(function)(-4) == function(-4)


def test_lambdas_that_name_different_functions_are_told_apart() -> None:
    text = "f = {\n    1: lambda n: abs(n), 2: lambda n: float(n),\n    3: lambda n: str(n)\n}"
    for function in function_of(text).values():  # type: ignore[attr-defined]
        check(function, (-3,))
