"""The engine `today`: a rule of a game calls the function, and a search returns its value.

It can only tell numbers, so a program for it folds its variables into one.
"""

from __future__ import annotations

import builtins
import inspect
import sys
from collections.abc import Callable
from typing import Any

GAME = """

from attrs import frozen as _frozen
from games import Game as _Game, Status as _Status

@_frozen
class TodaysState:
    ply: int = 0

@_frozen
class TodaysGame(_Game[TodaysState, int]):
    def start(self): return TodaysState()
    def status(self, state): return _Status.IN_PLAY
    def player(self, state): return state.ply % 2
    def moves(self, state):
        yield 0
    def make_move(self, state, move): return TodaysState(state.ply + 1)
    def estimate(self, state): return ENTRY(ARGUMENTS)
"""


def today(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that runs the function as a rule of a game, in machine code."""
    from games.failed import RuleFailed
    from strategies import RuleError, alphabeta, search
    from tests.programs.engines import Refused
    from tests.programs.judging import module_of

    source = inspect.getsource(sys.modules[function.__module__])

    def run(*arguments: Any) -> Any:
        text = GAME.replace("ENTRY", function.__name__)
        text = text.replace("ARGUMENTS", ", ".join(map(repr, arguments)))
        with module_of(source + text, "todays_program") as module:
            game = module.TodaysGame()
            try:
                return search(game, alphabeta(depth=1), engine="native").compute().value
            except RuleError as error:
                raise Refused(str(error).partition("\n")[2][-150:].replace("\n", " ")) from None
            except RuleFailed as error:
                if "not a number from" in str(error):
                    raise Refused("a value beyond what an estimate may be") from None
                name = str(error.args[3]).removeprefix("in machine code: ").partition(":")[0]
                raise getattr(builtins, name, type(name, (Exception,), {})) from None

    run.numbers = True  # type: ignore[attr-defined]
    return run
