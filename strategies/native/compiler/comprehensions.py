"""Rewrites comprehensions, generator expressions and calls on rows as loops."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from strategies.native.compiler.changes import BUILTINS
from strategies.native.compiler.facts import GROWS, LOADED, STORE
from strategies.native.compiler.itertools_rows import ItertoolsRows
from strategies.native.compiler.known_lengths import Form
from strategies.native.compiler.lazy_names import steady
from strategies.native.compiler.syntax import (
    Renamed,
    copied,
    expression,
    lifted,
    named,
    parse,
    stored,
)


class Comprehensions(ItertoolsRows):
    """Rewrites expressions that make rows of numbers: each becomes a function of its own."""

    def __init__(self, tree: ast.FunctionDef, *given: Any) -> None:
        super().__init__(tree, *given)
        self.refusal: list[Any] = []
        """What the rule becomes where it is refused as a whole."""
        made: list[Any] = list(ast.walk(tree))
        for node in made:
            keeps = isinstance(node, ast.Assign) and self._keeps(node.value)
            if keeps and not steady(tree, node.value, GROWS):
                node.value = expression("_kept_generator()", node)
                self.changed = True

    def _keeps(self, node: Any) -> bool:
        """Return whether a value may compute its elements later, from other rows that it holds."""
        walks = self._calls(node, "enumerate", "zip", "iter") or self._combined(node) is not None
        return (walks or isinstance(node, ast.IfExp)) and any(self._delayed(node))

    def _new(self, word: str) -> str:
        self.changed = True
        self.count += 1
        return lifted(word, self.count)

    def _free(self, nodes: list[ast.AST]) -> list[str]:
        names = {name for node in nodes for name in named(node)}
        return sorted((names & self.scope).difference(*map(stored, nodes)))

    def _define(self, name: str, given: list[str], body: list[ast.stmt], at: ast.AST) -> None:
        arguments = ast.arguments([], [ast.arg(n) for n in given], None, [], [], None, [])
        for inner in (n for statement in body for n in ast.walk(statement)):
            if isinstance(inner, ast.NamedExpr) and inner.target.id not in self.inner:
                self.refusal = parse("_assigned_inside()", at)
        made = ast.FunctionDef(name, arguments, body, [])
        self.helpers.append(ast.copy_location(made, at))

    def _lift(
        self, word: str, before: str, loop: Any, after: str, at: ast.AST, **parts: Any
    ) -> Any:
        """Create a function of statements, a comprehension's loop, and statements; return a call of
        it."""
        body = parse(before, at, **parts) + loop + parse(after, at, **parts)
        name, given = self._new(word), self._free(body)
        self._define(name, given, body, at)
        return self._call(name, given, at)

    def _call(self, name: str, given: list[str], at: ast.AST) -> Any:
        return expression(f"{name}({', '.join(given)})", at)

    def _renamed(self, node: Any) -> Any:
        """Return a comprehension whose own names are unique, and registered as local."""
        node = copied(node)
        self.count += 1
        seen: dict[str, str] = {}
        for generator in node.generators:
            generator.iter = Renamed(seen).visit(generator.iter)
            seen |= {n: f"{n}_{self.count}" for n in stored(generator.target)}
            generator.target = Renamed(seen).visit(generator.target)
            generator.ifs = [Renamed(seen).visit(n) for n in generator.ifs]
        for part in ("elt", "key", "value"):
            if hasattr(node, part):
                setattr(node, part, Renamed(seen).visit(getattr(node, part)))
        self.scope |= set(seen.values())
        return node

    def _loop(self, node: Any, body: list[ast.stmt]) -> list[ast.stmt]:
        """Return the loops of a comprehension whose parts are already rewritten."""
        for generator in reversed(node.generators):
            for test in reversed(generator.ifs):
                body = [ast.copy_location(ast.If(test, body, []), test)]
            made = ast.For(generator.target, generator.iter, body, [])
            body = [ast.copy_location(made, generator.iter)]
        return body

    def _written(self, node: Any, maps: bool = False, any_order: bool = False) -> Any:
        """Return a comprehension with its parts rewritten; filters and maps become comprehensions.

        A set or dict comprehension is a row that is iterated over, unless it is itself the result
        (`maps`).
        """
        shown = isinstance(node, (ast.SetComp, ast.DictComp)) and maps
        node = self._renamed(node if shown else self._as_comprehension(node))
        self._check_steps(node)
        for generator in node.generators:
            generator.iter = self._walked_once(generator.iter, any_order)
            generator.ifs = [self.visit(n) for n in generator.ifs]
        for part in ("elt", "key", "value"):
            if hasattr(node, part):
                setattr(node, part, self.visit(getattr(node, part)))
        return node

    def _check_steps(self, node: Any) -> None:
        """Refuse rows that the later parts of a comprehension disturb."""
        between = [getattr(node, part) for part in ("elt", "key", "value") if hasattr(node, part)]
        for generator in reversed(node.generators):
            between += generator.ifs
            if any(self._disturbed(part, between) for part in self._delayed(generator.iter)):
                generator.iter = self._refused(generator.iter)
            between.append(generator.iter)

    def _refused(self, at: ast.AST) -> Any:
        """Return a call that refuses a row which machine code would compute at another time than
        Python."""
        self.changed = True
        return expression("_changed_meanwhile()", at)

    def _walked_once(self, node: Any, any_order: bool = False) -> Any:
        """Return what a loop iterates over; a generator rule needs no list for that."""
        if self._calls(node, "enumerate") and node.args:
            if node.keywords:  # start=…, which Numba does not know
                self.changed = True
                node.args, node.keywords = [node.args[0], self.visit(node.keywords[0].value)], []
            node.args[0] = self._walked_once(node.args[0])
            return node
        may_be_set = self._may_be_set(node) and not self._calls_rule(node)
        node = self._members(node)
        made = self.generic_visit(node) if self._calls_rule(node) else self.visit(node)
        if any_order or not may_be_set:
            return made
        self.changed = True
        return expression("_in_order(__rows)", node, rows=made)

    def _may_be_set(self, node: Any) -> bool:
        """Return whether an iterable may be a set, judging by the source."""
        if isinstance(node, ast.Name):
            return node.id in self.scope - self.lists.values
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, (ast.BitOr, ast.BitAnd, ast.BitXor, ast.Sub))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            named = node.func.id
            return named in ("set", "frozenset") or not hasattr(builtins, named)
        return isinstance(node, (ast.Set, ast.SetComp, ast.Call))

    def _as_comprehension(self, node: Any) -> Any:
        if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
            return node
        combined = self._combined(node)
        if combined is not None:
            return combined
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
        return self._same(node)

    def _same(self, row: Any) -> Any:
        """Return a comprehension of all elements of a row."""
        return self._simple(row, expression("_m0", row), "_m0", row)

    def _applied(self, function: Any, given: list[Any]) -> Any:
        """Return a call of a function; a lambda is replaced by its body."""
        if isinstance(function, ast.Lambda) and len(function.args.args) == len(given):
            names = {a.arg: g.id for a, g in zip(function.args.args, given, strict=True)}
            return Renamed(names).visit(copied(function.body))
        return ast.copy_location(ast.Call(copied(function), given, []), function)

    def _simple(self, at: ast.AST, element: Any, target: str, rows: Any) -> Any:
        found = expression(f"[_m0 for {target} in _m0]", at)
        found.elt, found.generators[0].iter = element, rows
        return found

    def _lazy(self, node: Any) -> bool:
        shown = isinstance(node, (ast.GeneratorExp, ast.ListComp))
        return shown or self._calls(node, "map", "filter") or self._combined(node) is not None

    def _delayed(self, node: Any) -> Iterator[Any]:
        """Yield the parts of a row that Python computes only while a loop over it runs."""
        combined = self._combined(node)
        lazy = self._calls(node, "map", "filter") or isinstance(combined, ast.GeneratorExp)
        if lazy or isinstance(node, ast.GeneratorExp):
            yield node
        elif self._calls(node, "enumerate", "zip", "iter"):
            for part in node.args:
                yield from [part] if self._calls(part, "reversed") else self._delayed(part)
        elif isinstance(node, ast.IfExp):
            yield from (*self._delayed(node.body), *self._delayed(node.orelse))
        elif isinstance(node, ast.Call) and combined is None and not self._calls(node, *BUILTINS):
            yield from (part for part in node.args if isinstance(part, ast.GeneratorExp))

    def _loops(self, node: Any) -> bool:
        """Return whether a sum or an extreme is rewritten: Numba has its own for tuples and
        lists."""
        return self._lazy(node) or isinstance(node, (ast.Call, ast.SetComp, ast.Set))

    def _set(self, node: Any, at: ast.AST) -> Any:
        inner = self._written(node, maps=True, any_order=True)
        loop = self._loop(inner, parse("made_.add(__element)", at, element=inner.elt))
        return self._lift("set", "made_ = set()", loop, "return made_", at)

    def visit_SetComp(self, node: ast.SetComp) -> Any:
        return self._set(node, node)

    def visit_DictComp(self, node: ast.DictComp) -> Any:
        inner = self._written(node, maps=True)
        step = parse("made_[__name] = __value", node, name=inner.key, value=inner.value)
        return self._lift("dict", "made_ = {}", self._loop(inner, step), "return made_", node)

    def visit_ListComp(self, node: ast.ListComp) -> Any:
        return self._row(node, "list", node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Any:
        """Make a list at once, which only a generator expression that changes nothing allows."""
        return self._refused(node) if self._changed([node]) else self._row(node, "list", node)

    def _row(self, row: Any, kind: str, at: ast.AST, field: Any = None, heap: bool = False) -> Any:
        """Return a list or tuple, of known length if possible."""
        iterated = self._lazy(row) or self._calls(row, "range", "enumerate", "zip", "sorted")
        if not iterated and not (heap and kind == "list"):
            if isinstance(row, (ast.List, ast.Tuple)):
                return self._display(row, kind, at)
            if field is None:
                self.changed = True
                return expression(f"_{kind}(__row)", at, row=self._walked_once(row))
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
        """Return a list as long as a row, from names that are known at compile time."""
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
        starred = [isinstance(e, ast.Starred) for e in node.elts]
        if kind == "list" and any(starred):
            return self._joined(node.elts, at)
        row = ast.copy_location(ast.Tuple([self.visit(e) for e in node.elts], ast.Load()), at)
        return expression(f"_{kind}_of(__row)", at, row=row)

    def _joined(self, parts: list[Any], at: ast.AST) -> Any:
        """Rewrite `[*row, x, y]` as `list(row) + [x, y]`."""
        rows: list[Any] = []
        for starred, some in groupby(parts, key=lambda part: isinstance(part, ast.Starred)):
            if starred:
                rows += [expression("list(__row)", at, row=part.value) for part in some]
            else:
                rows.append(ast.copy_location(ast.List(list(some), ast.Load()), at))
        made = self.visit(rows[0])
        for row in rows[1:]:
            made = ast.copy_location(ast.BinOp(made, ast.Add(), self.visit(row)), at)
        return made

    def visit_List(self, node: ast.List) -> Any:
        """Rewrite a list of known length."""
        if not isinstance(node.ctx, ast.Load) or not node.elts:
            return self.generic_visit(node)
        return self._display(node, "list", node)

    def visit_Set(self, node: ast.Set) -> Any:
        """Rewrite a set display."""
        self.changed = True
        return expression("set(__row)", node, row=self._display(node, "list", node))

    def visit_Dict(self, node: ast.Dict) -> Any:
        """Turn a dict of constants into a table."""
        try:
            found = ast.literal_eval(node)
        except (ValueError, TypeError):
            return self.generic_visit(node)
        if not found:
            return node
        name = self._new("dict")
        self.constants[name] = found
        return expression(name, node)
