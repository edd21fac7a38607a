"""Plots by Matplotlib, for papers and notebooks: curves over numbers, in the reader's own style.

Each function draws into the axes that it is given, or into new ones, and returns them, as those of
pandas and xarray do. `axes` brings Matplotlib, which is asked for by name. Pictures of searches
themselves, which a library does not know, are drawn in `pictures`. Begin with `bounds`.
"""

from __future__ import annotations

from strategies.insight.plots.bounds import plot_bounds

__all__ = ["plot_bounds"]
