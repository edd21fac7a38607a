"""Sets, dicts and deques across the boundary: written to memory, read from it, and changed."""

from __future__ import annotations

import ctypes
from collections import Counter, defaultdict, deque
from typing import TYPE_CHECKING, Any

from strategies.rules.kinds import NONE, Boxed, Static, alternatives, form, offset, size
from strategies.rules.messages import Refusal

if TYPE_CHECKING:
    from strategies.rules.boundary import Boundary

VIEWS = ("keys", "values", "items")
CLASSES: dict[str, type] = {
    "set": set,
    "frozenset": frozenset,
    "dict": dict,
    "counter": Counter,
    "defaultdict": defaultdict,
    "deque": deque,
}


def _word(at: int) -> Any:
    return ctypes.c_uint64.from_address(at)


def _fill(at: int, words: list[int]) -> None:
    for i, word in enumerate(words):
        _word(at + 8 * i).value = word % 2**64


def write(boundary: Boundary, k: Boxed, value: Any) -> int:
    """Write a table once, and return its address."""
    known = boundary.there.get((id(value), k.name))
    if known is not None:
        return known
    from strategies.rules.deques import DEQUE
    from strategies.rules.storage import HEADER

    factory = k.cells[2].root().kind if k.name == "defaultdict" else NONE
    header = boundary.arena.take(size(DEQUE) if k.name == "deque" else HEADER + size(form(factory)))
    if k.name == "defaultdict":
        boundary.write(factory, value.default_factory, header + HEADER)
    boundary.there[id(value), k.name] = header
    boundary.here[header] = value
    if k.name == "deque":
        place = boundary.write_all(k.item, value)
        longest = -1 if value.maxlen is None else value.maxlen
        _fill(header, [place, len(value), len(value), 0, longest, 0])
    else:
        _write_table(boundary, k, value, header)
    if k.name != "frozenset":
        boundary.given.append((k, value, header))
    return header


def _write_table(boundary: Boundary, k: Boxed, value: Any, header: int) -> None:
    from strategies.rules.hashes import key_hash, room_for, slots_for
    from strategies.rules.storage import SMALL, entry_type

    t, n, room = entry_type(k), len(value), room_for(len(value))
    step, hashes = size(t), []
    entries = boundary.arena.take(step * room)
    for i, x in enumerate(value):
        at = entries + i * step
        boundary.write(k.item, x, at + offset(t, 1))
        if len(k.cells) > 1:
            boundary.write(k.value, value[x], at + offset(t, 2))
        hashes.append(key_hash(x, boundary.text_number))
        _word(at).value = hashes[-1]
    slots = 0
    if room > SMALL:
        numbers = slots_for(hashes, room)
        slots = boundary.arena.take(4 * len(numbers))
        ctypes.memmove(slots, (ctypes.c_uint32 * len(numbers))(*numbers), 4 * len(numbers))
    _fill(header, [entries, slots, n, n, room, n, n, 0])


def read(boundary: Boundary, k: Boxed, header: int) -> Any:
    """Read a table from its address."""
    if k.name in VIEWS:
        of: dict[Any, Any] | None = boundary.here.get(header)
        if of is None:  # its dict is not read yet, and may be a Counter
            of = {}
            _set(boundary, Boxed("dict", *k.cells), of, header)
        return {"keys": of.keys, "values": of.values, "items": of.items}[k.name]()
    if k.name not in CLASSES:
        raise Refusal(f"a result of the kind {k} is not compiled")
    if k.name == "frozenset":
        if header not in boundary.here:
            boundary.here[header] = frozenset(x for (x,) in _entries(boundary, k, header))
        return boundary.here[header]
    if header not in boundary.here:
        made = _empty(boundary, k, header)
        boundary.here[header] = made
        _set(boundary, k, made, header)
    return boundary.here[header]


def _empty(boundary: Boundary, k: Boxed, header: int) -> Any:
    from strategies.rules.storage import HEADER

    if k.name == "deque":
        longest = ctypes.c_int64.from_address(header + 32).value
        return deque(maxlen=None if longest < 0 else longest)
    if k.name == "defaultdict":
        factory = k.cells[2].root().kind
        if not all(i is NONE or isinstance(i, Static) for i in alternatives(factory)):
            raise Refusal("a defaultdict with a function of its own is no result; write dict(…)")
        return defaultdict(boundary.read(factory, header + HEADER))
    return CLASSES[k.name]()


def _entries(boundary: Boundary, k: Boxed, header: int) -> list[tuple[Any, ...]]:
    """Return the entries of a table that are not gone."""
    from strategies.rules.storage import USED, entry_type

    t = entry_type(k)
    place, used, step = _word(header).value, _word(header + 8 * USED).value, size(t)
    kinds = [c.root().kind for c in k.cells[: len(t.elements) - 1]]
    return [
        tuple(
            boundary.read(kind, place + i * step + offset(t, j + 1)) for j, kind in enumerate(kinds)
        )
        for i in range(used)
        if _word(place + i * step).value
    ]


def _set(boundary: Boundary, k: Boxed, value: Any, header: int) -> None:
    """Let a Python object have what is in memory."""
    if k.name == "deque":
        value.extend(boundary.elements(k.item, _word(header).value, _word(header + 8).value))
    elif k.name == "set":
        value.update(x for (x,) in _entries(boundary, k, header))
    else:
        for x, v in _entries(boundary, k, header):
            dict.__setitem__(value, x, v)


def give_back(boundary: Boundary, k: Boxed, value: Any, header: int) -> None:
    """Change a Python object that was an argument as the function did."""
    if k.name == "set":
        now = {x for (x,) in _entries(boundary, k, header)}
        value.intersection_update(now)
        value.update(now)
    else:
        if k.name != "deque":
            entries = _entries(boundary, k, header)
            value.clear()
            for x, v in entries:
                dict.__setitem__(value, x, v)
            return
        elements = boundary.elements(k.item, _word(header).value, _word(header + 8).value)
        value.clear()
        value.extend(elements)
