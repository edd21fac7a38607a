"""Rewrites rules from their source: what Numba does not know is replaced before compiling.

A rule whose bytecode contains a comprehension, a list or the like is read from its file, and each
such part becomes a function of its own with plain loops, on the original lines.  All other rules
are compiled from their own bytecode.
"""

from __future__ import annotations
import __future__

import ast
import dis
import inspect
from enum import EnumType
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any

from strategies.native.compiler.dict_defaults import DictDefaults
from strategies.native.compiler.dict_lookups import FORMS as LOOKUPS
from strategies.native.compiler.facts import GENERATED
from strategies.native.compiler.itertools_rows import ITERTOOLS
from strategies.native.compiler.named import Unnamed
from strategies.native.compiler.rewriting import Rewriter, collecting
from strategies.native.compiler.row_forms import Linker, row_form
from strategies.native.compiler.rows import FORMS
from strategies.native.compiler.sums import FORMS as SUMS
from strategies.native.compiler.syntax import located
from strategies.native.references import imported

NAMES = frozenset(
    [
        "any",
        "all",
        "sum",
        "min",
        "max",
        "next",
        "tuple",
        "list",
        "set",
        "frozenset",
        "sorted",
        "sort",
        "reversed",
        "map",
        "filter",
        "iter",
        "zip",
        "enumerate",
        "popleft",
        "appendleft",
        *GENERATED,
        *ITERTOOLS,
    ]
)
OPERATIONS = frozenset(
    dis.opmap[name]
    for name in [
        "BUILD_LIST",
        "LIST_EXTEND",
        "BUILD_SET",
        "BUILD_MAP",
        "BUILD_CONST_KEY_MAP",
        "BUILD_SLICE",
        "BINARY_SLICE",
        "STORE_SUBSCR",
        "IMPORT_NAME",
        "GET_YIELD_FROM_ITER",
        "MAP_ADD",
        "SET_ADD",
        "LIST_APPEND",
        "UNPACK_EX",
        "COPY",  # of `:=`
    ]
    if name in dis.opmap
)
OWN = __name__.split(".")[0]
"""The package whose functions are written for the compiler."""


def rewritten(function: FunctionType, linker: Linker, collects: bool = False) -> FunctionType:
    """Return the function with what Numba does not know rewritten; itself if there is no such part.

    Requires: `collects` only for generators; the result then returns some of its values at a time.
    Ensures: lines are those of the file; a function without source stays as it is.
    """
    if hasattr(function, "has_rewritten_form"):
        return function
    function = by_position(function)
    foreign = (function.__module__ or "").split(".")[0] == OWN
    if not collects and (foreign or not _suspect(function)):
        return function
    tree = tree_of(function)
    if tree is None:
        return function
    if not function.__code__.co_kwonlyargcount:  # its arguments are by position already
        every = tree.args
        every.args, every.kwonlyargs = every.args + every.kwonlyargs, []
        every.kw_defaults = []
        every.defaults = [ast.Constant(None) for _ in function.__defaults__ or ()]
    imports, defaults = imported(function), DictDefaults(tree)
    tree = defaults.visit(tree)
    rewriter, unnamed = Rewriter(tree, function, imports), Unnamed()
    main = unnamed.visit(rewriter.run())
    main.body = rewriter.refusal or main.body
    helpers = [unnamed.visit(helper) for helper in rewriter.helpers]
    if not (rewriter.changed or unnamed.changed or defaults.changed or collects):
        return function
    if collects:
        main = collecting(main)
    scope = {**function.__globals__, **imports, **FORMS, **SUMS, **LOOKUPS, **rewriter.constants}
    name = function.__code__.co_filename
    module = ast.Module([*helpers, _enclosed(main, function)], [])
    exec(compile(located(module, tree), name, "exec", dont_inherit=True), scope)
    for form in rewriter.forms:
        scope[form.name] = row_form(form, scope, function, linker)
    made = scope.pop("_enclosing")
    code = next(c for c in made.__code__.co_consts if isinstance(c, CodeType))
    by_name = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    cells = tuple(by_name[name] for name in code.co_freevars)
    copy = FunctionType(code, scope, function.__name__, function.__defaults__, cells)
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    if rewriter.on_heap:
        copy.stays_whole = True  # type: ignore[attr-defined]
    if rewriter.gives_list:
        copy.gives_list = True  # type: ignore[attr-defined]
    return copy


def _suspect(function: FunctionType) -> bool:
    code, scope = function.__code__, function.__globals__
    if function.__name__ in GENERATED and not code.co_flags & inspect.CO_GENERATOR:
        return True
    if not NAMES.isdisjoint(code.co_names) or not OPERATIONS.isdisjoint(code.co_code[::2]):
        return True
    if any(isinstance(scope.get(name), EnumType) for name in code.co_names):
        return True
    if dis.opmap["BUILD_TUPLE"] in code.co_code[::2] and any(
        i.opname == "BINARY_OP" and i.argrepr in ("*", "*=") for i in dis.get_instructions(code)
    ):  # (a, b) * 3
        return True
    return any(isinstance(constant, (CodeType, frozenset)) for constant in code.co_consts)


def tree_of(function: FunctionType) -> ast.FunctionDef | None:
    """Return the definition of a function, on the lines of its file; None if it is not found."""
    try:
        lines, start = inspect.getsourcelines(function.__code__)
        indented = lines[0][:1].isspace()
        module = ast.parse("if 1:\n" * indented + "".join(lines))
    except (OSError, TypeError, SyntaxError):
        return None
    tree: Any = module.body[0].body[0] if indented else module.body[0]  # type: ignore[attr-defined]
    if not isinstance(tree, ast.FunctionDef) or tree.name != function.__name__:
        return None
    ast.increment_lineno(tree, start - 1 - indented)
    tree.decorator_list, tree.returns, tree.args = [], None, _bare(tree.args)
    imports = _imports("".join(inspect.findsource(function.__code__)[0]))
    module = ast.Module([*imports, _enclosed(tree, function)], [])
    future = function.__code__.co_flags & __future__.annotations.compiler_flag
    plain = compile(located(module, tree), "", "exec", future, dont_inherit=True)
    outer = next(c for c in plain.co_consts if isinstance(c, CodeType))
    code = next((c for c in outer.co_consts if isinstance(c, CodeType)), None)
    if code is None or _shape(code) != _shape(function.__code__):
        return None
    for inner in ast.walk(tree):
        if isinstance(inner, ast.FunctionDef):
            inner.returns = None
        elif isinstance(inner, ast.arg):
            inner.annotation = None
    return tree


@lru_cache(maxsize=16)
def _imports(text: str) -> list[ast.stmt]:
    """Return the imports of a file outside functions: Python compiles calls through such names
    differently."""
    found: list[ast.stmt] = []
    left: list[ast.AST] = [ast.parse(text)]
    while left:
        node = left.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            if getattr(node, "module", "") != "__future__":
                found.append(node)
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)):
            left.extend(ast.iter_child_nodes(node))
    return found


def _shape(code: CodeType) -> Any:
    """Return what shows whether a file is still the one that a function came from."""
    inner = [_shape(c) for c in code.co_consts if isinstance(c, CodeType)]
    known = [repr(c) for c in code.co_consts if not isinstance(c, (CodeType, frozenset))]
    return code.co_code, code.co_varnames, code.co_names, known, inner


def _bare(given: ast.arguments) -> ast.arguments:
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    for argument in every:
        if argument is not None:
            argument.annotation = None
    given.defaults = [ast.Constant(None) for _ in given.defaults]
    given.kw_defaults = [d and ast.Constant(None) for d in given.kw_defaults]
    return given


@lru_cache(maxsize=256)
def by_position(function: FunctionType) -> FunctionType:
    """Return the function with all its arguments by position, because Numba knows no keyword-only
    ones.

    Ensures: it stays as it is if it has none, or one without a default comes after one with it.
    """
    code = function.__code__
    count, most = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    by_name, known = code.co_varnames[count:most], function.__kwdefaults__ or {}
    defaults = (*(function.__defaults__ or ()), *(known[n] for n in by_name if n in known))
    early = any(name not in known for name in by_name[max(0, len(by_name) - len(defaults)) :])
    if not by_name or early or code.co_flags & inspect.CO_VARARGS:
        return function
    plain = code.replace(co_argcount=most, co_kwonlyargcount=0)
    made = FunctionType(
        plain, function.__globals__, function.__name__, defaults or None, function.__closure__
    )
    made.__module__, made.__qualname__ = function.__module__, function.__qualname__
    made.__dict__.update(function.__dict__)
    return made


def _enclosed(tree: ast.FunctionDef, function: FunctionType) -> ast.FunctionDef:
    """Wrap the definition in a function that binds its closed-over names."""
    free = function.__code__.co_freevars
    names = [ast.arg(name) for name in free]
    given = ast.arguments([], names, None, [], [], None, [])
    return ast.FunctionDef("_enclosing", given, [tree], [])


_collected: dict[FunctionType, FunctionType] = {}


def collected(function: FunctionType, linker: Linker) -> FunctionType:
    """Return a generator that keeps nothing on the heap while suspended; itself if that is not
    possible.

    Numba frees what a generator holds when it reaches its end, and a search often leaves before.
    So this one calls a plain function for its values, some at a time.
    """
    if function not in _collected:
        function = by_position(function)
        made = rewritten(function, linker, collects=True)
        if made is not function:
            count = function.__code__.co_argcount
            given = ", ".join(function.__code__.co_varnames[:count])
            made.has_rewritten_form = True  # type: ignore[attr-defined]
            scope = {**made.__globals__, "_collected": made}
            exec(f"def {function.__name__}({given}):\n{GIVEN_OUT.replace('...', given)}", scope)
            whole: Any = scope[function.__name__]
            whole.__defaults__, whole.__qualname__ = function.__defaults__, function.__qualname__
            whole.has_rewritten_form = True
            whole.gives_list = hasattr(made, "gives_list")
            made = whole
        _collected[function] = made
    return _collected[function]


def forget_forms() -> None:
    """Forget how functions were rewritten: some have changed since."""
    by_position.cache_clear()
    _collected.clear()


GIVEN_OUT = """
 skipped_ = 0
 more_ = True
 while more_:
  count_, more_, row_ = _collected(..., skipped_)
  skipped_ += count_
  for k_ in range(count_):
   yield row_[k_]
"""
