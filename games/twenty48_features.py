"""Deprecated: its names are in `games.twenty48.features` now."""

from games.deprecated import moved

__getattr__ = moved(__name__, "games.twenty48.features")
