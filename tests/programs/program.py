"""Whole programs: a module of classes, tables and functions, and calls of its entry."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from tests.programs.choices import Choices, Seeded, one_of
from tests.programs.grammar.functions import DEFINITIONS, FUNCTIONS, RAISED
from tests.programs.grammar.iterators import ITERATORS
from tests.programs.grammar.mappings import MAPPINGS
from tests.programs.grammar.numbers import NUMBERS
from tests.programs.grammar.places import PLACES
from tests.programs.grammar.sequences import SEQUENCES
from tests.programs.grammar.specials import SPECIALS
from tests.programs.grammar.statements import STATEMENTS
from tests.programs.grammar.texts import TEXTS
from tests.programs.grammar.truths import TRUTHS
from tests.programs.kinds import Kind, chosen, kind, matched
from tests.programs.scope import Scope
from tests.programs.templates import Rules, Template, expressions, places, statements
from tests.programs.writer import LOG, NoWay, Writer

ENTRY: Final = "entry"


@dataclass(frozen=True)
class Program:
    """Source of a module, the name of its entry, and the arguments of each call as source."""

    source: str
    calls: tuple[str, ...]
    entry: str = ENTRY

    def __str__(self) -> str:
        calls = "\n".join(f"# {self.entry}({call})" for call in self.calls)
        return f"{self.source}\n{calls}\n"


TABLES: Final = (NUMBERS, TRUTHS, SEQUENCES, TEXTS, MAPPINGS, ITERATORS, FUNCTIONS, RAISED)
EXPRESSIONS: Final = tuple(one for table in TABLES for one in expressions(table))
SIMPLE: Final = tuple(statements(STATEMENTS))
FUNCTION_TEMPLATES: Final = tuple(statements(DEFINITIONS))
TEMPLATES: Final = (*EXPRESSIONS, *SIMPLE, *FUNCTION_TEMPLATES)


def weighted(templates: tuple[Template, ...]) -> list[Template]:
    """Return each template as often as it weighs."""
    return [one for one in templates for _ in range(one.weight)]


WIDE: Final = re.compile(
    r"deque|Counter|counter|defaultdict|ddict|mix|partial|reduce|opt\[|enum|tag|frozen|itertools|chain"
    r"|operator|cache|endless|match|raise|try|yield|gen\[|starfn|kwfn|nonlocal|count\(|cycle|\bdel\b"
    r"|starmap|islice|accumulate|groupby|product|combinations|zip_longest|dropwhile|Suit|Rank"
    r"|list\[fn|dict\[tag|math\.(p|c|l|f|d|h|e|i)|\*\{|pop\(\{K|issu|isdis|setdefault|lambda"
    r"|fn\[|assert|fromkeys|update|insert|\(\)\[1\]|\[\]$|dict\(|mod=|\*\*\{"
)
"""What few programs of the compiler without types may contain."""


@cache
def rules(few: bool) -> Rules:
    """Return the templates of all expressions."""
    return Rules([one for one in EXPRESSIONS if not few or is_narrow(one)])


def is_narrow(one: Template) -> bool:
    """Return whether the compiler without types takes most of what a template makes."""
    return not WIDE.search(f"{one.text} {one.result}")


@cache
def bodies(few: bool) -> list[Template]:
    """Return the templates of statements by weight."""
    return [one for one in [*weighted(SIMPLE) * 2, *weighted(FUNCTION_TEMPLATES)]
            if not few or is_narrow(one)]  # fmt: skip


@cache
def definitions(few: bool) -> list[Template]:
    """Return the templates of functions by weight."""
    found = weighted(FUNCTION_TEMPLATES)
    plain = re.compile(r"^def \{f=fn\[S,(V,)?T\]\}\(\{a\}(, \{b\})?\):\n    \{body")
    return [one for one in found if not few or plain.match(one.text)]


HEADER: Final = (
    ("import attrs", r"\battrs\."),
    ("import dataclasses", r"\bdataclasses\."),
    ("import functools", r"\bfunctools\."),
    ("import itertools", r"\bitertools\."),
    ("import math", r"\bmath\."),
    ("import operator", r"\boperator\."),
    *((f"from collections import {name}", rf"\b{name}\b") for name in
      ("Counter", "defaultdict", "deque")),
    ("from dataclasses import dataclass", r"@dataclass\b"),
    ("from enum import Enum", r"\bSuit\b"),
    ("from enum import IntEnum", r"\bRank\b"),
    *((f"from functools import {name}", rf"(?<!\.)\b{name}\(|@{name}\b") for name in
      ("cache", "lru_cache", "partial")),
    *((f"from itertools import {name}", rf"(?<!\.)\b{name}[(.]") for name in
      ("accumulate", "chain", "combinations", "count", "cycle", "dropwhile", "groupby", "islice",
       "pairwise", "product", "repeat", "takewhile", "zip_longest")),
    ("from typing import NamedTuple", r"\bNamedTuple\b"),
    ("from attrs import field, frozen", r"@frozen\b"),
    ("from attrs import validators", r"\bvalidators\."),
    ("from games.tuples import put", r"\bput\("),
    ("from games.u64 import U64", r"\bU64\b"),
    ("from games.u64 import nth_bit", r"\bnth_bit\("),
    ("class Suit(Enum):\n    NONE = 0\n    RED = 1\n    BLACK = 2", r"\bSuit\b"),
    ("class Rank(IntEnum):\n    LOW = 1\n    MID = 2\n    TOP = 5", r"\bRank\b"),
    ("class Stuck(Exception):\n    pass", r"\bStuck\b"),
    ("def positive(self, attribute, value):\n    if value < 0:\n        raise ValueError(\"no\")",
     r"\bpositive\b"),
)  # fmt: skip
"""What a module begins with, each part where its text is used."""
_SEARCHES: Final = tuple((text, re.compile(pattern).search) for text, pattern in HEADER)


def header(text: str) -> list[str]:
    """Return what a module with this text must begin with."""
    return [line for line, search in _SEARCHES if search(text)]


PARAMETERS: Final = tuple(map(kind, ("int", "int", "int", "int", "float", "bool", "list[int]",
    "list[int]", "tup[int,int]", "seq[int]", "seq[tup[int,int]]", "list[float]", "list[list[int]]",
    "opt[int]", "u64", "tup[tup[int,float],bool]", "seq[float]", "hrec")))  # fmt: skip
FEWER: Final = tuple(map(kind, ("int", "int", "int", "tup[int,int]", "seq[int]", "float")))


def program(
    choices: Choices,
    focus: Template | None = None,
    *,
    limit: int = 120,
    few: bool = False,
    turn: int | None = None,
) -> Program:
    """Return a program; a template in focus occurs in it often.

    It stays within about `limit` templates; if few, to what the compiler without types takes.
    """
    specials = SPECIALS[:1] if few else SPECIALS
    writer = Writer(choices, rules(few), bodies(few), specials, focus, few=few)
    writer.turn = choices.below(40) if turn is None else turn
    scope = Scope(module=True)
    parts: list[str] = []
    for number in range(choices.below(3)):
        wanted = chosen("T", choices, few)
        parts.append(f"TABLE{number} = {writer.leaf(scope, wanted)}")
        scope.names[f"TABLE{number}"] = wanted
    for _ in range(choices.below(3)):
        one = one_of(choices, definitions(few))
        if focus in definitions(few) and writer.chance(60):
            one = focus
        bound: list[tuple[str, Kind]] = []
        writer.spent, writer.limit = 0, limit // 2
        parts.append(writer.filled(scope, one, {}, 2, bound))
        scope.names.update(bound)
    parameters = [
        one_of(choices, FEWER if few else PARAMETERS) for _ in range(1 + choices.below(3))
    ]
    names = dict(zip("abc", parameters, strict=False))
    names = {name if name not in scope.names else name + "0": one for name, one in names.items()}
    if writer.effects:
        names[LOG] = kind("list[int]")
        parameters.append(names[LOG])
    writer.spent, writer.limit = 0, limit
    inner = scope.function(names, None, None)
    inner.uncalled += [name for name, one in scope.names.items() if one.head.endswith("fn")]
    parts.append(f"def {ENTRY}({', '.join(names)}):\n    " + body(writer, inner, few))
    calls = tuple(
        ", ".join(argument(writer, one) for one in parameters)
        for _ in range(1 + choices.below(2 if few else 4))
    )
    text = "\n\n".join([*writer.classes.values(), *parts])
    source = "\n".join([*header(text + ",".join(calls)), "", text]) + "\n"
    return Program(source, tuple(f"{call}," for call in calls))


PLACES_OF_FOCUS: Final = tuple(places(PLACES))
TURNS: Final = 4
"""How often each template is in focus until its construct has been in all of its places."""
HANDLED: Final = "IndexError, KeyError, ValueError, ZeroDivisionError, StopIteration"


def body(writer: Writer, scope: Scope, few: bool) -> str:
    """Return the entry's statements; it returns some of its variables, which are compared."""
    scope.returns = kind("int") if few else chosen("T", writer.choices)
    lines = []
    count = 1 + writer.choices.below(3) if few else 2 + writer.choices.below(4)
    for _ in range(count):
        lines.append(writer.statement(scope, 3))
        while scope.uncalled and writer.chance(60):
            lines.append(writer.statement(scope, 2))
    if writer.focus in EXPRESSIONS and not few:
        for place in places_in_turn(writer.focus, writer.focused, writer.turn):
            text = writer.placed(scope, place)
            if text and writer.focus.risky and writer.chance(60):
                inside = text.replace("\n", "\n    ")
                text = f"try:\n    {inside}\nexcept ({HANDLED}):\n    pass"
            lines += [text] if text else []
        while scope.uncalled:
            lines.append(writer.statement(scope, 1))
    lines.append(f"return {result(writer, scope)}")
    return "\n".join(lines).replace("\n", "\n    ")


def result(writer: Writer, scope: Scope) -> str:
    """Return what the entry gives: an expression and its variables."""
    assert scope.returns is not None
    value = writer.expression(scope, scope.returns, 2)
    seen = [n for n in scope.own if n in scope.names and scope.names[n].head not in LAZY]
    return f"({', '.join([value, *seen])})" if seen else value


@cache
def siblings() -> dict[Template, tuple[int, int]]:
    """Return the number of each template among those of its construct, and how many there are."""
    groups: dict[str, list[Template]] = {}
    for one in EXPRESSIONS:
        groups.setdefault(one.construct, []).append(one)
    return {one: (n, len(group)) for group in groups.values() for n, one in enumerate(group)}


def places_in_turn(focus: Template, focused: Kind, turn: int) -> list[Template]:
    """Return some of the places for a template: others in each turn, and for each sibling."""
    fitting = fitting_places(focused)
    number, count = siblings()[focus]
    each = max(3, -(-len(fitting) // (TURNS * count)))
    start = (turn * count + number) * each
    return [fitting[n % len(fitting)] for n in range(start, start + each) if fitting]


@cache
def fitting_places(focused: Kind) -> list[Template]:
    """Return the places for a kind."""
    return [one for one in PLACES_OF_FOCUS if matched(one.result, focused, {})]


LAZY: Final = ("fn", "gen", "endless", "kwfn", "starfn")


def argument(writer: Writer, one: Kind) -> str:
    """Return the source of an argument."""
    scope = Scope(module=True)
    writer.spent = 0
    try:
        return writer.leaf(scope, one)
    except NoWay:
        return "None"


def numbered(
    seed: int, number: int, only: tuple[Template, ...] = TEMPLATES, *, few: bool = False
) -> Program:
    """Return the program with a number: each has another template in focus.

    Ensures: the same seed, number and templates give the same program.
    """
    choices = Seeded((seed, number))
    only = tuple(filter(is_narrow, only)) if few else only
    focus = only[(number * 7) % len(only)] if only else None
    return program(
        choices, focus, limit=20 if few else 120, few=few, turn=number // max(len(only), 1)
    )
