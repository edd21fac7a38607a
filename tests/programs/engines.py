"""Engines: ways to run a function, each told what Python gives."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, Final

from tests.programs.todays import today

Function = Callable[..., Any]


class Refused(Exception):
    """Raised by an engine that does not take a function; the message is its reason."""


def python(function: Function) -> Function:
    """Return the function itself: the law then checks its own tools."""
    return function


def door() -> tuple[Callable[[Function], Function], type[Exception]] | None:
    """Return `compile_function` and its `RuleError`, or None in a version without them."""
    strategies = importlib.import_module("strategies")
    compile_function = getattr(strategies, "compile_function", None)
    return None if compile_function is None else (compile_function, strategies.RuleError)


def native(function: Function) -> Function:
    """Return the function as machine code."""
    found = door()
    if found is None:
        raise Refused("this version has no compile_function")
    compile_function, error_class = found
    try:
        fast = compile_function(function)
    except error_class as error:
        raise Refused(str(error)) from error

    def run(*arguments: Any) -> Any:
        try:
            return fast(*arguments)
        except error_class as error:
            raise Refused(str(error)) from error

    return run


ENGINES: Final[dict[str, Callable[[Function], Function]]] = {
    "python": python, "native": native, "today": today,
}  # fmt: skip
