"""Filling: what stands in the holes of a template for one game."""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir

from strategies.native.compiler.shapes import HOLE, WIDTHS
from strategies.native.hooks import stack_array_length
from strategies.rules.code.variables import frame_places
from strategies.rules.kinds.forms import form, size
from strategies.rules.kinds.kind import I64, Either, Kind, Record, Row, Tup
from strategies.rules.kinds.parts import parts


class Filling:
    """What fills the holes in code for a game, whose rules are `bound`; `names` are those that some
    of its functions got."""

    def __init__(self, bound: Any, names: dict[str, str]) -> None:
        self.bound, self.names = bound, names
        self.known: dict[str, str] = {}

    def __call__(self, text: str) -> str:
        """Return a text with its holes filled, and with names of this game's own."""
        text = HOLE.sub(self._found, text)
        for shape in self.bound.shapes:
            text = text.replace(shape.digest, self.bound.digest)
        return text

    def _found(self, found: Any) -> str:
        hole, width = found.groups()
        if width:
            return str(form(self.bound.values[int(width) - WIDTHS]))
        if hole not in self.known:
            self.known[hole] = str(self._fill(*hole.split(".")))
        return self.known[hole]

    def _fill(self, what: str, of: str = "", place: str = "0") -> object:
        """Return what fills a hole: of the game, of a rule, or of the kind of a value."""
        bound = self.bound
        if not of:
            return 2 * bound.numbers["variables"] + bound.numbers["counters"]
        if what == "count":
            return bound.numbers[of]
        if of in bound.rules.instances:
            return self._of_rule(what, bound.rules.instances[of], int(place))
        return OF_KIND[what](bound.values[int(of)])

    def _of_rule(self, what: str, instance: Any, place: int) -> object:
        if what == "rule":
            name = instance.function.name
            return self.names.get(name, name)
        if what == "place":
            return frame_places(instance)[1:-1][place]
        length = instance.frame_size.initializer.constant
        return ir.ArrayType(I64, -(-length // 8))


def _words_of(kind: Kind) -> int:
    """Return the number of words in a value, as `hooks.words_in` counts them."""
    if isinstance(kind, Row):
        return 2
    if isinstance(kind, Either):
        return max(map(_words_of, kind.items))
    return sum(map(_words_of, parts(kind))) if isinstance(kind, Tup | Record) else 1


OF_KIND: Final[dict[str, Any]] = {
    "bytes": lambda kind: size(form(kind)),
    "cells": lambda kind: -(-size(form(kind)) // 8),
    "room": lambda kind: stack_array_length(_words_of(kind)),
}
"""What fills the holes of a kind."""
