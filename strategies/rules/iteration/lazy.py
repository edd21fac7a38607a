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
from strategies.rules.iteration.steps import STEPS, Iteration, Lazy, Pending, Steps
from strategies.rules.iteration.steps import steps as steps_of
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


def steps(at: Iteration, a: Val) -> Steps | None:
    """Return the elements of an iterator that is used up here; None where TypeError is raised."""
    assert isinstance(a, Pending)
    w, parts = at.w, []
    for i, p in enumerate(a.parts):
        if a.how == "reversed":
            p = in_row(w, p)
            if isinstance(p.kind, Row) or is_list(p.kind):
                return from_end(at, p, a.more[0].v if a.more else span(w, p)[1])
        with w.apart(a.how, i):
            part = steps_of(evolve(at, what=f"{at.what} {i}"), p)
        if part is None:
            return None
        parts.append(part)
    if a.how == "map":
        return mapped(at, parts, a.more[0])
    if a.how == "strict":
        return strict(at, parts)
    return together(at, [*(counted(at, n.v) for n in a.more), *parts])


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
            return getattr(module, name, None) if isinstance(module, types.ModuleType) else None
    return None


def _pending(w: Walk, node: ast.Call, lasting: bool) -> Val | None:
    """Return `zip`, `enumerate`, `map` or `reversed` of plain arguments."""
    if any(isinstance(e, ast.Starred) for e in node.args):
        return None
    names = [k.arg for k in node.keywords]
    f, n = static_of(w, node.func), len(node.args)
    how = ""
    iterables, more = node.args, []
    if f is enumerate and (n, names) in ((1, []), (1, ["start"]), (2, [])):
        how, iterables = "enumerate", node.args[:1]
    elif f is zip and n and names in ([], ["strict"]):
        how = "zip"
    elif f is reversed and (n, names) == (1, []):
        how = "reversed"
    elif f is map and n > 1 and not names:
        how, iterables = "map", node.args[1:]
    else:
        return None
    if names == ["strict"]:
        flag = node.keywords[0].value
        if not isinstance(flag, ast.Constant):
            return None
        how = "strict" if flag.value else "zip"
    if how == "map":
        more = [w.eval(node.args[0])]
    pending = how != "reversed"
    parts = [used_up(w, e, lasting, pending) for e in iterables]
    if how == "enumerate":
        extra = [*node.args[1:], *(k.value for k in node.keywords)]
        first = w.eval(extra[0]) if extra else w.constant(0)
        more = [as_index(w, first)]
    if any(p.kind is NEVER for p in (*parts, *more)):
        return w.never
    if how == "reversed":
        k = parts[0].kind
        if k is RANGE:
            return backwards(w, parts[0])
        if not (isinstance(k, Tup | Row) or is_list(k)):
            return w.call(reversed, parts[0])
        if is_list(k):
            more = [Val(INT, span(w, parts[0])[1])]
    return Pending(how, parts, more)


STEPS[Lazy] = steps
