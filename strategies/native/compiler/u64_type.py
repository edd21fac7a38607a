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
    register_model,
    type_callable,
    typeof_impl,
    unbox,
)

from games.u64 import U64
from strategies.native.compiler.parts import instruction, overload_method


class WordType(types.Type):
    """The type of a U64: 64 bits, unsigned, wrapping."""

    def __init__(self) -> None:
        super().__init__("U64")

    def unify(self, context: Any, other: Any) -> Any:
        """Refuse to unify a word and an int on two paths: the one wraps, the other does not."""
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
    """Create a U64 without running Python code, in which Ctrl-C could interrupt it."""
    number = c.pyapi.long_from_ulonglong(value)
    make, cls = (c.env_manager.read_const(c.env_manager.add_const(x)) for x in (int.__new__, U64))
    boxed = c.pyapi.call_function_objargs(make, [cls, number])
    c.pyapi.decref(number)
    return boxed


# Between words and bit patterns ---------------------------------------------------------------


@intrinsic
def word_of(context: Any, x: Any) -> Any:
    """Return the word with the bit pattern of an integer."""

    def build(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        return target.cast(builder, args[0], signature.args[0], types.uint64)

    return word(types.unliteral(x)), build


def _bit_counter(name: str, *flags: int) -> Any:
    @intrinsic
    def count(context: Any, x: Any) -> Any:
        def build(target: Any, builder: Any, signature: Any, args: Any) -> Any:
            return getattr(builder, name)(args[0], *(ir.Constant(ir.IntType(1), f) for f in flags))

        return types.int64(x), build

    return count


ones, leading, trailing = _bit_counter("ctpop"), _bit_counter("ctlz", 0), _bit_counter("cttz", 0)


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


@instruction(int)
def _int(context: Any, x: Any) -> Any:
    if x != word:
        return None
    return types.int64(word), lambda _, builder, x: x


@instruction(float)
def _float(context: Any, x: Any) -> Any:
    if x != word:
        return None
    made = types.float64(word)
    return made, lambda target, builder, x: target.cast(builder, x, types.uint64, types.float64)


def _test(sign: str, *functions: Any) -> None:
    @instruction(*functions)
    def _against_zero(context: Any, x: Any) -> Any:
        if x != word:
            return None
        return types.boolean(word), lambda _, builder, x: builder.icmp_unsigned(sign, x, x.type(0))


_test("!=", bool)
_test("==", operator.not_)


def _unary(operation: Any, name: str) -> None:
    @instruction(operation)
    def _operation(context: Any, x: Any) -> Any:
        if x != word:
            return None
        return word(word), lambda _, builder, x: getattr(builder, name)(x)


_unary(operator.invert, "not_")
_unary(operator.neg, "neg")


@overload_method(WordType, "bit_count")
def _bit_count(x: Any) -> Any:
    return lambda x: ones(x)


@overload_method(WordType, "bit_length")
def _bit_length(x: Any) -> Any:
    return lambda x: 64 - leading(x)


@overload_method(WordType, "lowest")
def _lowest(x: Any) -> Any:
    return lambda x: trailing(x)


@overload_method(types.Integer, "bit_count")
def _int_bit_count(x: Any) -> Any:
    return lambda x: ones(word_of(abs(x)))


@overload_method(types.Integer, "bit_length")
def _int_bit_length(x: Any) -> Any:
    return lambda x: 64 - leading(word_of(abs(x)))


# Arithmetic, in which ints mix freely -----------------------------------------------------------


def _mixes(a: Any, b: Any) -> bool:
    numbers = (types.Integer, types.Boolean)
    return (a == word and (b == word or isinstance(b, numbers))) or (
        b == word and isinstance(a, numbers)
    )


def _bits(target: Any, builder: Any, kinds: Any, args: Any) -> list[Any]:
    """Return the bit patterns of the operands."""
    return [
        value if native == word else target.cast(builder, value, native, types.uint64)
        for native, value in zip(kinds, args, strict=True)
    ]


def _binary(in_place: Any, plain: Any, built: Any) -> None:
    @instruction(in_place, plain)
    def _operation(context: Any, a: Any, b: Any) -> Any:
        if not _mixes(a, b):
            return None

        def emit(target: Any, builder: Any, *args: Any) -> Any:
            return built(target, builder, _bits(target, builder, (a, b), args))

        return word(a, b), emit


def _numbas(operation: Any) -> Any:
    """Return Numba's operation on words, which includes the test for a division by 0."""

    def built(target: Any, builder: Any, bits: Any) -> Any:
        kind = types.uint64
        return target.get_function(operation, kind(kind, kind))(builder, bits)

    return built


def _shift(name: str) -> Any:
    """Return a shift; a shift by 64 or more leaves 0."""

    def built(target: Any, builder: Any, bits: Any) -> Any:
        x, n = bits
        out = builder.icmp_unsigned(">=", n, n.type(64))
        return builder.select(out, x.type(0), getattr(builder, name)(x, n))

    return built


def _plain(name: str) -> Any:
    return lambda target, builder, bits: getattr(builder, name)(*bits)


_binary(operator.iadd, operator.add, _plain("add"))
_binary(operator.isub, operator.sub, _plain("sub"))
_binary(operator.imul, operator.mul, _plain("mul"))
_binary(operator.iand, operator.and_, _plain("and_"))
_binary(operator.ior, operator.or_, _plain("or_"))
_binary(operator.ixor, operator.xor, _plain("xor"))
_binary(operator.ifloordiv, operator.floordiv, _numbas(operator.floordiv))
_binary(operator.imod, operator.mod, _numbas(operator.mod))
_binary(operator.ilshift, operator.lshift, _shift("shl"))
_binary(operator.irshift, operator.rshift, _shift("lshr"))


def _comparison(operation: Any, sign: str, below: bool, above: bool) -> None:
    """Compare by bits, except operands below 0, which a word never is.

    `below` is the result for a negative first operand, `above` for a negative second one.
    """

    @instruction(operation)
    def _operation(context: Any, a: Any, b: Any) -> Any:
        if not _mixes(a, b):
            return None

        def emit(target: Any, builder: Any, *args: Any) -> Any:
            found = builder.icmp_unsigned(sign, *_bits(target, builder, (a, b), args))
            for native, value, instead in zip((a, b), args, (below, above), strict=True):
                if isinstance(native, types.Integer) and native.signed:
                    negative = builder.icmp_signed("<", value, value.type(0))
                    found = builder.select(negative, found.type(instead), found)
            return found

        return types.boolean(a, b), emit


_comparison(operator.eq, "==", False, False)
_comparison(operator.ne, "!=", True, True)
_comparison(operator.lt, "<", True, False)
_comparison(operator.le, "<=", True, False)
_comparison(operator.gt, ">", False, True)
_comparison(operator.ge, ">=", False, True)
