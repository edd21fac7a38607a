"""Creates, copies and classifies parts of syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

LIFTED = "_lifted_"
"""The prefix of the names of functions that replace parts of rules."""


def located(module: ast.Module, like: ast.AST) -> ast.Module:
    """Return the module with a line for each node that has none yet."""
    for node in module.body:
        ast.copy_location(node, like)
    return ast.fix_missing_locations(module)


def parse(text: str, at: ast.AST, **parts: ast.AST) -> list[Any]:
    """Parse statements on the line of `at`; `__name` is replaced by the part of that name."""

    class Fill(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> Any:
            return parts[node.id[2:]] if node.id.startswith("__") else node

    body = ast.parse(text).body
    for statement in body:
        for inner in ast.walk(statement):
            ast.copy_location(inner, at)
    return [Fill().visit(statement) for statement in body]


def expression(text: str, at: ast.AST, **parts: ast.AST) -> Any:
    """Parse an expression, as `parse`."""
    return parse(text, at, **parts)[0].value


class Renamed(ast.NodeTransformer):
    """Replaces names by other names."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> Any:
        return ast.copy_location(ast.Name(self.names.get(node.id, node.id), node.ctx), node)

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        """Leave the parameters of a lambda alone."""
        own = {a.arg for a in node.args.args}
        node.args = self.visit(node.args)
        node.body = Renamed({k: n for k, n in self.names.items() if k not in own}).visit(node.body)
        return node


def copied(node: Any) -> Any:
    """Copy a tree."""
    if isinstance(node, list):
        return [copied(n) for n in node]
    if not isinstance(node, ast.AST):
        return node
    made = type(node)(**{name: copied(value) for name, value in ast.iter_fields(node)})
    return ast.copy_location(made, node)


def copied_parts(parts: dict[str, Any]) -> dict[str, Any]:
    """Copy several expressions."""
    return {name: copied(part) for name, part in parts.items()}


def lifted(word: str, number: int) -> str:
    """Return the name of a function that replaces a part of a rule."""
    return f"{LIFTED}{word}_{number}"


def is_lifted(name: str) -> bool:
    """Return whether `lifted` made a name, or its prefix."""
    return name.startswith(LIFTED)


def stored(node: ast.AST) -> Iterator[str]:
    """Yield the names that a part of a function binds."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load):
            yield inner.id


def named(node: ast.AST) -> Iterator[str]:
    """Yield the names that a part of a function mentions, except the parameters of a lambda."""
    if isinstance(node, ast.Lambda):
        own = {a.arg for a in node.args.args}
        yield from (name for name in named(node.body) if name not in own)
        yield from named(node.args)
        return
    if isinstance(node, ast.Name):
        yield node.id
    for part in ast.iter_child_nodes(node):
        yield from named(part)


def root(node: ast.AST) -> str | None:
    """Return the name at the root of `name[…][…]`."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def indices(node: ast.AST) -> int:
    """Return how many indices follow the name in `name[…][…]`."""
    return 1 + indices(node.value) if isinstance(node, ast.Subscript) else 0


def own(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function, without those of functions inside it."""
    for inner in ast.iter_child_nodes(tree):
        if not isinstance(inner, (ast.FunctionDef, ast.Lambda)):
            yield inner
            yield from own(inner)


def yields(tree: ast.AST) -> bool:
    return any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in own(tree))


def is_constant(node: Any) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Constant)


def assigned_places(tree: ast.AST, name: str) -> Iterator[ast.Subscript]:
    """Yield the places in the list of a name, `name[…][…]`, that a part of a function assigns."""
    for node in ast.walk(tree):
        assigns = isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load)
        if assigns and root(node) == name:
            yield node  # type: ignore[misc]


def read(node: ast.AST) -> set[str]:
    """Return the names that a part of a function reads, except those of its comprehensions."""
    if isinstance(node, ast.Name):
        return {node.id} if isinstance(node.ctx, ast.Load) else set()
    inside: set[str] = set().union(*map(read, ast.iter_child_nodes(node)))
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        inside -= {name for generator in node.generators for name in stored(generator.target)}
        return inside | read(node.generators[0].iter)
    if isinstance(node, (ast.Lambda, ast.FunctionDef)):
        return inside - {n.arg for n in ast.walk(node.args) if isinstance(n, ast.arg)}
    return inside


def bound(node: ast.AST) -> set[str]:
    """Return the names that a part of a function binds, except those of its comprehensions."""
    if isinstance(node, ast.Name):
        return set() if isinstance(node.ctx, ast.Load) else {node.id}
    parts: Iterable[ast.AST] = ast.iter_child_nodes(node)
    if isinstance(node, ast.comprehension):
        parts = [node.iter, *node.ifs]
    return set().union(*map(bound, parts))


def changed_lists(tree: ast.AST, grows: frozenset[str]) -> Iterator[str]:
    """Yield the names of lists, sets and dicts that a part of a function changes in place."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            yield root(node) or ""
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Attribute) and called.attr in grows:
            yield root(called.value) or ""


def leaves(body: list[Any]) -> bool:
    """Return whether a `break` in the body of a loop ends this loop."""
    for node in body:
        if isinstance(node, ast.Break):
            return True
        parts = list(ast.iter_child_nodes(node))
        if isinstance(node, (ast.For, ast.While)):
            parts = [*node.orelse]
        if not isinstance(node, (ast.FunctionDef, ast.expr)) and leaves(parts):
            return True
    return False


def returns(body: list[Any]) -> bool:
    """Return whether a `return` among statements ends the function."""
    whole = ast.Module(body, [])
    return any(isinstance(node, ast.Return) for node in own(whole))


def may_raise(node: ast.AST) -> bool:
    """Return whether an expression may raise an error, judging by its source."""
    raising = (ast.Subscript, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.LShift, ast.RShift)
    calls = [n.func for n in ast.walk(node) if isinstance(n, ast.Call)]
    harmless = {"range", "len", "abs", "enumerate", "zip", "reversed"}
    return any(isinstance(n, raising) for n in ast.walk(node)) or any(
        getattr(function, "id", "") not in harmless for function in calls
    )
