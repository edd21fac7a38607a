"""Records: construction, fields, methods, comparison, and how they go in and out."""

# Odd spellings are the matter of these tests.
# ruff: noqa: SIM300, RUF005, E711

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.properties import examples
from tests.strategies.rules.cases import Cases
from tests.strategies.rules.classes import (
    MIXED,
    ORIGIN,
    PAIRS,
    TABLE,
    Absolute,
    Bare,
    Board,
    Changing,
    Converted,
    Derived,
    Lazy,
    Pair,
    Partly,
    Point,
    Private,
    Ranked,
    Scored,
    Solid,
    Tens,
    Unset,
    Valid,
    bee,
)
from tests.strategies.rules.compared import check, differences, refused

case = Cases()


@case(3)
def made(n):
    return Point(n), Point(n, y=4), Point(y=n, x=1), Solid(n), Solid(n, 2, n / 2), Point(True)


@case(3)
def made_wrongly(n):
    return Point()


@case(3)
def made_of_too_many(n):
    return Point(1, 2, 3)


@case(3)
def made_by_another_name(n):
    return Point(1, z=3)


@case(3)
def made_twice(n):
    return Point(1, x=3)


@case(3)
def methods(n):
    p, q = Point(n, -n), Solid(n, 1)
    plain = p.norm(), p.total, p.moved(2), p.moved(dy=n), p.twice(n), Point.twice(2.5), p.LIMIT
    classes = Point.on_diagonal(), Solid.on_diagonal(2), p.on_diagonal(n), q.on_diagonal()
    return plain, classes, Point.LIMIT, q.norm(), q.total, Point.norm(q), Point.norm(p)


@case(3)
def methods_as_values(n):
    p = Solid(n)
    f, g, h, k = p.norm, Solid.norm, p.moved, Solid
    return f(), g(p), h(1), k(5), [m() for m in (p.norm, p.moved)], (lambda q: q.x)(p)


@case(3)
def missing_method(n):
    return Point(n).foo(1 // 0)


@case(3, 0)
def method_of_none(n):
    a = Point(n) if n else None
    return a.norm(1 // 0)


@case(3)
def equality(n):
    p = Point(n)
    alike = p == Point(n, 2), p != Point(n), p == Solid(n), p == n, p == (n, 2), p == None
    inside = p in [p, Point(2)], p in (Point(1), Point(4)), [p].index(Point(n)), (p, 1) == (p, True)
    return (
        alike,
        inside,
        Point(1.0 * n) == p,
        Absolute(n) == Absolute(-n),
        Absolute(n) == Absolute(2),
    )


@case(3)
def constants(n):
    out = []
    for m in MIXED:
        if isinstance(m, Point):
            out.append(m.x)
        elif m is None:
            out.append(None)
        else:
            out.append(m[0])
    rows = TABLE[n - 1], TABLE[n - 1].norm(), [t.total for t in TABLE], ORIGIN == Point(0, n - 3)
    return out, MIXED, rows, ORIGIN.x


@case(3)
def named_tuples(n):
    t = Pair(n)
    a, b = t
    parts = t.a, t[0], t[n - 3], t[-1], len(t), a, b, list(t), 3 in t, t.index(5), t.count(5), t[:1]
    alike = t == (3, 5), (3, 5) == t, t < (4,), t == Pair(3, 5.0), t > Pair(2), t != (3, 5), bool(t)
    own = t.sum(), t.double, t.plus(1), Tens(n).plus(1), t._replace(b=2.5), Pair(*t), Tens(n) == t
    return (
        parts,
        alike,
        own,
        t + (1,),
        t * 2,
        sorted([t, Pair(1)]),
        max(t, Pair(9)),
        type(Tens(n)) is Pair,
    )


@case(3)
def many_named_tuples(n):
    found = (
        Pair(7) in PAIRS,
        (7,) in PAIRS,
        (7, 5) in PAIRS,
        PAIRS.index((5, 5)),
        PAIRS.count(Pair(3)),
    )
    return (
        PAIRS[n],
        PAIRS[n : n + 2],
        found,
        max(PAIRS),
        sum(p.a for p in PAIRS),
        PAIRS < (Pair(0), (2,)),
    )


@case(3)
def replaced_by_another_name(n):
    return Pair(n)._replace(c=1)


@case(3)
def replaced_by_place(n):
    return Pair(n)._replace(1)


@case(3)
def beyond_the_end(n):
    return Pair(n)[2]


@case(3)
def unpacked_wrongly(n):
    a, b, c = Pair(n)
    return a, b, c


@case(3)
def dataclasses(n):
    d = Scored(n)
    order = (
        d < Scored(n, 3.5),
        d >= d,
        max(Scored(1), d, Scored(2)),
        sorted([Scored(3), Scored(1), Scored(2, 0.5)]),
    )
    changed = (
        replace(d, b=n),
        replace(d, c=(n,)),
        Scored(n, c=(1, 2)),
        Partly(n, y=2) == Partly(n, y=2, z=9),
    )
    return d, order, changed, Scored.K, d.K, d == n, d != Scored(n, 2), Lazy(n).square


@case(3)
def order_of_others(n):
    return Scored(n) < n


@case(3)
def replaced_wrongly(n):
    return replace(Scored(n), zz=3)


@case(3, 4)
def after_init(n):
    return Derived(n, 2), Derived(n, 9), Derived(n, s=7).t, replace(Derived(n, 7), s=1, a=5)


@case(3)
def replaced_but_not_in_init(n):
    return replace(Derived(n, 7), s=1, u=5)


@case(3)
def replaced_without_init_only(n):
    return replace(Derived(n, 7), a=1)


@case(3, 2.7, 13, -1, True)
def boards(n):
    return Board(n)


@case(3)
def many_boards(n):
    plain = Board(n, cells=[n, n]), Board(n, cells=(x for x in range(n))), Board(n, 5), Board(n).q
    return (
        plain,
        evolve(Board(n), n=4),
        evolve(Board(n), q=1),
        evolve(Board(n, private=2.5), private=n),
    )


@case(3)
def private_by_name(n):
    return Board(n, _p=3)


@case(3)
def given_but_not_in_init(n):
    return Board(n, r=3)


@case(3, True, 2.5, None)
def instances(n):
    return Valid(n)


@case(3, -1, 10, 9, 2.5, True)
def bounds(n):
    return Valid(1, n)


@case(3, 4, None, 1.0, True)
def options(n):
    return Valid(1, c=n)


@case(((1, 2),), ((1, 2.5),), ((),))
def elements(t):
    return Valid(1, d=t)


@case(((1, 2),), ((1, 2.5, 3, 4),), ((),), 5)
def lengths(t):
    return Valid(1, e=t)


@case(3, 0)
def set_sometimes(n):
    return Unset(n), Unset(n, c=n).c, Unset(n, d=1).d, Unset(n, e=0.5).e


@case(3, 0)
def read_unset(n):
    return Unset(n).b


@case(3)
def converted(n):
    return Converted(n, 2), Private(n).get(), Private(a=n, bee=4).get(), evolve(Private(n), a=7)


@case(3)
def private_names_outside(n):
    return bee(Private(n)), bee(Private(n, bee=n))


@case(3)
def ranked(n):
    order = (
        Ranked(n) < Ranked(4),
        Ranked(n, 5) <= Ranked(n),
        Ranked(n) > Ranked(2.5),
        Ranked(n) >= Ranked(n),
    )
    alike = (
        Ranked(n, z=1) == Ranked(n),
        Ranked(n, 1) == Ranked(n),
        [Ranked(2), Ranked(1, 7)] < [Ranked(2)],
    )
    return order, alike, sorted([Ranked(2), Ranked(1, 7), Ranked(1, 3)]), min(Ranked(n), Ranked(1))


@case(3)
def ranked_by_what_has_no_order(n):
    return Ranked(n) < Ranked(None)


@case(3)
def as_keys(n):
    seen = {Point(n), Point(3, 2), Point(3.0), Pair(1), (1, 5)}
    table = {Point(1): "a", Pair(n): "b"}
    return len(seen), Point(n) in seen, (1, 5) in seen, table[Point(1, 2)], table.get((3, 5)), table


@case((Point(3, 4),), (Solid(3, 4, 2.5),), (None,), (Point(True, 2.5),), (Point(1, Pair(2, ())),))
def arguments(p):
    return (p, p.x, p.y, p == Point(3, 4)) if p is not None else 0


def numbered(n):
    return [Point(i if i % 3 else None, Pair(i if i % 2 else None, None)) for i in range(n)]


@case(4, 7)
def narrowed_fields(n):
    ps, out = numbered(n), []
    for p in ps:
        out.append(0 if p.x is None else p.x * 2)
        out.append(p.x or -1)
        out.append(p.x + p.y.a if p.x is not None and p.y.a else p.y.b)
        out.append(p.y.a - 1 if isinstance(p.y.a, int) else None)
        match p.y.a:
            case None:
                out.append(p.y.a)
            case int():
                out.append(p.y.a + 1)
    return out


@case(4, 7)
def narrowed_until_bound_anew(n):
    ps, out = numbered(n), []
    p, q = ps[1], ps[2]
    assert p.x is not None
    for r in ps:
        out += [p.x, p.y.a]
        if r.y.a is None:
            p = r
        if p.x is None:
            out.append([p.x is None for p in ps if p.x is None or p.x > 1])
            p, q = q, p
            out.append(p.x)
        if (q := r).x is not None:
            out.append(q.x + 1)
        for p in ps[:2] if n > 5 else []:
            out.append(p.x)
    while p.x is not None:
        out.append(p.x)
        p = Point(p.x - 1 or None)
    return out, p.x


@case(1, 0)
def narrowed_in_a_generator(n):
    def numbers(p):
        if p.x is None:
            p = Point(n or None)
        yield p.x
        assert p.x is not None
        yield p.x + 1
        p = Point(None)
        yield p.x

    return list(numbers(Point(None if n else 1))), [*numbers(Point(3))]


@case(1, 0)
def narrowed_and_shared(n):
    p = Point(n or None)

    def change():
        nonlocal p
        p = Point(None)

    out = []
    if p.x is not None:
        change()
        out.append(p.x)
    return out


@case(1, None)
def narrowed_property(n):
    class_of = Scored(n, 1)
    return class_of.x if class_of.x is not None else -1, Tens(n).a or 7


@case(([Point(1, 2), Point(3, 4)],))
def changed_arguments(ps):
    ps.append(Point(5, 6))
    ps[0] = ps[1].moved(1)
    return ps, [p for p in ps if p.x > 3]


@case(3, 0)
def kinds_told_apart(n):
    best = None
    for i in range(n):
        if best is None or best.x < i:
            best = Point(i) if i != 1 else Solid(i)
    a = Point(n) if n else Pair(n)
    rest = a.norm() if isinstance(a, Point) else a.sum()
    return (
        best,
        best.x if best is not None else -1,
        isinstance(best, Solid),
        type(best) is Point,
        rest,
    )


@case(3)
def order_of_evaluation(n):
    seen = []

    def f(k):
        seen.append(k)
        return k

    return Point(f(2), f(1)), Point(y=f(3), x=f(4)), Board(f(5), cells=(f(6), f(7))), seen


@case(3)
def recursion_and_generators(n):
    def go(p):
        return p if p.x > 10 else go(p.moved(1))

    def walk(p, d):
        yield p
        if d:
            yield from walk(evolve(p, x=p.x + 1), d - 1)
            yield from walk(evolve(p, y=2.5), d - 1)

    return go(Point(n)), list(walk(Point(n), 2))


def total(p):
    return p.a + sum(map(total, p.b))


@case(0, 3)
def trees_of_records(n):
    root = Pair(n, [])
    todo = [root]
    while todo:
        p = todo.pop()
        for i in range(p.a):
            p.b.append(Pair(i, []))
            todo.append(p.b[-1])
    return root, total(root), len(root.b)


@case(([[1, 2, 3], [4, 5]], 2), ([[1, 2, 3], [4, 5]], 9))
def lists_in_records(hands, n):
    pairs = [Pair(hand, {i: hand}) for i, hand in enumerate(hands)]
    while len(pairs[1].a) > 1 and pairs[1].a[-1] > n:
        pairs[0].a.append(pairs[1].a.pop())
    first, *_ = pairs[0].a
    pairs[1].b[7] = [first]
    return pairs, pairs[0] == pairs[1], pairs[0].a is pairs[0].b[0]


@case((Pair([1], 0), 2))
def a_list_in_an_argument(p, n):
    q = p._replace(b=n)
    q.a.append(n)
    return p, q, p.a is q.a


@case(1)
def a_record_with_a_list_as_a_key(n):
    return {Pair([n], 1)}


@pytest.mark.parametrize("name", case.names())
def test_as_python(name: str) -> None:
    case.run(name)


def as_dict(n):
    found = Named(n)._asdict()
    found["b"] = n
    return found, [name for name, x in Named(n, 1)._asdict().items() if x is not None]


class Named(NamedTuple):
    a: int
    b: int | None = None


def replaced(name, n):
    return Named(1)._replace(**{name: n}), Named(2, n)._replace(b=name)


def test_a_field_of_a_named_tuple_is_replaced_by_its_name() -> None:
    check(replaced, ("a", 3), ("b", None), ("c", 1))


def test_the_fields_of_a_named_tuple_are_a_new_dict() -> None:
    check(as_dict, (1,), (2,))


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda n: Changing(n), "not frozen"),
        (lambda n: Pair(iter([n])), "holds an iterator"),
        (lambda n: Point(Point(n)), "own class, which is not compiled: hold the values of all of"),
        (lambda n: Bare(n) == Bare(n), "no identity"),
        (lambda n: Point(n) is Point(n), "no identity"),
    ],
)
def test_refused(function: Any, reason: str) -> None:
    assert reason in refused(function, 3)


leaves = st.integers(-3, 3) | st.booleans() | st.none() | st.sampled_from([0.0, 1.0, 2.5])
tuples = leaves | st.lists(leaves, max_size=3).map(tuple)
fields = tuples | st.builds(Pair, tuples, leaves)
records = st.builds(Point, fields, fields) | st.builds(Scored, fields, fields) | fields


def alike(a, b):
    return a == b, a != b, a in (b, None), (a, 1) == (b, True), [a] == [b], a


def compared(a, b):
    return a < b, a >= b, max(a, b)


@examples(40)
@given(records, records)
def test_equality_is_pythons(a: Any, b: Any) -> None:
    assert not differences(alike, [(a, b), (a, a)])


@examples(40)
@given(st.data())
def test_order_is_pythons(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from([Scored, Pair, Ranked]))
    part = tuples if kind is Pair else fields
    a, b = (kind(data.draw(part), data.draw(part)) for _ in range(2))
    assert not differences(compared, [(a, b)])


def unions(n):
    either = int | Point
    return isinstance(n, int | None), isinstance(n, Point | float), isinstance(n, either)


def test_unions_of_classes() -> None:
    check(unions, (3,), (None,), (2.5,), (Point(1),))
