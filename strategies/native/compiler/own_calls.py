"""Methods that call themselves: their calls name the compiled function, as those of functions do.

Numba finds the type of a function that calls itself only where the call names the function, not
where it is found as an attribute of `self`.
"""

from __future__ import annotations

from inspect import getattr_static
from typing import Any

from numba.core import ir

from strategies.native.digest import uncached


def name_own_calls(function: Any, types: Any) -> bool:
    """Let a method's calls of itself, by `self`, name its compiled function; return whether there
    are any.

    Requires: the attribute `compiled_rule` of the function holds the method that it was made from,
    and its dispatcher; `types` are those of the arguments.
    Ensures: a call is the method's own only if the class of `self` does not override it.
    """
    cls = getattr(types[0], "cls", None) if types else None
    rule, dispatcher = getattr(function.func_id.func, "compiled_rule", (None, None))
    if cls is None or rule is None:
        return False
    assigned = [s for block in function.blocks.values() for s in block.find_insts(ir.Assign)]
    selves = {s.target.name for s in assigned if isinstance(s.value, ir.Arg) and not s.value.index}
    own: dict[str, Any] = {}
    for found in assigned:
        value = found.value
        if not _is(value, "getattr") or value.value.name not in selves:
            continue
        if uncached(getattr_static(cls, value.attr, None)) is rule:
            own[found.target.name] = value.value
            found.value = ir.Global(value.attr, dispatcher, value.loc)
            function._definitions[found.target.name] = [found.value]
    for call in (s.value for s in assigned if _is(s.value, "call")):
        if call.func.name in own:
            call.args = [own[call.func.name], *call.args]
    return bool(own)


def _is(value: Any, op: str) -> bool:
    return isinstance(value, ir.Expr) and value.op == op
