"""Rewrites assignments inside expressions, `(n := …)`, as statements, which Numba can type."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from strategies.native.compiler.syntax import copied, expression, parse

SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
"""Expressions whose parts are not evaluated in place, or not once."""


def names_inside(node: ast.AST) -> bool:
    """Return whether an expression assigns, outside comprehensions."""
    if isinstance(node, SCOPES):
        return False
    return isinstance(node, ast.NamedExpr) or any(map(names_inside, ast.iter_child_nodes(node)))


class Unnamed(ast.NodeTransformer):
    """Moves assignments that are certain to happen out of the expression of their statement."""

    changed = False

    def visit_If(self, node: ast.If) -> Any:
        """Rewrite `if a and (n := b)` as two nested tests."""
        test = node.test
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) and not node.orelse:
            first, *others = test.values
            if any(map(names_inside, others)):
                rest = ast.BoolOp(ast.And(), others) if len(others) > 1 else others[0]
                inner = ast.If(ast.copy_location(rest, node), node.body, [])
                node = ast.copy_location(ast.If(first, [ast.copy_location(inner, node)], []), node)
        self.generic_visit(node)
        return self._moved(node, "test")

    def visit_While(self, node: ast.While) -> Any:
        self.generic_visit(node)
        if node.orelse or not names_inside(node.test):
            return node
        begin = parse("if not __test:\n break", node, test=node.test)[0]
        node.test, node.body = expression("True", node), [*self._moved(begin, "test"), *node.body]
        return node

    def visit_Return(self, node: Any) -> Any:
        return self._moved(node, "value")

    def visit_Assign(self, node: Any) -> Any:
        return self._moved(node, "value")

    visit_AugAssign = visit_Expr = visit_Assign

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        return node

    def _moved(self, node: Any, part: str) -> list[Any]:
        """Return the assignments in a statement's expression, and the statement with their
        names."""
        value = getattr(node, part)
        if value is None or not names_inside(value):
            return [node]
        found = list(_certain(value))
        read: set[str] = set()
        for inner in found:  # a name that is read before its assignment has its old value
            if isinstance(inner, ast.NamedExpr) and inner.target.id in read:
                return [node]
            read |= {inner.id} if isinstance(inner, ast.Name) else set()
        self.changed = True
        named = [n for n in found if isinstance(n, ast.NamedExpr)]
        setattr(node, part, _Names(named).visit(value))
        made = [
            ast.copy_location(
                ast.Assign([copied(n.target)], _Names(named[:k]).visit(n.value)), node
            )
            for k, n in enumerate(named)
        ]
        return [*made, node]


def _certain(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that are always evaluated, in order; an assignment comes after its parts."""
    if isinstance(node, SCOPES):
        return
    parts: list[ast.AST] = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.BoolOp):
        parts = node.values[:1]  # type: ignore[assignment]
    elif isinstance(node, ast.Compare):
        parts = [node.left, node.comparators[0]]
    elif isinstance(node, ast.IfExp):
        parts = [node.test]
    elif isinstance(node, ast.NamedExpr):  # the names that it reads move with it
        yield from (n for n in _certain(node.value) if isinstance(n, ast.NamedExpr))
        parts = []
    for part in parts:
        yield from _certain(part)
    yield node


class _Names(ast.NodeTransformer):
    """Replaces assignments by their names."""

    def __init__(self, named: list[ast.NamedExpr]) -> None:
        self.named = named

    def visit_NamedExpr(self, node: ast.NamedExpr) -> Any:
        self.generic_visit(node)
        return expression(node.target.id, node) if node in self.named else node
