"""Dicts and defaultdicts: updates, operators, and how they are made."""

from __future__ import annotations

import ast

from strategies.rules.code.storage import value_kind
from strategies.rules.code.val import Val
from strategies.rules.code.walk import Walk
from strategies.rules.containers import finding
from strategies.rules.containers.shapes import MAPPINGS, hashable
from strategies.rules.containers.tables import factory, put, set_factory
from strategies.rules.iteration import walking
from strategies.rules.iteration.steps import for_each
from strategies.rules.kinds.kind import NEVER, Either
from strategies.rules.kinds.parts import named
from strategies.rules.language.messages import Refusal
from strategies.rules.operations import copying
from strategies.rules.operations.unpacking import elements


def update(w: Walk, node: ast.AST, a: Val, b: Val, what: str) -> None:
    """Put the items of a mapping, or of pairs, into a dict."""
    if isinstance(b.kind, Either):
        raise Refusal(f"an update by {b.kind} is not compiled; make it one kind before")
    if named(b.kind, MAPPINGS):
        if value_kind(b.boxed) is NEVER:
            w.change(a, 0, NEVER)
            return None
        return walking.pairs(w, node, b, lambda x, y: put(w, a, x, y), what)

    def pair(x: Val) -> None:
        first, second = elements(w, node, x, 2, None)
        put(w, a, first, second)

    if named(b.kind, ("set", "frozenset")):
        walking.steps(w, node, what, False, b)
    for_each(w, node, b, pair, what=what)
    return None


def binary(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    """Return `a | b` of dicts."""
    if op is not ast.BitOr:
        return None
    if named(a.kind, ("dict",)) and named(b.kind, ("dict",)):
        made = copying.copied(w, node, a, "dict", "left")
        update(w, node, made, b, "right")
        return made
    if named(a.kind, MAPPINGS) and named(b.kind, MAPPINGS):
        raise Refusal("`|` with a defaultdict is not compiled; write a copy and update()")
    return None


def in_place(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    """Change a dict by `|=`."""
    if op is not ast.BitOr:
        return None
    update(w, node, a, b, "right")
    return a


def copy(w: Walk, node: ast.AST, a: Val) -> Val:
    """Return a copy of a dict, defaultdict or Counter."""
    made = copying.copied(w, node, a, a.boxed.name)
    if a.boxed.name == "defaultdict":
        set_factory(w, made, factory(w, a))
    return made


def without(w: Walk, a: Val, i: Val) -> tuple[object, Val]:
    """Return where the entry of a key is, and the key as it is looked for."""
    i = hashable(w, i)
    return finding.find(w, a.boxed, a.v, i), i
