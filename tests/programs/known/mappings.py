# ruff: noqa
"""Dicts, sets, counters and dicts with a default."""

from collections import Counter, defaultdict

from games.u64 import U64

DOTS = ...
TABLE = {(0, 1): 5, (1, 0): 7}
NAMES = {"keep": (1, 2), "roll": (3,)}


def keys_that_are_pairs(t):
    """(1, 0)
    (1, 2)"""
    d = {}
    for i in range(3):
        for j in range(2):
            d[i, j] = i * 10 + j
    return d[t], t in d, d.get((9, 9)), len(d)


def table_of_pairs(t):
    """(0, 1)
    (1, 1)"""
    return TABLE.get(t, 0), t in TABLE, TABLE[t]


def table_of_tags(tag):
    """ "keep"
    "stop\""""
    return NAMES.get(tag, ()), sum(NAMES["keep"]), NAMES[tag]


def keys_of_differing_length(t):
    """((), (1,), (1, 2))"""
    d = {}
    for key in t:
        d[key] = len(key)
    return d, d[(1,)]


def missing_key(d, k):
    """{1: 2}, 1
    {1: 2}, 5
    {}, 0"""
    return d[k]


def get_of_missing(d, k):
    """{1: 2}, 1
    {1: 2}, 5"""
    return d.get(k) == 2, d.get(k), d.get(k, -1), d.get(k) is None


def pop_of_key(d, k):
    """{1: 2}, 1
    {1: 2}, 5"""
    return d.pop(k, None), d.pop(k, 7), d.pop(k)


def popitem_is_last(d):
    """{1: 2, 3: 4}
    {}"""
    d[1] = 9
    return d.popitem(), d


def equal_keys_of_other_type(n):
    """1"""
    d = {n: "keep"}
    d[True] = "roll"
    d[1.0] = "stop"
    d[2.0] = "keep"
    d[2] = ""
    return d


def order_of_insertion(t):
    """(3, 1, 2, 3)"""
    d = {}
    for x in t:
        d[x] = d.get(x, 0) + 1
    del d[3]
    d[3] = 0
    return list(d), list(d.values()), list(d.items()), list(reversed(d))


def equality_without_order(n):
    """1
    2"""
    return {1: 2, 3: n} == {3: n, 1: 2}, {1: 2} == {1: 2.0}, {1: 2} != {1: n}, {} == {}


def changed_while_read(n):
    """1"""
    d = {5: 1, 3: 2}
    for k in d:
        d[k + n] = 0
    return len(d)


def values_changed_while_read(n):
    """1"""
    d = {5: 1, 3: 2}
    for k in d:
        d[k] = n
    for k, v in d.items():
        d[k] = v + 1
    return d


def deleted_while_read(n):
    """3
    5"""
    d = {5: 1, 3: 2}
    for k in d:
        if k == n:
            del d[k]
    return d


def deleted_by_list_of_keys(n):
    """2"""
    d = {i: i * i for i in range(5)}
    for k in list(d):
        if d[k] > n:
            del d[k]
    return d


def update_in_all_ways(d):
    """{1: 2}
    {}"""
    d.update({3: 4})
    d.update([(5, 6), (1, 0)])
    d |= {7: 8}
    e = d | {1: 9}
    d.update()
    return d, e, {**d, 1: 5}


def setdefault_of_lists(t):
    """(1, 2, 1)"""
    d = {}
    for i, x in enumerate(t):
        d.setdefault(x, []).append(i)
    return d


def fromkeys_shares(t):
    """(1, 2)"""
    d = dict.fromkeys(t, [])
    d[1].append(5)
    return d, dict.fromkeys(t), dict.fromkeys((), 0)


def dict_of_pairs(t):
    """((1, 2), (3, 4), (1, 5))
    ()"""
    return dict(t), dict(zip((1, 2), t)), dict(enumerate(t))


def nested_dicts(t):
    """(1, 2)"""
    d = {}
    for x in t:
        d.setdefault(x, {})[x + 1] = x
    d[1][2] += 5
    return d


def comprehension_keeps_last(t):
    """(1, 2, 3)"""
    return {x % 2: x for x in t}, {x: [x] * x for x in t if x > 1}


def values_of_both_types(n):
    """1"""
    d = {0: n, 1: n / 2}
    d[0] += 0.5
    d[2] = True
    return d, sum(d.values()), max(d.values())


def views_compared(d):
    """{1: 2, 3: 4}"""
    return 1 in d.keys(), 2 in d.values(), (1, 2) in d.items(), len(d.items()), sorted(d.keys())


def min_of_dict_by_value(d):
    """{1: 5, 2: 3}
    {}"""
    return min(d, key=d.get), max(d, key=lambda k: d[k]), min(d)


def clear_and_copy(d):
    """{1: 2}"""
    e = d.copy()
    f = d
    d.clear()
    return d, e, f, bool(d)


def delete_missing(d):
    """{1: 2}"""
    del d[5]
    return d


def set_methods(t):
    """(1, 2, 3)
    ()"""
    a, b = set(t), {2, 5}
    return (
        a | b,
        a & b,
        a - b,
        a ^ b,
        a.union(b, {9}),
        a.intersection(b),
        a.difference(b),
        a.symmetric_difference(b),
    )


def set_comparisons(t):
    """(1, 2, 3)
    (2,)
    ()"""
    a, b = set(t), {1, 2}
    return (
        a <= b,
        a < b,
        a >= b,
        a > b,
        a == b,
        a != b,
        a.issubset(b),
        a.issuperset(b),
        a.isdisjoint(b),
    )


def set_updates(t):
    """(1, 2, 3)"""
    a = set(t)
    same = a
    a |= {7}
    a -= {1}
    a &= {2, 7, 9}
    a ^= {2, 5}
    a.update([8], (9,))
    a.discard(100)
    return a, same, same is a


def remove_from_set(t, x):
    """(1, 2), 2
    (1, 2), 5"""
    a = set(t)
    a.remove(x)
    return a


def set_of_mixed(n):
    """1"""
    return {n, True, 1.0}, {True, n}, {0.0, False, n - 1}, len({n, 1.0, 2, 2.0})


def set_of_pairs(t):
    """((1, 2), (1, 2), (2, 1))"""
    seen = set()
    fresh = [p for p in t if not (p in seen or seen.add(p))]
    return seen, fresh, (1, 2) in seen, (1.0, 2) in seen


def set_assigned_twice(t):
    """(1, 2)"""
    taken = set()
    for x in t:
        taken.add(x)
    first = taken
    taken = set()
    taken.add(9)
    return first, taken


def frozen_as_key(t):
    """(1, 2, 1)"""
    f = frozenset(t)
    d = {f: 1, frozenset(): 2}
    return (
        d[frozenset((2, 1))],
        f | {5},
        f & {1},
        f == {1, 2},
        hash(f) == hash(frozenset({1, 2})),
        d,
    )


def set_and_frozen(t):
    """(1, 2)"""
    a, f = set(t), frozenset(t)
    return a == f, a | f, f | a, a - f, f <= a


def set_from_comprehension(t):
    """(1, 2, 3)"""
    return {x % 2 for x in t}, sum({x * 2 for x in t}), max({x for x in t}), sorted({-x for x in t})


def set_with_stars(t):
    """(1, 2)"""
    return {*t, 0}, len({*t, *t})


def set_changed_while_read(n):
    """1"""
    s = {5, 3}
    for x in s:
        s.add(x + n * 10)
    return 0


def set_pop_of_one(n):
    """5"""
    s = {n}
    return s.pop(), s


def pop_of_empty_set(n):
    """5"""
    s = {n}
    s.clear()
    return s.pop()


def counter_counts(t):
    """(1, 2, 1)
    ()"""
    c = Counter(t)
    c[5] += 2
    return c, c[99], len(c), c.total(), 99 in c, c.most_common(1), c.most_common()


def counter_arithmetic(t):
    """(1, 2, 1)"""
    a, b = Counter(t), Counter({1: 1, 3: 2})
    return a + b, a - b, b - a, a & b, a | b, +(a - b), -Counter({1: -2})


def counter_keeps_the_first_of_equal_counts(n):
    """1
    2"""
    a, b = Counter([1, 1]), Counter()
    a[1] = n
    b[1] = 2.0
    both, most = a & b, a | b
    a &= b
    return a[1], both[1], most[1]


def counter_of_words(n):
    """5
    0"""
    a, b = Counter(), Counter()
    a[1] = U64(n)
    b[2] = U64(3)
    return sorted((a - b).items()), len(-a), sorted((a & b).items()), len(+a)


def pop_with_dots_for_a_missing_key(d):
    """{1: 2}
    {5: 2}"""
    return d.pop(5, DOTS) is DOTS


def counter_updates(t):
    """(1, 2, 1)"""
    c = Counter()
    c.update(t)
    c.subtract({1: 5})
    c += Counter({2: 3})
    return c, sorted(c.elements())


def counter_equality(t):
    """(1, 2, 1)"""
    return (
        Counter(t) == {1: 2, 2: 1},
        Counter(t) == Counter({1: 2, 2: 1, 3: 0}),
        Counter(t) <= Counter({1: 2, 2: 1}),
    )


def default_of_int(t):
    """(1, 2, 1)"""
    d = defaultdict(int)
    for x in t:
        d[x] += 1
    probe = d[7]
    return d, probe, 7 in d, d.get(8), 8 in d


def default_of_lists(t):
    """(1, 2, 1)"""
    d = defaultdict(list)
    for i, x in enumerate(t):
        d[x].append(i)
    return d, len(d[9]), len(d)


def default_by_lambda(n):
    """3"""
    d = defaultdict(lambda: n)
    n = 5
    d[1] += 1
    return d[1], d[2]


def default_of_float(t):
    """(1, 2)"""
    d = defaultdict(float)
    for x in t:
        d[x] += x
    return dict(d), d == {1: 1.0, 2: 2.0}


def default_without_factory(n):
    """1"""
    d = defaultdict(None, {n: 2})
    return d[n], d[n + 1]


def dict_of_functions(tag, x):
    """ "keep", 3
    "roll", 3
    "stop", 3"""
    table = {"keep": lambda v: v + 1, "roll": abs}
    return table[tag](x)


def memo_by_dict(n):
    """20"""
    memo = {0: 0, 1: 1}

    def fib(k):
        if k not in memo:
            memo[k] = fib(k - 1) + fib(k - 2)
        return memo[k]

    return fib(n), len(memo)


def an_empty_tuple_as_a_key(t):
    """()
    (6,)"""
    return {(6,): False}.get(tuple([])), {(6,): False}.get(t), tuple([]) == (6,), (6,) == tuple([])
