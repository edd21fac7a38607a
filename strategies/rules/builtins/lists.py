"""Lists, tuples and deques: how they are made, their methods, and their comparisons.

Lists and dicts can contain themselves, so their comparisons are recursive, as CPython's are.
Elements that are one object are equal at once, so that a list equals itself.
"""

from __future__ import annotations

import ast
import operator
from collections import deque
from functools import partial
from typing import Any

from strategies.rules.builtins.declared import function, method, private, written, written_method
from strategies.rules.code.coercion import boolean, fail, in_row, number, spread
from strategies.rules.code.storage import span
from strategies.rules.code.val import LIST, ONE, ZERO, New, Val
from strategies.rules.code.walk import Walk
from strategies.rules.containers import deques
from strategies.rules.containers.arrays import within, word_of
from strategies.rules.containers.deques import DEQUE, MAXLEN
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.kind import BOOL, FLOAT, I64, NEVER, NONE, Boxed, Either
from strategies.rules.language.messages import Refusal
from strategies.rules.operations import sequences
from strategies.rules.values.equality import COMPARES

# Lists and tuples


method("list deque", "append", "self, x, /")(lambda w, node, a, x: sequences.append(w, a, x))
method("list deque", "extend", "self, iterable, /", changes=True)(
    lambda w, node, a, b: sequences.extend(w, node, a, in_row(w, b))
)


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


method("list", "clear", "self, /", changes=True)(lambda w, node, a: w.put(a.v, LIST, 1, ZERO))
method("list deque", "copy", "self, /")(
    lambda w, node, a: sequences.list_from(w, node, a, a.boxed.name)
)


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


# Deques


@function(deque, "iterable=(), maxlen=None")
def deque_(w: Walk, node: ast.AST, x: Val, longest: Val) -> Val:
    k = w.site(node, "deque")
    made = New(k, sequences.new_list(w, k))
    if isinstance(longest.kind, Either):
        raise Refusal("a maxlen that may be None is not compiled")
    if longest.kind is not NONE:
        n = number(w, longest)
        if n is None or n.kind is FLOAT:
            return fail(w, TypeError, "an integer is required")
        word = word_of(w, n)
        w.check(w.b.icmp_signed("<", word, ZERO), ValueError, "maxlen must be non-negative")
        w.put(made.v, DEQUE, MAXLEN, word)
    sequences.extend(w, node, made, x)
    return w.reached(made)


_append_left = partial(deques.append, left=True)
method("deque", "appendleft", "self, x, /")(lambda w, node, a, x: _append_left(w, a, x))
method("deque", "extendleft", "self, iterable, /", changes=True)(
    lambda w, node, a, b: sequences.extend(w, node, a, b, _append_left)
)


def _popped(w: Walk, a: Val, left: bool) -> Val:
    k = a.boxed
    place, n = span(w, a)
    w.check(w.b.icmp_signed("==", n, ZERO), IndexError, "pop from an empty deque")
    if k.item is NEVER:
        return w.never
    x = w.item(k.item, place, ZERO if left else w.b.sub(n, ONE))
    deques.drop(w, a.v, form(k.item), left)
    deques.changed(w, a)
    return x


method("deque", "pop", "self, /", changes=True)(lambda w, node, a: _popped(w, a, left=False))
method("deque", "popleft", "self, /", changes=True)(lambda w, node, a: _popped(w, a, left=True))
method("deque", "clear", "self, /", changes=True)(lambda w, node, a: deques.clear(w, a))


@private("x, /")
def is_full(w: Walk, node: ast.AST, a: Val) -> Val:
    """Return whether a deque has its greatest length."""
    n, most = w.get(a.v, DEQUE, 1), w.get(a.v, DEQUE, MAXLEN)
    return Val(BOOL, w.b.and_(w.b.icmp_signed(">=", most, ZERO), w.b.icmp_signed(">=", n, most)))


@written_method("deque", "insert")
def insert_bounded(self: Any, index: Any, x: Any, /) -> None:
    range(index)  # index must be an int
    if is_full(self):
        raise IndexError("deque already at its maximum size")
    insert(self, index, x)


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


# Comparisons of lists and dicts


@private("x, y, /", each=True)
def are_one(w: Walk, node: ast.AST, x: Val, y: Val) -> Val:
    """Return whether two values are one list, set or dict."""
    if not (isinstance(x.kind, Boxed) and isinstance(y.kind, Boxed)):
        return boolean(False)
    addresses = [w.b.ptrtoint(a.v, I64) for a in (x, y)]
    return Val(BOOL, w.b.icmp_signed("==", *addresses))


def equal_lists(a: Any, b: Any) -> bool:
    if len(a) != len(b):
        return False
    for i in range(len(a)):
        if not (are_one(a[i], b[i]) or a[i] == b[i]):
            return False
    return True


def equal_dicts(a: Any, b: Any) -> bool:
    if len(a) != len(b):
        return False
    for key, value in a.items():
        if key not in b or not (are_one(value, b[key]) or value == b[key]):
            return False
    return True


def ordered_lists(a: Any, b: Any, op: Any) -> Any:
    for i in range(min(len(a), len(b))):
        if not (are_one(a[i], b[i]) or a[i] == b[i]):
            return op(a[i], b[i])
    return op(len(a), len(b))


def compared(c: Any, a: Val, b: Val, op: Any) -> Val | None:
    """Return `a == b`, or `a op b`, of two lists or dicts; None if it is not compiled."""
    names = {a.boxed.name, b.boxed.name}
    if len(names) > 1 and op is None:
        return boolean(False)
    if not isinstance(c, Walk) or names not in ({"list"}, {"dict"}):
        return None
    if op is None:
        return c.call(equal_lists if names == {"list"} else equal_dicts, a, b)
    if names != {"list"}:
        return None
    return c.call(ordered_lists, a, b, c.constant(op))


COMPARES.append(compared)
