"""Methods that look for a text in another, and take it apart there.

They are written over the numbers of letters. Each takes texts that are made: `text_method` makes
them of known ones.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from operator import index
from typing import Any

from attrs import evolve, frozen

from strategies.rules.builtins.declared import METHODS, Written
from strategies.rules.builtins.text_making import codes_of, letter_at
from strategies.rules.code.val import Arguments, Val
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.kind import STR
from strategies.rules.values import texts


@frozen(eq=False)
class OfKnown:
    """A method of texts that are made, for known ones."""

    method: Written

    def call(self, w: Walk, given: Arguments, node: Any) -> Val:
        def one(a: Val) -> Val:
            return texts.as_made(w, a) if a.kind is STR else a

        first = [one(a) for a in given.first]
        named = {name: one(a) for name, a in given.named.items()}
        return self.method.call(w, evolve(given, first=first, named=named), node)


def text_method(name: str) -> Callable[[Any], Any]:
    """Declare a method of texts that is written in Python."""

    def declare(f: Any) -> Any:
        f.__qualname__ = name
        METHODS["text", name] = Written(f)
        METHODS.setdefault(("str", name), OfKnown(Written(f)))
        return f

    return declare


def first_place(n: int, start: Any) -> int:
    """Return where a part of a text begins, which may be beyond its end."""
    if start is None:
        return 0
    i = index(start)
    return i if i >= 0 else max(i + n, 0)


def last_place(n: int, end: Any) -> int:
    if end is None:
        return n
    i = index(end)
    return min(i, n) if i >= 0 else max(i + n, 0)


def is_at(codes: Any, i: int, part: Any) -> bool:
    """Whether a part is at a place of a text, which has so many letters there."""
    for j in range(len(part)):
        if letter_at(codes, i + j) != letter_at(part, j):
            return False
    return True


def checked(text: Any) -> Any:
    """Return the numbers of the letters of what must be a text."""
    if not isinstance(text, str):
        raise TypeError("this must be a text")
    return codes_of(text)


def _looking(side: str, places: Any, nowhere: Any) -> None:
    """Declare `find`, `index` and `partition`, or those that look from the right."""

    @text_method(f"{side}find")
    def find(self: Any, part: Any, start: Any = None, end: Any = None, /) -> Any:
        codes, wanted = codes_of(self), checked(part)
        n = len(codes)
        for i in places(range(first_place(n, start), last_place(n, end) - len(wanted) + 1)):
            if is_at(codes, i, wanted):
                return i
        return -1

    @text_method(f"{side}index")
    def index_(self: Any, part: Any, start: Any = None, end: Any = None, /) -> Any:
        found = find(self, part, start, end)
        if found < 0:
            raise ValueError("substring not found")
        return found

    @text_method(f"{side}partition")
    def partition(self: Any, sep: Any, /) -> Any:
        if len(checked(sep)) == 0:
            raise ValueError("empty separator")
        i = find(self, sep)
        return nowhere(self) if i < 0 else (self[:i], sep, self[i + len(sep) :])


_looking("", lambda found: found, lambda text: (text, "", ""))
_looking("r", reversed, lambda text: ("", "", text))


@text_method("count")
def count(self: Any, part: Any, start: Any = None, end: Any = None, /) -> int:
    codes, wanted = codes_of(self), checked(part)
    n = len(codes)
    i, last, found = first_place(n, start), last_place(n, end) - len(wanted), 0
    if len(wanted) == 0:
        return max(last - i + 1, 0)
    while i <= last:
        if is_at(codes, i, wanted):
            found += 1
            i += len(wanted)
        else:
            i += 1
    return found


def is_any(self: Any, parts: Any, start: Any, end: Any, test: Any) -> bool:
    """Whether a test holds of a text and a part, or one of several."""
    codes = codes_of(self)
    first, last = first_place(len(codes), start), last_place(len(codes), end)
    if isinstance(parts, tuple):
        for one in parts:
            if test(codes, one, first, last):
                return True
        return False
    return bool(test(codes, parts, first, last))


def _at_end(name: str, removes: str, place: Any, rest: Any) -> None:
    """Declare the test for a part at an end of a text, and what takes it off.

    Args:
        place: returns where the part is, of the first place where it can be and the last one.
        rest: returns a text without so many letters.
    """

    def test(codes: Any, part: Any, first: int, last: int) -> bool:
        wanted = checked(part)
        n = len(wanted)
        return first + n <= last and is_at(codes, place(first, last - n), wanted)

    @text_method(name)
    def tested(self: Any, parts: Any, start: Any = None, end: Any = None, /) -> bool:
        return is_any(self, parts, start, end, test)

    @text_method(removes)
    def removed(self: Any, part: Any, /) -> Any:
        return rest(self, len(part)) if test(codes_of(self), part, 0, len(self)) else self


_at_end("startswith", "removeprefix", lambda first, last: first, lambda text, n: text[n:])
_at_end("endswith", "removesuffix", lambda _, last: last, lambda text, n: text[: len(text) - n])


# Apart


SPACES = frozenset(n for n in range(0x3001) if chr(n).isspace())
ENDS = frozenset(ord(c) for c in "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")


@text_method("split")
def split(self: Any, /, sep: Any = None, maxsplit: Any = -1) -> Any:
    left = index(maxsplit)
    if left < 0:
        left = len(self)
    if sep is None:
        return words(self, left)
    codes, wanted = codes_of(self), checked(sep)
    if len(wanted) == 0:
        raise ValueError("empty separator")
    found, start, i = [], 0, 0
    while left > 0 and i <= len(codes) - len(wanted):
        if is_at(codes, i, wanted):
            found.append(self[start:i])
            i += len(wanted)
            start = i
            left -= 1
        else:
            i += 1
    found.append(self[start:])
    return found


def words(text: Any, left: int) -> Any:
    """Return the parts between white space, and after so many of them the rest."""
    found: list[Any] = []
    codes, i = codes_of(text), 0
    n = len(codes)
    while True:
        while i < n and codes[i] in SPACES:
            i += 1
        if i == n:
            return found
        start = i
        if left == 0:
            i = n
        while i < n and codes[i] not in SPACES:
            i += 1
        found.append(text[start:i])
        left -= 1


@text_method("rsplit")
def rsplit(self: Any, /, sep: Any = None, maxsplit: Any = -1) -> Any:
    """Split the text that is read backwards."""
    if sep is not None:
        checked(sep)
        sep = sep[::-1]
    found = [part[::-1] for part in split(self[::-1], sep, maxsplit)]
    found.reverse()
    return found


KEEPS = index if sys.version_info < (3, 12) else bool  # how Python reads the argument


@text_method("splitlines")
def splitlines(self: Any, /, keepends: Any = False) -> Any:
    codes, found, i, keeps = codes_of(self), [], 0, KEEPS(keepends)
    while i < len(codes):
        start = i
        while i < len(codes) and codes[i] not in ENDS:
            i += 1
        end = i
        if i < len(codes):
            i += 2 if codes[i] == 13 and i + 1 < len(codes) and codes[i + 1] == 10 else 1
        found.append(self[start : i if keeps else end])
    return found


@text_method("replace")
def replace(self: Any, old: Any, new: Any, count: Any = -1, /) -> Any:
    codes, wanted = codes_of(self), checked(old)
    checked(new)
    left = index(count)
    if len(wanted) > 0:
        return new.join(split(self, old, left))
    n = len(codes) + 1
    if 0 <= left < n:
        n = left
    found = []
    for i in range(n):
        found.append(new)
        found.append(self[i : i + 1])
    found.append(self[n:])
    return "".join(found)
