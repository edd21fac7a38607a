"""Methods that call themselves: their calls name the compiled function, as those of functions do.

Numba finds the type of a function that calls itself only where the call names the function, not
where it is found as an attribute of `self`.
"""

from __future__ import annotations

from typing import Any

from numba.core import ir


def name_own_calls(function: Any, types: Any) -> bool:
    """Let a method's calls of itself, by `self`, name its compiled function; return whether there
    are any.

    `types` are those of the arguments.  A call is the method's own only if the class of `self` does
    not override it.
    """
    cls = getattr(types[0], "cls", None) if types else None
    if cls is None:
        return False
    assigned = [s for block in function.blocks.values() for s in block.find_insts(ir.Assign)]
    selves = {s.target.name for s in assigned if isinstance(s.value, ir.Arg) and not s.value.index}
    own: dict[str, Any] = {}
    for found in assigned:
        value = found.value
        if _is(value, "getattr") and value.value.name in selves:
            made = _compiled(cls, value.attr)
            if made is not None and made.py_func is function.func_id.func:
                own[found.target.name] = value.value
                found.value = ir.Global(value.attr, made, value.loc)
                function._definitions[found.target.name] = [found.value]
    for call in (s.value for s in assigned if _is(s.value, "call")):
        if call.func.name in own:
            call.args = [own[call.func.name], *call.args]
    return bool(own)


def _is(value: Any, op: str) -> bool:
    return isinstance(value, ir.Expr) and value.op == op


def _compiled(cls: type, name: str) -> Any:
    """Return the dispatcher of a method, if it has one already."""
    from strategies.native.compiler.rules import known_dispatcher, rule_of

    return known_dispatcher(rule_of(cls, name))
