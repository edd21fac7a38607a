"""Dicts that start empty and are filled by `get` or `setdefault`: a key is set before it is read.

Numba infers the types in a dict from the first `d[key] = value`, which must come first.
"""

from __future__ import annotations

import ast
from typing import Any

from strategies.native.compiler.syntax import copied, expression, parse

KEYS = (ast.Name, ast.Constant, ast.Tuple, ast.BinOp, ast.UnaryOp, ast.Attribute, ast.Subscript)
"""The nodes allowed in keys, which are computed more than once."""
VALUES = (ast.Name, ast.Constant, ast.Tuple, ast.UnaryOp, ast.USub)
"""The nodes allowed in defaults, which are computed only if the key is missing."""
SIGNS = (ast.operator, ast.unaryop, ast.expr_context)


class DictDefaults(ast.NodeTransformer):
    """Rewrites `d[k] = d.get(k, 0) + 1` and `d.setdefault(k, 0)` of such dicts."""

    def __init__(self, tree: ast.FunctionDef) -> None:
        self.changed = False
        self.empty = set()
        for node in ast.walk(tree):
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and _is_empty(node.value):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                self.empty |= {t.id for t in targets if isinstance(t, ast.Name)}

    def visit_Expr(self, node: ast.Expr) -> Any:
        """Rewrite `d.setdefault(key, value)`."""
        call = node.value
        found = self._lookup_in(call)
        return self._set_first(call, node) if found == "setdefault" else node

    def visit_Assign(self, node: ast.Assign) -> Any:
        """Rewrite `d[key] = … d.get(key, value) …`, if nothing else reads the dict."""
        (target, *more), lookups = (
            node.targets,
            [n for n in ast.walk(node.value) if self._lookup_in(n)],
        )
        if more or not isinstance(target, ast.Subscript) or len(lookups) != 1:
            return node
        call: Any = lookups[0]
        name = call.func.value.id
        reads = [n for n in ast.walk(node.value) if isinstance(n, ast.Name) and n.id == name]
        same = ast.dump(target.slice) == ast.dump(call.args[0])
        if not same or len(reads) > 1 or getattr(target.value, "id", "") != name:
            return node
        first = self._set_first(call, node)
        text = "__row[__key]"
        read = expression(text, call, row=copied(call.func.value), key=copied(call.args[0]))

        class Read(ast.NodeTransformer):
            def visit_Call(self, inner: ast.Call) -> Any:
                return read if inner is call else self.generic_visit(inner)

        node.value = Read().visit(node.value)
        return [*first, node]

    def _lookup_in(self, node: Any) -> str:
        """Return the method that reads a key of an empty dict with a default, `get` or
        `setdefault`."""
        known = (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("get", "setdefault")
            and getattr(node.func.value, "id", "") in self.empty
            and len(node.args) == 2
            and not node.keywords
            and all(isinstance(n, (*KEYS, *SIGNS)) for n in ast.walk(node.args[0]))
            and all(isinstance(n, (*VALUES, ast.Load)) for n in ast.walk(node.args[1]))
        )
        return node.func.attr if known else ""

    def _set_first(self, call: Any, at: ast.AST) -> list[Any]:
        self.changed = True
        parts = {"row": call.func.value, "key": call.args[0], "value": call.args[1]}
        text = "if __key not in __row:\n __again[__same] = __value"
        again, same = copied(parts["row"]), copied(parts["key"])
        return parse(text, at, **parts, again=again, same=same)


def _is_empty(node: Any) -> bool:
    shown = isinstance(node, ast.Dict) and not node.keys
    called = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "dict"
    return shown or (called and not node.args and not node.keywords)
