"""What all errors of Jamboree are: one class to catch, whatever was refused."""

from __future__ import annotations


class JamboreeError(Exception):
    """Something that Jamboree refuses, or that it could not do, said in one sentence.

    Each error is a `ValueError`, `TypeError` or `OSError` as well where it would be one in Python.

    >>> from games import TicTacToe
    >>> try:
    ...     TicTacToe().parse_state("X9")
    ... except JamboreeError as error:
    ...     print(isinstance(error, ValueError))
    True
    """


class MalformedError(JamboreeError, ValueError):
    """A text, or settings, that describe no board, map, tree, game or graph."""


class ArgumentError(JamboreeError, TypeError, ValueError):
    """Raised for an argument of the wrong kind or out of range; the message names what is expected.

    It is a `TypeError` and a `ValueError`, so that code which catches either one catches it.

    >>> from games import ConnectFour
    >>> ConnectFour(width="five")
    Traceback (most recent call last):
        ...
    graphs.errors.ArgumentError: width must be a whole number, 1 or more, not 'five'
    """
