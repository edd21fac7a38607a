"""Lists are sorted as Python sorts them: stable, and short ones with the same comparisons."""

from __future__ import annotations

import math
import sys

from hypothesis import given
from hypothesis import strategies as st

from strategies import compile_function
from tests.properties import examples

NUMBERS = [0.0, -0.0, 1.0, 2.5, -7.0, math.inf]
if sys.version_info < (3, 13):  # where CPython makes the same comparisons
    NUMBERS.append(math.nan)


def whole(values: list[float], down: bool) -> list[float]:
    return sorted(values, reverse=down)


def in_place(values: list[float], down: bool) -> list[float]:
    found = list(values)
    found.sort(reverse=down)
    return found


def by_key(values: list[int], down: bool) -> list[int]:
    return sorted(values, key=lambda x: x // 3, reverse=down)


def in_place_by_key(values: list[int], down: bool) -> list[int]:
    found = list(values)
    found.sort(key=lambda x: -(x // 3), reverse=down)
    return found


COMPILED = {f: compile_function(f) for f in (whole, in_place, by_key, in_place_by_key)}


@examples(200)
@given(st.lists(st.sampled_from(NUMBERS), min_size=1, max_size=63), st.booleans())
def test_short_lists_are_sorted_with_the_same_comparisons(values: list[float], down: bool) -> None:
    for function in (whole, in_place):
        assert repr(COMPILED[function](values, down)) == repr(function(values, down))


@examples(100)
@given(st.lists(st.integers(-20, 20), min_size=1, max_size=9), st.integers(1, 50), st.booleans())
def test_sorting_is_stable_at_any_length(few: list[int], times: int, down: bool) -> None:
    values = few * times
    for function in (by_key, in_place_by_key):
        assert COMPILED[function](values, down) == function(values, down)
