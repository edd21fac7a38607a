"""Presets: ready-made studies that reproduce those of two documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from games import find_game
from graphs.arguments import shown
from graphs.errors import ArgumentError
from strategies.algorithms.with_chance import expectimax

BOARD = "2 4 . .  8 4 . .  16 . 4 2  64 32 8 ."
"""A position from the middle of a game."""


def _sparks() -> dict[str, Any]:
    """Five moves of 2048 by pessimistic expectimax: sparks at the minimiser, at the moves, down to
    more plies (Clinger and Ottomano, Parallel Expectimax: A 2048 Solver)."""
    game = find_game("twenty48_pessimistic")
    return {
        "game": game,
        "state": game.parse_state(BOARD),
        "algorithm": expectimax(6, rounded=True),
        "strategies": ("by_kind(min=par_list).to_ply(6)", "par_list", "par_list.to_ply(plies)"),
        "plies": (2, 3, 4),
        "depths": (6, 9),
        "workers": (1, 2, 4),
        "simulate": True,
        "games": 1,
        "moves": 5,
        "against": "random",
    }  # fmt: skip


def _cores() -> dict[str, Any]:
    """A whole game of the same, sparks at the moves, on 1 to 4 cores."""
    return {
        "game": find_game("twenty48_pessimistic"),
        "algorithm": expectimax(6, rounded=True),
        "strategies": ("par_list",),
        "depths": (6, 9),
        "workers": (1, 2, 3, 4),
        "simulate": True,
        "games": 1,
        "against": "random",
        "repeat": 1,
    }


def _threads() -> dict[str, Any]:
    """Pursuit against a random antagonist: threads times depth, dealt in two ways (Willeford, CSCI
    176)."""
    return {
        "game": find_game(
            "pursuit(goal_x=30, goal_y=30, antagonist_x=30, antagonist_y=-30, chance=minnie)"
        ),
        "algorithm": expectimax(13),
        "strategies": ("budget(threads=workers)", "budget(threads=workers, deal='rest')"),
        "depths": (9, 11, 13),
        "workers": (1, 2, 4, 8, 16),
        "simulate": True,
    }


PRESETS: Mapping[str, Callable[[], dict[str, Any]]] = {
    "2048-sparks": _sparks, "2048-cores": _cores, "pursuit-threads": _threads,
}  # fmt: skip
"""The function that makes each preset."""


def preset(name: str) -> dict[str, Any]:
    """Return the arguments of `study` for a preset.

    Raises: ValueError with a list of the presets.

    >>> sorted(preset("pursuit-threads"))
    ['algorithm', 'depths', 'game', 'simulate', 'strategies', 'workers']
    """
    if name not in PRESETS:
        raise ArgumentError(f"no preset is called {shown(name)}; there are {', '.join(PRESETS)}")
    return PRESETS[name]()
