"""The boundary: Python values written to memory by their kinds, and read from it.

The same list stays the same list: what a function changes in an argument is changed in the caller's
list, and a list that is returned twice is one list. So are sets, dicts and deques.
"""

from __future__ import annotations

import ctypes
import struct
from collections import defaultdict, deque
from typing import Any

from games.u64 import U64
from strategies.rules.code.storage import HEADER, SMALL, TABLE, USED, entry_type, is_list
from strategies.rules.code.val import LIST
from strategies.rules.containers import arrays
from strategies.rules.containers.deques import DEQUE, MAXLEN
from strategies.rules.kinds import record_classes
from strategies.rules.kinds.forms import form, is_scalar, offset, place_in, size
from strategies.rules.kinds.kind import (
    BOOL,
    FLOAT,
    INT,
    NEVER,
    NONE,
    RANGE,
    STR,
    TEXT,
    UNSET,
    WORD,
    Array,
    Boxed,
    Either,
    Kind,
    Member,
    Record,
    Row,
    Scalar,
    Static,
    Tup,
)
from strategies.rules.kinds.parts import CONTAINERS, alternatives, parts
from strategies.rules.kinds.record_classes import member_of, words_of
from strategies.rules.language.messages import OWN_FACTORY, UNREAD, Refusal
from strategies.rules.language.text_numbers import Texts
from strategies.rules.machine.memory import Arena
from strategies.rules.values.hashing import key_hash, room_for, slots_for


class Unlike(TypeError):
    """A value that is not of the kind that was compiled for."""


class UnknownText(Unlike):
    """A text that the code has no number for."""


NUMBERS: dict[Kind, tuple[Any, Any, str]] = {
    BOOL: (bool, ctypes.c_uint8, "?"),
    INT: (int, ctypes.c_int64, "q"),
    WORD: (U64, ctypes.c_uint64, "Q"),
    FLOAT: (float, ctypes.c_double, "d"),
}
"""The classes of numbers, and how they lie in memory: types of ctypes, and letters of `struct`."""
SIDE_BY_SIDE = (INT, WORD, FLOAT)
"""The numbers of which many are written and read in one go."""


def _word(at: int) -> Any:
    return ctypes.c_int64.from_address(at)


def _address(at: int) -> Any:
    return ctypes.c_uint64.from_address(at)


def _fill(at: int, words: list[int]) -> None:
    for i, word in enumerate(words):
        _address(at + 8 * i).value = word % 2**64


def _write_numbers(item: Kind, values: Any, place: int) -> None:
    """Write numbers of a kind side by side."""
    cls, _, letter = NUMBERS[item]
    if any(type(v) is not cls for v in values):
        raise Unlike(item)
    try:
        data = struct.pack(f"{len(values)}{letter}", *values)
    except struct.error:  # an int of more than 64 bits
        raise Unlike(item) from None
    ctypes.memmove(place, data, len(data))


class Layout:
    """How values of a kind lie in memory: their size, and where the parts, or alternatives, do."""

    __slots__ = ("kind", "places", "size", "words")

    def __init__(self, kind: Kind) -> None:
        t = form(kind)
        self.kind, self.size = kind, size(t)
        self.places: list[int] = []
        self.words: list[bool] = []  # of an alternative: whether it is in a word of its own
        if isinstance(kind, Either):
            for i, item in enumerate(kind.items):
                place = place_in(kind, i)
                self.places.append(0 if place is None else offset(t, place))
                self.words.append(place is not None and is_scalar(form(item)))
        elif isinstance(kind, Tup | Record):
            self.places = [offset(t, i) for i in range(len(t.elements))]


class Boundary:
    """One call's conversions. `layouts` are those of kinds that are known from earlier calls."""

    def __init__(
        self, arena: Arena, texts: Texts, layouts: dict[int, Layout] | None = None
    ) -> None:
        self.arena, self.texts = arena, texts
        self.layouts = {} if layouts is None else layouts
        self.there: dict[tuple[int, str], int] = {}  # Python objects in memory
        self.here: dict[int, Any] = {}  # what was made of an address
        self.given: list[tuple[Boxed, Any, int]] = []

    # To memory

    def write(self, k: Kind, value: Any, at: int) -> None:
        """Write a value of a kind at an address."""
        if k in NUMBERS:
            cls, number, _ = NUMBERS[k]
            if type(value) is not cls or (k is INT and not -(2**63) <= value < 2**63):
                raise Unlike(k)
            number.from_address(at).value = int(value) if k is WORD else value
        elif k is STR:
            if type(value) is not str:
                raise Unlike(k)
            _word(at).value = self.text_number(value)
        elif k is TEXT:
            if type(value) is not str:
                raise Unlike(k)
            place = self.arena.take(8 * len(value))
            (ctypes.c_int64 * len(value)).from_address(place)[:] = list(map(ord, value))
            _fill(at, [place, len(value)])
        elif k in (NONE, UNSET, NEVER):
            if value is not (None if k is NONE else k):
                raise Unlike(k)
        elif k is RANGE:
            self._write_range(value, at)
        else:
            self._write_other(k, value, at)

    def _write_range(self, value: Any, at: int) -> None:
        words = [value.start, value.stop, value.step] if type(value) is range else []
        if not words or any(not -(2**63) <= word < 2**63 for word in words):
            raise Unlike(RANGE)
        _fill(at, words)

    def _write_other(self, k: Kind, value: Any, at: int) -> None:
        match k:
            case Static():
                if value is not k.value and value != k.value:
                    raise Unlike(k)
            case Member():
                if type(value) is not k.of:
                    raise Unlike(k)
                word = words_of(k.of)(value)
                if word >> 63:
                    raise Unlike(k)
                _word(at).value = word
            case Tup():
                if type(value) is not tuple or len(value) != len(k.items):
                    raise Unlike(k)
                self._write_parts(k, value, at)
            case Record():
                if type(value) is not k.of:
                    raise Unlike(k)
                self._write_parts(k, [getattr(value, n, UNSET) for n in k.names], at)
            case Row():
                if type(value) is not tuple:
                    raise Unlike(k)
                _fill(at, [self._write_all(k.item, value), len(value)])
            case Either():
                self._write_either(k, value, at)
            case Scalar():
                if type(value) is not k.type:
                    raise Unlike(k)
                plain = value.item()
                self.write(k.plain, U64(plain) if k.plain is WORD else plain, at)
            case Array():
                arrays.write(k, value, at, Unlike)
            case Boxed() if k.name in CONTAINERS:
                if type(value) is not CONTAINERS[k.name]:
                    raise Unlike(k)
                _address(at).value = self._write_container(k, value)
            case _:
                raise Refusal(f"an argument of the kind {k} is not compiled")

    def _write_parts(self, k: Kind, values: Any, at: int) -> None:
        for item, v, place in zip(parts(k), values, self._layout(k).places, strict=True):
            self.write(item, v, at + place)

    def _layout(self, k: Kind) -> Layout:
        found = self.layouts.get(id(k))
        if found is None:
            found = self.layouts[id(k)] = Layout(k)
        return found

    def _write_all(self, item: Kind, values: Any) -> int:
        step = self._layout(item).size
        place = self.arena.take(step * len(values))
        if item in SIDE_BY_SIDE:
            _write_numbers(item, values, place)
            return place
        for i, v in enumerate(values):
            self.write(item, v, place + i * step)
        return place

    def _write_either(self, k: Either, value: Any, at: int) -> None:
        layout = self._layout(k)
        for i, item in enumerate(k.items):
            if layout.words[i]:
                _word(at + layout.places[i]).value = 0
            try:
                self.write(item, value, at + layout.places[i])
            except Unlike:
                continue
            ctypes.c_uint8.from_address(at).value = i
            return
        raise Unlike(k)

    def _write_container(self, k: Boxed, value: Any) -> int:
        """Write a list, set, dict or deque once, and return its address."""
        known = self.there.get((id(value), k.name))
        if known is not None:
            return known
        factory = k.factory if k.name == "defaultdict" else NONE
        width = size(LIST if k.name == "list" else DEQUE if is_list(k) else TABLE)
        header = self.arena.take(width + size(form(factory)))
        if k.name == "defaultdict":
            self.write(factory, value.default_factory, header + HEADER)
        self.there[id(value), k.name] = header
        self.here[header] = value
        if is_list(k):
            n, place = len(value), self._write_all(k.item, value)
            _fill(header, [place, n, n])
            if k.name == "deque":
                _fill(header + size(LIST), [0, -1 if value.maxlen is None else value.maxlen, 0])
        else:
            self._write_table(k, value, header)
        if k.name != "frozenset":
            self.given.append((k, value, header))
        return header

    def _write_table(self, k: Boxed, value: Any, header: int) -> None:
        t, n, room = entry_type(k), len(value), room_for(len(value))
        step, hashes = size(t), []
        entries = self.arena.take(step * room)
        for i, x in enumerate(value):
            at = entries + i * step
            self.write(k.item, x, at + offset(t, 1))
            if len(k.cells) > 1:
                self.write(k.value, value[x], at + offset(t, 2))
            hashes.append(key_hash(x, self.texts.key if self.texts.made else self.text_number))
            _address(at).value = hashes[-1]
        slots = 0
        if room > SMALL:
            numbers = slots_for(hashes, room)
            slots = self.arena.take(4 * len(numbers))
            ctypes.memmove(slots, (ctypes.c_uint32 * len(numbers))(*numbers), 4 * len(numbers))
        _fill(header, [entries, slots, n, n, room, n, n, 0])

    def text_number(self, text: str) -> int:
        """Return the number that stands for a text."""
        if self.texts.complete and text not in self.texts:
            raise UnknownText(text)
        return self.texts.number(text)

    # From memory

    def read(self, k: Kind, at: int) -> Any:
        """Read a value of a kind from an address."""
        if k in NUMBERS:
            cls, number, _ = NUMBERS[k]
            found = number.from_address(at).value
            return cls(found & 1) if k is BOOL else cls(found)
        if k is STR:
            return self.texts.text(_word(at).value)
        if k is TEXT:
            return "".join(map(chr, self._read_all(INT, at)))
        if k is UNSET:
            return UNSET
        if k in (NONE, NEVER):
            return None
        if k is RANGE:
            return range(*(_word(at + 8 * i).value for i in range(3)))
        match k:
            case Static():
                return k.value
            case Scalar():
                return k.type(self.read(k.plain, at))
            case Member():
                return member_of(k.of, _word(at).value)
            case Tup():
                return tuple(self._read_parts(k, at))
            case Record():
                return record_classes.rebuilt(k.of, k.names, self._read_parts(k, at))
            case Row():
                return tuple(self._read_all(k.item, at))
            case Either():
                i = ctypes.c_uint8.from_address(at).value
                return self.read(k.items[i], at + self._layout(k).places[i])
            case Boxed() if k.name in CONTAINERS:
                return self._read_container(k, _address(at).value)
            case Boxed(name="keys" | "values" | "items"):
                return self._read_view(k, _address(at).value)
        raise Refusal(UNREAD.format(k))

    def _read_parts(self, k: Kind, at: int) -> list[Any]:
        pairs = zip(parts(k), self._layout(k).places, strict=True)
        return [self.read(item, at + place) for item, place in pairs]

    def _read_all(self, item: Kind, at: int) -> list[Any]:
        """Read the elements whose address and number are at an address."""
        place, n = _address(at).value, _word(at + 8).value
        if item in SIDE_BY_SIDE:
            cls, number, _ = NUMBERS[item]
            found = (number * n).from_address(place) if n else ()
            return [*map(cls, found)] if item is WORD else [*found]
        step = self._layout(item).size
        return [self.read(item, place + i * step) for i in range(n)]

    def _read_container(self, k: Boxed, header: int) -> Any:
        if header not in self.here:
            if k.name == "frozenset":
                self.here[header] = frozenset(self._contents(k, header))
            else:
                made = self.here[header] = self._empty(k, header)
                _put_all(k, made, self._contents(k, header))
        return self.here[header]

    def _read_view(self, k: Boxed, header: int) -> Any:
        of = self.here.get(header)
        if of is None:  # its dict is not read yet, and may be a Counter
            of = dict(self._contents(k, header))
        return {"keys": of.keys, "values": of.values, "items": of.items}[k.name]()

    def _empty(self, k: Boxed, header: int) -> Any:
        if k.name == "deque":
            longest = _word(header + offset(DEQUE, MAXLEN)).value
            return deque(maxlen=None if longest < 0 else longest)
        if k.name == "defaultdict":
            factory = k.factory
            if not all(i is NONE or isinstance(i, Static) for i in alternatives(factory)):
                raise Refusal(OWN_FACTORY)
            return defaultdict(self.read(factory, header + HEADER))
        return CONTAINERS[k.name]()

    def _contents(self, k: Boxed, header: int) -> list[Any]:
        """Return the elements of a list or set, or the items of a dict."""
        if is_list(k):
            return self._read_all(k.item, header)
        t = entry_type(k)
        place, used, step = _address(header).value, _word(header + 8 * USED).value, size(t)
        live = [at for at in range(place, place + used * step, step) if _word(at).value]
        keys = [self.read(k.item, at + offset(t, 1)) for at in live]
        if len(k.cells) == 1:
            return keys
        return [
            (x, self.read(k.value, at + offset(t, 2))) for x, at in zip(keys, live, strict=True)
        ]

    def give_back(self) -> None:
        """Change the arguments as the function did."""
        for k, value, header in self.given:
            now = self._contents(k, header)
            if k.name == "set":
                value.intersection_update(now)
            else:
                value.clear()
            _put_all(k, value, now)


def _put_all(k: Boxed, value: Any, contents: list[Any]) -> None:
    """Put elements or items into a Python object."""
    if is_list(k):
        value.extend(contents)
    elif k.name == "set":
        value.update(contents)
    else:
        for x, v in contents:
            dict.__setitem__(value, x, v)
