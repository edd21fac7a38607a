"""Sets, dicts, deques and Counters of rules behave as Python's on any operations."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, product
from operator import itemgetter
from typing import Any

import attrs
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from games.u64 import U64
from strategies import compile_function
from tests.properties import examples
from tests.strategies.rules.compared import agrees, differences, function_of, outcome, refused

INTS = st.integers(-6, 40)
MIXED = st.one_of(
    st.integers(-2, 3),
    st.booleans(),
    st.sampled_from([0.0, -0.0, 1.0, 2.5, 3.0, 2.0**63, -(2.0**63)]),
    st.none(),
    st.sampled_from([U64(1), U64(2**63), U64(3)]),
    st.sampled_from(["a", "b", ""]),
    st.tuples(st.integers(0, 2), st.booleans()),
    st.tuples(st.sampled_from([1.0, 2.0]), st.integers(0, 1)),
    st.frozensets(st.integers(0, 2), max_size=2),
)
# So that every list of mixed keys has the same kind, and is compiled for once.
EVERY = (0, True, 1.5, None, U64(1), "a", (1, True), (1.0, 1), frozenset((1,)))


def steps_of(keys: Any, before: tuple[Any, ...]) -> Any:
    steps = st.lists(st.tuples(st.integers(0, 13), keys, st.integers(0, 9)), max_size=60)
    return steps.map(lambda found: [(14, k, 0) for k in before] + found)


KEYS = st.one_of(steps_of(INTS, (0,)), steps_of(MIXED, EVERY))


def dict_machine(steps: Any) -> Any:
    d: Any = {}
    log: Any = []
    other = {}
    for do, k, v in steps:
        if do < 4:
            d[k] = v
        elif do == 4:
            log.append(d.get(k))
        elif do == 5:
            log.append(d.pop(k, None))
        elif do == 6 and d:
            x, y = d.popitem()
            other[x] = y
        elif do == 7:
            log.append(d.setdefault(k, v))
        elif do == 8:
            log.append(k in d)
        elif do == 9 and v == 0:
            d.clear()
        elif do == 10:
            d, other = other, d.copy()
        elif do == 11 and k in d:
            del d[k]
        elif do == 12:
            d.update(other)
        elif do == 13:
            d = other | d
            log.append(d == other)
    return d, log, other, list(d), list(d.values()), list(d.items()), len(d)


def set_machine(steps: Any) -> Any:
    s: Any = set()
    log: Any = []
    other: Any = set()
    for do, k, v in steps:
        if do < 5:
            s.add(k)
        elif do == 5:
            s.discard(k)
        elif do == 6 and k in s:
            s.remove(k)
        elif do == 7:
            s, other = other, s.copy()
        elif do == 8:
            s |= other
        elif do == 9:
            s = s - other if v % 2 else s & other
        elif do == 10:
            s ^= other
        elif do == 11:
            log.append((k in s, len(s), s <= other, s == other, s.isdisjoint(other), s > other))
        elif do == 12:
            s = s | frozenset((k, v))
        elif do == 13 and v == 0:
            s -= s
    return s, other, log, frozenset(s), s ^ other, s & other


def deque_machine(steps: Any, longest: Any) -> Any:
    q: Any = deque(maxlen=longest)
    log: Any = []
    for do, k, v in steps:
        if do < 3:
            q.append(k)
        elif do < 6:
            q.appendleft(k)
        elif do == 6 and q:
            log.append(q.pop())
        elif do == 7 and q:
            log.append(q.popleft())
        elif do == 8:
            q.rotate(v - 4)
        elif do == 9:
            q.extend((k, k))
        elif do == 10:
            q.extendleft(q)
        elif do == 11 and q:
            q[v % len(q)] = k
        elif do == 12 and q:
            del q[-1 - v % len(q)]
        elif do == 13:
            q.insert(v, k)
    q.reverse()
    return q, log, list(q), len(q), q == q.copy()


def counter_machine(steps: Any) -> Any:
    c: Any = Counter()
    other: Any = Counter()
    for do, k, v in steps:
        if do < 4:
            c[k] += v - 3
        elif do == 4:
            c.update([k, k])
        elif do == 5:
            c.subtract({k: v})
        elif do == 6:
            c, other = other, c
        elif do == 7:
            c = c + other
        elif do == 8:
            c -= other
        elif do == 9:
            c = c | other
        elif do == 10:
            c &= other
        elif do == 11:
            del c[k]
        elif do == 12:
            c = -c
        elif do == 13:
            c.update(other)
    return c, other, c == other, c <= other, c.total(), c.most_common(3), c.most_common()


def default_machine(steps: Any) -> Any:
    d: Any = defaultdict(list)
    n: Any = defaultdict(lambda: 5)
    for do, k, v in steps:
        if do < 8:
            d[k].append(v)
            n[k] += v
        elif do == 8:
            n.pop(k, None)
        elif do == 9:
            d[k] = d[v]
        elif do == 10 and k in d:
            del d[k]
    return d, dict(n), list(n.items()), len(n), n.get(77)


MACHINES = {
    f: compile_function(f) for f in (dict_machine, set_machine, counter_machine, default_machine)
}
DEQUES = compile_function(deque_machine)


@given(st.sampled_from(list(MACHINES)), KEYS)
@examples(120)
def test_a_table_does_on_any_operations_what_pythons_does(function: Any, steps: Any) -> None:
    python, native = outcome(function, (steps,)), outcome(MACHINES[function], (steps,))
    assert agrees((), python, native), (python, native)


@given(KEYS, st.sampled_from([None, 0, 1, 3, 10]))
@examples(100)
def test_a_deque_does_on_any_operations_what_pythons_does(steps: Any, longest: Any) -> None:
    python, native = outcome(deque_machine, (steps, longest)), outcome(DEQUES, (steps, longest))
    assert agrees((), python, native), (python, native)


def keyed(n: int) -> Any:
    return dict.fromkeys(range(n), 0)


def test_a_function_that_calls_a_class_method_of_dict_is_compiled_once() -> None:
    compiled = compile_function(keyed)
    assert [compiled(n) for n in (1, 2)] == [{0: 0}, {0: 0, 1: 0}]
    (entry,) = compiled._made
    assert entry.program.reads.hold()


@attrs.frozen
class Holder:
    held: Any


NESTED: list[Any] = [
    [{0, 1, 2}, {2, 3}],
    [{1: 2}, {3: 4, 5: 6}, {}],
    [[{1}], [{2}, {3}]],
    ({1}, [{2}, {3}]),
    {0: [{1}, {7}], 1: [{2}]},
    [deque([1]), deque([2, 3])],
    [frozenset([1]), {2, 3}, {1: 2}],
    [Holder({1}), Holder({2, 3})],
    [({1}, "a"), ({2}, "b")],
]


@pytest.mark.parametrize("table", NESTED, ids=repr)
def test_tables_in_tables_of_a_module_are_read(table: Any) -> None:
    f = function_of("def f(i):\n    return T[i], [x for x in T][i] == T[i]\n", T=table)
    assert differences(f, [(0,), (1,), (2,), (-1,)]) == []


class Named:
    def __init__(self, n: int) -> None:
        self.n = n

    def more(self, i: int) -> int:
        return self.n + i


class Slotted:
    __slots__ = ("n",)

    def __init__(self, n: int) -> None:
        self.n = n


class Equal(Named):
    """It is equal to any other."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Equal)

    def __hash__(self) -> int:
        return 0


@dataclass(frozen=True, eq=False)
class Apart:
    n: int


@dataclass(frozen=True)
class Compared:
    n: int = field(compare=False)


def sum_of(i: int, *, n: int) -> int:
    return n + i


@dataclass
class Settable:
    n: int

    def more(self, i: int) -> int:
        return self.n + i


@dataclass(eq=False)
class SettableApart(Settable):
    pass


@dataclass(order=True, unsafe_hash=True)
class Ordered(Settable):
    pass


def n_set(one: Any, n: int) -> None:
    object.__setattr__(one, "n", n)


WITHOUT_EQUALITY: dict[str, tuple[Any, str, Any]] = {
    "plain": (Named, "x.n", n_set),
    "slots": (Slotted, "x.n", n_set),
    "equal": (Equal, "x.n", n_set),
    "attrs": (attrs.make_class("A", ["n"], frozen=True, eq=False), "x.n", n_set),
    "dataclass": (Apart, "x.n", n_set),
    "settable": (Settable, "x.n", n_set),
    "settable, compared by identity": (SettableApart, "x.more(i)", n_set),
    "settable by attrs": (attrs.make_class("B", ["n"]), "x.n", n_set),
    "fields that are not compared": (Compared, "x.n", n_set),
    "partial": (
        lambda n: partial(sum_of, n=n),
        "x(i)",
        lambda one, n: one.keywords.update(n=n),
    ),
    "method": (lambda n: Named(n).more, "x(i)", lambda one, n: n_set(one.__self__, n)),
    "itemgetter": (itemgetter, "x([5, 6, 7, 8])", None),
}


@pytest.mark.parametrize("kind", WITHOUT_EQUALITY)
def test_changes_of_objects_without_equality_in_tables_are_noticed(kind: str) -> None:
    """As long as there are none, nothing is compiled again."""
    make, use, change = WITHOUT_EQUALITY[kind]
    table = {0: [make(0), make(1)], 1: [make(1), make(2)]}
    one = Holder([make(0)])
    body = f"def f(i): return [{use} for x in T[i]], [{use} for x in R.held]"
    f = compile_function(function_of(body, T=table, R=one))
    places: list[Any] = [table[1], one.held]

    def check() -> None:
        assert [f(i) for i in (0, 1)] == [f.function(i) for i in (0, 1)]
        assert f._made[0].program.reads.hold()

    check()
    for found in (table[0][1], one.held[0]) if change is not None else ():
        change(found, 2)
        check()
    for place in places:
        place[0] = make(3)
        check()
        if change is not None:
            change(place[0], 0)
            check()


class Asked(Named):
    """What Python answers about it depends on its number."""

    def __eq__(self, other: object) -> bool:
        return self.n == (other.n if isinstance(other, Asked) else other)

    def __hash__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return self.n > 0

    def __len__(self) -> int:
        return 200 * self.n


ASKED = "T[0] == T[i]", "T[i] in T[:1]", "T[0] != T[i]", "bool(T[i])", "len(T[i])", "not T[0]"
ASKED += "T.index(T[1])", "(T[i], 1) == (T[0], 1)", "{T[0]: 5}.get(T[i])", "1 if T[i] else 2"


@pytest.mark.parametrize("asked", ASKED)
def test_changes_of_what_python_answers_about_an_object_are_noticed(asked: str) -> None:
    table = [Asked(0), Asked(1), Asked(3)]
    f = compile_function(function_of(f"def f(i): return {asked}", T=table))
    for n, k in (1, 2), (1, 0), (0, 2), (0, 0), (3, 1):
        table[0].n, table[1].n = n, k
        for i in range(3):
            assert f(i) == f.function(i), (n, k)
        assert f._made[0].program.reads.hold()


@pytest.mark.parametrize("n", [256, 257])
def test_a_table_of_objects_has_a_tag_for_each(n: int) -> None:
    f = function_of("def f(i): return T[i].n", T=[Named(i) for i in range(n)])
    if n > 256:
        assert "more than 256 objects" in refused(f, 1)
    else:
        assert not differences(f, [(i,) for i in (0, 1, n - 1, n)])


LONG = SettableApart, attrs.make_class("C", ["n"])
SETTABLE = [Settable, Ordered, *(pytest.param(cls, marks=pytest.mark.long) for cls in LONG)]
FORMS = [
    "T[i].n", "sum(x.n for x in T)", "max(T, key=lambda x: x.n).n", "T[0] == T[i]", "T[i] in T[:1]",
    "T.index(T[i])", "T[i] is T[0]", "(T[i], 1) != (T[0], 1)", "{x.n: x for x in T}[T[i].n].n",
    "isinstance(T[i], type(T[0]))", "{T[i]: 1}[T[i]]", "len(set(T))", "D[T[i].n].n", "bool(T[i])",
    "sorted(T, key=lambda x: -x.n)[0].n", "next(x.n for x in T if x.n >= i)", "T[i].other",
]  # fmt: skip


@pytest.mark.parametrize("cls", SETTABLE, ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("form", FORMS)
def test_objects_whose_fields_can_be_set_are_read(cls: Any, form: str) -> None:
    """What is set is noticed, as for objects of a plain class."""
    table = [cls(0), cls(1), cls(2)]
    f = function_of(f"def f(i): return {form}", T=table, D={0: table[1], 1: table[0], 2: table[2]})
    compiled = compile_function(f)
    for n in 1, 2:
        for i in range(3):
            assert outcome(compiled, (i,))[:2] == outcome(f, (i,))[:2]
        table[1].n = n


@pytest.mark.parametrize("cls", SETTABLE, ids=lambda cls: cls.__name__)
def test_objects_whose_fields_can_be_set_are_not_made_or_changed(cls: Any) -> None:
    copied = evolve if attrs.has(cls) else replace
    for form in "C(3).n", "setattr(T[0], 'n', 3)", "copied(T[0], n=3).n":
        f = function_of(f"def f(i): return {form}", T=[cls(0)], C=cls, copied=copied)
        assert refused(f, 1)
    assert "frozen" in refused(function_of("def f(x): return x.n"), cls(3))


def test_an_object_with_an_equality_of_its_own_is_compared_with_its_like_only() -> None:
    f = function_of("def f(i): return T[i] == 1", T=[Asked(0), Asked(1)])
    assert "comparing" in refused(f, 1)


def test_a_method_of_another_object_is_another_rule() -> None:
    owner: Any = Named(1)
    owner.rule = Named(2).more
    f = compile_function(function_of("def f(i): return O.rule(i) + O.more(i)", O=owner))
    for n in 2, 3, 2:
        owner.rule = Named(n).more
        assert f(5) == f.function(5) == 11 + n


def with_all(a: Any, rows: Any) -> Any:
    found = [a.union(*rows), a.intersection(*rows), a.difference(*rows), frozenset(a).union(*rows)]
    found += [set.union(a, *rows), a.difference(*[a for _ in rows])]
    b, c = set(a), set(a)
    a.update(*rows)
    b.intersection_update(*rows)
    c.difference_update(*rows[1:])
    try:
        found.append(set.intersection(*[set(row) for row in rows]))
    except TypeError:
        found.append({-1})
    return found, a, b, c, [a.union(*[b for _ in rows])]


ROWS = st.lists(st.lists(st.integers(0, 5), max_size=4), max_size=4)


@given(st.sets(st.integers(0, 5)), ROWS)
@examples(40)
def test_sets_meet_any_number_of_iterables(a: set[int], rows: list[list[int]]) -> None:
    assert not differences(with_all, [(a, rows)])


@pytest.mark.parametrize("text", ["d.items() | 'ab'", "d.keys() & range(n)", "'ab' - d.keys()"])
def test_operators_of_views_and_iterables_are_refused(text: str) -> None:
    function = function_of(f"def f(n):\n    d = {{n: n}}\n    return {text}")
    assert "write set(…)" in refused(function, 1)


@pytest.mark.parametrize("text", ["Counter(s)", "Counter().update(s)", "Counter([1]) + Counter(s)"])
def test_counters_of_sets_are_refused(text: str) -> None:
    function = function_of(f"def f(s):\n    return {text}", Counter=Counter)
    assert "order of a set" in refused(function, {1, 2})


def counted(x: Any) -> Any:
    return Counter(x if x else None), Counter(None if x else [2], a=1)


def failing_before_it_steps(n: Any) -> Any:
    if n == 0:
        return {1}.union(n, "ab")
    if n == 1:
        return list(product(Item(n), "ab"))
    if n == 2:
        return list(chain(Item(n), "ab"))
    return deque([n, 1], 2).insert("a", 1)  # type: ignore[arg-type]


@attrs.frozen
class Item:
    x: Any


def test_what_is_not_there_and_what_has_no_elements() -> None:
    assert not differences(counted, [("",), ("abba",)])
    assert not differences(failing_before_it_steps, [(0,), (1,), (2,), (3,)])
