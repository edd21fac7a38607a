"""Kinds: what the compiler knows of a value, how two of them join, and how values lie in memory.

The kinds of the elements of a list, set or dict are in cells. Two such kinds that meet share their
cells from then on, so `found = []` gets its element kind from `found.append(...)`, wherever it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from llvmlite import ir

from strategies.rules.messages import Refusal

if TYPE_CHECKING:
    from strategies.rules.program import Instance

I1, I8, I32, I64 = (ir.IntType(n) for n in (1, 8, 32, 64))
F64, PTR, VOID = ir.DoubleType(), ir.PointerType(), ir.VoidType()
EMPTY = ir.LiteralStructType([])
ROW = ir.LiteralStructType([PTR, I64])  # the address of the elements, and their number
DEEPEST = 12  # tuples and containers in each other
MOST_TUPLES = 4  # tuples of so many lengths are kept apart in one kind


class Kind:
    """A set of Python values with one form in memory."""

    __slots__ = ()

    def __repr__(self) -> str:
        return text(self)


class Atom(Kind):
    """A kind without parts."""

    __slots__ = ("form", "name")

    def __init__(self, name: str, form: ir.Type) -> None:
        self.name, self.form = name, form


NEVER = Atom("never", EMPTY)  # of an expression that does not end, or is not known yet
UNSET = Atom("unset", EMPTY)  # of a local that is not bound
INT, WORD, STR = Atom("int", I64), Atom("U64", I64), Atom("str", I64)
FLOAT, BOOL, NONE = Atom("float", F64), Atom("bool", I1), Atom("None", EMPTY)
RANGE = Atom("range", ir.LiteralStructType([I64, I64, I64]))
NUMBERS = (INT, BOOL, FLOAT, WORD)


class Static(Kind):
    """One Python object that is known to the compiler: a function, a class, a module, a table."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class Member(Kind):
    """A member of an enumeration; its form is its index among the members."""

    __slots__ = ("of",)

    def __init__(self, of: type) -> None:
        self.of = of


class Tup(Kind):
    """A tuple of known length."""

    __slots__ = ("items",)

    def __init__(self, items: Iterable[Kind]) -> None:
        self.items = tuple(items)


class Row(Kind):
    """A tuple of any length."""

    __slots__ = ("item",)

    def __init__(self, item: Kind) -> None:
        self.item = item


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


Above = tuple[tuple[Cell, ...], ...]  # the cells of the containers around a kind


class Boxed(Kind):
    """A value with an identity, whose form is an address: a list, set, dict, or a variable that
    inner functions share (`cell`)."""

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


class Either(Kind):
    """One of several kinds, with a tag that says which."""

    __slots__ = ("items",)

    def __init__(self, items: Iterable[Kind]) -> None:
        self.items = tuple(items)


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
    """An inner function with what it captured; `of` is its place in the program."""

    __slots__ = ()


class Method(Kind):
    """A function bound to a value."""

    __slots__ = ("function", "self_kind")

    def __init__(self, function: Any, self_kind: Kind) -> None:
        self.function, self.self_kind = function, self_kind


class Keywords(Kind):
    """The arguments of a `**` parameter, whose names are known."""

    __slots__ = ("items", "names")

    def __init__(self, names: Iterable[str], items: Iterable[Kind]) -> None:
        self.names, self.items = tuple(names), tuple(items)


class Generator(Kind):
    """A suspended generator: the address of its frame."""

    __slots__ = ("instance",)

    def __init__(self, instance: Instance) -> None:
        self.instance = instance


class Scalar(Kind):
    """A number of numpy's own type, such as an element of an array; its form is that of `plain`."""

    __slots__ = ("plain", "type")

    def __init__(self, type: Any, plain: Kind) -> None:
        self.type, self.plain = type, plain


class Array(Kind):
    """A numpy array that is only read: the address of its elements, its shape and its strides."""

    __slots__ = ("item", "ndim")

    def __init__(self, item: Scalar, ndim: int) -> None:
        self.item, self.ndim = item, ndim


class Lazy(Kind):
    """An iterator of the library, such as `zip` or `enumerate`, over parts."""

    __slots__ = ("how", "parts")

    def __init__(self, how: str, parts: Iterable[Kind]) -> None:
        self.how, self.parts = how, tuple(parts)


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
            return "array", k.item.type.__name__, k.ndim
        case Lazy():
            return "lazy", k.how, *(key(i, above) for i in k.parts)
    raise TypeError(k)


def text(k: Kind, above: Above = ()) -> str:
    """Return a kind in words for people."""
    match k:
        case Atom():
            return k.name
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
        case Method():
            return "method"
        case Generator():
            return "generator"
        case Keywords():
            return "keywords"
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


def without(k: Kind, drop: Kind) -> Kind:
    """Return a kind less one of its alternatives."""
    left = [i for i in alternatives(k) if i is not drop]
    return NEVER if not left else left[0] if len(left) == 1 else Either(left)


def unify(a: Cell, b: Cell) -> None:
    """Let two cells be one."""
    a, b = a.root(), b.root()
    if a is not b:
        b.up, old = a, a.kind  # one from now on, because a kind may contain itself
        a.frozen |= b.frozen
        a.made |= b.made
        kind, a = join(old, b.kind), a.root()
        a.kind = kind if a.kind is old else join(a.kind, kind)


def join_all(kinds: Iterable[Kind]) -> Kind:
    """Return the least kind that has all values of all these kinds."""
    met: Kind = NEVER
    for k in kinds:
        met = join(met, k)
    return met


def join(a: Kind, b: Kind) -> Kind:
    """Return the least kind that has all values of both."""
    if a is b or b is NEVER:
        return a
    if a is NEVER:
        return b
    members = list(alternatives(a))
    for new in alternatives(b):
        for i, old in enumerate(members):
            met = _joined(old, new)
            if met is not None:
                members[i] = met
                break
        else:
            members.append(new)
    members = _few_tuples(members)
    if len(members) == 1:
        return members[0]
    return Either(sorted(members, key=_rank))


def _few_tuples(members: list[Kind]) -> list[Kind]:
    """Keep tuples of few lengths apart; more become one kind of tuples of any length."""
    tuples = [m for m in members if isinstance(m, Tup)]
    rows = [m for m in members if isinstance(m, Row)]
    if len(tuples) + len(rows) < 2:
        return members
    items = [i for t in tuples for i in t.items] + [r.item for r in rows]
    if not (rows or len(tuples) > MOST_TUPLES or _is_one(items)):
        return members
    return [*(m for m in members if not isinstance(m, Tup | Row)), Row(join_all(items))]


def _is_one(kinds: Iterable[Kind]) -> bool:
    """Whether kinds join to one without a tag. It joins nothing, for that lets cells be one."""
    found = [i for k in kinds for i in alternatives(k)]
    if any(isinstance(k, Static) for k in found):
        return False
    return all(_meet(found[0], k) for k in found[1:])


def _meet(a: Kind, b: Kind) -> bool:
    match a, b:
        case ((Tup() | Row()), (Tup() | Row())):
            if isinstance(a, Tup) and isinstance(b, Tup) and len(a.items) == len(b.items):
                return True
            return _is_one([*parts(a), *parts(b)]) or isinstance(a, Row) or isinstance(b, Row)
        case Boxed(), Boxed():
            return a.name == b.name
        case Method(), Method():
            return a.function is b.function
        case Lazy(), Lazy():
            return a.how == b.how and len(a.parts) == len(b.parts)
    return a is b or _joined(a, b) is not None


def _rank(k: Kind) -> tuple[Any, ...]:
    """An order of alternatives that does not depend on what is learned later."""
    match k:
        case Atom():
            return 0, k.name, 0
        case Static():
            return 1, text(k), 0
        case Tup():
            return 2, "", len(k.items)
        case Boxed():
            return 3, k.name, 0
        case Shared():
            return 4, type(k).__name__, k.number
        case Generator():
            return 5, "", k.instance.number
        case Member():
            return 6, f"{k.of.__module__}.{k.of.__qualname__}", 0
        case Scalar() | Array():
            return 7, text(k), k.ndim if isinstance(k, Array) else 0
    return 8, type(k).__name__, 0


def _joined(a: Kind, b: Kind) -> Kind | None:
    """The join of two kinds as one kind without a tag, or None."""
    if a is b:
        return a
    match a, b:
        case Static(), Static():
            return a if key(a) == key(b) else None
        case Member(), Member():
            return a if a.of is b.of else None
        case Shared(), Shared():
            return a if type(a) is type(b) and a.number == b.number else None
        case Generator(), Generator():
            return a if a.instance is b.instance else None
        case Method(), Method():
            if a.function is b.function:
                return Method(a.function, join(a.self_kind, b.self_kind))
        case Boxed(), Boxed() if a.name == b.name:
            for x, y in zip(a.cells, b.cells, strict=True):
                unify(x, y)
            return a
        case Tup(), Tup() if len(a.items) == len(b.items):
            return Tup(join(x, y) for x, y in zip(a.items, b.items, strict=True))
        case Row(), Row():
            return Row(join(a.item, b.item))
        case (Scalar(), Scalar()) | (Array(), Array()):
            return a if key(a) == key(b) else None
        case Lazy(), Lazy() if a.how == b.how and len(a.parts) == len(b.parts):
            return Lazy(a.how, [join(x, y) for x, y in zip(a.parts, b.parts, strict=True)])
    return None


# Forms in memory


def is_scalar(t: ir.Type) -> bool:
    return isinstance(t, ir.IntType | ir.DoubleType | ir.PointerType)


def form(k: Kind) -> ir.Type:
    """Return the LLVM type of the values of a kind."""
    match k:
        case Atom():
            return k.form
        case Static():
            return EMPTY
        case Member():
            return I64
        case Tup() | Keywords():
            return ir.LiteralStructType([form(i) for i in k.items])
        case Row():
            return ROW
        case Boxed() | Generator():
            return PTR
        case Either():
            forms = [form(i) for i in k.items]
            wide = [t for t in forms if not is_scalar(t) and t != EMPTY]
            return ir.LiteralStructType([I8, *([I64] if any(map(is_scalar, forms)) else []), *wide])
        case Shared():
            return ir.LiteralStructType([form(i) for i in k.kinds])
        case Method():
            return form(k.self_kind)
        case Scalar():
            return form(k.plain)
        case Array():
            return ir.LiteralStructType([PTR, *[I64] * (2 * k.ndim)])
        case Lazy():
            raise Refusal(f"a {k.how} that is kept in a variable is not compiled yet")
    raise TypeError(k)


def place_in(k: Either, index: int) -> int | None:
    """Return the part of an `Either`'s form that holds an alternative; None if it needs none."""
    forms = [form(i) for i in k.items]
    own = forms[index]
    if own == EMPTY:
        return None
    if is_scalar(own):
        return 1
    scalars = 1 if any(map(is_scalar, forms)) else 0
    return 1 + scalars + sum(1 for t in forms[:index] if not is_scalar(t) and t != EMPTY)


def layout(t: ir.Type) -> tuple[int, int]:
    """Return size and alignment in bytes of an LLVM type in memory."""
    if isinstance(t, ir.IntType):
        n = max(1, t.width // 8)
        return n, n
    if isinstance(t, ir.LiteralStructType):
        at, most = 0, 1
        for size, align in map(layout, t.elements):
            at = -(-at // align) * align + size
            most = max(most, align)
        return -(-at // most) * most, most
    if isinstance(t, ir.ArrayType):
        size, align = layout(t.element)
        return size * t.count, align
    return 8, 8


def size(t: ir.Type) -> int:
    """Return the bytes that a value of an LLVM type takes in an array."""
    return layout(t)[0]


def offset(t: ir.LiteralStructType, index: int) -> int:
    """Return where a part of a struct begins, in bytes."""
    at = 0
    for i, (width, align) in enumerate(map(layout, t.elements)):
        at = -(-at // align) * align
        if i == index:
            return at
        at += width
    raise IndexError(index)


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


def in_memory(k: Kind) -> bool:
    """Whether values of a kind point into the arena."""
    return somewhere(k, lambda i: isinstance(i, Row | Boxed | Generator))


def can_change(k: Kind) -> bool:
    """Whether something can be stored in a value of a kind, or in what it points to."""
    return somewhere(k, lambda i: isinstance(i, Generator) or (isinstance(i, Boxed) and i.changes))


def somewhere(k: Kind, test: Callable[[Kind], bool], seen: set[Any] | None = None) -> bool:
    """Whether a kind or one of its parts passes a test."""
    seen = set() if seen is None else seen
    if isinstance(k, Shared | Boxed):
        mark = k if isinstance(k, Shared) else (k.name, k.roots())
        if mark in seen:
            return False
        seen.add(mark)
    return test(k) or any(somewhere(i, test, seen) for i in parts(k))


def endless(k: Kind) -> bool:
    """Whether a container can contain itself."""

    def within(i: Kind) -> bool:
        own = i.roots() if isinstance(i, Boxed) else ()
        again = [
            somewhere(c.kind, lambda j: isinstance(j, Boxed) and j.roots() == own) for c in own
        ]
        return any(again)

    return somewhere(k, within)
