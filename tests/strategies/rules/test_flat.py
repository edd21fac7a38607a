"""Values are read as they were written; those of fixed size are written in one go, too."""

from __future__ import annotations

import ctypes
from collections import Counter, defaultdict, deque
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from games.game import Player
from games.u64 import U64
from strategies.rules.boundary.conversion import Boundary, Unlike
from strategies.rules.boundary.flat import writer
from strategies.rules.code.program import Program
from strategies.rules.kinds.forms import form, size
from strategies.rules.language.messages import Refusal
from strategies.rules.machine.memory import arena
from strategies.rules.syntax.bodies import walk
from tests.strategies.rules.compared import same


@frozen
class Pair:
    a: Any
    b: Any


@frozen
class Place:
    a: Any


WORDS = st.integers(0, 2**64 - 1).map(U64)
NUMBERS = st.one_of(
    st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), st.booleans(), WORDS,
    st.sampled_from(Player), st.none(),
)  # fmt: skip
VALUES = st.one_of(NUMBERS, st.tuples(NUMBERS, NUMBERS), st.builds(Pair, NUMBERS, NUMBERS))


@given(st.lists(VALUES, min_size=1, max_size=4), VALUES)
def test_a_value_is_written_as_part_by_part(alike: list[Any], other: Any) -> None:
    constants = Program("values", walk).constants
    kinds = [constants.kind(Place(v)) for v in alike]
    write = writer(kinds[-1])
    if write is None:
        return
    with arena().call() as memory:
        for value in (*map(Place, alike), Place(other)):
            room = size(form(kinds[-1])) + 8
            places = [memory.take(room) for _ in range(2)]
            for at in places:
                ctypes.memset(at, 0, room)
            try:
                Boundary(memory, {}).write(kinds[-1], value, places[0])
            except Unlike:
                with pytest.raises(Unlike):
                    write(value, memory.pages, places[1] - memory.start)
            else:
                write(value, memory.pages, places[1] - memory.start)
                assert ctypes.string_at(places[0], room) == ctypes.string_at(places[1], room)


RANGES = st.builds(range, *[st.integers(-(2**63), 2**63 - 1)] * 2, st.sampled_from([1, -3, 2**62]))
HASHED = NUMBERS | st.text(max_size=3) | st.tuples(NUMBERS, st.text(max_size=1))
TABLES = st.dictionaries(HASHED, RANGES | NUMBERS, max_size=9)
ALL = st.recursive(
    HASHED | RANGES | TABLES | TABLES.map(lambda t: defaultdict(int, t))
    | st.frozensets(HASHED, max_size=9) | st.sets(HASHED, max_size=9)
    | st.text(max_size=9).map(Counter),
    lambda inner: st.one_of(
        st.builds(Pair, inner, inner),
        *(st.lists(inner, max_size=20).map(made) for made in (list, tuple, deque)),
    ), max_leaves=5,
)  # fmt: skip


@given(ALL)
def test_a_value_of_any_kind_is_read_as_it_was_written(value: Any) -> None:
    program = Program("values", walk)
    try:
        kind = program.constants.kind(value)
    except Refusal:
        return
    with arena().call() as memory:
        at = memory.take(size(form(kind)) + 8)
        Boundary(memory, program.texts).write(kind, value, at)
        assert same(Boundary(memory, program.texts).read(kind, at), value)


@pytest.mark.parametrize(
    ("row", "other"),
    [
        ((1, -(2**63), 2**63 - 1) * 5, (*(1,) * 14, 2**63)),
        ((1, 2, 3) * 5, (*(1,) * 14, True)),
        ((U64(2**64 - 1), U64(0)) * 8, (*(U64(1),) * 15, 1)),
        ((0.5, float("inf"), -0.0) * 5, (*(0.5,) * 14, 1)),
        ((range(3), range(5, -(2**63), -2)), (range(3), (0, 3, 1))),
        ((range(3), range(5)), (range(3), range(2**63))),
    ],
)
def test_rows_of_numbers_are_read_as_they_were_written(row: Any, other: Any) -> None:
    """And a row with another value, or with an int that is too wide, is not written."""
    kind = Program("values", walk).constants.kind(row)
    with arena().call() as memory:
        at = memory.take(size(form(kind)) + 8)
        both = Boundary(memory, {})
        both.write(kind, row, at)
        found = both.read(kind, at)
        assert (found, [*map(type, found)]) == (row, [*map(type, row)])
        with pytest.raises(Unlike):
            both.write(kind, other, at)
