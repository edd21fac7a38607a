"""Perft with a transposition table: the count of a position that is met again is read."""

from __future__ import annotations

from typing import Any, Final

from games.game import CHANCE, Game
from games.u64 import U64
from strategies.native.hooks import GOLDEN, branches_of, child_of, hash_of
from strategies.native.kernels.control import HAS_CHANCE, IN_PLAY, STOP, TRACED, Control, kernel
from strategies.native.memory.cells import stopped
from strategies.native.memory.transposition_table import EXACT, depth_in, keep, kind_in, probe

LEAST: Final = 2
"""The plies of the smallest counts that are stored: one ply is counted as fast as looked up."""
LARGEST: Final = 1 << 53
"""Counts from here on are not stored, because the value of an entry is a float."""


@kernel
def perft_with_table(
    game: Game[Any, Any], state: Any, depth: int, ended: bool, control: Control, table: Any
) -> int:
    """Count the positions after exactly `depth` plies, as `fixed_depth.perft` does.

    The plies left are part of the hash, so that counts of one position do not replace each other.
    """
    if depth == 0:
        return 1
    if depth >= TRACED and stopped(control):
        return 0
    if game.status(state) != IN_PLAY:
        return 1 if ended else 0
    word = U64(0)
    if depth >= LEAST:
        word = hash_of(game, state) ^ (U64(depth) * GOLDEN)
        entry, known = probe(table, control, word)
        if kind_in(entry) == EXACT and depth_in(entry) == depth:
            return int(known)
    count = 0
    none = True
    by_chance = False
    if HAS_CHANCE:  # noqa: SIM102
        if game.player(state) == CHANCE:
            by_chance = True
            none = False
            for _, child in game.outcomes(state):
                count += perft_with_table(game, child, depth - 1, ended, control, table)
    if not by_chance:
        for branch in branches_of(game, state):
            none = False
            child = child_of(game, state, branch)
            count += perft_with_table(game, child, depth - 1, ended, control, table)
    if none:
        raise ValueError("a position in play has no moves")
    if depth >= LEAST and count < LARGEST and control[STOP] == 0:  # a stopped count is too small
        keep(table, control, word, depth, EXACT, -1, float(count))
    return count
