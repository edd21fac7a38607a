"""Known ints of more than 64 bits: what they are, and where they are refused."""

from __future__ import annotations

from strategies.rules.code.val import Val
from strategies.rules.kinds.kind import Static
from strategies.rules.language.messages import Refusal


def is_wide(a: Val) -> bool:
    """Whether a value is a known int of more than 64 bits."""
    return isinstance(a.kind, Static) and isinstance(a.kind.value, int)


def refuse_wide(a: Val) -> None:
    """Refuse a known int of more than 64 bits."""
    if is_wide(a):
        raise Refusal("an int of more than 64 bits is used here; write U64(…) or float(…)")
