"""Reads JSON that somebody else may have written."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any

from graphs.arguments import excerpt, shown
from graphs.errors import MalformedError


def json_in(content: str | bytes) -> Any:
    """Return the data that JSON in UTF-8 describes.

    Raises: MalformedError, one line, for anything else, and for data that JSON programs read in
    different ways: repeated names, NaN and infinities; and for lists or objects that are nested too
    deeply.

    >>> json_in('{"a": [1, 2]}')
    {'a': [1, 2]}
    >>> json_in('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    graphs.errors.MalformedError: not JSON: the name 'a' occurs twice
    """
    try:
        text = content if isinstance(content, str) else content.decode()
        return json.loads(
            text, parse_constant=_number, parse_float=_number, object_pairs_hook=_object
        )
    except UnicodeDecodeError:
        raise MalformedError("not UTF-8 text") from None
    except RecursionError:
        raise MalformedError("not JSON that can be read: it is nested too deeply") from None
    except ValueError as error:
        raise MalformedError(f"not JSON: {error}") from None


def _number(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{excerpt(text)} is not a finite number")
    return number


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"the name {shown(name)} occurs twice")
        found[name] = value
    return found
