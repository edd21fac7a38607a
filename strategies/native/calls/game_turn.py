"""Calls the kernel that plays a turn of a game."""

from __future__ import annotations

import sys
from typing import Any

from strategies.native.engine import Engine, rebuilt
from strategies.native.kernels.game_turn import turn


def next_turn(
    engine: Engine, state: Any, index: int, seed: int, drawn: int, most: int = sys.maxsize
) -> tuple[Any, bool, int, int]:
    """Play a turn on an engine, by the kernel `turn`, until `most` outcomes are drawn in all.

    >>> from games import Twenty48
    >>> from strategies.native.kept_engines import engine_for
    >>> engine = engine_for(Twenty48(), "interpreted")
    >>> state, playing, player, drawn = next_turn(engine, engine.game.start(), -1, 7, 0)
    >>> playing, player, drawn
    (True, 0, 2)
    """
    after, playing, player, count = engine.call(turn, state, index, seed, drawn, most)
    return rebuilt(state, after), bool(playing), int(player), int(count)
