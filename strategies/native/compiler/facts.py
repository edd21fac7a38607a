"""Collects facts on the names in a rule: which are lists, which are used once, which leave the
rule."""

from __future__ import annotations

import ast
import builtins
from collections import deque
from collections.abc import Iterator
from types import FunctionType
from typing import Any

import attrs
from attrs import frozen

from strategies.native.compiler.dict_lookups import dicts_of
from strategies.native.compiler.known_lengths import Form
from strategies.native.compiler.lazy_names import inline_lazy
from strategies.native.compiler.lines import by_index
from strategies.native.compiler.syntax import (
    assigned_places,
    bound,
    copied,
    indices,
    root,
    stored,
)

GENERATED = frozenset(
    ["moves", "moves_in_play", "candidates", "children", "outcomes", "rollout_moves"]
)
"""Rules that are generators."""
GROWS = frozenset(
    [
        "append",
        "pop",
        "insert",
        "extend",
        "remove",
        "clear",
        "sort",
        "reverse",
        "add",
        "discard",
        "update",
        "popleft",
        "appendleft",
        "setdefault",
        "popitem",
    ]
)
STORE = "cells_ = _cells(new_)\n_fill(cells_, _checked(count_, _length), new_)\ncount_ += 1"
LOADED = "_complete(count_, _length)\nreturn _loaded(cells_)"


@frozen
class Lists:
    """The names in a function that refer to lists: those kept as values, and those on the heap."""

    values: frozenset[str]
    heap: frozenset[str]
    lengths: dict[str, tuple[type, str]]
    """The class and field that a tuple of this name is passed to."""


class Facts(ast.NodeTransformer):
    """One function, and the facts known of its names."""

    def __init__(
        self, tree: ast.FunctionDef, function: FunctionType, known: dict[str, Any]
    ) -> None:
        self.tree, self.globals = tree, {**function.__globals__, **known}
        self.imports = known
        self.helpers: list[ast.stmt] = []
        self.forms: list[Form] = []
        self.constants: dict[str, Any] = {}
        self.changed = False
        self.gives_list = False
        self.count = 0
        every = tree.args
        named = [*every.posonlyargs, *every.args, *every.kwonlyargs]
        self.parameters = [a.arg for a in named]
        self.scope = {*self.parameters, *stored(tree), *function.__code__.co_freevars}
        self.scope -= known.keys()
        lines = by_index(tree, self._calls, GROWS)
        self.scope |= lines
        self.changed = inline_lazy(tree, self._kept, GROWS) or bool(lines)
        self.once = dict(self._once())
        self.dicts = dicts_of(tree)
        self.lists = self._lists()
        for name in self.lists.heap:  # the length changes
            self.once.pop(name, None)
        shown = (ast.List, ast.ListComp)
        given = [n.value for n in ast.walk(tree) if isinstance(n, ast.Return) and n.value]
        self.several = len(given) > 1 and any(isinstance(value, shown) for value in given)

    @property
    def on_heap(self) -> bool:
        """Return whether the function makes lists, sets or dicts, whose code is long."""
        return bool(self.lists.heap & self.scope)

    def _new_name(self, word: str) -> str:
        """Return a new local name, `_word_1` or the like."""
        self.count += 1
        name = f"_{word}_{self.count}"
        self.scope.add(name)
        return name

    def _is(self, node: ast.AST, name: str) -> bool:
        """Return whether an expression is the builtin of this name."""
        return (
            isinstance(node, ast.Name)
            and node.id == name
            and name not in self.scope
            and self.globals.get(name, getattr(builtins, name)) is getattr(builtins, name)
        )

    def _calls(self, node: Any, *names: str) -> bool:
        return isinstance(node, ast.Call) and any(self._is(node.func, name) for name in names)

    def _kept(self, node: Any) -> bool:
        """Return whether a value can be iterated over only once, and computes its elements then."""
        calls = self._calls(node, "map", "filter", "reversed")
        return isinstance(node, ast.GeneratorExp) or (calls and not node.keywords)

    def _calls_rule(self, node: Any) -> bool:
        """Return whether a call is one of a generator rule, though it may return a list."""
        if not isinstance(node, ast.Call):
            return False
        return getattr(node.func, "attr", getattr(node.func, "id", "")) in GENERATED

    def _queue(self, node: Any) -> bool:
        """Return whether a call makes a `deque`, which becomes a list."""
        if not isinstance(node, ast.Call) or node.keywords:
            return False
        found = getattr(node.func, "id", None)
        if (
            isinstance(node.func, ast.Attribute)
            and getattr(node.func.value, "id", 0) == "collections"
        ):
            return node.func.attr == "deque"
        return found not in self.scope and self.globals.get(found or "") is deque

    def _once(self) -> Iterator[tuple[str, ast.expr]]:
        """Yield names that are bound once, with their expressions, for finding lengths."""
        bound = list(stored(self.tree)) + self.parameters
        for node in ast.walk(self.tree):
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                pairs: list[Any] = [(target, node.value)]
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs = list(zip(target.elts, node.value.elts, strict=False))
                for name, value in pairs:
                    if isinstance(name, ast.Name) and bound.count(name.id) == 1:
                        yield name.id, copied(value)

    def _class(self, node: Any) -> Any:
        """Return the class of the state that a call creates, or None."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found = None if node.func.id in self.scope else self.globals.get(node.func.id)
            return found if isinstance(found, type) and attrs.has(found) else None
        return None

    def _evolves(self, node: Any) -> bool:
        if not isinstance(node, ast.Call):
            return False
        name = node.func.attr if isinstance(node.func, ast.Attribute) else None
        name = node.func.id if isinstance(node.func, ast.Name) else name
        return name == "evolve"

    def _fields(self, node: ast.Call) -> Iterator[tuple[ast.expr, Any, str]]:
        """Yield the arguments of a call that creates a state, each with class and field."""
        cls = self._class(node)
        if cls is None and not self._evolves(node):
            return
        if cls is not None:
            for value, field in zip(node.args, attrs.fields(cls), strict=False):
                yield value, cls, field.name
        for keyword in node.keywords:
            if keyword.arg:
                yield keyword.value, cls, keyword.arg

    def _lists(self) -> Lists:
        """Find the names of lists that no other name refers to, and of those that must stay
        lists."""
        grown: set[str] = set()
        changed: set[str] = set()
        hashed: set[str] = set()
        lengths: dict[str, Any] = {}
        listed = {
            target.id
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Assign) and self._listed(node.value)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call):
                if isinstance(node.func, ast.Attribute) and node.func.attr in GROWS:
                    grown.add(root(node.func.value) or "")
                for value, cls, field in self._fields(node):
                    if isinstance(value, ast.Name):
                        lengths[value.id] = cls, field
            if isinstance(node, ast.Delete):
                grown |= {root(t) or "" for t in node.targets}
            if (
                isinstance(node, ast.AugAssign)
                and isinstance(node.target, ast.Name)
                and (self._listed(node.value) or node.target.id in listed)
            ):
                grown.add(node.target.id)
            if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
                changed.add(root(node) or "")
                if isinstance(node.slice, ast.Slice):
                    grown.add(root(node) or "")
            if isinstance(node, (ast.Assign, ast.AnnAssign)):
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                if isinstance(target, ast.Name) and self._hashed(node.value):
                    hashed.add(target.id)
        grown |= hashed & changed
        safe = {n for n in changed - grown if self._alone(n, changed)}
        heap = (changed | grown) - safe
        for _ in heap.copy():  # if a list grows under one name, it grows under all
            heap |= {other for name in heap for other in self._aliases(name)}
        return Lists(frozenset(safe - heap), frozenset(heap), lengths)

    def _listed(self, node: Any) -> bool:
        """Return whether a value is a list, judging by its source."""
        shown = isinstance(node, (ast.List, ast.ListComp))
        return shown or self._calls(node, "list", "sorted")

    def _aliases(self, name: str) -> Iterator[str]:
        for node in ast.walk(self.tree):
            named = isinstance(node, ast.Assign) and isinstance(node.value, ast.Name)
            if named and name in {getattr(t, "id", "") for t in node.targets}:  # type: ignore[attr-defined]
                yield node.value.id  # type: ignore[attr-defined]

    def _hashed(self, node: Any) -> bool:
        shown = isinstance(node, (ast.Dict, ast.Set, ast.DictComp, ast.SetComp))
        return shown or self._calls(node, "dict", "set") or self._queue(node)

    def _alone(self, name: str, changed: set[str]) -> bool:
        """Return whether every binding of a name makes a new list, and no other name refers to
        it."""
        if name not in self.scope or name in self.parameters:
            return False
        bindings, deep = 0, max(1, self._deepest(name))
        for node in ast.walk(self.tree):
            if isinstance(node, (ast.Assign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if any(isinstance(t, ast.Name) and t.id == name for t in targets):
                    bindings += 1
                    if len(targets) > 1 or not self._fresh(node.value, changed, deep):
                        return False
            if not isinstance(node, ast.FunctionDef) and self._leaks(node, name):
                return False
        own = [n for n in stored(self.tree) if n == name]
        return bindings == len(own)

    def _fresh(self, node: Any, changed: set[str], depth: int = 1) -> bool:
        """Return whether a value is a new list, and so are its rows down to the depth that is
        changed."""
        if depth > 1 and self._calls(node, "list") and len(node.args) == 1:
            (rows,) = node.args
            if self._calls(rows, "map") and rows.args:
                return self._is(rows.args[0], "list")
            return isinstance(rows, ast.GeneratorExp) and self._fresh(rows.elt, changed, depth - 1)
        if isinstance(node, ast.List):
            return depth == 1 or all(self._fresh(n, changed, depth - 1) for n in node.elts)
        if isinstance(node, ast.ListComp):
            return depth == 1 or self._fresh(node.elt, changed, depth - 1)
        if self._calls(node, "list", "sorted"):
            return depth == 1
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return depth == 1 or all(
                self._fresh(n, changed, depth) for n in (node.left, node.right)
            )
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            return depth == 1
        if isinstance(node, ast.Subscript):
            return depth == 1 and isinstance(node.slice, ast.Slice)
        if isinstance(node, ast.Call):
            given = [*node.args, *(k.value for k in node.keywords), node.func]
            names = {getattr(n, "id", "") for part in given for n in ast.walk(part)}
            copies = isinstance(node.func, ast.Attribute) and node.func.attr == "copy"
            return (copies and depth == 1) or names.isdisjoint(changed)
        return False

    def _leaks(self, node: ast.AST, name: str) -> bool:
        """Return whether the list of a name gets another name here, or is stored elsewhere."""
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
            walks = self._calls(node.value, "iter", "enumerate", "zip")
            parts = [node.value, *(node.value.args if walks else ())]  # type: ignore[union-attr]
            return any(self._shown(part, name) for part in parts)
        if isinstance(node, (ast.List, ast.Set, ast.Dict, ast.Yield, ast.Lambda)):
            return any(self._shown(child, name) for child in ast.iter_child_nodes(node)) or (
                isinstance(node, ast.Lambda)
                and name in {getattr(n, "id", 0) for n in ast.walk(node)}
            )
        if isinstance(node, ast.For):
            body = ast.Module(node.body, [])
            anew = name in bound(body) or self._deepest(name) > 1
            return any(assigned_places(body, name)) and any(
                self._shown(part, name)
                for row in self._rows(node.iter)
                for part in ([row] if isinstance(row, ast.Name) and anew else self._given(row))
            )
        return False

    def _rows(self, node: Any) -> Iterator[Any]:
        """Yield the rows that a loop over an expression iterates over."""
        if isinstance(node, (ast.GeneratorExp, ast.ListComp)):
            for generator in node.generators:
                yield from self._rows(generator.iter)
        elif self._calls(node, "enumerate", "reversed"):
            yield from self._rows(node.args[0])
        elif self._calls(node, "map", "filter") and len(node.args) == 2:
            yield from self._rows(node.args[1])
        else:
            yield node

    def _given(self, row: Any) -> Iterator[Any]:
        """Yield what a row may hold during a loop over it: the rows that a call does not copy."""
        if not isinstance(row, ast.Name):
            yield row
        if not self._calls(row, "list", "tuple", "sorted", "set"):
            for part in getattr(row, "args", ()):
                yield from self._rows(part)

    def _shown(self, node: Any, name: str) -> bool:
        """Return whether the value of an expression may be the list of a name itself."""
        if isinstance(node, ast.Name):
            return node.id == name
        if isinstance(node, (ast.Tuple, ast.IfExp, ast.BoolOp, ast.Starred, ast.NamedExpr)):
            return any(self._shown(n, name) for n in ast.iter_child_nodes(node))
        return (
            isinstance(node, ast.Subscript)
            and root(node) == name
            and not isinstance(node.slice, ast.Slice)
            and indices(node) < self._deepest(name)
        ) or self._copied(node, name)

    def _copied(self, node: Any, name: str) -> bool:
        """Return whether an expression copies a list whose rows are changed: the copy has the same
        rows."""
        deepest = self._deepest(name)
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mult)):
            parts = [node.left, node.right]
        elif self._calls(node, "list", "sorted"):
            parts = node.args
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "copy":
            parts = [node.func.value]  # type: ignore[attr-defined]
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            parts = [node.value]
        else:
            return False
        return any(root(part) == name and indices(part) < deepest - 1 for part in parts)

    def _deepest(self, name: str) -> int:
        """Return the number of indices of the deepest assignment to a list: 2 in `name[i][j] =
        …`."""
        return max(map(indices, assigned_places(self.tree, name)), default=0)
