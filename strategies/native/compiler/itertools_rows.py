"""Calls of itertools, and the members of an IntEnum, as rows that a loop can iterate over."""

from __future__ import annotations

import ast
import enum
import itertools
from typing import Any

from strategies.native.compiler.changes import Changes
from strategies.native.compiler.syntax import copied, expression

ITERTOOLS = ("product", "combinations", "permutations", "pairwise", "from_iterable")
INDEXED = (ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.List)
"""Rows whose elements can be read by index at no cost."""


class ItertoolsRows(Changes):
    """Rewrites iteration by itertools as comprehensions."""

    def _combined(self, node: Any) -> Any:
        """Return the comprehension that replaces a call of itertools; None if there is none.

        A generator expression reads its rows step by step; a list replaces functions that copy them
        first.
        """
        if not isinstance(node, ast.Call):
            return None
        named = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if named not in ITERTOOLS:
            return None
        found, rows = self._resolved(node.func), node.args
        given = {k.arg: k.value for k in node.keywords}
        if found is itertools.product:
            times = getattr(given.get("repeat"), "value", 1)
            return self._product(rows * times, node) if isinstance(times, int) else None
        if found == itertools.chain.from_iterable and len(rows) == 1:
            return expression("(_b for _a in __rows for _b in _a)", node, rows=rows[0])
        size = getattr(rows[1], "value", None) if len(rows) == 2 else None
        if found is itertools.pairwise and isinstance(rows[0], INDEXED):
            text = "((__row[_i], __row[_i + 1]) for _i in range(len(__row) - 1))"
            return copied(expression(text, node, row=rows[0]))
        if isinstance(size, int) and found is itertools.combinations:
            return self._chosen(rows[0], size, "for {1} in range({0} + 1, __end)", node)
        if isinstance(size, int) and found is itertools.permutations:
            return self._chosen(rows[0], size, "for {1} in range(__begin, __end) if {2}", node)
        return None

    def _pairs(self, node: Any) -> bool:
        """Return whether a call is one of `pairwise`, which keeps an element for the next step."""
        return isinstance(node, ast.Call) and self._resolved(node.func) is itertools.pairwise

    def _product(self, rows: list[Any], at: ast.AST) -> Any:
        names = [f"_p{k}" for k in range(len(rows))]
        loops = " ".join(f"for {name} in __{name}" for name in names)
        parts = dict(zip(names, rows, strict=True))
        made = expression(f"[({', '.join(names)},) {loops}]", at, **parts) if rows else None
        return copied(made)

    def _chosen(self, row: Any, size: int, further: str, at: ast.AST) -> Any:
        """Return combinations of `size` elements of a row, by index; `further` is the loop of all
        but the first."""
        ends = (ast.Constant(0), expression("len(__row)", at, row=row))
        ranges = self._calls(row, "range") and len(row.args) < 3
        if ranges:
            ends = (ast.Constant(0), *row.args) if len(row.args) == 1 else row.args
        elif not isinstance(row, INDEXED):
            return None
        names = [f"_i{k}" for k in range(size)]
        loops = ["for _i0 in range(__begin, __end)"]
        for k in range(1, size):
            others = " and ".join(f"{names[k]} != {other}" for other in names[:k])
            loops.append(further.format(names[k - 1], names[k], others))
        elements = ", ".join(name if ranges else f"__row[{name}]" for name in names)
        text = f"[({elements},) {' '.join(loops)}]"
        made = expression(text, at, row=row, begin=ends[0], end=ends[1]) if size else None
        return copied(made)

    def _members(self, node: Any) -> Any:
        """Return the members of an IntEnum as a tuple, if a node names one; else the node."""
        found = self._resolved(node)
        if not (isinstance(found, type) and issubclass(found, enum.IntEnum)):
            return node
        self.changed = True
        members: list[ast.expr] = [ast.copy_location(ast.Constant(int(m)), node) for m in found]
        return ast.copy_location(ast.Tuple(members, ast.Load()), node)
