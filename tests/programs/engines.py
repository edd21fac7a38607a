"""Engines: ways to run a function, each told what Python gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tests.programs.todays import today

Function = Callable[..., Any]


class Refused(Exception):
    """Raised by an engine that does not take a function; the message is its reason."""


def python(function: Function) -> Function:
    """Return the function itself: the law then checks its own tools."""
    return function


def native(function: Function) -> Function:
    """Return the function as machine code."""
    from strategies import RuleError, compile_function

    try:
        fast: Function = compile_function(function)
    except RuleError as error:
        raise Refused(str(error)) from error

    def run(*arguments: Any) -> Any:
        try:
            return fast(*arguments)
        except RuleError as error:
            raise Refused(str(error)) from error

    return run


def has_native() -> bool:
    """Return whether functions can be compiled in this version."""
    try:
        from strategies import RuleError, compile_function
    except ImportError:
        return False
    return callable(compile_function) and issubclass(RuleError, Exception)


ENGINES: Final[dict[str, Callable[[Function], Function]]] = {
    "python": python, "native": native, "today": today,
}  # fmt: skip
