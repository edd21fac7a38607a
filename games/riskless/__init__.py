"""Riskless: a war of armies on a map, without dice.  Maps are text files; see `Map.from_text`.

Begin reading with `games.riskless.map`, then `games.riskless.rules`, whose positions are words;
`games.riskless.text` reads maps.  The package may use `graphs`, for the roads.
"""

from games.riskless.map import Map, map_names
from games.riskless.rules import Front, Riskless

__all__ = ["Front", "Map", "Riskless", "map_names"]
