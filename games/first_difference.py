"""Follow a count that differs down to the first move that differs, ply by ply."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from games.game import CHANCE, Game, Status

ByMove = Sequence[tuple[str, int]]
"""The positions after each first move, in the order of the moves."""
Divide = Callable[[Game[Any, Any], Any, int], ByMove]
"""A function of a game, a position and a depth that counts positions by the first move."""
Reference = Callable[[tuple[str, ...], Any, int], ByMove | None]
"""A function of some moves, the position to which they lead and a depth that returns the counts
which are held to be right; None if they are unknown."""


@frozen
class Difference:
    """The first move that differs: what leads to it, the plies left there, and what differs."""

    turns: tuple[str, ...]
    """The moves before it, and the move; without the latter if no move could be named."""
    depth: int
    """The plies of the counts in which it shows."""
    what: str

    def __str__(self) -> str:
        *before, move = self.turns or ("",)
        after = f"after {' '.join(before)}, " if before else ""
        return f"{after}{f'move {move} ' if move else ''}{self.what}"


def branches(game: Game[Any, Any], state: Any) -> list[tuple[str, Any]]:
    """Return the text of each move of a position, or # and the number of an outcome, and the next
    position."""
    if game.status(state) != Status.IN_PLAY:
        return []
    if game.player(state) == CHANCE:
        return [(f"#{n}", child) for n, (_, child) in enumerate(game.outcomes(state))]
    moves = [(game.move_text(state, move), move) for move in game.moves(state)]
    return [(text, game.make_move(state, move)) for text, move in moves]


def first_difference(
    game: Game[Any, Any], state: Any, depth: int, divide: Divide, reference: Reference
) -> Difference | None:
    """Find the first move that differs from a reference, as people do by hand with counts by move.

    A move that only one of the two has is told at once; else the first move with another count is
    made, and its replies are compared in the same way, one ply less deep.

    Ensures: None if the reference knows no counts by move of this position, or the same ones.
    Cost: counts of one position for each ply.
    Source: the command *divide* of chess programs.
    """
    turns: tuple[str, ...] = ()
    last: Difference | None = None
    while depth > 0:
        wanted = reference(turns, state, depth)
        if wanted is None:
            break
        found = divide(game, state, depth)
        known, own = dict(wanted), dict(found)
        if odd := _odd(found, known):
            return Difference((*turns, odd), depth, _superfluous(odd, known))
        if lacking := next((text for text, _ in wanted if text not in own), None):
            return Difference((*turns, lacking), depth, "is missing")
        text = next((text for text, count in found if known[text] != count), None)
        if text is None:
            break
        turns = (*turns, text)
        last = Difference(turns, depth, f"counts {own[text]:,} instead of {known[text]:,}")
        state = dict(branches(game, state))[text]
        depth -= 1
    return last


def _odd(found: ByMove, known: dict[str, int]) -> str | None:
    """Return the first move that the reference has not, or that is listed again."""
    seen: set[str] = set()
    for text, _ in found:
        if text not in known or text in seen:
            return text
        seen.add(text)
    return None


def _superfluous(text: str, known: dict[str, int]) -> str:
    return "is superfluous" if text not in known else "is listed twice"
