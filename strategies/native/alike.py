"""Decides whether two equal games are the same in all their parts, so that one engine serves
both."""

from __future__ import annotations

from typing import Any

import attrs

from games.attributes import attributes, computed_once
from games.fields import WithFields
from strategies.native.fingerprint import fingerprint

PLAIN = (int, float, bool, str, type(None))


def alike(a: Any, b: Any) -> bool:
    """Return whether two games, or parts of them, are the same.

    Equal games may differ in 1 and 1.0, in attributes that take no part in ``==``, and in parts of
    which a class of the user says that they are equal.

    >>> alike((1, [2]), (1, [2])), alike((1, [2]), (1, [2.0]))
    (True, False)
    """
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if attrs.has(type(a)) or isinstance(a, WithFields):
        mine, theirs = attributes(a), attributes(b)
        return (
            mine.keys() == theirs.keys()
            and all(alike(value, theirs[name]) for name, value in mine.items())
            and all(alike(value, getattr(b, name)) for name, value in computed_once(a).items())
        )
    if type(a) in (tuple, list):
        return len(a) == len(b) and all(map(alike, a, b))
    if type(a) is dict:
        return alike(list(a.items()), list(b.items()))
    if type(a) is float:
        return bool(a.hex() == b.hex())  # 0.0 == -0.0
    if type(a) in PLAIN:
        return bool(a == b)
    return fingerprint(a) == fingerprint(b)
