"""Methods of lists and tuples."""

from __future__ import annotations

import ast
import operator
from typing import Any

from strategies.rules.builtins.declared import method, written, written_method
from strategies.rules.code.coercion import fail, in_row, spread
from strategies.rules.code.storage import span
from strategies.rules.code.val import LIST, ZERO, Val
from strategies.rules.code.walk import Walk
from strategies.rules.containers.arrays import within, word_of
from strategies.rules.kinds.kind import NEVER, Either
from strategies.rules.operations import sequences


@method("list deque", "append", "self, x, /")
def append(w: Walk, node: ast.AST, a: Val, x: Val) -> None:
    sequences.append(w, a, x)


@method("list deque", "extend", "self, iterable, /", changes=True)
def extend(w: Walk, node: ast.AST, a: Val, b: Val) -> None:
    sequences.extend(w, node, a, in_row(w, b))


@method("list", "pop", "self, index=-1, /", changes=True)
def pop(w: Walk, node: ast.AST, a: Val, index: Val) -> Val:
    if isinstance(index.kind, Either):
        return spread(w, index, lambda one: pop(w, node, a, one))
    k = a.boxed
    word = word_of(w, index)
    if word is None:
        return fail(w, TypeError, "an index must be an int")
    place, n = span(w, a)
    at = within(w, word, index, n, "pop from empty list, or pop index out of range")
    if k.item is NEVER:
        return w.never
    x = w.item(k.item, place, at)
    sequences.remove_at(w, a, at)
    return x


@method("list", "clear", "self, /", changes=True)
def clear(w: Walk, node: ast.AST, a: Val) -> None:
    w.put(a.v, LIST, 1, ZERO)


@method("list deque", "copy", "self, /")
def copy(w: Walk, node: ast.AST, a: Val) -> Val:
    return sequences.list_from(w, node, a, a.boxed.name)


@written_method("list", "insert")
def insert(self: Any, index: Any, x: Any, /) -> None:
    n = len(self)
    if index < 0:
        index = max(index + n, 0)
    index = min(index, n)
    self.append(x)
    for i in range(n, index, -1):
        self[i] = self[i - 1]
    self[index] = x


@written_method("list deque", "reverse")
def reverse(self: Any, /) -> None:
    n = len(self)
    for i in range(n // 2):
        self[i], self[n - 1 - i] = self[n - 1 - i], self[i]


@written_method("list tuple deque", "index")
def index(self: Any, x: Any, start: Any = 0, stop: Any = 9223372036854775807, /) -> int:
    n = len(self)
    if start < 0:
        start = max(start + n, 0)
    if stop < 0:
        stop = max(stop + n, 0)
    for i in range(start, min(stop, n)):
        if self[i] == x:
            return i
    raise ValueError("the value is not there")


@written(operator.countOf)
@written_method("list tuple deque", "count")
def count(self: Any, x: Any, /) -> int:
    n = 0
    for y in self:
        if y == x:
            n += 1
    return n


@written_method("list deque", "remove")
def remove(self: Any, x: Any, /) -> None:
    i = 0
    for y in self:
        if y == x:
            del self[i]
            return
        i += 1
    raise ValueError("the value is not in the list")
