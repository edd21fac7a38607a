"""Operators of sets, dicts and Counters."""

from __future__ import annotations

import ast

from strategies.rules import counters, mappings, sets
from strategies.rules.code import Val
from strategies.rules.kinds import named
from strategies.rules.shapes import MAPPINGS, SETS, VIEWS
from strategies.rules.values import is_table
from strategies.rules.walk import Walk


def binary(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    """Return `a op b`; None if Python has no such operator."""
    if not (is_table(a.kind) or is_table(b.kind)):
        return None
    if named(a.kind, SETS) or named(b.kind, SETS) or named(a.kind, VIEWS) or named(b.kind, VIEWS):
        return sets.binary(w, op, a, b, node)
    if named(a.kind, ("counter",)) or named(b.kind, ("counter",)):
        return counters.binary(w, op, a, b, node)
    return mappings.binary(w, op, a, b, node)


def in_place(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    """Change a table by `a op= b`."""
    if named(a.kind, ("set",)) and named(b.kind, SETS):
        return sets.in_place(w, op, a, b, node)
    if named(a.kind, ("counter",)):
        return counters.in_place(w, op, a, b, node)
    if named(a.kind, MAPPINGS):
        return mappings.in_place(w, op, a, b, node)
    return None
