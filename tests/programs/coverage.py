"""Which constructs programs contain in which positions, read from their syntax trees."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

Cell = tuple[str, str]
"""A construct and its position."""

SYMBOLS: Final = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|",
    ast.BitXor: "^", ast.MatMult: "@", ast.USub: "-x", ast.UAdd: "+x", ast.Invert: "~x",
    ast.Not: "not", ast.And: "and", ast.Or: "or", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">",
    ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.In: "in", ast.NotIn: "not in", ast.Is: "is",
    ast.IsNot: "is not",
}  # fmt: skip
MODULES: Final = ("math", "operator", "itertools", "functools", "attrs", "dataclasses")
OWN: Final = "own function"
PATTERNS: Final = {
    ast.MatchValue: "case value", ast.MatchSingleton: "case None", ast.MatchSequence: "case (x, y)",
    ast.MatchStar: "case *x", ast.MatchClass: "case int()", ast.MatchOr: "case a | b",
    ast.MatchMapping: "case {}",
}  # fmt: skip
NAMED: Final = frozenset(
    [
        "abs",
        "all",
        "any",
        "bool",
        "dict",
        "divmod",
        "enumerate",
        "filter",
        "float",
        "frozenset",
        "int",
        "isinstance",
        "iter",
        "len",
        "list",
        "map",
        "max",
        "min",
        "next",
        "pow",
        "range",
        "reversed",
        "round",
        "set",
        "sorted",
        "sum",
        "tuple",
        "zip",
        "U64",
        "deque",
        "Counter",
        "defaultdict",
        "accumulate",
        "chain",
        "combinations",
        "count",
        "cycle",
        "dropwhile",
        "groupby",
        "islice",
        "pairwise",
        "product",
        "repeat",
        "takewhile",
        "zip_longest",
        "partial",
        "put",
        "nth_bit",
        "Suit",
        "Rank",
        "Place",
        "Board",
    ]
)


def construct(node: ast.AST) -> str:
    """Return the name of the construct that a node is, empty if it is none."""
    match node:
        case ast.BinOp():
            return SYMBOLS[type(node.op)]
        case ast.UnaryOp():
            return "" if isinstance(node.operand, ast.Constant) else SYMBOLS[type(node.op)]
        case ast.BoolOp():
            return SYMBOLS[type(node.op)]
        case ast.Compare():
            return "a < b < c" if len(node.ops) > 1 else SYMBOLS[type(node.ops[0])]
        case ast.Call():
            return called(node)
        case ast.Subscript(slice=ast.Slice() as part):
            return "x[a:b:c]" if part.step else "x[a:b]"
        case ast.Subscript():
            return "x[i]" if isinstance(node.ctx, ast.Load) else ""
        case ast.Attribute():
            return ".field" if isinstance(node.ctx, ast.Load) else ""
        case ast.AugAssign():
            return f"{SYMBOLS[type(node.op)]}="
        case ast.Constant():
            return "" if isinstance(node.value, bool) else f"{type(node.value).__name__} literal"
    return NODES.get(type(node), "") or PATTERNS.get(type(node), "")


NODES: Final = {
    ast.IfExp: "a if b else c", ast.NamedExpr: ":=", ast.Lambda: "lambda", ast.List: "[]",
    ast.Tuple: "()", ast.Set: "{}", ast.Dict: "{:}", ast.ListComp: "[for]", ast.SetComp: "{for}",
    ast.DictComp: "{: for}", ast.GeneratorExp: "(for)", ast.Name: "name", ast.Starred: "*x",
    ast.For: "for", ast.While: "while", ast.If: "if", ast.Try: "try", ast.Raise: "raise",
    ast.Assert: "assert", ast.Match: "match", ast.Return: "return", ast.FunctionDef: "def",
    ast.Nonlocal: "nonlocal", ast.Delete: "del", ast.Assign: "=", ast.Break: "break",
    ast.Continue: "continue", ast.Yield: "yield", ast.YieldFrom: "yield from", ast.Pass: "pass",
}  # fmt: skip


def called(node: ast.Call) -> str:
    """Return the name of the construct that a call is: a builtin, a method or an own function."""
    function = node.func
    if isinstance(function, ast.Name) and function.id.endswith(("Error", "Stuck")):
        return "exception()"
    if isinstance(function, ast.Name):
        return f"{function.id}()" if function.id in NAMED else OWN
    if isinstance(function, ast.Attribute):
        if isinstance(function.value, ast.Name) and function.value.id in MODULES:
            return f"{function.value.id}.{function.attr}()"
        if function.attr in ("area", "twice", "shifted", "of"):
            return ".method()"
        return f".{function.attr}()"
    return "call of a value"


COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)


def position(node: ast.AST, field: str, parent: ast.AST, place: int, above: ast.AST | None) -> str:
    """Return the position of an expression in its parent."""
    match parent, field:
        case ast.BinOp(), _:
            return "left operand" if field == "left" else "right operand"
        case ast.UnaryOp(), _:
            return "operand"
        case ast.BoolOp(), _:
            return "and/or"
        case ast.Compare(), _:
            return "in a chain" if len(parent.ops) > 1 else "compared"
        case ((ast.If() | ast.While() | ast.IfExp()), "test"):
            return "condition"
        case ast.IfExp(), _:
            return "chosen"
        case ast.Subscript(), "slice":
            return "index"
        case ast.Subscript(), _:
            return "indexed"
        case ast.Slice(), _:
            return "slice bound"
        case ast.Call(), "args":
            return "argument"
        case ast.keyword(arg="key"), _:
            return "key"
        case ast.keyword(), _:
            return "keyword argument"
        case ast.Call(), "func":
            return ""
        case ast.arguments(), _:
            return "default"
        case ((ast.List() | ast.Set()), "elts"):
            return "of a list or set"
        case ast.Tuple(), "elts":
            return "of a tuple"
        case ast.Dict(), _:
            return "dict key" if field == "keys" else "dict value"
        case ((ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp()), _):
            return "comprehension's element"
        case ast.comprehension(), "iter":
            return "comprehension's iterable"
        case ast.comprehension(), "ifs":
            return "comprehension's condition"
        case ast.For(), "iter":
            return "loop's iterable"
        case ast.AugAssign(), "value":
            return "augmented value"
        case ast.Assign(), "value":
            return "assigned"
        case ast.NamedExpr(), "value":
            return "walrus value"
        case ast.Return(), _:
            return "returned"
        case ((ast.Yield() | ast.YieldFrom()), _):
            return "yielded"
        case ast.Lambda(), "body":
            return "in a lambda"
        case ast.Match(), _:
            return "match subject"
        case ast.match_case(), "guard":
            return "guard"
        case ast.Raise(), _:
            return "raised"
        case ast.Assert(), "test":
            return "asserted"
        case ast.Starred(), _:
            return "starred"
        case ast.Expr(), _:
            return "statement"
        case ast.Attribute(), _:
            return "receiver"
    return ""


def block(parent: ast.AST, field: str) -> str:
    """Return the position of a statement: the kind of its block."""
    if isinstance(parent, (ast.For, ast.While)):
        return "loop's body" if field == "body" else "loop's else"
    if isinstance(parent, ast.If):
        return "if" if field == "body" else "else"
    if isinstance(parent, ast.Try):
        return {"body": "try", "orelse": "try's else", "finalbody": "finally"}[field]
    if isinstance(parent, ast.ExceptHandler):
        return "except"
    if isinstance(parent, ast.match_case):
        return "case"
    if isinstance(parent, ast.FunctionDef):
        own = (one for one in ast.walk(parent) if isinstance(one, (ast.Yield, ast.YieldFrom)))
        return "generator" if any(own) else "function"
    return ""


def walk(node: ast.AST, above: ast.AST | None = None) -> Iterator[Cell]:
    """Yield the construct and position of every node below a node."""
    for field, value in ast.iter_fields(node):
        for place, child in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(child, ast.AST):
                continue
            name = construct(child)
            if name:
                if isinstance(child, ast.stmt):
                    where = block(node, field)
                elif isinstance(child, ast.pattern):
                    where = "case"
                else:
                    where = position(child, field, node, place, above)
                    if isinstance(node, ast.Subscript) and field == "slice":
                        store = isinstance(node.ctx, ast.Store)
                        where = "augmented index" if isinstance(above, ast.AugAssign) else where
                        where = "stored index" if store and where == "index" else where
                if where:
                    yield name, where
                for extra in (
                    ["while else"] if isinstance(child, ast.While) and child.orelse else []
                ):
                    yield extra, block(node, field)
            yield from walk(child, node)


def cells(source: str) -> set[Cell]:
    """Return the constructs and positions in a program's functions.

    >>> sorted(cells("def f(x): return x + len([x])"))[:2]
    [('+', 'returned'), ('[]', 'argument')]
    """
    found: set[Cell] = set()
    for node in ast.parse(source).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.update(walk(node))
    return found


class Table:
    """How often each construct in each position ended in which way."""

    def __init__(self) -> None:
        self.counts: dict[str, Counter[Cell]] = {"same": Counter(), "refused": Counter(),
                                                 "differs": Counter()}  # fmt: skip

    def add(self, source: str, ended: Iterable[str]) -> None:
        """Count a program's cells by how its calls ended: the worst counts."""
        ends = set(ended)
        worst = "same" if ends <= {"same", "overflow", "unsure", "left out"} else "refused"
        if ends & {"differs", "crashes", "hangs"}:
            worst = "differs"
        self.counts[worst].update(cells(source))

    def total(self) -> Counter[Cell]:
        """Return how many programs contain each cell."""
        return self.counts["same"] + self.counts["refused"] + self.counts["differs"]

    def __str__(self) -> str:
        """Return a line for each construct: its positions, and the same by position."""
        total = self.total()
        by_construct = self._lines(total, 0)
        by_position = self._lines(total, 1)
        head = f"{'':28} {'cells':>6} {'programs':>9} {'same':>8} {'refused':>8} {'differs':>8}"
        return "\n".join([head, *by_construct, "", head, *by_position])

    def _lines(self, total: Counter[Cell], axis: int) -> list[str]:
        names = sorted({cell[axis] for cell in total})
        lines = []
        for name in names:
            mine = [cell for cell in total if cell[axis] == name]
            sums = [sum(self.counts[one][cell] for cell in mine) for one in self.counts]
            numbers = " ".join(f"{n:8}" for n in sums)
            lines.append(f"{name:28} {len(mine):6} {sum(sums):9} {numbers}")
        return lines
