"""Iteration: what a `for` runs over, element by element."""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable, Iterable
from typing import Any

from attrs import frozen
from llvmlite import ir

from strategies.rules.code.coercion import (
    as_text,
    as_tuple,
    cases,
    dry,
    fail,
    in_row,
    joined,
    parts_of,
    payload,
    put_item,
)
from strategies.rules.code.storage import is_list, item_kind, range_length, span
from strategies.rules.code.val import NOTHING, ONE, ZERO, Held, Val, c64
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
    Record,
    Row,
    Static,
    Tup,
)
from strategies.rules.kinds.parts import named
from strategies.rules.language.messages import Refusal, advised
from strategies.rules.values import enums, specials, texts


@frozen(eq=False)
class Iteration:
    """One iteration over the elements of a value.

    Attributes:
        node, what: where it is, and which of several there.
        lasting: whether it may be left and resumed. What it must remember lies in the generator's
            frame then.
    """

    w: Walk
    node: ast.AST
    what: str
    lasting: bool = False

    def keep(self, name: str, t: ir.Type, v: Any = None) -> Any:
        """Return the place of what must be remembered, which is `v` at first."""
        w = self.w
        name_of = id(self.node), w.path, self.what, name
        place = w.slot(name_of, t) if self.lasting else w.temp(t)
        if v is not None:
            w.store(v, place)
        return place


@frozen(eq=False)
class Steps:
    """The elements of a value, one after another.

    Attributes:
        item: the kind of the elements.
        next: returns the next one; what it is given is called where there is none.
        runs_code: whether finding the next one may run code of rules, which need not end.
    """

    item: Kind
    next: Callable[[Callable[[], None]], Val]
    runs_code: bool = False


def indexed(
    at: Iteration, item: Kind, reach: Callable[[], tuple[Any, Callable[[Any], Val]]]
) -> Steps:
    """Return elements that are found by their numbers.

    `reach` returns how many there are now, and how one of them is read.
    """
    w, place = at.w, at.keep("i", I64, ZERO)

    def following(done: Callable[[], None]) -> Val:
        n, read = reach()
        i = w.load(place, I64)
        w.go_on(w.b.icmp_signed("<", i, n), done)
        w.store(w.b.add(i, ONE), place)
        return read(i)

    return Steps(item, following)


def of_span(at: Iteration, a: Val) -> Steps:
    """Return the elements of a tuple or list in memory; a list may change meanwhile."""
    w, k, item = at.w, a.kind, item_kind(a.kind)
    place, is_deque = at.keep("v", form(k), a.v), named(k, ("deque",))
    state = at.keep("state", I64, deques.state(w, a)) if is_deque else NOTHING

    def reach() -> tuple[Any, Callable[[Any], Val]]:
        now = Val(k, w.load(place, form(k)))
        if is_deque:
            deques.check_unchanged(w, now, w.load(state, I64))
        first, n = span(w, now)
        if isinstance(a, Held):
            shape = a.shape
            return n, lambda i: w.held(w.element(first, form(item), i), item, shape)
        return n, lambda i: w.item(item, first, i)

    return indexed(at, item, reach)


def of_text(at: Iteration, a: Val) -> Steps:
    """Return the letters of a text that is made: texts in its memory."""
    w, place = at.w, at.keep("v", ROW, texts.codes(at.w, a).v)

    def reach() -> tuple[Any, Callable[[Any], Val]]:
        first, n = span(w, Val(texts.CODES, w.load(place, ROW)))
        return n, lambda i: texts.letter(w, first, i)

    return indexed(at, TEXT, reach)


def of_tuple(at: Iteration, a: Val) -> Steps:
    """Return the elements of a tuple of known length, put where they can be counted through."""
    w, item, values = at.w, item_kind(a.kind), parts_of(at.w, a)
    place = at.keep("v", ir.ArrayType(form(item), len(values)))
    for i, x in enumerate(values):
        put_item(w, item, place, c64(i), x)
    return indexed(at, item, lambda: (c64(len(values)), lambda i: w.item(item, place, i)))


def of_array(at: Iteration, a: Val) -> Steps:
    """Return the elements of an array, or its parts with one dimension less."""
    w, k, place = at.w, a.kind, at.keep("v", form(a.kind), a.v)
    with dry(w):
        item = arrays.at_place(w, a, [ZERO]).kind

    def reach() -> tuple[Any, Callable[[Any], Val]]:
        now = Val(k, w.load(place, form(k)))
        return arrays.length(w, now).v, lambda i: arrays.at_place(w, now, [i])

    return indexed(at, item, reach)


def of_range(at: Iteration, a: Val) -> Steps:
    """Return the numbers of a range."""
    w = at.w
    start, stop, step = (w.part(a.v, i) for i in range(3))
    # Only by a step of one can the place not pass the greatest int.
    constant = isinstance(step, ir.Constant) and step.constant in (1, -1)
    order = "!=" if not constant else "<" if step.constant > 0 else ">"
    place = at.keep("at", I64, start)
    by = NOTHING if constant else at.keep("by", I64, step)
    if not constant:
        stop = w.b.add(start, w.b.mul(range_length(w, a), step))
    end = at.keep("stop", I64, stop)

    def following(done: Callable[[], None]) -> Val:
        i = w.load(place, I64)
        w.go_on(w.b.icmp_signed(order, i, w.load(end, I64)), done)
        w.store(w.b.add(i, step if constant else w.load(by, I64)), place)
        return Val(INT, i)

    return Steps(INT, following)


def of_either(at: Iteration, a: Val) -> Steps:
    """Return the elements of an iterable of one of several kinds."""
    w, tag = at.w, at.keep("tag", I8, at.w.part(a.v, 0))
    parts: list[Steps | None] = []
    after = w.block("after")
    for i in cases(w, a):
        parts.append(steps(at, payload(w, a, i)))
        w.goto(after)
    w.at(after)
    item = join_all(p.item for p in parts if p is not None)

    def following(done: Callable[[], None]) -> Val:
        met = (parts[i] for i in cases(w, a, w.load(tag, I8)))
        return joined(w, item, (w.never if p is None else p.next(done) for p in met))

    return Steps(item, following, runs_code=True)


class Pending(Val):
    """An iterator of the library that the loop around it uses up, so that it is never made.

    Attributes:
        steps: returns its elements in a loop; None where Python raises TypeError, which is emitted.
    """

    __slots__ = ("steps",)

    def __init__(self, steps: Callable[[Iteration], Steps | None]) -> None:
        super().__init__(Kind())  # nothing but a loop meets it
        self.steps = steps


# The elements of a value by its kind. The modules of each subject add to this table.
STEPS: dict[type[Kind], Callable[[Iteration, Val], Steps | None]] = {
    Row: of_span,
    Array: of_array,
    Either: of_either,
}


def steps(at: Iteration, a: Val) -> Steps | None:
    """Return the elements of a value; None where Python raises TypeError, which is emitted."""
    if isinstance(a, Pending):
        return a.steps(at)
    w = at.w
    a = as_iterable(w, a)
    if isinstance(a.kind, Tup) and not a.known:
        return of_tuple(at, a)
    a = in_row(w, a)
    k = a.kind
    if k is NEVER:
        return None
    if k is TEXT:
        return of_text(at, a)
    if k is RANGE:
        return of_range(at, a)
    build = of_span if is_list(k) else STEPS.get(type(k))
    if build is not None:
        return build(at, a)
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
    at = Iteration(w, node, what, lasting)
    if isinstance(a.kind, Tup) and _unlike(a.kind):
        return unrolled(at, a, each, orelse)
    it = steps(at, a)
    if it is None:
        return w.stop()
    if it.item is NEVER and not w.infer and not it.runs_code:
        return w.run(list(orelse))
    return through(at, it, each, orelse)


def through(
    at: Iteration, it: Steps, each: Callable[[Val], None], orelse: Iterable[ast.stmt] = ()
) -> None:
    """Run a loop over elements."""
    w, found = at.w, list[Val]()

    def step(done: Merge) -> None:
        x = it.next(done.arrive)
        w.env = dict(w.env) if w.env is not None else None
        if x.kind is NEVER and not w.infer:
            w.stop()
        found.append(x)

    w.loop(at.node, at.what, step, lambda: each(found[-1]), orelse, polls=it.runs_code)


def _unlike(k: Tup) -> bool:
    """Whether a loop over a tuple is unrolled, because its elements have no common form."""
    met = join_all(k.items)
    return isinstance(met, Either | Static) or (0 < len(k.items) <= 1)


def unrolled(
    at: Iteration, a: Val, each: Callable[[Val], None], orelse: Iterable[ast.stmt]
) -> None:
    """Run the body of a loop once for each element of a tuple."""
    assert isinstance(a.kind, Tup)
    w = at.w
    after = Merge(w, at.node, at.what + " after")
    room = at.keep("v", form(a.kind), a.v) if at.lasting else NOTHING
    for i in range(len(a.kind.items)):
        with w.apart(at.what, i):
            if at.lasting:
                a = Val(a.kind, w.load(room, form(a.kind)), a.py)
            again = Merge(w, at.node, at.what + " again")
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
