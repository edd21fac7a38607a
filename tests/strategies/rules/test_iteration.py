"""Iterators and generators of rules behave as Python's, also where something fails on the way."""

# ruff: noqa: B007, B017, B020, B023, B905, C400, C416, C417, C419, E731, F821, F841, PIE810, RUF005
# ruff: noqa: RUF015, RUF059, RUF100, SIM102, SIM113, UP028

from __future__ import annotations

import builtins
import itertools
import operator
import random
import types
from itertools import (
    accumulate,
    chain,
    combinations,
    combinations_with_replacement,
    compress,
    count,
    cycle,
    dropwhile,
    filterfalse,
    groupby,
    islice,
    pairwise,
    permutations,
    product,
    repeat,
    starmap,
    takewhile,
    zip_longest,
)

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.u64 import U64
from strategies import compile_function
from tests.properties import examples
from tests.strategies.rules.compared import agrees, check, function_of, outcome, refused

CASES = []


def case(*args):
    def add(f):
        CASES.append(pytest.param(f, args, id=f.__name__))
        return f

    return add


@case((0, 7, 2), (5, -3, -2), (1, 1, 1))
def parts_of_a_range(a, b, c):
    r = range(a, b, c)
    return r.start, r.stop + 1, r.step, range(b).stop, range(a, b).start


@case((3, 1, 4), (2.5, 1.5))
def zips(a, b):
    return list(zip(a, b)), tuple(zip(a)), [x + y for x, y in zip(a, b)], list(zip())


@case((3, 1, 4), (2.5, 1.5))
def strict_longer_first(a, b):
    return list(zip(a, b, strict=True))


@case((3, 1), (2.5, 1.5, 1))
def strict_shorter_first(a, b):
    return list(zip(a, b, strict=True))


@case((3, 1), (2.5, 1.5))
def strict_alike(a, b):
    q = []
    for x, y in zip(a, b, strict=True):
        q.append((y, x))
    return q


@case((3, 1))
def zips_no_iterable(a):
    return [x for x in zip(a, 5)]


@case([3, 1, 5, 6, 7])
def enumerates(a):
    s = 0
    for i, x in enumerate(a, 2):
        if i == 4:
            continue
        if i == 6:
            break
        s += i * x
    else:
        s = -1
    ends = [i for i, _ in enumerate(reversed(a))]
    return s, list(enumerate(a)), list(enumerate(a, start=True)), ends


@case([3, 1, 5])
def enumerates_from_a_float(a):
    return [i for i, x in enumerate(a, 1.0)]


@case([3, 1, 5])
def reverses_what_changes(a):
    q = []
    for x in reversed(a):
        q.append(x)
        if x == 1:
            a.append(9)
            a.pop(0)
            a.pop(0)
    fixed = list(reversed((1, 2.5, None))), list(reversed(range(0, 10, 3)))
    return q, fixed, list(reversed(range(5))), list(reversed(range(5, 0, -2)))


@case((3, 1, 4, 1))
def nexts(t):
    it = iter(t)
    a = next(it)
    b = next(it)
    return a, b, list(it), next(it, None), next(it, -1.5), iter(it) is it


@case((3,))
def next_of_nothing(t):
    it = iter(t)
    next(it)
    return next(it)


@case((3, 1))
def next_of_a_tuple(t):
    return next(t)


@case(3)
def iter_of_a_number(n):
    return iter(n)


@case(3)
def generator_expression_over_a_number(n):
    made = (x for x in n)
    return 1


@case([3, 1, 4, 1, 5])
def shares_an_iterator(t):
    it = iter(t)
    q = []
    for x in it:
        q.append((x, next(it, None)))
    it = iter(t)
    return q, list(zip(it, it)), list(it)


@case([3, 1, 4, 1, 5])
def maps(t):
    m = map(lambda x: x + 1, t)
    a = next(m)
    two = list(map(lambda a, b: a * b, t, (1, 2, 3)))
    return a, list(m), two, sum(map(abs, t)), list(map(max, t, reversed(t)))


@case([3, 0, 4, 1, 5])
def filters(t):
    kept = [x for x in filter(lambda x: x > 3, t)]
    return (
        list(filter(None, t)),
        kept,
        list(filterfalse(lambda x: x > 3, t)),
        list(filterfalse(None, t)),
    )


@case([3, 0, 4])
def unpacks_a_generator(t):
    def g():
        for x in t:
            q.append(x)
            yield x
        q.append(-1)

    q = []
    a, b, c = g()
    return a, b, c, q


@case([3, 0, 4])
def unpacks_too_many(t):
    a, b = count()
    return a


@case([3, 0, 4])
def unpacks_too_few(t):
    a, b, c, d = (x for x in t)
    return a


@case([3, 0, 4])
def unpacks_nested(t):
    a, *b = map(lambda x: x * 2, t)
    (c, d, f), e = zip(t, t), 1
    return a, b, c, d, e, f


@case([3, 0, 4])
def products(t):
    many = (
        list(product(t, repeat=2)),
        list(product()),
        list(product(t, [])),
        list(product(t, repeat=0)),
    )
    return list(product(t, (1.5, None))), many, list(product((1, 2), (3,), [4.5], repeat=1))


@case([3, 0, 4, 7])
def permutes(t):
    some = list(permutations(t, 2)), list(permutations(t, 0)), list(permutations(t, 9))
    return list(permutations(t)), some, list(permutations((1, None, 2.5)))


@case([3, 0, 4, 7], 2)
@case([3, 0, 4, 7], -1)
@case([3, 0, 4, 7], 2.0)
def combines(t, r):
    some = list(combinations(t, 3)), list(combinations(t, 0)), list(combinations((1, None), 1))
    again = list(combinations_with_replacement(t, r)), list(combinations_with_replacement([], 2))
    return list(combinations(t, r)), some, again, list(combinations_with_replacement([], 0))


@case([3, 0, 4, 7])
def accumulates(t):
    some = list(accumulate([])), list(accumulate([], initial=3)), list(accumulate(t, operator.mul))
    less = list(accumulate(t, lambda a, b: a - b, initial=0.5))
    return list(accumulate(t)), list(accumulate(t, max)), less, some


@case([3, 0, 4, 7], (1.5, None))
def chains(t, u):
    inner = list(chain.from_iterable([t, [1.5]])), list(chain.from_iterable((t, u)))
    return list(chain(t, u, range(2))), list(chain()), inner, [x for x in chain([1], [2])]


@case([3, 0, 4, 7])
def slices(t):
    a = list(islice(t, 2)), list(islice(count(), 3, 9, 2)), list(islice(t, None))
    b = list(islice(t, 1, None)), list(islice(t, 0, None, 3)), list(islice(cycle(t), 10))
    c = (
        list(islice(repeat(5), 3)),
        list(repeat(5, 2)),
        list(repeat(5, -2)),
        list(islice(cycle([]), 4)),
    )
    return a, b, c, list(islice(count(0.5, 0.25), 3))


@case([3, -1])
def slices_below_nothing(t):
    return list(islice(t, t[1]))


@case([3, -1])
def slices_by_nothing(t):
    return list(islice(t, 0, None, 0))


@case([3, 0, 4, 7])
def others_of_itertools(t):
    a = list(takewhile(lambda x: x != 4, t)), list(dropwhile(lambda x: x != 4, t))
    b = list(starmap(pow, ((2, 3), (3, 2)))), list(compress(t, (1, 0, True)))
    c = list(pairwise(t)), list(pairwise([])), list(pairwise([1]))
    d = list(zip_longest(t, (1, 2))), list(zip_longest(t, (1, 2), [], fillvalue=2.5))
    return a, b, c, d, list(zip_longest())


@case([3, 3, 0, 4, 4, 4, 7])
def groups(t):
    now = [(k, list(g)) for k, g in groupby(t)]
    later = [(k, g) for k, g in groupby(t)]
    first = [(k, next(g), next(g, None)) for k, g in groupby(t)]
    by = [(k, len(list(g))) for k, g in groupby(t, lambda x: x > 3)]
    return now, [(k, list(g)) for k, g in later], first, by, [k for k, _ in groupby(t)]


@case([[3, 2, 4], [1, 2]])
def zips_rows(t):
    return list(zip(*t)), [a + b for a, b in zip(*t)], list(map(sum, zip(*t)))


@case(5)
def turns(n):
    def g(k):
        for i in range(k):
            yield i

    its = [g(n), g(3)]
    out = []
    while its:
        it = its.pop(0)
        x = next(it, None)
        if x is None:
            continue
        out.append(x)
        its.append(it)
    return out


@case(5)
def runs_already(n):
    box = []

    def g():
        yield 1
        yield next(box[0])

    it = g()
    box.append(it)
    return next(it), next(it)


@case(5)
def stops_inside(n):
    def g():
        yield 1
        yield next(iter([]))

    return list(g())


@case(5)
def returns_a_value(n):
    def g():
        yield 1
        return 5

    return list(g())


@case(5)
def primes(n):
    def p():
        found = []
        for k in count(2):
            if all(k % q for q in found):
                found.append(k)
                yield k

    return list(islice(p(), n))


@case([1, 2, 3])
def expressions(t):
    k = 10
    g = (x * k for x in t if x != 2)
    k = 20
    t.append(4)
    a = next(g)
    k = 30
    some = any(x > 2 for x in t), all(x > 0 for x in t), sum(x * 0.5 for x in t)
    ends = max((x % 3 for x in t), default=0), min((x for x in t if x > 9), default=None)
    rest = sorted(-x for x in t), tuple(x for x in t), next((x for x in t if x > 2), None)
    return a, list(g), some, ends, rest


@case([1, 2, 3])
def nested_expressions(t):
    return sum(x * y for x in t for y in range(x) if y), [list(y for y in range(x)) for x in t]


@case((1, 2))
def texts(t):
    return [c for c in "abc"], list(zip("ab", t)), "a" in "abc"


@case(3)
@case(1)
@case(7)
def either(n):
    xs = [1, 2] if n > 2 else (1.5,)
    ys = range(n) if n > 5 else (y for y in [4, 5])
    s = 0
    for x in xs:
        s += x
    found = [y for y in ys], list(zip(xs, xs)), [x for x in reversed(xs)]
    for x in None if n == 7 else xs:
        s += x
    return s, found


ROW = range(4)


@case(7)
def ranges(n):
    wide = list(range(2**63 - 3, 2**63 - 1, 5)), list(range(-(2**63) + 2, -(2**63), -3))
    return [x for x in ROW], wide, len(ROW), list(range(5, 0, -2)), list(range(0, n, n - 4))


@case([1, 2])
def a_mapped_function_stops(t):
    def f(x):
        if x == 1:
            raise StopIteration
        return x

    m = map(f, t)
    return list(m), next(m), list(m)


@case([1, 2.5, 3], (4, 5, 6))
def a_function_mapped_in_a_loop_stops(xs, ys):
    n = 0

    def u(x):
        nonlocal n
        n += 1
        if n == 3:
            raise StopIteration
        if n == 9:
            raise ValueError
        return x

    q = []
    for x in map(u, map(u, ys)):
        q.append(x)
    else:
        q.append(-1)
    q += [a for a, b in zip(map(u, ys), xs)]
    try:
        q += list(map(u, xs))
        q += list(map(u, xs))
    except ValueError:
        q.append(-2)
    return q, n


@case([1, 2])
def effects_of_zip(t):
    log = []

    def g(n, k):
        for i in range(n):
            log.append((k, i))
            yield i

    q = []
    for a, b in zip(g(2, 1), g(3, 2)):
        q.append(a + b)
    return q, log


@case([1, 2])
def generators_in_loops(t):
    def g(n):
        for i in range(n):
            for j in range(i):
                yield i * j

    s = 0
    for k in range(4):
        for x in g(k):
            for y in g(x):
                s += y + x
    return s


@case((2, 3))
def yields_from(t):
    def g(n):
        yield from (x for x in range(n))
        yield from zip(t, t)
        yield from enumerate(t)
        yield from [None]
        yield from map(lambda x: x * n, t)
        for x in (1, None, 2.5):
            yield x

    return list(g(2))


def tree(n):
    if n > 0:
        yield n
        yield from tree(n - 1)
        yield from tree(n - 2)


def endless(n):
    yield from endless(n + 1)


@case(6)
def recursive(n):
    return list(tree(n))


@case(1)
def recursive_without_end(n):
    return [x for x in endless(n)]


@case([1, 2, 3, 4])
def ends_by_exception(t):
    it = iter(t)
    q = []
    while True:
        try:
            x = next(it)
        except StopIteration:
            break
        q.append(x)
    return q


@case([1, 2, 3, 4])
def stops_in_a_comprehension(t):
    it = iter(t)
    try:
        return [next(it) + next(it) + next(it) for _ in range(4)]
    except StopIteration:
        return -1


@case([1, 2, 3, 4])
def stops_in_an_expression(t):
    it = iter(t)
    try:
        return sum(next(it) + next(it) + next(it) for _ in range(4))
    except StopIteration:
        return -2
    except RuntimeError:
        return -1


@case({1: 2, 3: 4}, [5, 6])
def dicts(d, t):
    it = iter(d)
    a = next(it), list(zip(d, t)), [(i, k) for i, k in enumerate(d)], list(map(lambda k: d[k], d))
    b = dict(zip(t, d)), {k: v for k, v in zip(d, t)}, list(chain(d, t)), list(enumerate(d.items()))
    return a, b, [*d], max(*d), sorted(zip(d.values(), d)), dict(enumerate(t))


@case({1: 2, 3: 4})
def a_dict_grows_before(d):
    it = iter(d)
    d[7] = 8
    return next(it)


@case({1: 2, 3: 4})
def a_dict_grows_meanwhile(d):
    for x, y in zip(d, count()):
        d[x + 10] = 1
    return y


@case([3, 4])
def takes_what_changes(t):
    out = []
    for k in t:
        out.append(sum(x * k for x in t))
        k = 100
        out.append(max((x * k for x in t), key=lambda y: -y * k))
    return out


@case([3, 4])
def takes_what_another_argument_binds(t):
    k = 1
    return sum((x * k for x in t), (k := 5))


@case([3, 4])
def takes_late(t):
    fs = list((lambda: k + x) for x in t for k in t)
    return [f() for f in fs]


@case([3, 4])
def takes_from_comprehensions(t):
    inner = [sum(x * y * z for x in t for z in t if any(w > z for w in t)) for y in t]
    return [any(x > y for x in t) for y in t], inner, all(any(x != y for x in t) for y in t)


@case([3, 4])
def changes_around(t):
    k = 1

    def f(x):
        nonlocal k
        k += x
        return k

    return max((x * k for x in t), key=f), sum(f(x) * k for x in t), k


@case([3, 4])
def binds_around(t):
    a = any((y := x) > 3 for x in t)
    b = [z := x for x in t]
    return a, y, z, b


@case(3)
def unbound_and_not_asked_for(n):
    if n > 5:
        k = 1
    return any(x > k for x in [])


@case(3)
def unbound_and_asked_for(n):
    r = any(x > k for x in [1])
    k = 1
    return r


@case([1, 2.5, 3])
def values_of_yields(xs):
    log = []

    def sub(n):
        if n == 0:
            return 7
        x = yield n
        log.append(x)
        if n > 2:
            return (n, None)
        for k in range(n):
            y = yield k
        z = yield from sub(n - 1)
        log.append(z)
        return z

    def g():
        a = yield from sub(3)
        log.append(a)
        b: tuple = yield from sub(2)
        log.append(b)
        c = yield from xs
        log.append(c)
        d = yield from map(abs, xs)
        yield from iter(xs)
        return (yield)

    return list(g()), log


@case([1, 2.5, 3])
def values_of_ends(xs):
    def sub(n):
        yield n
        if n > 5:
            return 3.5

    def g():
        a = yield from sub(1)
        b = yield from sub(9)
        q.append(a)
        q.append(b)

    q = []
    return list(g()), q


@case([1, 2.5, 3])
def yields_from_what_ended(xs):
    def sub(n):
        yield n
        return 4

    def g():
        s = sub(3)
        yield from s
        yield from s

    return list(g())


@case([1, 2.5, 3])
def looks_for_elements(xs):
    it = iter(xs)
    a = 2.5 in it
    return a, list(it), 3 in (x for x in xs), 9 in iter(xs), None in iter([]), 2 not in count()


def counted(n):
    if n == 0:
        return 0
    yield n
    k = yield from counted(n - 1)
    return k + n


@case(5)
def recursive_values(n):
    def g():
        k = yield from counted(n)
        yield -k

    return list(g())


@pytest.mark.parametrize(("function", "args"), CASES)
def test_does_as_python_does(function, args):
    check(function, args)


def next_of_a_set(s):
    return next(iter(s))


def pairs_of_sets(s):
    return sum(a * b for a, b in zip(s, s))


def numbered_set(s):
    return sum(i * b for i, b in enumerate(s))


def combined_set(s):
    return len(list(combinations(s, 2)))


def sliced(t, *bounds):
    return list(islice(t, *bounds))


@pytest.mark.parametrize("t", [(3, 1), 5])
def test_the_bounds_of_a_slice_are_checked_as_in_python(t):
    bounds = [2, True, U64(1), np.int64(2), -1, 2.0, "2", (2,), None]
    calls = [(a,) for a in bounds] + [(0, None, a) for a in bounds]
    check(sliced, *((t, *c) for c in calls))


@pytest.mark.parametrize("function", [next_of_a_set, pairs_of_sets, numbered_set, combined_set])
def test_no_order_of_a_set_shows(function):
    assert "sorted" in refused(function, {1, 2, 3})


def sends(n):
    def g():
        yield n

    return g().send(None)


def takes_the_value_of_what_is_kept(xs):
    def sub(n):
        yield n
        return 4

    def g():
        s = sub(xs)
        a = yield from s
        yield a

    return list(g())


def uses_a_yield_inside(n):
    def g():
        x = 1 + (yield n)
        yield x

    return list(g())


def splits(n):
    return itertools.tee([n])


ENDED = iter([1, 2])


def lasting(n):
    return next(ENDED)


@pytest.mark.parametrize(
    "function", [sends, takes_the_value_of_what_is_kept, uses_a_yield_inside, splits, lasting]
)
def test_refuses(function):
    assert refused(function, 3)


# Pipelines: iterators of iterators, whose functions fail or stop at some call

PIPELINE = """
from itertools import *
def f(xs, ys, fail, how):
    log = []
    def u(x):
        log.append(1)
        if len(log) > 300:
            raise KeyError  # some pipelines have no end
        if len(log) == fail:
            if how == 0:
                raise ValueError
            if how == 1:
                raise StopIteration
        return x
    def p(x):
        u(x)
        return len(log) % 3 != 0
    def g(x, y):
        u(x)
        return y
    def gen(it):
        log.append(2)
        for x in it:
            yield u(x)
        log.append(3)
    out, seen = [], []
    n = 0
    try:
        it = iter(KEPT)
        for _ in range(6):
            try:
                out.append(next(it, None))
            except ValueError:
                log.append(4)
            except RuntimeError:
                log.append(5)
    except ValueError:
        log.append(6)
    except StopIteration:
        log.append(7)
    except RuntimeError:
        log.append(8)
    try:
        for x in USED_UP:
            seen.append(x)
            n += 1
            if n == 4:
                break
        else:
            log.append(9)
    except ValueError:
        log.append(10)
    except StopIteration:
        log.append(11)
    except RuntimeError:
        log.append(12)
    return out, seen, log
"""
SOURCES = (
    "xs", "ys", "iter(xs)", "range(4)", "gen(xs)", "(u(x) for x in ys)", "map(u, xs)", "()", "[7]",
    "repeat(1, 3)", "count()",
)  # fmt: skip
STEPS = (
    "map(u, {})", "map(g, {}, {})", "zip({}, {})", "zip({}, {}, strict=True)", "enumerate({}, 2)",
    "filter(p, {})", "filterfalse(p, {})", "chain({}, {})", "islice({}, 1, None)",
    "islice({}, 0, 5, 2)", "takewhile(p, {})", "dropwhile(p, {})", "accumulate({}, g)",
    "pairwise({})", "zip_longest(islice({}, 3), {})", "compress({}, {})", "cycle(islice({}, 3))",
    "gen({})", "(u(x) for x in {} if p(x))", "starmap(g, zip({}, {}))",
    "chain.from_iterable(({}, {}))", "reversed(list(islice({}, 3)))", "tuple(islice({}, 3))",
    "[u(x) for x in islice({}, 3)]", "(k for k, _ in groupby({}, p))",
    "product(islice({}, 2), islice({}, 2))", "(z for x in islice({}, 2) for z in islice({}, 2))",
)  # fmt: skip


def pipeline(choose: random.Random, depth: int) -> str:
    if depth == 0:
        return choose.choice(SOURCES)
    step = choose.choice(STEPS)
    inner = [
        pipeline(choose, depth - 1 if choose.random() < 0.8 else 0) for _ in range(step.count("{}"))
    ]
    return step.format(*inner)


INPUTS = [
    ([1, 2.5, 3], (4, 5, 6, 7), 100, 0),
    ([1, 2.5, 3], (4, 5, 6, 7), 3, 0),
    ([1, 2.5, 3], (4, 5, 6, 7), 2, 1),
    ([1, 2.5, 3], (4, 5, 6, 7), 1, 0),
    ([], (4, 5, 6, 7), 4, 1),
    ([1.5], (), 100, 0),
]


@examples(4, times=60)
@given(st.randoms(use_true_random=False), st.integers(1, 3), st.integers(1, 3))
def test_any_pipeline_does_as_python_does(choose, first, second):
    text = PIPELINE.replace("KEPT", pipeline(choose, first))
    function = function_of(text.replace("USED_UP", pipeline(choose, second)))
    compiled = compile_function(function)
    for args in INPUTS:
        python, native = outcome(function, args), outcome(compiled, args)
        assert agrees(args, python, native), (args, python, native)


def fives(*iterables):
    return [5]


@pytest.mark.parametrize("text", ["enumerate(xs)", "zip(xs, xs)", "map(abs, xs)", "reversed(xs)"])
def test_another_meaning_of_an_iterator_is_noticed_where_a_loop_uses_it_up(text: str) -> None:
    name, module = text.partition("(")[0], types.ModuleType("module")
    setattr(module, name, getattr(builtins, name))
    for place, whole in ("", text), ("module", f"module.{text}"):
        function = function_of(f"def f(xs):\n    return [x for x in {whole}]\n", module=module)
        compiled = compile_function(function)
        assert compiled([3, 4]) == function([3, 4])
        (vars(module) if place else function.__globals__)[name] = fives
        assert compiled([3, 4]) == [5]
