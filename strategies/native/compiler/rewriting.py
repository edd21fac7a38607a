"""Rewrites comprehensions, generator expressions and lists of a rule as loops over numbers.

Each becomes a function of its own whose parameters are the local names that it reads.  A list that
only this rule changes is a value: `row[i] = x` binds the name to the changed row.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from strategies.native.compiler.facts import GENERATED
from strategies.native.compiler.loops import Loops
from strategies.native.compiler.syntax import (
    copied,
    expression,
    parse,
    read,
    root,
    stored,
    yields,
)


class Rewriter(Loops):
    """Rewrites one function; its parts become further functions."""

    def run(self) -> ast.FunctionDef:
        """Return the new definition of the function."""
        if not yields(self.tree) and (self.tree.name in GENERATED or self.returns_lazy()):
            self.yield_instead()
        body = self._all_statements(self.tree.body)
        made = ast.FunctionDef(self.tree.name, self.tree.args, body, [])
        return ast.copy_location(made, self.tree)

    def visit_Import(self, node: ast.Import) -> Any:
        """Remove an import, whose names are resolved when the code is linked."""
        self.changed = True
        return parse("pass", node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Any:
        self.changed = True
        return parse("pass", node)

    def _bound(self, value: Any, name: str) -> Any:
        """Return the value of an assignment to a name."""
        if name in self.lists.heap:
            return self._heap(value)
        field = self.lists.lengths.get(name)
        if field and self._calls(value, "tuple") and len(value.args) == 1:
            return self._row(value.args[0], "tuple", value, field)
        return self.visit(value)

    def _heap(self, value: Any) -> Any:
        """Return the value of a list that grows, or that has several names, as a list of
        Numba's."""
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
        """Rewrite `row[i] = x` as a new value of the name."""
        target = node.targets[0]
        if len(node.targets) == 1:
            if isinstance(target, ast.Name):
                node.value = self._bound(node.value, target.id)
                return node
            if self._changes(target):
                return self._set_at(target, self.visit(node.value), node)
            if isinstance(target, ast.Tuple) and self._unpacks(target):
                return self._unpacked(target.elts, node)
            if isinstance(target, ast.Tuple) and any(self._changes(t) for t in target.elts):
                return self._set_several(target, node)
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                names = {t.id for t in target.elts if isinstance(t, ast.Name)}
                starred = any(isinstance(t, ast.Starred) for t in [*target.elts, *node.value.elts])
                if not starred and names & self.lists.heap:
                    return self._each(target.elts, node.value.elts, node)
            if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
                node.value = self._copied_list(node.value)
        elif any(self._changes(t) for t in node.targets):
            return self._set_several(ast.Tuple(node.targets, ast.Store()), node, same=True)
        node.value = self.visit(node.value)
        node.targets = [self.visit(t) for t in node.targets]
        return node

    def _copied_list(self, value: Any) -> Any:
        """Copy a list that may be the one it is inserted into: Numba's reads it meanwhile."""
        if not isinstance(value, (ast.Name, ast.IfExp)):
            return value
        self.changed = True
        return expression("__row[:]", value, row=value)

    def _unpacks(self, target: ast.Tuple) -> bool:
        """Return whether a target unpacks a row into names, one of them starred, that nothing
        changes."""
        names = [t.value if isinstance(t, ast.Starred) else t for t in target.elts]
        changed = self.lists.heap | self.lists.values
        plain = all(isinstance(n, ast.Name) and n.id not in changed for n in names)
        return plain and any(isinstance(t, ast.Starred) for t in target.elts)

    def _unpacked(self, targets: list[Any], node: ast.Assign) -> list[Any]:
        """Rewrite `first, *rest = row`, one name after the other."""
        self.changed = True
        row = self._new_name("part")
        made = parse(f"{row} = __value", node, value=self.visit(node.value))
        star = next(k for k, t in enumerate(targets) if isinstance(t, ast.Starred))
        after = len(targets) - star - 1
        for k, target in enumerate(targets):
            index: Any = k if k < star else k - len(targets)
            name = target.value.id if k == star else target.id
            rest = f"list({row}[{star}:{-after or ''}])"
            text = f"{name} = {rest if k == star else f'{row}[{index}]'}"
            made += self._statements(parse(text, node)[0])
        return made

    def _each(self, targets: list[Any], values: list[Any], at: ast.AST) -> list[Any]:
        """Rewrite `row, n = [], 0` one name after the other, all values first."""
        self.changed = True
        first: list[Any] = []
        then: list[Any] = []
        for target, value in zip(targets, values, strict=True):
            name = self._new_name("part")
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
            if isinstance(node.op, ast.Add) and not self._linked({node.target.id}) & read(
                node.value
            ):
                return self._appended(node.target.id, node.value, node)
            node.value = self._heap(node.value)
            return node
        if not self._changes(node.target):
            return self.generic_visit(node)
        target: Any = node.target
        steps: list[Any] = []
        names: list[str] = []
        while isinstance(target, ast.Subscript):
            names.insert(0, self._new_name("index"))
            steps[:0] = parse(f"{names[0]} = __index", node, index=self.visit(target.slice))
            target = target.value
        place = target.id + "".join(f"[{n}]" for n in names)
        old = expression(place, node)
        value = ast.copy_location(ast.BinOp(old, node.op, self.visit(node.value)), node)
        return steps + self._set_at(expression(place, node), value, node)

    def _appended(self, name: str, rows: Any, at: ast.AST) -> Any:
        """Rewrite `row += rows` as a loop that appends, from which Numba knows the type of `[]`."""
        self.changed = True
        each = self._new_name("each")
        (made,) = parse(f"for {each} in __rows:\n {name}.append({each})", at, rows=rows)
        return self.visit_For(made)

    def visit_Delete(self, node: ast.Delete) -> Any:
        """Rewrite `del row[i]` as `row.pop(i)`, which Numba knows."""
        if any(
            isinstance(part, ast.Slice) and part.step for t in node.targets for part in ast.walk(t)
        ):
            self.changed = True
            return parse("_deleted_by_steps()", node)
        if not all(
            isinstance(t, ast.Subscript) and not isinstance(t.slice, ast.Slice)
            for t in node.targets
        ):
            return self.generic_visit(node)
        self.changed = True
        return [
            parse("__row.pop(__index)", node, row=t.value, index=self.visit(t.slice))[0]  # type: ignore[attr-defined]
            for t in node.targets
        ]

    def _changes(self, node: Any) -> bool:
        return isinstance(node, ast.Subscript) and root(node) in self.lists.values

    def _set_at(self, target: Any, value: Any, at: ast.AST) -> list[Any]:
        """Return the statements that give a row another element."""
        self.changed = True
        steps: list[Any] = []
        if any(not isinstance(i, (ast.Name, ast.Constant)) for i in _repeated(target)):
            value = self._kept_as("value", value, at, steps)
            for place in reversed(list(_places(target))):
                place.slice = self._kept_as("index", self.visit(place.slice), at, steps)
        while isinstance(target, ast.Subscript):
            row = copied(target.value)
            place = row
            while isinstance(place, ast.Subscript):
                place.ctx, place = ast.Load(), place.value
            place.ctx = ast.Load()
            index = self.visit(target.slice)
            value = expression(
                "_set(__row, __index, __value)", at, row=row, index=index, value=value
            )
            target = target.value
        return [*steps, *parse(f"{target.id} = __value", at, value=value)]

    def _kept_as(self, word: str, value: Any, at: ast.AST, steps: list[Any]) -> Any:
        """Return a new name for a value; the assignment becomes one more step."""
        name = self._new_name(word)
        steps += parse(f"{name} = __value", at, value=value)
        return expression(name, at)

    def _set_several(self, target: ast.Tuple, node: ast.Assign, same: bool = False) -> list[Any]:
        """Rewrite several targets, some of them elements of rows: each gets a part, or all the
        same."""
        names = [self._new_name("part") for _ in target.elts[: 1 if same else None]]
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
        """Rewrite `yield from`, and sorting in place."""
        if isinstance(node.value, ast.YieldFrom):
            self.changed = True
            name = self._new_name("each")
            made = parse(f"for {name} in __rows:\n yield {name}", node, rows=node.value.value)
            return self.visit_For(made[0])
        if self._sorts(node.value):
            return self._sorted_in_place(node.value, node)
        return self.generic_visit(node)

    def _sorts(self, node: Any) -> bool:
        """Return whether a call sorts a list in place."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return False
        return node.func.attr == "sort" and not node.args and root(node.func.value) is not None

    def _sorted_in_place(self, call: Any, at: ast.AST) -> Any:
        """Rewrite it as `row[:] = sorted(row, …)`: Numba's own changes the order of equal elements,
        and takes three seconds to compile."""
        row = call.func.value
        (made,) = parse("__row[:] = sorted(__same)", at, row=row, same=copied(row))
        made.value.keywords = call.keywords
        return self.visit(made)

    def visit_Return(self, node: ast.Return) -> Any:
        """Put lists that several statements return on the heap, so that they have one type."""
        if self.several and node.value is not None:
            node.value = self._heap(node.value)
            return node
        return self.generic_visit(node)

    def visit_If(self, node: Any) -> Any:
        node.test = self.visit(node.test)
        node.body = self._block(node.body)
        node.orelse = self._all_statements(node.orelse)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        self._by_position(node.args)
        self.scope |= {a.arg for a in node.args.args}
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        self._by_position(node.args)
        self.scope |= {a.arg for a in node.args.args} | set(stored(node)) | {node.name}
        return self.generic_visit(node)

    def _by_position(self, given: ast.arguments) -> None:
        """Turn keyword-only arguments into plain ones, if their order allows."""
        early = given.defaults and any(default is None for default in given.kw_defaults)
        if given.kwonlyargs and not early and not given.vararg:
            self.changed = True
            pairs = list(zip(given.kwonlyargs, given.kw_defaults, strict=True))
            given.args += [a for a, d in pairs if d is None] + [
                a for a, d in pairs if d is not None
            ]
            given.defaults += [d for _, d in pairs if d is not None]
            given.kwonlyargs, given.kw_defaults = [], []


def _places(node: Any) -> Iterator[Any]:
    """Yield the subscripts in `name[…][…]`, the last one first."""
    while isinstance(node, ast.Subscript):
        yield node
        node = node.value


def _repeated(target: Any) -> list[Any]:
    """Return the indices of a target that lead to a row of a board, which is read and written."""
    return [place.slice for place in _places(target)][1:]


class _Collecting(ast.NodeTransformer):
    """Turns yields into elements of a list."""

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
    """Rewrite a generator as a plain function that returns some of its values, after skipping
    others."""
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
