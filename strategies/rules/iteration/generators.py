"""Generators: suspended calls, each with a frame.

A frame lies in the arena, on the stack, or inside the frame of the generator that uses it up.

The first word of a frame is the state: 0 before the start, then the number of the `yield` at which
the generator is suspended, `ENDED` or `RUNS`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir

from strategies.rules.code.coercion import coerce, parts_of
from strategies.rules.code.polling import poll
from strategies.rules.code.val import NOTHING, Val, c32, c64
from strategies.rules.code.variables import RUNS, frame_places
from strategies.rules.code.walk import Walk
from strategies.rules.iteration.lazy import used_up
from strategies.rules.iteration.steps import STEPS, Iteration, Steps, for_each
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.kind import EMPTY, I8, I64, NEVER, PTR, Generator, Instance, Kind
from strategies.rules.kinds.parts import alternatives
from strategies.rules.language.messages import Refusal
from strategies.rules.language.sources import Source

FRAME_BYTES = 1024
"""The bytes of the largest frame inside another one, which lies on the stack of a search."""


class Fresh(Val):
    """A generator that was made by the call that was just evaluated.

    Its frame may lie inside that of the generator that uses it up, at the same place after each
    resumption. Its address is not kept in memory then, so that LLVM can keep it in registers.
    """

    __slots__ = ("inside",)

    def __init__(self, kind: Kind, v: Any = NOTHING, inside: bool = False) -> None:
        super().__init__(kind, v)
        self.inside = inside


def start(w: Walk, source: Source, args: Sequence[Val], closure: Val | None = None) -> Val:
    """Return a new generator."""
    instance = w.called(source, args, closure)
    if not w.emitting:
        w.fail(None)
        return Fresh(Generator(instance))
    size = w.program.frame_size(instance) if w.used_up == "frame" else 0
    inside = 0 < size <= FRAME_BYTES
    frame = w.room(ir.ArrayType(I64, -(-size // 8))) if inside else _frame(w, instance)
    w.store(c64(0), frame)
    captured = parts_of(w, closure) if closure else []
    places = frame_places(instance)[:-1]
    for place, k, a in zip(places, instance.given, [*captured, *args], strict=True):
        if form(k) != EMPTY:
            w.store(coerce(w, a, k).v, w.b.gep(frame, [c64(place)], source_etype=I8, inbounds=True))
    return Fresh(Generator(instance), frame, inside)


def _frame(w: Walk, instance: Instance) -> Any:
    """Room for a frame: on the stack, if nothing can see the generator after this call."""
    if w.used_up != "stack":
        return w.alloc(w.load(instance.frame_size, I64))
    place = w.entry.alloca(I8, size=w.entry.load(instance.frame_size, typ=I64))
    place.align = 16
    place.type = PTR
    return place


def entered(w: Walk) -> None:
    """Begin the code of a generator: go to where it was suspended."""
    if not w.emitting:
        return
    state = w.function.args[1]
    if w.instance.recursive():
        w.check_stack()
        poll(w)
    found = w.load(state, I64)
    own = not w.source.is_builtin
    if own:
        w.store(c64(RUNS), state)
    bad, first = w.block("bad"), w.block("start")
    w.choice = w.b.switch(found, bad)
    w.choice.add_case(c64(0), first)
    w.at(bad)
    if own:
        running = c32(w.program.error(ValueError, "generator already executing", w.where()))
        runs = w.b.icmp_signed("==", found, c64(RUNS))
        w.store(found, state)
        w.b.ret(w.b.select(runs, running, c32(-1)))
    else:
        w.b.ret(c32(-1))
    w.at(first)


def resume(w: Walk, instance: Instance, frame: Any, test: Callable[[Any], None]) -> Val:
    """Run a generator to its next value; `test` branches on whether there is one."""
    w.note_call(instance)
    if w.infer:
        w.program.use(w.instance, instance)
    item = instance.yielded
    if w.emitting:
        w.program.declare(instance)
    out = w.temp(form(item))
    status = w.b.call(instance.function, [w.context, frame, out])
    with w.noted():
        w.fail_if(w.b.icmp_signed(">", status, c32(0)), status)
    test(w.b.icmp_signed("==", status, c32(0)))
    return Val(item, w.load(out, form(item)))


def yield_from(w: Walk, node: ast.YieldFrom, wanted: bool) -> Val:
    """Yield all that an iterable yields; return what it returns, if that is wanted."""
    a = used_up(w, node.value, lasting=True)
    room = w.slot((id(node), w.path, "from"), PTR)
    if isinstance(a, Fresh) and not a.inside:
        w.store(a.v, room)
    for_each(w, node, a, w.yields, lasting=True, what="yield from")
    if not wanted or w.env is None:
        return w.constant(None)
    if not isinstance(a, Fresh):
        kinds = alternatives(a.kind)
        if any(isinstance(k, Generator) and not k.instance.source.is_builtin for k in kinds):
            raise Refusal("the value of `yield from` is compiled only of a generator called there")
        return w.constant(None)
    assert isinstance(a.kind, Generator)
    k = a.kind.instance.returned
    if k is NEVER or a.kind.instance.source.is_builtin:
        return w.never if k is NEVER else w.constant(None)
    place = c64(frame_places(a.kind.instance)[-1] if w.emitting else 0)
    frame = a.v if a.inside else w.load(room, PTR)
    return Val(k, w.load(w.b.gep(frame, [place], source_etype=I8, inbounds=True), form(k)))


def of_generator(at: Iteration, a: Val) -> Steps:
    """Return what a generator yields."""
    assert isinstance(a.kind, Generator)
    w, instance = at.w, a.kind.instance
    inside = a.v if isinstance(a, Fresh) and a.inside else None
    place = None if inside else at.keep("v", PTR, a.v)
    if not isinstance(a, Fresh):
        w.note_change(instance)

    def following(done: Callable[[], None]) -> Val:
        frame = inside or w.load(place, PTR)
        return resume(w, instance, frame, lambda more: w.go_on(more, done))

    return Steps(instance.yielded, following, runs_code=True)


STEPS[Generator] = of_generator
