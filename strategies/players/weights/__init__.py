"""Tune the weights of a game's estimate by playing.

It may import `tournaments` and the layers below. Start with `tune_weights`, then `fitness` (the
games that measure weights, and the search over them).
"""

from __future__ import annotations

from strategies.players.weights.result import Generation, Tuned
from strategies.players.weights.tune_weights import tune_weights

__all__ = ["Generation", "Tuned", "tune_weights"]
