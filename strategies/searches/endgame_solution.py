"""The solution of a position, read from the endgame table of all that can be reached from it."""

from __future__ import annotations

from strategies.native.engine import plain
from strategies.running.records.clocks import Call
from strategies.running.records.record import process
from strategies.searches.endgame import EndgameTable
from strategies.searches.solution import Solution


def solution_in(table: EndgameTable, plies: int, scored: bool) -> Solution:
    """Return the solution of a table's position, with at most `plies` plies of its best line.

    `scored` means that the values of the game are scores, not wins.
    The line ends where chance moves, or where it would return to a position.
    """
    game, state = table.game, table.state
    low, high = table.bounds(state)
    if high - low <= table.tolerance:
        low = high = (low + high) / 2
    branches, seen, here = list[int](), {state}, state
    solved = low > 0 or scored or game.players > 1  # else it is a puzzle without a solution
    while solved and len(branches) < plies and (best := table.moves(here)):
        moves = list(game.moves(here))
        here = game.make_move(here, best[0])
        branches.append(moves.index(best[0]))
        if here in seen:
            break
        seen.add(here)
    return Solution(
        plain(low), plain(high), len(table), call=Call(process(), 0.0, table.seconds),
        replay=(game, state, tuple(branches)), alone=game.players == 1,
        scored=scored, distance=table.plies(state),
    )  # fmt: skip
