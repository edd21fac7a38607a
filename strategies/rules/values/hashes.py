"""Hashes of Python values, equal to those that `finding.hash_word` computes in machine code."""

from __future__ import annotations

import enum
import struct
from collections.abc import Callable
from typing import Any

from strategies.rules.kinds import record_classes
from strategies.rules.kinds.kind import Record
from strategies.rules.kinds.record_classes import field_names, is_record, words_of
from strategies.rules.language.messages import Refusal
from strategies.rules.values.hashing import FACTOR, GOLDEN

WORD_MASK = (1 << 64) - 1
TEXT = 0x5DEECE66D


def mixed_int(w: int) -> int:
    """Return what the code of `mixed` gives."""
    product = w * FACTOR
    return product & WORD_MASK ^ product >> 64


def key_hash(value: Any, text_key: Callable[[str], int]) -> int:
    """Return the hash under which a table keeps a key.

    Raises: TypeError if the key has no hash.
    """
    return absorbed(GOLDEN, value, text_key) | 1


def absorbed(w: int, value: Any, text_key: Callable[[str], int]) -> int:
    """What `hashing.absorb` emits."""
    if isinstance(value, int | float):
        return mixed_int(w ^ number_word(value)) + GOLDEN & WORD_MASK
    if isinstance(value, str):
        return mixed_int(w ^ text_key(str.__str__(value)) ^ TEXT) + GOLDEN & WORD_MASK
    if isinstance(value, enum.Enum):
        return mixed_int(w ^ words_of(type(value))(value) ^ TEXT) + GOLDEN & WORD_MASK
    if isinstance(value, frozenset):
        whole = sum(mixed_int(key_hash(x, text_key)) for x in value) & WORD_MASK
        return mixed_int(w ^ whole) + GOLDEN & WORD_MASK
    if type(value) is tuple or (isinstance(value, tuple) and is_record(type(value))):
        for x in value:
            w = absorbed(w, x, text_key)
        return mixed_int(w ^ len(value))
    if is_record(type(value)):
        return _of_record(w, value, text_key)
    hash(value)
    return mixed_int(w)


def _of_record(w: int, value: Any, text_key: Callable[[str], int]) -> int:
    names = field_names(type(value))
    for i in record_classes.compared(Record(type(value), names, 0)):
        w = absorbed(w, getattr(value, names[i]), text_key)
    return w


def number_word(value: float) -> int:
    """Return the word of a number: equal numbers have the same."""
    if isinstance(value, float):
        if value == value and -(2.0**63) <= value < 2.0**64 and value == int(value):
            return int(value) & WORD_MASK
        return int(struct.unpack("Q", struct.pack("d", value))[0])
    if not -(2**63) <= value < 2**64:
        raise Refusal("an int of more than 64 bits as a key is not compiled")
    return value & WORD_MASK


def slots_for(hashes: list[int], room: int) -> list[int]:
    """Return the slots of a table with room for so many entries, one plus the number of each."""
    mask = 2 * room - 1
    slots = [0] * (2 * room)
    for i, h in enumerate(hashes):
        at = h >> 1 & mask
        while slots[at]:
            at = at + 1 & mask
        slots[at] = i + 1
    return slots


def room_for(n: int) -> int:
    """Return for how many entries a table of n has room."""
    room = 4
    while room < n:
        room *= 2
    return room
