"""Pig, the dice game: the rules for two and for more players, and optimal play for two.

It may import the interface of games and `games.text_places`. Start with `games.pig.rules`;
`games.pig.optimum` solves the game, and is the only file that needs NumPy.
"""

from games.pig.rules import HOLD, ROLL, Pig, PigForMany, Turn

__all__ = ["HOLD", "ROLL", "Pig", "PigForMany", "Turn"]
