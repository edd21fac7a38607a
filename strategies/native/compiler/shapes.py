"""Shapes: what a kernel's code for a game depends on, but for the forms of its values.

Numba takes most of the time of compiling a kernel. It sees only the shape of a game: which rules
there are, and whether they take and return numbers or opaque values. What else differs from game to
game is a hole in the code: the form of a value in LLVM, the name of a rule, the size of a frame.
Games of one shape share what Numba makes; `filling` says what goes into the holes.

A kernel of a user's own may keep values in Numba's lists and dicts, whose code needs their sizes:
its shape also says the forms.
"""

from __future__ import annotations

import hashlib
import inspect
import re
from typing import Any, Final

from attrs import evolve, frozen
from llvmlite import ir

from games.search_tree import SearchTree
from strategies.native.hooks import BOUNDS
from strategies.rules.entries import Entries, found
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.kind import (
    BOOL,
    FLOAT,
    I64,
    INT,
    NEVER,
    PTR,
    WORD,
    Array,
    Kind,
    Tup,
)
from strategies.rules.kinds.parts import in_memory, same
from strategies.support.cached import cached_property

HOOKS: Final = (
    "key", "promise", "prior", "learned_promise", "net_sum", "children", "moves_in_play",
    "candidates", "rollout_moves", "count_moves", "nth_move", "near_end", "bounds",
    "candidate_bounds", "window_bounds", "measure", "combine",
)  # fmt: skip
"""The optional rules and attributes of games that kernels ask for."""
WIDTHS: Final = 7_000_000
"""The width of the first type that stands for that of an opaque value."""
HOLE: Final = re.compile(r"<<([\w.]+)>>|(?<=[ {(])i(7\d{6})\b")
BYTES: Final = re.compile(r'\] c"[^"]*"')
"""A constant in a module that may hold a text of the kernel."""

Code = str | int | tuple[Any, ...]
"""The type of a value as data: the name of one of Numba's, the number of an opaque one, or those of
a tuple."""


@frozen
class RuleShape:
    """A rule as kernels call it.

    Attributes:
        generates: whether it yields its results.
        takes: the types of its arguments; "cells" of a row of cells.
        gives: the type of what it returns or yields.
        never: whether it never returns.
        gives_back: whether a call gives back the memory that it took.
    """

    generates: bool
    takes: tuple[Code, ...]
    gives: Code
    never: bool
    gives_back: bool


@frozen
class OpaqueShape:
    """An opaque value: whether it is an address, and lies in the arena; and its form in LLVM, empty
    if that is a hole."""

    is_address: bool
    in_arena: bool
    form: str = ""


@frozen
class Shape:
    """The shape of a game.

    Attributes:
        rules: its rules, by name.
        opaque: its opaque values.
        hooks: the names of `HOOKS` that its class has.
        numbers: the numbers that kernels read; those of a problem of local search are holes.
        asks_status: whether `status` is a rule of the game.
        allocates: whether rules take memory.
        remembers: whether rules keep results in memory.
        poison: whether memory that is given back is overwritten.
        absent: why some rules are missing; empty if none are.
    """

    rules: tuple[tuple[str, RuleShape], ...]
    opaque: tuple[OpaqueShape, ...]
    hooks: tuple[str, ...]
    numbers: tuple[tuple[str, int | None], ...]
    asks_status: bool
    allocates: bool
    remembers: bool
    poison: bool
    absent: str

    @cached_property
    def digest(self) -> str:
        """Return a digest, which is part of the names of functions."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:16]

    @cached_property
    def rule(self) -> dict[str, RuleShape]:
        """Return the rules by their names."""
        return dict(self.rules)

    @cached_property
    def number(self) -> dict[str, Any]:
        """Return the numbers by their names."""
        return dict(self.numbers)

    def has(self, hook: str) -> bool:
        """Return whether the game has one of `HOOKS`."""
        if hook not in HOOKS:
            raise KeyError(f"{hook} is not one of HOOKS")
        return hook in self.hooks


class Hole(ir.Type):
    """A type in LLVM that differs between games of one shape."""

    def __init__(self, text: str) -> None:
        self.text = text

    def _to_string(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hole) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)


def value_hole(number: int) -> Hole:
    """Return the type of an opaque value: as an int of a width that no other has, since Numba lets
    LLVM find the size of each argument."""
    return Hole(f"i{WIDTHS + number}")


def escaped(text: str) -> str:
    """Return the text of a module, in which no text of a kernel looks like a hole."""

    def changed(found: Any) -> str:
        return str(found.group().replace("<<", r"\3C<").replace("i7", r"i\37"))

    return BYTES.sub(changed, text)


def frame_hole(rule: str) -> Hole:
    """Return the type of the frame of a generator."""
    return Hole(f"<<frame.{rule}>>")


def number_hole(name: str) -> Any:
    """Return a number that differs between games of one shape."""
    return ir.Constant(I64, f"<<{name}>>")


# The shape of rules


PLAIN: Final = {INT: "int64", FLOAT: "float64", BOOL: "boolean", WORD: "word"}
ROWS: Final = frozenset({
    "children", "outcomes", "estimate", "utility", "promise", "learned_promise", *BOUNDS,
})  # fmt: skip
"""The rules whose tuples kernels take apart: branches, outcomes, and values of several players."""


def shape_of(
    rules: Entries, numbers: dict[str, int], absent: str, poison: bool
) -> tuple[Shape, list[Kind]]:
    """Return the shape of rules, and the kinds of their opaque values."""
    values: list[Kind] = []
    game = type(rules.about)
    code_of(values, rules.kinds["state"])
    named = []
    for name, instance in rules.instances.items():
        kind = found(instance)
        takes = tuple(
            "cells" if isinstance(k, Array) else code_of(values, k) for k in instance.kinds[1:]
        )
        gives = _given(values, name, kind, numbers)
        back = not in_memory(kind) and not instance.remembering()
        named.append(
            (name, RuleShape(instance.source.is_generator, takes, gives, kind is NEVER, back))
        )
    shape = Shape(
        rules=tuple(named),
        opaque=tuple(map(_opaque, values)),
        hooks=tuple(h for h in HOOKS if inspect.getattr_static(game, h, None) is not None),
        numbers=tuple((n, k if "players" in numbers else None) for n, k in numbers.items()),
        asks_status=inspect.getattr_static(game, "status", None) is not SearchTree.status,
        allocates=rules.program.allocates,
        remembers=any(i.remembering() for i in rules.instances.values()),
        poison=poison,
        absent=absent,
    )
    return shape, values


def _opaque(kind: Kind) -> OpaqueShape:
    return OpaqueShape(form(kind) == PTR, in_memory(kind))


def with_forms(shape: Shape, values: list[Kind]) -> Shape:
    """Return the shape with the forms of its opaque values."""
    pairs = zip(shape.opaque, values, strict=True)
    return evolve(shape, opaque=tuple(evolve(one, form=str(form(kind))) for one, kind in pairs))


def code_of(values: list[Kind], kind: Kind) -> Code:
    """Return the type of a kind: numbers are Numba's own, all else is opaque."""
    if kind is NEVER:
        return "never"
    if kind in PLAIN:
        return PLAIN[kind]
    for number, known in enumerate(values):
        if same(known, kind):
            return number
    values.append(kind)
    return len(values) - 1


def _given(values: list[Kind], rule: str, kind: Kind, numbers: dict[str, int]) -> Code:
    """Return the type of what a rule returns or yields."""
    if kind is NEVER and rule in ("estimate", "utility") and numbers["players"] > 2:
        return ("float64",) * numbers["players"]
    if kind is NEVER and rule in BOUNDS:
        return ("float64",) * 2
    if rule in ROWS and isinstance(kind, Tup):
        return tuple(code_of(values, k) for k in kind.items)
    return code_of(values, kind)
