"""`U64` in machine code: the arithmetic of games.u64, instruction for instruction."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.datamodel import models
from numba.core.imputils import lower_constant
from numba.extending import (
    NativeValue,
    box,
    intrinsic,
    lower_builtin,
    lower_cast,
    overload,
    overload_method,
    register_model,
    type_callable,
    typeof_impl,
    unbox,
)

from games.u64 import U64

OPTIONS = {"nogil": True, "error_model": "python", "forceinline": True}
"""How rules are compiled: divisions are checked as in Python, calls are inlined."""


class WordType(types.Type):
    """The type of a U64: 64 bits, unsigned, wrapping."""

    def __init__(self) -> None:
        super().__init__("U64")

    def unify(self, context: Any, other: Any) -> Any:
        """A word and an int do not meet on two paths: the one wraps, the other does not."""
        return None


word = WordType()


@register_model(WordType)
class WordModel(models.PrimitiveModel):
    def __init__(self, manager: Any, native: Any) -> None:
        super().__init__(manager, native, ir.IntType(64))


@typeof_impl.register(U64)
def _typeof(value: Any, context: Any) -> Any:
    return word


@lower_constant(WordType)
def _constant(context: Any, builder: Any, native: Any, value: Any) -> Any:
    return ir.Constant(ir.IntType(64), int(value))


@unbox(WordType)
def _unbox(native: Any, value: Any, c: Any) -> Any:
    bits = c.pyapi.long_as_ulonglong(value)
    return NativeValue(bits, is_error=c.pyapi.c_api_error())


@box(WordType)
def _box(native: Any, value: Any, c: Any) -> Any:
    python = c.pyapi.unserialize(c.pyapi.serialize_object(U64))
    number = c.pyapi.long_from_ulonglong(value)
    boxed = c.pyapi.call_function_objargs(python, [number])
    c.pyapi.decref(number)
    c.pyapi.decref(python)
    return boxed


# Between words and bit patterns ---------------------------------------------------------------


@intrinsic
def bits_of(context: Any, x: Any) -> Any:
    """The bit pattern of a word or an integer, as uint64."""

    def build(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        native = signature.args[0]
        return args[0] if native == word else target.cast(builder, args[0], native, types.uint64)

    return types.uint64(types.unliteral(x)), build


@intrinsic
def word_of(context: Any, x: Any) -> Any:
    """The word with the bit pattern of an integer."""

    def build(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        return target.cast(builder, args[0], signature.args[0], types.uint64)

    return word(types.unliteral(x)), build


@intrinsic
def signed(context: Any, x: Any) -> Any:
    """The int64 with the bit pattern of a word."""
    return types.int64(x), lambda target, builder, signature, args: args[0]


def _bit_counter(name: str, *flags: int) -> Any:
    @intrinsic
    def count(context: Any, x: Any) -> Any:
        def build(target: Any, builder: Any, signature: Any, args: Any) -> Any:
            return getattr(builder, name)(args[0], *(ir.Constant(ir.IntType(1), f) for f in flags))

        return types.int64(x), build

    return count


ones, leading, trailing = _bit_counter("ctpop"), _bit_counter("ctlz", 0), _bit_counter("cttz", 0)


def _shifter(name: str) -> Any:
    @intrinsic
    def shift(context: Any, x: Any, n: Any) -> Any:
        def build(target: Any, builder: Any, signature: Any, args: Any) -> Any:
            x, n = args
            out = builder.icmp_unsigned(">=", n, n.type(64))
            return builder.select(out, x.type(0), getattr(builder, name)(x, n))

        return types.uint64(types.uint64, types.uint64), build

    return shift


shifted_left, shifted_right = _shifter("shl"), _shifter("lshr")

# Conversions ----------------------------------------------------------------------------------


@lower_cast(WordType, types.Boolean)
def _truth(context: Any, builder: Any, from_: Any, to: Any, value: Any) -> Any:
    return builder.icmp_unsigned("!=", value, value.type(0))


@type_callable(U64)
def _type_word(context: Any) -> Any:
    def typer(x: Any) -> Any:
        if x == word or isinstance(x, (types.Integer, types.Boolean)):
            return word
        return None

    return typer


@lower_builtin(U64, WordType)
@lower_builtin(U64, types.Integer)
@lower_builtin(U64, types.Boolean)
def _make_word(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    native = signature.args[0]
    return args[0] if native == word else context.cast(builder, args[0], native, types.uint64)


@overload(int, strict=False)
def _int(x: Any) -> Any:
    return (lambda x: signed(x)) if x == word else None


@overload(float, strict=False)
def _float(x: Any) -> Any:
    return (lambda x: float(bits_of(x))) if x == word else None


@overload(bool, strict=False)
def _bool(x: Any) -> Any:
    return (lambda x: bits_of(x) != types.uint64(0)) if x == word else None


@overload(operator.not_, strict=False)
def _not(x: Any) -> Any:
    return (lambda x: bits_of(x) == types.uint64(0)) if x == word else None


@overload(operator.invert, strict=False)
def _invert(x: Any) -> Any:
    return (lambda x: word_of(~bits_of(x))) if x == word else None


@overload(operator.neg, strict=False)
def _neg(x: Any) -> Any:
    return (lambda x: word_of(types.uint64(0) - bits_of(x))) if x == word else None


@overload_method(WordType, "bit_count", strict=False)
def _bit_count(x: Any) -> Any:
    return lambda x: ones(x)


@overload_method(WordType, "bit_length", strict=False)
def _bit_length(x: Any) -> Any:
    return lambda x: 64 - leading(x)


@overload_method(WordType, "lowest", strict=False)
def _lowest(x: Any) -> Any:
    return lambda x: trailing(x)


@overload_method(types.Integer, "bit_count", strict=False)
def _int_bit_count(x: Any) -> Any:
    return lambda x: ones(word_of(abs(x)))


@overload_method(types.Integer, "bit_length", strict=False)
def _int_bit_length(x: Any) -> Any:
    return lambda x: 64 - leading(word_of(abs(x)))


# Arithmetic, in which ints mix freely -----------------------------------------------------------


def _mixes(a: Any, b: Any) -> bool:
    numbers = (types.Integer, types.Boolean)
    return (a == word and (b == word or isinstance(b, numbers))) or (
        b == word and isinstance(a, numbers)
    )


def _binary(in_place: Any, plain: Any, implementation: Any) -> None:
    for operation in (in_place, plain):

        @overload(operation, strict=False)
        def _operation(a: Any, b: Any) -> Any:
            return implementation if _mixes(a, b) else None


_binary(operator.iadd, operator.add, lambda a, b: word_of(bits_of(a) + bits_of(b)))
_binary(operator.isub, operator.sub, lambda a, b: word_of(bits_of(a) - bits_of(b)))
_binary(operator.imul, operator.mul, lambda a, b: word_of(bits_of(a) * bits_of(b)))
_binary(operator.iand, operator.and_, lambda a, b: word_of(bits_of(a) & bits_of(b)))
_binary(operator.ior, operator.or_, lambda a, b: word_of(bits_of(a) | bits_of(b)))
_binary(operator.ixor, operator.xor, lambda a, b: word_of(bits_of(a) ^ bits_of(b)))
_binary(operator.ifloordiv, operator.floordiv, lambda a, b: word_of(bits_of(a) // bits_of(b)))
_binary(operator.imod, operator.mod, lambda a, b: word_of(bits_of(a) % bits_of(b)))
_binary(
    operator.ilshift, operator.lshift, lambda a, b: word_of(shifted_left(bits_of(a), bits_of(b)))
)
_binary(
    operator.irshift, operator.rshift, lambda a, b: word_of(shifted_right(bits_of(a), bits_of(b)))
)


@intrinsic
def negative(context: Any, x: Any) -> Any:
    """Whether an operand is below 0, which a word never is."""

    def build(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        native = signature.args[0]
        if isinstance(native, types.Integer) and native.signed:
            return builder.icmp_signed("<", args[0], args[0].type(0))
        return ir.Constant(ir.IntType(1), 0)

    return types.boolean(types.unliteral(x)), build


def _comparison(operation: Any, implementation: Any) -> None:
    @overload(operation, strict=False)
    def _operation(a: Any, b: Any) -> Any:
        return implementation if _mixes(a, b) else None


_comparison(
    operator.eq,
    lambda a, b: not negative(a) and not negative(b) and bits_of(a) == bits_of(b),
)
_comparison(
    operator.ne,
    lambda a, b: negative(a) or negative(b) or bits_of(a) != bits_of(b),
)
_comparison(operator.lt, lambda a, b: negative(a) or (not negative(b) and bits_of(a) < bits_of(b)))
_comparison(operator.le, lambda a, b: negative(a) or (not negative(b) and bits_of(a) <= bits_of(b)))
_comparison(operator.gt, lambda a, b: negative(b) or (not negative(a) and bits_of(a) > bits_of(b)))
_comparison(operator.ge, lambda a, b: negative(b) or (not negative(a) and bits_of(a) >= bits_of(b)))


@overload(operator.getitem, strict=False)
def _getitem(row: Any, index: Any) -> Any:
    if index == word and isinstance(row, (types.Array, types.BaseTuple)):
        return lambda row, index: row[signed(index)]
    return None
