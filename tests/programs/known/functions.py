# ruff: noqa
"""Functions: closures, defaults, recursion, generators, what is passed on or left early."""

import functools
import itertools
import operator
from functools import cache, lru_cache, partial
from itertools import accumulate, chain, combinations, count, cycle, groupby, islice, pairwise
from itertools import product, repeat, takewhile, dropwhile, zip_longest

LIMIT = 3


def late_binding(n):
    """3"""
    fs = [lambda: i for i in range(n)]
    gs = [lambda i=i: i for i in range(n)]
    return [f() for f in fs], [g() for g in gs]


def closure_sees_later_value(n):
    """3"""
    f = lambda x: x + n
    first = f(1)
    n = 10
    return first, f(1)


def default_is_bound_early(n):
    """3"""

    def f(x, k=n):
        return x + k

    n = 10
    return f(1), f(1, k=n)


def counter_by_nonlocal(n):
    """3"""
    total = 0

    def add(x):
        nonlocal total
        total += x
        return total

    return [add(i) for i in range(n)], total


def two_closures_share(n):
    """5"""

    def make():
        value = [n]

        def get():
            return value[0]

        def change(x):
            value[0] += x

        return get, change

    get, change = make()
    other, _ = make()
    change(3)
    return get(), other()


def function_returned(n):
    """5
    -5"""

    def twice(f):
        return lambda x: f(f(x))

    return twice(lambda x: x * n)(2), twice(twice(abs))(n)


def table_of_functions(i, x):
    """0, 5
    2, 5
    3, 5"""
    fs = (lambda v: v + 1, abs, float)
    return fs[i](x)


def function_of_either(flag, x):
    """True, 5
    False, 5"""
    f = max if flag else (lambda a, b: a * b)
    return f(x, 2), (min if flag else max)(x, 2.5)


def keyword_arguments(x):
    """5"""

    def f(a, b=2, *, c=3):
        return a * 100 + b * 10 + c

    return f(x), f(a=x), f(x, c=1), f(c=1, b=0, a=x), f(*(x, 1)), f(*[x], **{"c": 4})


def star_parameters(t):
    """(1, 2, 3)
    ()"""

    def f(*rest):
        return rest, len(rest)

    def g(a, *rest, b=5):
        return a, rest, b

    return f(*t), f(), g(1, *t), g(0, b=2), f(*t, *t)


def wrong_number_of_arguments(t):
    """(1, 2)
    (1,)"""

    def f(a, b):
        return a + b

    return f(*t)


def partial_application(x):
    """5"""
    f = partial(lambda a, b, c=1: a * 100 + b * 10 + c, x)
    g = partial(f, c=7)
    return f(2), g(2), f(2, c=3), partial(max, x)(9), partial(pow, 2)(x)


def reduce_with_and_without_start(t):
    """(1, 2, 3)
    (1,)"""
    return functools.reduce(operator.add, t), functools.reduce(lambda a, x: a + [x], t, [])


def item_getters(t):
    """((2, 1), (1, 5))"""
    first = operator.itemgetter(0)
    return sorted(t, key=first), max(t, key=operator.itemgetter(1)), operator.itemgetter(0, 1)(t)


def cached(n):
    """20"""

    @cache
    def fib(k):
        return k if k < 2 else fib(k - 1) + fib(k - 2)

    return fib(n)


def cached_list_is_shared(n):
    """3"""

    @lru_cache(maxsize=None)
    def row(k):
        return [k]

    row(n).append(7)
    return row(n), row(n + 1)


@cache
def paths(x, y):
    return 1 if x == 0 or y == 0 else paths(x - 1, y) + paths(x, y - 1)


def cached_helper(x, y):
    """3, 4
    0, 0"""
    return paths(x, y)


def decorated(n):
    """3"""

    def twice(f):
        def run(x):
            return f(x) * 2

        return run

    @twice
    def f(x):
        return x + 1

    return f(n)


def base_case_by_constant(length):
    """0
    1"""

    def grow(length):
        if length == LIMIT:
            return [length]
        return [length, *grow(length + 1)]

    return grow(length)


def growing_rows(n):
    """4"""

    def doubled(row, k):
        return row if k == 0 else doubled(row + row, k - 1)

    return doubled((1,), n), doubled([1, 2], 2)


def mutual_recursion(n):
    """7
    0"""

    def even(k):
        return True if k == 0 else odd(k - 1)

    def odd(k):
        return False if k == 0 else even(k - 1)

    return even(n), odd(n)


def endless_recursion(n):
    """1"""

    def f(k):
        return f(k + 1) + 1

    return f(n)


def endless_mutual_recursion(n):
    """1"""

    def f(k):
        return g(k)

    def g(k):
        return f(k + 1)

    return f(n)


def recursion_with_list(n):
    """3"""
    out = []

    def place(row):
        if len(row) == n:
            out.append(tuple(row))
            return
        for x in range(n):
            if x not in row:
                row.append(x)
                place(row)
                row.pop()

    place([])
    return out


def recursion_of_varying_type(n):
    """3
    0"""

    def nest(k):
        return () if k == 0 else (k, nest(k - 1))

    return nest(n)


def recursive_float(n):
    """3
    0"""

    def f(k):
        return 0 if k <= 0 else f(k - 1) / 2 + 1

    return f(n)


def recursive_generator(t):
    """((0, 3), (1, 2))"""

    def paths(x, seen):
        yield (x,)
        for a, b in t:
            if a == x and b not in seen:
                for rest in paths(b, seen | {b}):
                    yield (x, *rest)

    return list(paths(0, {0})), list(paths(1, set()))


def recursive_yield_from(n):
    """3"""

    def walk(k):
        if k > 0:
            yield from walk(k - 1)
            yield k
            yield from walk(k - 2)

    return list(walk(n)), sum(walk(n)), next(walk(0), None)


def yield_from_gives_result(n):
    """3"""

    def inner():
        yield n
        return n * 2

    def outer():
        value = yield from inner()
        yield value

    return list(outer())


def generator_is_lazy(row):
    """[1, 2, 3]"""
    log = []

    def items():
        for x in row:
            log.append(x)
            yield x

    g = items()
    first = next(g)
    row.append(9)
    log.append(-1)
    return first, list(g), log


def generator_reads_grown_list(row):
    """[3, 1]"""

    def seen_of(items):
        seen = []
        for x in items:
            seen.append(x)
            yield x + len(items)
        yield len(seen)

    n = 0
    for y in seen_of(row):
        if len(row) < 6:
            row.append(y)
        n += y
    return n, row


def generator_left_early(n):
    """3"""
    log = []

    def items():
        k = 0
        while True:
            log.append(k)
            yield k
            k += 1

    for x in items():
        if x >= n:
            break
    found = next(x for x in items() if x * x > n)
    return log, found, list(islice(items(), 2))


def generator_passed_on(t):
    """(1, 2, 3)
    ()"""

    def evens(items):
        for x in items:
            if x % 2 == 0:
                yield x

    def doubled(items):
        return (x * 2 for x in items)

    g = doubled(evens(doubled(x for x in t)))
    return list(g), list(g)


def generator_used_twice(t):
    """(1, 2, 3)"""
    g = (x for x in t)
    return 2 in g, list(g), sum(g)


def next_of_empty(t):
    """()
    (1,)"""
    g = iter(t)
    return next(g, -1), next(g, None), next(iter(t))


def stop_iteration_in_generator(t):
    """()
    (1,)"""

    def items():
        yield next(iter(t))

    return list(items())


def raise_stop_iteration_in_generator(n):
    """1"""

    def items():
        yield n
        raise StopIteration

    return list(items())


def generator_returns_early(n):
    """0
    1"""

    def items():
        if n:
            return
        yield 5

    return list(items()), next(items(), "stop")


def generator_raises_between(n):
    """0
    2"""
    log = []

    def items():
        yield 1
        yield 1 // n
        yield 3

    try:
        for x in items():
            log.append(x)
    except ZeroDivisionError:
        log.append(-1)
    return log


def generator_with_finally(n):
    """2"""
    log = []

    def items():
        try:
            for i in range(n):
                yield i
        finally:
            log.append(9)

    return list(items()), log


def generator_expression_is_lazy(n):
    """3"""
    log = []
    g = (log.append(x) or x for x in range(n))
    before = len(log)
    return before, next(g), len(log), list(g), log


def generator_sees_later_names(n):
    """3"""
    g = (x * n for x in range(3))
    n = 100
    return list(g)


def generator_reads_first_iterable_at_once(t):
    """(1, 2)
    ()"""
    row = list(t)
    g = (x for x in row)
    row = [9]
    h = (y for x in [0] for y in row)
    row = [7, 8]
    return list(g), list(h)


def loop_of_while_over_generator(n):
    """3"""

    def inner(k):
        for j in range(k):
            yield j * 10

    k, out = 0, []
    while k < n:
        for j in inner(k):
            out.append(j)
        k += 1
    return out


def two_iterators_of_one(t):
    """(1, 2, 3, 4)"""
    it = iter(t)
    return list(zip(it, it)), list(it)


def zip_in_all_ways(a, b):
    """(1, 2), (3,)
    (), (1,)"""
    return (
        list(zip(a, b)),
        list(zip(a)),
        list(zip()),
        list(zip(*[a, a])),
        list(zip_longest(a, b)),
        list(zip_longest(a, b, fillvalue=0)),
    )


def zip_strict(a, b):
    """(1, 2), (3, 4)
    (1, 2), (3,)
    (), (1,)"""
    return list(zip(a, b, strict=True))


def enumerate_with_start(t):
    """(5, 6)"""
    return list(enumerate(t, 3)), list(enumerate(t, start=-1)), dict(enumerate(t))


def ranges(a, b, c):
    """0, 5, 2
    5, 0, -2
    0, 5, -1
    3, 3, 1
    0, 5, 0"""
    r = range(a, b, c)
    return (
        list(r),
        len(r),
        a in r,
        r[-1] if len(r) else None,
        list(reversed(r)),
        r == range(b),
        r[1:],
    )


def map_and_filter(t):
    """(3, 0, -1)"""
    return (
        list(map(abs, t)),
        list(map(max, t, (1, 2))),
        list(filter(None, t)),
        list(map(lambda a, b: a * b, t, t)),
    )


def chains(t):
    """(1, 2)
    ()"""
    return (
        list(chain(t, [5], t)),
        list(chain.from_iterable([t, (9,)])),
        list(chain()),
        sum(chain(t, t)),
    )


def accumulations(t):
    """(1, 2, 3)
    ()"""
    return (
        list(accumulate(t)),
        list(accumulate(t, max)),
        list(accumulate(t, operator.mul, initial=2)),
        list(accumulate(t, lambda a, b: a / 2 + b)),
    )


def slices_of_iterators(t):
    """(1, 2, 3, 4)"""
    return (
        list(islice(t, 2)),
        list(islice(t, 1, None)),
        list(islice(t, 0, 4, 2)),
        list(islice(count(5), 2)),
        list(islice(cycle(t), 6)),
    )


def negative_islice(t):
    """(1, 2)"""
    return list(islice(t, -1))


def combinatorics(t):
    """(1, 2, 3)
    ()"""
    return (
        list(combinations(t, 2)),
        list(itertools.permutations(t, 2)),
        list(product(t, (0, 1))),
        list(product((0, 1), repeat=2)),
        list(itertools.combinations_with_replacement(t, 2)),
        list(itertools.permutations(t)),
        list(product()),
    )


def windows(t):
    """(1, 2, 4)
    (1,)
    ()"""
    return list(pairwise(t)), [b - a for a, b in zip(t, t[1:])], all(a < b for a, b in pairwise(t))


def groups(t):
    """(1, 1, 2, 1)
    ()"""
    return [(k, len(list(g))) for k, g in groupby(t)], [
        (k, sum(g)) for k, g in groupby(t, key=lambda x: x > 1)
    ]


def while_taking(t):
    """(1, 2, 5, 1)"""
    return (
        list(takewhile(lambda x: x < 3, t)),
        list(dropwhile(lambda x: x < 3, t)),
        list(itertools.filterfalse(lambda x: x < 3, t)),
        list(itertools.compress(t, (1, 0, True))),
    )


def repeats(n):
    """3
    0
    -1"""
    return (
        list(repeat(5, n)),
        list(map(pow, (1, 2), repeat(2))),
        list(itertools.starmap(pow, [(2, 3), (3, 2)])),
    )


def counts(n):
    """3"""
    return list(islice(count(n, -2), 3)), list(islice(count(0.5), 2)), list(zip(count(1), "ab"[:0]))


def sum_with_start(t):
    """((1,), (2, 3))
    ()"""
    return sum(t, ()), sum([[x] for x in t], []), sum(map(len, t), start=10)


def next_changes_iterator(t):
    """(1, 2, 3, 4)"""
    it = iter(t)
    out = []
    for x in it:
        out.append((x, next(it, 0)))
    return out


def lambda_in_lambda(n):
    """3"""
    add = lambda a: lambda b: lambda c: a + b * c
    return add(n)(2)(5), (lambda *a: a[-1])(1, n), (lambda: lambda: n)()()


def comprehension_in_closure(t):
    """(1, 2)"""
    k = 3

    def f():
        return [x * k for x in t], {x: [y * k for y in range(x)] for x in t}

    k = 5
    return f()


def generator_in_a_tuple(t):
    """(1, 2)"""
    pair = (iter(t), 5)
    first = next(pair[0])
    return first, list(pair[0]), pair[1]


def class_of_functions(n):
    """1"""
    return isinstance(lambda: n, int), isinstance((i for i in range(n)), tuple)
