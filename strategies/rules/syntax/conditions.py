"""Conditions: branches, and what a branch tells about the kinds of variables."""

from __future__ import annotations

import ast
from typing import Any

from strategies.rules.code.coercion import dry, narrowed
from strategies.rules.code.val import Val
from strategies.rules.code.walk import Merge, Walk
from strategies.rules.kinds.kind import NEVER, NONE, UNSET, Either, Kind, Record, Static, Tup
from strategies.rules.kinds.parts import alternatives, class_of
from strategies.rules.kinds.record_classes import lookup
from strategies.rules.values.specials import truth


def branch_on(w: Walk, test: ast.AST, yes: Merge, no: Merge) -> None:
    """Evaluate a condition and arrive at one of two places."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return branch_on(w, operand, no, yes)
        case ast.BoolOp(op=op, values=values):
            for i, v in enumerate(values[:-1]):
                more = Merge(w, test, f"more {i}")
                branch_on(w, v, *((yes, more) if isinstance(op, ast.Or) else (more, no)))
                more.land()
            return branch_on(w, values[-1], yes, no)
    a = truth(w, w.eval(test))
    if a.kind is NEVER:
        return w.stop()
    if a.known:
        narrow(w, test, a.py)
        return (yes if a.py else no).arrive()

    def differs() -> None:
        narrow(w, test, False)
        no.arrive()

    w.go_on(a.v, differs)
    narrow(w, test, True)
    return yes.arrive()


def narrow(w: Walk, test: ast.AST, found: bool) -> None:
    """Let a variable, or a field of a record, have only the kinds that a condition leaves."""
    match test:
        case ast.Name() | ast.NamedExpr() | ast.Attribute():
            _keep(w, test, may_be_true if found else may_be_false)
        case ast.Compare(
            left=left, ops=[ast.Is() | ast.IsNot() as op], comparators=[ast.Constant(value=None)]
        ):
            is_none = isinstance(op, ast.Is) == found
            _keep(w, left, lambda k: (k is NONE) == is_none)
        case ast.Call(func=ast.Name(id="isinstance") as f, args=[left, classes], keywords=[]):
            tested = _classes(w, f, classes) if w.place_of(left) else None
            if tested is not None:
                _keep(w, left, lambda k: _is_of(k, tested) is not (not found))


def _classes(w: Walk, f: ast.Name, node: ast.AST) -> Any:
    """Return the classes of an `isinstance`, if they are names."""
    nodes = node.elts if isinstance(node, ast.Tuple) else [node]
    if not all(isinstance(n, ast.Name) for n in (f, *nodes)):
        return None
    with dry(w):
        function, *kinds = [w.eval(n).kind for n in (f, *nodes)]
    if not isinstance(function, Static) or function.value is not isinstance:
        return None
    if not all(isinstance(k, Static) and isinstance(k.value, type) for k in kinds):
        return None
    return tuple(k.value for k in kinds if isinstance(k, Static))


def _is_of(k: Kind, classes: Any) -> bool | None:
    """Whether values of a kind are of some classes; None if the kind is not bound."""
    return None if k is UNSET else issubclass(class_of(k), classes)


def may_be_true(k: Kind) -> bool:
    return k is not NONE and not (isinstance(k, Tup) and not k.items)


def may_be_false(k: Kind) -> bool:
    return not (isinstance(k, Tup) and k.items)


def _keep(w: Walk, node: ast.AST, test: Any) -> None:
    place = w.place_of(node)
    k = kind_at(w, node, place)
    if isinstance(k, Either) and any(map(test, alternatives(k))):
        known = w.env is not None and place in w.env
        a: Val = narrowed(w, w.read_raw(place) if known else w.eval(node), test)
        w.bind(place, a)


def kind_at(w: Walk, node: ast.AST, place: str) -> Kind | None:
    """Return the kind of what a variable holds, or a field of the record in it; None if that is not
    known, or may change."""
    if w.env is None or not place or place in w.env or not isinstance(node, ast.Attribute):
        return w.env.get(place) if w.env is not None else None
    k = kind_at(w, node.value, w.place_of(node.value))
    if not isinstance(k, Record) or node.attr not in k.names:
        return None
    found: Kind = k.kinds[k.names.index(node.attr)]
    computed = isinstance(lookup(k.of, node.attr), property) or UNSET in alternatives(found)
    return None if computed else found
