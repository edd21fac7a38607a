"""Calls of functions that are written in Python: an instance for the kinds of the arguments."""

from __future__ import annotations

import ast
import types
from collections.abc import Sequence
from typing import Any

from attrs import evolve

from strategies.rules.calls import closures
from strategies.rules.calls.arguments import bind, known_defaults
from strategies.rules.code.coercion import coerce, fail, parts_of
from strategies.rules.code.val import NOTHING, Arguments, Val
from strategies.rules.code.walk import Walk
from strategies.rules.iteration import generators
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.kind import NEVER, Closure
from strategies.rules.kinds.parts import can_change, in_memory
from strategies.rules.language.sources import (
    FunctionNode,
    Source,
    _closure_of,
    _defaults_of,
    own_nodes,
    source_of,
)
from strategies.rules.machine.memory import CONTEXT, FREE

_sources: dict[Any, Source] = {}


def source_known(function: types.FunctionType) -> Source:
    """Return the source of a function; its name, closure and defaults are read anew."""
    code = function.__code__
    if code not in _sources:
        _sources[code] = source_of(function)
    found = _sources[code]
    return evolve(
        found,
        name=function.__qualname__,
        closure=_closure_of(function),
        defaults=_defaults_of(function, found.node),
        globals=function.__globals__,
    )


def call_function(w: Walk, function: types.FunctionType, given: Arguments) -> Val:
    """Call a function of Python."""
    source = source_known(function)
    w.program.reads.function(function)
    args = bind(w, source.node, given, known_defaults(w, source.defaults))
    if args is None:
        return fail(w, TypeError, f"wrong arguments for {source.name}")
    return invoke(w, source, source.node, args, source.name, source.is_generator, None)


def call_closure(w: Walk, f: Val, given: Arguments, node: ast.AST) -> Val:
    """Call an inner function."""
    k = f.kind
    assert isinstance(k, Closure)
    inner, outer = k.of

    def default(name: str) -> Val | None:
        place = closures.DEFAULT + name
        return parts_of(w, f)[k.names.index(place)] if place in k.names else None

    name = getattr(inner, "name", "<lambda>")
    args = bind(w, inner, given, default)
    if args is None:
        return fail(w, TypeError, f"wrong arguments for {name}")
    is_generator = any(isinstance(n, ast.Yield | ast.YieldFrom) for n in own_nodes(inner))
    return invoke(w, outer, inner, args, f"{outer.name}.{name}", is_generator, f)


def invoke(
    w: Walk,
    source: Source,
    node: FunctionNode,
    args: Sequence[Val],
    name: str,
    is_generator: bool,
    closure: Val | None,
) -> Val:
    """Call an instance of a function, or start it if it is a generator."""
    if any(a.kind is NEVER for a in args):
        return w.never
    if is_generator:
        return generators.start(w, source, node, list(args), name, closure)
    instance = w.called(source, node, args, name, False, closure)
    returned = instance.returned
    if not w.emitting:
        w.fail(None)
        return Val(returned)
    out = w.temp(form(returned))
    outer = [closure.v] if closure is not None else []
    values = [coerce(w, a, k).v for a, k in zip(args, instance.kinds, strict=True)]
    # What the call made is given back, where nothing that outlives it can hold a part of it.
    kinds = [*([closure.kind] if closure is not None else []), *instance.kinds]
    closed = not in_memory(returned) and not any(map(can_change, kinds))
    closed = closed and not instance.remembering()
    free = w.get(w.context, CONTEXT, FREE) if closed else NOTHING
    with w.noted():
        w.checked(w.b.call(instance.function, [w.context, out, *outer, *values]))
    if closed:
        w.put(w.context, CONTEXT, FREE, free)
    return w.outcome(returned, out)
