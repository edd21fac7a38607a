"""Laws of games that need the engines: extra laws for `games.laws.check_laws`."""

from __future__ import annotations

from typing import Any

from games import Game
from games.laws import Broken, Law, law_of_states
from strategies.native import RuleFailed, engine_for

DEPTH = 2
"""Plies of the searches that are compared: enough to call every rule."""


def _not_native(game: Game[Any, Any]) -> str:
    engine = engine_for(game)
    return "" if engine.native else engine.reason


@law_of_states(unless=_not_native)
def engines_agree(game: Game[Any, Any], state: Any) -> None:
    """As machine code, the rules say what they say interpreted: value, line, nodes and leaves of a
    search are the same on both engines."""
    try:
        wanted = engine_for(game, "interpreted").search(state, DEPTH)
    except RuleFailed:  # the law `rules_answer` reports it
        return
    got = engine_for(game, "native").search(state, DEPTH)
    if wanted != got:
        raise Broken(f"{wanted} (interpreted)", f"{got} (machine code)")


LAWS: tuple[Law, ...] = (engines_agree,)
"""The laws that this package adds."""
