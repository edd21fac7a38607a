"""Generator expressions that a rule stores in a variable: moved to where they are used, or refused.

Python iterates over one once, and computes its elements then.  If it is used once, and nothing that
it reads has changed meanwhile, it means the same at the place of its use.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from strategies.native.compiler.syntax import changed_lists, copied, expression, named, stored

REPEATING = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
LATER = (ast.Lambda, ast.FunctionDef)


def inline_lazy(tree: ast.FunctionDef, lazy: Callable[[Any], bool], grows: frozenset[str]) -> bool:
    """Move stored generator expressions to where they are used; return whether there were any."""
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value and lazy(node.value)
    ]
    changed = False
    for made in found:
        targets = made.targets if isinstance(made, ast.Assign) else [made.target]
        if not (len(targets) == 1 and isinstance(targets[0], ast.Name)):
            continue
        name, value = targets[0].id, made.value
        loads = [
            n
            for n in ast.walk(tree)
            if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)
        ]
        counts = Counter(stored(tree))
        if not loads:
            continue
        changed = True
        certain = counts[name] == 1 and len(loads) == 1 and _comes_once(tree, made, loads[0])
        if certain and steady(tree, value, grows):
            _Put(loads[0], value).visit(tree)
            made.value = ast.copy_location(ast.Constant(0), made)
        else:
            made.value = expression("_kept_generator()", made)
    return changed


class _Put(ast.NodeTransformer):
    def __init__(self, load: ast.Name, value: Any) -> None:
        self.load, self.value = load, value

    def visit_Name(self, node: ast.Name) -> Any:
        return copied(self.value) if node is self.load else node


def _above(tree: ast.AST, node: ast.AST) -> list[ast.AST]:
    """Return the ancestors of a node, from the function down to the node itself."""
    if tree is node:
        return [tree]
    for part in ast.iter_child_nodes(tree):
        found = _above(part, node)
        if found:
            return [tree, *found]
    return []


def _comes_once(tree: ast.AST, made: ast.AST, load: ast.Name) -> bool:
    """Return whether exactly one use follows each creation of the generator."""
    around = _above(tree, made)
    path = _above(tree, load)
    for outer, inner in pairwise(path):
        if outer in around:
            continue
        if isinstance(outer, LATER):
            return False
        if isinstance(outer, REPEATING):
            first = getattr(outer, "generators", [None])[0]
            if inner is not getattr(outer, "iter", first) or (
                first is not None and not any(n is load for n in ast.walk(first.iter))
            ):
                return False
    return load.lineno > getattr(made, "lineno", 0)


def steady(tree: ast.AST, value: Any, grows: frozenset[str]) -> bool:
    """Return whether nothing that an expression reads changes."""
    own, counts = Counter(stored(value)), Counter(stored(tree))
    changed = set(changed_lists(tree, grows))
    parameters = {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
    read = set(named(value)) - own.keys()
    return read.isdisjoint(changed) and all(counts[n] <= (n not in parameters) for n in read)
