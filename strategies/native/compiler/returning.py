"""Gives back memory where a kernel of a user's own returns, not at each step of its loops.

The package's kernels read nothing that an earlier step of a loop made, or say `kept`.  Others may:
in the code of their calls, loops keep what their steps make, and a call that returns numbers gives
back all that rules have taken since it began.
"""

from __future__ import annotations

from typing import Any

from numba.core import ir
from numba.core.compiler_machinery import FunctionPass, register_pass

from strategies.native.hooks import memory_mark, memory_release


@register_pass(mutates_CFG=False, analysis_only=False)
class GiveBackAtReturn(FunctionPass):
    """A pass before type inference, for functions with `gives_back`."""

    _name = "give_back_at_return"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Mark the memory at the beginning, and release it before each return."""
        if not getattr(state.func_id.func, "gives_back", False):
            return False
        code = state.func_ir
        first = code.blocks[min(code.blocks)]
        arguments = [s for s in first.body if isinstance(getattr(s, "value", None), ir.Arg)]
        game, after = arguments[0].target, first.body.index(arguments[-1]) + 1
        mark, calls = _called(code, first.scope, memory_mark, game)
        first.body[after:after] = calls
        for block in code.blocks.values():
            if isinstance(block.terminator, ir.Return):
                block.body[-1:-1] = _called(code, block.scope, memory_release, game, mark)[1]
        return True


def _called(code: Any, scope: Any, function: Any, *args: Any) -> tuple[Any, list[Any]]:
    """Return the variable of a call's result, and the statements of the call."""
    statements: list[Any] = []
    loc = args[0].loc
    for value in (ir.Global(function.__name__, function, loc), None):
        made = scope.make_temp(loc)
        value = value or ir.Expr.call(statements[0].target, args, (), loc)
        statements.append(ir.Assign(value, made, loc))
        code._definitions[made.name].append(value)
    return statements[-1].target, statements
