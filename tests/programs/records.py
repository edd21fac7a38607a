"""Records of generated programs: attrs classes, dataclasses and NamedTuples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.programs.choices import one_of
from tests.programs.kinds import Kind, kind

if TYPE_CHECKING:
    from tests.programs.scope import Scope
    from tests.programs.writer import Writer

HASHABLE: Final = tuple(map(kind, ("int", "int", "float", "bool", "tup[int,int]", "seq[int]",
    "opt[int]", "tag", "u64", "enum", "num")))  # fmt: skip
OTHERS: Final = (*HASHABLE, *HASHABLE, kind("list[int]"), kind("list[int]"), kind("dict[int,int]"))
FIELDS: Final = ("size", "x", "count", "left")
NAMES: Final = {"hrec": "Place", "rec": "Board"}
ANNOTATIONS: Final = {"u64": "U64", "tag": "str", "enum": "Suit", "seq": "tuple[int, ...]",
    "tup": "tuple[int, int]", "opt": "int | None", "list": "list[int]", "dict": "dict[int, int]",
    "num": "float"}  # fmt: skip
CONVERTERS: Final = {"int": ("abs", "int", "lambda v: v % 7"), "float": ("float", "abs"),
    "bool": ("bool",), "seq": ("tuple",), "list": ("list",)}  # fmt: skip
VALIDATORS: Final = ("validators.ge(-5)", "validators.lt(1000)", "positive")


def needed(writer: Writer, wanted: Kind) -> list[tuple[str, Kind]]:
    """Return the fields of the program's class of this kind, which is made at first use."""
    if wanted.head not in writer.fields:
        make(writer, wanted.head)
    return writer.fields[wanted.head]


def make(writer: Writer, head: str) -> None:
    """Write a class of records."""
    choices = writer.choices
    pool = HASHABLE if head == "hrec" else OTHERS
    fields = [(name, one_of(choices, pool)) for name in FIELDS[: 1 + choices.below(4)]]
    style = one_of(choices, ("attrs", "attrs", "attrs", "dataclass", "named", "attrs"))
    writer.fields[head] = fields
    write = {"attrs": attrs_class, "dataclass": dataclass_class, "named": named_class}[style]
    text = write(writer, NAMES[head], fields)
    methods, found = members(writer, Kind(head), fields)
    writer.classes[NAMES[head]] = text + methods
    writer.fields[head] = [*fields, *found]
    writer.styles[head] = style


def default(writer: Writer, one: Kind) -> str:
    """Return a default value that is a literal."""
    from tests.programs.scope import Scope

    return writer.leaf(Scope(module=True), one)


def attrs_class(writer: Writer, name: str, fields: list[tuple[str, Kind]]) -> str:
    """Return a frozen attrs class, perhaps with a base class."""
    lines = []
    defaulted = False
    for field, one in fields:
        options = []
        shared = one.head in ("list", "dict")
        if writer.chance(30) or defaulted:
            defaulted = True
            if shared or writer.chance(15):
                options.append(f"factory=lambda: {default(writer, one)}")
            else:
                options.append(f"default={default(writer, one)}")
        if one.head in CONVERTERS and writer.chance(20):
            options.append(f"converter={one_of(writer.choices, CONVERTERS[one.head])}")
        if one.head == "int" and writer.chance(15):
            options.append(f"validator={one_of(writer.choices, VALIDATORS)}")
        if writer.chance(6):
            options.append("eq=False")
        if writer.chance(10):
            options.append("kw_only=True")
        annotation = ANNOTATIONS.get(one.head, one.head)
        made = f" = field({', '.join(options)})" if options else ""
        lines.append(f"    {field}: {annotation}{made}")
    if len(fields) > 1 and writer.chance(20):
        middle = 1 + writer.choices.below(len(fields) - 1)
        base = [f"@frozen\nclass Base{name}:", *lines[:middle]]
        own = [f"@frozen\nclass {name}(Base{name}):", *lines[middle:]]
        return "\n".join([*base, "", "", *own])
    text = "\n".join([f"@frozen\nclass {name}:", *lines])
    if writer.chance(12) and fields[0][1].head == "int":
        text += f"\n\n    def __attrs_post_init__(self):\n        assert self.{fields[0][0]} > -9"
    return text


def dataclass_class(writer: Writer, name: str, fields: list[tuple[str, Kind]]) -> str:
    """Return a frozen dataclass."""
    lines, defaulted = [f"@dataclass(frozen=True)\nclass {name}:"], False
    for field, one in fields:
        made = ""
        if writer.chance(30) or defaulted:
            defaulted = True
            value = default(writer, one)
            shared = one.head in ("list", "dict")
            made = f" = dataclasses.field(default_factory=lambda: {value})" if shared else ""
            made = made or f" = {value}"
        lines.append(f"    {field}: {ANNOTATIONS.get(one.head, one.head)}{made}")
    return "\n".join(lines)


def named_class(writer: Writer, name: str, fields: list[tuple[str, Kind]]) -> str:
    """Return a NamedTuple."""
    lines, defaulted = [f"class {name}(NamedTuple):"], False
    for field, one in fields:
        made = ""
        if one.head not in ("list", "dict") and (writer.chance(30) or defaulted):
            defaulted = True
            made = f" = {default(writer, one)}"
        elif defaulted:
            made = " = None"
        lines.append(f"    {field}: {ANNOTATIONS.get(one.head, one.head)}{made}")
    return "\n".join(lines)


def members(
    writer: Writer, own: Kind, fields: list[tuple[str, Kind]]
) -> tuple[str, list[tuple[str, Kind]]]:
    """Return the text of a property and of methods, and how they are called."""
    from tests.programs.scope import Scope

    text, found = "", []
    for name in ("area", "twice", "shifted", "of"):
        if not writer.chance(30):
            continue
        wanted = kind(one_of(writer.choices, ("int", "float", "bool", "tup[int,int]", "num")))
        scope = Scope({"self": own} if name != "of" else {}, module=True)
        body = writer.expression(scope, wanted, 2)
        if name == "area":
            text += f"\n\n    @property\n    def area(self):\n        return {body}"
            found.append(("area", wanted))
        elif name == "of":
            text += f"\n\n    @staticmethod\n    def of():\n        return {body}"
            found.append(("of()", wanted))
        else:
            text += f"\n\n    def {name}(self):\n        return {body}"
            found.append((f"{name}()", wanted))
    return text, found


def plain_fields(writer: Writer, wanted: Kind) -> list[tuple[str, Kind]]:
    """Return the fields that a constructor takes."""
    return [one for one in needed(writer, wanted) if one[0] in FIELDS]


def construction(writer: Writer, scope: Scope, wanted: Kind, depth: int) -> str:
    """Return a call of a record's class, with arguments by place, by name or left to defaults."""
    fields = plain_fields(writer, wanted)
    name = NAMES[wanted.head]
    text = writer.classes.get(name, "")
    keyword = "kw_only" in text or not text or writer.chance(30)
    values = [(field, writer.expression(scope, one, depth)) for field, one in fields]
    if text and "factory" not in text:
        lines = {line.strip().partition(":")[0]: line for line in text.splitlines()}
        while values and "= " in lines.get(values[-1][0], "") and writer.chance(40):
            if "= field(" in lines[values[-1][0]] and "default" not in lines[values[-1][0]]:
                break
            values.pop()
    return f"{name}({', '.join(f'{f}={v}' if keyword else v for f, v in values)})"


def changed(writer: Writer, scope: Scope, wanted: Kind, depth: int) -> str:
    """Return a copy of a record with another value in one field."""
    field, one = one_of(writer.choices, plain_fields(writer, wanted))
    value = writer.expression(scope, one, depth)
    record = writer.expression(scope, wanted, depth)
    style = writer.styles.get(wanted.head, "attrs")
    if style == "named":
        return f"{record}._replace({field}={value})"
    maker = "attrs.evolve" if style == "attrs" else "dataclasses.replace"
    return f"{maker}({record}, {field}={value})"
