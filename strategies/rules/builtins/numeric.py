"""Numbers: `abs`, `divmod`, `pow`, `round`, and the methods of int and U64."""

from __future__ import annotations

import ast
import operator
from typing import Any

from games.u64 import U64
from strategies.rules.builtins.declared import function, method
from strategies.rules.code.coercion import boolean, computed, fail, number, plain, tuple_of
from strategies.rules.code.val import ZERO, Val, c1, c64
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.kind import (
    BOOL,
    F64,
    FLOAT,
    I64,
    INT,
    NONE,
    WORD,
    Member,
    Record,
    Scalar,
)
from strategies.rules.language.messages import Refusal
from strategies.rules.operations import operators
from strategies.rules.values import arithmetic, numbers, numpy_numbers, specials
from strategies.rules.values.arithmetic import wide_number
from strategies.rules.values.numbers import asked, is_finite


@function(operator.abs, "x, /", each=True)
@function(abs, "x, /", each=True)
def absolute(w: Walk, node: ast.AST, x: Val) -> Val:
    own = specials.unary(w, "abs", x)
    if own is not None:
        return own
    if x.known and isinstance(x.py, int | float):
        return w.constant(abs(x.py))
    if isinstance(x.kind, Scalar):
        return numpy_numbers.unary(w, "abs", x)
    n = wide_number(w, x)
    if n is None:
        return fail(w, TypeError, "abs() takes a number")
    return arithmetic.absolute(w, n)


@function(pow, "base, exp, mod=None", each=True)
def power(w: Walk, node: ast.AST, base: Val, exp: Val, mod: Val) -> Val:
    if mod.kind is NONE:
        return operators.binary(w, ast.Pow, base, exp, node)
    words = []
    for x in (base, exp, mod):
        n = wide_number(w, x)
        if n is None or n.kind is FLOAT:
            return fail(w, TypeError, "pow() with a modulus takes ints")
        words.append(numbers.to_int(w, n).v)
    return Val(INT, asked(w, "pow", "iii", words, I64))


@function(divmod, "a, b, /", each=True)
def divmod_(w: Walk, node: ast.AST, a: Val, b: Val) -> Val:
    given: list[Val] = []
    for one in (a, b):
        n = number(w, one) if isinstance(one.kind, Record | Member) else one
        if n is None:
            return fail(w, TypeError, "a class needs __divmod__, beside __floordiv__ and __mod__")
        given.append(n)
    a, b = given
    if WORD in (a.kind, b.kind):  # divmod is int's own for a U64, so that its results are ints
        x, y = wide_number(w, a), wide_number(w, b)
        if x is not None and y is not None and FLOAT not in (x.kind, y.kind):
            how = "".join("u" if v.kind is WORD else "i" for v in (x, y))
            words = [numbers.as_int(w, x), numbers.as_int(w, y)]
            parts = [asked(w, name, how, words, I64) for name in ("floordiv", "mod")]
            return tuple_of(w, [Val(INT, part) for part in parts])
        a, b = (numbers.to_int(w, v) if v.kind is WORD else v for v in (a, b))
    quotient = operators.binary(w, ast.FloorDiv, a, b, node)
    return tuple_of(w, [quotient, operators.binary(w, ast.Mod, a, b, node)])


def _bits(w: Walk, name: str, v: Any) -> Any:
    extra = [] if name == "ctpop" else [c1(False)]
    return w.intrinsic(f"llvm.{name}.i64", I64, [v, *extra])


def _magnitude(w: Walk, a: Val) -> Any:
    n = wide_number(w, a)
    assert n is not None
    v = numbers.as_int(w, n)
    if n.kind is not INT:
        return v
    # The lowest int is its own magnitude as an unsigned word.
    return w.b.select(w.b.icmp_signed("<", v, ZERO), w.b.sub(ZERO, v), v)


method("int U64", "bit_count", "self, /")(
    lambda w, node, a: Val(INT, _bits(w, "ctpop", _magnitude(w, a)))
)
method("int U64", "bit_length", "self, /")(
    lambda w, node, a: Val(INT, w.b.sub(c64(64), _bits(w, "ctlz", _magnitude(w, a))))
)
method("U64", "lowest", "self, /")(lambda w, node, a: Val(INT, _bits(w, "cttz", a.v)))


@function(U64, "value=0", each=True)
def word(w: Walk, node: ast.AST, value: Val) -> Val:
    if value.known:
        return computed(w, lambda: U64(value.py))
    n = wide_number(w, plain(w, value))
    if n is None:
        raise Refusal(f"U64 of {value.kind} is not compiled")
    if n.kind is FLOAT:
        return Val(WORD, numbers.word_of_float(w, n.v))
    return Val(WORD, numbers.as_int(w, n))


@function(round, "number, ndigits=None", each=True)
def round_(w: Walk, node: ast.AST, x: Val, digits: Val) -> Val:
    n, d = wide_number(w, x), wide_number(w, digits)
    if n is None or (digits.kind is not NONE and (d is None or d.kind is FLOAT)):
        return fail(w, TypeError, "round() takes a number, and an int")
    if d is None:
        if n.kind is FLOAT:
            n = Val(FLOAT, w.intrinsic("llvm.roundeven.f64", F64, [n.v]))
        return numbers.to_int(w, n)
    places = numbers.to_int(w, d).v
    if n.kind is FLOAT:
        return Val(FLOAT, asked(w, "round", "fi", [n.v, places]))
    return Val(INT, asked(w, "round", "ii", [numbers.to_int(w, n).v, places], I64))


@method("int U64", "conjugate", "self, /")
def conjugate(w: Walk, node: ast.AST, a: Val) -> Val:
    n = wide_number(w, a)
    assert n is not None
    return numbers.to_int(w, n)


method("float", "conjugate", "self, /")(lambda w, node, a: a)


@method("float", "is_integer", "self, /")
def is_integer(w: Walk, node: ast.AST, a: Val) -> Val:
    whole = w.intrinsic("llvm.trunc.f64", F64, [a.v])
    same = w.b.fcmp_ordered("==", whole, a.v)
    return Val(BOOL, w.b.and_(same, is_finite(w, a.v)))


if hasattr(int, "is_integer"):

    @method("int U64", "is_integer", "self, /")
    def is_integer_of_int(w: Walk, node: ast.AST, a: Val) -> Val:
        return boolean(True)
