"""The choice of the scale of rewards, which maps values of a game to whole numbers.

If plays are won or lost, a win counts 1 and a loss -1.  If the game declares the range of its
values, that is the scale, unless it is so much wider than the values met that all moves would look
alike.  Else random plays give a first scale, which widens during the search.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any, Final

from games import WIN, Game
from strategies.algorithms.errors import AlgorithmError
from strategies.native.engine import Engine
from strategies.native.failures import failure_below, raise_failure
from strategies.native.kernels.rollout import LONGEST_PLAY, spread
from strategies.native.memory.cells import Stop, cells
from strategies.searches.monte_carlo.job import Job, plies_of
from strategies.searches.monte_carlo.scale import Scale

PLAYS: Final = 32
"""The number of random plays that sample the range of values."""
LOOSE: Final = 1024
"""A declared range more than so many times as wide as that of the sample is not the scale."""


def decided(game: Game[Any, Any]) -> bool:
    """Return whether plays end with a win, a loss or a draw, as by the rules of `Game`."""
    return type(game).utility is Game.utility


def scale_of(engine: Engine, job: Job, *stops: Stop) -> Scale:
    """Return the range of values that the game declares, or a sample of it: the range of random
    rollouts from the position, of those made before one of `stops` is set.

    Raises: RuleFailed; AlgorithmError if random plays do not end.
    """
    plies = plies_of(job.algorithm)
    args = job.algorithm.seed, plies, job.algorithm.rollout == "policy", PLAYS
    try:
        with ExitStack() as stack:
            control = cells(1)
            for stop in stops:
                stack.enter_context(stop.watching(control))
            least, most, wins, endless = engine.call(spread, job.state, *args, control)
        least, most = float(least), float(most)  # rules may return something that is not a number
    except Exception as error:
        raise_failure(failure_below(job.game, job.state, error), error)
    if endless:
        raise AlgorithmError(
            f"random plays of {type(job.game).__name__} do not end within {LONGEST_PLAY:,} plies; "
            "use the estimate after fewer, as in mcts(rollout=100), or at once: rollout='estimate'"
        )
    known = job.game.value_range
    if wins or decided(job.game) or (known is not None and max(known) >= WIN):
        reach = 2.0 * max(abs(least), abs(most)) if least <= most else 0.0
        return Scale(-(reach or 1.0), reach or 1.0, True)
    if least > most:  # no time for a sample
        least = most = 0.0
    if known is not None and -WIN < known[0] < known[1] < WIN:
        low, high = map(float, known)
        if most == least or high - low <= LOOSE * (most - least):
            return Scale(low, high, False)
    return Scale(least, most if most > least else least + 1, False, adapts=True)
