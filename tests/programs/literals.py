"""Literals of every kind: the simplest expressions, with the values where faults hide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.programs.choices import one_of
from tests.programs.kinds import Kind, chosen, kind
from tests.programs.scope import Scope

if TYPE_CHECKING:
    from tests.programs.writer import Writer

INTS: Final = ("0", "1", "2", "3", "(-1)", "5", "7", "(-2)", "4", "(-3)", "10", "6")
EDGES: Final = ("2147483648", "(2**31 - 1)", "(-(2**31))", "2**62", "(2**63 - 1)", "(-(2**63))",
    "9007199254740993", "255", "64", "63", "(-64)", "100")  # fmt: skip
FLOATS: Final = ("0.0", "0.5", "1.0", "(-0.5)", "2.5", "(-0.0)", "3.0", "1.5", "(-2.0)")
FLOAT_EDGES: Final = ("1e200", "(-1e200)", "0.1", "9007199254740992.0", "1e-320", "(1e200 * 1e200)",
    "1e19", "(2.0**63)", "(1e200 * 1e200 * 0.0)")  # fmt: skip
TAGS: Final = ('"keep"', '"roll"', '"stop"', '""')
SUITS: Final = ("Suit.RED", "Suit.BLACK", "Suit.NONE")
RANKS: Final = ("Rank.LOW", "Rank.MID", "Rank.TOP")
WORDS: Final = (
    "U64(0)",
    "U64(1)",
    "U64(5)",
    "U64(2**63)",
    "U64(-1)",
    "U64(0b1100)",
    "(U64(1) << 40)",
)
CLOSED: Final = {"int": INTS, "float": FLOATS, "bool": ("False", "True"), "tag": TAGS,
    "enum": SUITS, "ienum": RANKS, "u64": WORDS, "none": ("None",),
    "raised": ('ValueError("no")', 'Stuck("no")', "IndexError", "ZeroDivisionError()"),
    "small": ("0", "1", "2", "3", "4")}  # fmt: skip


def several(writer: Writer, scope: Scope, one: Kind, least: int = 0) -> str:
    """Return some expressions of a kind with commas between them."""
    count = max(least or writer.few, (3, 2, 1, 0, 4)[writer.choices.below(5)])
    return ", ".join(writer.leaf(scope, one) for _ in range(count))


def literal(writer: Writer, scope: Scope, wanted: Kind) -> str:
    """Return a literal of a kind; its parts may be variables."""
    head, parts, choices = wanted.head, wanted.parts, writer.choices
    if head in CLOSED:
        if head == "int" and writer.chance(5):
            return one_of(choices, EDGES)
        if head == "float" and writer.chance(6):
            return one_of(choices, FLOAT_EDGES)
        return one_of(choices, CLOSED[head])
    if head == "num":
        return writer.leaf(scope, kind("float" if writer.chance(50) else "int"))
    if head == "mix":
        one = chosen("T", choices, writer.few)
        return writer.leaf(scope, one if one.head != "mix" else kind("int"))
    if head == "opt":
        return "None" if writer.chance(35) else writer.leaf(scope, parts[0])
    if head == "tup":
        inside = ", ".join(writer.leaf(scope, part) for part in parts)
        return f"({inside},)" if len(parts) == 1 else f"({inside})"
    if head in ("rec", "hrec"):
        from tests.programs.records import construction  # records are made of literals

        return construction(writer, scope, wanted, 0)
    if head == "fn":
        return function(writer, scope, parts)
    return container(writer, scope, head, parts)


def function(writer: Writer, scope: Scope, parts: tuple[Kind, ...]) -> str:
    """Return a lambda of a kind."""
    taken: set[str] = set()
    names: dict[str, Kind] = {}
    for part in parts[:-1]:
        names[name := scope.fresh(writer.choices, taken)] = part
        taken.add(name)
    inner = scope.inner(names, walrus=False)
    return f"(lambda {', '.join(names)}: {writer.leaf(inner, parts[-1])})"


def container(writer: Writer, scope: Scope, head: str, parts: tuple[Kind, ...]) -> str:
    """Return a display of a container."""
    if head in ("dict", "ddict", "counter"):
        value = parts[1] if len(parts) > 1 else kind("int")
        pairs = ", ".join(
            f"{writer.leaf(scope, parts[0])}: {writer.leaf(scope, value)}"
            for _ in range((2, 1, 3, 0)[writer.choices.below(4)])
        )
        if head == "dict":
            return f"{{{pairs}}}"
        if head == "counter":
            return f"Counter({{{pairs}}})"
        made = value.head if value.head in ("list", "dict", "int", "set", "float", "bool") else ""
        made = made or f"lambda: {writer.leaf(Scope(module=True), value)}"
        return f"defaultdict({made}, {{{pairs}}})"
    inside = several(writer, scope, parts[0])
    match head:
        case "list" | "iter":
            return f"[{inside}]"
        case "seq":
            return f"({inside},)" if inside else "()"
        case "set":
            return f"{{{inside}}}" if inside else "set()"
        case "frozen":
            return f"frozenset([{inside}])"
        case "deque":
            return f"deque([{inside}])"
        case "gen":
            return f"iter([{inside}])"
        case "endless":
            return f"cycle([{several(writer, scope, parts[0], 1)}])"
    raise AssertionError(f"no literal of {head}")
