"""Known ints of more than 64 bits, such as the masks of packed boards, beside words and floats."""

from __future__ import annotations

import ast
from typing import Any

from strategies.rules.code.coercion import boolean, number
from strategies.rules.code.emission import Code
from strategies.rules.code.val import Val, c64
from strategies.rules.kinds.kind import BOOL, F64, FLOAT, INT, NUMBERS, WORD, Static
from strategies.rules.language.messages import Refusal
from strategies.rules.language.sources import COMPARED
from strategies.rules.values import arithmetic, number_order, numbers
from strategies.rules.values.numbers import is_wide, refuse_wide

WIDE_ADVICE = "an int of more than 64 bits meets {}; write U64(…), whose words have 64 bits"
_BY_BITS = (ast.Add, ast.Sub, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor)


def wide_number(c: Code, a: Val) -> Val | None:
    """Return a value as a number of 64 bits, if it is a number."""
    refuse_wide(a)
    if isinstance(a.kind, Static):
        raise Refusal(f"{a.kind} is used as a number, which is not compiled; write int or float")
    return number(c, a)


def _wide_value(a: Val) -> int:
    assert isinstance(a.kind, Static)
    return int(a.kind.value)


def wide_binary(c: Code, op: type[ast.operator], a: Val, b: Val) -> Val:
    """Return `a op b`, of which one is such an int and the other a number."""
    wide, other = (a, b) if is_wide(a) else (b, a)
    value = _wide_value(wide)
    if other.kind is WORD:
        as_word = Val(WORD, c64(_signed(value)))
        if op in _BY_BITS:
            return arithmetic.arithmetic(c, op, *((as_word, b) if wide is a else (a, as_word)))
        if op in (ast.FloorDiv, ast.Mod) and wide is b and 0 <= value < 2**64:
            return arithmetic.arithmetic(c, op, a, as_word)
    if other.kind is FLOAT:
        try:
            as_float = Val(FLOAT, F64(float(value)))
        except OverflowError:
            raise Refusal("an int that is larger than all floats meets a float") from None
        return arithmetic.arithmetic(c, op, *((as_float, b) if wide is a else (a, as_float)))
    if other.kind in (INT, BOOL) and op is ast.BitAnd and 0 <= value < 2**64 and other.kind is BOOL:
        return Val(INT, c.b.and_(numbers.as_int(c, other), c64(_signed(value))))
    raise Refusal(WIDE_ADVICE.format(other.kind))


def _signed(value: int) -> int:
    """Return the lowest 64 bits of an int as a signed word."""
    low = value % 2**64
    return low - 2**64 if low >= 2**63 else low


def wide_compare(c: Code, op: str, a: Val, b: Val) -> Val | None:
    """Return `a op b` of such an int and a number; None if they are not."""
    if is_wide(a) and is_wide(b):
        return boolean(bool(COMPARED[op](_wide_value(a), _wide_value(b))))
    wide, other = (a, b) if is_wide(a) else (b, a)
    if not is_wide(wide) or other.kind not in NUMBERS:
        return None
    value = _wide_value(wide)
    if other.kind is WORD and 0 <= value < 2**64:
        as_number = Val(WORD, c64(_signed(value)))
    elif other.kind is FLOAT:
        try:
            exact = int(float(value)) == value
        except OverflowError:
            exact = False
        if not exact:
            raise Refusal(
                "an int that is no float exactly is compared with a float; write float(…)"
            )
        as_number = Val(FLOAT, F64(float(value)))
    else:
        least: Any = 0
        found = COMPARED[op](*((value, least) if wide is a else (least, value)))
        return boolean(bool(found))
    return number_order.compare(c, op, *((as_number, b) if wide is a else (a, as_number)))
