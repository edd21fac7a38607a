"""Positions as a search sees them: what moves, the branches, whether it is over; failures told."""

from __future__ import annotations

from typing import Any

from games import CHANCE, MAXIE, Game, Status
from strategies.native.failures import failure_at
from strategies.strategy import Kind


def kind_of(game: Game[Any, Any], state: Any) -> Kind:
    """What moves at a position."""
    player = game.player(state)
    return "chance" if player == CHANCE else "max" if player == MAXIE else "min"


def children(game: Game[Any, Any], state: Any, kind: Kind) -> list[tuple[Any, float, Any]]:
    """(move, probability, position) of each branch, in order; an outcome's move is its number."""
    if kind == "chance":
        return [(i, p, s) for i, (p, s) in enumerate(game.outcomes(state))]
    return [(m, 1, game.make_move(state, m)) for m in game.moves(state)]


def look(game: Game[Any, Any], state: Any) -> tuple[Kind, list[tuple[Any, float, Any]]]:
    """What moves at a position, and its branches.

    Raises: RuleFailed, which tells the rule and the position, if a rule fails.
    """
    try:
        kind = kind_of(game, state)
        return kind, children(game, state, kind)
    except Exception as error:
        raise failure_at(game, state, error) from error


def is_over(game: Game[Any, Any], state: Any) -> bool:
    """Whether a position is not in play.

    Raises: RuleFailed if the rule fails.
    """
    try:
        return bool(game.status(state) != Status.IN_PLAY)
    except Exception as error:
        raise failure_at(game, state, error) from error


def told(move: Any, chance: bool) -> str:
    """A move as errors tell it."""
    return f"outcome {move}" if chance else str(move)
