"""Declarations of builtins: signature, and how the result is made."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from attrs import frozen

from strategies.rules.code import Val
from strategies.rules.kinds import NEVER
from strategies.rules.values import fail
from strategies.rules.walk import Walk

Build = Callable[..., Val]


@frozen(eq=False)
class Declared:
    """A builtin whose result is made by code: `build(walk, node, *arguments)`."""

    name: str
    node: ast.FunctionDef
    defaults: dict[str, Any]
    build: Build

    def call(self, w: Walk, given: Any, node: ast.AST) -> Val:
        from strategies.rules.arguments import bind

        def default(name: str) -> Val | None:
            return w.program.constants.value(self.defaults[name]) if name in self.defaults else None

        args = bind(w, self.node, given, default, self.name)
        if args is None:
            return fail(w, TypeError, f"wrong arguments for {self.name}")
        if any(a.kind is NEVER for a in args):
            return Val(NEVER, w.undef(NEVER))
        return self.build(w, node, *args)


@frozen(eq=False)
class Written:
    """A builtin that is written in Python."""

    function: Any

    def call(self, w: Walk, given: Any, node: ast.AST) -> Val:
        from strategies.rules.calls import call_function

        return call_function(w, self.function, given)


FUNCTIONS: dict[Any, Declared | Written] = {}
METHODS: dict[tuple[str, str], Declared | Written] = {}
ABSENT = object()  # the default of a parameter that may be left out


def _parsed(signature: str) -> tuple[ast.FunctionDef, dict[str, Any]]:
    node = ast.parse(f"def f({signature}): pass").body[0]
    assert isinstance(node, ast.FunctionDef)
    plain = [*node.args.posonlyargs, *node.args.args]
    pairs = list(
        zip(plain[len(plain) - len(node.args.defaults) :], node.args.defaults, strict=True)
    )
    pairs += [
        (p, d)
        for p, d in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        if d is not None
    ]
    return node, {p.arg: ast.literal_eval(d) for p, d in pairs}


def function(value: Any, signature: str) -> Callable[[Build], Build]:
    """Declare a builtin function."""

    def declare(build: Build) -> Build:
        FUNCTIONS[value] = Declared(
            getattr(value, "__name__", "function"), *_parsed(signature), build
        )
        return build

    return declare


def method(families: str, name: str, signature: str) -> Callable[[Build], Build]:
    """Declare a method of some families of kinds; the value itself is the first parameter."""

    def declare(build: Build) -> Build:
        for family in families.split():
            METHODS[family, name] = Declared(name, *_parsed(signature), build)
        return build

    return declare


def written(value: Any) -> Callable[[Any], Any]:
    """Declare a builtin function that is written in Python."""

    def declare(f: Any) -> Any:
        FUNCTIONS[value] = Written(f)
        return f

    return declare


def written_method(families: str, name: str) -> Callable[[Any], Any]:
    """Declare a method that is written in Python."""

    def declare(f: Any) -> Any:
        for family in families.split():
            METHODS[family, name] = Written(f)
        return f

    return declare
