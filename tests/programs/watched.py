"""A copy of a module in which every value that is computed is looked at.

It tells whether a call ever needs an int beyond 64 bits, holds a NaN in a container (whose identity
then decides comparisons), or takes too long to be tried.
"""

from __future__ import annotations

import ast
import functools
import itertools
import math
import operator
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType, SimpleNamespace
from typing import Any, Final

LOW: Final = -(2**63)
HIGH: Final = 2**63 - 1
STEPS: Final = 100_000
"""How many values a call may compute."""
LONGEST: Final = 20_000
"""How long a container may become, and how many bits an int may need."""


class TooLong(BaseException):
    """Raised where a program is too long or too large to be tried."""


class Watch:
    """What was seen during a call."""

    def __init__(self) -> None:
        self.start()

    def start(self) -> None:
        """Forget what was seen."""
        self.big = self.nan_held = False
        self.steps = 0

    def see(self, value: Any) -> Any:
        """Return a value, having looked at it."""
        self.steps += 1
        if self.steps > STEPS:
            raise TooLong
        kind = type(value)
        if kind is int:
            if not LOW <= value <= HIGH:
                self.big = True
                if value.bit_length() > LONGEST:
                    raise TooLong
        elif kind is complex:
            raise TooLong
        elif kind is tuple or kind is list:
            if len(value) > LONGEST:
                raise TooLong
            for one in value[:20]:
                if type(one) is int and not LOW <= one <= HIGH:
                    self.big = True
                elif type(one) is float and one != one:
                    self.nan_held = True
        return value

    def operate(self, name: str, left: Any, right: Any) -> Any:
        """Return the value of a binary operator, unless it would be very large."""
        if name in ("pow", "lshift", "ipow", "ilshift") and type(left) is int:
            bits = right if name.endswith("shift") else left.bit_length() * abs(right)
            if type(right) is int and abs(left) > 1 and bits > LONGEST:
                raise TooLong
        if name in ("mul", "imul"):
            for one, times in ((left, right), (right, left)):
                held = len(one) if hasattr(one, "__len__") and isinstance(times, int) else 0
                if held and LONGEST < held * times < 2**62:
                    raise TooLong
        return self.see(getattr(operator, name)(left, right))

    def sum(self, values: Iterable[Any], start: Any = 0) -> Any:
        """Return what `sum` returns."""
        ints, values = start, list(values)
        if type(start) is int:
            for value in values:
                if not isinstance(value, int) or type(value + ints) is not int:
                    break
                ints = self.see(ints + value)
        return self.see(sum(values, start))

    def prod(self, values: Iterable[Any], *, start: Any = 1) -> Any:
        """Return what `math.prod` returns."""
        ints, values = start, list(values)
        for value in values:
            if type(ints) is not int or not isinstance(value, int):
                break
            ints = self.see(ints * value)
        return math.prod(values, start=start)

    def function(self, one: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function whose results are looked at."""

        @functools.wraps(one)
        def seen(*arguments: Any, **named: Any) -> Any:
            return self.see(one(*arguments, **named))

        return seen

    def accumulate(self, *arguments: Any, **named: Any) -> Iterator[Any]:
        """Return what `accumulate` returns."""
        return map(self.see, itertools.accumulate(*arguments, **named))

    def pow(self, base: Any, exponent: Any, mod: Any = None) -> Any:
        """Return what `pow` returns."""
        if mod is None:
            return self.operate("pow", base, exponent)
        return self.see(pow(base, exponent, mod))

    def in_place(self, place: tuple[Any, Any, Any], value: Any, name: str) -> None:
        """Change an item by an operator."""
        container, index, old = place
        container[index] = self.operate(name, old, value)


OPERATORS: Final = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv",
    ast.Mod: "mod", ast.Pow: "pow", ast.LShift: "lshift", ast.RShift: "rshift", ast.BitAnd: "and_",
    ast.BitOr: "or_", ast.BitXor: "xor", ast.MatMult: "matmul",
}  # fmt: skip
REPLACED: Final = {
    "accumulate": "_watch.accumulate", "operator": "_operator", "math": "_math",
    "itertools": "_itertools",
}  # fmt: skip


def in_place_name(one: ast.operator) -> str:
    """Return the name of an augmented operator's function."""
    return f"i{OPERATORS[type(one)].rstrip('_')}"


def call(name: str, *arguments: ast.expr) -> ast.Call:
    """Return the tree of a call."""
    function = ast.parse(name, mode="eval").body
    return ast.Call(func=function, args=list(arguments), keywords=[])


class Watching(ast.NodeTransformer):
    """Passes every value that an expression computes through the watch."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        name = ast.Constant(OPERATORS[type(node.op)])
        return call("_watch.operate", name, node.left, node.right)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if isinstance(node.operand, ast.Constant):
            return call("_watch.see", node)
        self.generic_visit(node)
        return call("_watch.see", node)

    def seen(self, node: Any) -> ast.expr:
        self.generic_visit(node)
        return (
            call("_watch.see", node) if isinstance(getattr(node, "ctx", LOAD), ast.Load) else node
        )

    visit_Call = visit_Name = visit_Subscript = visit_Attribute = visit_Constant = seen
    visit_List = visit_Tuple = visit_ListComp = seen

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        self.generic_visit(node)
        name = ast.Constant(in_place_name(node.op))
        if isinstance(node.target, ast.Subscript):
            index = node.target.slice
            if isinstance(index, ast.Slice):
                ends = (index.lower, index.upper, index.step)
                index = call("slice", *(end or ast.Constant(None) for end in ends))
            place = call("_begin", node.target.value, index)
            return ast.Expr(call("_watch.in_place", place, node.value, name))
        if isinstance(node.target, ast.Name):
            old = ast.Name(node.target.id, ast.Load())
            value = call("_watch.operate", name, old, node.value)
            return ast.Assign([node.target], value)
        return node

    def visit_While(self, node: ast.While) -> Any:
        self.generic_visit(node)
        node.body.insert(0, ast.Expr(call("_watch.see", ast.Constant(None))))
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        node.body = [self.visit(one) for one in node.body]
        node.args.defaults = [self.visit(one) for one in node.args.defaults]
        node.args.kw_defaults = [one and self.visit(one) for one in node.args.kw_defaults]
        if node.name == "area":  # a property's decorator must stay a plain name
            return node
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        node.value = node.value and self.visit(node.value)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        node.body = [self.visit(one) for one in node.body]
        return node

    def visit_match_case(self, node: ast.match_case) -> Any:
        node.guard = node.guard and self.visit(node.guard)
        node.body = [self.visit(one) for one in node.body]
        return node

    def imported(self, node: Any) -> Any:
        names = [alias.asname or alias.name for alias in node.names]
        lines = [f"{name} = {REPLACED[name]}" for name in names if name in REPLACED]
        return [node, *ast.parse("\n".join(lines)).body]

    visit_Import = visit_ImportFrom = imported


LOAD: Final = ast.Load()


def begin(container: Any, index: Any) -> tuple[Any, Any, Any]:
    """Return a container, an index and the item there."""
    return container, index, container[index]


def watched(source: str, name: str) -> tuple[ModuleType, Watch]:
    """Return the module of a source, watched, and its watch."""
    watch = Watch()
    tree = ast.fix_missing_locations(Watching().visit(ast.parse(source)))
    module = ModuleType(name)
    functions = {n: watch.function(getattr(operator, n)) for n in dir(operator) if n[0] != "_"}
    for one in ("pow", "lshift", "mul"):
        functions[one] = functools.partial(watch.operate, one)
    maths = {n: getattr(math, n) for n in dir(math)}
    tools = {n: getattr(itertools, n) for n in dir(itertools)}
    module.__dict__.update(
        _watch=watch, _begin=begin, sum=watch.sum, pow=watch.pow,
        _operator=SimpleNamespace(**functions),
        _math=SimpleNamespace(**{**maths, "prod": watch.prod}),
        _itertools=SimpleNamespace(**{**tools, "accumulate": watch.accumulate}),
    )  # fmt: skip
    import sys

    sys.modules[name] = module
    exec(compile(tree, f"<{name}>", "exec"), module.__dict__)
    return module, watch
