"""Tune the weights by which a game is judged."""

from __future__ import annotations

from strategies.players.weights.result import Generation, Tuned
from strategies.players.weights.tune_weights import tune_weights

__all__ = ["Generation", "Tuned", "tune_weights"]
