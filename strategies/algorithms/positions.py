"""Positions as nodes of a search: the kind of a node, its branches, and whether it is terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from games import CHANCE, MAXIE, Game, Status
from games.failed import RuleFailed, no_state, wrong_outcomes, wrong_player, wrong_status
from games.kept_position import Kept
from games.mutable import is_mutable
from strategies.algebra.strategy import Kind
from strategies.native.failures import failure_at
from strategies.native.guarded import guarded
from strategies.native.hooks import defines

Branches = Callable[[Game[Any, Any], Any, Kind], list[Any]]
"""A function that returns the branches of a position, like `children`; tuples may be longer."""


def start_of(game: Game[Any, Any]) -> Any:
    """Return the start position.

    Raises: RuleFailed if the rule fails.
    """
    try:
        return game.start()
    except Exception as error:
        raise RuleFailed("start", (), None, f"{type(error).__name__}: {error}") from error


def kind_of(game: Game[Any, Any], state: Any) -> Kind:
    """Return the kind of a node: who moves there."""
    player = game.player(state)
    return "chance" if player == CHANCE else "max" if player == MAXIE else "min"


def at_chance(game: Game[Any, Any], state: Any) -> bool:
    """Return whether chance moves at a position in play."""
    return bool(game.status(state) == Status.IN_PLAY and game.player(state) == CHANCE)


def children(game: Game[Any, Any], state: Any, kind: Kind) -> list[tuple[Any, float, Any]]:
    """Return (move, probability, position) for each branch; an outcome's move is its number."""
    if kind == "chance":
        return [(i, p, s) for i, (p, s) in enumerate(game.outcomes(state))]
    if defines(game, "children"):
        both: Any = game
        return [(move, 1, child) for move, child in both.children(state)]
    return [(m, 1, game.make_move(state, m)) for m in game.moves(state)]


def branch_text(game: Game[Any, Any], state: Any, kind: Kind, move: Any) -> str:
    """Return a branch as people read it: the move as the game writes it, or an outcome's number."""
    return str(move) if kind == "chance" else game.move_text(state, move)


def expand(game: Game[Any, Any], state: Any, by: Branches = children) -> tuple[Kind, list[Any]]:
    """Expand a position: return the kind of its node and the branches that `by` returns.

    Raises: RuleFailed, with the rule and the position, if a rule fails.
    """
    try:
        kind = kind_of(game, state)
        branches = by(guarded(game, changeable=True) if is_mutable(state) else game, state, kind)
    except Exception as error:
        raise failure_at(game, state, error) from error
    check(game, state, kind, branches)
    for branch in branches:
        if why := no_state(branch[2], state):
            raise RuleFailed("outcomes" if kind == "chance" else "make_move", (), state, why)
    return kind, branches


def check_root(game: Game[Any, Any], state: Any) -> None:
    """Check that the rules do not contradict each other where work on a game begins.

    Raises: as `check_branches` and `expand`.
    """
    if not is_terminal(game, state):
        check_unchanged(game, state)
        expand(game, state)


def check_branches(game: Game[Any, Any], state: Any) -> None:
    """Check that the rules do not contradict each other at a position in play.

    No move is made, unless the position is of a class whose objects may change.

    Raises: RuleFailed, with the rule and the position.
    """
    check_unchanged(game, state)
    try:
        kind = kind_of(game, state)
        one = (
            children(game, state, kind) if kind == "chance" else list(islice(game.moves(state), 1))
        )
    except Exception as error:
        raise failure_at(game, state, error) from error
    check(game, state, kind, one)


def check_unchanged(game: Game[Any, Any], state: Any) -> None:
    """Check that a move makes a new position, if positions are of a class whose objects may change.

    Raises: RuleFailed if a move changed the position, which is not restored; it tells what it was.
    """
    kept = Kept.of(state)
    if kept is None:
        return
    try:
        kind, _ = expand(game, state)
    except RuleFailed:  # the first search of this position reports it
        return
    kept.check("outcomes" if kind == "chance" else "make_move")


def check(game: Game[Any, Any], state: Any, kind: Kind, branches: list[Any]) -> None:
    """Raise RuleFailed if the rules contradict each other at a position in play."""

    def wrong(rule: str, why: str) -> RuleFailed:
        return RuleFailed(rule, (), state, why)

    if why := wrong_player(game, game.player(state)):
        raise wrong("player", why)
    if not branches:
        rule = "outcomes" if kind == "chance" else "moves"
        raise wrong(rule, f"it returned none, but status is {game.status(state)!r}")
    if kind == "chance" and (why := wrong_outcomes([branch[1:3] for branch in branches])):
        raise wrong("outcomes", why)


def is_terminal(game: Game[Any, Any], state: Any) -> bool:
    """Return whether a position is terminal.

    Raises: RuleFailed if the rule fails.
    """
    try:
        status = game.status(state)
    except Exception as error:
        raise failure_at(game, state, error) from error
    if why := wrong_status(status):
        raise RuleFailed("status", (), state, why)
    return bool(status != Status.IN_PLAY)


@contextmanager
def branches_named(game: Game[Any, Any], state: Any) -> Iterator[None]:
    """Add the moves from `state` to the failure to a RuleFailed that a search raises."""
    try:
        yield
    except RuleFailed as error:
        if not error.branches:
            raise
        try:
            texts = list(_texts(game, state, error.branches))
        except Exception:  # impure rules may fail on the way; report the first failure
            raise error from error.__cause__
        raise error.named(texts) from error.__cause__


def _texts(game: Game[Any, Any], state: Any, line: tuple[int, ...]) -> Iterator[str]:
    for index in line:
        if kind_of(game, state) == "chance":
            yield f"outcome {index}"
            _, state = next(islice(game.outcomes(state), index, None))
        else:
            move = next(islice(game.moves(state), index, None))
            yield game.move_text(state, move)
            state = game.make_move(state, move)
