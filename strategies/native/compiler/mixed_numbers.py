"""Refuses operators that differ between Python and machine code.

That is arithmetic of unsigned 64-bit numbers with ints, and of NumPy's short numbers, which wrap or
round in Python; and `is` between values other than None, bools and whole numbers.
"""

from __future__ import annotations

import operator
from typing import Any

from numba import types
from numba.core import errors, ir
from numba.core.compiler_machinery import AnalysisPass, register_pass

COMPARED = frozenset([operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge])
"""Operators that are right for whole numbers of any kind."""
SINGLE = types.Boolean, types.Integer, types.EnumMember, types.Optional, types.NoneType
"""Types whose values are the same object if they are equal, as far as rules can tell."""
NONE = {types.none}
LARGE = (
    "a number of 2**63 or more is combined with an int, which has 63 bits and a sign: write "
    "U64(…) on both sides"
)
OBJECTS = "`is` compares objects, which compiled rules do not have: write =="
SHORT = "NumPy's {} {} in Python, but not in machine code: convert it by {}(…) first"


def mixed(function: Any, typemap: Any) -> Any:
    """Return the error of the first operator whose operands cannot be combined; None if there is
    none."""
    for block in function.blocks.values():
        for statement in block.find_insts(ir.Assign):
            value = statement.value
            if not (isinstance(value, ir.Expr) and value.op in ("binop", "inplace_binop")):
                continue
            kinds = [types.unliteral(typemap[side.name]) for side in (value.lhs, value.rhs)]
            if problem := _problem(value.fn, *kinds):
                return errors.TypingError(f"⟦{problem}⟧", statement.loc)
    return None


def _problem(function: Any, *kinds: Any) -> str:
    """Describe why two operands cannot be combined; empty if they can."""
    if function in (operator.is_, operator.is_not):
        return "" if all(isinstance(k, SINGLE) for k in kinds) or NONE & {*kinds} else OBJECTS
    if not all(isinstance(kind, (types.Integer, types.Float, types.Boolean)) for kind in kinds):
        return ""
    for kind in kinds:
        if kind == types.float32 and kinds[0] != kinds[1]:
            return SHORT.format(kind, "rounds", "float")
        if isinstance(kind, types.Integer) and kind.bitwidth < 64 and function not in COMPARED:
            return SHORT.format(kind, "wraps", "int")
    signs = {kind.signed for kind in kinds if isinstance(kind, types.Integer)}
    return LARGE if len(signs) > 1 and function not in COMPARED else ""


@register_pass(mutates_CFG=False, analysis_only=True)
class SameNumbers(AnalysisPass):
    """A pass after type inference."""

    _name = "same_numbers"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Check all operators; change nothing.

        Raises: TypingError.
        """
        module = (getattr(state.func_id.func, "__module__", None) or "").split(".")[0]
        error = None if module == __name__.split(".")[0] else mixed(state.func_ir, state.typemap)
        if error is not None:
            raise error
        return False
