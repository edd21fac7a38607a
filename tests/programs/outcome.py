"""What a call gives, in a form in which equal means the same value and the same types inside."""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict, deque
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

import attrs

DEPTH: Final = 40
"""How deep containers are compared: a list may contain itself."""


@dataclass(frozen=True)
class Outcome:
    """A call's value or exception, and its arguments afterwards, in canonical form."""

    raised: str
    """The name of the exception's type, empty if there is none."""
    value: Any
    arguments: Any
    text: str
    """The value or exception for people."""


def canonical(value: Any, depth: int = 0) -> Any:
    """Return a form of a value that is equal for the same value with the same types inside.

    Types are compared by name, because each engine runs a module of its own.  Floats are
    compared with their sign, and NaN is equal to NaN; dicts keep their order.

    >>> canonical([1, 2.0]) == canonical([True, 2.0])
    False
    >>> canonical(0.0) == canonical(-0.0)
    False
    """
    kind = type(value).__qualname__
    if depth > DEPTH:
        return "deeper"
    if isinstance(value, float):
        return kind, "nan" if value != value else value.hex()
    if isinstance(value, (bool, int, str, Enum)) or value is None:
        return kind, value.name if isinstance(value, Enum) else value
    if isinstance(value, (tuple, list)):
        return kind, *(canonical(one, depth + 1) for one in value)
    if isinstance(value, deque):
        return kind, value.maxlen, *(canonical(one, depth + 1) for one in value)
    if isinstance(value, (set, frozenset)):
        return kind, frozenset(canonical(one, depth + 1) for one in value)
    if isinstance(value, (dict, Counter, defaultdict)):
        pairs = ((canonical(k, depth + 1), canonical(v, depth + 1)) for k, v in value.items())
        return kind, *pairs
    if attrs.has(type(value)):
        fields = (getattr(value, field.name) for field in attrs.fields(type(value)))
        return kind, *(canonical(one, depth + 1) for one in fields)
    if dataclasses.is_dataclass(value):
        fields = (getattr(value, field.name) for field in dataclasses.fields(value))
        return kind, *(canonical(one, depth + 1) for one in fields)
    return (kind,)


def short(value: Any, limit: int = 300) -> str:
    """Return the text of a value, not too long."""
    try:
        text = repr(value)
    except Exception as error:
        text = f"<{type(error).__name__} in repr>"
    return text if len(text) <= limit else text[: limit - 3] + "..."


def returned(value: Any, arguments: tuple[Any, ...]) -> Outcome:
    """Return the outcome of a call that gave a value."""
    return Outcome("", canonical(value), canonical(arguments), short(value))


def raising(error: BaseException, arguments: tuple[Any, ...]) -> Outcome:
    """Return the outcome of a call that raised an exception."""
    return Outcome(
        type(error).__name__, None, canonical(arguments), f"{type(error).__name__}: {error}"[:200]
    )
