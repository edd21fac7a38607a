"""Lists that change in place: slices that are assigned and deleted."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies.rules.cases import Cases
from tests.strategies.rules.compared import differences

case = Cases()


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


@settings(max_examples=60, deadline=None)
@given(a=NUMBERS, bounds=st.tuples(BOUND, BOUND, BOUND), values=NUMBERS)
def test_any_slice(a, bounds, values):
    assert not differences(put_slice, [(a, *bounds, values)])
    assert not differences(delete_slice, [(a, *bounds)])
