"""Templates: lines of Python with holes, which say what each hole may hold.

A line of a table is a kind and an expression of it, an optional weight in front:

    3* int    {int} + len({list[T]})

A hole holds an expression of its kind, or one of these:

    {x}               a fresh name (any small letter), the same one throughout the template
    {int:x=T;y=int}   an expression in which x and y are names of these kinds
    {iter[T]:-}       an expression without an assignment :=
    {x=T}             a name that the statement binds for what follows
    {var list[T]}     the name of a variable
    {old int}         the name of a variable that the current function may bind again
    {block:x=T}       statements; {loop} those of a loop, {calm} without return, break or yield
    {body T:x=S}      the body of a function with this result; {yields T:x=S} that of a generator
    {ret} {out}       an expression of the kind that the current function returns or yields
    {exc}             the name of an exception
    {focus T}         an expression by the template in focus, if it is of the kind
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from string import Formatter

from tests.programs.coverage import construct
from tests.programs.kinds import Binding, Kind, kind, matched

WORDS = ("block", "loop", "calm", "body", "yields", "ret", "out", "exc", "var", "old", "focus")


@dataclass(frozen=True, slots=True)
class Hole:
    """A hole of a template: what it holds, the names that are bound in it."""

    word: str
    kind: Kind | None
    binds: tuple[tuple[str, Kind], ...]
    calm: bool
    indent: str


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """A piece of code with holes; for a statement, the kind is `none`."""

    text: str
    result: Kind
    weight: int
    parts: tuple[str | Hole, ...]
    atomic: bool
    assigns: bool = False
    """Whether it contains an assignment :=."""
    risky: bool = False
    """Whether it often raises an exception."""

    @property
    def construct(self) -> str:
        """Return its outermost construct, as the table of coverage names it."""
        try:
            return construct(ast.parse(self.sample("f_"), mode="eval").body)
        except SyntaxError:
            return ""

    def sample(self, name: str) -> str:
        """Return its text with simple names in its holes, and one in that of the focus."""
        words = {"block": "pass", "loop": "pass", "calm": "pass", "exc": "KeyError"}
        found = ""
        for part in self.parts:
            if isinstance(part, str):
                found += part
            elif part.word in ("name", "new"):
                found += part.binds[0][0]
            else:
                found += name if part.word == "focus" else words.get(part.word, "h")
        return found

    @property
    def leaves(self) -> bool:
        """Return whether it is a `break` or `continue` of an enclosing loop."""
        return self.text.endswith(("    break", "    continue"))


def hole(name: str, spec: str, before: str) -> Hole:
    """Return the hole that a name and a specification describe."""
    binds = [bind.partition("=") for bind in spec.split(";") if "=" in bind]
    bound = tuple((left, kind(right)) for left, _, right in binds)
    indent = before.rpartition("\n")[2]
    indent = indent if not indent.strip() else ""
    word, _, rest = name.partition(" ")
    if len(name) == 1 and name.islower():
        return Hole("name", None, ((name, Kind("name")),), False, "")
    if "=" in name:
        left, _, right = name.partition("=")
        return Hole("new", None, ((left, kind(right)),), False, "")
    if word in WORDS:
        return Hole(word, kind(rest) if rest else None, bound, "-" in spec.split(";"), indent)
    return Hole("value", kind(name), bound, "-" in spec.split(";"), "")


def template(text: str, result: str, weight: int = 1) -> Template:
    """Return the template of a text."""
    parts: list[str | Hole] = []
    before = ""
    for literal, name, spec, _ in Formatter().parse(text):
        before += literal
        if literal:
            parts.append(literal)
        if name is not None:
            parts.append(hole(name, spec or "", before))
    return Template(
        text, kind(result), weight, tuple(parts), is_atomic(parts), ":=" in text, is_risky(text)
    )


RISKY = re.compile(
    r"\]\}\[-?\{(int|small|K|bool|var list\[int\]|x)\}\]|\]\[\{(int|small)\}\]"
    r"|\)\[\{(int|small|tag)\}\]|\}\[\{tag\}\]|\.pop\(|\.popleft|\.popitem|\.index\(|\.remove\("
    r"|next\(\{(var )?gen\[T\]\}\)|next\(iter|next\(\{x\} for|(max|min)\(\{iter\[O\]\}\)"
    r"|(max|min)\(\{iter\[T\]\}, key=.*(?<!default)$|math\.(sqrt|log|isqrt|exp|pow|fmod)"
    r"|reduce\((operator\.add|lambda \{x\}, \{y\}: \{int.*int\]\}\))|^raise|\braise \{raised\}"
    r"|^assert|(Rank|Suit)\(|strict=True|(<<|>>) \{int\}|\*\* \{int\}|, \*\{y=|^\*\{|^\[\{x=|^del "
    r"|itemgetter\(\{|getitem\(|<< \{u64\}|islice\(\{iter\[T\]\}, \{int\}|for \{x\}, \*\{y\}"
    r"|remove\(|pow\(\{int\}, \{int\}|mod="
)
"""What often raises an exception, so that most programs have little of it."""
SURE = re.compile(
    r"default=|\[\{(small|K)\}\] \W?=|ddict|counter|\.pop\(\{K\}, |items\(\):|^try|^while"
)
"""What does not, among these."""


def is_risky(text: str) -> bool:
    """Return whether a template often raises an exception."""
    return bool(RISKY.search(text)) and not SURE.search(text)


def is_atomic(parts: list[str | Hole]) -> bool:
    """Return whether an expression needs no parentheses in any place."""
    text = "".join(part if isinstance(part, str) else "h" for part in parts)
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError:
        return True
    plain = (ast.Name, ast.Call, ast.Subscript, ast.Attribute, ast.List, ast.Dict, ast.Set)
    closed = (ast.ListComp, ast.SetComp, ast.DictComp)
    paired = (ast.Tuple, ast.GeneratorExp, ast.NamedExpr)
    return isinstance(node, (*plain, *closed)) or (text[0] == "(" and isinstance(node, paired))


LINE = re.compile(r"(?:(\d+)\*\s+)?(\S+)\s+(.*)")


def expressions(table: str) -> list[Template]:
    """Return the templates of a table of expressions, a line each."""
    found = []
    for line in filter(None, map(str.strip, table.splitlines())):
        shape = LINE.fullmatch(line)
        assert shape, line
        weight, result, text = shape.groups()
        found.append(template(text, result, int(weight or 1)))
    return found


def statements(table: str) -> list[Template]:
    """Return the templates of a table of statements, with empty lines between them."""
    found = []
    for text in table.strip("\n").split("\n\n"):
        weight, star, rest = text.partition("* ")
        if star and weight.isdigit():
            found.append(template(rest, "none", int(weight)))
        else:
            found.append(template(text, "none"))
    return found


def places(table: str) -> list[Template]:
    """Return the statements that hold a construct in focus; their kind is that of the construct."""
    found = []
    for text in table.strip("\n").split("\n\n"):
        fits, _, rest = text.partition(" ")
        found.append(template(rest, fits))
    return found


class Rules:
    """All templates of expressions, found by the kind that is wanted."""

    def __init__(self, templates: list[Template]) -> None:
        self.templates = templates
        self.of = cache(self._of)

    def _of(self, wanted: Kind) -> tuple[list[tuple[Template, Binding]], dict[Template, int]]:
        """Return the templates for a kind, each as often as it weighs, and where each one is."""
        options: list[tuple[Template, Binding]] = []
        places: dict[Template, int] = {}
        for one in self.templates:
            binding: Binding = {}
            if matched(one.result, wanted, binding):
                places[one] = len(options)
                options += [(one, binding)] * one.weight
        return options, places
