"""Classes of records and enumerations for the tests."""

# Odd spellings are the matter of these tests.
# ruff: noqa: PIE796

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import KW_ONLY, InitVar, dataclass
from dataclasses import field as part
from enum import Enum, IntEnum, auto
from typing import Any, ClassVar, NamedTuple

import attrs
from attrs import Factory, converters, field, frozen, validators


@frozen
class Point:
    x: Any
    y: Any = 2
    LIMIT = 7

    def norm(self) -> Any:
        return abs(self.x) + abs(self.y)

    @property
    def total(self) -> Any:
        return self.x + self.y

    def moved(self, dx: Any = 0, *, dy: Any = 0) -> Point:
        return Point(self.x + dx, self.y + dy)

    @classmethod
    def on_diagonal(cls, k: Any = 0) -> Any:
        return cls(k, k)

    @staticmethod
    def twice(n: Any) -> Any:
        return 2 * n


@frozen
class Solid(Point):
    FAR: ClassVar[int] = 7
    z: Any = 1.5

    def norm(self) -> Any:
        return super().norm() + self.z + super().FAR - self.FAR

    @property
    def total(self) -> Any:
        return super().total * 10

    @classmethod
    def on_diagonal(cls, k: Any = 0) -> Any:
        return super().on_diagonal(k + 1)


class Pair(NamedTuple):
    a: Any
    b: Any = 5

    def sum(self) -> Any:
        return self.a + len(self)

    @property
    def double(self) -> Any:
        return self.a * 2

    def plus(self, k: Any) -> Pair:
        return self._replace(a=self.a + k)


class Tens(Pair):
    __slots__ = ()

    def plus(self, k: Any) -> Pair:
        return super().plus(k * 10)


@dataclass(frozen=True, order=True)
class Scored:
    a: Any
    b: Any = 2.5
    c: Any = part(default_factory=tuple)
    K: ClassVar[int] = 9


@dataclass(frozen=True)
class Derived:
    a: Any
    s: InitVar[Any]
    t: Any = part(init=False)
    u: int = part(init=False, default=4)

    def __post_init__(self, s: Any) -> None:
        if s > 5:
            object.__setattr__(self, "t", s * self.a)
            return
        object.__setattr__(self, "t", self.a)
        object.__setattr__(self, "t", self.t + self.u)


@dataclass(frozen=True, slots=True)
class Partly:
    x: Any
    _: KW_ONLY
    y: Any = 3
    z: Any = part(default=4, compare=False)


@dataclass(frozen=True)
class Lazy:
    x: Any

    @functools.cached_property
    def square(self) -> Any:
        return self.x**2


@frozen
class Board:
    n: Any = field(converter=int)
    cells: Any = field(converter=tuple, factory=tuple, kw_only=True)
    _p: Any = field(default=None, alias="private")
    q: Any = field(default=Factory(lambda self: self.n * 2, takes_self=True))
    r: Any = field(init=False, default=7)

    @q.validator
    def _check(self, attribute: Any, value: Any) -> None:
        if value < 0:
            raise ValueError(f"{attribute.name} {value}")

    def __attrs_post_init__(self) -> None:
        if self.n == 13:
            raise KeyError(self.n)


@frozen
class Valid:
    a: Any = field(validator=validators.instance_of(int))
    b: Any = field(default=1, validator=[validators.ge(0), validators.lt(10)])
    c: Any = field(default=None, validator=validators.optional(validators.in_((1, 2, 3))))
    d: Any = field(default=(1,), validator=validators.deep_iterable(validators.instance_of(int)))
    e: Any = field(
        default=(1, 2), validator=validators.and_(validators.min_len(1), validators.max_len(3))
    )


@frozen
class Unset:
    a: Any
    b: Any = field(init=False)
    c: Any = field(default=None, converter=converters.optional(float))
    d: Any = field(default=None, converter=converters.pipe(converters.default_if_none(3), float))
    e: Any = field(default=2.5, converter=converters.pipe(int, bool))

    def __attrs_post_init__(self) -> None:
        if self.a > 0:
            object.__setattr__(self, "b", self.a * 1.5)


@frozen
class Converted:
    z: Any
    a: Any = field(
        converter=attrs.Converter(
            lambda x, it, f: (x, it.z, f.name),
            takes_self=True,
            takes_field=True,
        )
    )


@frozen
class Private:
    _a: Any
    __b: Any = field(default=3, alias="bee")

    def get(self) -> Any:
        return self._a, self.__b

    @staticmethod
    def reader() -> Any:
        return lambda private: (private.__b, [p.__b for p in (private,)])


bee = Private.reader()


@frozen(order=True)
class Ranked:
    x: Any
    y: Any = field(default=0, order=False)
    z: Any = field(default=0, eq=False, order=False)


@frozen
class Absolute:
    x: Any = field(eq=abs)


@frozen(eq=False)
class Bare:
    x: Any


@attrs.define
class Changing:
    x: Any


# Special methods


@frozen
class Vector:
    x: Any
    y: Any = 1

    def __add__(self, o: Any) -> Any:
        if not isinstance(o, Vector):
            return NotImplemented
        return Vector(self.x + o.x, self.y + o.y)

    def __mul__(self, k: Any) -> Any:
        return Vector(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __neg__(self) -> Any:
        return Vector(-self.x, -self.y)

    def __len__(self) -> int:
        return self.x  # type: ignore[no-any-return]

    def __getitem__(self, i: Any) -> Any:
        return (self.x, self.y)[i]

    def __iter__(self) -> Iterator[Any]:
        yield self.x
        yield self.y

    def __contains__(self, z: Any) -> bool:
        return bool(z == self.x or z == self.y)

    def __call__(self, a: Any, b: Any = 3) -> Any:
        return self.x * a + b

    def __abs__(self) -> Any:
        return self.x


@frozen
class Modular:
    x: int

    def __eq__(self, o: object) -> bool:
        return (
            isinstance(o, Modular | int) and self.x % 10 == (o if isinstance(o, int) else o.x) % 10
        )

    def __hash__(self) -> int:
        return self.x % 10


@functools.total_ordering
@frozen(eq=False)
class Total:
    x: int

    def __eq__(self, o: object) -> bool:
        if not isinstance(o, Total):
            return NotImplemented
        return self.x == o.x

    def __lt__(self, o: Any) -> Any:
        if not isinstance(o, Total):
            return NotImplemented
        return self.x < o.x


@frozen
class Odd:
    x: Any

    def __bool__(self) -> bool:
        return self.x  # type: ignore[no-any-return]

    def __lt__(self, o: Any) -> Any:
        return self.x

    def __radd__(self, o: Any) -> Any:
        return (o, self.x)

    def __rsub__(self, o: Any) -> Any:
        return NotImplemented

    def __mod__(self, o: Any) -> Any:
        return self.x

    __rmod__ = __floordiv__ = __rfloordiv__ = __mod__


@frozen
class Left:
    x: int

    def __add__(self, o: Any) -> str:
        return "Left.add"

    def __radd__(self, o: Any) -> str:
        return "Left.radd"

    def __lt__(self, o: Any) -> str:
        return "Left.lt"

    def __gt__(self, o: Any) -> str:
        return "Left.gt"


@frozen
class Right(Left):
    def __radd__(self, o: Any) -> str:
        return "Right.radd"

    def __gt__(self, o: Any) -> str:
        return "Right.gt"


# Enumerations


class Colour(Enum):
    RED = 1
    BLUE = "b"
    GREEN = (1, 2)
    ALIAS = 1

    @property
    def warm(self) -> bool:
        return self is Colour.RED

    def other(self) -> Colour:
        return Colour.BLUE if self is Colour.RED else Colour.RED

    @classmethod
    def first(cls) -> Colour:
        return cls.RED

    @staticmethod
    def after(n: int) -> int:
        return n + 1


class Rank(IntEnum):
    ONE = 1
    TWO = 2
    TEN = 10


class Letter(IntEnum):
    A = auto()
    B = auto()

    def __sub__(self, o: Any) -> Any:
        return -5

    __floordiv__ = __mod__ = __sub__


class Planet(Enum):
    EARTH = (1.5, 2)
    MARS = (2.5, 3)

    def __init__(self, mass: float, r: int) -> None:
        self.mass, self.r = mass, r

    @property
    def gravity(self) -> float:
        return self.mass / self.r

    def __add__(self, o: Any) -> float:
        return float(self.mass + o)

    def __lt__(self, o: Planet) -> bool:
        return self.mass < o.mass

    def __bool__(self) -> bool:
        return self.r > 2


ORIGIN = Point(0, 0)
TABLE = (Point(1), Point(2, 5), Solid(3, 4, 5.5))
PAIRS = tuple(Pair(i) for i in range(20))
MIXED = (Point(1), Pair(2.5), None, (1, 2))
