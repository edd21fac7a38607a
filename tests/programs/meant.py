"""The constructs and positions that generated programs are meant to reach."""

from __future__ import annotations

import textwrap
from functools import cache
from typing import Final

from tests.programs.coverage import Cell, cells
from tests.programs.kinds import Kind, filled, matched
from tests.programs.program import EXPRESSIONS, PLACES_OF_FOCUS
from tests.programs.templates import Template

FOCUS: Final = "focus_"
BLOCKS: Final = ("function", "loop's body", "if", "else", "try", "except", "case", "generator",
    "loop's else", "finally")  # fmt: skip
IN_BLOCKS: Final = ("=", "+=", "for", "while", "if", "try", "match", "def", "assert", "pass")
"""Statements that come to every kind of block."""


def positions(place: Template) -> set[str]:
    """Return where a place has the construct in focus."""
    found = cells("def f():\n" + textwrap.indent(place.sample(f"{FOCUS}(*h)"), "  "))
    return {where for name, where in found if name == "own function"}


@cache
def meant() -> frozenset[Cell]:
    """Return the cells that programs with each construct in focus must reach.

    They follow from the tables: a construct has the kinds of its templates, and a position takes
    the kinds of its places.  What needs a variable of some kind, or assigns by :=, is left out.
    """
    found: set[Cell] = {(name, where) for name in IN_BLOCKS for where in BLOCKS}
    where = [(place, positions(place)) for place in PLACES_OF_FOCUS]
    for one in EXPRESSIONS:
        simple = all(isinstance(p, str) or p.word not in ("var", "old") for p in one.parts)
        if not simple or one.assigns or one.result.head == "raised":
            continue
        name = one.construct
        kind = filled(one.result, dict.fromkeys("KOTSVNW", Kind("int")))
        for place, ways in where:
            if name and matched(place.result, kind, {}):
                found.update((name, way) for way in ways)
    return frozenset(found)


def missing(reached: set[Cell]) -> list[Cell]:
    """Return the meant cells that were not reached."""
    return sorted(meant() - reached)
