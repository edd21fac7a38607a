"""Deques: how they are made, and their methods."""

from __future__ import annotations

import ast
from collections import deque
from typing import Any

from strategies.rules.builtins import lists
from strategies.rules.builtins.declared import function, method, private, written_method
from strategies.rules.code.coercion import fail, number
from strategies.rules.code.storage import span
from strategies.rules.code.val import ONE, ZERO, Val
from strategies.rules.code.walk import Walk
from strategies.rules.containers import deques
from strategies.rules.containers.arrays import word_of
from strategies.rules.containers.deques import DEQUE, LONGEST
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.kind import BOOL, FLOAT, NEVER, NONE, Either
from strategies.rules.language.messages import Refusal
from strategies.rules.operations import sequences


@function(deque, "iterable=(), maxlen=None")
def deque_(w: Walk, node: ast.AST, x: Val, longest: Val) -> Val:
    k = w.site(node, "deque")
    made = Val(k, sequences.new_list(w, k))
    if isinstance(longest.kind, Either):
        raise Refusal("a maxlen that may be None is not compiled")
    if longest.kind is not NONE:
        n = number(w, longest)
        if n is None or n.kind is FLOAT:
            return fail(w, TypeError, "an integer is required")
        word = word_of(w, n)
        w.check(w.b.icmp_signed("<", word, ZERO), ValueError, "maxlen must be non-negative")
        w.put(made.v, DEQUE, LONGEST, word)
    sequences.extend(w, node, made, x)
    return w.reached(made)


@method("deque", "appendleft", "self, x, /")
def appendleft(w: Walk, node: ast.AST, a: Val, x: Val) -> None:
    deques.append_left(w, a, x)


@method("deque", "extendleft", "self, iterable, /", changes=True)
def extendleft(w: Walk, node: ast.AST, a: Val, b: Val) -> None:
    sequences.extend(w, node, a, b, deques.append_left)


def _popped(w: Walk, a: Val, left: bool) -> Val:
    k = a.boxed
    place, n = span(w, a)
    w.check(w.b.icmp_signed("==", n, ZERO), IndexError, "pop from an empty deque")
    if k.item is NEVER:
        return w.never
    t = form(k.item)
    x = w.item(k.item, place, ZERO if left else w.b.sub(n, ONE))
    if left:
        deques.drop_first(w, a.v, t)
    else:
        deques.drop_last(w, a.v)
    deques.changed(w, a)
    return x


@method("deque", "pop", "self, /", changes=True)
def pop_right(w: Walk, node: ast.AST, a: Val) -> Val:
    return _popped(w, a, left=False)


@method("deque", "popleft", "self, /", changes=True)
def popleft(w: Walk, node: ast.AST, a: Val) -> Val:
    return _popped(w, a, left=True)


@method("deque", "clear", "self, /", changes=True)
def clear_deque(w: Walk, node: ast.AST, a: Val) -> None:
    deques.clear(w, a)


@private("x, /")
def is_full(w: Walk, node: ast.AST, a: Val) -> Val:
    """Return whether a deque has its greatest length."""
    n, most = w.get(a.v, DEQUE, 1), w.get(a.v, DEQUE, LONGEST)
    return Val(BOOL, w.b.and_(w.b.icmp_signed(">=", most, ZERO), w.b.icmp_signed(">=", n, most)))


@written_method("deque", "insert")
def insert_bounded(self: Any, index: Any, x: Any, /) -> None:
    range(index)  # index must be an int
    if is_full(self):
        raise IndexError("deque already at its maximum size")
    lists.insert(self, index, x)


@written_method("deque", "rotate")
def rotate(self: Any, n: Any = 1, /) -> None:
    count = len(self)
    range(n)  # n must be an int
    if count > 1:
        by = n % count
        if by == 0:
            self.append(self.pop())
        if by <= count // 2:
            for _ in range(by):
                self.appendleft(self.pop())
        else:
            for _ in range(count - by):
                self.append(self.popleft())
