"""Finds the names that parts of a rule change, and those that they read.

Python computes some rows step by step while a loop runs.  Whether that makes a difference is
decided by names: those that the loop's body binds or whose lists it changes, and those that the row
reads.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dis import get_instructions
from itertools import chain
from types import CodeType, FunctionType
from typing import Any

from strategies.native.compiler.facts import GROWS, Facts
from strategies.native.compiler.syntax import bound, changed_lists, read, root

from_iterable = chain.from_iterable
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
BUILTINS = (
    *("abs", "all", "any", "bool", "divmod", "enumerate", "filter", "float", "int", "iter", "len"),
    *("list", "map", "max", "min", "pow", "range", "reversed", "round", "set", "sorted", "sum"),
    *("tuple", "zip"),
)
"""Builtins that change none of their arguments."""

READS = frozenset([*BUILTINS, "bit_count", "copy", "count", "index"])
"""These builtins, and methods that change nothing."""


class Changes(Facts):
    """Finds the names that parts of a function change, and those that they read."""

    def __init__(self, tree: ast.FunctionDef, *given: Any) -> None:
        super().__init__(tree, *given)
        self.functions = dict(_functions(tree))
        self.links = list(_links(tree))
        self.inner = frozenset(_inner(tree))

    def _disturbed(self, row: ast.AST, between: list[ast.AST]) -> bool:
        """Return whether a row computed at once differs from one computed with statements in
        between."""
        return bool(self._changed([row]) or self._changed(between) & self._read([row]))

    def _changed(self, nodes: Iterable[ast.AST]) -> set[str]:
        """Return the names that parts bind, and those whose lists they change."""
        nodes = list(nodes)
        return self._changed_in_place(nodes) | set().union(*map(bound, nodes)) - self.inner

    def _changed_in_place(self, nodes: Iterable[ast.AST]) -> set[str]:
        """Return the names of the lists that parts change."""
        lists = {name for node in self._called(nodes) for name in self._changed_lists(node)}
        return self._linked(lists)

    def _read(self, nodes: Iterable[ast.AST]) -> set[str]:
        """Return the names that parts read, including those read by inner functions that they
        call."""
        return set().union(*map(read, self._called(nodes)))

    def _called(self, nodes: Iterable[ast.AST]) -> list[ast.AST]:
        """Return the parts, and the inner functions that they name."""
        found = list(nodes)
        for node in found:
            for name in sorted(read(node) & self.functions.keys()):
                if self.functions[name] not in found:
                    found.append(self.functions[name])
        return found

    def _changed_lists(self, node: ast.AST) -> Iterator[str]:
        """Yield the names of lists that a part changes in place; a function may change its
        arguments."""
        yield from changed_lists(node, GROWS)
        for inner in ast.walk(node):
            if isinstance(inner, ast.Call) and not self._only_reads(inner):
                given = [*inner.args, *(k.value for k in inner.keywords)]
                yield from (root(n) or "" for n in given if root(n) in self.lists.heap)

    def _only_reads(self, call: ast.Call) -> bool:
        """Return whether a call certainly changes none of its arguments."""
        found = self._resolved(call.func)
        known = getattr(found, "__module__", "") == "math" or found == from_iterable
        return known or _harmless(found) or self._calls(call, *BUILTINS)

    def _resolved(self, node: Any) -> Any:
        """Return the value of a global name, or of an attribute of one; None for all else."""
        if isinstance(node, ast.Attribute):
            return getattr(self._resolved(node.value), node.attr, None)
        if isinstance(node, ast.Name) and node.id not in self.scope:
            return self.globals.get(node.id)
        return None

    def _linked(self, names: set[str]) -> set[str]:
        """Return the names, and all names that may refer to the same list or to a row of it."""
        found = names - {""}
        size = -1
        while len(found) > size:
            size = len(found)
            for link in self.links:
                found |= link if found & link else set()
        return found


def _harmless(found: Any, above: tuple[Any, ...] = ()) -> bool:
    """Return whether a function certainly changes no list that is passed to it."""
    if not isinstance(found, FunctionType):
        return isinstance(found, (type, int, float, tuple))
    codes = [found.__code__]
    for code in codes:
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        for step in get_instructions(code):
            if step.opname in ("STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE"):
                return False
            if step.opname == "BINARY_OP" and step.argrepr.endswith("="):
                return False
        for name in code.co_names:
            value = found.__globals__.get(name, int if name in READS else None)
            if not any(value is one for one in (*above, found)) and not _harmless(
                value, (*above, found)
            ):
                return False
    return True


def _functions(tree: ast.FunctionDef) -> Iterator[tuple[str, ast.AST]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node is not tree:
            yield node.name, node
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            yield from ((name, node.value) for target in node.targets for name in bound(target))


def _links(tree: ast.AST) -> Iterator[set[str]]:
    """Yield sets of names that one statement may bind to the same list, or to a row of it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.For):
            yield bound(node.target) | read(node.iter)
        elif isinstance(node, ast.Assign):
            yield set().union(*map(bound, node.targets)) | set(_held(node.value))
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value:
            yield bound(node.target) | set(_held(node.value))


def _held(value: ast.AST) -> Iterator[str]:
    """Yield the names of lists that a value may be, or hold."""
    if isinstance(value, (ast.Name, ast.Subscript)):
        yield root(value) or ""
    elif isinstance(
        value, (ast.Tuple, ast.List, ast.IfExp, ast.BoolOp, ast.Starred, ast.NamedExpr)
    ):
        for part in ast.iter_child_nodes(value):
            yield from _held(part)


def _inner(tree: ast.AST) -> Iterator[str]:
    """Yield the names that comprehensions assign by `:=` and that nothing else mentions."""
    made = [n for n in ast.walk(tree) if isinstance(n, COMPREHENSIONS)]
    for name in {n.target.id for m in made for n in ast.walk(m) if isinstance(n, ast.NamedExpr)}:
        own = {id(inner) for node in made if name in bound(node) for inner in ast.walk(node)}
        if all(
            id(n) in own
            for n in ast.walk(tree)
            if name in (getattr(n, "id", None), getattr(n, "arg", None))
        ):
            yield name
