"""Settings of a game: the numbers by which one player may judge it differently from another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import attrs

from games import Game
from games.features import Weighted, weights_of, with_weights
from graphs.arguments import shown
from graphs.errors import ArgumentError
from strategies.players.learned_file import with_estimate

ESTIMATE: Final = "estimate"
"""The setting that is a file."""


def settings_of(game: Game[Any, Any]) -> dict[str, float]:
    """Return the settings of a game: its weights, if it has features; else its fields of numbers.

    >>> from games import ConnectFour, Othello
    >>> settings_of(ConnectFour())
    {'width': 7, 'height': 6, 'connect': 4, 'pairs': 0}
    >>> settings_of(Othello())
    {'discs': 0, 'mobility': 1, 'corners': 12}
    """
    if isinstance(game, Weighted) and game.feature_names:
        return weights_of(game)
    kind: Any = type(game)
    if not attrs.has(kind):
        return {}
    fields = (f.name for f in attrs.fields(kind) if f.init)
    values = ((name, getattr(game, name)) for name in fields)
    return {name: x for name, x in values if isinstance(x, (int, float)) and x is not True}


def with_settings(game: Any, settings: Mapping[str, Any]) -> Any:
    """Return the same game with other settings; those that are not named stay.

    The setting ``estimate`` is the file of a learned estimate.
    Raises: ValueError, with the names there are, for a name that is none; LearnedFileError.

    >>> from games import ConnectFour
    >>> with_settings(ConnectFour(), {"pairs": 1})
    ConnectFour(width=7, height=6, connect=4, pairs=1)
    """
    if ESTIMATE in settings:
        rest = {name: value for name, value in settings.items() if name != ESTIMATE}
        return with_estimate(with_settings(game, rest), str(settings[ESTIMATE]))
    known = settings_of(game)
    unknown = [name for name in settings if name not in known]
    if unknown:
        there = " ".join(known) or "none"
        raise ArgumentError(
            f"{type(game).__name__} has no setting {shown(unknown[0])}; settings: {there}"
        )
    if not settings:
        return game
    if isinstance(game, Weighted):
        return with_weights(game, **settings)
    return attrs.evolve(game, **settings)
