"""Refusals: what is not compiled, where, and what to write instead."""

from __future__ import annotations

import ast
from typing import Any

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
        self.reads: Any = None
        """What the compiler had read of Python's objects, where it compiled for an object."""

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


def in_library(value: object) -> bool:
    """Return whether a function is of a library of which nothing written in Python is compiled."""
    return str(getattr(value, "__module__", "") or "").partition(".")[0] in MODULES


def uncompiled(value: object) -> Refusal:
    """Return the refusal of a function that is not compiled, with what to do instead."""
    name = getattr(value, "__name__", f"a {type(value).__name__}")
    module = str(getattr(value, "__module__", "") or "")
    if type(getattr(value, "__self__", None)).__module__ == "random":
        module = "random"
    advice = INSTEAD.get(name) or MODULES.get(module.partition(".")[0], "")
    return Refusal(f"{name} is not compiled" + (f": {advice}" if advice else ""))


def unmade_method(name: str, family: str) -> Refusal:
    """Return the refusal of a method of a builtin type that is not compiled."""
    return Refusal(f"the method {name} of {'str' if family == 'text' else family} is not compiled")


SPELLED = "the text of a {} is not compiled; make it of its parts, numbers and texts"
INSTEAD = {
    "print": "leave it out, or look at the rules while they run in Python",
    "input": "rules may read nothing but their arguments",
    "open": "read the file before, into a table of the module",
    "hash": "make a number of the parts yourself",
    "id": "objects have no numbers; compare them with `is` or `==`",
}
MODULES = {
    "random": "a rule must give the same each time it is called",
    "time": "a rule must give the same each time it is called",
    "numpy": "arrays may be read, not made; or call a function under @numba.njit",
}
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
    "Global": "`global`",
    "Nonlocal": "`nonlocal`",
    "Starred": "a star here",
    "Delete": "this `del`",
    "Yield": "the value of `yield`",
    "YieldFrom": "the value of `yield from`",
}
