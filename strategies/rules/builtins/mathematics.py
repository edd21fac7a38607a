"""The module `math`: by the C library where CPython does just that, else asked of Python.

Its functions over ints and iterables are written in Python.
"""

from __future__ import annotations

import ast
import math
import sys
from collections.abc import Callable
from functools import partial
from operator import index
from typing import Any

from games.u64 import U64
from strategies.rules.builtins.declared import LEFT_OUT, Private, function, written
from strategies.rules.builtins.iterators import unrolled
from strategies.rules.code.coercion import each_kind, fail, parts_of, tuple_of
from strategies.rules.code.val import Val
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.kind import BOOL, F64, FLOAT, I64, INT, Tup
from strategies.rules.language.messages import Refusal
from strategies.rules.machine.compilation import LIBM
from strategies.rules.values import numbers
from strategies.rules.values.arithmetic import wide_number
from strategies.rules.values.numbers import asked, fabs, is_finite, libm

REAL = Private("float", float)  # a float of a number
COMB, LOG = Private("comb", math.comb), Private("log", math.log)
MOST_COORDINATES = 3


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


def _by_libm(name: str, signature: str) -> None:
    @numeric(LOG if name == "log" else getattr(math, name), signature, "f" * signature.count(","))
    def build(w: Walk, *args: Any) -> Val:
        return Val(FLOAT, libm(w, name, list(args), "math.pow" if name == "pow" else ""))


def _asked(value: Any, name: str, signature: str, how: str, kind: Any = FLOAT) -> None:
    @numeric(value, signature, how)
    def build(w: Walk, *args: Any) -> Val:
        return Val(kind, asked(w, name, how, list(args), F64 if kind is FLOAT else I64))


for _name in LIBM:
    _by_libm(_name, {"pow": "x, y, /", "fmod": "x, y, /", "atan2": "y, x, /"}.get(_name, "x, /"))
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


numeric(math.fabs, "x, /", "f")(lambda w, x: Val(FLOAT, fabs(w, x)))
numeric(math.copysign, "x, y, /", "ff")(lambda w, x, y: Val(FLOAT, numbers.copysign(w, x, y)))
numeric(math.degrees, "x, /", "f")(lambda w, x: Val(FLOAT, w.b.fmul(x, F64(180.0 / math.pi))))
numeric(math.radians, "x, /", "f")(lambda w, x: Val(FLOAT, w.b.fmul(x, F64(math.pi / 180.0))))
numeric(math.isnan, "x, /", "f")(lambda w, x: Val(BOOL, w.b.fcmp_unordered("uno", x, x)))
numeric(math.isinf, "x, /", "f")(
    lambda w, x: Val(BOOL, w.b.fcmp_ordered("==", fabs(w, x), F64(float("inf"))))
)
numeric(math.isfinite, "x, /", "f")(lambda w, x: Val(BOOL, is_finite(w, x)))


@numeric(math.modf, "x, /", "f")
def modf(w: Walk, x: Any) -> Val:
    whole = w.intrinsic("llvm.trunc.f64", F64, [x])
    infinite = w.b.fcmp_ordered("==", fabs(w, x), F64(float("inf")))
    rest = w.b.select(infinite, F64(0.0), w.b.fsub(x, whole))
    return tuple_of(w, [Val(FLOAT, numbers.copysign(w, rest, x)), Val(FLOAT, whole)])


numeric(REAL, "x, /", "f")(lambda w, x: Val(FLOAT, x))


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


for _name in ("floor", "ceil", "trunc"):

    @function(getattr(math, _name), "x, /", each=True)
    def rounded(w: Walk, node: ast.AST, x: Val, name: str = _name) -> Val:
        n = wide_number(w, x)
        if n is None:
            return fail(w, TypeError, f"{name}() takes a number")
        if n.kind is FLOAT:
            n = Val(FLOAT, w.intrinsic(f"llvm.{name}.f64", F64, [n.v]))
        return numbers.to_int(w, n)


INTS_TOO = sys.version_info >= (3, 14)  # whether `sum` compensates ints among floats


@written(math.gcd)
def gcd(*integers: Any) -> Any:
    found = 0
    for x in integers:
        other = index(x)
        while other:
            found, other = other, found % other
    return abs(found)


@written(math.lcm)
def lcm(*integers: Any) -> Any:
    found = 1
    for x in integers:
        if index(x) == 0:
            found = 0
    for x in integers:
        if found:  # else the others may be of any size
            found = abs(found // gcd(found, x) * index(x))
    return found


@written(math.factorial)
def factorial(n: Any, /) -> Any:
    n = index(n)
    if n < 0:
        raise ValueError("factorial() of a negative number")
    found = 1
    for i in range(2, n + 1):
        found *= i
    return found


@written(math.perm)
def perm(n: Any, k: Any = None, /) -> Any:
    if k is None:
        return factorial(n)
    n, k = index(n), index(k)
    if n < 0 or k < 0:
        raise ValueError("perm() of a negative number")
    if k > n:
        return 0
    found = 1
    for i in range(k):
        found *= n - i
    return found


@written(math.comb)
def comb(n: Any, k: Any, /) -> Any:
    n, k = index(n), index(k)
    if n < 0 or k < 0:
        raise ValueError("comb() of a negative number")
    if k > n:
        return 0
    k = min(k, n - k)
    if n > 57 and k > 1:  # products on the way may need more than 64 bits
        return COMB(n, k)
    found = 1
    for i in range(k):
        found = found * (n - i) // (i + 1)
    return found


@written(math.isqrt)
def isqrt(n: Any, /) -> Any:
    n = index(n)
    if n < 0:
        raise ValueError("isqrt() of a negative number")
    if n == 0:
        return 0
    found = int(math.sqrt(n))
    while found > n // found:
        found -= 1
    while found + 1 <= n // (found + 1):
        found += 1
    return found


@written(math.log)
def log(x: Any, base: Any = LEFT_OUT, /) -> Any:
    if base is LEFT_OUT:
        return LOG(x)
    return LOG(x) / LOG(base)


@written(math.prod)
def prod(iterable: Any, /, *, start: Any = 1) -> Any:
    total = start
    for x in iterable:
        total = total * x
    return total


@written(math.isclose)
def isclose(a: Any, b: Any, *, rel_tol: Any = 1e-09, abs_tol: Any = 0.0) -> bool:
    a, b, rel_tol, abs_tol = REAL(a), REAL(b), REAL(rel_tol), REAL(abs_tol)
    if rel_tol < 0.0 or abs_tol < 0.0:
        raise ValueError("tolerances must not be negative")
    if a == b:
        return True
    if math.isinf(a) or math.isinf(b):
        return False
    gap = math.fabs(b - a)
    return gap <= math.fabs(rel_tol * b) or gap <= math.fabs(rel_tol * a) or gap <= abs_tol


@written(math.dist)
def dist(p: Any, q: Any, /) -> Any:
    p, q = tuple(p), tuple(q)
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    return math.hypot(*unrolled(_gap, p, q))


def _gap(x: Any, i: Any, other: Any) -> Any:
    return REAL(x) - REAL(other[i])


@written(math.fsum)
def fsum(seq: Any, /) -> Any:
    """Add floats without loss, as Shewchuk's partial sums; then round once, to even."""
    partials = [0.0]
    partials.pop()
    special, infinite = 0.0, 0.0
    for item in seq:
        x = REAL(item)
        given, n = x, 0
        for y in tuple(partials):
            if math.fabs(x) < math.fabs(y):
                x, y = y, x
            high = x + y
            low = y - (high - x)
            if low != 0.0:
                partials[n] = low
                n += 1
            x = high
        while len(partials) > n:
            partials.pop()
        if x != 0.0:
            if math.isfinite(x):
                partials.append(x)
            else:
                if math.isfinite(given):
                    raise OverflowError("intermediate overflow in fsum")
                if math.isinf(given):
                    infinite += given
                special += given
                while partials:
                    partials.pop()
    if special != 0.0:
        if math.isnan(infinite):
            raise ValueError("-inf + inf in fsum")
        return special
    return _rounded(partials)


def _rounded(partials: Any) -> Any:
    """Return the sum of partial sums without overlap, rounded once, to even."""
    n, high, low = len(partials), 0.0, 0.0
    if n > 0:
        n -= 1
        high = partials[n]
        while n > 0:
            x = high
            n -= 1
            y = partials[n]
            high = x + y
            low = y - (high - x)
            if low != 0.0:
                break
        # Round half to even across several partial sums.
        if n > 0 and (
            (low < 0.0 and partials[n - 1] < 0.0) or (low > 0.0 and partials[n - 1] > 0.0)
        ):
            y = low * 2.0
            x = high + y
            if y == x - high:
                high = x
    return high


def compensated_sum(iterable: Any, /, start: Any = 0) -> Any:
    """`sum` since Python 3.12: floats are added by Neumaier's compensated algorithm."""
    if isinstance(start, str):
        raise TypeError("sum() can't sum strings")
    total = start
    exact, lost = None, 0.0  # the sum while it is a float: None where no float can be, by its kind
    ints = isinstance(start, int) and not isinstance(start, (bool, U64))
    if isinstance(start, float):
        exact = start
    for x in iterable:
        if exact is not None:
            if isinstance(x, float) or (INTS_TOO and isinstance(x, int) and x < 2**63):
                y = REAL(x)
                met = exact + y
                if math.fabs(exact) >= math.fabs(y):
                    lost += (exact - met) + y
                else:
                    lost += (y - met) + exact
                exact = met
                continue
            if isinstance(x, int) and x < 2**63:
                exact += x
                continue
            if lost != 0.0 and math.isfinite(lost):
                exact += lost
            total = exact + x
            exact = None
            continue
        total = total + x
        if ints and not (isinstance(x, int) and not isinstance(x, U64)):
            ints = False
            if isinstance(total, float):
                exact, lost = total, 0.0
    if exact is not None:
        return exact + lost if lost != 0.0 and math.isfinite(lost) else exact
    return total


if sys.version_info >= (3, 12):
    written(sum)(compensated_sum)
