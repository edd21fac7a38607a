"""Loops over the rows of a board that they change: `for row in board: … board[i][j] = x`.

The loop variable refers to a row of the board, so it sees each change.  In machine code a board is
a value, and a name for one of its rows would be a copy: the row is written as `board[k]`.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from strategies.native.compiler.syntax import (
    assigned_places,
    bound,
    changed_lists,
    copied,
    expression,
    indices,
    parse,
    root,
    stored,
)


def by_index(tree: ast.FunctionDef, calls: Callable[..., bool], grows: frozenset[str]) -> set[str]:
    """Rewrite such loops as loops over indices; return the names of the indices."""
    lines = _Lines(tree, calls, grows)
    tree.body = [lines.visit(statement) for statement in tree.body]
    return lines.made


class _Lines(ast.NodeTransformer):
    def __init__(
        self, tree: ast.FunctionDef, calls: Callable[..., bool], grows: frozenset[str]
    ) -> None:
        self.tree, self.calls, self.grows = tree, calls, grows
        self.made: set[str] = set()
        self.lists = set(self._lists())

    def _lists(self) -> Iterator[str]:
        """Yield the names that refer only to lists, judging by the source."""
        counts = Counter(stored(self.tree))
        for node in ast.walk(self.tree):
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value:
                shown = isinstance(node.value, (ast.ListComp, ast.List))
                if shown or self.calls(node.value, "list"):
                    counts.subtract(bound(node))
        yield from (name for name, count in counts.items() if count == 0)

    def visit_For(self, node: ast.For) -> Any:
        numbered = self.calls(node.iter, "enumerate") and len(node.iter.args) == 1  # type: ignore[attr-defined]
        numbered = numbered and not node.iter.keywords  # type: ignore[attr-defined]
        place: Any = node.iter.args[0] if numbered else node.iter  # type: ignore[attr-defined]
        depth = self._depth(place, node.body)
        if depth > 0:
            index = f"_line_{len(self.made)}"
            self.made.add(index)
            target: Any = node.target
            line = expression(f"__place[{index}]", node, place=place)
            begin = []
            pair = numbered and isinstance(target, ast.Tuple) and len(target.elts) == 2
            if pair:
                number, target = target.elts
                begin = [ast.Assign([number], expression(index, node))]
            if depth > 1 and (pair or not numbered) and self._only_here(target, node.body):
                node.body = [_Put(target.id, line).visit(statement) for statement in node.body]
            else:
                if depth == 2 and isinstance(target, ast.Tuple):  # of numbers, which are copied
                    line = expression("list(__line)", node, line=line)
                value = expression(f"({index}, __line)", node, line=line)
                begin.append(ast.Assign([target], value if numbered and not pair else line))
            node.body[:0] = [ast.copy_location(s, node) for s in begin]
            node.target = parse(f"{index} = 0", node)[0].targets[0]
            node.iter = expression("range(len(__place))", node, place=copied(place))
        return self.generic_visit(node)

    def _depth(self, place: Any, body: list[Any]) -> int:
        """Return how many indices lead from a board, or its row, to what a loop changes; 0 if
        unclear."""
        if not isinstance(place, (ast.Name, ast.Subscript)) or root(place) not in self.lists:
            return 0
        whole, name = ast.Module(body, []), root(place)
        depths = {indices(n) for n in assigned_places(whole, name or "")}
        deepest = max(depths, default=0)
        if deepest < 2 or len(depths) > 1:
            return 0
        used = {n.id for n in ast.walk(place) if isinstance(n, ast.Name)}
        methods = [n for n in ast.walk(whole) if isinstance(n, ast.Call)]
        grown = {name for n in methods for name in changed_lists(_called(n), self.grows)}
        plain = not any(isinstance(n, (ast.Call, ast.Slice)) for n in ast.walk(place))
        stays = plain and used.isdisjoint(bound(whole) | grown)
        return deepest - indices(place) if stays else 0

    def _only_here(self, target: Any, body: list[Any]) -> bool:
        """Return whether a name for a row is read only where a loop or a comprehension binds it."""
        if not isinstance(target, ast.Name) or target.id in stored(ast.Module(body, [])):
            return False
        own: set[int] = set()
        for node in ast.walk(self.tree):
            parts: list[Any] = []
            if isinstance(node, ast.For) and target.id in bound(node.target):
                parts = [node.target, *node.body]
            elif target.id in {
                n for g in getattr(node, "generators", ()) for n in stored(g.target)
            }:
                parts = [node]
            own |= {id(inner) for part in parts for inner in ast.walk(part)}
        every = [n for n in ast.walk(self.tree) if isinstance(n, ast.Name) and n.id == target.id]
        return all(id(n) in own for n in every)


def _called(call: ast.Call) -> ast.Call:
    """Return the call without its arguments."""
    return ast.Call(call.func, [], [])


class _Put(ast.NodeTransformer):
    """Replaces a name by an expression."""

    def __init__(self, name: str, value: Any) -> None:
        self.name, self.value = name, value

    def visit_Name(self, node: ast.Name) -> Any:
        return copied(self.value) if node.id == self.name else node
