"""Plots with Matplotlib, for papers and notebooks, in the reader's own style.

Like those of pandas and xarray, each function draws into the axes passed to it, or into new ones,
and returns them. Matplotlib is an optional dependency, imported in `axes`. The pictures of searches
are in `pictures`. Begin with `bounds`.
"""

from __future__ import annotations

from strategies.insight.plots.bounds import plot_bounds

__all__ = ["plot_bounds"]
