"""The boundary: Python values written to memory by their kinds, and read from it.

The same list stays the same list: what a function changes in an argument is changed in the caller's
list, and a list that is returned twice is one list.
"""

from __future__ import annotations

import ctypes
from typing import Any

from games.u64 import U64
from strategies.rules import arrays, carried
from strategies.rules.code import LIST
from strategies.rules.forms import form, is_scalar, offset, place_in, size
from strategies.rules.kinds import (
    BOOL,
    FLOAT,
    INT,
    NEVER,
    NONE,
    RANGE,
    STR,
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
from strategies.rules.memory import Arena
from strategies.rules.messages import Refusal


class Unlike(TypeError):
    """A value that is not of the kind that was compiled for."""


def _word(at: int) -> Any:
    return ctypes.c_int64.from_address(at)


class Boundary:
    """One call's conversions."""

    def __init__(self, arena: Arena, texts: dict[str, int]) -> None:
        self.arena, self.texts = arena, texts
        self.there: dict[tuple[int, str], int] = {}  # Python objects in memory
        self.here: dict[int, Any] = {}  # what was made of an address
        self.given: list[tuple[Boxed, Any, int]] = []

    # To memory

    def write(self, k: Kind, value: Any, at: int) -> None:
        """Write a value of a kind at an address."""
        if k is BOOL:
            if type(value) is not bool:
                raise Unlike(k)
            ctypes.c_uint8.from_address(at).value = value
        elif k is INT:
            if type(value) is not int or not -(2**63) <= value < 2**63:
                raise Unlike(k)
            _word(at).value = value
        elif k is WORD:
            if type(value) is not U64:
                raise Unlike(k)
            ctypes.c_uint64.from_address(at).value = int(value)
        elif k is FLOAT:
            if type(value) is not float:
                raise Unlike(k)
            ctypes.c_double.from_address(at).value = value
        elif k is STR:
            if type(value) is not str:
                raise Unlike(k)
            _word(at).value = self.text_number(value)
        elif k is NONE:
            if value is not None:
                raise Unlike(k)
        elif k in (UNSET, NEVER):
            if value is not k:
                raise Unlike(k)
        else:
            self._write_other(k, value, at)

    def _write_other(self, k: Kind, value: Any, at: int) -> None:
        if k is NEVER:
            raise Unlike(k)
        match k:
            case Static():
                if value is not k.value and value != k.value:
                    raise Unlike(k)
            case Member():
                if type(value) is not k.of:
                    raise Unlike(k)
                _word(at).value = list(k.of).index(value)  # type: ignore[call-overload]
            case Tup():
                if type(value) is not tuple or len(value) != len(k.items):
                    raise Unlike(k)
                self._write_parts(k, k.items, value, at)
            case Record():
                if type(value) is not k.of:
                    raise Unlike(k)
                self._write_parts(
                    k, tuple(k.kinds), [getattr(value, n, UNSET) for n in k.names], at
                )
            case Row():
                if type(value) is not tuple:
                    raise Unlike(k)
                place = self.write_all(k.item, value)
                ctypes.c_uint64.from_address(at).value = place
                _word(at + 8).value = len(value)
            case Either():
                self._write_either(k, value, at)
            case Scalar():
                if type(value) is not k.type:
                    raise Unlike(k)
                plain = value.item()
                self.write(k.plain, U64(plain) if k.plain is WORD else plain, at)
            case Array():
                arrays.write(k, value, at, Unlike)
            case Boxed(name="list"):
                if type(value) is not list:
                    raise Unlike(k)
                ctypes.c_uint64.from_address(at).value = self._write_list(k, value)
            case Boxed() if k.name in carried.CLASSES:
                if type(value) is not carried.CLASSES[k.name]:
                    raise Unlike(k)
                ctypes.c_uint64.from_address(at).value = carried.write(self, k, value)
            case _ if k is NEVER:
                raise Unlike(k)
            case _:
                raise Refusal(f"an argument of the kind {k} is not compiled")

    def _write_parts(self, k: Kind, kinds: tuple[Kind, ...], values: Any, at: int) -> None:
        t = form(k)
        for i, (item, v) in enumerate(zip(kinds, values, strict=True)):
            self.write(item, v, at + offset(t, i))

    def write_all(self, item: Kind, values: Any) -> int:
        step = size(form(item))
        place = self.arena.take(step * len(values))
        for i, v in enumerate(values):
            self.write(item, v, place + i * step)
        return place

    def _write_list(self, k: Boxed, value: list[Any]) -> int:
        known = self.there.get((id(value), k.name))
        if known is None:
            header = self.arena.take(size(LIST))
            self.there[id(value), k.name] = header
            place = self.write_all(k.item, value)
            for i, v in enumerate((place, len(value), len(value))):
                _word(header + 8 * i).value = v
            self.here[header] = value
            self.given.append((k, value, header))
            known = header
        return known

    def _write_either(self, k: Either, value: Any, at: int) -> None:
        for i, item in enumerate(k.items):
            place = place_in(k, i)
            inner = at + offset(form(k), place) if place is not None else at
            if place is not None and is_scalar(form(item)):
                _word(inner).value = 0
            try:
                self.write(item, value, inner)
            except Unlike:
                continue
            ctypes.c_uint8.from_address(at).value = i
            return
        raise Unlike(k)

    def text_number(self, text: str) -> int:
        """Return the number that stands for a text."""
        return self.texts.setdefault(text, len(self.texts))

    # From memory

    def read(self, k: Kind, at: int) -> Any:
        """Read a value of a kind from an address."""
        if k is BOOL:
            return bool(ctypes.c_uint8.from_address(at).value & 1)
        if k is INT:
            return _word(at).value
        if k is WORD:
            return U64(ctypes.c_uint64.from_address(at).value)
        if k is FLOAT:
            return ctypes.c_double.from_address(at).value
        if k is STR:
            number = _word(at).value
            return next(t for t, n in self.texts.items() if n == number)
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
                return list(k.of)[_word(at).value]
            case Tup():
                return tuple(
                    self.read(item, at + offset(form(k), i)) for i, item in enumerate(k.items)
                )
            case Row():
                return tuple(
                    self.elements(
                        k.item, ctypes.c_uint64.from_address(at).value, _word(at + 8).value
                    )
                )
            case Either():
                i = ctypes.c_uint8.from_address(at).value
                place = place_in(k, i)
                return self.read(
                    k.items[i], at + offset(form(k), place) if place is not None else at
                )
            case Boxed(name="list"):
                return self._read_list(k, ctypes.c_uint64.from_address(at).value)
            case Record():
                from strategies.rules import records

                values = [
                    self.read(item, at + offset(form(k), i)) for i, item in enumerate(k.kinds)
                ]
                return records.rebuilt(k.of, k.names, values)
            case Boxed():
                return carried.read(self, k, ctypes.c_uint64.from_address(at).value)
        raise Refusal(f"a result of the kind {k} is not compiled")

    def elements(self, item: Kind, place: int, n: int) -> list[Any]:
        if item is INT and n:
            return list((ctypes.c_int64 * n).from_address(place))
        step = size(form(item))
        return [self.read(item, place + i * step) for i in range(n)]

    def _read_list(self, k: Boxed, header: int) -> list[Any]:
        if header not in self.here:
            made: list[Any] = []
            self.here[header] = made
            made += self.elements(k.item, _word(header).value, _word(header + 8).value)
        found: list[Any] = self.here[header]
        return found

    def give_back(self) -> None:
        """Change the lists among the arguments as the function did."""
        for k, value, header in self.given:
            if k.name != "list":
                carried.give_back(self, k, value, header)
                continue
            now = self.elements(k.item, _word(header).value, _word(header + 8).value)
            value[:] = now
