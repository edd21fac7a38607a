"""Tuning the weights by which a game is judged."""

from strategies.tuning.result import Generation, Tuned
from strategies.tuning.weighing import tune_weights

__all__ = ["Generation", "Tuned", "tune_weights"]
