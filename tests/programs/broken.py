"""Engines that are broken on purpose, to see that the law finds them."""

from __future__ import annotations

import ast
import copy
import inspect
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

Function = Callable[..., Any]


def rewritten(function: Function, change: ast.NodeTransformer) -> Function:
    """Return the function of a module whose syntax tree was changed."""
    tree = change.visit(ast.parse(inspect.getsource(sys.modules[function.__module__])))
    module = ModuleType("broken_program")
    sys.modules["broken_program"] = module  # dataclasses look for their module
    exec(compile(ast.fix_missing_locations(tree), "<broken>", "exec"), module.__dict__)
    found: Function = getattr(module, function.__name__)
    return found


def truncating(function: Function) -> Function:
    """Return a function whose floats become ints in what it returns."""

    def run(*arguments: Any) -> Any:
        return truncated(function(*arguments))

    return run


def truncated(value: Any) -> Any:
    """Return a value with its floats truncated."""
    if isinstance(value, float) and value - value == 0:
        return int(value)
    if type(value) in (list, tuple):
        return type(value)(map(truncated, value))
    return value


def swallowing(function: Function) -> Function:
    """Return a function that gives 0 where it divides by zero or looks beyond an end."""

    def run(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except (ZeroDivisionError, IndexError):
            return 0

    return run


def copying(function: Function) -> Function:
    """Return a function that works on copies of its arguments."""
    return lambda *arguments: function(*copy.deepcopy(arguments))


class _RightFirst(ast.NodeTransformer):
    """Evaluates the right operand of a binary operator first."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if not any(isinstance(one, ast.NamedExpr) for one in ast.walk(node)):
            pair = ast.Tuple([node.right, node.left], ast.Load())
            body = ast.BinOp(ast.Name("left_", ast.Load()), node.op, ast.Name("right_", ast.Load()))
            names = ast.arguments([], [ast.arg("right_"), ast.arg("left_")], None, [], [], None, [])
            return ast.Call(ast.Lambda(names, body), [ast.Starred(pair, ast.Load())], [])
        return node


class _CopyOfNames(ast.NodeTransformer):
    """Copies a list wherever it gets a second name."""

    def visit_List(self, node: ast.List) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load):
            node.elts = [_copied(one) if isinstance(one, ast.Name) else one for one in node.elts]
        return node


def _copied(name: ast.expr) -> ast.expr:
    text = f"({ast.unparse(name)}[:] if type({ast.unparse(name)}) is list else {ast.unparse(name)})"
    return ast.parse(text, mode="eval").body


class _FloatSums(ast.NodeTransformer):
    """Joins an int and a float in a conditional expression to a float."""

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        join = ast.parse("(lambda v: v + 0.0 if type(v) is int else v)", mode="eval").body
        literal = isinstance(node.orelse, ast.Constant) and isinstance(node.orelse.value, float)
        return ast.Call(join, [node], []) if literal else node


class _NoReverse(ast.NodeTransformer):
    """Ignores the argument `reverse`."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        node.keywords = [one for one in node.keywords if one.arg != "reverse"]
        return node


class _EagerGenerators(ast.NodeTransformer):
    """Computes all of a generator expression at once."""

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        self.generic_visit(node)
        made = ast.ListComp(node.elt, node.generators)
        return ast.Call(ast.Name("iter", ast.Load()), [made], [])


class _NoElse(ast.NodeTransformer):
    """Always runs the else of a loop."""

    def visit_For(self, node: ast.For) -> Any:
        self.generic_visit(node)
        after, node.orelse = node.orelse, []
        return [node, *after]


class _EarlyClosures(ast.NodeTransformer):
    """Binds the variable of a comprehension when a lambda in it is made."""

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        self.generic_visit(node)
        target = node.generators[0].target
        if isinstance(node.elt, ast.Lambda) and isinstance(target, ast.Name):
            names = {one.arg for one in node.elt.args.args}
            if target.id not in names and not node.elt.args.vararg and not node.elt.args.defaults:
                node.elt.args.kwonlyargs.append(ast.arg(target.id))
                node.elt.args.kw_defaults.append(ast.Name(target.id, ast.Load()))
        return node


class _ValueBeforeTarget(ast.NodeTransformer):
    """Reads the target of an augmented assignment after the value is computed."""

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        self.generic_visit(node)
        if not isinstance(node.target, ast.Subscript):
            return node
        first = ast.Assign([ast.Name("value_", ast.Store())], node.value)
        node.value = ast.Name("value_", ast.Load())
        return [first, node]


def _by(change: type[ast.NodeTransformer]) -> Callable[[Function], Function]:
    return lambda function: rewritten(function, change())


BROKEN: Final[dict[str, Callable[[Function], Function]]] = {
    "floats are truncated": truncating,
    "exceptions are swallowed": swallowing,
    "arguments are copied": copying,
    "the right operand is evaluated first": _by(_RightFirst),
    "a list in a list is a copy": _by(_CopyOfNames),
    "a conditional expression becomes a float": _by(_FloatSums),
    "an argument is ignored": _by(_NoReverse),
    "generators are not lazy": _by(_EagerGenerators),
    "the else of a loop always runs": _by(_NoElse),
    "closures are bound early": _by(_EarlyClosures),
    "a target is read after the value": _by(_ValueBeforeTarget),
}
"""A broken engine for each kind of fault that compilers of rules have had."""
