"""`get` and `pop` of a dict with a default: they return a number, where Numba's may return None."""

from __future__ import annotations

import ast
from typing import Any

from numba import types

from strategies.native.compiler.parts import OPTIONS, overload
from strategies.native.compiler.stubs import stub
from strategies.native.compiler.syntax import expression

get_or, pop_or = stub("get_or"), stub("pop_or")
FORMS: dict[str, Any] = {"_get_or": get_or, "_pop_or": pop_or}
"""The functions that replace such calls, by their names in rewritten rules."""


def dicts_of(tree: ast.AST) -> frozenset[str]:
    """Return the names in a function that refer to dicts made there."""
    return frozenset(
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and _is_dict(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    )


def _is_dict(node: Any) -> bool:
    called = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "dict"
    return called or isinstance(node, (ast.Dict, ast.DictComp))


def looked_up(call: ast.Call, dicts: frozenset[str]) -> Any:
    """Return the call that replaces a look-up with a default; None for all other calls."""
    if not isinstance(call.func, ast.Attribute) or len(call.args) != 2 or call.keywords:
        return None
    row = call.func.value
    known = _is_dict(row) or getattr(row, "id", "") in dicts
    if not known or call.func.attr not in ("get", "pop"):
        return None
    made = expression(f"_{call.func.attr}_or()", call)
    made.args = [row, *call.args]
    return made


@overload(get_or, **OPTIONS)
def _overload_get_or(row: Any, key: Any, default: Any) -> Any:
    if not isinstance(row, types.DictType) or default == types.none:
        return lambda row, key, default: row.get(key, default)

    def find(row: Any, key: Any, default: Any) -> Any:
        return row[key] if key in row else default  # noqa: SIM401 - `get` is what this is for

    return find


@overload(pop_or, **OPTIONS)
def _overload_pop_or(row: Any, key: Any, default: Any) -> Any:
    if not isinstance(row, types.DictType) or default == types.none:
        return lambda row, key, default: row.pop(key, default)

    def take(row: Any, key: Any, default: Any) -> Any:
        if key not in row:
            return default
        found = row[key]
        del row[key]
        return found

    return take
