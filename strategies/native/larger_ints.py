"""Rules whose ints outgrow machine code: they are interpreted, unless the user chose the engine."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

from games.failed import StateTooLarge, TooLarge
from strategies.native.kept_engines import engine_for
from strategies.rules.language.messages import TooWide

P = ParamSpec("P")
T = TypeVar("T")

REASON: Final = "its rules need ints of more than 64 bits"


def with_any_ints(game: Any, choice: str, run: Callable[[], T], *, here: bool = True) -> T:
    """Run something; if an int outgrows machine code under engine "auto", run it again in Python.

    It is not run again if it does not run `here`: the engines of other processes would not know.
    Ensures: from then on, the engine of the game interprets the rules, and says why.
    """
    try:
        return run()
    except (TooLarge, StateTooLarge, TooWide):  # of a rule, or of what reads a position
        if choice != "auto" or not here or not (engine := engine_for(game)).native:
            raise
        engine.interpret(REASON)
        return run()


def any_ints(function: Callable[P, T]) -> Callable[P, T]:
    """Decorate a function of a game, and of an `engine`, to run as by `with_any_ints`."""

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        game = args[0] if args else kwargs.get("game")
        choice = str(kwargs.get("engine", "auto"))
        return with_any_ints(game, choice, lambda: function(*args, **kwargs))

    return run
