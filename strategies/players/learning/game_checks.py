"""Checks of a game before it is learned, in some positions of random games."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from games import CHANCE, MAXIE, MINNIE, NTuples, Status
from games.failed import failures_named
from games.networks.learned import Network
from games.networks.learned import check_game as check_learned
from graphs.arguments import shown
from graphs.errors import ArgumentError, MalformedError
from strategies.players.readings import sampled


def check_all_cells(game: Any, network: Network, seed: int) -> None:
    """Check the cells of some positions of random games.

    Raises: MalformedError if the game cannot be learned, or a cell or a stage has no weight, as a
    neighbour's would be updated instead; RuleFailed if the rule fails.
    """
    check_learned(game, network)
    for state in sampled(game, seed):
        check_cells(game, network, state)


def check_start(game: Any, seed: int) -> None:
    """Check, in some positions of random games, that the opponent answers each move.

    Raises: ArgumentError, as one value of all positions would else not be that of the player whose
    move led there; RuleFailed if a rule fails.
    """
    for state in sampled(game, seed):
        with failures_named(game, state, ()):
            if game.status(state) != Status.IN_PLAY or game.player(state) == CHANCE:
                continue
            other = MINNIE if game.player(state) == MAXIE else MAXIE
            for child in (game.make_move(state, move) for move in game.moves(state)):
                if game.status(child) == Status.IN_PLAY and game.player(child) != other:
                    raise ArgumentError(
                        "start must be 0 in a game of two players where a move is followed by "
                        f"another of the same player, or by chance, as in {shown(child)}"
                    )


def check_cells(game: Any, network: Network, state: Any) -> None:
    """Check that a network has weights for a position: for each of its cells, and its stage.

    Raises: MalformedError; RuleFailed if the rule fails.
    """
    for k in network.seen:
        with failures_named(game, state, ()):
            value = game.cell(state, k)
        if not isinstance(value, Integral) or not 0 <= int(value) < network.values:
            most = network.values - 1
            raise MalformedError(
                f"cell(state, {k}) returned {shown(value)} in {state!r}; the network has "
                f"values 0 to {most}, whole numbers"
            )
    if isinstance(network, NTuples) and network.stages > 1:
        with failures_named(game, state, ()):
            stage = game.stage(state)
        if not isinstance(stage, Integral) or int(stage) < 0:
            raise MalformedError(
                f"stage(state) returned {shown(stage)} in {state!r}; stages are whole numbers "
                "from 0 on"
            )
