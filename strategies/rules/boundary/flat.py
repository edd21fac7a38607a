"""Values of fixed size, written to memory in one go: a function is made for their kind.

It does what `conversion.Boundary` does, in a tenth of the time. Positions of many games are such
values, and searches of a few plies begin with one.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import partial
from typing import Any

from strategies.rules.boundary.conversion import NUMBERS, Unlike
from strategies.rules.kinds.forms import form, layout, offset, place_in
from strategies.rules.kinds.kind import (
    BOOL,
    NONE,
    Either,
    Kind,
    Member,
    Record,
    Tup,
)
from strategies.rules.kinds.record_classes import words_of

Write = Callable[[Any, Any, int], None]


def writer(kind: Kind) -> Write | None:
    """Return a function that writes a value of a kind into a buffer; None if it holds others."""
    made = _Lines()
    if not made.add(kind, "value", 0):
        return None
    tests = " or ".join(made.tests)
    lines = [
        "def write(value, into, at):",
        *(f"    {line}" for line in made.lines),
        f"    if {tests}:" if tests else "    if False:",
        "        raise Unlike(kind)",
        f"    pack(into, at, {', '.join(made.values)})",
    ]
    scope = made.scope | {"Unlike": Unlike, "kind": kind}
    scope["pack"] = struct.Struct(made.format).pack_into
    # Made from text, as attrs makes its methods: each field is read by its name.
    exec("\n".join(lines), scope)
    found: Write = scope["write"]
    return found


def _word_of_member(words: Callable[[Any], int], value: Any) -> bytes:
    return struct.pack("<q", words(value))


class _Lines:
    """The parts of the function that writes."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.tests: list[str] = []
        self.values: list[str] = []
        self.scope: dict[str, Any] = {}
        self.format, self.end = "<", 0

    def add(self, kind: Kind, value: str, at: int) -> bool:
        """Add a part; return whether it can be written so."""
        if kind in NUMBERS:
            cls, _, letter = NUMBERS[kind]
            self._put(letter, value, at, layout(form(kind))[0])
            self.tests.append(f"type({value}) is not {self._named(cls)}")
            return True
        if isinstance(kind, Member):
            self._put("q", f"{self._named(words_of(kind.of))}({value})", at, 8)
            self.tests.append(f"type({value}) is not {self._named(kind.of)}")
            return True
        if isinstance(kind, Either):
            return self._add_either(kind, value, at)
        if not isinstance(kind, Tup | Record):
            return False
        t = form(kind)
        if isinstance(kind, Tup):
            kinds, parts = kind.items, [f"{value}[{i}]" for i in range(len(kind.items))]
            wrong = f"type({value}) is not tuple or len({value}) != {len(parts)}"
        else:
            kinds, parts = tuple(kind.kinds), [f"{value}.{n}" for n in kind.names]
            wrong = f"type({value}) is not {self._named(kind.of)}"
        self.lines += [f"if {wrong}:", "    raise Unlike(kind)"]
        for i, (part, k) in enumerate(zip(parts, kinds, strict=True)):
            name = f"v{len(self.lines)}"
            self.lines.append(f"{name} = {part}")
            if not self.add(k, name, at + offset(t, i)):
                return False
        return True

    def _add_either(self, kind: Either, value: str, at: int) -> bool:
        """Add a number, a member or None that is of one of several kinds: a tag, then a word."""
        places = {place_in(kind, i) for i, k in enumerate(kind.items) if k is not NONE}
        ways: dict[type, tuple[int, Callable[[Any], bytes]]] = {}
        for i, k in enumerate(kind.items):
            if k is NONE:
                ways[type(None)] = i, lambda _: bytes(8)
            elif isinstance(k, Member):
                ways[k.of] = i, partial(_word_of_member, words_of(k.of))
            elif k in NUMBERS:
                cls, _, letter = NUMBERS[k]
                ways[cls] = i, struct.Struct("<q" if k is BOOL else f"<{letter}").pack
            else:
                return False
        if len(places) != 1:
            return False
        (place,) = places
        assert place is not None
        way = f"v{len(self.lines)}w"
        self.lines += [
            f"{way} = {self._named(ways)}.get(type({value}))",
            f"if {way} is None:",
            "    raise Unlike(kind)",
        ]
        self._put("b", f"{way}[0]", at, 1)
        self._put("8s", f"{way}[1]({value})", at + offset(form(kind), place), 8)
        return True

    def _put(self, letter: str, value: str, at: int, width: int) -> None:
        self.format += f"{at - self.end}x" * (at > self.end) + letter
        self.end = at + width
        self.values.append(value)

    def _named(self, value: Any) -> str:
        name = f"c{len(self.scope)}"
        self.scope[name] = value
        return name
