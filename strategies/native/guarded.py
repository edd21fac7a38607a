"""Guards the interpreted rules of a game whose positions hold lists, dicts, sets or arrays: a rule
that changes a position in place would make every search wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import attrs

from games.failed import RuleFailed
from games.mutable import changed, mutable_parts
from strategies.native.reach import contents, same


def guarded(game: Any) -> Any:
    """Return the game with rules that check after each move and outcome that the position is as it
    was.

    Raises: RuleFailed, by the rules of the returned game.
    """
    cls: Any = type(game)
    if not attrs.has(cls):
        return game
    twin = object.__new__(_guarded_class(cls))
    held = {field.name: getattr(game, field.name) for field in attrs.fields(cls)}
    for name, value in (held | getattr(game, "__dict__", {})).items():
        object.__setattr__(twin, name, value)
    return twin


@lru_cache(maxsize=64)
def _guarded_class(cls: Any) -> Any:
    def make_move(self: Any, state: Any, move: Any) -> Any:
        with _unchanged(f"make_move({move!r})", state):
            return cls.make_move(self, state, move)

    def outcomes(self: Any, state: Any) -> Iterator[Any]:
        with _unchanged("outcomes", state):
            found = list(cls.outcomes(self, state))
        return iter(found)

    rules = {"__module__": cls.__module__, "make_move": make_move, "outcomes": outcomes}
    return type(cls.__name__, (cls,), rules)


@contextmanager
def _unchanged(rule: str, state: Any) -> Iterator[None]:
    """Check that the block leaves a position as it was.

    Raises: RuleFailed, which names the field.
    """
    before = [(path, part, contents(part)) for path, part in mutable_parts(state)]
    yield
    for path, part, held in before:
        if not same(contents(part), held):
            raise RuleFailed(rule, (), state, changed(path, part))
