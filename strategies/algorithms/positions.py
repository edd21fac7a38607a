"""Positions as a search sees them: what moves, the branches, whether it is over; failures told."""

from __future__ import annotations

from typing import Any

from games import CHANCE, MAXIE, Game, Status
from strategies.algebra.strategy import Kind
from strategies.native.errors import RuleFailed
from strategies.native.failures import failure_at

STATUSES = frozenset(Status)


def start_of(game: Game[Any, Any]) -> Any:
    """The first position.

    Raises: RuleFailed if the rule fails.
    """
    try:
        return game.start()
    except Exception as error:
        raise RuleFailed("start", (), None, f"{type(error).__name__}: {error}") from error


def kind_of(game: Game[Any, Any], state: Any) -> Kind:
    """What moves at a position."""
    player = game.player(state)
    return "chance" if player == CHANCE else "max" if player == MAXIE else "min"


def children(game: Game[Any, Any], state: Any, kind: Kind) -> list[tuple[Any, float, Any]]:
    """(move, probability, position) of each branch, in order; an outcome's move is its number."""
    if kind == "chance":
        return [(i, p, s) for i, (p, s) in enumerate(game.outcomes(state))]
    return [(m, 1, game.make_move(state, m)) for m in game.moves(state)]


def expand(game: Game[Any, Any], state: Any) -> tuple[Kind, list[tuple[Any, float, Any]]]:
    """What moves at a position, and its branches.

    Raises: RuleFailed, which tells the rule and the position, if a rule fails.
    """
    try:
        kind = kind_of(game, state)
        found = children(game, state, kind)
    except Exception as error:
        raise failure_at(game, state, error) from error
    check(game, state, kind, found)
    return kind, found


def check(
    game: Game[Any, Any], state: Any, kind: Kind, found: list[tuple[Any, float, Any]]
) -> None:
    """Raises RuleFailed where the rules of a position in play contradict themselves."""

    def wrong(rule: str, why: str) -> RuleFailed:
        return RuleFailed(rule, (), state, why)

    player = game.player(state)
    if not isinstance(player, int) or not CHANCE <= player < game.players:
        most = game.players - 1
        raise wrong("player", f"it gave {player!r}, not a player from 0 to {most}, or CHANCE")
    if not found:
        rule = "outcomes" if kind == "chance" else "moves"
        raise wrong(rule, f"it gave none, but status says {game.status(state)!r}")
    if kind == "chance":
        odds = [p for _, p, _ in found]
        if not all(p > 0 for p in odds) or abs(sum(odds) - 1) > 1e-6:
            raise wrong("outcomes", f"probabilities above 0 that sum to 1 are wanted, not {odds}")


def is_terminal(game: Game[Any, Any], state: Any) -> bool:
    """Whether a position is not in play.

    Raises: RuleFailed if the rule fails.
    """
    try:
        status = game.status(state)
    except Exception as error:
        raise failure_at(game, state, error) from error
    if status not in STATUSES:
        why = f"it gave {status!r}, not a Status"
        raise RuleFailed("status", (), state, why)
    return bool(status != Status.IN_PLAY)


def move_named(move: Any, chance: bool) -> str:
    """A move as errors tell it."""
    return f"outcome {move}" if chance else str(move)
