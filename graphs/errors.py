"""The base class of all errors, errors of arguments, and the characters that no message has."""

from __future__ import annotations

import re
from typing import Final


class JamboreeError(Exception):
    """The base class of all errors that Jamboree raises; their messages are one sentence.

    Each error is also a `ValueError`, `TypeError` or `OSError`, as is usual in Python.

    >>> from games import TicTacToe
    >>> try:
    ...     TicTacToe().parse_state("X9")
    ... except JamboreeError as error:
    ...     print(isinstance(error, ValueError))
    True

    Control characters in a message, which may quote a file, are escaped.
    """

    def __str__(self) -> str:
        return printable(super().__str__())


class MalformedError(JamboreeError, ValueError):
    """Raised for a text or settings that describe no valid board, map, tree, game or graph."""


class ArgumentError(JamboreeError, TypeError, ValueError):
    """Raised for an argument of the wrong kind or out of range; the message names what is expected.

    It is a `TypeError` and a `ValueError`, so that code which catches either one catches it.

    >>> from games import ConnectFour
    >>> ConnectFour(width="five")
    Traceback (most recent call last):
        ...
    graphs.errors.ArgumentError: width must be a whole number, 1 or more, not 'five'
    """


CONTROLS: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""All but the tab and the end of a line; marks of the direction of writing, halves of pairs."""


STYLES: Final = re.compile(r"\x1b\[[0-9;:?]*[ -/]*[@-~]")
"""What colours the text of a terminal, or moves its cursor."""


def unstyled(text: str) -> str:
    """Return a text without the colours of a terminal, for pages and pictures.

    >>> unstyled("\x1b[31mX\x1b[0m O")
    'X O'
    """
    return STYLES.sub("", text)


def printable(text: str) -> str:
    """Return a text in which control characters are escaped.

    >>> print(printable("a\\x1b[2Jb\\n"), end="")
    a\\x1b[2Jb
    """
    return CONTROLS.sub(lambda found: repr(found[0])[1:-1], text)
