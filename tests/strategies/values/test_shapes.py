"""Containers: all that Dask traverses are evaluated, and more; others are refused."""

from __future__ import annotations

from collections import ChainMap, Counter, OrderedDict, UserList, UserString, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

import attrs
import dask
import numpy as np
import pytest
from attrs import frozen
from dask import delayed
from hypothesis import given
from hypothesis import strategies as st

from graphs import Seq
from graphs.limits import NESTED_CONTAINERS
from strategies import (
    Strategy,
    StrategyError,
    par_apply,
    par_buffer,
    par_list,
    par_list_chunk,
    par_traversable,
    r0,
    rdeepseq,
    rpar,
    rseq,
    seq,
    using,
)
from strategies.values.containers_of import parts
from tests.properties import examples

Make = Callable[[], Any]
"""Functions that create a value, because an iterator can be used only once."""


class Pair(NamedTuple):
    a: Any
    b: Any


@dataclass(frozen=True)
class Data:
    a: Any
    b: Any = 0


def thunk(x: Any) -> Any:
    return delayed(abs)(x)


def leaf() -> st.SearchStrategy[Make]:
    return st.integers(-3, 3).flatmap(
        lambda n: st.sampled_from([lambda: n, lambda: thunk(n), lambda: "text"])
    )


def hashed() -> st.SearchStrategy[Make]:
    """Draw hashable values, for sets and keys."""
    few = st.lists(leaf(), max_size=2)
    return st.one_of(leaf(), few.map(lambda ms: lambda: tuple(m() for m in ms)))


def nested(inner: st.SearchStrategy[Make]) -> st.SearchStrategy[Make]:
    few = st.lists(inner, max_size=3)
    rows = st.sampled_from([list, tuple, iter, lambda row: (x for x in row)])
    tables = st.sampled_from([dict, OrderedDict])
    pairs = st.lists(st.tuples(hashed(), inner), max_size=3)
    made = st.sampled_from([Pair, Data])
    return st.one_of(
        st.tuples(rows, few).map(lambda t: lambda: t[0]([m() for m in t[1]])),
        st.lists(hashed(), max_size=3).map(lambda ms: lambda: {m() for m in ms}),
        st.tuples(tables, pairs).map(lambda t: lambda: t[0]([(k(), v()) for k, v in t[1]])),
        st.tuples(made, inner, inner).map(lambda t: lambda: t[0](t[1](), t[2]())),
    )


STRATEGIES = [r0, rseq, rpar, rdeepseq, seq, par_traversable(rseq), par_traversable(rdeepseq)]


def shape(x: Any) -> Any:
    """Return a value with the types of all its parts; sets in any order."""
    if isinstance(x, (set, frozenset)):
        return type(x), {shape(v) for v in x}
    if isinstance(x, dict):
        return type(x), [(shape(k), shape(v)) for k, v in x.items()]
    if isinstance(x, (list, tuple)):
        return type(x), tuple(map(shape, x))
    return (Data, shape(x.a), shape(x.b)) if isinstance(x, Data) else (type(x), x)


@examples(30)
@given(st.recursive(leaf(), nested, max_leaves=6), st.sampled_from(STRATEGIES))
def test_values_agree_with_dask_compute(make: Make, s: Strategy) -> None:
    """The value is paired with a thunk, because Dask does not traverse values without thunks."""
    (wanted,) = dask.compute([thunk(0), make()], scheduler="sync")
    assert shape(using([thunk(0), make()], s).compute(scheduler="sync")) == shape(wanted)


class Row(list[Any]):
    """A list with an attribute."""

    name = ""


@frozen
class Box:
    inside: Any


def named(*values: Any) -> Row:
    row = Row(values)
    row.name = "kept"
    return row


MORE: list[tuple[Callable[[Any], Any], Strategy]] = [
    (lambda x: named(x, 2), par_list),
    (lambda x: Seq([x, 2]), par_list),
    (lambda x: Seq([1, x, 2])[1:], par_list_chunk(2)),
    (lambda x: deque([x, 2], 3), par_buffer(1)),
    (lambda x: iter([x, 2]), par_list),
    (lambda x: [Seq([x]), {x: Seq([x])}], par_traversable(rseq)),
    (lambda x: frozenset([x, 2]), rdeepseq),
    (lambda x: defaultdict(list, {x: [x]}), rdeepseq),
    (lambda x: Counter({x: 4}), rdeepseq),
    (lambda x: slice(x, [x]), rdeepseq),
    (lambda x: Box({"a": Box(x)}), rdeepseq),
    (lambda x: {(x, "b"): {x}}, par_traversable(rseq)),
]


@pytest.mark.parametrize(("make", "s"), MORE)
def test_containers_that_dask_does_not_traverse_are_evaluated(
    make: Callable[[Any], Any], s: Strategy
) -> None:
    wanted = make(1)
    if hasattr(wanted, "__next__"):
        wanted = list(wanted)
    answer = using(make(thunk(-1)), s)
    found = answer.compute(scheduler="sync")
    assert type(found) is type(wanted)
    assert found == wanted
    assert getattr(found, "name", "") == getattr(wanted, "name", "")
    assert getattr(found, "maxlen", 0) == getattr(wanted, "maxlen", 0)


def test_arguments_of_functions_are_evaluated() -> None:
    for make, _ in MORE:
        if not hasattr(make(1), "__next__"):
            found = par_apply(lambda x: [x], rdeepseq)(make(thunk(-1)))
            assert found.compute(scheduler="sync") == [make(1)]


def test_a_list_strategy_sparks_the_elements_of_a_sequence() -> None:
    row = [thunk(-1), thunk(-2)]
    wanted = len(using(row, par_list).__dask_graph__())
    for value in (Seq(row), deque(row), Row(row), iter(row)):
        assert len(using(value, par_list).__dask_graph__()) == wanted
    answer = using(Seq(row), par_list)
    assert [part.compute(scheduler="sync") for part in answer] == [1, 2]
    assert answer[1].compute(scheduler="sync") == 2


def test_parts_with_keys_that_are_not_known_yet_are_found() -> None:
    answer = using({thunk(-1): "late", 1: "early"}, rdeepseq)
    assert answer[1].compute(scheduler="sync") == "early"
    answer = using({1: "early", thunk(-1): "late"}, rdeepseq)
    assert answer[1].compute(scheduler="sync") == "late"


def priced(slots: bool) -> Any:
    """Return a class whose price in euros is converted when it is made."""

    @attrs.frozen(slots=slots, cache_hash=True)
    class Priced:
        part: Any
        price: int = attrs.field(default=2, converter=lambda euros: 100 * euros)

        @cached_property
        def twice(self) -> Any:
            return self.part, self.part

    return Priced


@dataclass
class Made:
    """A number of times that it was made, and a field that its constructor does not take."""

    part: Any
    times: int = 0
    length: int = field(init=False)

    def __post_init__(self) -> None:
        self.times += 1
        self.length = len(str(self.times))

    @cached_property
    def twice(self) -> Any:
        return self.part, self.part


@pytest.mark.parametrize("made", [priced(slots=True), priced(slots=False), Made])
@pytest.mark.parametrize("around", [lambda x: x, lambda x: [(0, x)]])
def test_a_record_is_not_made_a_second_time(
    made: Callable[[Any], Any], around: Callable[[Any], Any]
) -> None:
    given = made(iter([thunk(-1), 2]))
    if made is not Made:
        hash(given)
    assert given.twice == (given.part, given.part)
    found = using(around(given), par_traversable(rdeepseq)).compute(scheduler="sync")
    expected = made([1, 2])
    assert str(found) == str(around(expected))
    record = found if around(0) == 0 else found[0][1]
    assert record.twice == ([1, 2], [1, 2])


@pytest.mark.parametrize("slots", [True, False])
def test_a_rebuilt_record_has_the_hash_of_its_parts(slots: bool) -> None:
    made = priced(slots)
    given = made((thunk(-1), 2))
    hash(given)
    found = using(given, par_traversable(rdeepseq)).compute(scheduler="sync")
    assert hash(found) == hash(made((1, 2)))


@attrs.define
class Hidden:
    shown: int = 0
    hidden: Any = attrs.field(init=False, default=None)


@dataclass
class HiddenData:
    hidden: Any = field(init=False, default=None)


class Odd(tuple[Any, ...]):
    """A tuple with a different constructor."""

    def __new__(cls, a: Any, b: Any) -> Odd:
        return super().__new__(cls, (a, b))


def hiding(cls: Callable[[], Any], x: Any) -> Any:
    made = cls()
    made.hidden = x
    return made


REFUSED: list[Callable[[Any], Any]] = [
    lambda x: {1: x}.values(),
    lambda x: {x: 1}.keys(),
    lambda x: {1: x}.items(),
    lambda x: UserList([x]),
    lambda x: MappingProxyType({1: x}),
    lambda x: ChainMap({1: x}),
    lambda x: np.array([x], dtype=object),
    lambda x: hiding(Hidden, x),
    lambda x: hiding(HiddenData, x),
    lambda x: Odd(x, 1),
]


@pytest.mark.parametrize("make", REFUSED)
def test_a_thunk_that_cannot_be_reached_is_refused(make: Callable[[Any], Any]) -> None:
    for value in (make(thunk(1)), [0, {"a": make(thunk(1))}], make((0, (thunk(1),)))):
        with pytest.raises(StrategyError, match="cannot be rebuilt with evaluated parts"):
            using(value, rdeepseq)
    assert str(using([make(5)], rdeepseq).compute(scheduler="sync")[0]) == str(make(5))


def test_a_collection_in_itself_is_looked_into_once() -> None:
    knot: Any = UserList([1, UserString("ab")])
    knot += [knot, {"again": [knot]}]
    assert using([knot], rdeepseq).compute(scheduler="sync")[0] is knot
    knot.append(thunk(1))
    with pytest.raises(StrategyError, match="UserList cannot be rebuilt"):
        using([knot], rdeepseq)


def test_iterators_are_consumed_once_by_the_strategy() -> None:
    row = iter([thunk(-1), 2])
    assert using(row, par_list).compute(scheduler="sync") == [1, 2]
    assert list(row) == []


AROUND: list[Callable[[Any], Any]] = [
    lambda x: [x],
    lambda x: (x,),
    lambda x: {"a": x},
    Box,
    lambda x: Pair(1, x),
]


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("s", [rseq, rdeepseq])
def test_values_nested_too_deeply_are_refused(around: Callable[[Any], Any], s: Strategy) -> None:
    x: Any = thunk(5)
    for _ in range(NESTED_CONTAINERS):
        x = around(x)
    answer = using(x, s).compute(scheduler="sync")
    for _ in range(NESTED_CONTAINERS):
        (answer,) = (parts(answer) or [])[-1:]
    assert answer == 5
    for more in (1, 2900):
        for _ in range(more):
            x = around(x)
        with pytest.raises(StrategyError, match=r"^containers are nested deeper than 100"):
            using(x, s)
