"""Lists that change in place: slices, lists that rules share, and lists in lists without end."""

from __future__ import annotations

import copy
from collections import Counter, defaultdict, deque
from functools import reduce
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import RuleError, compile_function
from tests.properties import examples
from tests.strategies.rules.cases import Cases
from tests.strategies.rules.compared import check, differences

case = Cases()
TABLE, EMPTY = [1, 2, 3], []  # type: ignore[var-annotated]
NAMES = {i: [i] for i in range(20)}
QUEUE, COUNTS = deque([1, 2]), defaultdict(int, {1: 2})


@case(
    ([1, 2], 0, 1, 5), ([1, 2], 0, 1.5, [5]), ((1, 2), 0, 1, [5]), ([1, 2, 3], None, 2, (7, None))
)
def put(a, i, j, values):
    b = a
    b[i:j] = values
    return a, b


@case([1, 2, 3, 4, 5], [1], [])
def with_itself(a):
    a[1:1] = a
    a[::-1] = a
    return a


@case(([1, 2, 3, 4], 0), ([1, 2, 3, 4], 2), ([1, 2, 3, 4], 4), ([1, 2, 3, 4], 5))
def values_that_change_the_list(a, n):
    a[1:3] = (a.pop() for _ in range(n))
    return a


@case(([1, 2, 3, 4, 5], 1), ([], 0), ((1, 2), 0))
def deletions(a, i):
    del a[i:], a[:1], a[::-2]
    return a


@case([1, 2, 3])
def more(a):
    a[1:2] += [4, 5]
    return a


@case(0, 1)
def copies(n):
    a, s, d, rows = [n, 2], {n}, {n: "a"}, [[n], [1]]
    more = copy.copy(a), copy.copy(s), copy.copy(d), copy.copy(rows), copy.copy(TABLE)
    deep = copy.deepcopy(a), copy.deepcopy(s), copy.deepcopy(d), copy.deepcopy([(1, "a")])
    for x, y in ((more[0], more[1]), (deep[0], deep[1])):
        x.append(7)
        y.add(8)
    more[2][3], deep[2][4] = "b", "c"
    more[3][0].append(9)
    more[4].append(n)
    same = copy.copy((a, 1))[0] is a, copy.deepcopy((1, ("a", None))), copy.copy(n)
    return a, s, d, rows, more, deep, same


@case(0, 1)
def lists_of_rules_among_others(n):
    a = TABLE if n else [n]
    b = [a, TABLE, [4], EMPTY]
    if not n:
        a.append(7)
    b[2].append(8)
    return b, sum(a), a == TABLE, a is TABLE


@case(0, 1)
def tables_of_rules_among_others(n):
    d, q = NAMES if n else {}, QUEUE if n else deque()
    if not n:
        d[5] = [6]
        d[5].append(4)
        q.appendleft(1.5)
    copy = dict(d)
    copy[99] = [n]
    copy.pop(5)
    counts = COUNTS if n else defaultdict(int)
    return d, copy, q, 99 in d, counts[1]


@case(([(1, 2), (1,), (3, "a")],))
def dicts_in_dicts(words):
    root = {}
    for word in words:
        node = root
        for letter in word:
            node = node.setdefault(letter, {})
        node["end"] = {}

    def walk(node, depth):
        return [(k, depth, walk(v, depth + 1)) for k, v in node.items()]

    return root, walk(root, 0)


@case(0, 3)
def nested(n):
    def tree(depth):
        return [tree(depth - 1) for _ in range(depth)]

    def count(t):
        return 1 + sum(map(count, t))

    pair, node, t = n, None, tree(n)
    for i in range(n):
        pair, node = [pair, i], {"value": i, "next": node}
    t.append(t)
    return pair, node, count(t[:-1]), t[-1] is t


def pairs(n, last):
    x = n
    for i in range(3):
        x = [x, i + last]
    return x


@case(1)
def compared_without_end(n):
    a, b, c = pairs(n, 0), pairs(n, 0), pairs(n, 1)
    d, e, own = {1: a}, {1: b}, [n]
    d[2], e[2] = d, d
    own.append(own)
    equal = a == b, a != c, d == e, own == own, [own] == [own], (a, 1) == (b, 1), own == [n, own]
    low, high = pairs([n], 1), pairs([n], 2)
    return equal, low < high, low >= high, low <= low, sorted([high, low]), max(low, high)


@case(1)
def compared_for_ever(n):
    a, b = [n], [n]
    a.append(a)
    b.append(b)
    return a == b


@case(([[1, 2], [3, 4]],))
def made_in_a_map(grid):
    return tuple(map(tuple, grid)), list(map(list, zip(*grid, strict=True)))


@case(1)
def functions_of_functions(n):
    found = defaultdict(lambda: n, {1: 2})
    for _ in range(3):
        found = reduce(lambda d, x: defaultdict(lambda: d[x] + 1, {}), [6, 7], found)
    return found[2]


CHANGES = [
    lambda n: (TABLE if n else [1]).append(2),
    lambda n: (TABLE if n else [2, 1]).sort(reverse=True),
    lambda n: (EMPTY if n else []).extend([1]),
    lambda n: (QUEUE if n else deque([1])).pop(),
    lambda n: (NAMES if n else {1: [1]}).pop(1),
    lambda n: (COUNTS if n else defaultdict(int))[7],
]


def views(n):
    d = Counter([n, 1]) if n else {}
    v = d.keys()
    d[7] = [1] if not n else 1
    return v, d, d.items(), d.values()


@pytest.mark.parametrize("n", [0, 3])
def test_views_are_results(n: int) -> None:
    shown = [[(type(v), list(v)) for v in f(n)] for f in (compile_function(views), views)]
    assert shown[0] == shown[1]


@pytest.mark.parametrize("function", CHANGES)
def test_what_rules_share_is_not_changed(function: Any) -> None:
    check(function, (0,))
    with pytest.raises(RuleError, match="must not be changed"):
        compile_function(function)(1)
    assert TABLE == [1, 2, 3]


def put_slice(a: list[Any], i: Any, j: Any, k: Any, values: Any) -> list[Any]:
    a[i:j:k] = values
    return a


def delete_slice(a: list[Any], i: Any, j: Any, k: Any) -> list[Any]:
    del a[i:j:k]
    return a


@pytest.mark.parametrize("name", case.names())
def test_does_as_python_does(name: str) -> None:
    case.run(name)


BOUND = st.none() | st.integers(-5, 5) | st.sampled_from([2**62, -(2**62)])
NUMBERS = st.lists(st.integers(0, 9), max_size=5)


@examples(60)
@given(a=NUMBERS, bounds=st.tuples(BOUND, BOUND, BOUND), values=NUMBERS)
def test_any_slice(a, bounds, values):
    assert not differences(put_slice, [(a, *bounds, values)])
    assert not differences(delete_slice, [(a, *bounds)])


@pytest.mark.parametrize("kind", [int, lambda i: i % 3 == 0, lambda i: (i < 9, i)])
def test_copies_of_any_length_have_all_elements(kind):
    """Some bytes are copied without a call, in two parts: from 16 on, and up to 64."""

    def f(row):
        one, other = list(row), list(row)
        other.append(row[0])
        return one, other, row + tuple(one)

    check(f, *((tuple(map(kind, range(n))),) for n in range(1, 71)))
