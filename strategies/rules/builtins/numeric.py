"""Numbers: `abs`, `divmod`, `pow`, `round`, and the methods of int and U64."""

from __future__ import annotations

import ast
from typing import Any

from games.u64 import U64
from strategies.rules import numbers, operators, specials
from strategies.rules.builtins.declared import function, method
from strategies.rules.code import ONE, ZERO, Val, c1, c64
from strategies.rules.kinds import FLOAT, I1, I64, INT, NONE, Either
from strategies.rules.messages import Refusal
from strategies.rules.values import fail, number, spread
from strategies.rules.walk import Walk


@function(abs, "x, /")
def absolute(w: Walk, node: ast.AST, x: Val) -> Val:
    if isinstance(x.kind, Either):
        return spread(w, x, lambda y: absolute(w, node, y))
    own = specials.unary(w, "abs", x)
    if own is not None:
        return own
    n = number(w, x)
    if n is None:
        return fail(w, TypeError, "abs() takes a number")
    if x.known:
        return w.program.constants.value(abs(x.py))
    return numbers.absolute(w, n)


@function(pow, "base, exp, mod=None")
def power(w: Walk, node: ast.AST, base: Val, exp: Val, mod: Val) -> Val:
    if mod.kind is not NONE:
        raise Refusal("pow() of three numbers is not compiled")
    return operators.binary(w, ast.Pow, base, exp, node)


@function(divmod, "a, b, /")
def divmod_(w: Walk, node: ast.AST, a: Val, b: Val) -> Val:
    from strategies.rules.kinds import WORD
    from strategies.rules.sequences import tuple_of

    if isinstance(a.kind, Either):
        return spread(w, a, lambda x: divmod_(w, node, x, b))
    if isinstance(b.kind, Either):
        return spread(w, b, lambda x: divmod_(w, node, a, x))
    if WORD in (a.kind, b.kind):  # divmod is int's own for a U64
        a, b = (numbers.to_int(w, x) if x.kind is WORD else x for x in (a, b))
    quotient = operators.binary(w, ast.FloorDiv, a, b, node)
    return tuple_of(w, [quotient, operators.binary(w, ast.Mod, a, b, node)])


def _bits(w: Walk, name: str, v: Any) -> Any:
    extra = [] if name == "ctpop" else [c1(False)]
    return w.intrinsic(f"llvm.{name}.i64", I64, [v, *extra])


def _magnitude(w: Walk, a: Val) -> Any:
    n = number(w, a)
    assert n is not None
    v = numbers.as_int(w, n)
    if n.kind is not INT:
        return v
    # The lowest int is its own magnitude as an unsigned word.
    return w.b.select(w.b.icmp_signed("<", v, ZERO), w.b.sub(ZERO, v), v)


@method("int U64", "bit_count", "self, /")
def bit_count(w: Walk, node: ast.AST, a: Val) -> Val:
    return Val(INT, _bits(w, "ctpop", _magnitude(w, a)))


@method("int U64", "bit_length", "self, /")
def bit_length(w: Walk, node: ast.AST, a: Val) -> Val:
    return Val(INT, w.b.sub(c64(64), _bits(w, "ctlz", _magnitude(w, a))))


@method("U64", "lowest", "self, /")
def lowest(w: Walk, node: ast.AST, a: Val) -> Val:
    return Val(INT, _bits(w, "cttz", a.v))


@function(U64, "value=0")
def word(w: Walk, node: ast.AST, value: Val) -> Val:
    from strategies.rules.kinds import WORD

    if isinstance(value.kind, Either):
        return spread(w, value, lambda x: word(w, node, x))
    if value.known:
        try:
            return w.program.constants.value(U64(value.py))
        except (ValueError, OverflowError, TypeError) as error:
            return fail(w, type(error), str(error))
    n = number(w, value)
    if n is None:
        raise Refusal(f"U64 of {value.kind} is not compiled")
    if n.kind is FLOAT:
        n = numbers.to_int(w, n)
    return Val(WORD, numbers.as_int(w, n))


@function(round, "number, ndigits=None")
def round_(w: Walk, node: ast.AST, x: Val, digits: Val) -> Val:
    if isinstance(x.kind, Either):
        return spread(w, x, lambda y: round_(w, node, y, digits))
    n = number(w, x)
    if n is None:
        return fail(w, TypeError, "round() takes a number")
    if digits.kind is not NONE:
        raise Refusal("round() to digits is not compiled")
    if n.kind is FLOAT:
        from strategies.rules.kinds import F64

        return numbers.to_int(w, Val(FLOAT, w.intrinsic("llvm.roundeven.f64", F64, [n.v])))
    return numbers.to_int(w, n)


__all__ = ["I1", "ONE"]
