"""Rules that are generators in machine code, and lists for their callers.

A search takes moves one by one, so a rule that returns a list of moves yields them instead.  If
another rule needs the list, to test it or to iterate over it twice, the list is made again.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from strategies.native.compiler.operators import Operators
from strategies.native.compiler.syntax import expression, own, parse, root

ROWS = ("list", "sorted", "range", "tuple")
"""The builtins whose results a rule may return instead of yielding."""

ONCE = ("iter", "map", "filter", "reversed", "zip", "enumerate")
"""The builtins whose results can be iterated over only once."""

SHOWN = (ast.Tuple, ast.Call, ast.Subscript, ast.Attribute, ast.Name)
"""The expressions that a method of such a name may return as its moves."""


class Generated(Operators):
    """Rewrites rules that return lists as generators, and their callers."""

    def yield_instead(self) -> None:
        """Rewrite a rule that returns a list of its moves so that it yields them."""
        found = [n for n in own(self.tree) if isinstance(n, ast.Return) and n.value]
        if not all(self._row_of(n.value) for n in found):
            return
        outer = self

        class Yield(ast.NodeTransformer):
            def visit_Return(self, node: ast.Return) -> Any:
                return node if node.value is None else list(outer._yielded(node.value, node))

            def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
                return node

        self.changed = True
        self.gives_list = not any(self._walks_once(n.value) for n in found)
        Yield().generic_visit(self.tree)

    def returns_lazy(self) -> bool:
        """Return whether a function returns only generator expressions and the like."""
        found = [n.value for n in own(self.tree) if isinstance(n, ast.Return)]
        return bool(found) and all(value and self._walks_once(value) for value in found)

    def _row_of(self, node: Any) -> bool:
        """Return whether a rule that returns this returns its moves, judging by the source."""
        if isinstance(node, ast.IfExp):
            return self._row_of(node.body) and self._row_of(node.orelse)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self._row_of(node.left) and self._row_of(node.right)
        known = self.lists.heap | self.lists.values | self.once.keys()
        shown = isinstance(node, (ast.List, ast.ListComp, ast.GeneratorExp))
        if shown or root(node) in known or self._calls(node, *ROWS, *ONCE):
            return True
        method = len(self.parameters) == 2 and self.parameters[0] == "self"
        return method and isinstance(node, SHOWN)

    def _walks_once(self, node: Any) -> bool:
        """Return whether callers can iterate over a value only once."""
        if isinstance(node, ast.IfExp):
            return self._walks_once(node.body) or self._walks_once(node.orelse)
        node = self.once.get(node.id, node) if isinstance(node, ast.Name) else node
        return isinstance(node, ast.GeneratorExp) or self._calls(node, *ONCE)

    def _yielded(self, value: Any, at: ast.AST) -> Iterator[Any]:
        """Yield the statements that yield a returned value, and end the rule."""
        if isinstance(value, ast.IfExp):
            test, parts = value.test, (value.body, value.orelse)
            body, orelse = (list(self._yielded(part, at)) for part in parts)
            yield ast.copy_location(ast.If(test, body, orelse), at)
            return
        yield from self._each_of(value, at)
        yield from parse("return", at)

    def _each_of(self, value: Any, at: ast.AST) -> Iterator[Any]:
        if isinstance(value, ast.BinOp):
            yield from self._each_of(value.left, at)
            yield from self._each_of(value.right, at)
        elif isinstance(value, (ast.List, ast.Tuple)) and not value.elts:
            return
        else:
            rows = value.args[0] if self._calls(value, "iter") else value
            yield from parse("yield from __rows", at, rows=rows)

    def visit_Call(self, node: ast.Call) -> Any:
        """Rewrite a call of a generator rule as a list, if the rule is written to return one."""
        rule = self._calls_rule(node)
        made = super().visit_Call(node)
        return self._as_list(made, node) if rule else made

    def _as_list(self, made: Any, at: ast.AST) -> Any:
        self.changed = True
        return expression("_listed(__rows)", at, rows=made)

    def visit_Compare(self, node: ast.Compare) -> Any:
        """Rewrite `self.moves(state) == []` by length, because Numba cannot type the empty list."""
        if len(node.ops) == 1 and isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
            empty, left = node.comparators[0], node.left
            listed = self.once.get(left.id, left) if isinstance(left, ast.Name) else left
            if isinstance(empty, ast.List) and not empty.elts and self._lists_moves(listed):
                node.left = expression("len(__rows)", node, rows=left)
                node.comparators = [ast.copy_location(ast.Constant(0), node)]
        return super().visit_Compare(node)

    def _lists_moves(self, node: Any) -> bool:
        """Return whether a value is a list in Python, though a generator or a value here."""
        return self._calls_rule(node) or isinstance(node, ast.ListComp) or self._calls(node, "list")
