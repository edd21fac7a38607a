"""Openings: random first moves, the same for all players and different from each other."""

from __future__ import annotations

from random import Random
from typing import Any

from games import CHANCE, Game, Status
from games.endings import ply_limit_of
from games.failed import moves_there
from games.referee import draw_outcome, play_turn
from graphs.errors import ArgumentError

TRIES = 50
"""How often to draw again if an opening was drawn before."""

Opening = tuple[str | int, ...]
"""The turns of a `games.referee.Record`: texts of moves, numbers of outcomes."""


def openings(game: Game[Any, Any], count: int, plies: int, seed: int | str) -> tuple[Opening, ...]:
    """Draw `count` openings of `plies` random moves; outcomes of chance do not count as moves.

    Ensures: the game is in play after each.  No two lead to the same position, until `TRIES` tries
    find no new one; then earlier ones may be drawn again.  A larger `count` only adds openings.
    Raises: ValueError if the game ends before.

    >>> from games import TicTacToe
    >>> openings(TicTacToe(), 3, 2, seed=1)
    (('6', '7'), ('8', '7'), ('1', '4'))
    """
    drawn: set[str] = set()
    return tuple(_opening(game, plies, f"{seed} {number}", drawn) for number in range(count))


def _opening(game: Game[Any, Any], plies: int, seed: str, drawn: set[str]) -> Opening:
    found: Opening | None = None
    for attempt in range(TRIES):
        turns, state = _random_turns(game, plies, Random(f"opening {seed} {attempt}"))
        if game.status(state) == Status.IN_PLAY:
            found, label = turns, game.label(state)
            if label not in drawn:
                drawn.add(label)
                return turns
    drawn.clear()  # few new openings are left, so allow earlier ones again
    if found is None:
        raise ArgumentError(f"the game is over within {plies} random plies; use fewer plies")
    return found


def _random_turns(game: Game[Any, Any], plies: int, generator: Random) -> tuple[Opening, Any]:
    state, turns, made = game.start(), list[str | int](), 0
    most = plies + ply_limit_of(game)  # chance alone may go on for ever
    while made < plies and len(turns) < most and game.status(state) == Status.IN_PLAY:
        if game.player(state) == CHANCE:
            turns.append(draw_outcome(game, state, generator))
        else:
            moves = moves_there(game, state, turns)
            turns.append(game.move_text(state, moves[generator.randrange(len(moves))]))
            made += 1
        state = play_turn(game, state, turns[-1])
    return tuple(turns), state
