"""Plays at random, for the samples of Monte Carlo search: the same for a seed on both engines."""

from __future__ import annotations

from typing import Any, Final

from games.game import CHANCE, WIN, Game
from games.u64 import U64
from strategies.native.hashing import GOLDEN, mix
from strategies.native.hooks import (
    drawn_count_of,
    drawn_of,
    kept,
    memory_mark,
    memory_release,
    payoffs,
    unit_of,
)
from strategies.native.kernels.control import HAS_CHANCE, IN_PLAY, TUNED, kernel
from strategies.native.kernels.mcts_selection import key_of, note_key
from strategies.native.memory.cells import stopped
from strategies.native.memory.floats import INFINITY, all_finite

LONGEST_PLAY: Final = 10_000
"""The plies after which a play that has not ended is estimated."""
ENDLESS: Final = 4
"""If so many plays, the first, do not end within `LONGEST_PLAY`, none is assumed to end."""


@kernel
def rollout(
    game: Game[Any, Any], state: Any, word: U64, plies: int, guided: bool, even: bool,
    noted: int, depth: int, control: Any,
) -> tuple[Any, U64, int]:  # fmt: skip
    """Play at most `plies` random plies; return the last position, the next word, and the plies
    played.

    Every legal move is equally likely, or if the play is `guided`, each that the game's
    `rollout_moves` yields; an outcome has the probability that the game gives it, or if chance is
    to be `even`, all outcomes have the same.  If `noted` is not 0, the moves are noted in the
    control as those of this simulation; the first is at ply `depth`.
    Source: the generator is splitmix64 (Steele, Lea and Flood, 2014).
    """
    played = 0
    while played < plies and game.status(state) == IN_PLAY:
        word = word + GOLDEN
        drawn = mix(word)
        played += 1
        here = state
        if HAS_CHANCE:  # noqa: SIM102 - two tests, so that the compiler can drop the branch
            if game.player(here) == CHANCE:
                left = unit_of(drawn)
                many = 0
                if even:
                    for _ in game.outcomes(here):
                        many += 1
                for probability, child in kept(game.outcomes(here)):
                    state = child
                    left -= 1.0 / many if even else probability
                    if left < 0:
                        break
                continue
        count = drawn_count_of(game, here, guided)
        if count == 0:
            raise ValueError("a position in play has no move to draw")
        chosen = int(((drawn >> 32) * count) >> 32)
        move = drawn_of(game, here, chosen, guided)
        if TUNED:  # noqa: SIM102 - two tests, as above
            if noted != 0:
                key = key_of(game, move, int(game.player(here)))
                note_key(control, key, noted, depth + played - 1)
        state = game.make_move(here, move)
    return state, word, played


@kernel
def spread(
    game: Game[Any, Any], state: Any, seed: int, plies: int, guided: bool, plays: int, control: Any
) -> tuple[float, float, int, bool]:
    """Sample random plays; return their least and greatest value, the number of wins, and whether
    the first of them, played to the end, did not end.

    The values of wins are left out.  All outcomes of chance are equally likely, because improbable
    ones may have the extreme values.  If leaves are estimated after `plies`, the plays have
    different lengths, as leaves have.
    """
    word = mix(U64(seed))
    least, most, wins, cut = INFINITY, -INFINITY, 0, 0
    memory = memory_mark(game)
    for play in range(plays):
        if stopped(control):
            break
        length = plies if plies == LONGEST_PLAY else plies + play
        memory_release(game, memory)
        end, word, _ = rollout(game, state, word, length, guided, True, 0, 0, control)
        if game.status(end) != IN_PLAY:
            values = all_finite(payoffs(game, game.utility(end)))
        else:
            values = all_finite(payoffs(game, game.estimate(end)))
            cut += 1
        if cut == ENDLESS == play + 1 and plies == LONGEST_PLAY:
            return least, most, wins, True
        for value in values:
            if abs(value) >= WIN:
                wins += 1
            else:
                least = min(least, value)
                most = max(most, value)
    return least, most, wins, False
