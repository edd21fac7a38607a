"""Kinds: what the compiler knows of a value, how two of them join, and how values lie in memory.

The kinds of the elements of a list, set or dict are in cells. Two such kinds that meet share their
cells from then on, so `found = []` gets its element kind from `found.append(...)`, wherever it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from attrs import define, field
from llvmlite import ir

from strategies.rules.language.messages import Refusal
from strategies.rules.language.sources import FunctionNode, Source

I1, I8, I32, I64 = (ir.IntType(n) for n in (1, 8, 32, 64))
F64, PTR, VOID = ir.DoubleType(), ir.PointerType(), ir.VoidType()
EMPTY = ir.LiteralStructType([])
ROW = ir.LiteralStructType([PTR, I64])  # the address of the elements, and their number


class Kind:
    """A set of Python values with one form in memory."""

    __slots__ = ()

    def __repr__(self) -> str:
        return text(self)


def _kinds(items: Iterable[Kind]) -> tuple[Kind, ...]:
    return tuple(items)


@define(eq=False, repr=False)
class Atom(Kind):
    """A kind without parts."""

    name: str
    form: ir.Type


NEVER = Atom("never", EMPTY)  # of an expression that does not end, or is not known yet
UNSET = Atom("unset", EMPTY)  # of a local that is not bound
INT, WORD, STR = Atom("int", I64), Atom("U64", I64), Atom("str", I64)
FLOAT, BOOL, NONE = Atom("float", F64), Atom("bool", I1), Atom("None", EMPTY)
TEXT = Atom("text", ROW)  # a text that is made: the numbers of its letters, as in a tuple of ints
RANGE = Atom("range", ir.LiteralStructType([I64, I64, I64]))
NUMBERS = (INT, BOOL, FLOAT, WORD)


@define(eq=False, repr=False)
class Static(Kind):
    """One Python object that is known to the compiler: a function, a class, a module, a table."""

    value: Any


@define(eq=False, repr=False)
class Member(Kind):
    """A member of an enumeration; its form is its index among the members."""

    of: Any


@define(eq=False, repr=False)
class Tup(Kind):
    """A tuple of known length."""

    items: tuple[Kind, ...] = field(converter=_kinds)


@define(eq=False, repr=False)
class Row(Kind):
    """A tuple of any length."""

    item: Kind


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


DEEPEST = 8  # tuples and containers in each other
Above = tuple[tuple[Cell, ...], ...]  # the cells of the containers around a kind


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


# How many cells the kinds of tables have: for keys, values, and what makes a value.
CELLS = {"set": 1, "frozenset": 1, "dict": 2, "counter": 2, "defaultdict": 3}


@define(eq=False, repr=False)
class Either(Kind):
    """One of several kinds, with a tag that says which."""

    items: tuple[Kind, ...] = field(converter=_kinds)


class Shared(Kind):
    """Parts with names, whose kinds are joined over all places that make such a value."""

    __slots__ = ("kinds", "names", "number", "of")

    def __init__(self, of: Any, names: Sequence[str], number: int) -> None:
        self.of, self.names, self.number = of, tuple(names), number
        self.kinds: list[Kind] = [NEVER] * len(self.names)


class Record(Shared):
    """An instance of a class of records; `of` is the class."""

    __slots__ = ()


class Closure(Shared):
    """An inner function with what it captured; `of` is its syntax, with the source around it."""

    __slots__ = ()
    of: tuple[FunctionNode, Source]


@define(eq=False, repr=False)
class Method(Kind):
    """A function bound to a value."""

    function: Any
    self_kind: Kind


@define(eq=False, repr=False)
class Keywords(Kind):
    """The arguments of a `**` parameter, whose names are known."""

    names: tuple[str, ...]
    items: tuple[Kind, ...] = field(converter=_kinds)


@define(eq=False, repr=False)
class Generator(Kind):
    """A suspended generator: the address of its frame."""

    instance: Instance


@define(eq=False, repr=False)
class Scalar(Kind):
    """A number of numpy's own type, such as an element of an array; its form is that of `plain`."""

    type: Any
    plain: Kind


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


@define(eq=False, repr=False)
class Lazy(Kind):
    """An iterator of the library, such as `zip` or `enumerate`, over parts."""

    how: str
    parts: tuple[Kind, ...] = field(converter=_kinds)


def key(k: Kind, above: Above = ()) -> Any:
    """Return a kind as a value that can be compared and hashed; it may contain itself."""
    if len(above) > DEEPEST:
        raise Refusal("a tuple that holds tuples of its own kind is not compiled; use a list")
    match k:
        case Atom():
            return k.name
        case Static():
            return "static", k.value if type(k.value) is int else id(k.value)
        case Member():
            return "member", id(k.of)
        case Tup():
            return "tuple", *(key(i, (*above, ())) for i in k.items)
        case Row():
            return "row", key(k.item, (*above, ()))
        case Boxed():
            # What may not change is apart from what may, so that a function can take both.
            name = k.name + " of rules" * k.frozen + " or of rules" * k.mixed
            roots = k.roots()
            if roots in above:
                return name, "again", above[::-1].index(roots)
            return name, *(key(c.kind, (*above, roots)) for c in roots)
        case Either():
            return "either", *(key(i, above) for i in k.items)
        case Shared():
            return type(k).__name__, k.number
        case Method():
            return "method", id(k.function), key(k.self_kind, above)
        case Generator():
            return "generator", k.instance.number
        case Keywords():
            return "keywords", k.names, *(key(i, above) for i in k.items)
        case Scalar():
            return "scalar", k.type.__name__
        case Array():
            return "array", k.item.type.__name__, k.ndim, k.written
        case Lazy():
            return "lazy", k.how, *(key(i, above) for i in k.parts)
    raise TypeError(k)


def text(k: Kind, above: Above = ()) -> str:
    """Return a kind in words for people."""
    match k:
        case Atom():
            return "str" if k is TEXT else k.name
        case Static():
            return getattr(k.value, "__name__", type(k.value).__name__)
        case Member() | Record():
            return str(k.of.__name__)
        case Tup():
            parts = ", ".join(text(i, above) for i in k.items)
            return f"({parts}{',' * (len(k.items) == 1)})"
        case Row():
            return f"({text(k.item, above)}, ...)"
        case Boxed():
            roots = k.roots()
            if roots in above:
                return "..."
            return f"{k.name}[{', '.join(text(c.kind, (*above, roots)) for c in roots)}]"
        case Either():
            return " or ".join(text(i, above) for i in k.items)
        case Closure():
            return "function"
        case Method() | Generator() | Keywords():
            return type(k).__name__.lower()
        case Scalar():
            return f"numpy.{k.type.__name__}"
        case Array():
            return f"array of {k.item.type.__name__}"
        case Lazy():
            return k.how
    raise TypeError(k)


def same(a: Kind, b: Kind) -> bool:
    """Whether two kinds are equal."""
    return a is b or bool(key(a) == key(b))


def alternatives(k: Kind) -> tuple[Kind, ...]:
    """Return the kinds that a value can have."""
    return k.items if isinstance(k, Either) else () if k is NEVER else (k,)


def parts(k: Kind) -> Iterator[Kind]:
    """Yield the kinds that a value of a kind contains."""
    match k:
        case Tup() | Either() | Keywords():
            yield from k.items
        case Row():
            yield k.item
        case Boxed():
            yield from (c.root().kind for c in k.cells)
        case Shared():
            yield from k.kinds
        case Method():
            yield k.self_kind
        case Lazy():
            yield from k.parts


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
        effects: the `Effects` of its code, known when it is emitted.
    """

    number: int
    source: Source
    node: FunctionNode
    kinds: list[Kind]
    is_generator: bool
    name: str
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
    function: Any = None
    frame_size: Any = None
    key: Any = None
    is_entry: bool = False
    effects: Any = None

    def recursive(self) -> bool:
        """Whether it may call itself."""
        return self in self._called()

    def remembering(self) -> bool:
        """Whether it, or what it calls, keeps results for later calls."""
        return self.remembers or any(one.remembers for one in self._called())

    def _called(self) -> set[Instance]:
        """Return all instances that it may call, also indirectly."""
        seen: set[Instance] = set()
        todo = list(self.callees)
        while todo:
            one = todo.pop()
            if one not in seen:
                seen.add(one)
                todo += one.callees
        return seen


def is_text(k: Kind) -> bool:
    """Whether values of a kind are texts."""
    return k is STR or k is TEXT


def is_cell(k: Kind | None) -> bool:
    """Whether a kind is that of a variable that inner functions share."""
    return isinstance(k, Boxed) and k.name in ("cell", "bound cell")


def named(k: Kind, names: tuple[str, ...]) -> bool:
    """Whether a kind is that of a container with one of these names."""
    return isinstance(k, Boxed) and k.name in names
