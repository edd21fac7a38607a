"""Displays of sets and dicts, with their stars."""

from __future__ import annotations

import ast

from strategies.rules.code.coercion import fail
from strategies.rules.code.val import Val
from strategies.rules.code.walk import Walk
from strategies.rules.containers import tables
from strategies.rules.containers.tables import MAPPINGS
from strategies.rules.kinds.kind import NEVER
from strategies.rules.kinds.parts import named
from strategies.rules.operations import mappings
from strategies.rules.operations.sets import pour

STACK = 30  # so many values does Python hold before it begins to build


def set_(w: Walk, n: ast.Set) -> Val:
    """Return a set of elements, some of which may be starred."""
    stars = [isinstance(e, ast.Starred) for e in n.elts]
    first = stars.index(True) if True in stars else len(stars)
    first = 0 if len(n.elts) > STACK else first
    values = w.eval_all(n.elts[:first])
    made = tables.new(w, n, "set")
    for v in values:
        tables.add(w, made, v)
    for i, e in enumerate(n.elts[first:]):
        if isinstance(e, ast.Starred):
            pour(w, e, made, w.eval(e.value), f"star {i}")
        else:
            tables.add(w, made, w.eval(e))
    return w.reached(made)


def dict_(w: Walk, n: ast.Dict) -> Val:
    """Return a dict of items, and of those of mappings with two stars."""
    made = tables.new(w, n, "dict")
    waiting: list[tuple[Val, Val]] = []

    def put_all() -> None:
        for i, x in waiting:
            tables.put(w, made, i, x)
        waiting.clear()

    for number, (k, v) in enumerate(zip(n.keys, n.values, strict=True)):
        if k is None:
            put_all()
            _merge(w, n, made, w.eval(v), f"stars {number}")
        else:
            i = w.eval(k)
            waiting.append((i, w.eval(v)))
            if 2 * len(n.keys) > STACK:
                put_all()
    put_all()
    return w.reached(made)


def _merge(w: Walk, node: ast.AST, made: Val, a: Val, what: str) -> None:
    if a.kind is NEVER:
        return
    if not named(a.kind, MAPPINGS):
        fail(w, TypeError, f"{a.kind} is not a mapping")
        return
    mappings.update(w, node, made, a, what)
