"""Refusals: what is not compiled, where, and what to write instead."""

from __future__ import annotations

import ast
from typing import Any, Final

from graphs.errors import JamboreeError
from strategies.rules.language import advice


class RuleError(JamboreeError, TypeError):
    """Rules that cannot be compiled: the message says which, where, and what to write instead.

    It may also say that the compiler itself cannot be used, and why.
    """


class Refusal(RuleError):
    """A construct that is not compiled. The walk adds the function, the line and the column."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.function = self.source = self.inside = ""
        self.line = self.column = 0
        self.in_library = ""
        self.reads: Any = None
        """What the compiler had read of Python's objects, where it compiled for an object."""

    def at(self, function: str, line: int, column: int, source: str, library: str = "") -> Refusal:
        """Add the place, unless an inner place is known that is not of a library.

        `library` is the file of a function that others wrote, which the user only calls.
        """
        if self.line and self.in_library and not library:
            inner = f"{self.function}, line {self.line} of {self.in_library}"
            self.inside = f"in {inner}: {self.reason}\n    {self.source}"
            self.reason, self.line = CALLED, 0
        if not self.line:
            self.function, self.line, self.column, self.source = function, line, column, source
            self.in_library = library
        return self

    def __str__(self) -> str:
        if not self.line:
            return self.reason
        caret = " " * self.column + "^"
        told = f"{self.function}, line {self.line}: {self.reason}\n    {self.source}\n    {caret}"
        return f"{told}\n{self.inside}" if self.inside else told


class TooWide(OverflowError):
    """An int needs more than 64 bits. No `except` of a rule catches it."""


class Late(TypeError):
    """Only running shows that something is not compiled. No `except` of a rule catches it."""


LIMITS: Final = (MemoryError, RecursionError, KeyboardInterrupt, TooWide, Late)
"""Errors of the compiler's own limits, which no `except` of a rule catches."""


def unlike(node: ast.AST) -> Refusal:
    """Return the refusal of a syntax that is not compiled."""
    name = type(node).__name__
    return advised(NAMES.get(name, name), advice.SYNTAX_ADVICE.get(name, ""))


def in_library(value: object) -> bool:
    """Return whether a function is of a library of which nothing written in Python is compiled."""
    package, name = advice.place_of(value)
    return package in advice.MODULE_ADVICE or (
        package in advice.OWN_PACKAGES and name in advice.FUNCTION_ADVICE
    )


def advised(what: str, instead: str) -> Refusal:
    """Return the refusal of something that is not compiled, with what to do instead."""
    return Refusal(f"{what} is not compiled" + (f": {instead}" if instead else ""))


def uncompiled(value: object) -> Refusal:
    """Return the refusal of a function that is not compiled."""
    name = getattr(value, "__name__", f"a {type(value).__name__}")
    return advised(name, advice.instead_of_function(value))


def unmade_method(name: str, family: str) -> Refusal:
    """Return the refusal of a method of a builtin type that is not compiled."""
    owner = "str" if family == "text" else family
    return advised(f"the method {name} of {owner}", advice.instead_of_method(name))


CALLED = (
    "the library function called here is not compiled: write out what is needed of it, or call it "
    "outside of the rules"
)
FIXED_FIELD = "a field cannot be assigned: make a changed copy, x = evolve(x, name=…)"
OWN_FACTORY = "a defaultdict with an own function is no result; write dict(…)"
UNREAD = "a result of the kind {} is not compiled: return numbers, texts, tuples or lists"
PLAIN = "write a function of its parts, which are in a tuple, a list or a frozen record"
SPELLED = "the text of a {} is not compiled; make it of its parts, numbers and texts"
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
    "Slice": "a slice beside another index",
    "Delete": "this `del`",
    "Yield": "the value of `yield`",
    "YieldFrom": "the value of `yield from`",
}
