"""Comprehensions, which are loops of their own scope, and generator expressions, which are lazy."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from strategies.rules import closures, generators, sequences, tables
from strategies.rules.builtins.iterators import iterable
from strategies.rules.code import Val
from strategies.rules.conditions import branch_on
from strategies.rules.iteration import for_each
from strategies.rules.kinds import NEVER
from strategies.rules.lazy import used_up
from strategies.rules.messages import Refusal
from strategies.rules.names import comprehension_names, names_of, used_at_once
from strategies.rules.orderless import COMPREHENSION
from strategies.rules.sources import ITERABLE, inner_functions
from strategies.rules.walk import Loop, Merge, Walk


def scoped(w: Walk, node: Any, use: Callable[[], None]) -> None:
    """Run a comprehension's loops in a scope of their own; `use` is called for each element."""
    first = used_up(w, node.generators[0].iter)
    if first.kind is NEVER:
        return
    names = {name: f"{name}@{id(node)}" for name in sorted(comprehension_names(node))}
    w.scopes.append(names)
    before = set(w.env or ())
    taken = _taken_inside(node)
    for name in names:
        if name in taken:
            w.share(names[name], node)
    _loops(w, node, node.generators, use, first)
    w.scopes.pop()
    if w.env is not None:
        for name in names.values():
            if name not in before:
                w.env.pop(name, None)


def _taken_inside(node: Any) -> set[str]:
    """Return the names of a comprehension that functions in it see."""
    as_function = ast.GeneratorExp(
        node.elt if hasattr(node, "elt") else node.value, node.generators
    )
    at_once = used_at_once(node) if not isinstance(node, ast.GeneratorExp) else set()
    inner = [i for i in inner_functions(as_function) if id(i) not in at_once]
    found = {n for i in inner for n in names_of(i).free}
    if isinstance(node, ast.DictComp):
        other = ast.GeneratorExp(node.key, node.generators)
        inner = [i for i in inner_functions(other) if id(i) not in at_once]
        found |= {n for i in inner for n in names_of(i).free}
    return found


def _loops(
    w: Walk,
    node: Any,
    generators: list[ast.comprehension],
    use: Callable[[], None],
    first: Val | None,
) -> None:
    if w.env is None:
        return None
    if not generators:
        return use()
    g, rest = generators[0], generators[1:]
    lasting = w.instance.is_generator and isinstance(node, ast.GeneratorExp)
    a = first if first is not None else used_up(w, g.iter, lasting)

    def body(x: Val) -> None:
        w.bind_target(g.target, x)
        loop = next(f for f in reversed(w.frames) if isinstance(f, Loop))
        for i, test in enumerate(g.ifs):
            keep = Merge(w, test, f"keep {i}")
            branch_on(w, test, keep, loop.again)
            keep.land()
        _loops(w, node, rest, use, None)

    for_each(
        w,
        g.target,
        a,
        body,
        lasting=lasting,
        what=COMPREHENSION,
    )
    return None


def list_comprehension(w: Walk, node: ast.ListComp) -> Val:
    k = w.site(node, "list")
    made = Val(k, sequences.new_list(w, k))
    scoped(w, node, lambda: sequences.append(w, made, w.eval(node.elt)))
    return _made(w, made)


def set_comprehension(w: Walk, node: ast.SetComp) -> Val:
    made = tables.new(w, node, "set")
    scoped(w, node, lambda: tables.add(w, made, w.eval(node.elt)))
    return _made(w, made)


def dict_comprehension(w: Walk, node: ast.DictComp) -> Val:
    made = tables.new(w, node, "dict")

    def use() -> None:
        at = w.eval(node.key)
        tables.put(w, made, at, w.eval(node.value))

    scoped(w, node, use)
    return _made(w, made)


def _made(w: Walk, a: Val) -> Val:
    return a if w.env is not None else Val(NEVER, w.undef(NEVER))


def generator_expression(w: Walk, node: ast.GeneratorExp) -> Val:
    """Return the generator; only its first iterable is evaluated now."""
    room, w.used_up = w.used_up, ""
    outer = node.generators[0].iter
    first = iterable(
        w, used_up(w, outer, lasting=room == "frame", pending=False) if room else w.eval(outer)
    )
    if first.kind is NEVER:
        return first
    made = closures.make(w, node)
    if not room and id(node) in used_at_once(w.instance.node):
        raise Refusal("a function has the name of one of Python's; give it another name")
    w.used_up = room
    return generators.start(w, w.source, node, [first], w.instance.name, made)


def generate(w: Walk, node: ast.GeneratorExp) -> None:
    """Run the body of a generator expression, which is a generator's."""
    _loops(w, node, node.generators, lambda: w.yields(w.eval(node.elt)), w.name(ITERABLE))


def inline(w: Walk, node: ast.AST, use: Callable[[Val], None]) -> bool:
    """Run a generator expression that is used up at once as a loop; False if this is none."""
    if not isinstance(node, ast.GeneratorExp):
        return False
    scoped(w, node, lambda: use(w.eval(node.elt)))
    return True
