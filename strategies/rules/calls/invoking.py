"""Calls of functions that are written in Python: an instance for the kinds of the arguments.

An inner function or lambda is called with what it captured.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Sequence
from typing import Any

from strategies.rules.calls.arguments import bind, known_defaults
from strategies.rules.code.coercion import coerce, fail, parts_of
from strategies.rules.code.val import NOTHING, Arguments, Val
from strategies.rules.code.walk import Walk
from strategies.rules.iteration import generators
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.kind import NEVER, Boxed, Closure
from strategies.rules.kinds.parts import can_change, in_memory, is_cell, within
from strategies.rules.language.names import names_of
from strategies.rules.language.sources import FunctionNode, Source, defaults_of, source_of
from strategies.rules.machine.memory import CONTEXT, FREE

# A function that takes what it makes gets ever more kinds, unless they become one.
CLOSURE_KINDS = 4
DEFAULT = "default "  # a name that no variable has


def make_closure(w: Walk, node: FunctionNode) -> Val:
    """Return an inner function: the variables around it that it uses, and its defaults."""
    free = [n for n in sorted(names_of(node).free) if w.env is not None and w.full(n) in w.env]
    defaults = defaults_of(node)
    values = [_captured(w, node, n) for n in free] + [w.eval(d) for _, d in defaults]
    if w.env is None or any(v.kind is NEVER for v in values[len(free) :]):
        return w.never
    names = [*free, *(DEFAULT + n for n, _ in defaults)]
    where: Any = id(node), w.instance.number, w.path, tuple(names)
    if where not in w.program.closures and _taken(w, node) >= CLOSURE_KINDS:
        where = id(node), w.source.outside, tuple(names)
    k = w.program.closure(where, node, names, w.source)
    if w.infer:
        w.program.fill(k, [v.kind for v in values])
    parts = [coerce(w, v, kind).v for v, kind in zip(values, k.kinds, strict=True)]
    return Val(k, w.pack(form(k), parts))


def _taken(w: Walk, node: FunctionNode) -> int:
    """Return how many kinds of the functions of a text are in the arguments of what makes one."""
    made = [k for k in within(*w.instance.kinds) if isinstance(k, Closure) and k.of.node is node]
    return len({k.number for k in made})


def _captured(w: Walk, node: FunctionNode, name: str) -> Val:
    """Return a variable for an inner function: its cell, if it has one."""
    full = w.full(name)
    assert w.env is not None
    k = w.env[full]
    if isinstance(k, Boxed) and is_cell(k) and full in names_of(w.source.node).certain:
        return Val(Boxed("bound cell", *k.cells), w.read_raw(full).v)
    if is_cell(k) or isinstance(node, ast.GeneratorExp):
        return w.read_raw(full)  # whether it is bound is asked where it is used
    return w.read(full)


def call_function(w: Walk, function: types.FunctionType, given: Arguments) -> Val:
    """Call a function of Python."""
    source = source_of(function)
    w.program.reads.function(function)
    args = bind(w, source.node, given, known_defaults(w, source.defaults))
    if args is None:
        return fail(w, TypeError, f"wrong arguments for {source.name}")
    return invoke(w, source, args)


def call_closure(w: Walk, f: Val, given: Arguments, node: ast.AST) -> Val:
    """Call an inner function."""
    k = f.kind
    assert isinstance(k, Closure)

    def default(name: str) -> Val | None:
        place = DEFAULT + name
        return parts_of(w, f)[k.names.index(place)] if place in k.names else None

    args = bind(w, k.of.node, given, default)
    if args is None:
        name = getattr(k.of.node, "name", "<lambda>")
        return fail(w, TypeError, f"wrong arguments for {name}")
    return invoke(w, k.of, args, f)


def invoke(w: Walk, source: Source, args: Sequence[Val], closure: Val | None = None) -> Val:
    """Call an instance of a function, or start it if it is a generator."""
    if any(a.kind is NEVER for a in args):
        return w.never
    if source.is_generator:
        return generators.start(w, source, args, closure)
    instance = w.called(source, args, closure)
    returned = instance.returned
    if not w.emitting:
        w.fail(None)
        return Val(returned)
    out = w.temp(form(returned))
    outer = [closure.v] if closure is not None else []
    values = [coerce(w, a, k).v for a, k in zip(args, instance.kinds, strict=True)]
    # What the call made is given back, where nothing that outlives it can hold a part of it.
    closed = not in_memory(returned) and not any(map(can_change, instance.given))
    closed = closed and not instance.remembering()
    free = w.get(w.context, CONTEXT, FREE) if closed else NOTHING
    with w.noted():
        w.checked(w.b.call(instance.function, [w.context, out, *outer, *values]))
    if closed:
        w.put(w.context, CONTEXT, FREE, free)
    return w.outcome(returned, out)
