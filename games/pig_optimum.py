"""Deprecated: its names are in `games.pig.optimum` now."""

from games.deprecated import moved

__getattr__ = moved(__name__, "games.pig.optimum")
