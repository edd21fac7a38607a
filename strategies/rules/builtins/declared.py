"""Declarations of builtins: signature, and how the result is made.

What is made by one expression, or by a function below, is declared in one statement.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final, Protocol, TypeVar

from attrs import frozen

from strategies.rules.calls.arguments import bind, known_defaults
from strategies.rules.code.coercion import each_kind, fail, parts_of
from strategies.rules.code.val import Val
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.kind import NEVER, Either, Keywords, Static
from strategies.rules.language.sources import defaults_of

Build = Callable[..., Val | None]
B = TypeVar("B", bound=Build)


class Builtin(Protocol):
    """What can be called with the arguments of a call."""

    def call(self, w: Walk, given: Any, node: ast.AST) -> Val: ...


@frozen(eq=False)
class Declared:
    """A builtin whose result is made by code: `build(walk, node, *arguments)`.

    Attributes:
        build: returns None for a builtin that returns None.
        each: whether `build` takes arguments of one kind each.
        changes: whether it changes its first argument.
    """

    name: str
    node: ast.FunctionDef
    defaults: dict[str, Any]
    build: Build
    each: bool = False
    changes: bool = False

    def call(self, w: Walk, given: Any, node: ast.AST) -> Val:
        args = bind(w, self.node, given, known_defaults(w, self.defaults))
        if args is None:
            return fail(w, TypeError, f"wrong arguments for {self.name}")
        if any(a.kind is NEVER for a in args):
            return w.never
        if self.changes:
            w.change(args[0], 0, NEVER)
        if self.each or any(map(_may_be_absent, args)):
            return each_kind(w, partial(self._built, w, node), *args)
        return self._built(w, node, *args)

    def _built(self, w: Walk, node: ast.AST, *args: Val) -> Val:
        found = self.build(w, node, *args)
        return w.reached(w.constant(None)) if found is None else found


@frozen(eq=False)
class Written:
    """A builtin that is written in Python."""

    function: Any

    def call(self, w: Walk, given: Any, node: ast.AST) -> Val:
        return w.call_value(w.constant(self.function), given, node)


class Private:
    """A function that only this library calls; in Python, another one may do the same."""

    def __init__(self, name: str, in_python: Any = NotImplemented) -> None:
        self.__name__, self.in_python = name, in_python

    def __call__(self, *args: Any) -> Any:
        return self.in_python(*args)


class LeftOut:
    """What a parameter has if its argument is left out: no value of a rule. `...` stands for it."""


LEFT_OUT: Final = LeftOut  # a class, since copies of one are the same
FUNCTIONS: dict[Any, Builtin] = {}
METHODS: dict[tuple[str, str], Builtin] = {}


def absent(a: Val) -> bool:
    """Whether an argument with the default `...` was left out."""
    return isinstance(a.kind, Static) and a.kind.value is LEFT_OUT


def _may_be_absent(a: Val) -> bool:
    """Whether only running tells if an argument was left out, as in `d.pop(*row)`."""
    return isinstance(a.kind, Either) and any(absent(Val(k)) for k in a.kind.items)


def by_name(w: Walk, keywords: Val) -> dict[str, Val]:
    """Return the arguments that two stars take."""
    assert isinstance(keywords.kind, Keywords)
    return dict(zip(keywords.kind.names, parts_of(w, keywords), strict=True))


def parsed(signature: str) -> tuple[ast.FunctionDef, dict[str, Any]]:
    """Return the parameters of a signature, and its defaults."""
    node = ast.parse(f"def f({signature}): pass").body[0]
    assert isinstance(node, ast.FunctionDef)
    values = ((name, ast.literal_eval(d)) for name, d in defaults_of(node))
    return node, {name: LEFT_OUT if value is ... else value for name, value in values}


def _declaring(
    table: dict[Any, Builtin], keys: Iterable[Any], made: Callable[[Any], Builtin]
) -> Callable[[B], B]:
    """Return what puts a builtin into a table, made of a function, and gives the function back."""

    def declare(f: B) -> B:
        table.update((key, made(f)) for key in keys)
        return f

    return declare


def _named(families: str, name: str) -> list[tuple[str, str]]:
    return [(family, name) for family in families.split()]


def function(value: Any, signature: str, each: bool = False) -> Callable[[B], B]:
    """Declare a builtin function; one that takes `each` kind of its arguments by itself."""
    made = partial(Declared, getattr(value, "__name__", "function"), *parsed(signature), each=each)
    return _declaring(FUNCTIONS, [value], made)


def private(signature: str, each: bool = False) -> Callable[[Build], Any]:
    """Declare a function that only this library calls; return what is called in its place."""

    def declare(build: Build) -> Private:
        made = Private(build.__name__)
        function(made, signature, each)(build)
        return made

    return declare


def method(families: str, name: str, signature: str, changes: bool = False) -> Callable[[B], B]:
    """Declare a method of some families of kinds; the value itself is the first parameter."""
    made = partial(Declared, name, *parsed(signature), changes=changes)
    return _declaring(METHODS, _named(families, name), made)


def written(value: Any) -> Callable[[Any], Any]:
    """Declare a builtin function that is written in Python."""
    return _declaring(FUNCTIONS, [value], Written)


def written_method(families: str, name: str) -> Callable[[Any], Any]:
    """Declare a method that is written in Python."""
    return _declaring(METHODS, _named(families, name), Written)
