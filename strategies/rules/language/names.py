"""Names: which of a function's are its own, which come from around it, and which need a cell."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from typing import Any

from attrs import frozen

from strategies.rules.language.sources import (
    Comprehension,
    FunctionNode,
    inner_functions,
    own_nodes,
    parameters,
    statement_nodes,
)


@frozen(eq=False)
class Names:
    """The names of one function.

    Attributes:
        own: bound in the function itself.
        free: bound in a function around it.
        shared: own names that need a cell, because an inner function sees them change.
        certain: shared names that are bound before any inner function is called that uses them,
            though it may be made before.
    """

    own: frozenset[str]
    free: frozenset[str]
    shared: frozenset[str]
    certain: frozenset[str]


def _bound(node: ast.AST) -> list[str]:
    """Return the names that a node binds."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return [name]
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.ExceptHandler(name=str(name)):
            return [name]
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            return [name]
        case ast.MatchMapping(rest=str(name)):
            return [name]
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return [(a.asname or a.name).partition(".")[0] for a in names]
    return []


def _bound_around(node: ast.GeneratorExp) -> set[str]:
    """Return the names that a generator expression binds in the function around it, by `:=`."""
    found = set()
    for n in own_nodes(node):
        if isinstance(n, ast.NamedExpr):
            found.add(n.target.id)
        elif isinstance(n, ast.GeneratorExp):
            found |= _bound_around(n)
    return found


def binds(nodes: Iterable[ast.AST], name: str) -> bool:
    """Return whether one of some nodes binds a name, or says that a function around does."""
    return any(
        name in (n.names if isinstance(n, ast.Nonlocal | ast.Global) else _bound(n)) for n in nodes
    )


def names_in(node: ast.AST, how: type[ast.expr_context]) -> set[str]:
    """Return the names that stand in a node to be read, or to be bound."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, how)}


def comprehension_names(node: Comprehension | ast.GeneratorExp) -> set[str]:
    """Return the names that belong to a comprehension."""
    return {name for g in node.generators for name in names_in(g.target, ast.Store)}


@cache
def names_of(node: FunctionNode) -> Names:
    """Return the names of a function; those of comprehensions in it are apart."""
    hidden = _hidden(node)
    own, elsewhere, used = set(parameters(node)), set(), set()
    for n in own_nodes(node):
        if isinstance(n, ast.Nonlocal | ast.Global):
            elsewhere |= set(n.names)
        if isinstance(n, ast.Name):
            if (id(n), n.id) in hidden:
                continue
            used.add(n.id)
        own.update(_bound(n))
        if isinstance(n, ast.GeneratorExp):
            own |= _bound_around(n)
    own -= elsewhere | (_bound_around(node) if isinstance(node, ast.GeneratorExp) else set())
    for inner in inner_functions(node):
        used |= {name for name in names_of(inner).free if not _in_comprehension(node, inner, name)}
    free = frozenset(used - own)
    seen = {name for inner in inner_functions(node) for name in names_of(inner).free}
    shared = frozenset(n for n in own & seen if not _settled(node, n))
    certain = frozenset(n for n in shared if _bound_before_calls(node, n))
    return Names(frozenset(own), free, shared, certain)


def _hidden(node: FunctionNode) -> set[tuple[int, str]]:
    """Return the uses of names that belong to comprehensions inside of a function."""
    found = set()
    for n in own_nodes(node):
        if isinstance(n, Comprehension):
            mine = comprehension_names(n)
            outside = {id(x) for x in ast.walk(n.generators[0].iter)}
            outside |= {id(x.target) for x in ast.walk(n) if isinstance(x, ast.NamedExpr)}
            names = [x for x in ast.walk(n) if isinstance(x, ast.Name) and x.id in mine]
            found |= {(id(x), x.id) for x in names if id(x) not in outside}
    return found


def _in_comprehension(node: FunctionNode, inner: FunctionNode, name: str) -> bool:
    """Whether an inner function takes a name from a comprehension that it stands in."""
    around = [n for n in own_nodes(node) if isinstance(n, Comprehension) and inner in ast.walk(n)]
    return any(name in comprehension_names(n) for n in around)


CONSUMERS = (any, all, sum, min, max, list, tuple, sorted, set, frozenset, dict, next)
"""Builtins that use up what they are given first."""
_CONSUMERS = frozenset(f.__name__ for f in CONSUMERS)


def used_at_once(node: FunctionNode | Comprehension) -> set[int]:
    """Return the generator expressions that a call uses up, before anything else happens.

    What they take from around them cannot change meanwhile, so they may have it by value.
    """
    found = set()
    inside = ast.walk(node) if isinstance(node, Comprehension) else own_nodes(node)
    for n in inside:
        match n:
            case ast.Call(func=ast.Name(id=name), args=[ast.GeneratorExp() as made, *rest]) if (
                name in _CONSUMERS
            ):
                others = [*rest, *(k.value for k in n.keywords)]
                plain = ast.Constant | ast.Name | ast.Lambda
                inner = inner_functions(made)
                own = used_at_once(made) if inner else set()
                if all(isinstance(x, plain) for x in others) and all(id(i) in own for i in inner):
                    found.add(id(made))
    return found


def _settled(node: FunctionNode, name: str) -> bool:
    """Whether a name has its only value before any inner function that uses it is made."""
    stores = [n for n in own_nodes(node) if name in _bound(n)]
    users = [i for i in inner_functions(node) if name in names_of(i).free]
    if any(isinstance(n, ast.Nonlocal) and name in n.names for i in users for n in ast.walk(i)):
        return False
    if any(isinstance(i, ast.GeneratorExp) and name in _bound_around(i) for i in users):
        return False
    at_once = used_at_once(node)
    if all(id(i) in at_once for i in users):
        return True
    if name in parameters(node):
        return not stores
    if len(stores) != 1 or isinstance(node, ast.GeneratorExp):
        return False
    store = stores[0]
    branches = ast.For | ast.While | Comprehension | ast.Try | ast.If | ast.IfExp | ast.Match
    if any(isinstance(n, branches) and store in ast.walk(n) for n in own_nodes(node)):
        return False
    end = _end_of_binding(node, store)
    return all(end <= (u.lineno, u.col_offset) and u is not store for u in users)


def _bound_before_calls(node: FunctionNode, name: str) -> bool:
    """Whether a name is bound before any inner function can be called that uses it.

    Up to the statement that surely binds it, such functions are only made, and nothing but their
    own bodies reads their names.  So a function may call itself, and several may call each other.
    """
    body = node.body if isinstance(node, ast.FunctionDef) else []
    last = next((i for i, s in enumerate(body) if name in _surely_bound(s)), None)
    if last is None:
        return False
    before = [n for s in body[: last + 1] for n in statement_nodes(s)]
    inner = [n for n in before if isinstance(n, FunctionNode)]
    made = {id(f): title for s in body[: last + 1] for f, title in _made(s)}
    unready, grown = {name}, True
    while grown:
        users = [f for f in inner if names_of(f).free & unready]
        if any(id(f) not in made for f in users):
            return False
        grown = not unready.issuperset(found := {made[id(f)] for f in users})
        unready |= found
    return not any(
        isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and n.id in unready for n in before
    )


def _surely_bound(s: ast.stmt) -> list[str]:
    """Return names that a statement binds unless it fails."""
    match s:
        case ast.FunctionDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [n for t in targets for e in getattr(t, "elts", [t]) for n in _bound(e)]
        case ast.AnnAssign(target=target, value=ast.expr()):
            return _bound(target)
    return []


def _made(s: ast.stmt) -> list[tuple[FunctionNode, str]]:
    """Return the function that a statement makes, and does nothing else, with its only name."""
    match s:
        case ast.FunctionDef(name=name, decorator_list=[]):
            return [(s, name)]
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda() as made):
            return [(made, name)]
    return []


def _end_of_binding(node: FunctionNode, store: Any) -> tuple[int, int]:
    """Return where the statement ends that binds a name: its value is evaluated before."""
    binding = ast.Assign | ast.AnnAssign | ast.AugAssign | ast.NamedExpr
    found = [n for n in own_nodes(node) if isinstance(n, binding) and store in ast.walk(n)]
    return max((n.end_lineno, n.end_col_offset) for n in [store, *found])
