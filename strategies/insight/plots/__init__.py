"""Plots with Matplotlib, for papers and notebooks, in the style that the caller has set.

As in pandas and xarray, each function draws into the axes passed to it, or into new ones, and
returns them. Plots may import `analysis` and the layers below `insight`. Matplotlib is an optional
dependency, imported in `axes`. Start with `bounds`.
"""

from __future__ import annotations

from strategies.insight.plots.axes import plot_bounds

__all__ = ["plot_bounds"]
