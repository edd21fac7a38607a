"""Inner functions and lambdas, with what they captured."""

from __future__ import annotations

import ast
from typing import Any

from strategies.rules.code.coercion import coerce
from strategies.rules.code.val import Val
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.kind import NEVER, Boxed, Closure
from strategies.rules.kinds.parts import is_cell, within
from strategies.rules.language.names import names_of
from strategies.rules.language.sources import FunctionNode, defaults_of

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
    made = [k for k in within(*w.instance.kinds) if isinstance(k, Closure) and k.of[0] is node]
    return len({k.number for k in made})


def _captured(w: Walk, node: FunctionNode, name: str) -> Val:
    """Return a variable for an inner function: its cell, if it has one."""
    full = w.full(name)
    assert w.env is not None
    k = w.env[full]
    if isinstance(k, Boxed) and is_cell(k) and full in names_of(w.instance.node).certain:
        return Val(Boxed("bound cell", *k.cells), w.read_raw(full).v)
    if is_cell(k) or isinstance(node, ast.GeneratorExp):
        return w.read_raw(full)  # whether it is bound is asked where it is used
    return w.read(full)
