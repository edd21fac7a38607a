"""Methods of lists and tuples."""

from __future__ import annotations

import ast
from typing import Any

from strategies.rules import items, sequences
from strategies.rules.builtins.declared import method, written_method
from strategies.rules.builtins.reading import merged
from strategies.rules.code import LIST, ZERO, Val
from strategies.rules.kinds import NEVER, Boxed, form
from strategies.rules.values import fail, span
from strategies.rules.walk import Walk


def nothing(w: Walk) -> Val:
    return w.program.constants.value(None)


@method("list", "append", "self, x, /")
def append(w: Walk, node: ast.AST, a: Val, x: Val) -> Val:
    sequences.append(w, a, x)
    return nothing(w)


@method("list", "extend", "self, iterable, /")
def extend(w: Walk, node: ast.AST, a: Val, b: Val) -> Val:
    from strategies.rules.sequences import in_row

    sequences.extend(w, node, a, in_row(w, b))
    return nothing(w)


@method("list", "pop", "self, index=-1, /")
def pop(w: Walk, node: ast.AST, a: Val, index: Val) -> Val:
    k = a.kind
    assert isinstance(k, Boxed)
    w.change(a, 0, NEVER)
    word = items.word_of(w, index)
    if word is None:
        return fail(w, TypeError, "an index must be an int")
    place, n = span(w, a)
    at = items.within(w, word, index, n, "pop from empty list, or pop index out of range")
    if k.item is NEVER:
        return Val(NEVER, w.undef(NEVER))
    t = form(k.item)
    x = Val(k.item, w.load(w.element(place, t, at), t))
    items.remove_at(w, a, at)
    return x


@method("list", "clear", "self, /")
def clear(w: Walk, node: ast.AST, a: Val) -> Val:
    w.change(a, 0, NEVER)
    w.put(a.v, LIST, 1, ZERO)
    return nothing(w)


@method("list", "copy", "self, /")
def copy(w: Walk, node: ast.AST, a: Val) -> Val:
    return sequences.list_from(w, node, a)


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


@written_method("list", "sort")
def sort(self: Any, /, *, key: Any = None, reverse: Any = False) -> None:
    if key is None:
        found = merged(self, self, reverse)
        for i in range(len(found)):
            self[i] = found[i]
        return
    found = list(self)
    self.clear()  # as CPython does, so that the key sees an empty list
    try:
        found = merged(found, [key(x) for x in found], reverse)
    finally:
        changed = len(self) > 0
        self.clear()
        self.extend(found)
    if changed:
        raise ValueError("list modified during sort")


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
    raise ValueError("the value is not in the list")


@written_method("list tuple deque", "count")
def count(self: Any, x: Any, /) -> int:
    n = 0
    for y in self:
        if y == x:
            n += 1
    return n


@written_method("list", "remove")
def remove(self: Any, x: Any, /) -> None:
    i = 0
    for y in self:
        if y == x:
            del self[i]
            return
        i += 1
    raise ValueError("the value is not in the list")


def put_slice(self: Any, first: int, step: int, many: int, values: Any) -> None:
    """Do `self[slice] = values`, where the slice has many elements from the first on."""
    new = list(values)
    if step == 1:
        last, n = first + many, len(self)  # making the list may have changed this one
        kept = self[: min(first, n)] + new + self[max(first, last) :]
        self.clear()
        self.extend(kept)
        return
    if len(new) != many:
        raise ValueError("a slice with a step takes as many values as it has elements")
    for i in range(many):
        self[first + i * step] = new[i]


def delete_slice(self: Any, first: int, step: int, many: int) -> None:
    """Do `del self[slice]`, where the slice has many elements from the first on."""
    if many == 0:
        return
    gone = range(first, first + step * (many - 1) + (1 if step > 0 else -1), step)
    kept = [self[i] for i in range(len(self)) if i not in gone]
    self.clear()
    self.extend(kept)
