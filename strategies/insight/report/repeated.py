"""Python code that repeats a search, with its imports."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping

import attrs

from strategies.running.records.request import SearchRequest

STARS = "games", "strategies"
"""The packages of which the code imports all names."""


def code_of(request: SearchRequest) -> str:
    """Return Python code that repeats a search: imports, and its expression.

    >>> from games import Nim
    >>> from strategies import alphabeta, search
    >>> game = Nim()
    >>> late = game.make_move(game.start(), (0, 2))
    >>> print(code_of(search(game, alphabeta(2), state=late).compute(num_workers=1).request))
    from games import *
    from strategies import *
    from games.nim import Heaps
    <BLANKLINE>
    result = search(Nim(heaps=(3, 4, 5), misere=False), alphabeta(depth=2), ...
    """
    expression = request.expression
    named = {node.id for node in ast.walk(_parsed(expression)) if isinstance(node, ast.Name)}
    named.discard("search")  # a module of the game may call something else so
    parts = request.game, request.state, request.algorithm, request.strategy
    modules = dict.fromkeys(kind.__module__ for kind in _classes(parts, set()))
    homes = [sys.modules[name] for name in modules if name not in ("__main__", "builtins")]
    lines = []
    for name in sorted(named):
        home = next((each for each in homes if hasattr(each, name)), None)
        if home is not None and not _starred(name, getattr(home, name)):
            lines.append(f"from {home.__name__} import {name}")
    stars = [f"from {package} import *" for package in STARS]
    return "\n".join([*stars, *lines, "", f"result = {expression}"])


def _parsed(expression: str) -> ast.AST:
    """Return the syntax tree; an empty one for values whose repr is no expression."""
    try:
        return ast.parse(expression)
    except SyntaxError:
        return ast.Module([], [])


def _starred(name: str, value: object) -> bool:
    """Return whether a name means this value after the imports of all names."""
    packages = [sys.modules[package] for package in reversed(STARS)]
    package = next((each for each in packages if name in each.__all__), None)
    return package is not None and getattr(package, name) is value


def _classes(values: Iterable[object], seen: set[int]) -> Iterator[type]:
    """Yield the classes of values and of all values in their fields and collections."""
    for value in values:
        if id(value) in seen:
            continue
        seen.add(id(value))
        yield type(value)
        if isinstance(value, Mapping):
            yield from _classes([*value, *value.values()], seen)
        elif isinstance(value, (tuple, list, set, frozenset)):
            yield from _classes(value, seen)
        elif attrs.has(type(value)):
            fields: Iterable[attrs.Attribute[object]] = attrs.fields(type(value))  # type: ignore[arg-type]
            yield from _classes([getattr(value, field.name, None) for field in fields], seen)
