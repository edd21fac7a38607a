"""Comprehensions, which are loops of their own scope, and generator expressions, which are lazy."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from strategies.rules.builtins.iterators import iterable
from strategies.rules.calls.invoking import make_closure
from strategies.rules.code.val import New, Val
from strategies.rules.code.walk import Loop, Merge, Walk
from strategies.rules.containers import tables
from strategies.rules.iteration import generators, orderless
from strategies.rules.iteration.lazy import used_up
from strategies.rules.iteration.orderless import COMPREHENSION
from strategies.rules.iteration.steps import for_each
from strategies.rules.kinds.kind import NEVER, Generator
from strategies.rules.language.messages import Refusal
from strategies.rules.language.names import comprehension_names, names_of, used_at_once
from strategies.rules.language.sources import ITERABLE, inner_functions
from strategies.rules.operations import sequences
from strategies.rules.syntax.conditions import branch_on


def scoped(w: Walk, node: Any, use: Callable[[], None], settled: bool = False) -> None:
    """Run a comprehension's loops in a scope of their own; `use` is called for each element.

    Args:
        settled: whether what reads it asks for no order.
    """
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
    one = orderless.begin(w, node, settled)
    _loops(w, node, node.generators, use, first)
    orderless.end(w, one)
    w.scopes.pop()
    if w.env is not None:
        for name in names.values():
            if name not in before:
                w.env.pop(name, None)


def _taken_inside(node: Any) -> set[str]:
    """Return the names of a comprehension that functions in it see."""
    made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
    at_once = set() if isinstance(node, ast.GeneratorExp) else used_at_once(node)
    inner = [i for e in made for i in inner_functions(ast.GeneratorExp(e, node.generators))]
    return {n for i in inner if id(i) not in at_once for n in names_of(i).free}


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
    lasting = w.source.is_generator and isinstance(node, ast.GeneratorExp)
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
    k, settled = w.site(node, "list"), w.asked is node
    made = New(k, sequences.new_list(w, k))
    scoped(w, node, lambda: sequences.append(w, made, w.eval(node.elt)), settled)
    return w.reached(made)


def set_comprehension(w: Walk, node: ast.SetComp) -> Val:
    made = tables.new(w, node, "set")
    scoped(w, node, lambda: tables.add(w, made, w.eval(node.elt)), settled=True)
    found = w.instance.records.get((orderless.FOUND, id(node)))
    if found is not None:
        orderless.check_result(set, made.boxed.item)
        orderless.check_steps(w, node, None, lambda: found)
    return w.reached(made)


def dict_comprehension(w: Walk, node: ast.DictComp) -> Val:
    made = tables.new(w, node, "dict")

    def use() -> None:
        at = w.eval(node.key)
        tables.put(w, made, at, w.eval(node.value))

    scoped(w, node, use)
    return w.reached(made)


def generator_expression(w: Walk, node: ast.GeneratorExp) -> Val:
    """Return the generator; only its first iterable is evaluated now."""
    room, w.used_up = w.used_up, ""
    settled = w.asked is node
    outer = node.generators[0].iter
    first = iterable(
        w, used_up(w, outer, lasting=room == "frame", pending=False) if room else w.eval(outer)
    )
    if first.kind is NEVER:
        return first
    made = make_closure(w, node)
    if not room and id(node) in used_at_once(w.source.node):
        raise Refusal("a function has the name of one of Python's; give it another name")
    w.used_up = room
    started = generators.start(w, w.source.inner(node), [first], made)
    made_by = started.kind.instance if isinstance(started.kind, Generator) else w.instance
    if not settled and made_by.records.get((orderless.FOUND, id(node))) is not None:
        raise Refusal(orderless.CHANCE)
    return started


def generate(w: Walk, node: ast.GeneratorExp) -> None:
    """Run the body of a generator expression, which is a generator's."""
    one = orderless.begin(w, node, settled=True)  # who makes it asks who reads it
    _loops(w, node, node.generators, lambda: w.yields(w.eval(node.elt)), w.name(ITERABLE))
    orderless.end(w, one)
