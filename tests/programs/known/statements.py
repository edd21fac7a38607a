# ruff: noqa
"""Statements: loops with else, match, exceptions; and records."""

import dataclasses
from dataclasses import dataclass
from typing import NamedTuple

import attrs
from attrs import field, frozen, validators

from games.u64 import U64


class Stuck(Exception):
    pass


class Lost(Stuck):
    pass


def for_else(t, x):
    """(1, 2), 2
    (1, 2), 5
    (), 1"""
    for i, y in enumerate(t):
        if y == x:
            where = i
            break
    else:
        where = -1
    return where


def while_else(n):
    """3
    7"""
    k = 0
    while k < 5:
        k += 1
        if k == n:
            break
    else:
        k = 100
    return k


def continue_in_loops(t):
    """(1, 2, 3)"""
    out = []
    for x in t:
        if x == 2:
            continue
        for y in t:
            if y > x:
                break
            out.append((x, y))
    return out


def break_leaves_inner_only(n):
    """3"""
    out = []
    for i in range(n):
        for j in range(n):
            if j > i:
                break
        else:
            out.append(-1)
            continue
        out.append(j)
    return out


def loop_over_changed_name(t):
    """(1, 2)"""
    row = list(t)
    for x in row:
        row = []
        row.append(x)
    return row


def loop_into_item(row):
    """[0, 0]"""
    for row[0] in (5, 6):
        row[1] += row[0]
    return row


def match_of_ints(n):
    """0
    2
    -1
    7
    True
    2.0"""
    match n:
        case 0:
            return "keep"
        case 1 | 2:
            return "roll"
        case -1:
            return "stop"
        case x if x > 5:
            return x
        case _:
            return None


def match_of_tuples(t):
    """(0, 5)
    (1, 2)
    (3,)
    ()
    (1, 2, 3, 4)"""
    match t:
        case (0, x):
            return x
        case (x, y) if x < y:
            return x, y
        case (x,):
            return [x]
        case ():
            return 0
        case (first, *rest):
            return first, rest


def match_of_tags(move):
    """("keep", 2)
    ("roll", 0)
    ("stop",)
    ("roll", 3)"""
    match move:
        case ("keep", n):
            return n
        case ("roll", (0 | 1) as n):
            return n, "roll"
        case (tag,):
            return tag
    return move


def match_of_types(x):
    """True
    5
    2.5
    None
    (1, 2)
    [1, 2]
    "keep\""""
    match x:
        case bool():
            return 1
        case int(n):
            return n
        case float():
            return 2
        case None:
            return 3
        case [a, b]:
            return a + b
        case str():
            return x


def match_of_dicts(d):
    """{"keep": 1, "roll": 2}
    {"roll": 5}
    {}"""
    match d:
        case {"keep": x, **rest}:
            return x, rest
        case {"roll": x}:
            return x
        case {}:
            return 0


def match_binds_before_guard(t):
    """(1, 2)"""
    x = 0
    match t:
        case (x, y) if y > 5:
            return -1
        case _:
            return x


def match_evaluates_once(row):
    """[1, 2]"""
    match row.pop():
        case 1:
            return 10, row
        case 2:
            return 20, row


def match_without_case(n):
    """1
    2"""
    match n:
        case 1:
            y = 5
    return y


@frozen
class Point:
    x: int
    y: int = 2


def match_of_records(p):
    """Point(1)
    Point(3, 4)
    Point(0, 0)
    None"""
    match p:
        case Point(x=0):
            return 0
        case Point(1, y):
            return y
        case Point(x, y) if x < y:
            return x + y
        case None:
            return -1


def except_in_order(n):
    """0
    1
    2
    3"""
    try:
        if n == 0:
            1 // n
        if n == 1:
            [][n]
        if n == 2:
            {}[n]
        result = 5
    except ZeroDivisionError:
        return 10
    except (IndexError, OverflowError):
        return 20
    except LookupError:
        return 30
    else:
        result += 1
    finally:
        result = 0
    return result


def finally_always_runs(n):
    """0
    1"""
    log = []

    def f():
        try:
            log.append(1 // n)
            return log
        finally:
            log.append(9)

    try:
        f()
    except ZeroDivisionError:
        log.append(8)
    return log


def finally_in_loop(t):
    """(1, 2, 3)"""
    out = []
    for x in t:
        try:
            if x == 2:
                continue
            if x == 3:
                break
            out.append(x)
        finally:
            out.append(-x)
    return out


def value_returned_before_finally(n):
    """3"""

    def f():
        x = n
        try:
            return x
        finally:
            x = 100

    return f()


def list_returned_before_finally(n):
    """3"""

    def f():
        row = [n]
        try:
            return row
        finally:
            row.append(5)

    return f()


def raise_own(n):
    """0
    1
    2
    3"""
    if n == 0:
        raise Stuck
    if n == 1:
        raise Lost("no")
    if n == 2:
        raise ValueError(n)
    return n


def except_own(n):
    """0
    1
    2
    3"""
    try:
        return raise_own(n)
    except Lost:
        return -1
    except Stuck:
        return -2


def raise_again(n):
    """0
    1"""
    log = []
    try:
        try:
            1 // n
        except ZeroDivisionError:
            log.append(1)
            raise
        finally:
            log.append(2)
    except ArithmeticError:
        log.append(3)
    return log


def raise_in_except(n):
    """0"""
    try:
        1 // n
    except ZeroDivisionError:
        raise Stuck("no") from None


def except_all(n):
    """0
    1"""
    try:
        return [1, 2][1 // n]
    except Exception:
        return None


def assertions(n):
    """0
    1"""
    assert n, "said"
    return n


def assert_is_lazy(n):
    """1"""
    log = []
    assert n or log.append(1), log.append(2)
    return log


def error_in_comprehension(t):
    """(1, 0)
    (1, 2)"""
    try:
        return [1 // x for x in t], sum(1 // x for x in t)
    except ZeroDivisionError:
        return []


def error_caught_in_loop(t):
    """(1, 0, 2)"""
    out = []
    for x in t:
        try:
            out.append(2 // x)
        except ZeroDivisionError:
            out.append(None)
        else:
            out.append(x)
    return out


def try_binds_name(n):
    """0
    1"""
    try:
        x = 1 // n
    except ZeroDivisionError:
        pass
    return x


def overflow_is_caught(x):
    """1e300"""
    try:
        return x**2
    except OverflowError:
        return -1.0


def clamp_field(n):
    return min(n, 3)


@frozen
class Checked:
    n: int = field(default=0, converter=clamp_field, validator=validators.ge(-5))
    row: list = field(factory=list)
    m: float = field(default=0, converter=float, eq=False)


def converter_runs(n):
    """24
    2
    -9"""
    c = Checked(n, m=n)
    return c.n, c.m, c == Checked(n), attrs.evolve(c, n=50).n


def factory_makes_new(n):
    """1"""
    a, b = Checked(n), Checked(n)
    a.row.append(n)
    c = attrs.evolve(a, n=2)
    c.row.append(7)
    return a.row, b.row, c.row is a.row


@frozen
class After:
    n: int
    half: float = 0.0

    def __attrs_post_init__(self):
        if self.n < 0:
            raise ValueError("no")
        object.__setattr__(self, "half", self.n / 2)


def post_init_runs(n):
    """3
    -1"""
    return After(n).half, After(n), attrs.evolve(After(n), n=5).half


@frozen
class Kw:
    a: int = field(default=1, kw_only=True)
    b: int = 2


def keyword_only_field(n):
    """5"""
    return Kw(n).a * 100 + Kw(n).b, Kw(a=n).a, Kw(n, a=7)


@frozen
class Shape:
    width: int = 1

    def area(self):
        return self.width

    @property
    def double(self):
        return self.area() * 2

    @classmethod
    def of(cls, n):
        return cls(n)

    @staticmethod
    def unit():
        return 1


@frozen
class Box(Shape):
    height: int = 2

    def area(self):
        return super().area() * self.height


def inheritance(n):
    """3"""
    b = Box(n, 4)
    return b.double, Shape(n).double, Box.of(n), Box.unit(), isinstance(b, Shape), b == Shape(n)


def records_of_either(n):
    """0
    1"""
    s = Box(3) if n else Shape(3)
    return s.area(), s, s.double


def field_declared_float(n):
    """3"""

    p = Holder(n)
    return p.x, p.x // 2, Holder(n / 2).x


@frozen
class Holder:
    x: float = 0.0
    y: object = None


def record_as_key(n):
    """1"""
    d = {Point(n): 5, Point(2, 2): 7}
    return d[Point(1, 2)], Point(9) in d, {Point(1), Point(1, 2)}, Point(1) == (1, 2)


def optional_field(n):
    """0
    5"""
    h = Holder(1.0, Point(n) if n else None)
    return h.y.x if h.y is not None else -1, h


@dataclass(frozen=True)
class Pair:
    a: int
    b: tuple = ()
    c: list = dataclasses.field(default_factory=list)

    def __post_init__(self):
        self.c.append(self.a)


def dataclass_replaced(n):
    """3"""
    p = Pair(n, c=[1])
    q = dataclasses.replace(p, a=9)
    return p, q, q.c is p.c, p == Pair(n, (), [1, n, 9])


class Move(NamedTuple):
    at: int
    tag: str = "keep"

    def shifted(self, n):
        return self._replace(at=self.at + n)


def named_tuples(n):
    """3"""
    m = Move(n)
    at, tag = m
    return (
        m.shifted(2),
        m[0],
        m == (n, "keep"),
        len(m),
        at,
        tag,
        m + (1,),
        m < Move(4, "roll"),
        tuple(m),
    )


def record_of_words(n):
    """3"""
    h = Holder(U64(n), (U64(1) << n, -n))
    return h.x - 5, h.y[0] | 1, ~h.x


def field_missing(h):
    """Holder()
    Holder(1.0, 5)"""
    return h.y + 1 if h.y is not None else h.x


def frozen_stays_frozen(n):
    """3"""
    p = Point(n)
    try:
        p.x = 5
    except AttributeError:
        return p


def wrong_field(n):
    """3"""
    return attrs.evolve(Point(n), x=n, y=7), Point(y=1, x=n)


@frozen(eq=False)
class Loose:
    n: int


def records_without_equality(n):
    """3"""
    a = Loose(n)
    return a == a, a == Loose(n), a in [a], a in [Loose(n)]


@frozen
class ByKey:
    n: int = field(eq=abs)


def equality_by_key(n):
    """3"""
    return ByKey(n) == ByKey(-n), ByKey(n) == ByKey(n + 1), len({ByKey(n), ByKey(-n)})


@frozen(order=True)
class Ordered:
    a: int
    b: float = 0.0


def ordered_records(n):
    """3"""
    return (
        Ordered(n) < Ordered(n, 0.5),
        max(Ordered(1), Ordered(n)),
        sorted([Ordered(5), Ordered(n)]),
    )


def defaults_are_evaluated_once(n):
    """3"""
    return Shared().row is Shared().row, Shared(n=n).n


@frozen
class Shared:
    row: tuple = (1, 2)
    n: int = len((1, 2))


def optionals(x):
    """None
    0
    5"""
    return x or -1, x is None, x == 0, (x or 0) + 1, [x], x if x is not None else "stop"


def none_in_containers(t):
    """(1, None)
    (None, None)"""
    return None in t, t.count(None), [x for x in t if x is not None], {None: 1}.get(t[1])


def none_is_returned(n):
    """0
    1"""

    def f():
        if n:
            return n

    return f(), f() is None, [].append(n), f() or 7


def texts_as_tags(tag):
    """ "keep"
    "roll"
    \"\""""
    return (
        tag == "keep",
        tag in ("roll", "stop"),
        {"keep": 1}.get(tag, 0),
        bool(tag),
        (tag, 2),
        tag != "",
        tag or "stop",
    )


def texts_sorted(t):
    """("b", "a")
    ()"""
    return sorted(t), max(t, default=""), "a" < "b", ("a", 2) < ("a", 3), set(t)


def ternaries(a):
    """0
    5
    -1"""
    return 1 if a > 0 else 2.0 if a < 0 else None, (a and "keep") or "roll", [1, 2][a > 0]


def deep_nesting(n):
    """2"""
    out = []
    for a in range(n):
        if a:
            while a < 5:
                a += 2
                try:
                    for b in (a, 0):
                        out.append(a // b)
                except ZeroDivisionError:
                    out.append(-1)
                else:
                    out.append(0)
    return out


def reversed_begins_where_the_list_ended(t):
    """[1, 2]
    []"""
    found = []
    for i, x in enumerate(reversed(t), t.append(7) or 3):
        found.append((i, x))
        t.append(x)
    return found, t, [x for x in zip(reversed(t), [t.pop(), 5])]
