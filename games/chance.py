"""Deprecated: its names are in `games.transforms.chance` now."""

from games.deprecated import moved

__getattr__ = moved(__name__, "games.transforms.chance")
