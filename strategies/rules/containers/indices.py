"""Indices as words, counted from the start."""

from __future__ import annotations

from typing import Any

from strategies.rules.code.coercion import plain
from strategies.rules.code.emission import Code
from strategies.rules.code.val import ZERO, Val, c64
from strategies.rules.kinds.kind import BOOL, FLOAT, WORD, Scalar
from strategies.rules.values.arithmetic import wide_number
from strategies.rules.values.numbers import as_int


def word_of(c: Code, i: Val) -> Any:
    """Return an index as a word; None if it is none."""
    if isinstance(i.kind, Scalar) and i.kind.plain is BOOL:
        return None
    n = wide_number(c, plain(c, i))
    if n is None or n.kind is FLOAT:
        return None
    if n.kind is WORD and not (n.known and n.py < 1 << 63):
        # Beyond the end of everything.
        return c.b.select(c.b.icmp_signed("<", n.v, ZERO), c64(2**63 - 1), n.v)
    return as_int(c, n)


def within(c: Code, at: Any, i: Val, n: Any, message: str = "index out of range") -> Any:
    """Return an index counted from the start, or fail with IndexError."""
    if not (i.known and i.py >= 0):
        at = c.b.select(c.b.icmp_signed("<", at, ZERO), c.b.add(at, n), at)
    c.check(c.b.icmp_unsigned(">=", at, n), IndexError, message)
    return at
