"""2048: the rules on one 64-bit word, and estimates by weighed features.

Begin reading with `games.twenty48.rules`; `games.twenty48.features` has other estimates, and
`games.twenty48.row_tables` what both look up.  NumPy, which builds the tables, may be used.
"""

from games.twenty48.features import Featured2048, Pessimistic2048
from games.twenty48.rules import Tiles, Twenty48, points

__all__ = ["Featured2048", "Pessimistic2048", "Tiles", "Twenty48", "points"]
