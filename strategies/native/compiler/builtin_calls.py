"""Rewrites calls of builtins over rows, `any` to `zip`, as loops."""

from __future__ import annotations

import ast
from typing import Any

from strategies.native.compiler.comprehensions import Comprehensions
from strategies.native.compiler.dict_lookups import looked_up
from strategies.native.compiler.sums import COMPENSATED
from strategies.native.compiler.syntax import copied, expression, may_raise, parse

INSTEAD = "instead_ = __instead"
"""The default result is computed before the first step, as in Python."""


SUM = (
    "new_ = __element\nif empty_:\n total_ = begin_ + new_\n empty_ = False\n"
    "else:\n total_ = total_ + new_",
    "return _like(begin_, total_) if empty_ else total_",
)
"""A step of a sum, and the code after the steps."""
if COMPENSATED:
    SUM = (
        "new_ = __element\nif empty_:\n rest_ = _lost(begin_, new_)\n total_ = begin_ + new_\n"
        " empty_ = False\nelse:\n rest_ = rest_ + _lost(total_, new_)\n total_ = total_ + new_",
        "return _like(begin_, total_) if empty_ else _made_whole(total_, rest_)",
    )


class BuiltinCalls(Comprehensions):
    """Rewrites calls of builtins over rows that are computed on the way."""

    def visit_Call(self, node: ast.Call) -> Any:
        """Rewrite builtins over rows, and calls that create a state."""
        for value, cls, field in list(self._fields(node)):
            if self._calls(value, "tuple") and len(value.args) == 1:  # type: ignore[attr-defined]
                made = self._row(value.args[0], "tuple", value, (cls, field))  # type: ignore[attr-defined]
                node.args = [made if a is value else a for a in node.args]
                for keyword in node.keywords:
                    if keyword.value is value:
                        keyword.value = made
        node.args = [self._members(a) for a in node.args]
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        plain = not node.keywords and len(node.args) == 1
        if name in ("any", "all") and self._is(node.func, name) and plain:
            return self._tested(name, node.args[0], node)
        if name == "sum" and self._is(node.func, name) and node.args and self._loops(node.args[0]):
            return self._summed(node)
        if name == "sum" and self._is(node.func, name) and node.args and COMPENSATED:
            node.args = [*node.args, *(k.value for k in node.keywords)]  # start=…
            node.func, node.keywords, self.changed = expression("_summed", node), [], True
            return self.generic_visit(node)
        if name in ("min", "max") and self._is(node.func, name) and self._has_key(node):
            row = ast.List(node.args, ast.Load())
            node.args = [ast.copy_location(row, node)]
        single = len(node.args) == 1 and (bool(node.keywords) or self._loops(node.args[0]))
        if name in ("min", "max") and self._is(node.func, name) and single:
            return self._extreme(name, node)
        lazy = bool(node.args) and self._kept(node.args[0])
        walks = bool(node.args) and self._calls(node.args[0], "iter")
        if name == "next" and self._is(node.func, name) and (lazy or walks):
            node.args[0] = node.args[0].args[0] if walks else node.args[0]  # type: ignore[attr-defined]
            return self._first(node)
        if name in ("tuple", "list") and self._is(node.func, name) and plain:
            return self._row(node.args[0], name, node)
        shown = plain and isinstance(node.args[0], ast.ListComp)
        if name == "len" and self._is(node.func, name) and shown:
            inner = self._written(node.args[0], any_order=True)
            loop = self._loop(inner, parse("__element\ntotal_ += 1", node, element=inner.elt))
            return self._lift("len", "total_ = 0", loop, "return total_", node)
        if name in ("set", "frozenset") and self._is(node.func, name) and plain:
            return self._set(self._as_comprehension(node.args[0]), node)
        if name == "sorted" and self._is(node.func, name) and len(node.args) == 1:
            return self._sorted(node)
        found = looked_up(node, self.dicts)
        if found is not None:
            self.changed = True
            return self.generic_visit(found)
        if self._lazy(node):
            return self._refused(node) if self._changed([node]) else self._row(node, "list", node)
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

    def _has_key(self, node: ast.Call) -> bool:
        """Return whether a call compares several arguments by a key."""
        return len(node.args) > 1 and [k.arg for k in node.keywords] == ["key"]

    def _zipped(self, node: ast.Call) -> Any:
        """Rewrite a zip with `strict=`."""
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

    def _whole(self, row: Any) -> Any:
        """Make the whole list first if it changes something or may raise, though not all of it may
        be read."""
        whole = isinstance(row, ast.ListComp) and (self._changed([row]) or may_raise(row))
        return self._same(row) if whole else row

    def _tested(self, name: str, row: Any, at: ast.AST) -> Any:
        inner = self._written(self._whole(row), any_order=True)
        test = f"if __element:\n return {name == 'any'}"
        if name == "all":
            test = "if not __element:\n return False"
        loop = self._loop(inner, parse(test, at, element=inner.elt))
        return self._lift(name, "", loop, f"return {name == 'all'}", at)

    def _summed(self, node: ast.Call) -> Any:
        inner = self._written(node.args[0], any_order=True)
        begin = [self.visit(n) for n in (*node.args[1:], *(k.value for k in node.keywords))]
        first: Any = begin[0] if begin else ast.Constant(0)
        step, after = SUM
        loop = self._loop(inner, parse(step, node, element=inner.elt))
        return self._lift("sum", "begin_ = __first\nempty_ = True", loop, after, node, first=first)

    def _worth(self, given: dict[str | None, Any], new: str, at: ast.AST) -> Any:
        """Return what the element `new` is compared by: itself, or its key."""
        worth: Any = expression(new, at)
        return self.visit(self._applied(given["key"], [worth])) if "key" in given else worth

    def _extreme(self, name: str, node: ast.Call) -> Any:
        given = {k.arg: k.value for k in node.keywords}
        inner = self._written(node.args[0], any_order="key" not in given)
        new = self._new_name("new")
        worth = self._worth(given, new, node)
        sign = "<" if name == "min" else ">"
        step = f"{new} = __element\nworth_ = __how\nif empty_:\n best_ = {new}\n most_ = worth_\n"
        step += (
            f" empty_ = False\nelse:\n if worth_ {sign} most_:\n  best_ = {new}\n  most_ = worth_"
        )
        loop = self._loop(inner, parse(step, node, element=inner.elt, how=worth))
        error = f"ValueError('{name}() iterable argument is empty')"
        after = f"if empty_:\n raise {error}\nreturn best_"
        before, parts = "empty_ = True", dict[str, Any]()
        if "default" in given:
            before, parts = f"{before}\n{INSTEAD}", {"instead": self.visit(given["default"])}
            after = "return instead_ if empty_ else best_"
        return self._lift(name, before, loop, after, node, **parts)

    def _first(self, node: ast.Call) -> Any:
        inner = self._written(self._whole(node.args[0]))
        loop = self._loop(inner, parse("return __element", node, element=inner.elt))
        before, after, parts = "", "raise StopIteration", dict[str, Any]()
        if len(node.args) > 1:
            before, after, parts = INSTEAD, "return instead_", {"instead": self.visit(node.args[1])}
        return self._lift("next", before, loop, after, node, **parts)

    def _sorted(self, node: ast.Call) -> Any:
        given = {k.arg: k.value for k in node.keywords}
        inner = self._written(node.args[0], any_order="key" not in given)
        new = self._new_name("new")
        worth = self._worth(given, new, node)
        down = self.visit(given.get("reverse", ast.Constant(False)))
        step = (
            f"{new} = __element\nworth_ = __how\nmade_.append({new})\nkeys_.append(worth_)\n"
            "k_ = len(made_) - 1\n"
            "while k_ > 0 and (keys_[k_ - 1] < worth_ if down_ else worth_ < keys_[k_ - 1]):\n"
            " made_[k_] = made_[k_ - 1]\n keys_[k_] = keys_[k_ - 1]\n k_ -= 1\n"
            f"made_[k_] = {new}\nkeys_[k_] = worth_"
        )
        loop = self._loop(inner, parse(step, node, element=inner.elt, how=worth))
        before = "made_ = []\nkeys_ = []\ndown_ = __order"
        return self._lift("sorted", before, loop, "return made_", node, order=down)
