"""Decides whether two equal games are the same in all their parts, so that one engine serves
both."""

from __future__ import annotations

from typing import Any

import attrs

from games.fields import WithFields, attributes
from strategies.native.fingerprint import fingerprint

PLAIN = (int, float, bool, str, type(None))


def alike(a: Any, b: Any, equal: bool = True) -> bool:
    """Return whether two games, or parts of them, are the same; `equal` if ``==`` holds already.

    Equal games may differ in 1 and 1.0, and in fields that take no part in ``==``.

    >>> alike((1, 2), (1, 2)), alike((1, 2), (1.0, 2))
    (True, False)
    """
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if attrs.has(type(a)):
        return all(
            alike(getattr(a, f.name), getattr(b, f.name), equal and f.eq is True and not f.eq_key)
            for f in attrs.fields(type(a))
        )
    if isinstance(a, WithFields):  # of a plain class
        mine, theirs = attributes(a), attributes(b)
        return mine.keys() == theirs.keys() and all(
            alike(mine[name], theirs[name], equal) for name in mine
        )
    if type(a) is tuple:
        return len(a) == len(b) and all(alike(x, y, equal) for x, y in zip(a, b, strict=True))
    if type(a) in PLAIN:
        return bool(a == b)
    return equal or fingerprint(a) == fingerprint(b)
