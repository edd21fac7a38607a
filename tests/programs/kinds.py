"""The kinds of values that generated expressions have, written as text and matched by shape.

`list[int]` is a list of ints, `tup[int,float]` a pair, `seq[int]` a tuple of any length, `opt[int]`
an int or None, `fn[int,bool]` a function from int to bool.  A capital letter stands for any
kind: `K` for one that can be hashed, `O` for one that can be ordered, `N` for a number, others for
any value.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from tests.programs.choices import Choices, one_of


class Kind(NamedTuple):
    """A kind: its name, and the kinds of its parts."""

    head: str
    parts: tuple[Kind, ...] = ()

    def __str__(self) -> str:
        parts = ",".join(map(str, self.parts))
        return f"{self.head}[{parts}]" if parts else self.head


Binding = dict[str, Kind]


@cache
def kind(text: str) -> Kind:
    """Return the kind that a text describes.

    >>> str(kind("dict[int,list[tup[T,bool]]]"))
    'dict[int,list[tup[T,bool]]]'
    """
    head, bracket, rest = text.strip().partition("[")
    if not bracket:
        return Kind(head)
    parts, depth, start = [], 0, 0
    inner = rest.removesuffix("]")
    for place, letter in enumerate(inner):
        depth += (letter == "[") - (letter == "]")
        if letter == "," and not depth:
            parts.append(inner[start:place])
            start = place + 1
    return Kind(head, tuple(kind(part) for part in [*parts, inner[start:]]))


def is_variable(one: Kind) -> bool:
    """Return whether a kind is a letter that stands for others."""
    return len(one.head) == 1 and one.head.isupper()


def matched(pattern: Kind, wanted: Kind, binding: Binding) -> bool:
    """Return whether the pattern can be the wanted kind, and enter its letters in the binding."""
    if is_variable(pattern):
        found = binding.setdefault(pattern.head, wanted)
        return found == wanted and allowed(pattern.head, wanted)
    return (
        pattern.head == wanted.head
        and len(pattern.parts) == len(wanted.parts)
        and all(matched(a, b, binding) for a, b in zip(pattern.parts, wanted.parts, strict=True))
    )


NUMBERS: Final = ("int", "float", "bool", "u64", "num")
ATOMS: Final = (*NUMBERS, "tag", "enum", "ienum", "none", "small", "mix", "hrec", "rec")
PLAIN: Final = ("opt", "tup", "seq", "list", "set", "frozen", "dict", "deque", "counter", "ddict")
UNHASHABLE: Final = ("list", "set", "dict", "deque", "counter", "ddict", "rec", "mix", "fn")


def is_hashable(one: Kind) -> bool:
    """Return whether every value of the kind can be a key."""
    return one.head in (*ATOMS, *PLAIN) and (
        one.head not in UNHASHABLE and all(map(is_hashable, one.parts))
    )


def is_orderable(one: Kind) -> bool:
    """Return whether any two values of the kind can be compared by <."""
    if one.head in ("tup", "seq", "list"):
        return all(map(is_orderable, one.parts))
    return one.head in (*NUMBERS, "ienum", "small")


def allowed(letter: str, one: Kind) -> bool:
    """Return whether a letter may stand for a kind."""
    if letter == "K":
        return is_hashable(one)
    if letter == "O":
        return is_orderable(one)
    if letter == "N":
        return one.head in NUMBERS
    return one.head in ATOMS or one.head in PLAIN


def filled(pattern: Kind, binding: Binding) -> Kind:
    """Return the pattern with its letters replaced."""
    if is_variable(pattern):
        return binding[pattern.head]
    if not pattern.parts:
        return pattern
    return Kind(pattern.head, tuple(filled(part, binding) for part in pattern.parts))


ANY: Final = (*["int"] * 16, *["float"] * 4, *["bool"] * 4, "num", "num", "u64", "tag", "enum",
    "ienum", "opt[int]", "tup[int,int]", "tup[int,int]", "tup[tag,int]", "tup[tup[int,float],bool]",
    "seq[int]", "seq[tup[int,int]]", "list[int]", "list[int]", "list[float]", "list[list[int]]",
    "set[int]", "dict[int,int]", "dict[tup[int,int],int]", "deque[int]", "frozen[int]", "hrec",
    "rec", "mix", "opt[tup[int,int]]", "list[tup[int,float]]", "counter[int]", "none",
    "list[num]", "ddict[int,list[int]]", "dict[tag,list[int]]", "tup[list[int],int]")  # fmt: skip
HASHABLE: Final = (*["int"] * 6, "tup[int,int]", "tup[int,int]", "tag", "bool", "enum", "ienum",
    "float", "u64", "opt[int]", "seq[int]", "hrec", "num", "frozen[int]",
    "tup[tag,int]")  # fmt: skip
ORDERED: Final = (*["int"] * 6, "float", "float", "num", "bool", "tup[int,int]", "seq[int]", "u64",
    "list[int]", "ienum", "tup[tup[int,float],bool]")  # fmt: skip


FEW: Final = (*["int"] * 8, "float", "float", "bool", "tup[int,int]", "tup[int,int]", "seq[int]",
    "list[int]", "list[int]", "list[float]", "list[list[int]]", "set[int]", "dict[int,int]",
    "num", "u64")  # fmt: skip


def chosen(letter: str, choices: Choices, few: bool = False) -> Kind:
    """Return a kind for which a letter may stand, one of few if asked."""
    if few:
        found = kind(one_of(choices, FEW))
        return found if allowed(letter, found) else kind("int")
    options = {"K": HASHABLE, "O": ORDERED, "N": NUMBERS}.get(letter, ANY)
    return kind(one_of(choices, options))
