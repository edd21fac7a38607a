"""Values while code is walked over, the arguments of calls, and constants of LLVM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen
from llvmlite import ir

from strategies.rules.kinds.kind import I1, I32, I64, INT, NEVER, PTR, Boxed, Kind
from strategies.rules.language.messages import Refusal


class _Unknown:
    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = _Unknown()  # the Python value of an expression that is not a constant


class _Nothing:
    """What a builder answers that emits nothing."""

    def __getattr__(self, name: str) -> _Nothing:
        return self

    def __call__(self, *_: Any, **__: Any) -> _Nothing:
        return self

    def __bool__(self) -> bool:
        return False


NOTHING: Any = _Nothing()


class Val:
    """A value: its kind, its LLVM value, and its Python value where the compiler knows it."""

    __slots__ = ("kind", "py", "v")

    def __init__(self, kind: Kind, v: Any = NOTHING, py: Any = UNKNOWN) -> None:
        self.kind, self.v, self.py = kind, v, py

    @property
    def known(self) -> bool:
        return self.py is not UNKNOWN

    @property
    def boxed(self) -> Boxed:
        """The kind of a value with an identity."""
        assert isinstance(self.kind, Boxed)
        return self.kind


class New(Val):
    """A container that was just made, and that nobody else has yet: its changes are not seen."""

    __slots__ = ()


class Counted(Val):
    """An int that a loop counts, with a test that was done before: if it holds, the int is from 0
    to 63."""

    __slots__ = ("small",)

    def __init__(self, v: Any, small: Any) -> None:
        super().__init__(INT, v)
        self.small = small


class Held(Val):
    """A table in a field of the compiled object, or a part of one: no code changes it.

    Its length is a constant if the program says so, and those of its parts as far as `shape` goes.
    """

    __slots__ = ("shape",)

    def __init__(self, kind: Kind, v: Any, shape: tuple[int, ...]) -> None:
        super().__init__(kind, v)
        self.shape = shape


@frozen(eq=False)
class Arguments:
    """The arguments of a call.

    Attributes:
        first: by place, as many as are known.
        rest: a tuple of any length with the further ones.
    """

    first: list[Val]
    named: dict[str, Val]
    rest: Val | None = None

    @property
    def values(self) -> list[Val]:
        """All arguments by place, if their number is known."""
        if self.rest is not None:
            raise Refusal("a star before a tuple of unknown length is not compiled in this call")
        return self.first

    @property
    def known(self) -> bool:
        found = (*self.first, *self.named.values(), *([self.rest] if self.rest else []))
        return all(a.kind is not NEVER for a in found)

    def after(self, before: Sequence[Val], named: dict[str, Val] | None = None) -> Arguments:
        """Return these arguments after others."""
        return Arguments([*before, *self.first], (named or {}) | self.named, self.rest)


def c64(n: int) -> ir.Constant:
    return ir.Constant(I64, n)


def c32(n: int) -> ir.Constant:
    return ir.Constant(I32, n)


def c1(yes: bool) -> ir.Constant:
    return ir.Constant(I1, int(yes))


def undefined(t: ir.Type) -> ir.Constant:
    return ir.Constant(t, ir.Undefined)


ZERO, ONE, NULL = c64(0), c64(1), ir.Constant(PTR, None)
FIXED = c64(-1)  # in place of the capacity of a list or table that must not be changed
LIST = ir.LiteralStructType([PTR, I64, I64])  # elements, length, capacity
