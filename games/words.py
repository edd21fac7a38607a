"""Deprecated: its names are in `games.u64` and `games.tuples` now."""

from games.deprecated import moved

__getattr__ = moved(__name__, "games.u64", "games.tuples")
