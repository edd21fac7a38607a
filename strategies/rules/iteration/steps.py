"""Iteration: what a `for` runs over, element by element."""

from __future__ import annotations

import ast
import enum
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from llvmlite import ir

from strategies.rules.code.coercion import (
    arrive,
    as_text,
    as_tuple,
    cases,
    dry,
    fail,
    in_row,
    parts_of,
    payload,
    put_item,
)
from strategies.rules.code.storage import is_list, item_kind, range_length, span
from strategies.rules.code.val import ONE, ZERO, Held, Val, c64
from strategies.rules.code.walk import Loop, Merge, Walk
from strategies.rules.containers import arrays, deques
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.joining import join_all
from strategies.rules.kinds.kind import (
    I8,
    I64,
    INT,
    NEVER,
    RANGE,
    ROW,
    STR,
    TEXT,
    Array,
    Either,
    Kind,
    Lazy,
    Record,
    Row,
    Static,
    Tup,
)
from strategies.rules.kinds.parts import named
from strategies.rules.language.messages import Refusal, advised
from strategies.rules.values import enums, specials, texts


class Pending(Val):
    """An iterator of the library that the loop around it uses up, so that it is never made."""

    __slots__ = ("how", "more", "parts")

    def __init__(self, how: str, parts: Sequence[Val], more: Sequence[Val] = ()) -> None:
        super().__init__(Lazy(how, [p.kind for p in (*parts, *more)]))
        self.how, self.parts, self.more = how, tuple(parts), tuple(more)


class Steps(ABC):
    """The elements of a value, one after another.

    What it must remember lies in the generator's frame where the loop may be left and resumed.
    """

    item: Kind = NEVER
    runs_code = False
    """Whether finding the next element may run code of rules, which need not end."""

    def __init__(self, w: Walk, node: ast.AST, what: str, lasting: bool) -> None:
        self.w, self.where, self.lasting = w, (id(node), w.path, what), lasting
        self.node, self.what = node, what

    def keep(self, name: str, t: ir.Type, v: Any) -> Any:
        w = self.w
        place = w.slot((*self.where, name), t) if self.lasting else w.temp(t)
        if v is not None:
            w.store(v, place)
        return place

    @abstractmethod
    def next(self, done: Callable[[], None]) -> Val:
        """Return the next element; `done` is called where there is none."""


class Indexed(Steps):
    """Elements that are found by their numbers."""

    def __init__(
        self, w: Walk, node: ast.AST, what: str, lasting: bool, t: ir.Type, v: Any
    ) -> None:
        super().__init__(w, node, what, lasting)
        self.v, self.i = self.keep("v", t, v), self.keep("i", I64, ZERO)

    @abstractmethod
    def reach(self) -> tuple[Any, Callable[[Any], Val]]:
        """Return how many elements there are now, and how one of them is read."""

    def next(self, done: Callable[[], None]) -> Val:
        w = self.w
        n, read = self.reach()
        i = w.load(self.i, I64)
        w.go_on(w.b.icmp_signed("<", i, n), done)
        w.store(w.b.add(i, ONE), self.i)
        return read(i)


class OfSpan(Indexed):
    """Of a tuple or list in memory; a list may change meanwhile."""

    def __init__(self, w: Walk, node: ast.AST, what: str, lasting: bool, a: Val) -> None:
        super().__init__(w, node, what, lasting, form(a.kind), a.v)
        self.a, self.item = a, item_kind(a.kind)
        self.is_deque = named(a.kind, ("deque",))
        if self.is_deque:
            self.state = self.keep("state", I64, deques.state(w, a))

    def reach(self) -> tuple[Any, Callable[[Any], Val]]:
        w = self.w
        a = Val(self.a.kind, w.load(self.v, form(self.a.kind)))
        if self.is_deque:
            deques.check_unchanged(w, a, w.load(self.state, I64))
        place, n = span(w, a)

        def read(i: Any) -> Val:
            if isinstance(self.a, Held):
                return w.held(w.element(place, form(self.item), i), self.item, self.a.shape)
            return w.item(self.item, place, i)

        return n, read


class OfText(Indexed):
    """Of a text that is made: texts of one letter, in its memory."""

    item = TEXT

    def reach(self) -> tuple[Any, Callable[[Any], Val]]:
        place, n = span(self.w, Val(texts.CODES, self.w.load(self.v, ROW)))
        return n, lambda i: texts.letter(self.w, place, i)


class OfTuple(Indexed):
    """Of a tuple of known length, whose elements are put where they can be counted through."""

    def __init__(self, w: Walk, node: ast.AST, what: str, lasting: bool, a: Val) -> None:
        assert isinstance(a.kind, Tup)
        self.item, self.n = join_all(a.kind.items), len(a.kind.items)
        super().__init__(w, node, what, lasting, ir.ArrayType(form(self.item), self.n), None)
        for i, x in enumerate(parts_of(w, a)):
            put_item(w, self.item, self.v, c64(i), x)

    def reach(self) -> tuple[Any, Callable[[Any], Val]]:
        return c64(self.n), lambda i: self.w.item(self.item, self.v, i)


class OfArray(Indexed):
    """Of an array: its elements, or its parts with one dimension less."""

    def __init__(self, w: Walk, node: ast.AST, what: str, lasting: bool, a: Val) -> None:
        super().__init__(w, node, what, lasting, form(a.kind), a.v)
        with dry(w):
            self.item = arrays.at_place(w, a, [ZERO]).kind
        self.kind = a.kind

    def reach(self) -> tuple[Any, Callable[[Any], Val]]:
        a = Val(self.kind, self.w.load(self.v, form(self.kind)))
        return arrays.length(self.w, a).v, lambda i: arrays.at_place(self.w, a, [i])


class OfRange(Steps):
    item = INT

    def __init__(self, w: Walk, node: ast.AST, what: str, lasting: bool, a: Val) -> None:
        super().__init__(w, node, what, lasting)
        start, stop, self.step = (w.part(a.v, i) for i in range(3))
        # Only by a step of one can the place not pass the greatest int.
        constant = isinstance(self.step, ir.Constant) and self.step.constant in (1, -1)
        self.at = self.keep("at", I64, start)
        self.by = self.step if constant else self.keep("by", I64, self.step)
        self.up = self.step.constant > 0 if constant else None
        if self.up is None:
            stop = w.b.add(start, w.b.mul(range_length(w, a), self.step))
        self.stop = self.keep("stop", I64, stop)

    def next(self, done: Callable[[], None]) -> Val:
        w = self.w
        at = w.load(self.at, I64)
        order = "!=" if self.up is None else "<" if self.up else ">"
        w.go_on(w.b.icmp_signed(order, at, w.load(self.stop, I64)), done)
        by = self.by if self.up is not None else w.load(self.by, I64)
        w.store(w.b.add(at, by), self.at)
        return Val(INT, at)


class OfEither(Steps):
    """Of one of several kinds of iterables."""

    runs_code = True

    def __init__(self, w: Walk, node: ast.AST, what: str, lasting: bool, a: Val) -> None:
        super().__init__(w, node, what, lasting)
        self.a, self.tag = a, self.keep("tag", I8, w.part(a.v, 0))
        self.parts: list[Steps | None] = []
        after = w.block("after")
        for i in cases(w, a):
            self.parts.append(steps(w, node, payload(w, a, i), lasting, what))
            w.goto(after)
        w.at(after)
        self.item = join_all(p.item for p in self.parts if p is not None)

    def next(self, done: Callable[[], None]) -> Val:
        w, t = self.w, form(self.item)
        out, after, found = w.temp(t), w.block("after"), False
        for i in cases(w, self.a, w.load(self.tag, I8)):
            part = self.parts[i]
            x = part.next(done) if part is not None else w.never
            found |= x.kind is not NEVER
            arrive(w, x, self.item, out, after)
        w.at(after)
        return Val(self.item if found else NEVER, w.load(out, t))


# The elements of a value by its kind. The modules of each subject add to this table.
STEPS: dict[type[Kind], Callable[[Walk, ast.AST, str, bool, Val], Steps | None]] = {}


def steps(w: Walk, node: ast.AST, a: Val, lasting: bool, what: str = "steps") -> Steps | None:
    """Return the elements of a value; None where Python raises TypeError, which is emitted."""
    a = as_iterable(w, a)
    if isinstance(a.kind, Tup) and not a.known:
        return OfTuple(w, node, what, lasting, a)
    a = in_row(w, a)
    k = a.kind
    if k is NEVER:
        return None
    if k is TEXT:
        return OfText(w, node, what, lasting, ROW, texts.codes(w, a).v)
    if isinstance(k, Row) or is_list(k):
        return OfSpan(w, node, what, lasting, a)
    if k is RANGE:
        return OfRange(w, node, what, lasting, a)
    if isinstance(k, Array):
        return OfArray(w, node, what, lasting, a)
    if isinstance(k, Either):
        return OfEither(w, node, what, lasting, a)
    build = STEPS.get(type(k))
    if build is not None:
        return build(w, node, what, lasting, a)
    fail(w, TypeError, f"{k} is not iterable")
    return None


def as_iterable(w: Walk, a: Val) -> Val:
    """Return a value as what is iterated over: the iterator of a record, the letters of a text."""
    a = enums.single(w, as_text(w, as_tuple(a)))
    if isinstance(a.kind, Record):
        return specials.iterated(w, a) or a
    if a.kind is STR:
        return texts.letters(w, a)
    return iterable_constant(w, a.kind.value) if isinstance(a.kind, Static) else a


def iterable_constant(w: Walk, value: Any) -> Val:
    """Return a constant that can be iterated over as a tuple."""
    if isinstance(value, enum.EnumMeta | dict):
        return w.constant(tuple(value))
    if isinstance(value, set | frozenset):
        raise Refusal("the order of a set is not compiled; write sorted(…)")
    raise advised(f"a loop over a {type(value).__name__}", "write a tuple, list or dict")


def for_each(
    w: Walk, node: ast.AST, a: Val, each: Callable[[Val], None], orelse: Iterable[ast.stmt] = (), *,
    lasting: bool = False, what: str = "for",
) -> None:  # fmt: skip
    """Run a loop over the elements of a value."""
    if a.kind is NEVER or w.env is None:
        return w.stop()
    if isinstance(a.kind, Tup) and _unlike(a.kind):
        return unrolled(w, node, a, each, orelse, what, lasting)
    it = steps(w, node, a, lasting, what)
    if it is None:
        return w.stop()
    if it.item is NEVER and not w.infer and not it.runs_code:
        return w.run(list(orelse))
    return through(w, node, it, each, orelse, what)


def through(
    w: Walk, node: ast.AST, it: Steps, each: Callable[[Val], None], orelse: Iterable[ast.stmt],
    what: str,
) -> None:  # fmt: skip
    """Run a loop over elements."""
    found: list[Val] = []

    def step(done: Merge) -> None:
        x = it.next(done.arrive)
        w.env = dict(w.env) if w.env is not None else None
        if x.kind is NEVER and not w.infer:
            w.stop()
        found.append(x)

    w.loop(node, what, step, lambda: each(found[-1]), orelse, polls=it.runs_code)


def _unlike(k: Tup) -> bool:
    """Whether a loop over a tuple is unrolled, because its elements have no common form."""
    met = join_all(k.items)
    return isinstance(met, Either | Static) or (0 < len(k.items) <= 1)


def unrolled(
    w: Walk,
    node: ast.AST,
    a: Val,
    each: Callable[[Val], None],
    orelse: Iterable[ast.stmt],
    what: str,
    lasting: bool,
) -> None:
    """Run the body of a loop once for each element of a tuple."""
    assert isinstance(a.kind, Tup)
    after = Merge(w, node, what + " after")
    room = w.slot((id(node), w.path, what), form(a.kind)) if lasting else None
    if lasting:
        w.store(a.v, room)
    for i in range(len(a.kind.items)):
        with w.apart(what, i):
            if lasting:
                a = Val(a.kind, w.load(room, form(a.kind)), a.py)
            again = Merge(w, node, what + " again")
            w.frames.append(Loop(again, after))
            each(parts_of(w, a)[i])
            w.frames.pop()
            again.arrive()
            again.land()
        if w.env is None:
            break
    w.run(list(orelse))
    after.arrive()
    after.land()
