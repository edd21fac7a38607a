"""Control."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from games.game import WIN, Game, Status

HAS_CHANCE = True
IN_PLAY: Final = int(Status.IN_PLAY)
INFINITY: Final = float("inf")
END: Final = -1
BEYOND: Final = 1 << 62
"""Better than any value: an int, so that whole values stay ints."""
STOP, NARROW, NEARER, NODES, LEAVES, ROWS = range(6)
"""The cells of `control`; the triangle begins at `ROWS`."""
STUCK: Final = 6
"""In the `STOP` cell: a position in play has no moves, so that nothing above it has a value."""
POLLED: Final = 3
"""Where fewer plies are left, the flag that stops a search is not read: it would cost time."""

Control = Any
F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Marks a function that is compiled on its own, with the constants of a game, and cached.

    Requires: parameters `game`, `state`, `control`, or annotated int, float or bool; it calls no
    kernel but itself, or one that does not call it.
    """
    function.is_kernel = True  # type: ignore[attr-defined]
    return function


def control_size(depth: int) -> int:
    """How many cells a search of `depth` plies needs."""
    return ROWS + (depth + 1) * (depth + 2) // 2


def result(game: Game[Any, Any], state: Any, depth: int, control: Control) -> float:
    """The value of a finished game: with `NEARER`, a win is worth more the more plies are left."""
    value = game.utility(state)
    if value >= WIN:
        if control[NEARER] != 0:
            value += depth
    elif value <= -WIN and control[NEARER] != 0:
        value -= depth
    return value


def leaf(game: Game[Any, Any], state: Any, control: Control) -> float:
    """The value of a position with no plies left."""
    if game.status(state) != IN_PLAY:
        return result(game, state, 0, control)
    return game.estimate(state)
