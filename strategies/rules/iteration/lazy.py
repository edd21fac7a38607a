"""Iterators of the library in the loop that uses them up: `zip`, `enumerate`, `map`, `reversed`.

They need no frame there, and no call: a loop takes the next element of each of their parts.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Callable
from functools import partial
from typing import Any

from attrs import evolve

from strategies.rules.code.coercion import fail, in_row, tuple_of
from strategies.rules.code.storage import is_list, item_kind, range_length, span
from strategies.rules.code.val import ONE, ZERO, Arguments, Val
from strategies.rules.code.walk import Handler, Merge, Walk
from strategies.rules.iteration.steps import Iteration, Pending, Steps, steps
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.kind import I32, I64, INT, NEVER, RANGE, Kind, Row, Static, Tup
from strategies.rules.language.names import names_of
from strategies.rules.values.numbers import as_index, overflow


def _tuples(parts: list[Steps]) -> Kind:
    """Return the kind of the tuples of elements of several iterables."""
    return NEVER if any(p.item is NEVER for p in parts) else Tup([p.item for p in parts])


def together(at: Iteration, parts: list[Steps]) -> Steps:
    """Return the tuples of elements of several iterables."""

    def following(done: Callable[[], None]) -> Val:
        return tuple_of(at.w, [p.next(done) for p in parts])

    return Steps(_tuples(parts), following, runs_code=True)


def strict(at: Iteration, parts: list[Steps]) -> Steps:
    """Return the same for iterables of one length; ValueError where they differ."""
    w = at.w

    def short() -> None:
        fail(w, ValueError, "an argument of zip() is shorter than the one before")
        w.env = None

    def ended(done: Callable[[], None]) -> None:
        for i, p in enumerate(parts[1:]):
            with w.apart("strict", i):
                after = Merge(w, at.node, at.what + " strict")
                p.next(after.arrive)
                fail(w, ValueError, "an argument of zip() is longer than the one before")
                w.env = None
                after.land()
            if w.env is None:
                break
        if w.env is not None:
            done()

    def following(done: Callable[[], None]) -> Val:
        first = parts[0].next(partial(ended, done))
        return tuple_of(w, [first, *(p.next(short) for p in parts[1:])])

    return Steps(_tuples(parts), following, runs_code=True)


def mapped(at: Iteration, parts: list[Steps], f: Val) -> Steps:
    """Return the results of a function."""
    w, t = at.w, form(f.kind)
    place = at.keep("f", t, f.v)

    def following(done: Callable[[], None]) -> Val:
        values = [p.next(done) for p in parts]
        if any(v.kind is NEVER for v in values):
            return w.never
        called = Val(f.kind, w.load(place, t))
        caught, status = Merge(w, at.node, at.what + " stopped"), w.temp(I32)
        w.frames.append(Handler(caught, status, [], quiet=True))
        with w.apart(at.what, "called"):  # tuple(map(tuple, rows)) makes two kinds of tuples
            found = w.call_value(called, Arguments(values, {}), at.node)
        w.frames.pop()
        _stopped(w, caught, status, done)
        return found

    return Steps(NEVER, following, runs_code=True)  # its kind is known when it is called


def _stopped(w: Walk, caught: Merge, status: Any, done: Callable[[], None]) -> None:
    """Let StopIteration of a function end the loop."""
    env, fine = w.env, w.block("fine")
    w.goto(fine)
    caught.land()
    if w.env is not None:
        found = w.load(status, I32)
        stop, other = w.block("stop"), w.block("other")
        if w.emitting:
            ends = w.b.call(w.program.matcher((StopIteration,)), [found])
            w.branch(ends, stop, other)
        here = dict(w.env)
        w.at(other)
        with w.noted():
            w.fail(found)
        w.env = here
        w.at(stop)
        done()
    w.env = env
    w.at(fine)


def counted(at: Iteration, first: Any) -> Steps:
    """Return the numbers from a first one on."""
    w, place = at.w, at.keep("n", I64, first)

    def following(done: Callable[[], None]) -> Val:
        i = w.load(place, I64)
        w.store(overflow(w, "sadd", i, ONE), place)
        return Val(INT, i)

    return Steps(INT, following)


def from_end(at: Iteration, a: Val, n: Any) -> Steps:
    """Return the elements of a tuple or list from the end that it had when this was asked for."""
    w, t, item = at.w, form(a.kind), item_kind(a.kind)
    place, number = at.keep("v", t, a.v), at.keep("i", I64, n)

    def following(done: Callable[[], None]) -> Val:
        first, length = span(w, Val(a.kind, w.load(place, t)))
        i = w.b.sub(w.load(number, I64), ONE)
        # A list may have become shorter, which ends the loop for good.
        more = w.b.icmp_unsigned("<", i, length)
        w.store(w.b.select(more, i, ZERO), number)
        w.go_on(more, done)
        return w.item(item, first, i)

    return Steps(item, following, runs_code=True)


def backwards(w: Walk, a: Val) -> Val:
    """Return a range from its end."""
    n = range_length(w, a)
    start, step = (w.part(a.v, i) for i in (0, 2))
    last = w.b.add(start, w.b.mul(w.b.sub(n, ONE), step))
    return Val(RANGE, w.pack(RANGE.form, [last, w.b.sub(start, step), w.b.sub(ZERO, step)]))


def deferred(
    w: Walk, values: list[Val], make: Callable[[Iteration, list[Steps]], Steps], *more: Val
) -> Val:
    """Return what is made of the elements of several iterables; `more` it takes besides them."""
    if any(a.kind is NEVER for a in (*values, *more)):
        return w.never

    def over(at: Iteration) -> Steps | None:
        parts = []
        for i, a in enumerate(values):
            with w.apart("part", i):
                part = steps(evolve(at, what=f"{at.what} {i}"), a)
            if part is None:
                return None
            parts.append(part)
        return make(at, parts)

    return Pending(over)


# What a loop runs over


def used_up(w: Walk, node: ast.AST, lasting: bool = False, pending: bool = True) -> Val:
    """Evaluate an iterable that only what stands around it can see, and that it uses up.

    Args:
        lasting: whether that may be left and resumed, so that nothing of it can be on the stack.
        pending: whether an iterator of the library may be left to it, too.
    """
    if w.env is None or not isinstance(node, ast.Call | ast.GeneratorExp):
        return w.eval(node)
    if pending and isinstance(node, ast.Call):
        made = _pending(w, node, lasting)
        if made is not None:
            return made
    w.used_up = "frame" if lasting else "stack"
    found = w.eval(node)
    w.used_up = ""
    return found


def static_of(w: Walk, node: ast.AST) -> Any:
    """Return what a name means, if that is known without running anything; else None."""
    match node:
        case ast.Name(id=name):
            k = (w.env or {}).get(w.full(name))
            if k is not None:
                return k.value if isinstance(k, Static) else None
            names = names_of(w.source.node)
            own = name in names.own or w.full(name) != name or w.outer_unbound(name)
            return None if own else w.outside(name)
        case ast.Attribute(value=value, attr=name):
            module = static_of(w, value)
            if isinstance(module, types.ModuleType):
                w.program.reads.attribute(module, name)
                return getattr(module, name, None)
    return None


def _pending(w: Walk, node: ast.Call, lasting: bool) -> Val | None:
    """Return `zip`, `enumerate`, `map` or `reversed` of plain arguments."""
    if any(isinstance(e, ast.Starred) for e in node.args):
        return None
    names, extra = [k.arg for k in node.keywords], [k.value for k in node.keywords]
    f, n = static_of(w, node.func), len(node.args)
    if f is reversed and (n, names) == (1, []):
        return _reversed(w, used_up(w, node.args[0], lasting, pending=False))
    if f is enumerate and (n, names) in ((1, []), (1, ["start"]), (2, [])):
        values, start = [used_up(w, node.args[0], lasting)], [*node.args[1:], *extra]
        first = as_index(w, w.eval(start[0]) if start else w.constant(0))
        return deferred(w, values, lambda at, p: together(at, [counted(at, first.v), *p]), first)
    if f is map and n > 1 and not names:
        function = w.eval(node.args[0])
        values = [used_up(w, e, lasting) for e in node.args[1:]]
        return deferred(w, values, partial(mapped, f=function), function)
    if f is zip and n and names in ([], ["strict"]):
        flag = extra[0] if extra else ast.Constant(False)
        if isinstance(flag, ast.Constant):
            make = strict if flag.value else together
            return deferred(w, [used_up(w, e, lasting) for e in node.args], make)
    return None


def _reversed(w: Walk, a: Val) -> Val:
    """Return `reversed(a)`."""
    if a.kind is NEVER:
        return a
    if a.kind is RANGE:
        return backwards(w, a)
    if not (isinstance(a.kind, Tup | Row) or is_list(a.kind)):
        return w.call(reversed, a)
    row = in_row(w, a)
    return Pending(partial(from_end, a=row, n=span(w, row)[1]))
