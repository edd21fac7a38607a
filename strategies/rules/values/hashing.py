"""Hashes of values: as code by `absorb`, and equal ones of Python's values by `key_hash`."""

from __future__ import annotations

import enum
import struct
from collections.abc import Callable
from typing import Any

from llvmlite import ir

from games.fields import is_frozen_record
from strategies.rules.code import storage
from strategies.rules.code.coercion import as_text, number, parts_of, spread
from strategies.rules.code.emission import Code
from strategies.rules.code.storage import span
from strategies.rules.code.val import ONE, ZERO, Val, c64
from strategies.rules.kinds import record_classes
from strategies.rules.kinds.kind import (
    BOOL,
    F64,
    FLOAT,
    I64,
    INT,
    Atom,
    Boxed,
    Either,
    Kind,
    Member,
    Record,
    Row,
    Static,
    Tup,
    is_text,
)
from strategies.rules.kinds.parts import is_hashable, key
from strategies.rules.kinds.record_classes import field_names, is_record, words_of
from strategies.rules.language.messages import Refusal
from strategies.rules.values import texts

GOLDEN = 0x9E3779B97F4A7C15
FACTOR = 0xBF58476D1CE4E5B9
TEXT_MARK = 0x5DEECE66D
I128 = ir.IntType(128)


def unhashable(k: Kind) -> bool:
    """Whether Python's `hash` of such a value is a TypeError."""
    if isinstance(k, Boxed):
        return k.name != "frozenset"
    if isinstance(k, Static):
        return not is_hashable(k.value)
    if isinstance(k, Record):
        return k.of.__hash__ is None or any(
            unhashable(k.kinds[i]) for i in record_classes.compared(k)
        )
    return isinstance(k, Tup | Row) and any(
        map(unhashable, k.items if isinstance(k, Tup) else [k.item])
    )


def mixed(c: Code, w: Any) -> Any:
    """Return the two halves of the product of a word and `FACTOR`, one xor the other.

    Source: Wang Yi, wyhash.
    """
    b = c.b
    product = b.mul(b.zext(w, I128), I128(FACTOR))
    return b.xor(b.trunc(product, I64), b.trunc(b.lshr(product, I128(64)), I64))


def absorb(c: Code, w: Any, a: Val) -> Any:
    """Mix a value into a word; its kind must not be `unhashable`."""
    a = as_text(c, a)
    k, b = a.kind, c.b
    as_number = number(c, a)
    if as_number is not None:
        v = as_number.v
        if as_number.kind is BOOL:
            v = b.zext(v, I64)
        if as_number.kind is FLOAT:
            v = _word_of_float(c, v)
        return b.add(mixed(c, b.xor(w, v)), c64(GOLDEN))
    if is_text(k) or isinstance(k, Member):
        v = texts.word(c, a).v if is_text(k) and c.program.texts.made else a.v
        return b.add(mixed(c, b.xor(w, b.xor(v, c64(TEXT_MARK)))), c64(GOLDEN))
    match k:
        case Atom() | Static():
            return mixed(c, w)
        case Tup():
            for x in parts_of(c, a):
                w = absorb(c, w, x)
            return mixed(c, b.xor(w, c64(len(k.items))))
        case Record():
            for i in record_classes.compared(k):
                w = absorb(c, w, parts_of(c, a)[i])
            return mixed(c, b.xor(w, c64(len(k.kinds)))) if issubclass(k.of, tuple) else w
        case Either():
            return spread(c, a, lambda x: Val(INT, absorb(c, w, x))).v
        case Row():

            def build(r: Code, args: Any) -> Any:
                out = r.temp(I64)
                r.store(args[0], out)
                p, n = span(r, Val(k, args[1]))
                with r.counting(n) as i:
                    r.store(absorb(r, r.load(out, I64), r.item(k.item, p, i)), out)
                return mixed(r, r.b.xor(r.load(out, I64), n))

            return c.helper(f"jam.hash.{key(k)}", I64, [w, a.v], build)
        case Boxed() if k.name == "frozenset":
            return b.add(mixed(c, b.xor(w, hash_of_set(c, a))), c64(GOLDEN))
    raise Refusal(f"{k} as a key is not compiled")


def _word_of_float(c: Code, v: Any) -> Any:
    """Return the word of the int or U64 that a float equals, or else its bits."""
    b = c.b
    signed = b.and_(b.fcmp_ordered(">=", v, F64(-(2.0**63))), b.fcmp_ordered("<", v, F64(2.0**63)))
    wide = b.and_(b.fcmp_ordered(">=", v, F64(2.0**63)), b.fcmp_ordered("<", v, F64(2.0**64)))
    whole = b.fptosi(b.select(signed, v, F64(0.0)), I64)
    large = b.fptoui(b.select(wide, v, F64(0.0)), I64)
    is_whole = b.and_(signed, b.fcmp_ordered("==", b.sitofp(whole, F64), v))
    return b.select(is_whole, whole, b.select(wide, large, b.bitcast(v, I64)))


def hash_of_set(c: Code, a: Val) -> Any:
    """Return a word that does not depend on the order of a set's elements."""
    k = a.boxed

    def build(r: Code, args: Any) -> Any:
        out = r.temp(I64)
        r.store(ZERO, out)

        def take(i: Any) -> None:
            own = r.get(storage.entry(r, k, args[0], i), storage.entry_type(k), 0)
            r.store(r.b.add(r.load(out, I64), mixed(r, own)), out)

        scan(r, k, args[0], take)
        return r.load(out, I64)

    return c.helper(f"jam.hash_of_set.{key(k)}", I64, [a.v], build)


def scan(r: Code, k: Boxed, header: Any, use: Callable[[Any], None]) -> None:
    """Use the number of each entry, inside of a helper."""
    at = r.temp(I64)
    r.store(ZERO, at)
    with r.until() as leave:
        i = storage.next_live(r, k, header, r.load(at, I64))
        leave(r.b.icmp_signed("<", i, ZERO))
        use(i)
        r.store(r.b.add(i, ONE), at)


WORD_MASK = (1 << 64) - 1


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
        return mixed_int(w ^ text_key(str.__str__(value)) ^ TEXT_MARK) + GOLDEN & WORD_MASK
    if isinstance(value, enum.Enum):
        return mixed_int(w ^ words_of(type(value))(value) ^ TEXT_MARK) + GOLDEN & WORD_MASK
    if isinstance(value, frozenset):
        whole = sum(mixed_int(key_hash(x, text_key)) for x in value) & WORD_MASK
        return mixed_int(w ^ whole) + GOLDEN & WORD_MASK
    if type(value) is tuple or (isinstance(value, tuple) and is_record(type(value))):
        for x in value:
            w = absorbed(w, x, text_key)
        return mixed_int(w ^ len(value))
    if is_record(type(value)) and is_frozen_record(type(value)):
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
    return int(value) & WORD_MASK  # flags would stay flags


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
