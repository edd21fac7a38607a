"""Kinds: without parts, with parts, of numpy's values, and of functions.

A kind without parts is one of numbers, of texts, of None, or of what has no value, and has a type
of LLVM. With parts are tuples, containers and records; of what is known, Python's objects. A
function may be an inner one, a bound one or a suspended one; an instance is one for certain kinds.

The kinds of the elements of a list, set or dict are in cells. Two such kinds that meet share their
cells from then on, so `found = []` gets its element kind from `found.append(...)`, wherever it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from attrs import define, field
from llvmlite import ir

from strategies.rules.language.sources import Source

I1, I8, I32, I64 = (ir.IntType(n) for n in (1, 8, 32, 64))
F64, PTR, VOID = ir.DoubleType(), ir.PointerType(), ir.VoidType()
EMPTY = ir.LiteralStructType([])
ROW = ir.LiteralStructType([PTR, I64])  # the address of the elements, and their number


T = TypeVar("T")


def reachable(
    first: Iterable[T], after: Callable[[T], Iterable[T]], mark: Callable[[T], Any] = lambda x: x
) -> Iterator[T]:
    """Yield what can be reached from first ones, each once: `mark` tells what is the same."""
    seen: set[Any] = set()
    found = list(first)  # grows while it is read
    for one in found:
        known = mark(one)
        if known not in seen:
            seen.add(known)
            yield one
            found += after(one)


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


def _kinds(items: Iterable[Kind]) -> tuple[Kind, ...]:
    return tuple(items)


@define(eq=False, repr=False)
class Static(Kind):
    """One Python object that is known to the compiler: a function, a class, a module, a table."""

    value: Any

    def spelled(self, above: Any = ()) -> str:
        if type(self.value) is int:  # others are numbers of the code
            return "an int of more than 64 bits"
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
    def factory(self) -> Kind:
        """The kind of what a defaultdict calls for a key that is not there."""
        return self.cells[2].root().kind

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
class Scalar(Kind):
    """A number of numpy's own type, such as an element of an array; its form is that of `plain`."""

    type: Any
    plain: Kind

    def spelled(self, above: Any = ()) -> str:
        return f"numpy.{self.type.__name__}"


@define(eq=False, repr=False)
class Array(Kind):
    """A numpy array: the address of its elements, its shape and its strides."""

    item: Scalar
    ndim: int
    written: bool = False
    """Whether rules may write to it."""

    @property
    def element(self) -> Kind:
        """Return the kind of an element: of a row of Python's ints, an int."""
        return self.item.plain if self.item.type is int else self.item

    def spelled(self, above: Any = ()) -> str:
        return f"array of {self.item.type.__name__}"


class Closure(Shared):
    """An inner function with what it captured; `of` is its source."""

    __slots__ = ()
    of: Source

    def spelled(self, above: Any = ()) -> str:
        return "function"


@define(eq=False, repr=False)
class Method(Kind):
    """A function bound to a value."""

    function: Any
    self_kind: Kind


@define(eq=False, repr=False)
class Generator(Kind):
    """A suspended generator: the address of its frame."""

    instance: Instance


@define(eq=False)
class Instance:
    """A function for arguments of certain kinds.

    Attributes:
        returned, yielded: the kinds found so far.
        records: kinds at places of the function, found in the last round: the environments where
            control meets, the results of expressions with branches, the containers made there.
        callees: instances that it calls.
        remembers: whether it calls a cached function of a module.
        version: how often the kinds of its results changed.
        is_entry: whether it is called from outside.
        used: the instances whose results the last walk used, and their versions then.
        walked_at: the last of all `Changes` before that walk.
        failures: refusals that tell where that walk found that nothing but an error can happen.
        effects: the `Effects` of its code, known when it is emitted.
    """

    number: int
    source: Source
    kinds: list[Kind]
    closure: Closure | None = None
    returned: Kind = NEVER
    yielded: Kind = NEVER
    records: dict[Any, Any] = field(factory=dict)
    callees: set[Instance] = field(factory=set)
    remembers: bool = False
    round: int = -1
    version: int = 0
    used: dict[Instance, int] = field(factory=dict)
    walked_at: int = -1
    failures: list[Any] = field(factory=list)
    function: Any = None
    frame_size: Any = None
    key: Any = None
    is_entry: bool = False
    effects: Any = None

    @property
    def given(self) -> list[Kind]:
        """Return the kinds of what it captured, and of its arguments."""
        return [*(self.closure.kinds if self.closure is not None else ()), *self.kinds]

    def recursive(self) -> bool:
        """Whether it may call itself."""
        return self in self._called()

    def remembering(self) -> bool:
        """Whether it, or what it calls, keeps results for later calls."""
        return self.remembers or any(one.remembers for one in self._called())

    def failure(self) -> Any:
        """Return the first of its failures, or of those that it calls; None if there are none."""
        found = (f for i in reachable([self], lambda i: i.used) for f in i.failures)
        return next((f for f in found if f.line), None)

    def _called(self) -> Iterator[Instance]:
        """Yield all instances that it may call, also indirectly."""
        return reachable(self.callees, lambda one: one.callees)
