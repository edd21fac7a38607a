"""Calls of inner functions of a rule: arguments by name, and defaults.

Numba appends all defaults to the arguments of such a call and drops those by name, so that `h(a,
b)` of `def h(x, y=1, z=2)` has 1 for z, and `h(a, z=b)` as well.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from numba.core import errors, inline_closurecall, ir


def match_arguments() -> None:
    """Install the change, once."""
    original = inline_closurecall._get_callee_args
    if hasattr(original, "instead_of"):
        return

    def _get_callee_args(call: Any, callee: Any, loc: Any, func_ir: Any) -> Any:
        given = original(call, callee, loc, func_ir)
        plain = isinstance(callee, FunctionType) or call.op != "call"
        return given if plain else _matched(call, callee, loc, func_ir)

    _get_callee_args.instead_of = original  # type: ignore[attr-defined]
    inline_closurecall._get_callee_args = _get_callee_args


def _matched(call: Any, callee: Any, loc: Any, func_ir: Any) -> list[Any]:
    """Return an argument for each parameter, as Python matches them."""
    code = callee.code
    names = code.co_varnames[: code.co_argcount]
    defaults = _defaults(callee, func_ir, loc)
    found = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))
    found |= dict(zip(names, call.args, strict=False))
    by_name = dict(call.kws)
    twice = set(names[: len(call.args)]) & by_name.keys()
    found |= by_name
    fits = len(call.args) <= len(names) and found.keys() == set(names) and not twice
    if not fits or code.co_kwonlyargcount:
        called = f"{code.co_name}({', '.join(names)})"
        text = f"⟦this call does not match {called}: pass each argument once⟧"
        raise errors.UnsupportedError(text, loc)
    return [found[name] for name in names]


def _defaults(callee: Any, func_ir: Any, loc: Any) -> list[Any]:
    """Return the defaults of a function: constants, and the names of values computed where the
    function is defined."""
    given = callee.defaults
    if not given:
        return []
    if not isinstance(given, tuple):
        known = func_ir.get_definition(given)
        given = known.value if isinstance(known, ir.Const) else known.items
    parts = [part if isinstance(part, ir.Var) else ir.Const(part, loc) for part in given]
    return [_constant(part, func_ir, loc) for part in parts]


def _constant(part: Any, func_ir: Any, loc: Any) -> Any:
    if isinstance(part, ir.Const):
        return part
    found = func_ir._definitions.get(part.name, [])
    plain = len(found) == 1 and isinstance(found[0], ir.Const)
    return ir.Const(found[0].value, loc) if plain else part
