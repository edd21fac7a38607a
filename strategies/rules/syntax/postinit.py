"""What of a class runs once a record's fields are set: validators, then `__post_init__`.

Validators of attrs are the user's functions, or those of its library. `__attrs_post_init__` or
`__post_init__` may set fields: one that does, by `object.__setattr__(self, "name", value)`, is
compiled as a function that returns the record, and each setting binds `self` anew.
"""

from __future__ import annotations

import ast
import copy
import types
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from attrs import evolve

from strategies.rules.builtins.conversions import len_
from strategies.rules.builtins.declared import Private
from strategies.rules.calls.arguments import bind, known_defaults
from strategies.rules.calls.invoking import invoke
from strategies.rules.code.coercion import fail, is_one_of, opposite, spread
from strategies.rules.code.val import Arguments, Val
from strategies.rules.code.walk import Walk
from strategies.rules.iteration.steps import for_each
from strategies.rules.kinds.kind import NEVER, NONE
from strategies.rules.kinds.parts import class_of
from strategies.rules.language.messages import Refusal
from strategies.rules.language.sources import COMPARISONS, FunctionNode, source_of
from strategies.rules.operations.comparisons import contains
from strategies.rules.operations.operators import compare
from strategies.rules.values.specials import truth

OPERATORS = {symbol: op() for op, symbol in COMPARISONS.items()}


def run_validator(
    w: Walk, validator: Any, made: Val, attribute: Any, v: Val, node: ast.AST
) -> bool:
    """Run a validator on a field; False if it always fails."""

    def deeper(inner: Any, x: Val) -> bool:
        return run_validator(w, inner, made, attribute, x, node)

    if v.kind is NEVER:
        return False
    kind = type(validator)
    if kind.__module__ != "attr.validators" and kind.__name__ != "_AndValidator":
        given = Arguments([made, w.constant(attribute), v], {})
        return w.call_value(w.constant(validator), given, node).kind is not NEVER
    match kind.__name__:
        case "_AndValidator":
            return _run_all(w, deeper, validator._validators, v)
        case "_OptionalValidator":
            return _unless_none(w, deeper, validator.validator, v)
        case "_InstanceOfValidator":
            return _holds(
                w, is_one_of(w, v, lambda k: issubclass(class_of(k), validator.type)), TypeError
            )
        case "_NumberValidator":
            bound = w.constant(validator.bound)
            return _holds(w, compare(w, OPERATORS[validator.compare_op], v, bound), ValueError)
        case "_InValidator":
            options = w.constant(validator.options)
            return _holds(w, contains(w, v, options), ValueError)
        case "_MinLengthValidator":
            least = w.constant(validator.min_length)
            return _holds(w, compare(w, ast.GtE(), _length(w, v, node), least), ValueError)
        case "_MaxLengthValidator":
            most = w.constant(validator.max_length)
            return _holds(w, compare(w, ast.LtE(), _length(w, v, node), most), ValueError)
        case "_DeepIterable":
            if validator.iterable_validator is not None and not deeper(
                validator.iterable_validator, v
            ):
                return False
            for_each(
                w,
                node,
                v,
                lambda x: _member(w, validator.member_validator, deeper, x),
                what="validated",
            )
            return w.env is not None
    raise Refusal(f"the validator {validator!r} is not compiled; write a function")


def _unless_none(w: Walk, deeper: Callable[[Any, Val], bool], inner: Any, v: Val) -> bool:
    """Run a validator, or several, on a field that may be None; False if it always fails."""
    several = inner if isinstance(inner, list | tuple) else (inner,)

    def unless_none(x: Val) -> Val:
        fine = x.kind is NONE or _run_all(w, deeper, several, x)
        return w.constant(None) if fine else w.never

    return spread(w, v, unless_none).kind is not NEVER


def _length(w: Walk, v: Val, node: ast.AST) -> Val:
    return spread(w, v, lambda x: len_(w, node, x))


def _member(w: Walk, validator: Any, deeper: Any, x: Val) -> None:
    if not deeper(validator, x):
        w.stop()


def _run_all(
    w: Walk, deeper: Callable[[Any, Val], bool], validators: Iterable[Any], v: Val
) -> bool:
    for i, validator in enumerate(validators):
        with w.apart("validator", i):
            if not deeper(validator, v):
                return False
    return True


def _holds(w: Walk, found: Val, error: type[Exception]) -> bool:
    """Fail with an error unless something holds; False if it never does."""
    t = truth(w, found)
    if t.kind is NEVER:
        return False
    if t.known:
        if not t.py:
            fail(w, error, "a validator fails")
        return bool(t.py)
    w.check(opposite(w, t).v, error, "a validator fails")
    return True


WITH_FIELD = Private("with_field")
"""Returns a record that is being constructed, with a field set."""


class _Settings(ast.NodeTransformer):
    """Replaces the calls that set fields: each binds `self` to a record with the field set."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.own: list[ast.Name] = []  # the names that were put there

    def visit_Expr(self, node: ast.Expr) -> Any:
        match node.value:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="object"), attr="__setattr__"),
                args=[ast.Name(id=name), ast.Constant(value=str(field)), value],
                keywords=[],
            ) if name == self.name:
                before, after = ast.Name(name, ast.Load()), ast.Name(name, ast.Store())
                self.own += before, after
                function = ast.Constant(WITH_FIELD)  # type: ignore[arg-type]  # the walk takes any
                made = ast.Call(function, [before, ast.Constant(field), value], [])
                return ast.fix_missing_locations(ast.copy_location(ast.Assign([after], made), node))
        return node

    def visit_Return(self, node: ast.Return) -> Any:
        if node.value is not None and not (
            isinstance(node.value, ast.Constant) and node.value.value is None
        ):
            raise Refusal("a function that sets fields after __init__ returns nothing")
        return self.end(node)

    def end(self, node: ast.AST) -> ast.Return:
        """Return the statement that gives back the record."""
        made = ast.Return(ast.Name(self.name, ast.Load()))
        return ast.fix_missing_locations(ast.copy_location(made, node))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        return node


@cache
def _setter(node: FunctionNode) -> FunctionNode | None:
    """Return the function that returns the record, or None if it sets no field."""
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
    if not change.own:
        return None
    made.body.append(change.end(node))
    read = [n.value for n in ast.walk(made) if isinstance(n, ast.Attribute)]
    returned = [n.value for n in ast.walk(made) if isinstance(n, ast.Return)]
    known = {id(n) for n in (*read, *change.own, *returned)}
    for n in ast.walk(made):
        if isinstance(n, ast.Name) and n.id == name and id(n) not in known:
            raise Refusal(f"{name} is passed on while its fields are set, which is not compiled")
        if isinstance(n, ast.Name) and n.id == "super":
            raise Refusal("super() in a function that sets fields after __init__ is not compiled")
    return made


def completes(w: Walk, function: types.FunctionType, a: Val, extra: list[Val]) -> Val:
    """Run a function after `__init__`; return the record as it is then."""
    source = source_of(function)
    setter = None if "object" in source.globals else _setter(source.node)
    if setter is not None:
        source = evolve(source, node=setter)
    if source.is_generator:
        return a
    args = bind(w, source.node, Arguments([a, *extra], {}), known_defaults(w, source.defaults))
    if args is None:
        return fail(w, TypeError, f"wrong arguments for {source.name}")
    made = invoke(w, source, args)
    return made if setter is not None or made.kind is NEVER else a
