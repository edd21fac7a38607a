"""Loops over rows that are computed on the way: the body runs inside the loops that make the row.

Python computes a generator expression, and the results of `map`, `filter`, `enumerate`, `zip` and
`reversed`, step by step: they see what the body changes.  A list is computed before the first step.
"""

from __future__ import annotations

import ast
from typing import Any

from strategies.native.compiler.generated import Generated
from strategies.native.compiler.syntax import (
    assigned_places,
    copied,
    expression,
    leaves,
    may_raise,
    parse,
    returns,
)


class Loops(Generated):
    """Rewrites `for` loops."""

    def _statements(self, node: Any) -> list[Any]:
        found = self.visit(node)
        return found if isinstance(found, list) else [] if found is None else [found]

    def _all_statements(self, body: list[Any]) -> list[Any]:
        return [s for statement in body for s in self._statements(statement)]

    def _block(self, body: list[Any]) -> list[Any]:
        return self._all_statements(body) or parse("pass", body[0])

    def visit_For(self, node: ast.For) -> Any:
        """Rewrite a loop over a computed row as loops over the rows that it is computed from."""
        if self._strict(node.iter) and (leaves(node.body) or returns(node.body)):
            return self._compared_last(node)
        if self._calls(node.iter, "enumerate") and self._steps(node.iter.args[0], node):  # type: ignore[attr-defined]
            return self._numbered(node)
        if self._walks(node.iter, node):
            return self._walk(node)
        between = [node.target, *node.body]
        if any(self._disturbed(part, between) for part in self._delayed(node.iter)):
            node.iter = self._in_step(node.iter)
        if self._inlines(node.iter, node):
            return self._inlined(node)
        if any(self._disturbed(part, between) for part in self._delayed(node.iter)):
            node.iter = self._refused(node.iter)
        node.iter = self._walked_once(self._listed_first(node.iter))
        node.body, node.orelse = self._block(node.body), self._all_statements(node.orelse)
        return node

    def _strict(self, row: Any) -> bool:
        """Return whether a row is a strict zip of rows that can be read twice."""
        if not self._calls(row, "zip") or [k.arg for k in row.keywords] != ["strict"]:
            return False
        flag = row.keywords[0].value
        once = any(self._kept(part) for part in row.args)
        return isinstance(flag, ast.Constant) and flag.value is True and not once

    def _compared_last(self, node: ast.For) -> list[Any]:
        """Compare the lengths of a zip after the loop, which a loop that is left early does not
        reach."""
        self.changed = True
        call: Any = node.iter
        call.keywords, steps = [], []
        for k, row in enumerate(call.args):
            if not isinstance(row, (ast.Name, ast.Attribute)):
                name = self._new_name("row")
                steps += parse(f"{name} = __row", node, row=row)
                call.args[k] = expression(name, node)
        first, *others = (copied(row) for row in call.args)
        for other in others:
            made = parse("_equally_long(__first, __other)", node, first=copied(first), other=other)
            node.orelse[:0] = made
        return self._all_statements([*steps, node])

    def _steps(self, row: Any, node: ast.For) -> bool:
        """Return whether a row is computed inside its loop, step by step."""
        if self._calls(row, "enumerate"):
            return self._steps(row.args[0], node)
        return self._walks(row, node) or self._inlines(row, node)

    def _numbered(self, node: ast.For) -> list[Any]:
        """Rewrite `enumerate` of a row that is computed step by step, with a counter."""
        self.changed = True
        number, each = self._new_name("number"), self._new_name("each")
        call: Any = node.iter
        start = [*call.args[1:], *(k.value for k in call.keywords), ast.Constant(0)][0]
        made = parse(f"{number} = __start - 1\nfor {each} in __row:\n {number} += 1",
                     node, start=start, row=call.args[0])  # fmt: skip
        pair = ast.Assign([node.target], expression(f"({number}, {each})", node))
        made[1].body += [ast.copy_location(pair, node), *node.body]
        made[1].orelse = node.orelse
        return self._all_statements(made)

    def _inlines(self, given: Any, node: ast.For) -> bool:
        """Return whether the body of a loop may run inside the loops of a comprehension."""
        row = self._as_comprehension(self._unwrapped(given))
        if not self._lazy(self._unwrapped(given)):
            return False
        if leaves(node.body) and len(row.generators) > 1:
            return False
        delayed = any(part is given for part in self._delayed(given))
        if not delayed and may_raise(row) and (leaves(node.body) or returns(node.body)):
            return False  # the whole list is made first, and may raise, wherever the loop ends
        if delayed and not self._pairs(given):
            return True
        return not self._disturbed(row, [node.target, *node.body])

    def _unwrapped(self, row: Any) -> Any:
        """Return the computed row inside `list` or `tuple`; else the row."""
        if self._calls(row, "list", "tuple") and len(row.args) == 1 and self._lazy(row.args[0]):
            return row.args[0]
        return row

    def _listed_first(self, row: Any) -> Any:
        """Return a list instead of a tuple, because its length need not be known."""
        given = self._unwrapped(row)
        if given is row:
            return row
        made = self._as_comprehension(given)
        return ast.copy_location(ast.ListComp(made.elt, made.generators), row)

    def _inlined(self, node: ast.For) -> list[Any]:
        self.changed = True
        row = self._renamed(self._as_comprehension(self._unwrapped(node.iter)))
        begin = ast.copy_location(ast.Assign([node.target], row.elt), node.iter)
        (made,) = self._loop(row, [begin, *node.body])
        made.orelse = node.orelse  # type: ignore[attr-defined]
        return self._statements(made)

    def _walks(self, row: Any, node: ast.For) -> bool:
        """Return whether a loop iterates over a list that it changes, in a way that Numba's does
        not."""
        backwards = self._calls(row, "reversed")
        listed = row.args[0] if backwards else row
        if not isinstance(listed, ast.Name):
            return False
        if listed.id in self.lists.values:
            return any(assigned_places(ast.Module(node.body, []), listed.id))
        changes = listed.id in self._changed_in_place(node.body)
        return backwards and listed.id in self.lists.heap and changes

    def _walk(self, node: ast.For) -> list[Any]:
        """Rewrite a loop over a list that it changes by index, so that changes are seen."""
        self.changed = True
        index, row = self._new_name("at"), self._new_name("row")
        call: Any = node.iter
        if self._calls(call, "reversed"):  # backwards, as long as the list is
            name, begin = call.args[0].id, []
            if name in self.lists.heap:  # the name may be bound to another list
                name, begin = row, parse(f"{row} = {name}", node)
            text = f"{index} = len({name})\nwhile 0 < {index} <= len({name}):\n {index} -= 1"
            *first, made = [*begin, *parse(text, node)]
        else:
            name, first = call.id, []
            (made,) = parse(f"for {index} in range(len({name})):\n pass", node)
        value = expression(f"{name}[{index}]", node)
        made.body += [ast.copy_location(ast.Assign([node.target], value), node)]
        made.body += self._block(node.body)
        made.orelse = self._all_statements(node.orelse)
        return [*first, made]

    def _in_step(self, row: Any) -> Any:
        """Rewrite a `zip` of rows that are computed one for one from others as a row over their
        zip."""
        if not self._calls(row, "zip"):
            return row
        delayed = list(self._delayed(row))
        lazies = [any(part is d for d in delayed) and self._lazy(part) for part in row.args]
        if not any(lazies):
            return row
        parts = [
            self._renamed(
                self._as_comprehension(part)
                if lazy
                else self._simple(part, expression("_m0", part), "_m0", part)
            )
            for part, lazy in zip(row.args, lazies, strict=True)
        ]
        single = all(len(p.generators) == 1 and not p.generators[0].ifs for p in parts)
        if not single or self._changed([row]):
            return row
        self.changed = True
        elements = ast.Tuple([part.elt for part in parts], ast.Load())
        targets = ast.Tuple([part.generators[0].target for part in parts], ast.Store())
        row.args = [part.generators[0].iter for part in parts]
        made = expression("(__elements for _ in __rows)", row, elements=elements, rows=row)
        made.generators[0].target = ast.copy_location(targets, row)
        return made
