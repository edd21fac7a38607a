"""Read calls of literals, such as ``name(2, depth=3)``, from text, without running code."""

from __future__ import annotations

import ast
from collections.abc import Callable
from inspect import signature
from typing import Any, TypeVar

from attrs import frozen

from strategies.algebra.decimals import lost

T = TypeVar("T")


class CallError(ValueError):
    """Raised for a text that is not a call of literals; the message says what is wrong."""


def name_called(text: str) -> str:
    """Return the text before the first bracket: the name, if the text is a call.

    >>> name_called("random(seed=3)"), name_called("random")
    ('random', 'random')
    """
    return text.partition("(")[0].strip()


def shortened(text: str, most: int = 100) -> str:
    """Return a text on one line, cut after `most` characters, for error messages."""
    text = " ".join(text.split())
    return text if len(text) <= most else text[:most] + "…"


@frozen
class Call:
    """A parsed call: a name, and arguments whose literals are not read yet."""

    name: str
    source: str
    args: tuple[ast.expr, ...] = ()
    keywords: tuple[ast.keyword, ...] = ()

    def arguments(self) -> tuple[list[Any], dict[str, Any]]:
        """Read the positional and the named arguments.

        Raises: CallError if one is not a literal, is given twice, or is too small for a float.

        >>> parse_call("mcts(500, c=1.5)").arguments()
        ([500], {'c': 1.5})
        """
        names = [k.arg for k in self.keywords]
        if None in names:
            raise CallError("** is not allowed; name each argument")
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise CallError(f"{twice[0]} is given twice")
        named = {str(k.arg): self._literal(k.value, f"{k.arg}: ") for k in self.keywords}
        return [self._literal(value) for value in self.args], named

    def _literal(self, value: ast.expr, name: str = "") -> Any:
        constants = [node for node in ast.walk(value) if isinstance(node, ast.Constant)]
        for node in constants:
            if isinstance(node.value, float) and lost(written := self._written(node)):
                raise CallError(f"{name}{shortened(written)} is too small for a float")
        try:
            return ast.literal_eval(value)
        except (TypeError, ValueError, RecursionError, MemoryError):
            why = "is neither a number nor a text in quotes"
            raise CallError(f"{name}{shortened(self._written(value))} {why}") from None

    def _written(self, value: ast.expr) -> str:
        return ast.get_source_segment(self.source, value) or ""

    def to(self, function: Callable[..., T]) -> T:
        """Call a function with the arguments.

        Raises: CallError if the function takes other arguments; what the function raises.

        >>> parse_call("pow(2, 3)").to(pow)
        8
        >>> parse_call("pow(2)").to(pow)
        Traceback (most recent call last):
            ...
        strategies.notation.calls.CallError: missing a required argument: 'exp'
        """
        args, named = self.arguments()
        try:
            signature(function).bind(*args, **named)
        except TypeError as error:
            raise CallError(str(error)) from None
        return function(*args, **named)


def parse_call(text: str) -> Call:
    """Read a call, as ``name(arguments)`` or the bare ``name``; no code is run.

    Raises: CallError, one line, if the text has another form.

    >>> parse_call("alphabeta").name
    'alphabeta'
    """
    source = text.strip()
    try:
        match ast.parse(source, mode="eval").body:
            case ast.Name(id=name):
                return Call(name, source)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
                return Call(name, source, tuple(args), tuple(keywords))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    raise CallError(f"{shortened(source)!r} is not a name with arguments in brackets")
