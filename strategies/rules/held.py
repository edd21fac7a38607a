"""Tables that the object holds whose functions are compiled: read from memory, not constants.

So objects that differ only in the numbers of such tables share their code. The shape of an array is
a constant.
"""

from __future__ import annotations

import ctypes
from typing import Any

import attrs
import numpy as np

from games.u64 import U64
from strategies.rules import arrays
from strategies.rules.boundary import Boundary
from strategies.rules.code import CONTEXT, HELD, NOTHING, Val, c64
from strategies.rules.forms import form, size
from strategies.rules.joining import join_all
from strategies.rules.kinds import BOOL, FLOAT, I8, INT, NEVER, WORD, Array, Kind, Row
from strategies.rules.messages import Refusal
from strategies.rules.walk import Walk

NUMBERS: dict[type, Kind] = {int: INT, float: FLOAT, bool: BOOL, U64: WORD}


def table_kind(value: Any) -> Kind | None:
    """Return the kind of a table of numbers of one type: a tuple, a tuple of such, or an array."""
    if isinstance(value, np.ndarray):
        try:
            return arrays.array(value)
        except Refusal:
            return None
    if type(value) is not tuple or not value:
        return None
    kinds: list[Kind | None] = []
    for part in value:
        plain = NUMBERS.get(type(part))
        if plain is INT and not -(2**63) <= part < 2**63:
            return None
        kinds.append(plain or (Row(NEVER) if part == () else table_kind(part)))
    known = [k for k in kinds if k is not None]
    met = join_all(known)
    one = met in NUMBERS.values() or isinstance(met, Row)
    same = {type(k) for k in known} == {type(met)}
    return Row(met) if len(known) == len(kinds) and one and same and met is not NEVER else None


def read(w: Walk, name: str) -> Val | None:
    """Return a field of the object as a table in memory, if it is one."""
    one: Any = w.program.constants.one
    if not attrs.has(type(one)) or name not in attrs.fields_dict(type(one)):
        return None
    held = w.program.held
    if name not in held:
        kind = table_kind(getattr(one, name))
        if kind is None:
            return None
        at = max((at + size(form(k)) for k, at in held.values()), default=0)
        held[name] = kind, at
    kind, at = held[name]
    if not w.emitting:
        return Val(kind, NOTHING)
    base = w.get(w.context, CONTEXT, HELD)
    place = w.b.gep(base, [c64(at)], source_etype=I8, inbounds=True)
    found = w.load(place, form(kind))
    value = getattr(one, name)
    if isinstance(kind, Array):
        # With a shape that is known, LLVM drops tests of indices and multiplications by strides.
        for i, known in enumerate((*value.shape, *value.strides)):
            found = w.b.insert_value(found, c64(known), 1 + i)
    return Val(kind, found)


class Tables:
    """The tables of an object in memory, which lasts as long as this."""

    def __init__(self, one: object, held: dict[str, tuple[Kind, int]]) -> None:
        self.kept: list[Any] = []
        self.address = self.take(sum(size(form(k)) for k, _ in held.values()))
        boundary = Boundary(self, {})  # type: ignore[arg-type]
        for name, (kind, at) in held.items():
            value = getattr(one, name)
            if isinstance(kind, Array):
                self.kept.append(value)
            boundary.write(kind, value, self.address + at)

    def take(self, n: int) -> int:
        """Return the address of n bytes."""
        self.kept.append((ctypes.c_uint64 * (n // 8 + 1))())
        return ctypes.addressof(self.kept[-1])
