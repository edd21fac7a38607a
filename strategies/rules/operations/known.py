"""Items and members of Python objects that are known before and are no tables of rules."""

from __future__ import annotations

import ast
from typing import Any, cast

from strategies.rules.code.coercion import fail
from strategies.rules.code.val import Val
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.kind import Static
from strategies.rules.language.messages import Refusal


def contains_constant(w: Walk, x: Val, a: Val) -> Val:
    """Return `x in a` of a Python object that is known, such as an enumeration."""
    value: Any = cast(Static, a.kind).value
    if hasattr(type(value), "__contains__") or hasattr(type(value), "__iter__"):
        raise Refusal(
            f"`in` of {type(value).__name__} is not compiled; write a tuple, a set or a dict"
        )
    return fail(w, TypeError, f"{type(value).__name__} is not a container")


def get_constant(w: Walk, a: Val, i: Any, node: ast.AST) -> Val:
    """Return `a[i]` of a Python object that is known."""
    value: Any = cast(Static, a.kind).value
    if (
        isinstance(i, Val)
        and i.known
        and isinstance(value, type)
        and hasattr(type(value), "__getitem__")
    ):
        try:
            return w.program.constants.value(value[i.py])  # type: ignore[index] # its class has `__getitem__`
        except KeyError:
            return fail(w, KeyError, "there is no such member")
    if hasattr(type(value), "__getitem__") or hasattr(value, "__class_getitem__"):
        raise Refusal(
            f"items of {type(value).__name__} are not compiled; write a tuple, list or dict"
        )
    return fail(w, TypeError, f"{type(value).__name__} has no items")
