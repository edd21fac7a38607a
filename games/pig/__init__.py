"""Pig, the dice game: the rules for two players and more, and optimal play for two.

Begin reading with `games.pig.rules`; `games.pig.optimum` solves the game, with NumPy, which the
rules do without.
"""

from games.pig.rules import HOLD, ROLL, Pig, PigForMany, Turn

__all__ = ["HOLD", "ROLL", "Pig", "PigForMany", "Turn"]
