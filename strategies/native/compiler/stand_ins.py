"""Stand-ins for operators and functions of rules that Numba computes differently from Python.

They are inserted into Numba's own representation of a rule, before types are inferred: other code
in the process keeps Numba's, and a rule needs no source for it.
"""

from __future__ import annotations

import functools
import math
import operator
from typing import Any

from numba.core import errors, ir

from strategies.native.compiler.stubs import stub

lshift, rshift, invert, power, rounded = map(stub, ("lshift", "rshift", "invert", "pow", "round"))
OPERATORS: dict[Any, Any] = {
    operator.lshift: lshift,
    operator.ilshift: lshift,
    operator.rshift: rshift,
    operator.irshift: rshift,
    operator.pow: power,
    operator.ipow: power,
    operator.invert: invert,
}
FUNCTIONS: dict[Any, Any] = {
    round: rounded,
    int: stub("int"),
    float: stub("float"),
    math.isqrt: stub("isqrt"),
    **{f: stub(f.__name__) for f in (math.sqrt, math.log, math.log2, math.log10, math.log1p)},
    **{f: stub(f.__name__) for f in (math.exp, math.expm1, math.sinh, math.cosh)},
    **{f: stub(f.__name__) for f in (math.floor, math.ceil, math.trunc)},
    **{f: stub(f.__name__) for f in (math.sin, math.cos, math.tan)},
    **{f: stub(f.__name__) for f in (math.asin, math.acos, math.acosh, math.atanh)},
    math.pow: stub("math_pow"),
}
EXTREMES: dict[Any, Any] = {min: stub("min"), max: stub("max")}
"""Stand-ins for one row: Numba's raise StopIteration if a list, set or dict is empty."""


def stand_in(function: Any) -> bool:
    """Replace operators and functions in a function; return whether there were any.

    Ensures: an operator whose second operand is a constant from 0 to 63 stays as it is.
    Raises: TypingError for a call of `print`, or of `reduce` as a part of its module.
    """
    for block in function.blocks.values():
        for printed in block.find_insts(ir.Print):  # it would wait for the caller's thread
            raise errors.TypingError("⟦print cannot be compiled: leave it out⟧", printed.loc)
    changed = False
    assigned = [s for block in function.blocks.values() for s in block.find_insts(ir.Assign)]
    calls = [s.value for s in assigned if isinstance(s.value, ir.Expr) and s.value.op == "call"]
    called = {call.func.name for call in calls}
    single = {call.func.name for call in calls if len(call.args) == 1 and not call.kws}
    for statement in assigned:
        value, form = statement.value, None
        if isinstance(value, (ir.Global, ir.FreeVar)):
            form = _standing_in(value.value, statement.target.name in called)
            if (value.value is min or value.value is max) and statement.target.name in single:
                form = EXTREMES[value.value]
            value.value = form or value.value
        elif isinstance(value, ir.Expr) and value.op in ("binop", "inplace_binop", "unary"):
            form = OPERATORS.get(value.fn)
            if form is power and (large := _beyond(function, value)):
                statement.value = ir.Const(large, value.loc)
            elif form and not (value.op != "unary" and _harmless(function, value.rhs)):
                value.fn = form
                if value.op == "inplace_binop":
                    value.immutable_fn = form
        elif isinstance(value, ir.Expr) and value.op == "getattr":
            module = _known(function, value.value)
            if module is functools and value.attr == "reduce":
                raise errors.TypingError(
                    "⟦functools.reduce cannot be compiled: write a loop⟧", statement.loc
                )
            form = _standing_in(getattr(math, value.attr, None)) if module is math else None
            statement.value = ir.Global(value.attr, form, value.loc) if form else value
        changed = changed or form is not None
    return changed


def _beyond(function: Any, value: Any) -> int:
    """Return a power of constants that needs more than 64 bits, such as `2**70`, which no rule may
    hold; else 0."""
    base, exponent = _known(function, value.lhs), _known(function, value.rhs)
    if type(base) is not int or type(exponent) is not int:
        return 0
    if not 0 < exponent * base.bit_length() <= 2**12 or abs(base**exponent) < 2**64:
        return 0
    return int(base**exponent)


def _standing_in(value: Any, called: bool = True) -> Any:
    kind = value is int or value is float
    function = type(value) is type(round) or (kind and called)
    return FUNCTIONS.get(value) if function else None


def _known(function: Any, operand: Any) -> Any:
    """Return the value of an operand, if it is always the same."""
    found = function._definitions.get(operand.name, [])
    plain = len(found) == 1 and isinstance(found[0], (ir.Const, ir.Global, ir.FreeVar))
    return found[0].value if plain else None


def _harmless(function: Any, operand: Any) -> bool:
    value = _known(function, operand)
    return type(value) is int and 0 <= value < 64
