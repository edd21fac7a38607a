"""Guards the interpreted rules of a game, as the compiled ones are guarded: a player or a status
that is none, or a rule that changes a position in place, would make every search wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from inspect import getattr_static
from types import FunctionType
from typing import Any

from games.attributes import held_by
from games.failed import RuleFailed, wrong_player, wrong_status
from games.mutable import changed, mutable_parts
from strategies.native.table_contents import contents, same


def guarded(game: Any, changeable: bool) -> Any:
    """Return the game with rules that check what they return; if its positions are `changeable`,
    because they hold lists, dicts, sets or arrays, also that they leave them as they were.

    Raises: RuleFailed, by a rule of the returned game that changes a position; ValueError, by its
    `player` and `status`, for the way there to be found as that of any error.
    """
    cls: Any = type(game)
    called = getattr_static(cls, "player", None), getattr_static(cls, "status", None)
    plain = all(type(rule) is FunctionType for rule in called)
    twin = object.__new__(_guarded_class(cls, changeable, plain))
    for name, value in held_by(game).items():
        object.__setattr__(twin, name, value)
    return twin


@lru_cache(maxsize=64)
def _guarded_class(cls: Any, changeable: bool, plain: bool) -> Any:
    # `super` binds static methods, methods of the class and other objects too, but takes longer.
    def player(self: Any, state: Any) -> Any:
        found = cls.player(self, state) if plain else super(twin, self).player(state)
        if why := wrong_player(self, found):
            raise ValueError(why)
        return found

    def status(self: Any, state: Any) -> Any:
        found = cls.status(self, state) if plain else super(twin, self).status(state)
        if why := wrong_status(found):
            raise ValueError(why)
        return found

    def make_move(self: Any, state: Any, move: Any) -> Any:
        with _unchanged(f"make_move({move!r})", state):
            return super(twin, self).make_move(state, move)

    def outcomes(self: Any, state: Any) -> Iterator[Any]:
        with _unchanged("outcomes", state):
            found = list(super(twin, self).outcomes(state))
        return iter(found)

    rules = {"__module__": cls.__module__, "player": player, "status": status}
    if changeable:
        rules |= {"make_move": make_move, "outcomes": outcomes}
    twin: Any = type(cls.__name__, (cls,), rules)
    return twin


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
