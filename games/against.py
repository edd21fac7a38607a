"""Deprecated: its names are in `games.transforms.coalition` now."""

from games.deprecated import moved

__getattr__ = moved(__name__, "games.transforms.coalition")
