"""2048: the rules on one 64-bit word, and estimates by weighted features.

It may import the interface of games, `games.features`, `games.networks`, and NumPy to build tables.
Start with `games.twenty48.rules`; `games.twenty48.features` has more estimates, and
`games.twenty48.row_tables` the tables that both look up.
"""

from games.twenty48.features import Featured2048, Pessimistic2048
from games.twenty48.rules import Tiles, Twenty48, points

__all__ = ["Featured2048", "Pessimistic2048", "Tiles", "Twenty48", "points"]
