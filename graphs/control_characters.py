"""Control characters, which would steer a terminal if a text from a file contained them."""

from __future__ import annotations

import re
from typing import Final

CONTROLS: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""All but the tab and the end of a line; marks of the direction of writing, halves of pairs."""


def printable(text: str) -> str:
    """Return a text in which control characters are escaped.

    >>> print(printable("a\\x1b[2Jb\\n"), end="")
    a\\x1b[2Jb
    """
    return CONTROLS.sub(lambda found: repr(found[0])[1:-1], text)
