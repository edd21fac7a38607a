"""Rewrites operators, tuples and subscripts of rows."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from strategies.native.compiler.builtin_calls import BuiltinCalls
from strategies.native.compiler.facts import LOADED, STORE
from strategies.native.compiler.known_lengths import Form
from strategies.native.compiler.syntax import copied, copied_parts, expression, is_constant, parse


class Operators(BuiltinCalls):
    """Rewrites expressions that slice, join and compare rows."""

    def visit_Compare(self, node: ast.Compare) -> Any:
        """Rewrite `x in [a, b]`."""
        for k, (sign, row) in enumerate(zip(node.ops, node.comparators, strict=True)):
            if isinstance(sign, (ast.In, ast.NotIn)) and isinstance(row, (ast.List, ast.Set)):
                self.changed = True
                made = ast.Tuple(row.elts, ast.Load())
                node.comparators[k] = ast.copy_location(made, row)
        return self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        """Rewrite `[0] * n`, and `row[:i] + (x,) + row[i + 1:]`."""
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
            if len(parts) == 3 and isinstance(parts[1], ast.Tuple):
                found = self._replaced(parts[0], parts[1].elts, parts[2], node)
                if found is not None:
                    return found
        return self.generic_visit(node)

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        """Rewrite `(*row[:i], x, *row[i + 1:])`."""
        if len(node.elts) > 2:
            first, *values, last = node.elts
            if isinstance(first, ast.Starred) and isinstance(last, ast.Starred):
                found = self._replaced(first.value, values, last.value, node)
                if found is not None:
                    return found
        return self.generic_visit(node)

    def _added(self, node: Any) -> Iterator[Any]:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            yield from self._added(node.left)
            yield from self._added(node.right)
        else:
            yield node

    def _replaced(self, first: Any, values: list[Any], last: Any, at: ast.AST) -> Any:
        """Return a row with as many elements replaced, if three parts make that; else None."""
        slices: list[Any] = [getattr(n, "slice", None) for n in (first, last)]
        if not all(isinstance(s, ast.Slice) and s.step is None for s in slices):
            return None
        begin, end = slices
        if begin.lower or end.upper or not begin.upper or not end.lower:
            return None
        if not values or any(isinstance(value, ast.Starred) for value in values):
            return None
        base, index = _offset(begin.upper)
        same = ast.dump(first.value) == ast.dump(last.value)
        if not same or _offset(end.lower) != (base, index + len(values)):
            return None
        if not base and len(values) > 1:  # parts between constants may differ in type
            return None
        self.changed = True
        new = ast.copy_location(ast.Tuple([self.visit(n) for n in values], ast.Load()), at)
        row, start = self.visit(first.value), self.visit(begin.upper)
        return expression("_put_all(__row, __index, __new)", at, row=row, index=start, new=new)

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        """Put `[a, b] if … else [c]` on the heap, where lists of different lengths have one
        type."""
        shown = list(_choices(node))
        if len({len(n.elts) if isinstance(n, ast.List) else -1 for n in shown}) > 1 and all(
            isinstance(n, ast.List) and not any(isinstance(e, ast.Starred) for e in n.elts)
            for n in shown
        ):
            for row in shown:
                row.elts = [self.visit(e) for e in row.elts]
            return self._tests_of(node)
        return self.generic_visit(node)

    def _tests_of(self, node: Any) -> Any:
        if isinstance(node, ast.IfExp):
            self.changed = True
            node.test = self.visit(node.test)
            node.body, node.orelse = self._tests_of(node.body), self._tests_of(node.orelse)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        """Rewrite a slice with computed ends; and `row[True]`, which is `row[1]`."""
        part = node.slice
        if isinstance(part, ast.Constant) and isinstance(part.value, bool):
            part.value = int(part.value)
            self.changed = True
        if isinstance(node.ctx, ast.Load) and isinstance(part, ast.Slice):
            ends = [part.lower, part.upper, part.step]
            if not all(e is None or is_constant(e) for e in ends):
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


def _choices(node: ast.expr) -> Iterator[Any]:
    """Yield the possible results of a conditional expression."""
    if isinstance(node, ast.IfExp):
        yield from _choices(node.body)
        yield from _choices(node.orelse)
    else:
        yield node


def _offset(node: Any) -> tuple[str, int]:
    """Split an index into its base and the number added: `i + 2` is 2 from `i`."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return "", node.value
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        for part, other in ((node.left, node.right), (node.right, node.left)):
            number, added = getattr(other, "value", None), isinstance(node.op, ast.Add)
            if type(number) is int and (added or other is node.right):
                base, before = _offset(part)
                return base, before + (number if added else -number)
    return ast.dump(node), 0
