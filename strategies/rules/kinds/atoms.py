"""Kinds without parts: of numbers, of texts, of None, and of what has no value."""

from __future__ import annotations

from typing import Any

from attrs import define
from llvmlite import ir

from strategies.rules.kinds.llvm import EMPTY, F64, I1, I64, ROW


class Kind:
    """A set of Python values with one form in memory."""

    __slots__ = ()

    def __repr__(self) -> str:
        return self.spelled()

    def spelled(self, above: Any = ()) -> str:
        """Return a kind in words for people; `above` has the cells of the containers around it."""
        return type(self).__name__.lower()


@define(eq=False, repr=False)
class Atom(Kind):
    """A kind without parts."""

    name: str
    form: ir.Type

    def spelled(self, above: Any = ()) -> str:
        return "str" if self is TEXT else self.name


NEVER = Atom("never", EMPTY)  # of an expression that does not end, or is not known yet
UNSET = Atom("unset", EMPTY)  # of a local that is not bound
INT, WORD, STR = Atom("int", I64), Atom("U64", I64), Atom("str", I64)
FLOAT, BOOL, NONE = Atom("float", F64), Atom("bool", I1), Atom("None", EMPTY)
TEXT = Atom("text", ROW)  # a text that is made: the numbers of its letters, as in a tuple of ints
RANGE = Atom("range", ir.LiteralStructType([I64, I64, I64]))
NUMBERS = (INT, BOOL, FLOAT, WORD)


def is_text(k: Kind) -> bool:
    """Whether values of a kind are texts."""
    return k is STR or k is TEXT
