"""Refusals: what is not compiled, where, and what to write instead."""

from __future__ import annotations

import ast

from graphs.errors import JamboreeError


class RuleError(JamboreeError, TypeError):
    """Rules that cannot be compiled: the message says which, where, and what to write instead.

    It may also say that the compiler itself cannot be used, and why.
    """


class Refusal(RuleError):
    """A construct that is not compiled. The walk adds the function, the line and the column."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.function = self.source = ""
        self.line = self.column = 0

    def at(self, function: str, line: int, column: int, source: str) -> Refusal:
        """Add the place, unless an inner place is known."""
        if not self.line:
            self.function, self.line, self.column, self.source = function, line, column, source
        return self

    def __str__(self) -> str:
        if not self.line:
            return self.reason
        caret = " " * self.column + "^"
        return f"{self.function}, line {self.line}: {self.reason}\n    {self.source}\n    {caret}"


class TooWide(OverflowError):
    """An int needs more than 64 bits. No `except` of a rule catches it."""


class Late(TypeError):
    """Only running shows that something is not compiled. No `except` of a rule catches it."""


def unlike(node: ast.AST) -> Refusal:
    """Return the refusal of a syntax that is not compiled."""
    return Refusal(f"{NAMES.get(type(node).__name__, type(node).__name__)} is not compiled")


NAMES = {
    "With": "`with`",
    "Try": "`try`",
    "TryStar": "`except*`",
    "Match": "`match`",
    "ClassDef": "a class inside a function",
    "AsyncFunctionDef": "`async`",
    "AsyncFor": "`async`",
    "AsyncWith": "`async`",
    "Await": "`await`",
    "JoinedStr": "building a text",
    "FormattedValue": "building a text",
    "Global": "`global`",
    "Nonlocal": "`nonlocal`",
    "Starred": "a star here",
    "Delete": "this `del`",
    "Yield": "the value of `yield`",
    "YieldFrom": "the value of `yield from`",
}
