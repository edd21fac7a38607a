"""Methods that give a text another form: of its letters, its ends and its length; and its number.

Letters of ASCII are looked up, and of a text with others Python is asked. What can be told of a
known text is told once all texts are known.
"""

from __future__ import annotations

import ast
from operator import index
from typing import Any

from strategies.rules.builtins import text_methods  # noqa: F401 - each declares methods
from strategies.rules.builtins.declared import METHODS, function, method, private
from strategies.rules.builtins.text_making import codes_of, number_of, text_of, whole
from strategies.rules.builtins.text_methods import SPACES, checked, text_method
from strategies.rules.code.val import ZERO, Arguments, Val, c64
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.kind import BOOL, F64, FLOAT, INT, NONE, STR, Kind
from strategies.rules.language.messages import Refusal
from strategies.rules.machine import questions
from strategies.rules.values.numbers import as_index
from strategies.rules.values.texts import asked


def _ask(name: str, kind: Kind) -> Any:
    """Declare a method of known texts, for which there is a table; return what asks of others."""

    @method("str", name, "self, /")
    def ask_table(w: Walk, node: ast.AST, a: Val) -> Val:
        return asked(w, name, kind, lambda t, _: getattr(t, name)(), a)

    def ask(w: Walk, node: ast.AST, a: Val) -> Val:
        if kind is STR:
            return whole(w, a, name)
        found = number_of(w, a, c64(questions.WHOLE.index(name)))
        return Val(BOOL, w.b.icmp_signed("!=", found, ZERO))

    return ask


def _of_ascii(name: str) -> tuple[Any, ...]:
    """Return what a method gives for each letter of ASCII."""
    return tuple(getattr(chr(n), name)() for n in range(128))


def _by_letters(name: str) -> None:
    asked, table = private("text, /")(_ask(name, STR)), tuple(map(ord, _of_ascii(name)))

    @text_method(name)
    def change(self: Any, /) -> Any:
        made = list(codes_of(self))
        for i in range(len(made)):
            if made[i] > 127:
                return asked(self)
            made[i] = table[made[i]]
        return text_of(made)


def _of_all(name: str) -> None:
    asked, table = private("text, /")(_ask(name, BOOL)), _of_ascii(name)

    @text_method(name)
    def test(self: Any, /) -> Any:
        for n in codes_of(self):
            if n > 127:
                return asked(self)
            if not table[n]:
                return False
        return len(self) > 0


def _of_case(name: str, opposite: str) -> None:
    asked, own, other = private("text, /")(_ask(name, BOOL)), _of_ascii(name), _of_ascii(opposite)

    @text_method(name)
    def test(self: Any, /) -> Any:
        found = False
        for n in codes_of(self):
            if n > 127:
                return asked(self)
            if other[n]:
                return False
            if own[n]:
                found = True
        return found


for _name in ("title", "capitalize"):
    method("text", _name, "self, /")(_ask(_name, STR))
for _name in ("istitle", "isidentifier", "isprintable"):
    method("text", _name, "self, /")(_ask(_name, BOOL))
for _name in ("upper", "lower", "casefold", "swapcase"):
    _by_letters(_name)
for _name in ("isalpha", "isalnum", "isspace", "isdigit", "isdecimal", "isnumeric"):
    _of_all(_name)
_of_case("isupper", "islower")
_of_case("islower", "isupper")


@text_method("isascii")
def isascii(self: Any, /) -> bool:
    for n in codes_of(self):
        if n > 127:
            return False
    return True


# Ends and lengths


def _strip(name: str, left: bool, right: bool) -> None:
    """Declare what takes letters off the ends of a text."""

    @text_method(name)
    def strip(self: Any, chars: Any = None, /) -> Any:
        codes, gone = codes_of(self), SPACES if chars is None else checked(chars)
        first, last = 0, len(codes)
        while left and first < last and codes[first] in gone:
            first += 1
        while right and first < last and codes[last - 1] in gone:
            last -= 1
        return self[first:last]


_strip("strip", left=True, right=True)
_strip("lstrip", left=True, right=False)
_strip("rstrip", left=False, right=True)


def filler(fillchar: Any) -> Any:
    if len(checked(fillchar)) != 1:
        raise TypeError("the fill character must be one letter")
    return fillchar


@text_method("ljust")
def ljust(self: Any, width: Any, fillchar: Any = " ", /) -> Any:
    n = index(width) - len(self)
    return self + filler(fillchar) * n


@text_method("rjust")
def rjust(self: Any, width: Any, fillchar: Any = " ", /) -> Any:
    n = index(width) - len(self)
    return filler(fillchar) * n + self


@text_method("center")
def center(self: Any, width: Any, fillchar: Any = " ", /) -> Any:
    w, fill = index(width), filler(fillchar)
    n = max(w - len(self), 0)
    left = n // 2 + (n & w & 1)
    return fill * left + self + fill * (n - left)


@text_method("zfill")
def zfill(self: Any, width: Any, /) -> Any:
    n = index(width) - len(self)
    if n <= 0:
        return self
    if self[:1] == "+" or self[:1] == "-":
        return self[:1] + "0" * n + self[1:]
    return "0" * n + self


# Tables of letters


@function(str.maketrans, "x, y=None, z=None, /")
def maketrans(w: Walk, node: ast.AST, x: Val, y: Val, z: Val) -> Val:
    if y.kind is NONE:
        raise Refusal("maketrans() of a dict is not compiled; write the dict itself")
    return w.call(table_of, x, y, z)


def table_of(x: Any, y: Any, z: Any) -> Any:
    before, after, made = checked(x), checked(y), {}
    if len(before) != len(after):
        raise ValueError("the first two arguments must have equal length")
    for i in range(len(before)):
        made[before[i]] = after[i]
    if z is not None:
        for n in checked(z):
            made[n] = None
    return made


@text_method("translate")
def translate(self: Any, table: Any, /) -> Any:
    made = []
    for n in codes_of(self):
        try:
            x = table[n]
        except LookupError:
            made.append(n)
            continue
        if x is None:
            continue
        if isinstance(x, str):
            made.extend(codes_of(x))
        else:
            m = index(x)
            if m < 0 or m > 0x10FFFF:
                raise ValueError("character mapping must be in range(0x110000)")
            made.append(m)
    return text_of(made)


# Numbers


@private("text, /")
def float_of(w: Walk, node: ast.AST, a: Val) -> Val:
    return Val(FLOAT, w.b.bitcast(number_of(w, a, c64(questions.FLOAT_OF)), F64))


@private("text, base, /")
def int_in(w: Walk, node: ast.AST, a: Val, base: Val) -> Val:
    return Val(INT, number_of(w, a, w.b.add(as_index(w, base).v, c64(questions.INT_OF))))


def int_of(text: Any, base: Any) -> Any:
    """Return `int(text, base)`; few digits of ASCII are read here."""
    codes, start, found = codes_of(text), 0, 0
    if len(codes) > 0 and codes[0] == 45:
        start = 1
    if base != 10 or not start < len(codes) <= 18:
        if base < 0 or base > 36:
            raise ValueError("int() base must be >= 2 and <= 36, or 0")
        return int_in(text, base)
    for i in range(start, len(codes)):
        digit = codes[i] - 48
        if digit < 0 or digit > 9:
            return int_in(text, base)
        found = found * 10 + digit
    return -found if start else found


# Known texts: a table for each text that is looked for


def _with_text(name: str, kind: Kind) -> None:
    letters = METHODS["str", name]

    def by_letters(w: Walk, node: ast.AST, *values: Val) -> Val:
        return letters.call(w, Arguments(list(values), {}), node)

    @method("str", name, "self, text, start=None, end=None, /")
    def ask(w: Walk, node: ast.AST, a: Val, text: Val, start: Val, end: Val) -> Val:
        known = all(bound.known and bound.kind in (INT, NONE) for bound in (start, end))
        part = start.py, end.py
        if text.kind is not STR or not known:
            return by_letters(w, node, a, text, start, end)
        if text.known:
            given = text.py
            label = f"{name} {given!r} {part}"
            return asked(w, label, kind, lambda t, _: getattr(t, name)(given, *part), a)
        if a.known:
            whole = a.py
            label = f"{whole!r} {name} {part}"
            return asked(w, label, kind, lambda t, _: getattr(whole, name)(t, *part), text)
        return by_letters(w, node, a, text, start, end)


for _name in ("startswith", "endswith"):
    _with_text(_name, BOOL)
for _name in ("find", "rfind", "count"):
    _with_text(_name, INT)
