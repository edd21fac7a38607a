"""Engines: ways to run a function, each told what Python gives."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import pytest

from strategies import RuleError, compile_function
from strategies.rules.machine import compilation
from tests.programs.todays import today

Function = Callable[..., Any]


class Refused(Exception):
    """Raised by an engine that does not take a function; the message is its reason."""


def python(function: Function) -> Function:
    """Return the function itself: the law then checks its own tools."""
    return function


def native(function: Function, level: int = 0) -> Function:
    """Return the function as machine code, that LLVM optimizes to a level."""
    fast = compile_function(function)

    def run(*arguments: Any) -> Any:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(compilation, "LEVEL", level)
            try:
                return fast(*arguments)
            except RuleError as error:
                raise Refused(str(error)) from error

    return run


ENGINES: Final[dict[str, Callable[[Function], Function]]] = {
    "python": python, "native": native, "optimized": partial(native, level=2), "today": today,
}  # fmt: skip
