"""Python and machine code side by side: value, types, exception, and change of arguments."""

from __future__ import annotations

import copy
import math
from collections import deque
from collections.abc import Callable
from typing import Any

from strategies.rules import Refusal, compile_function

REFUSED = "refused"


def same(a: Any, b: Any) -> bool:
    """Whether two values are equal and of the same types, part by part."""
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return a == b and math.copysign(1, a) == math.copysign(1, b) or (a != a and b != b)
    if isinstance(a, list | tuple | deque):
        alike = not isinstance(a, deque) or a.maxlen == b.maxlen  # type: ignore[union-attr]
        return alike and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return same(list(a.items()), list(b.items()))
    if isinstance(a, set | frozenset):
        return len(a) == len(b) and all(any(same(x, y) for y in b) for x in a)
    return bool(a == b)


def outcome(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """Return what a call gives: its value and its arguments afterwards, or its exception."""
    args = copy.deepcopy(args)
    try:
        value = function(*args)
    except Refusal as refusal:
        return REFUSED, str(refusal)
    except Exception as error:
        return type(error).__name__, str(error)
    return "value", value, args


def difference(function: Callable[..., Any], *args: Any) -> Any:
    """Return what differs between Python and machine code; None if nothing does."""
    python, native = outcome(function, args), outcome(compile_function(function), args)
    if python[0] == native[0] and (python[0] != "value" or same(python[1:], native[1:])):
        return None
    return python, native


def agree(function: Callable[..., Any], *args: Any) -> None:
    """Check that a function gives the same as Python, and is not refused."""
    found = difference(function, *args)
    assert found is None, (function.__name__, args, *found)
