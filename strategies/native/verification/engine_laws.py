"""Adds the laws of games that need the engines, for `games.laws.check_laws`."""

from __future__ import annotations

from typing import Any

from games import WIN, Game
from games.game import LONGEST
from games.laws import Broken, Law, law_of_states
from games.laws.law import a_player_moves
from games.laws.of_play import defines
from strategies.native.calls.alphabeta import search_deepening
from strategies.native.calls.maxn import search_maxn
from strategies.native.calls.solver import Solver, Unprovable
from strategies.native.engine import Engine, Searched, engine_for
from strategies.native.errors import RuleFailed
from strategies.native.memory.cells import Stop
from strategies.native.memory.transposition_table import Table

DEPTH = 2
"""Plies of the searches that are compared: enough to call every rule."""

NEAR_THE_END = 9
"""Positions that end in fewer plies are played out."""
POSITIONS = 5_000
"""What is searched to the end has no more positions: the law is asked very often."""


def _not_native(game: Game[Any, Any]) -> str:
    engine = engine_for(game)
    return "" if engine.native else engine.reason


@law_of_states(unless=_not_native)
def engines_agree(game: Game[Any, Any], state: Any) -> None:
    """As machine code, the rules say what they say interpreted: value, line, nodes and leaves of a
    search are the same on both engines."""
    search = Engine.search if game.players < 3 else search_maxn
    try:
        wanted = search(engine_for(game, "interpreted"), state, DEPTH)
    except RuleFailed:  # the law `rules_answer` reports it
        return
    got = search(engine_for(game, "native"), state, DEPTH)
    if wanted != got:
        raise Broken(f"{wanted} (interpreted)", f"{got} (machine code)")


def _no_hooks(game: Game[Any, Any]) -> str:
    if game.players > 2:
        return "the game has more than two players"
    hooks = ("key", "bounds", "candidates", "promise")
    return "" if any(defines(game, h) for h in hooks) else f"the game defines no {', '.join(hooks)}"


@law_of_states(a_player_moves, _no_hooks)
def hooks_change_no_value(game: Game[Any, Any], state: Any) -> None:
    """A search helped by `key` and `promise`, and near the end a proof helped by `bounds` and
    `candidates` too, finds the value and the move of a search of all moves in order."""
    engine = engine_for(game)
    try:
        wanted = engine.search(state, DEPTH + 1)
        helped = search_deepening(engine, Table("16kB"), state, DEPTH + 1)
        _compare(wanted, helped.value, helped.line[:1])
        depth = next((d for d in range(1, NEAR_THE_END) if engine.perft(state, d) == 0), None)
        if depth is None or sum(engine.perft(state, d) for d in range(depth)) > POSITIONS:
            return
        wanted = engine.search(state, depth)
        solver = Solver(engine, Table("16kB"), Stop())
        proved = solver.value(state)
        more = depth - LONGEST  # a search counts a win by the plies that it has left
        value = proved + more if proved >= WIN else proved - more if proved <= -WIN else proved
        _compare(wanted, value, solver.best_line(state, proved)[:1])
    except (RuleFailed, Unprovable):  # another law reports it; or chance moves later
        return


def _compare(wanted: Searched, value: float, line: tuple[int, ...]) -> None:
    if (wanted.value, wanted.line[:1]) != (value, line):
        plain = f"value {wanted.value} by branch {wanted.line[:1]} (all moves in order)"
        raise Broken(plain, f"value {value} by branch {line} (helped)")


LAWS: tuple[Law, ...] = (engines_agree, hooks_change_no_value)
"""The laws that this package adds."""
