"""Tables: sets and dicts."""

from __future__ import annotations

import ast
from typing import Any

from strategies.rules.code import Code, Val
from strategies.rules.messages import Refusal
from strategies.rules.walk import Walk


def refused(*_: Any) -> Any:
    raise Refusal("sets and dicts are not compiled yet")


def binary(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    return None


def in_place(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    return None


length = equal_tables = hash_of_set = ordered = new = add = put = get = delete = steps = (
    contains
) = contains_constant = get_constant = refused  # type: Any
__all__ = ["Code"]
