"""Riskless, a war of armies on a map, without dice; maps are text files.

It may import the interface of games, `games.features`, and `graphs` for the roads. Start with
`games.riskless.map`, which reads maps, then `games.riskless.rules`, whose positions are 64-bit
words.
"""

from games.riskless.map import Map, map_names
from games.riskless.rules import Front, Riskless

__all__ = ["Front", "Map", "Riskless", "map_names"]
