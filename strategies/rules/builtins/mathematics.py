"""The module `math`: by the C library where CPython does just that, else asked of Python."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from functools import partial
from typing import Any

from strategies.rules.builtins.declared import Private, function
from strategies.rules.code.coercion import each_kind, fail, parts_of, tuple_of
from strategies.rules.code.val import Val
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.kind import BOOL, F64, FLOAT, I64, INT, Tup
from strategies.rules.language.messages import Refusal
from strategies.rules.machine.compilation import LIBM
from strategies.rules.values import numbers
from strategies.rules.values.arithmetic import wide_number
from strategies.rules.values.numbers import asked, fabs, is_finite, libm

WHOLE = Private("index", operator.index)  # an int of what has no fraction by its kind
REAL = Private("float", float)  # a float of a number
COMB, LOG = Private("comb", math.comb), Private("log", math.log)
MOST_COORDINATES = 3  # coordinates


def numeric(value: Any, signature: str, how: str) -> Callable[[Any], Any]:
    """Declare a function of numbers: `how` has `f` for a float, `i` for an int."""

    def declare(build: Any) -> Any:
        @function(value, signature, each=True)
        def checked(w: Walk, node: ast.AST, *args: Val) -> Val:
            given = []
            for h, a in zip(how, args, strict=True):
                n = wide_number(w, a)
                if n is None or (h == "i" and n.kind is FLOAT):
                    return fail(w, TypeError, f"{a.kind} is no number, or has a fraction")
                given.append(numbers.as_float(w, n) if h == "f" else numbers.to_int(w, n).v)
            found: Val = build(w, *given)
            return found

        return build

    return declare


def _by_libm(name: str, signature: str, how: str) -> None:
    @numeric(LOG if name == "log" else getattr(math, name), signature, how)
    def build(w: Walk, *args: Any) -> Val:
        return Val(FLOAT, libm(w, name, list(args), "math.pow" if name == "pow" else ""))


def _asked(value: Any, name: str, signature: str, how: str, kind: Any = FLOAT) -> None:
    @numeric(value, signature, how)
    def build(w: Walk, *args: Any) -> Val:
        return Val(kind, asked(w, name, how, list(args), F64 if kind is FLOAT else I64))


for _name in LIBM:
    if _name not in ("pow", "atan2", "fmod"):
        _by_libm(_name, "x, /", "f")
for _name in ("pow", "fmod"):
    _by_libm(_name, "x, y, /", "ff")
_by_libm("atan2", "y, x, /", "ff")
for _name in ("gamma", "lgamma", "ulp"):
    _asked(getattr(math, _name), _name, "x, /", "f")
for _name in ("remainder", "nextafter"):
    _asked(getattr(math, _name), _name, "x, y, /", "ff")
_asked(math.ldexp, "ldexp", "x, i, /", "fi")
_asked(COMB, "comb", "n, k, /", "ii", INT)


@numeric(math.sqrt, "x, /", "f")
def sqrt(w: Walk, x: Any) -> Val:
    w.check(w.b.fcmp_ordered("<", x, F64(0.0)), ValueError, "the root of a negative number")
    return Val(FLOAT, w.intrinsic("llvm.sqrt.f64", F64, [x]))


@numeric(math.fabs, "x, /", "f")
def fabs_(w: Walk, x: Any) -> Val:
    return Val(FLOAT, fabs(w, x))


@numeric(math.copysign, "x, y, /", "ff")
def copysign(w: Walk, x: Any, y: Any) -> Val:
    return Val(FLOAT, numbers.copysign(w, x, y))


@numeric(math.degrees, "x, /", "f")
def degrees(w: Walk, x: Any) -> Val:
    return Val(FLOAT, w.b.fmul(x, F64(180.0 / math.pi)))


@numeric(math.radians, "x, /", "f")
def radians(w: Walk, x: Any) -> Val:
    return Val(FLOAT, w.b.fmul(x, F64(math.pi / 180.0)))


@numeric(math.isnan, "x, /", "f")
def isnan(w: Walk, x: Any) -> Val:
    return Val(BOOL, w.b.fcmp_unordered("uno", x, x))


@numeric(math.isinf, "x, /", "f")
def isinf(w: Walk, x: Any) -> Val:
    return Val(BOOL, w.b.fcmp_ordered("==", fabs(w, x), F64(float("inf"))))


@numeric(math.isfinite, "x, /", "f")
def isfinite(w: Walk, x: Any) -> Val:
    return Val(BOOL, is_finite(w, x))


@numeric(math.modf, "x, /", "f")
def modf(w: Walk, x: Any) -> Val:
    whole = w.intrinsic("llvm.trunc.f64", F64, [x])
    infinite = w.b.fcmp_ordered("==", fabs(w, x), F64(float("inf")))
    rest = w.b.select(infinite, F64(0.0), w.b.fsub(x, whole))
    return tuple_of(w, [Val(FLOAT, numbers.copysign(w, rest, x)), Val(FLOAT, whole)])


@numeric(WHOLE, "x, /", "i")
def whole(w: Walk, x: Any) -> Val:
    return Val(INT, x)


@numeric(REAL, "x, /", "f")
def real(w: Walk, x: Any) -> Val:
    return Val(FLOAT, x)


def _norm(w: Walk, *parts: Val) -> Val:
    given = [wide_number(w, a) for a in parts]
    if not all(given):
        return fail(w, TypeError, "a coordinate must be a number")
    floats = [numbers.as_float(w, n) for n in given if n is not None]
    if len(floats) < 2:
        return Val(FLOAT, fabs(w, floats[0]) if floats else F64(0.0))
    return Val(FLOAT, asked(w, "hypot", "f" * len(floats), floats))


@function(math.hypot, "*coordinates")
def hypot(w: Walk, node: ast.AST, coordinates: Val) -> Val:
    k = coordinates.kind
    if not isinstance(k, Tup) or len(k.items) > MOST_COORDINATES:
        raise Refusal(
            f"coordinates that may be more than {MOST_COORDINATES} are not compiled; "
            "write math.sqrt(sum(…))"
        )
    return each_kind(w, partial(_norm, w), *parts_of(w, coordinates))


def _rounding(value: Any, name: str) -> None:
    @function(value, "x, /", each=True)
    def build(w: Walk, node: ast.AST, x: Val) -> Val:
        n = wide_number(w, x)
        if n is None:
            return fail(w, TypeError, f"{name}() takes a number")
        if n.kind is FLOAT:
            n = Val(FLOAT, w.intrinsic(f"llvm.{name}.f64", F64, [n.v]))
        return numbers.to_int(w, n)


for _name in ("floor", "ceil", "trunc"):
    _rounding(getattr(math, _name), _name)
