"""What runs after `__init__`: `__attrs_post_init__` or `__post_init__`, which may set fields.

A function that sets fields by `object.__setattr__(self, "name", value)` is compiled as one that
returns the record: each setting binds `self` anew.
"""

from __future__ import annotations

import ast
import types
from typing import Any

from attrs import evolve

from strategies.rules.calls.arguments import bind, known_defaults
from strategies.rules.calls.invoking import invoke, source_known
from strategies.rules.code.coercion import fail
from strategies.rules.code.val import Arguments, Val
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.kind import NEVER
from strategies.rules.language.messages import Refusal
from strategies.rules.language.sources import FunctionNode


class Setting(ast.stmt):
    """The statement that binds `self` to a record with a field set."""

    _fields = ("target", "before", "value")

    def __init__(self, name: str, field: str, value: ast.expr) -> None:
        super().__init__()
        self.target, self.before = ast.Name(name, ast.Store()), ast.Name(name, ast.Load())
        self.field, self.value = field, value


class _Settings(ast.NodeTransformer):
    """Replaces the calls that set fields."""

    def __init__(self, name: str) -> None:
        self.name, self.count = name, 0

    def visit_Expr(self, node: ast.Expr) -> Any:
        match node.value:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="object"), attr="__setattr__"),
                args=[ast.Name(id=name), ast.Constant(value=str(field)), value],
                keywords=[],
            ) if name == self.name:
                self.count += 1
                made = Setting(name, field, value)
                return ast.fix_missing_locations(ast.copy_location(made, node))
        return node

    def visit_Return(self, node: ast.Return) -> Any:
        if node.value is not None and not (
            isinstance(node.value, ast.Constant) and node.value.value is None
        ):
            raise Refusal("a function that sets fields after __init__ returns nothing")
        return ast.copy_location(
            ast.Return(ast.copy_location(ast.Name(self.name, ast.Load()), node)), node
        )

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        return node


_rewritten: dict[types.CodeType, FunctionNode | None] = {}


def _setter(function: types.FunctionType, node: FunctionNode) -> FunctionNode | None:
    """Return the function that returns the record, or None if it sets no field."""
    code = function.__code__
    if code not in _rewritten:
        _rewritten[code] = _rewrite(node)
    return _rewritten[code]


def _rewrite(node: FunctionNode) -> FunctionNode | None:
    import copy

    assert isinstance(node, ast.FunctionDef)
    places = [*node.args.posonlyargs, *node.args.args]
    if not places:
        return None
    name = places[0].arg
    made = copy.deepcopy(node)
    for n in ast.walk(made):  # what sources.own_nodes keeps is the original's
        vars(n).pop("own_nodes", None)
    change = _Settings(name)
    made.body = [x for s in made.body for x in [change.visit(s)]]
    if not change.count:
        return None
    last = ast.copy_location(ast.Return(ast.copy_location(ast.Name(name, ast.Load()), node)), node)
    made.body.append(last)
    read = [n.value for n in ast.walk(made) if isinstance(n, ast.Attribute)]
    own = [n.before for n in ast.walk(made) if isinstance(n, Setting)]
    own += [n.target for n in ast.walk(made) if isinstance(n, Setting)]
    own += [n.value for n in ast.walk(made) if isinstance(n, ast.Return)]  # type: ignore[misc]  # None does no harm
    known = {id(n) for n in (*read, *own)}
    for n in ast.walk(made):
        if isinstance(n, ast.Name) and n.id == name and id(n) not in known:
            raise Refusal(f"{name} is passed on while its fields are set, which is not compiled")
        if isinstance(n, ast.Name) and n.id == "super":
            raise Refusal("super() in a function that sets fields after __init__ is not compiled")
    return made


def completes(w: Walk, function: types.FunctionType, a: Val, extra: list[Val]) -> Val:
    """Run a function after `__init__`; return the record as it is then."""
    source = source_known(function)
    setter = None if "object" in source.globals else _setter(function, source.node)
    if setter is not None:
        source = evolve(source, node=setter)
    if source.is_generator:
        return a
    args = bind(w, source.node, Arguments([a, *extra], {}), known_defaults(w, source.defaults))
    if args is None:
        return fail(w, TypeError, f"wrong arguments for {source.name}")
    made = invoke(w, source, source.node, args, source.name, False, None)
    return made if setter is not None or made.kind is NEVER else a
