"""Python's shifts, powers, `~`, `round` and functions of `math`, in machine code.

Numba shifts by a number modulo 64, computes 2 ** -1 as 0 and ~True as False, and returns nan or inf
where `math` raises.  The functions compiled here return Python's values, or raise as Python does.
"""

from __future__ import annotations

import math
import operator
from typing import Any

from numba import types

from strategies.native.compiler.parts import OPTIONS, instruction, overload
from strategies.native.compiler.stand_ins import (
    FUNCTIONS,
    invert,
    lshift,
    power,
    rounded,
    rshift,
)
from strategies.native.compiler.u64_type import word

TOO_LARGE = 2.0**63
"""The least positive float that does not fit into an int of 64 bits."""


def _plain(*kinds: Any) -> bool:
    """Return whether all operands are Python's ints, or bools."""
    return all(
        isinstance(kind, types.Boolean)
        or (isinstance(kind, types.Integer) and (kind.signed or kind.bitwidth < 64))
        for kind in kinds
    )


def _numbas(typing: Any, operation: Any, *kinds: Any) -> Any:
    """Return Numba's form of the operator, for all other operands."""
    function = typing.resolve_value_type(operation)
    signature = typing.resolve_function_type(function, kinds, {})
    if signature is None:
        return None

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.get_function(function, signature)(builder, args)

    return signature, build


def _shift(form: Any, operation: Any, name: str) -> None:
    @instruction(form)
    def shift(typing: Any, a: Any, b: Any) -> Any:
        """Shift; a shift by 64 or more leaves 0, or the sign."""
        if not _plain(a, b):
            return _numbas(typing, operation, a, b)

        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            x, n = (
                context.cast(builder, value, kind, types.int64)
                for value, kind in zip(args, signature.args, strict=True)
            )
            with builder.if_then(builder.icmp_signed("<", n, n.type(0)), likely=False):
                context.call_conv.return_user_exc(builder, ValueError, ("negative shift count",))
            out = builder.icmp_signed(">", n, n.type(63))
            if name == "ashr":
                return builder.ashr(x, builder.select(out, n.type(63), n))
            return builder.select(out, x.type(0), builder.shl(x, n))

        return types.int64(a, b), build


_shift(lshift, operator.lshift, "shl")
_shift(rshift, operator.rshift, "ashr")


@instruction(invert)
def _instruction_invert(typing: Any, a: Any) -> Any:
    """Invert; `~True` is -2."""
    if not isinstance(a, types.Boolean):
        return _numbas(typing, operator.invert, a)

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.not_(context.cast(builder, args[0], signature.args[0], types.int64))

    return types.int64(a), build


def _widened(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return context.cast(builder, args[0], signature.args[0], signature.return_type)


def _int_of_word(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    with builder.if_then(builder.icmp_signed("<", args[0], args[0].type(0)), likely=False):
        text = "a number of 2**63 or more does not fit into an int"
        context.call_conv.return_user_exc(builder, OverflowError, (text,))
    return args[0]


@instruction(FUNCTIONS[int])
def _instruction_int(typing: Any, x: Any) -> Any:
    """Convert to an int; raise for a float that is not a number, and for what needs more than 64
    bits."""
    if x in (word, types.uint64):
        return types.int64(x), _int_of_word
    if isinstance(x, types.Integer) and x.bitwidth < 64:
        return types.int64(x), _widened
    if not isinstance(x, types.Float):
        return _numbas(typing, int, x)

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        value = context.cast(builder, args[0], x, types.float64)
        with builder.if_then(builder.fcmp_unordered("uno", value, value), likely=False):
            text = "cannot convert float NaN to integer"
            context.call_conv.return_user_exc(builder, ValueError, (text,))
        high = builder.fcmp_ordered(">=", value, value.type(2.0**63))
        low = builder.fcmp_ordered("<", value, value.type(-(2.0**63)))
        with builder.if_then(builder.or_(high, low), likely=False):
            text = "this float does not fit into an int of 64 bits"
            context.call_conv.return_user_exc(builder, OverflowError, (text,))
        return context.cast(builder, value, types.float64, types.int64)

    return types.int64(x), build


@instruction(FUNCTIONS[float])
def _instruction_float(typing: Any, x: Any) -> Any:
    """Convert `True`, or a short float of NumPy's, to a float."""
    if not isinstance(x, (types.Boolean, types.Float)):
        return _numbas(typing, float, x)
    return types.float64(x), _widened


@overload(FUNCTIONS[math.isqrt], **OPTIONS)
def _overload_isqrt(n: Any) -> Any:
    if not _plain(n):
        return None

    def isqrt(n: Any) -> int:
        if n < 0:
            raise ValueError("isqrt() argument must be nonnegative")
        root = int(math.sqrt(n))  # exact but for the last bit, where n has more than 52 bits
        while root * root > n or root > 3037000499:
            root -= 1
        while root < 3037000499 and (root + 1) * (root + 1) <= n:
            root += 1
        return root

    return isqrt


@overload(power, **OPTIONS)
def _overload_pow(a: Any, b: Any) -> Any:
    if _plain(a, b):

        def of_ints(a: Any, b: Any) -> Any:
            if b < 0:
                raise ValueError("an int to a negative power is a float: write float(…) ** …")
            return int(a) ** int(b)

        return of_ints
    if not all(isinstance(kind, types.Float) or _plain(kind) for kind in (a, b)):
        return lambda a, b: a**b

    def of_floats(a: Any, b: Any) -> Any:
        if a == 0 and b < 0:
            raise ZeroDivisionError("0.0 cannot be raised to a negative power")
        found = float(a) ** float(b)
        if math.isnan(found) and not (math.isnan(a) or math.isnan(b)):
            raise ValueError("a negative number cannot be raised to a fractional power")
        if math.isinf(found) and not (math.isinf(a) or math.isinf(b)):
            raise OverflowError("this power is too large for a float")
        return found

    return of_floats


@overload(rounded, **OPTIONS)
def _overload_round(number: Any, ndigits: Any = None) -> Any:
    """Round to the nearest decimal of the exact value; Numba rounds the product with 10 ** n."""
    if not isinstance(number, types.Float):
        return (lambda number, ndigits=None: number) if _plain(number) and _none(ndigits) else (
            lambda number, ndigits=None: round(number, ndigits)
        )  # fmt: skip
    if _none(ndigits):

        def to_int(number: Any, ndigits: Any = None) -> Any:
            if math.isnan(number):
                raise ValueError("cannot convert float NaN to integer")
            if not -TOO_LARGE <= number < TOO_LARGE:
                raise OverflowError("this float does not fit into an int of 64 bits")
            return round(number)

        return to_int

    def to_decimal(number: Any, ndigits: Any = None) -> Any:
        if ndigits < 0 or ndigits > 15:
            return round(number, ndigits)
        scale = 10.0**ndigits
        product = number * scale
        if not abs(product) < 4503599627370496.0:
            return number
        # What the product lost, by Dekker: both factors in halves of 26 bits.
        high = 134217729.0 * number
        high = high - (high - number)
        other = 134217729.0 * scale
        other = other - (other - scale)
        low, rest = number - high, scale - other
        lost = ((high * other - product) + high * rest + low * other) + low * rest
        whole = math.floor(product)
        above = (product - whole) - 0.5
        if above > 0 or (above == 0 and (lost > 0 or (lost == 0 and whole % 2 == 1))):
            whole += 1
        return math.copysign(whole / scale, number)

    return to_decimal


def _none(native: Any) -> bool:
    return native is None or native == types.none or getattr(native, "value", 0) is None


@overload(FUNCTIONS[math.pow], **OPTIONS)
def _overload_math_pow(x: Any, y: Any) -> Any:
    if not all(isinstance(kind, types.Float) or _plain(kind) for kind in (x, y)):
        return None

    def math_pow(x: Any, y: Any) -> float:
        if x == 0 and y < 0:
            raise ValueError("math domain error")
        return float(float(x) ** float(y))

    return math_pow


def _checked(function: Any, *wrong: tuple[str, str, str]) -> None:
    """Register a function of `math` that raises where it has no value; Numba's returns nan or inf
    there."""
    name = function.__name__
    tests = "".join(
        f"    if {test}:\n        raise {error}({text!r})\n" for error, text, test in wrong
    )
    source = f"def checked(x):\n    y = float(x)\n{tests}    return {name}(y)\n"

    @overload(FUNCTIONS[function], **OPTIONS)
    def _overload(x: Any) -> Any:
        if not (isinstance(x, types.Float) or _plain(x)):
            return None
        if name in ("floor", "ceil", "trunc") and _plain(x):
            return lambda x: int(x)
        scope = {
            "__name__": __name__,
            name: function,
            "isinf": math.isinf,
            "TOO_LARGE": TOO_LARGE,
        }
        exec(source, scope)
        return scope["checked"]


DOMAIN, RANGE = ("ValueError", "math domain error"), ("OverflowError", "math range error")
NONE = ("ValueError", "cannot convert float NaN to integer", "y != y")
LARGE = (
    "OverflowError",
    "this float does not fit into an int of 64 bits",
    "not -TOO_LARGE <= y < TOO_LARGE",
)
_checked(math.sqrt, (*DOMAIN, "y < 0"))
for _log in (math.log, math.log2, math.log10):
    _checked(_log, (*DOMAIN, "y <= 0"))
_checked(math.log1p, (*DOMAIN, "y <= -1"))
_checked(math.acosh, (*DOMAIN, "y < 1"))
_checked(math.atanh, (*DOMAIN, "y <= -1 or y >= 1"))
for _angle in (math.asin, math.acos):
    _checked(_angle, (*DOMAIN, "y < -1 or y > 1"))
for _wave in (math.sin, math.cos, math.tan):
    _checked(_wave, (*DOMAIN, "isinf(y)"))
for _grows in (math.exp, math.expm1, math.sinh, math.cosh):
    _checked(_grows, (*RANGE, f"not isinf(y) and isinf({_grows.__name__}(y))"))
for _whole in (math.floor, math.ceil, math.trunc):
    _checked(_whole, NONE, LARGE)
