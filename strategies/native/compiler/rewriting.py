"""Comprehensions, generator expressions and lists of a rule, written out as loops over numbers.

Each becomes a function of its own whose parameters are the local names that it reads.  A list that
only this rule changes is a value: `row[i] = x` makes the name stand for the changed row.
"""

from __future__ import annotations

import ast
import builtins
from collections import deque
from collections.abc import Iterator
from types import FunctionType
from typing import Any

import attrs
from attrs import frozen

from strategies.native.compiler.rows import Form

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
GENERATED = frozenset(
    ["moves", "moves_in_play", "candidates", "children", "outcomes", "rollout_moves"]
)
"""Rules that are generators."""
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def located(module: ast.Module, like: ast.AST) -> ast.Module:
    """The module with a line for each node that has none yet."""
    for node in module.body:
        ast.copy_location(node, like)
    return ast.fix_missing_locations(module)


def parse(text: str, at: ast.AST, **parts: ast.AST) -> list[Any]:
    """Statements from text, on the line of `at`; `__name` stands for the part of that name."""

    class Fill(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> Any:
            return parts[node.id[2:]] if node.id.startswith("__") else node

    body = ast.parse(text).body
    for statement in body:
        for inner in ast.walk(statement):
            ast.copy_location(inner, at)
    return [Fill().visit(statement) for statement in body]


def expression(text: str, at: ast.AST, **parts: ast.AST) -> Any:
    """An expression from text, as `parse`."""
    return parse(text, at, **parts)[0].value


STORE = "cells_ = _cells(new_)\n_fill(cells_, _checked(count_, _length), new_)\ncount_ += 1"
LOADED = "_complete(count_, _length)\nreturn _loaded(cells_)"


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> Any:
        return ast.copy_location(ast.Name(self.names.get(node.id, node.id), node.ctx), node)


def copied(node: Any) -> Any:
    """The same tree as new nodes."""
    if isinstance(node, list):
        return [copied(n) for n in node]
    if not isinstance(node, ast.AST):
        return node
    made = type(node)(**{name: copied(value) for name, value in ast.iter_fields(node)})
    return ast.copy_location(made, node)


def copied_parts(parts: dict[str, Any]) -> dict[str, Any]:
    """The same expressions as new nodes."""
    return {name: copied(part) for name, part in parts.items()}


def stored(node: ast.AST) -> Iterator[str]:
    """The names that a part of a function binds."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load):
            yield inner.id


def root(node: ast.AST) -> str | None:
    """The name at the root of `name[…][…]`."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def indices(node: ast.AST) -> int:
    """How many indices follow the name in `name[…][…]`."""
    return 1 + indices(node.value) if isinstance(node, ast.Subscript) else 0


@frozen
class Lists:
    """The names of a function that stand for lists: those that are values, those on the heap."""

    values: frozenset[str]
    heap: frozenset[str]
    lengths: dict[str, tuple[type, str]]
    """The class and field that a tuple of this name is meant for."""


class Rewriter(ast.NodeTransformer):
    """One function: what it becomes, and the functions that its parts become."""

    def __init__(
        self, tree: ast.FunctionDef, function: FunctionType, known: dict[str, Any]
    ) -> None:
        self.tree, self.globals = tree, {**function.__globals__, **known}
        self.imports = known
        self.helpers: list[ast.stmt] = []
        self.forms: list[Form] = []
        self.constants: dict[str, Any] = {}
        self.changed = False
        self.count = 0
        every = tree.args
        named = [*every.posonlyargs, *every.args, *every.kwonlyargs]
        self.parameters = [a.arg for a in named]
        self.scope = {*self.parameters, *stored(tree), *function.__code__.co_freevars}
        self.scope -= known.keys()
        self.once = dict(self._once())
        self.lists = self._lists()
        shown = (ast.List, ast.ListComp)
        given = [n.value for n in ast.walk(tree) if isinstance(n, ast.Return) and n.value]
        self.several = len(given) > 1 and any(isinstance(value, shown) for value in given)

    def run(self) -> ast.FunctionDef:
        """The function's new definition."""
        if self.tree.name in GENERATED and not _yields(self.tree):
            self._yield_instead()
        body = [s for statement in self.tree.body for s in self._statements(statement)]
        made = ast.FunctionDef(self.tree.name, self.tree.args, body, [])
        return ast.copy_location(made, self.tree)

    def _yield_instead(self) -> None:
        """A rule that returns a list of its moves yields them."""
        found = [n for n in ast.walk(self.tree) if isinstance(n, ast.Return) and n.value]
        lists = (ast.List, ast.ListComp, ast.GeneratorExp)
        known = self.lists.heap | self.lists.values | self.once.keys()
        if not all(
            isinstance(n.value, lists)
            or self._calls(n.value, "list", "sorted", "iter", "map", "filter", "range", "tuple")
            or str(n.value and root(n.value)) in known
            for n in found
        ):
            return
        outer = self

        class Yield(ast.NodeTransformer):
            def visit_Return(self, node: ast.Return) -> Any:
                value: Any = node.value
                if value is None:
                    return node
                value = value.args[0] if outer._calls(value, "iter") else value
                if isinstance(value, ast.List) and not value.elts:
                    return parse("return", node)
                return parse("yield from __rows\nreturn", node, rows=value)

        self.changed = True
        self.tree = Yield().visit(self.tree)

    @property
    def on_heap(self) -> bool:
        """Whether the function makes lists, sets or dicts whose code is long."""
        return bool(self.lists.heap & self.scope)

    # What names stand for -----------------------------------------------------------------------

    def _is(self, node: ast.AST, name: str) -> bool:
        """Whether an expression is the builtin of this name."""
        return (
            isinstance(node, ast.Name)
            and node.id == name
            and name not in self.scope
            and self.globals.get(name, getattr(builtins, name)) is getattr(builtins, name)
        )

    def _calls(self, node: Any, *names: str) -> bool:
        return isinstance(node, ast.Call) and any(self._is(node.func, name) for name in names)

    def _queue(self, node: Any) -> bool:
        """Whether a call makes a `deque`: a list does."""
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
        """Names that are bound once, and to what: of use where a length must be known."""
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
        """The class of a state that a call makes, if it does."""
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
        """The arguments of a call that makes a state: each with class and field."""
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
        """Which names are lists that nobody else can see, and which must stay lists."""
        grown: set[str] = set()
        changed: set[str] = set()
        hashed: set[str] = set()
        lengths: dict[str, Any] = {}
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
                and isinstance(node.value, (ast.List, ast.ListComp))
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
        for _ in heap.copy():  # a list that grows under one name grows under all
            heap |= {other for name in heap for other in self._aliases(name)}
        return Lists(frozenset(safe - heap), frozenset(heap), lengths)

    def _aliases(self, name: str) -> Iterator[str]:
        for node in ast.walk(self.tree):
            named = isinstance(node, ast.Assign) and isinstance(node.value, ast.Name)
            if named and name in {getattr(t, "id", "") for t in node.targets}:  # type: ignore[attr-defined]
                yield node.value.id  # type: ignore[attr-defined]

    def _hashed(self, node: Any) -> bool:
        shown = isinstance(node, (ast.Dict, ast.Set, ast.DictComp, ast.SetComp))
        return shown or self._calls(node, "dict", "set") or self._queue(node)

    def _alone(self, name: str, changed: set[str]) -> bool:
        """Whether every binding of a name makes a new list, and no other name gets hold of it."""
        if name not in self.scope or name in self.parameters:
            return False
        bindings = 0
        for node in ast.walk(self.tree):
            if isinstance(node, (ast.Assign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if any(isinstance(t, ast.Name) and t.id == name for t in targets):
                    bindings += 1
                    if len(targets) > 1 or not self._fresh(node.value, changed):
                        return False
            if not isinstance(node, ast.FunctionDef) and self._leaks(node, name):
                return False
        own = [n for n in stored(self.tree) if n == name]
        return bindings == len(own)

    def _fresh(self, node: Any, changed: set[str]) -> bool:
        if isinstance(node, (ast.List, ast.ListComp)) or self._calls(node, "list", "sorted"):
            return True
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mult)):
            return True
        if isinstance(node, ast.Subscript):
            return isinstance(node.slice, ast.Slice)
        if isinstance(node, ast.Call):
            given = [*node.args, *(k.value for k in node.keywords), node.func]
            names = {getattr(n, "id", "") for part in given for n in ast.walk(part)}
            copies = isinstance(node.func, ast.Attribute) and node.func.attr == "copy"
            return copies or names.isdisjoint(changed)
        return False

    def _leaks(self, node: ast.AST, name: str) -> bool:
        """Whether the list of a name gets another name here, or is kept elsewhere."""
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
            return self._shown(node.value, name)
        if isinstance(node, (ast.List, ast.Set, ast.Dict, ast.Yield, ast.Lambda)):
            return any(self._shown(child, name) for child in ast.iter_child_nodes(node)) or (
                isinstance(node, ast.Lambda)
                and name in {getattr(n, "id", 0) for n in ast.walk(node)}
            )
        if isinstance(node, ast.For):
            inside = any(
                isinstance(n, ast.Subscript) and not isinstance(n.ctx, ast.Load) and root(n) == name
                for statement in node.body
                for n in ast.walk(statement)
            )
            walked = self._walked(node.iter)
            return (
                inside
                and (walked is None or walked.id != name)
                and any(self._shown(n, name) for n in [node.iter, *getattr(node.iter, "args", ())])
            )
        return False

    def _shown(self, node: Any, name: str) -> bool:
        """Whether the value of an expression may be the list of a name itself."""
        if isinstance(node, ast.Name):
            return node.id == name
        if isinstance(node, (ast.Tuple, ast.IfExp, ast.BoolOp, ast.Starred, ast.NamedExpr)):
            return any(self._shown(n, name) for n in ast.iter_child_nodes(node))
        return (
            isinstance(node, ast.Subscript)
            and not isinstance(node.slice, ast.Slice)
            and root(node) == name
            and indices(node) < self._deepest(name)
        )

    def _deepest(self, name: str) -> int:
        """How many indices lead to what the rule sets in a list: 2 in `name[i][j] = …`."""
        return max(
            (
                indices(n)
                for n in ast.walk(self.tree)
                if isinstance(n, ast.Subscript)
                and not isinstance(n.ctx, ast.Load)
                and root(n) == name
            ),
            default=0,
        )

    def _walked(self, node: ast.AST) -> ast.Name | None:
        """The list that a loop walks along, itself or by `enumerate`."""
        if self._calls(node, "enumerate") and len(node.args) == 1:  # type: ignore[attr-defined]
            node = node.args[0]  # type: ignore[attr-defined]
        return node if isinstance(node, ast.Name) else None

    # Functions of their own ---------------------------------------------------------------------

    def _new(self, word: str) -> str:
        self.changed = True
        self.count += 1
        return f"_{word}_{self.count}"

    def _free(self, nodes: list[ast.AST]) -> list[str]:
        names = {n.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name)}
        return sorted((names & self.scope).difference(*map(stored, nodes)))

    def _define(self, name: str, given: list[str], body: list[ast.stmt], at: ast.AST) -> None:
        arguments = ast.arguments([], [ast.arg(n) for n in given], None, [], [], None, [])
        made = ast.FunctionDef(name, arguments, body, [])
        self.helpers.append(ast.copy_location(made, at))

    def _lift(
        self, word: str, before: str, loop: Any, after: str, at: ast.AST, **parts: Any
    ) -> Any:
        """A call of a new function: statements, a loop of a comprehension, statements."""
        body = parse(before, at, **parts) + loop + parse(after, at, **parts)
        name, given = self._new(word), self._free(body)
        self._define(name, given, body, at)
        return self._call(name, given, at)

    def _call(self, name: str, given: list[str], at: ast.AST) -> Any:
        return expression(f"{name}({', '.join(given)})", at)

    def _renamed(self, node: Any) -> Any:
        """A comprehension whose own names are like no other, and known to be local."""
        node = copied(node)
        self.count += 1
        seen: dict[str, str] = {}
        for generator in node.generators:
            generator.iter = _Renamed(seen).visit(generator.iter)
            seen |= {n: f"{n}_{self.count}" for n in stored(generator.target)}
            generator.target = _Renamed(seen).visit(generator.target)
            generator.ifs = [_Renamed(seen).visit(n) for n in generator.ifs]
        for part in ("elt", "key", "value"):
            if hasattr(node, part):
                setattr(node, part, _Renamed(seen).visit(getattr(node, part)))
        self.scope |= set(seen.values())
        return node

    def _loop(self, node: Any, body: list[ast.stmt]) -> list[ast.stmt]:
        """The loops of a comprehension, its parts written out already."""
        for generator in reversed(node.generators):
            for test in reversed(generator.ifs):
                body = [ast.copy_location(ast.If(test, body, []), test)]
            made = ast.For(generator.target, generator.iter, body, [])
            body = [ast.copy_location(made, generator.iter)]
        return body

    def _written(self, node: Any) -> Any:
        """A comprehension with its parts written out; filters and maps count as such."""
        node = self._renamed(self._as_comprehension(node))
        for generator in node.generators:
            generator.iter = self.visit(generator.iter)
            generator.ifs = [self.visit(n) for n in generator.ifs]
        for part in ("elt", "key", "value"):
            if hasattr(node, part):
                setattr(node, part, self.visit(getattr(node, part)))
        return node

    def _as_comprehension(self, node: Any) -> Any:
        if isinstance(node, COMPREHENSIONS):
            return node
        if self._calls(node, "map") and len(node.args) >= 2:
            names = [f"_m{k}" for k in range(len(node.args) - 1)]
            rows: Any = node.args[1]
            if len(names) > 1:
                rows = expression("zip()", node)
                rows.args = node.args[1:]
            called = self._applied(node.args[0], [expression(n, node) for n in names])
            return self._simple(node, called, ", ".join(names), rows)
        if self._calls(node, "filter") and len(node.args) == 2:
            found = self._simple(node, expression("_m0", node), "_m0", node.args[1])
            test = node.args[0]
            nothing = isinstance(test, ast.Constant) and test.value is None
            m = expression("_m0", node)
            found.generators[0].ifs = [m if nothing else self._applied(test, [m])]
            return found
        return self._simple(node, expression("_m0", node), "_m0", node)

    def _applied(self, function: Any, given: list[Any]) -> Any:
        """A call of a function; one that is written in place is written out."""
        if isinstance(function, ast.Lambda) and len(function.args.args) == len(given):
            names = {a.arg: g.id for a, g in zip(function.args.args, given, strict=True)}
            return _Renamed(names).visit(copied(function.body))
        return ast.copy_location(ast.Call(copied(function), given, []), function)

    def _simple(self, at: ast.AST, element: Any, target: str, rows: Any) -> Any:
        found = expression(f"[_m0 for {target} in _m0]", at)
        found.elt, found.generators[0].iter = element, rows
        return found

    def _lazy(self, node: Any) -> bool:
        return isinstance(node, (ast.GeneratorExp, ast.ListComp)) or self._calls(
            node, "map", "filter"
        )

    def _loops(self, node: Any) -> bool:
        """Whether a sum or an extreme is written out: Numba has its own for tuples and lists."""
        return self._lazy(node) or isinstance(node, (ast.Call, ast.SetComp, ast.Set))

    # Expressions --------------------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> Any:
        """Builtins over rows, and what makes a state."""
        for value, cls, field in list(self._fields(node)):
            if self._calls(value, "tuple") and len(value.args) == 1:  # type: ignore[attr-defined]
                made = self._row(value.args[0], "tuple", value, (cls, field))  # type: ignore[attr-defined]
                node.args = [made if a is value else a for a in node.args]
                for keyword in node.keywords:
                    if keyword.value is value:
                        keyword.value = made
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        plain = not node.keywords and len(node.args) == 1
        if name in ("any", "all") and self._is(node.func, name) and plain:
            return self._tested(name, node.args[0], node)
        if name == "sum" and self._is(node.func, name) and node.args and self._loops(node.args[0]):
            return self._summed(node)
        single = len(node.args) == 1 and (bool(node.keywords) or self._loops(node.args[0]))
        if name in ("min", "max") and self._is(node.func, name) and single:
            return self._extreme(name, node)
        lazy = bool(node.args) and isinstance(node.args[0], ast.GeneratorExp)
        if name == "next" and self._is(node.func, name) and lazy:
            return self._first(node)
        if name in ("tuple", "list") and self._is(node.func, name) and plain:
            return self._row(node.args[0], name, node)
        shown = plain and isinstance(node.args[0], ast.ListComp)
        if name == "len" and self._is(node.func, name) and shown:
            inner = self._written(node.args[0])
            loop = self._loop(inner, parse("__element\ntotal_ += 1", node, element=inner.elt))
            return self._lift("len", "total_ = 0", loop, "return total_", node)
        if name in ("set", "frozenset") and self._is(node.func, name) and plain:
            return self._set(self._as_comprehension(node.args[0]), node)
        if name == "sorted" and self._is(node.func, name) and len(node.args) == 1:
            return self._sorted(node)
        if name in ("map", "filter") and self._is(node.func, name):
            return self._row(node, "list", node)
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("popleft", "appendleft"):
            self.changed = True
            first = node.func.attr == "popleft"
            node.func.attr = "pop" if first else "insert"
            node.args = [ast.copy_location(ast.Constant(0), node), *node.args]
            return self.generic_visit(node)
        if name == "zip" and self._is(node.func, name) and node.keywords:
            return self._zipped(node)
        if name == "reversed" and self._is(node.func, name) and plain:
            self.changed = True
            return expression("_reversed(__row)", node, row=self.visit(node.args[0]))
        return self.generic_visit(node)

    def _zipped(self, node: ast.Call) -> Any:
        """A zip whose rows must be equally long, or need not."""
        self.changed = True
        strict = node.keywords[0].value
        node.keywords = []
        row: Any = self.generic_visit(node)
        if isinstance(strict, ast.Constant) and not strict.value:
            return row
        for other in row.args[1:]:
            text = "_equally_long(__row, __other)"
            row.args[0] = expression(text, node, row=row.args[0], other=copied(other))
        return row

    def _tested(self, name: str, row: Any, at: ast.AST) -> Any:
        inner = self._written(row)
        test = f"if __element:\n return {name == 'any'}"
        if name == "all":
            test = "if not __element:\n return False"
        loop = self._loop(inner, parse(test, at, element=inner.elt))
        return self._lift(name, "", loop, f"return {name == 'all'}", at)

    def _summed(self, node: ast.Call) -> Any:
        inner = self._written(node.args[0])
        begin = [self.visit(n) for n in (*node.args[1:], *(k.value for k in node.keywords))]
        first: Any = begin[0] if begin else ast.Constant(0)
        step = "new_ = __element\nif empty_:\n total_ = begin_ + new_\n empty_ = False\n"
        step += "else:\n total_ = total_ + new_"
        loop = self._loop(inner, parse(step, node, element=inner.elt))
        after = "return _like(begin_, total_) if empty_ else total_"
        return self._lift("sum", "begin_ = __first\nempty_ = True", loop, after, node, first=first)

    def _extreme(self, name: str, node: ast.Call) -> Any:
        given = {k.arg: k.value for k in node.keywords}
        inner = self._written(node.args[0])
        worth: Any = expression("new_", node)
        if "key" in given:
            self.scope.add("new_")
            worth = self.visit(self._applied(given["key"], [worth]))
            self.scope.discard("new_")
        sign = "<" if name == "min" else ">"
        step = "new_ = __element\nworth_ = __how\nif empty_:\n best_ = new_\n most_ = worth_\n"
        step += (
            f" empty_ = False\nelse:\n if worth_ {sign} most_:\n  best_ = new_\n  most_ = worth_"
        )
        loop = self._loop(inner, parse(step, node, element=inner.elt, how=worth))
        after = f"if empty_:\n raise ValueError('{name} of nothing')\nreturn best_"
        parts: dict[str, Any] = {}
        if "default" in given:
            after = "return __instead if empty_ else best_"
            parts["instead"] = self.visit(given["default"])
        return self._lift(name, "empty_ = True", loop, after, node, **parts)

    def _first(self, node: ast.Call) -> Any:
        inner = self._written(node.args[0])
        loop = self._loop(inner, parse("return __element", node, element=inner.elt))
        after, parts = "raise StopIteration", {}
        if len(node.args) > 1:
            after, parts = "return __instead", {"instead": self.visit(node.args[1])}
        return self._lift("next", "", loop, after, node, **parts)

    def _sorted(self, node: ast.Call) -> Any:
        given = {k.arg: k.value for k in node.keywords}
        inner = self._written(node.args[0])
        worth: Any = expression("new_", node)
        if "key" in given:
            self.scope.add("new_")
            worth = self.visit(self._applied(given["key"], [worth]))
            self.scope.discard("new_")
        down = self.visit(given.get("reverse", ast.Constant(False)))
        step = (
            "new_ = __element\nworth_ = __how\nmade_.append(new_)\nkeys_.append(worth_)\n"
            "k_ = len(made_) - 1\n"
            "while k_ > 0 and (keys_[k_ - 1] < worth_ if down_ else worth_ < keys_[k_ - 1]):\n"
            " made_[k_] = made_[k_ - 1]\n keys_[k_] = keys_[k_ - 1]\n k_ -= 1\n"
            "made_[k_] = new_\nkeys_[k_] = worth_"
        )
        loop = self._loop(inner, parse(step, node, element=inner.elt, how=worth))
        before = "made_ = []\nkeys_ = []\ndown_ = __order"
        return self._lift("sorted", before, loop, "return made_", node, order=down)

    def _set(self, node: Any, at: ast.AST) -> Any:
        inner = self._written(node)
        loop = self._loop(inner, parse("made_.add(__element)", at, element=inner.elt))
        return self._lift("set", "made_ = set()", loop, "return made_", at)

    def visit_SetComp(self, node: ast.SetComp) -> Any:
        return self._set(node, node)

    def visit_DictComp(self, node: ast.DictComp) -> Any:
        inner = self._written(node)
        step = parse("made_[__name] = __value", node, name=inner.key, value=inner.value)
        return self._lift("dict", "made_ = {}", self._loop(inner, step), "return made_", node)

    def visit_ListComp(self, node: ast.ListComp) -> Any:
        return self._row(node, "list", node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Any:
        return self._row(node, "list", node)

    def _row(self, row: Any, kind: str, at: ast.AST, field: Any = None, heap: bool = False) -> Any:
        """A list or tuple, of known length where there is one."""
        iterated = self._lazy(row) or self._calls(row, "range", "enumerate", "zip", "sorted")
        if not iterated and not (heap and kind == "list"):
            if isinstance(row, (ast.List, ast.Tuple)):
                return self._display(row, kind, at)
            if field is None:
                self.changed = True
                return expression(f"_{kind}(__row)", at, row=self.visit(row))
        counted = self._counted(row)
        inner = self._written(row)
        loop = self._loop(inner, parse("made_.append(__element)", at, element=copied(inner.elt)))
        body = parse("made_ = []", at) + loop + parse("return made_", at)
        if heap:
            name, given = self._new("list"), self._free(body)
            self._define(name, given, body, at)
            return self._call(name, given, at)
        step = f"new_ = __element\n{STORE}"
        inner = copied(inner)
        fill = parse("count_ = 0", at) + self._loop(inner, parse(step, at, element=inner.elt))
        fill += parse(LOADED, at)
        name, given = self._new(kind), self._free(body)
        names = self._free([counted])
        like = [p for p in self.parameters if field] if field else []
        every = sorted({*given, *names, *like})
        self._define(f"{name}_grown", every, body, at)
        self._define(f"{name}_filled", every, fill, at)
        self._define(f"{name}_counted", every, parse("return __rows", at, rows=counted), at)
        self._define(name, every, parse("raise NotImplementedError", at), at)
        source = row.id if isinstance(row, ast.Name) else ""
        if source:
            self._define(f"{name}_plain", every, parse(f"return _tuple({source})", at), at)
        self.forms.append(Form(name, kind, tuple(every), field, source))
        return self._call(name, every, at)

    def _counted(self, row: Any) -> Any:
        """A list as long as a row, from names that are known before the code runs."""
        row = copied(self._as_comprehension(row))
        row = ast.copy_location(ast.ListComp(ast.Constant(0), row.generators), row)
        return self._expanded(row, 8)

    def _expanded(self, node: Any, depth: int) -> Any:
        once = self.once

        class Expand(ast.NodeTransformer):
            def visit_Name(self, node: ast.Name) -> Any:
                if isinstance(node.ctx, ast.Load) and node.id in once and depth:
                    return copied(once[node.id])
                return node

        for _ in range(depth):
            node = Expand().visit(node)
        return node

    def _display(self, node: Any, kind: str, at: ast.AST) -> Any:
        self.changed = True
        row = ast.copy_location(ast.Tuple([self.visit(e) for e in node.elts], ast.Load()), at)
        return expression(f"_{kind}_of(__row)", at, row=row)

    def visit_List(self, node: ast.List) -> Any:
        """A list of known length."""
        if not isinstance(node.ctx, ast.Load) or not node.elts:
            return self.generic_visit(node)
        return self._display(node, "list", node)

    def visit_Set(self, node: ast.Set) -> Any:
        """A set of what is shown."""
        self.changed = True
        return expression("set(__row)", node, row=self._display(node, "list", node))

    def visit_Dict(self, node: ast.Dict) -> Any:
        """A dict of constants is a table."""
        try:
            found = ast.literal_eval(node)
        except (ValueError, TypeError):
            return self.generic_visit(node)
        if not found:
            return node
        name = self._new("dict")
        self.constants[name] = found
        return expression(name, node)

    def visit_Compare(self, node: ast.Compare) -> Any:
        """`x in [a, b]`."""
        for k, (sign, row) in enumerate(zip(node.ops, node.comparators, strict=True)):
            if isinstance(sign, (ast.In, ast.NotIn)) and isinstance(row, (ast.List, ast.Set)):
                self.changed = True
                made = ast.Tuple(row.elts, ast.Load())
                node.comparators[k] = ast.copy_location(made, row)
        return self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        """`[0] * n`, and `row[:i] + (x,) + row[i + 1:]`."""
        if isinstance(node.op, ast.Mult):
            for shown, times in ((node.left, node.right), (node.right, node.left)):
                if isinstance(shown, (ast.List, ast.Tuple)) and shown.elts:
                    kind = "list" if isinstance(shown, ast.List) else "tuple"
                    row = expression("[_m0 for _ in range(__times)]", node, times=times)
                    if len(shown.elts) == 1:
                        row.elt = shown.elts[0]
                    else:
                        row = expression(
                            "[_m0 for _ in range(__times) for _m0 in __shown]",
                            node, times=times, shown=ast.Tuple(shown.elts, ast.Load()),
                        )  # fmt: skip
                    return self._row(row, kind, node)
        if isinstance(node.op, ast.Add):
            parts = list(self._added(node))
            if len(parts) == 3 and isinstance(parts[1], ast.Tuple) and len(parts[1].elts) == 1:
                found = self._replaced(parts[0], parts[1].elts[0], parts[2], node)
                if found is not None:
                    return found
        return self.generic_visit(node)

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        """`(*row[:i], x, *row[i + 1:])`."""
        if len(node.elts) == 3 and isinstance(node.elts[0], ast.Starred):
            first, value, last = node.elts
            if (
                isinstance(first, ast.Starred)
                and isinstance(last, ast.Starred)
                and not isinstance(value, ast.Starred)
            ):
                found = self._replaced(first.value, value, last.value, node)
                if found is not None:
                    return found
        return self.generic_visit(node)

    def _added(self, node: Any) -> Iterator[Any]:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            yield from self._added(node.left)
            yield from self._added(node.right)
        else:
            yield node

    def _replaced(self, first: Any, value: Any, last: Any, at: ast.AST) -> Any:
        slices: list[Any] = [getattr(n, "slice", None) for n in (first, last)]
        if not all(isinstance(s, ast.Slice) and s.step is None for s in slices):
            return None
        begin, end = slices
        if begin.lower or end.upper or not begin.upper or not end.lower:
            return None
        after = expression("__index + 1", at, index=begin.upper)
        same = ast.dump(first.value) == ast.dump(last.value)
        numbers: list[Any] = [
            n.value if isinstance(n, ast.Constant) else 0 for n in (begin.upper, end.lower)
        ]
        following = ast.dump(after) == ast.dump(end.lower) or (
            isinstance(begin.upper, ast.Constant) and numbers[1] == numbers[0] + 1
        )
        if not (same and following):
            return None
        self.changed = True
        row, index, value = (self.visit(n) for n in (first.value, begin.upper, value))
        return expression("_put(__row, __index, __value)", at, row=row, index=index, value=value)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        """A part of a row whose ends are computed."""
        part = node.slice
        if isinstance(node.ctx, ast.Load) and isinstance(part, ast.Slice):
            ends = [part.lower, part.upper, part.step]
            if not all(e is None or _constant(e) for e in ends):
                return self._sliced(node)
        return self.generic_visit(node)

    def _sliced(self, node: Any) -> Any:
        counted = self._expanded(copied(node), 8)
        part = node.slice
        row = self.visit(node.value)
        low, high, step = (
            self.visit(e) if e else ast.Constant(None) for e in (part.lower, part.upper, part.step)
        )
        ends = {"low": low, "high": high, "step": step}
        begin = parse("row_ = __source", node, source=row)
        looped = "ends_ = _ends(__low, __high, __step, len(row_))\n"
        looped += "for k_ in range(ends_[0], ends_[1], ends_[2]):\n new_ = row_[k_]\n"
        after = " made_.append(new_)\nreturn made_"
        body = begin + parse(f"made_ = []\n{looped}{after}", node, **copied_parts(ends))
        stored_ = STORE.replace("\n", "\n ")
        text = f"count_ = 0\n{looped} {stored_}\n{LOADED}"
        fill = copied(begin) + parse(text, node, **copied_parts(ends))
        text = "return row_[__low:__high:__step]"
        plain = copied(begin) + parse(text, node, **copied_parts(ends))
        name, given = self._new("slice"), self._free(body)
        every = sorted({*given, *self._free([counted])})
        self._define(f"{name}_grown", every, body, node)
        self._define(f"{name}_filled", every, fill, node)
        self._define(f"{name}_counted", every, parse("return __rows", node, rows=counted), node)
        self._define(f"{name}_plain", every, plain, node)
        self._define(f"{name}_source", every, copied(begin) + parse("return row_", node), node)
        self._define(name, every, parse("raise NotImplementedError", node), node)
        self.forms.append(Form(name, "slice", tuple(every)))
        return self._call(name, every, node)

    # Statements ---------------------------------------------------------------------------------

    def _statements(self, node: Any) -> list[Any]:
        found = self.visit(node)
        return found if isinstance(found, list) else [] if found is None else [found]

    def _block(self, body: list[Any]) -> list[Any]:
        made = [s for statement in body for s in self._statements(statement)]
        return made or parse("pass", body[0])

    def visit_Import(self, node: ast.Import) -> Any:
        """Its names are known where the code is linked."""
        self.changed = True
        return parse("pass", node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Any:
        self.changed = True
        return parse("pass", node)

    def _bound(self, value: Any, name: str) -> Any:
        """What an assignment gives to a name."""
        if name in self.lists.heap:
            return self._heap(value)
        field = self.lists.lengths.get(name)
        if field and self._calls(value, "tuple") and len(value.args) == 1:
            return self._row(value.args[0], "tuple", value, field)
        return self.visit(value)

    def _heap(self, value: Any) -> Any:
        """The value of a list that grows, or that has several names: Numba's own."""
        if isinstance(value, ast.List):
            value.elts = [self.visit(e) for e in value.elts]
            return value
        if isinstance(value, (ast.ListComp, ast.GeneratorExp)):
            return self._row(value, "list", value, heap=True)
        if self._calls(value, "list") and len(value.args) == 1:
            return self._row(value.args[0], "list", value, heap=True)
        if isinstance(value, ast.Dict):
            return self.generic_visit(value)
        if self._queue(value):
            given = (
                value.args[0] if value.args else ast.copy_location(ast.List([], ast.Load()), value)
            )
            self.changed = True
            shown = isinstance(given, ast.List)
            return self._heap(given) if shown else self._row(given, "list", value, heap=True)
        if isinstance(value, ast.BinOp):
            value.left, value.right = self._heap(value.left), self._heap(value.right)
            return value
        return self.visit(value)

    def visit_Assign(self, node: ast.Assign) -> Any:
        """`row[i] = x` changes what the name stands for."""
        target = node.targets[0]
        if len(node.targets) == 1:
            if isinstance(target, ast.Name):
                node.value = self._bound(node.value, target.id)
                return node
            if self._changes(target):
                return self._set_at(target, self.visit(node.value), node)
            if isinstance(target, ast.Tuple) and any(self._changes(t) for t in target.elts):
                return self._set_several(target, node)
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                names = {t.id for t in target.elts if isinstance(t, ast.Name)}
                starred = any(isinstance(t, ast.Starred) for t in [*target.elts, *node.value.elts])
                if not starred and names & self.lists.heap:
                    return self._each(target.elts, node.value.elts, node)
        elif any(self._changes(t) for t in node.targets):
            return self._set_several(ast.Tuple(node.targets, ast.Store()), node, same=True)
        node.value = self.visit(node.value)
        node.targets = [self.visit(t) for t in node.targets]
        return node

    def _each(self, targets: list[Any], values: list[Any], at: ast.AST) -> list[Any]:
        """`row, n = [], 0` one after the other, all values first."""
        self.changed = True
        first: list[Any] = []
        then: list[Any] = []
        for target, value in zip(targets, values, strict=True):
            self.count += 1
            name = f"_part_{self.count}"
            self.scope.add(name)
            made = self._bound(value, getattr(target, "id", ""))
            first += parse(f"{name} = __value", at, value=made)
            then.append(ast.copy_location(ast.Assign([target], expression(name, at)), at))
        return first + then

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return parse("pass", node)
        made = ast.Assign([node.target], node.value)
        return self.visit_Assign(ast.copy_location(made, node))

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        if isinstance(node.target, ast.Name) and node.target.id in self.lists.heap:
            node.value = self._heap(node.value)
            return node
        if not self._changes(node.target):
            return self.generic_visit(node)
        target: Any = node.target
        steps: list[Any] = []
        names: list[str] = []
        while isinstance(target, ast.Subscript):
            self.count += 1
            names.insert(0, f"_index_{self.count}")
            self.scope.add(names[0])
            steps[:0] = parse(f"{names[0]} = __index", node, index=self.visit(target.slice))
            target = target.value
        place = target.id + "".join(f"[{n}]" for n in names)
        old = expression(place, node)
        value = ast.copy_location(ast.BinOp(old, node.op, self.visit(node.value)), node)
        return steps + self._set_at(expression(place, node), value, node)

    def _changes(self, node: Any) -> bool:
        return isinstance(node, ast.Subscript) and root(node) in self.lists.values

    def _set_at(self, target: Any, value: Any, at: ast.AST) -> list[Any]:
        """The statement that gives a row one other element."""
        self.changed = True
        while isinstance(target, ast.Subscript):
            row = copied(target.value)
            for inner in ast.walk(row):
                if hasattr(inner, "ctx"):
                    inner.ctx = ast.Load()
            index = self.visit(target.slice)
            value = expression(
                "_set(__row, __index, __value)", at, row=row, index=index, value=value
            )
            target = target.value
        return parse(f"{target.id} = __value", at, value=value)

    def _set_several(self, target: ast.Tuple, node: ast.Assign, same: bool = False) -> list[Any]:
        """Several targets, some of them elements of rows: each gets a part, or all the same."""
        names = []
        for _ in target.elts[: 1 if same else None]:
            self.count += 1
            names.append(f"_part_{self.count}")
        self.scope |= set(names)
        left = names[0] if same else f"{', '.join(names)},"
        made = parse(f"{left} = __value", node, value=self.visit(node.value))
        names = names * len(target.elts) if same else names
        for name, part in zip(names, target.elts, strict=True):
            value = expression(name, node)
            if self._changes(part):
                made += self._set_at(part, value, node)
            else:
                made.append(ast.copy_location(ast.Assign([self.visit(part)], value), node))
        return made

    def visit_Expr(self, node: ast.Expr) -> Any:
        """`yield from`."""
        if isinstance(node.value, ast.YieldFrom):
            self.changed = True
            self.count += 1
            name = f"_each_{self.count}"
            self.scope.add(name)
            made = parse(f"for {name} in __rows:\n yield {name}", node, rows=node.value.value)
            return self.visit_For(made[0])
        return self.generic_visit(node)

    def visit_For(self, node: ast.For) -> Any:
        """A loop over what is made on the way becomes loops over what it is made from."""
        walked = self._walked(node.iter)
        if walked is not None and walked.id in self.lists.values and _sets(node.body, walked.id):
            return self._walk(node, walked)
        if isinstance(node.iter, (ast.Tuple, ast.List)) or self._calls(node.iter, "list", "tuple"):
            given = getattr(node.iter, "args", None)
            if given and len(given) == 1 and self._lazy(given[0]):
                node.iter = given[0]
        if self._lazy(node.iter) and self._inlines(node):
            self.changed = True
            inner = self._written(node.iter)
            body = [ast.copy_location(ast.Assign([node.target], inner.elt), node.iter)]
            return self._loop(inner, body + self._block(node.body))
        node.iter = self.visit(node.iter)
        node.body, node.orelse = self._block(node.body), [
            s for statement in node.orelse for s in self._statements(statement)
        ]  # fmt: skip
        return node

    def _inlines(self, node: ast.For) -> bool:
        """Whether a loop over a comprehension may run inside the comprehension's own loops."""
        row = self._as_comprehension(node.iter)
        if node.orelse:
            return False
        jumps = any(isinstance(n, ast.Break) for s in node.body for n in ast.walk(s))
        if jumps and len(row.generators) > 1:
            return False
        if isinstance(row, ast.GeneratorExp):
            return True
        bound = {n for s in node.body for n in stored(s)} | set(stored(node.target))
        for inner in (n for s in node.body for n in ast.walk(s)):
            if isinstance(inner, ast.Subscript) and not isinstance(inner.ctx, ast.Load):
                bound.add(root(inner) or "")
        bound |= self.lists.heap
        return bound.isdisjoint(
            n.id for n in ast.walk(row) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
        ) or bound.isdisjoint(set(self._free([row])) - set(stored(row)))

    def _walk(self, node: ast.For, row: ast.Name) -> Any:
        """A loop along a row that it changes: by index, so that changes are seen."""
        self.changed = True
        self.count += 1
        index = f"_at_{self.count}"
        self.scope.add(index)
        pair = f"({index}, {row.id}[{index}])"
        value = pair if isinstance(node.iter, ast.Call) else f"{row.id}[{index}]"
        begin = ast.copy_location(ast.Assign([node.target], expression(value, node)), node)
        made = parse(f"for {index} in range(len({row.id})):\n pass", node)[0]
        made.body = [begin, *self._block(node.body)]
        made.orelse = [s for statement in node.orelse for s in self._statements(statement)]
        return made

    def visit_Return(self, node: ast.Return) -> Any:
        """Lists that come from several places are of one kind."""
        if self.several and node.value is not None:
            node.value = self._heap(node.value)
            return node
        return self.generic_visit(node)

    def visit_If(self, node: Any) -> Any:
        node.test = self.visit(node.test)
        node.body = self._block(node.body)
        node.orelse = [s for statement in node.orelse for s in self._statements(statement)]
        return node

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        self.scope |= {a.arg for a in node.args.args}
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        self.scope |= {a.arg for a in node.args.args} | set(stored(node)) | {node.name}
        return self.generic_visit(node)


def _yields(tree: ast.AST) -> bool:
    return any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in ast.walk(tree))


def _constant(node: Any) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Constant)


def _sets(body: list[Any], name: str) -> bool:
    return any(
        isinstance(n, ast.Subscript) and not isinstance(n.ctx, ast.Load) and root(n) == name
        for statement in body
        for n in ast.walk(statement)
    )


class _Collecting(ast.NodeTransformer):
    """Yields become elements of a list."""

    def visit_Expr(self, node: ast.Expr) -> Any:
        if not isinstance(node.value, ast.Yield):
            return node
        text = "if seen_ >= skipped_:\n made_.append(__value)\n if len(made_) == _most(made_):\n"
        text += "  return _chunk(made_, True)\nseen_ += 1"
        return parse(text, node, value=node.value.value or ast.Constant(None))

    def visit_Return(self, node: ast.Return) -> Any:
        return parse("return _chunk(made_, False)", node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        return node


def collecting(main: ast.FunctionDef) -> ast.FunctionDef:
    """A generator as a plain function: so many of its values at most, after so many others."""
    inner = _Collecting()
    body = parse("made_ = []\nseen_ = 0", main)
    for statement in main.body:
        found = inner.visit(statement)
        body += found if isinstance(found, list) else [found]
    body += parse("return _chunk(made_, False)", main)
    given = copied(main.args)
    given.args.append(ast.arg("skipped_"))
    given.defaults = []
    return ast.copy_location(ast.FunctionDef(main.name, given, body, []), main)
