"""Tables of small functions, each run with some arguments as Python and as machine code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.strategies.rules.compared import check

Function = Callable[..., Any]


class Cases:
    """The functions of a table, with their arguments."""

    def __init__(self) -> None:
        self.all: list[tuple[Function, tuple[Any, ...]]] = []

    def __call__(self, *calls: Any) -> Callable[[Function], Function]:
        """Add a function, called with each of some arguments; a tuple is several arguments."""

        def add(function: Function) -> Function:
            self.all.append((function, tuple(c if isinstance(c, tuple) else (c,) for c in calls)))
            return function

        return add

    def names(self) -> list[str]:
        return [function.__name__ for function, _ in self.all]

    def run(self, name: str) -> None:
        """Assert that machine code does as Python does."""
        for function, calls in self.all:
            if function.__name__ == name:
                check(function, *calls)
