"""Copies of tables, and tables made of iterables."""

from __future__ import annotations

import ast

from strategies.rules.code import storage
from strategies.rules.code.storage import TABLE, has_values
from strategies.rules.code.val import ONE, Val
from strategies.rules.code.walk import Walk
from strategies.rules.containers.shapes import VIEWS
from strategies.rules.containers.tables import add, new, put
from strategies.rules.iteration.walking import each, pairs
from strategies.rules.kinds.kind import CELLS
from strategies.rules.kinds.parts import same


def pour(w: Walk, node: ast.AST, made: Val, b: Val, what: str) -> None:
    """Add all elements of an iterable to a set."""
    each(w, node, b, lambda x: add(w, made, x), what)


def copied(w: Walk, node: ast.AST, a: Val, name: str, what: str = "copy") -> Val:
    """Return a new set or dict of the elements of a table."""
    made = new(w, node, name)
    k, ka = made.boxed, a.boxed
    for i in range(min(CELLS[name], 2)):
        w.widen(k, i, ka.cells[i].root().kind)
    alike = has_values(k) == has_values(ka) and ka.name not in VIEWS
    if alike and all(
        same(k.cells[i].root().kind, ka.cells[i].root().kind) for i in range(min(CELLS[name], 2))
    ):
        storage.copy_all(w, k, a.v, made.v)
    elif CELLS[name] == 1:
        pour(w, node, made, a, what)
    else:
        pairs(w, node, a, lambda x, y: put(w, made, x, y), what)
    return made


def replace_entries(w: Walk, a: Val, b: Val) -> None:
    """Let a table have the entries of another, which nothing else uses."""
    for i in range(len(b.boxed.cells)):
        w.change(a, i, b.boxed.cells[i].root().kind)
        w.widen(b.boxed, i, a.boxed.cells[i].root().kind)
    for i in range(len(TABLE.elements)):
        if i not in (storage.ADDED, storage.LOWEST):
            w.put(a.v, TABLE, i, w.get(b.v, TABLE, i))
    w.put(a.v, TABLE, storage.LOWEST, ONE)
