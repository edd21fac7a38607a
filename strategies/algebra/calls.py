"""Read calls of literals, such as ``name(2, depth=3)``, from text, without running code."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import lru_cache
from inspect import signature
from typing import Any, Final, TypeVar

from attrs import frozen

from graphs.arguments import QUOTED, excerpt, repeated, shown

T = TypeVar("T")
_NONZERO: Final = re.compile(r"[^e]*[1-9]", re.IGNORECASE)


class CallError(ValueError):
    """Raised for a text that is not a call of literals; the message says what is wrong."""


def name_called(text: str) -> str:
    """Return the text before the first bracket: the name, if the text is a call.

    >>> name_called("random(seed=3)"), name_called("random")
    ('random', 'random')
    """
    return text.partition("(")[0].strip()


def lost(text: str) -> bool:
    """Return whether a decimal is so small that a float would read it as 0.

    A number that is too large is read as infinity, which no argument accepts.

    >>> lost("1e-400"), lost("0e-400"), lost("1e-300")
    (True, False, False)
    """
    return float(text) == 0 and _NONZERO.match(text) is not None


def segment(source: str, node: ast.expr) -> str:
    """Return the text of a part of an expression that was parsed from `source`.

    `ast.get_source_segment` splits the whole source for each part.

    >>> segment("f(1, 0.5)", ast.parse("f(1, 0.5)", mode="eval").body.args[1])
    '0.5'
    """
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    lines = _lines(source)[first : last + 1]
    lines[-1] = lines[-1][: node.end_col_offset]
    lines[0] = lines[0][node.col_offset :]
    return b"\n".join(lines).decode()


@lru_cache(1)
def _lines(source: str) -> list[bytes]:
    return re.split(rb"\r\n|\r|\n", source.encode())


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
        if twice := repeated(map(str, names)):
            raise CallError(f"{excerpt(twice)} is given twice")
        named = {str(k.arg): self._literal(k.value, f"{k.arg}: ") for k in self.keywords}
        return [self._literal(value) for value in self.args], named

    def _literal(self, value: ast.expr, name: str = "") -> Any:
        constants = [node for node in ast.walk(value) if isinstance(node, ast.Constant)]
        for node in constants:
            if isinstance(node.value, float) and lost(written := self._written(node)):
                raise CallError(f"{name}{excerpt(written)} is too small for a float")
        try:
            return ast.literal_eval(value)
        except (TypeError, ValueError, RecursionError, MemoryError):
            why = "is neither a number nor a text in quotes"
            raise CallError(f"{name}{excerpt(self._written(value))} {why}") from None

    def _written(self, value: ast.expr) -> str:
        return segment(self.source, value)

    def to(self, function: Callable[..., T]) -> T:
        """Call a function with the arguments.

        Raises: CallError if the function takes other arguments; what the function raises.

        >>> parse_call("pow(2, 3)").to(pow)
        8
        >>> parse_call("pow(2)").to(pow)
        Traceback (most recent call last):
            ...
        strategies.algebra.calls.CallError: missing a required argument: 'exp'
        """
        args, named = self.arguments()
        try:
            signature(function).bind(*args, **named)
        except TypeError as error:
            raise CallError(excerpt(str(error), 2 * QUOTED)) from None
        return function(*args, **named)


def usage(name: str, function: Callable[..., object]) -> str:
    """Return how a function is called: its parameters, and the defaults of those that have one.

    >>> usage("pow", pow), usage("f", lambda: 0)
    ('pow(base, exp, mod=None)', 'f()')
    """
    found = signature(function).parameters.values()
    takes = (p.name if p.default is p.empty else f"{p.name}={p.default!r}" for p in found)
    return f"{name}({', '.join(takes)})"


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
    raise CallError(f"{shown(source)} is not a name with arguments in brackets")
