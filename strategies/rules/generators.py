"""Generators: suspended calls, whose frames lie in the arena."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from strategies.rules.code import Val, c32, c64
from strategies.rules.iteration import for_each
from strategies.rules.kinds import EMPTY, I8, I64, NEVER, Closure, Generator, Kind, form
from strategies.rules.program import Instance
from strategies.rules.sources import FunctionNode, Source
from strategies.rules.values import coerce
from strategies.rules.walk import Walk, frame_places


def start(
    w: Walk,
    source: Source,
    node: FunctionNode,
    args: list[Val],
    name: str,
    closure: Val | None = None,
) -> Val:
    """Return a new generator."""
    kind = closure.kind if closure is not None else None
    assert kind is None or isinstance(kind, Closure)
    instance = w.program.instance(source, node, [a.kind for a in args], True, name, kind)
    if w.infer:
        w.program.analyse(instance)
    elif w.emitting:
        w.program.declare(instance)
    w.instance.callees.add(instance)
    if not w.emitting:
        w.fail(None)
        return Val(Generator(instance))
    frame = w.alloc(w.load(instance.frame_size, I64))
    w.store(c64(0), frame)
    kinds: list[Kind] = [*(kind.kinds if kind else []), *instance.kinds]
    captured = (
        [Val(k, w.part(closure.v, i)) for i, k in enumerate(kind.kinds)] if kind and closure else []
    )
    for place, k, a in zip(frame_places(instance), kinds, [*captured, *args], strict=True):
        if form(k) != EMPTY:
            w.store(coerce(w, a, k).v, w.b.gep(frame, [c64(place)], source_etype=I8, inbounds=True))
    return Val(Generator(instance), frame)


def resume(w: Walk, instance: Instance, frame: Any, test: Callable[[Any], None]) -> Val:
    """Run a generator to its next value; `test` branches on whether there is one."""
    item = instance.yielded
    if w.emitting:
        w.program.declare(instance)
    out = w.temp(form(item))
    status = w.b.call(instance.function, [w.context, frame, out]) if w.emitting else None
    failed = w.b.icmp_signed(">", status, c32(0))
    fail, fine = w.block("fail"), w.block("fine")
    w.branch(failed, fail, fine, rare=True)
    w.at(fail)
    w.fail(status)
    w.at(fine)
    test(w.b.icmp_signed("==", status, c32(0)))
    return Val(item, w.load(out, form(item)))


def yield_from(w: Walk, node: ast.YieldFrom) -> None:
    """Yield all that an iterable yields."""
    a = w.eval(node.value)
    for_each(w, node, a, w.yields, lasting=True, what="yield from")


__all__ = ["NEVER", "Instance", "resume", "start", "yield_from"]
