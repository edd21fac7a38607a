"""What a network reads of some positions, by which other rules are noticed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from random import Random
from typing import Any, Final

from games import Status
from games.failed import failures_named
from games.networks.learned import Network, check_game, defines, inputs_rule
from strategies.native.engine import Engine

SAMPLED: Final = 8
"""The random games that are played besides that of the seed."""


def sampled(game: Any, seed: int) -> Iterator[Any]:
    """Yield some positions of random games, always the same for a seed; the last ones may be over.

    Raises: RuleFailed if a rule fails.
    """
    rules, random = Engine(game, "interpreted"), Random(seed)
    for drawn in (seed, *(random.getrandbits(63) for _ in range(SAMPLED))):
        for plies in (0, 1, 2, 4, 8, 16, 32, 64):
            state, played = rules.playout(game.start(), drawn, plies)
            yield state
            if played < plies:
                break


def reading_of(game: Any, network: Network) -> str:
    """Return a digest of what a network reads of some positions in play, and of the rules that its
    value depends on: the player, and what is `secured`.

    Ensures: it depends on what the rules return and not on how they are written, or in which
    module; files keep it, so it stays the same.
    Raises: MalformedError if the game has no rule that the network reads; RuleFailed if one fails.

    >>> from games import NTuples, TicTacToe
    >>> reading_of(TicTacToe(), NTuples(3, ((0, 1), (4,))))
    '39ce321b590591909c9db24fe2f66a60'
    """
    check_game(game, network)
    inputs, text = inputs_rule(type(game), network), hashlib.sha256()
    for state in sampled(game, 0):
        with failures_named(game, state, ()):
            if game.status(state) == Status.IN_PLAY:
                secured = float(game.secured(state)) if defines(type(game), "secured") else 0.0
                row = *map(int, inputs(game, state)), int(game.player(state)), secured
                text.update(f"{row}\n".encode())
    return text.hexdigest()[:32]
