"""Sources: the syntax tree of a function, which of its names are whose, and its operators.

An operator's syntax is listed with the names that special methods and the module `operator` have.
"""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
import operator
import re
import sysconfig
import textwrap
import tokenize
import types
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from strategies.rules.language.messages import Refusal

MADE = "<string>"
"""The file of all code that `exec` makes, and of ``python -c``, whose text Python 3.13 keeps under
that name: it may be that of another function."""
FunctionNode = ast.FunctionDef | ast.Lambda | ast.GeneratorExp
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp
OURS = "strategies.", "games.transforms."
LIBRARY = "strategies.rules."  # where builtins that are written in Python stand
# Builtins that only read the elements of their first parameters, and of how many.
READERS = {
    "sum_": 1, "compensated_sum": 1, "any_": 1, "all_": 1, "min_": 1, "max_": 1, "sorted_": 1,
    "issuperset": 2, "isdisjoint": 2,
}  # fmt: skip
ITERABLE = ".0"  # the only parameter of a generator expression


@frozen(eq=False)
class Source:
    """A function's syntax tree with the values of names outside of it.

    Attributes:
        name: of an inner function, that of the outermost one around it.
        title: what errors call it.
        first: the line of the file on which the text of the tree begins, less one.
    """

    node: FunctionNode
    name: str
    title: str
    first: int
    lines: list[str]
    globals: dict[str, Any]
    closure: dict[str, Any]
    defaults: dict[str, Any]
    is_generator: bool

    def inner(self, node: FunctionNode) -> Source:
        """Return the source of a function or generator expression that is written inside."""
        if isinstance(node, ast.GeneratorExp):
            return evolve(self, node=node, is_generator=True)
        title = f"{self.name}.{getattr(node, 'name', '<lambda>')}"
        return evolve(self, node=node, title=title, is_generator=yields(own_nodes(node)))

    @property
    def is_builtin(self) -> bool:
        """Whether this is a builtin that is written in Python.

        A generator of it stands for an iterator that Python writes in C: it lets StopIteration of
        what it calls end it, and goes on after an error where it stood.
        """
        return str(self.globals.get("__name__", "")).startswith(LIBRARY)

    @property
    def is_ours(self) -> bool:
        """Whether this is code around the rules of a game, whose lines tell a user nothing."""
        return str(self.globals.get("__name__", "")).startswith(OURS)

    @property
    def is_reader(self) -> bool:
        """Whether it is a builtin that only reads the elements of its first parameters."""
        return self.is_builtin and self.name in READERS

    def place(self, node: ast.AST) -> tuple[int, int, str]:
        """Return the line of the file on which a node stands, and its column in the text there."""
        line = getattr(node, "lineno", 1)
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        indent = len(text) - len(text.lstrip())
        return self.first + line, max(0, getattr(node, "col_offset", 0) - indent), text.strip()

    @property
    def outside(self) -> tuple[int, ...]:
        """What tells apart functions of one text: the values of names outside of it."""
        return id(self.globals), *(id(v) for _, v in sorted(self.closure.items()))


_texts: dict[types.CodeType, tuple[FunctionNode, int, list[str]]] = {}


def source_of(function: types.FunctionType) -> Source:
    """Return the source of a Python function, whose text is read once for its code.

    Raises: Refusal if its text is not there, or cannot be told from another lambda on its line.
    """
    code = function.__code__
    if code not in _texts:
        _texts[code] = _text_of(function)
    node, first, lines = _texts[code]
    return Source(
        node,
        function.__qualname__,
        function.__qualname__,
        first,
        lines,
        function.__globals__,
        _closure_of(function),
        _defaults_of(function, node),
        inspect.isgeneratorfunction(function),
    )


def _text_of(function: types.FunctionType) -> tuple[FunctionNode, int, list[str]]:
    """Return the syntax tree of a function, the line before its first one, and its lines."""
    first = function.__code__.co_firstlineno
    text = textwrap.dedent("".join(_lines_of(function)))
    try:
        tree = ast.parse(text)
    except SyntaxError:
        tree = _lambdas_inside(text, function)
    node = _node_in(tree, function)
    _mangle(node, function)
    return node, first - 1, text.splitlines()


@functools.cache
def is_installed(file: str) -> bool:
    """Whether a file is of Python's library, of an installed package, or of this one."""
    folders = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    here = Path(__file__).resolve().parents[3]
    folders |= {str(here / name) for name in ("games", "graphs", "strategies", "jamboree")}
    return bool(file) and any(Path(file).resolve().is_relative_to(folder) for folder in folders)


def _lines_of(function: types.FunctionType) -> list[str]:
    """Return the lines of a function, as `inspect.getsourcelines` does in twenty times as long."""
    code = function.__code__
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename, function.__globals__)
    if code.co_filename == MADE or not 0 < code.co_firstlineno <= len(lines):
        raise Refusal(f"the source of {function.__qualname__} is not known; write it in a file")
    try:
        return inspect.getblock(lines[code.co_firstlineno - 1 :])
    except tokenize.TokenError:  # it begins inside of parentheses
        raise _unreadable(function) from None


def _mangle(node: ast.AST, function: types.FunctionType) -> None:
    """Give private names of a class, as `self.__cells`, the names that Python gives them."""
    around = function.__qualname__.split(".")[:-1]
    while around and around[-1] == "<locals>":  # of a function, perhaps of a method
        del around[-2:]
    if not around or not around[-1].strip("_"):
        return
    prefix = "_" + around[-1].lstrip("_")
    for n in ast.walk(node):
        for place in ("id", "attr", "arg", "name"):
            name = getattr(n, place, None)
            if isinstance(name, str) and name.startswith("__") and not name.endswith("__"):
                setattr(n, place, prefix + name)


def _unreadable(function: types.FunctionType) -> Refusal:
    return Refusal(f"the source of {function.__qualname__} cannot be read; give it a `def`")


def _lambdas_inside(text: str, function: types.FunctionType) -> ast.Module:
    """Parse every lambda of a text that begins or ends inside of an expression."""
    found: list[ast.stmt] = []
    for start in (match.start() for match in re.finditer(r"\blambda\b", text)):
        for end in range(len(text), start, -1):
            try:
                found += ast.parse(text[start:end].strip()).body
                break
            except SyntaxError:
                continue
    if not found:
        raise _unreadable(function)
    return ast.Module(found, [])


def _node_in(tree: ast.Module, function: types.FunctionType) -> FunctionNode:
    code = function.__code__
    if function.__name__ == "<lambda>":
        found = [n for n in ast.walk(tree) if isinstance(n, ast.Lambda)]
        alike = [n for n in found if compiled_alike(n, function)]
        if len(alike) != 1 and len({ast.dump(n) for n in alike}) != 1:
            raise Refusal("several lambdas stand on one line; give each a `def`")
        return alike[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            return node
    raise Refusal(f"the source of {function.__qualname__} cannot be found")


def compiled_alike(node: ast.Lambda, function: types.FunctionType) -> bool:
    """Whether a lambda's text compiles to the code of a function."""
    module = ast.Module([ast.Expr(node)], [])
    code = compile(ast.fix_missing_locations(module), "", "exec").co_consts[0]
    other = function.__code__
    names = _unmangled(other.co_names)
    if not names <= _unmangled(code.co_names) <= names | {*other.co_freevars}:
        return False
    return bool(
        code.co_code == other.co_code
        and code.co_varnames == other.co_varnames
        and [type(c) for c in code.co_consts] == [type(c) for c in other.co_consts]
        and all(
            a == b
            for a, b in zip(code.co_consts, other.co_consts, strict=True)
            if not isinstance(a, types.CodeType)
        )
    ) or bool(other.co_freevars and code.co_varnames == other.co_varnames)


def _unmangled(names: Iterable[str]) -> set[str]:
    """Return names as they are written, also private ones of a class."""
    return {re.sub(r"^_\w+?(?=__)", "", name) for name in names}


def _closure_of(function: types.FunctionType) -> dict[str, Any]:
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:
            raise Refusal(
                f"{name} is not bound yet where {function.__qualname__} is compiled"
            ) from None
    return found


def _defaults_of(function: types.FunctionType, node: FunctionNode) -> dict[str, Any]:
    assert not isinstance(node, ast.GeneratorExp)
    names = [a.arg for a in [*node.args.posonlyargs, *node.args.args]]
    values = function.__defaults__ or ()
    given = dict(zip(names[len(names) - len(values) :], values, strict=True))
    return given | (function.__kwdefaults__ or {})


def parameters(node: FunctionNode) -> list[str]:
    """Return the names of all parameters in the order of their slots."""
    if isinstance(node, ast.GeneratorExp):
        return [ITERABLE]
    a = node.args
    stars = [s.arg for s in (a.vararg, a.kwarg) if s is not None]
    return [*(p.arg for p in [*a.posonlyargs, *a.args, *a.kwonlyargs]), *stars]


def defaults_of(node: FunctionNode) -> list[tuple[str, ast.expr]]:
    """Return the parameters that have a default, with its expression."""
    if isinstance(node, ast.GeneratorExp):
        return []
    a = node.args
    plain = [*a.posonlyargs, *a.args]
    found = list(zip(plain[len(plain) - len(a.defaults) :], a.defaults, strict=True))
    found += [(p, d) for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True) if d is not None]
    return [(p.arg, d) for p, d in found]


def body_of(node: FunctionNode) -> list[ast.AST]:
    """Return what runs inside of a function, without its defaults and decorators."""
    if isinstance(node, ast.Lambda):
        return [node.body]
    if isinstance(node, ast.GeneratorExp):
        first = node.generators[0]
        rest = [x for g in node.generators[1:] for x in (g.iter, g.target, *g.ifs)]
        return [first.target, *first.ifs, *rest, node.elt]
    return list(node.body)


def inner_functions(node: FunctionNode) -> list[FunctionNode]:
    """Return the functions that are written directly inside of a function."""
    return [n for n in own_nodes(node) if isinstance(n, FunctionNode)]


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that run in the function of a node, and the function nodes among them."""
    yield node
    if isinstance(node, ast.Lambda | ast.FunctionDef):
        a = node.args
        outside: list[ast.AST | None] = [*a.defaults, *a.kw_defaults]
        if isinstance(node, ast.FunctionDef):
            outside += node.decorator_list
        for child in outside:
            if child is not None:
                yield from _walk(child)
    elif isinstance(node, ast.GeneratorExp):
        yield from _walk(node.generators[0].iter)
    else:
        for child in ast.iter_child_nodes(node):
            yield from _walk(child)


def statement_nodes(s: ast.stmt) -> list[ast.AST]:
    """Return the nodes that run where a statement does, without what runs in inner functions."""
    return list(_walk(s))


def yields(nodes: Iterable[ast.AST]) -> bool:
    """Whether a `yield` is among some nodes."""
    return any(isinstance(n, ast.Yield | ast.YieldFrom) for n in nodes)


def own_nodes(node: FunctionNode) -> list[ast.AST]:
    """Return the nodes that run in a function itself."""
    found: list[ast.AST] | None = getattr(node, "own_nodes", None)
    if found is None:
        found = [n for part in body_of(node) for n in _walk(part)]
        node.own_nodes = found  # type: ignore[union-attr]  # kept with the node
    return found


BINARY: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.MatMult: "matmul",
}
UNARY: dict[type[ast.unaryop], str] = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}
COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
# The special method of a comparison, and that of the other operand.
METHODS: dict[str, tuple[str, str]] = {
    "==": ("__eq__", "__eq__"),
    "!=": ("__ne__", "__ne__"),
    "<": ("__lt__", "__gt__"),
    "<=": ("__le__", "__ge__"),
    ">": ("__gt__", "__lt__"),
    ">=": ("__ge__", "__le__"),
}
FUNCTIONS: dict[type[ast.AST], Callable[..., Any]] = {
    op: getattr(operator, f"__{name}__") for op, name in (*BINARY.items(), *UNARY.items())
}
COMPARED: dict[str, Callable[[Any, Any], Any]] = {
    symbol: getattr(operator, method) for symbol, (method, _) in METHODS.items()
}
