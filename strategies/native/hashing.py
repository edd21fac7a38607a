"""Hashes of positions and moves: 64-bit words that are equal for equal values, and differ for
others, except by chance.

A transposition table and the files of endgame tables know a position by its word alone, so two
different positions with one word give wrong values.  A value is read from left to right as tokens,
each mixed into the word: a number, a text, None and a member of an enumeration are one token; a
tuple or a record opens with its length or its class, then its parts follow.  So no value's tokens
begin another's, and values differ where their tokens first differ.

What Python's ``==`` calls equal has the same tokens: ``1``, ``1.0`` and ``True``; a named tuple and
a tuple; a member of an `IntEnum` and its number.
"""

from __future__ import annotations

from enum import Enum, Flag
from functools import lru_cache
from operator import index
from typing import Any, Final

from games.fields import class_fields, record_fields
from games.u64 import U64
from graphs.arguments import shown
from graphs.errors import ArgumentError
from strategies.native.memory.floats import bits_of
from strategies.rules.language.text_numbers import letters_word

GOLDEN: Final = U64(0x9E3779B97F4A7C15)
OPENING: Final = U64(0xD1342543DE82EF95)
"""The factor by which a tuple or a record opens."""
BYTES: Final = U64(0xF1357AEA2E62A9C5)
"""What tells the token of bytes from that of a text."""
NOTHING: Final = U64(0xA3EC647659359ACD)
"""The token of None."""
SET: Final = U64(0x8CB92BA72F3D8DD7)
"""What the token of a frozenset adds to the hashes of its elements."""
UPPER: Final = U64(0x5851F42D4C957F2D)
"""What tells an int from 2**63 on from a negative one with the same bits."""
FRACTION: Final = U64(0x2545F4914F6CDD1D)
"""What tells the bits of a float that is not a whole number from those of an int."""
LONG: Final = U64(0xB5026F5AA96619E9)
"""The word to which an int of more than 64 bits is added."""


def mix(word: U64) -> U64:
    """Mix the bits of a word: each bit of the result depends on all bits, and the mapping is one to
    one.

    Source: splitmix64 (Steele, Lea and Flood, 2014).
    """
    word = (word ^ (word >> 30)) * U64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> 27)) * U64(0x94D049BB133111EB)
    return word ^ (word >> 31)


def absorb(word: U64, value: Any) -> U64:
    """Add a value to a hash: a number, a text, bytes, None, a member of an enumeration, a tuple
    or frozenset of these, or the fields of a record that take part in ``==``.

    Requires: no function has made two classes of one name, with the same fields, of which both
    occur.
    Raises: ArgumentError for other values.

    >>> hands = ((1, 2), (3,)), ((1,), (2, 3))
    >>> absorb(GOLDEN, hands[0]) == absorb(GOLDEN, hands[1])
    False
    >>> absorb(GOLDEN, (1, True)) == absorb(GOLDEN, (1.0, 1))
    True
    """
    kind: Any = type(value)
    if isinstance(value, Enum) and not isinstance(value, int | str):
        member = value.value if isinstance(value, Flag) else list(kind).index(value)
        return token(word, class_word(kind) + U64(member))
    if (fields := record_fields(value)) is not None:
        word = opened(word, class_word(kind))
        for name, compared in fields:
            if compared:
                word = absorb(word, getattr(value, name))
        return word
    if isinstance(value, tuple):
        word = opened(word, U64(len(value)))
        for part in value:
            word = absorb(word, part)
        return word
    if isinstance(value, frozenset):
        return token(word, SET + sum(mix(absorb(GOLDEN, part)) for part in value))
    if isinstance(value, str):
        return token(word, text_word(value))
    if isinstance(value, bytes):
        return token(word, BYTES + letters_word(value))
    return token(word, NOTHING if value is None else number_word(value))


def token(word: U64, bits: U64) -> U64:
    """Add a token to a hash."""
    return mix(word ^ bits) + GOLDEN


def opened(word: U64, bits: U64) -> U64:
    """Add to a hash that a tuple of this length, or a record of this class, begins.

    A part follows, or the whole is empty, so the bits need not be mixed at once.
    """
    return (word + bits + 1) * OPENING


def text_word(text: str) -> U64:
    """Return the token of a text, the same in every process."""
    return U64(letters_word(map(ord, text)))


@lru_cache(maxsize=256)
def class_word(cls: Any) -> U64:
    """Return the token of a class of records or an enumeration, the same in every process that
    knows it by the same module."""
    module = "__main__" if cls.__module__ == "__mp_main__" else cls.__module__  # of a spawned one
    return text_word(f"class {module} {cls.__qualname__} {' '.join(_names(cls))}")


def _names(cls: Any) -> tuple[str, ...]:
    """Return the names of the members of an enumeration, or of the fields of a class of records."""
    if issubclass(cls, Enum):
        return tuple(cls.__members__)
    return tuple(name for name, _ in class_fields(cls) or ())


def number_word(value: Any) -> U64:
    """Return the token of a number; -0.0 counts as 0.

    Raises: ArgumentError for what is no number.
    """
    if isinstance(value, float):
        return float_word(float(value), bits_of(value))
    try:
        number = index(value)
    except TypeError:
        raise ArgumentError(
            "a transposition table hashes what a state holds: numbers, texts, and tuples, "
            f"frozensets and records of these, not {shown(value)}: define key(state) in the game, "
            "which returns a 64-bit integer for each state"
        ) from None
    return upper_word(U64(number)) if 0 < number < 1 << 64 else key_word(number)


def key_word(key: int) -> U64:
    """Return the word of an int: its bits, if there are at most 64."""
    if -(1 << 63) <= key < 1 << 64:
        return U64(key)
    word = LONG if key > 0 else ~LONG
    while key not in (0, -1):
        word, key = token(word, U64(key)), key >> 64
    return word


def upper_word(bits: U64) -> U64:
    """Return the token of a number of 64 bits that is not negative."""
    return bits ^ UPPER if bits >> 63 != 0 else bits


def float_word(number: float, bits: U64) -> U64:
    """Return the token of a float, whose bits are given: that of the int that it equals, if there
    is one of 64 bits."""
    if -9223372036854775808.0 <= number < 9223372036854775808.0:
        whole = int(number)
        if float(whole) == number:
            return U64(whole)
    elif 9223372036854775808.0 <= number < 18446744073709551616.0:
        return upper_word(U64(int(number - 9223372036854775808.0)) + (U64(1) << 63))
    return bits ^ FRACTION
