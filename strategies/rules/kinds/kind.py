"""Kinds with parts, and of what is known: tuples, containers, records, and Python's objects.

The kinds of the elements of a list, set or dict are in cells. Two such kinds that meet share their
cells from then on, so `found = []` gets its element kind from `found.append(...)`, wherever it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import define, field

from strategies.rules.kinds.atoms import NEVER, Kind


def _kinds(items: Iterable[Kind]) -> tuple[Kind, ...]:
    return tuple(items)


@define(eq=False, repr=False)
class Static(Kind):
    """One Python object that is known to the compiler: a function, a class, a module, a table."""

    value: Any

    def spelled(self, above: Any = ()) -> str:
        return getattr(self.value, "__name__", type(self.value).__name__)


@define(eq=False, repr=False)
class Member(Kind):
    """A member of an enumeration; its form is its index among the members, of flags their value."""

    of: Any

    def spelled(self, above: Any = ()) -> str:
        return str(self.of.__name__)


@define(eq=False, repr=False)
class Tup(Kind):
    """A tuple of known length."""

    items: tuple[Kind, ...] = field(converter=_kinds)

    def spelled(self, above: Any = ()) -> str:
        parts = ", ".join(i.spelled(above) for i in self.items)
        return f"({parts}{',' * (len(self.items) == 1)})"


@define(eq=False, repr=False)
class Row(Kind):
    """A tuple of any length."""

    item: Kind

    def spelled(self, above: Any = ()) -> str:
        return f"({self.item.spelled(above)}, ...)"


class Cell:
    """The kind of the elements of a container, found by union and find."""

    __slots__ = ("frozen", "kind", "made", "up")

    def __init__(self, kind: Kind = NEVER, frozen: bool = False) -> None:
        self.up: Cell | None = None
        self.kind = kind
        self.frozen, self.made = frozen, not frozen  # whether rules share it, or a call makes it

    def root(self) -> Cell:
        cell = self
        while cell.up is not None:
            cell = cell.up
        return cell


class Boxed(Kind):
    """A value with an identity, whose form is an address: a list, set, dict, or a variable that
    inner functions share (`cell`, or `bound cell` where it is known to be bound)."""

    __slots__ = ("cells", "name")

    def __init__(self, name: str, *cells: Cell) -> None:
        self.name, self.cells = name, cells

    def roots(self) -> tuple[Cell, ...]:
        return tuple(c.root() for c in self.cells)

    @property
    def item(self) -> Kind:
        return self.cells[0].root().kind

    @property
    def value(self) -> Kind:
        return self.cells[1].root().kind

    @property
    def frozen(self) -> bool:
        """Whether it may not be changed: it lies before a call."""
        return any(c.root().frozen and not c.root().made for c in self.cells)

    @property
    def changes(self) -> bool:
        return self.name != "frozenset" and not self.frozen

    @property
    def mixed(self) -> bool:
        """Whether only running tells if it may be changed."""
        return any(c.root().frozen and c.root().made for c in self.cells)

    def spelled(self, above: Any = ()) -> str:
        roots = self.roots()
        if roots in above:
            return "..."
        return f"{self.name}[{', '.join(c.kind.spelled((*above, roots)) for c in roots)}]"


# How many cells the kinds of tables have: for keys, values, and what makes a value.
CELLS = {"set": 1, "frozenset": 1, "dict": 2, "counter": 2, "defaultdict": 3}


@define(eq=False, repr=False)
class Either(Kind):
    """One of several kinds, with a tag that says which."""

    items: tuple[Kind, ...] = field(converter=_kinds)

    def spelled(self, above: Any = ()) -> str:
        return " or ".join(i.spelled(above) for i in self.items)


class Shared(Kind):
    """Parts with names, whose kinds are joined over all places that make such a value."""

    __slots__ = ("kinds", "names", "number", "of")

    def __init__(self, of: Any, names: Sequence[str], number: int) -> None:
        self.of, self.names, self.number = of, tuple(names), number
        self.kinds: list[Kind] = [NEVER] * len(self.names)


class Record(Shared):
    """An instance of a class of records; `of` is the class."""

    __slots__ = ()

    def spelled(self, above: Any = ()) -> str:
        return str(self.of.__name__)


@define(eq=False, repr=False)
class Keywords(Kind):
    """The arguments of a `**` parameter, whose names are known."""

    names: tuple[str, ...]
    items: tuple[Kind, ...] = field(converter=_kinds)


@define(eq=False, repr=False)
class Lazy(Kind):
    """An iterator of the library, such as `zip` or `enumerate`, over parts."""

    how: str
    parts: tuple[Kind, ...] = field(converter=_kinds)

    def spelled(self, above: Any = ()) -> str:
        return self.how
