"""The base class of all errors of Jamboree, and the errors of arguments."""

from __future__ import annotations

from graphs.control_characters import printable


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
