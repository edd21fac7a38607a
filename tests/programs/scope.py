"""What a place in a program may use: names and their kinds, and which statements fit."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tests.programs.choices import Choices, one_of
from tests.programs.kinds import Kind

NAMES = (
    "x", "y", "n", "i", "row", "total", "count_", "_i", "x_1", "new_", "begin_", "best_", "k_",
    "a", "b", "q", "seen", "_set", "_list", "value", "empty_", "_m0", "_line_0", "left",
    "cells", "down_", "j", "stack", "instead_", "z", "board", "found", "_most", "total_",
    "move")  # fmt: skip
"""Names as people choose them, and names that a compiler could have chosen for its own."""


@dataclass(slots=True)
class Scope:
    """The names that can be read at a place, and what the enclosing function is."""

    names: dict[str, Kind] = field(default_factory=dict)
    own: dict[str, Kind] = field(default_factory=dict)
    """The names that the current function binds, shared by its blocks."""
    uncalled: list[str] = field(default_factory=list)
    """The functions that the current function defines and has not called yet."""
    fixed: frozenset[str] = frozenset()
    """The names that must not be bound again, so that loops end."""
    returns: Kind | None = None
    yields: Kind | None = None
    in_loop: bool = False
    walrus: bool = True
    module: bool = False

    def inner(self, bound: dict[str, Kind], *, walrus: bool = True) -> Scope:
        """Return the scope of a comprehension or lambda that binds some names."""
        if not bound and (walrus or not self.walrus):
            return self
        return replace(
            self,
            names=self.names | bound if bound else self.names,
            fixed=self.fixed | bound.keys(),
            walrus=self.walrus and walrus and not bound,
        )

    def block(self, bound: dict[str, Kind]) -> Scope:
        """Return the scope of a block of the same function."""
        return replace(self, names=self.names | bound)

    def function(self, bound: dict[str, Kind], returns: Kind | None, yields: Kind | None) -> Scope:
        """Return the scope of a function's body."""
        return Scope(self.names | bound, dict(bound), returns=returns, yields=yields)

    def bind(self, name: str, one: Kind) -> None:
        """Add a name that the current function binds."""
        self.names[name] = one
        self.own[name] = one
        if one.head in ("fn", "kwfn", "starfn"):
            self.uncalled.append(name)

    def readable(self, one: Kind) -> list[str]:
        """Return the names of a kind."""
        return [name for name, kind in self.names.items() if kind == one]

    def writable(self, one: Kind) -> list[str]:
        """Return the names of a kind that the current function may bind again."""
        return [
            name
            for name, kind in self.names.items()
            if kind == one and self.own.get(name) == one and name not in self.fixed
        ]

    def fresh(self, choices: Choices, also: set[str]) -> str:
        """Return a name that nothing uses here."""
        start = choices.below(len(NAMES))
        for name in (*NAMES[start:], *NAMES[:start]):
            if name not in self.names and name not in self.own and name not in also:
                return name
        n = 2
        while (name := f"{one_of(choices, NAMES)}{n}") in self.names or name in self.own:
            n += 1
        return name
