"""Plots learning curves by Matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphs.arguments import shown
from graphs.errors import ArgumentError
from strategies.insight.plots.axes import axes_for
from strategies.players.learning.curves import Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

OVER = "games", "seconds"


def plot_curve(curve: Curve, over: str, ax: Axes | None = None) -> Axes:
    """Plot a curve over "games" or "seconds" into given or new axes; see `Learned.plot`.

    Raises: ValueError for anything else to plot over; ImportError without Matplotlib.
    """
    if over not in OVER:
        raise ArgumentError(f"over must be {' or '.join(OVER)}, not {shown(over)}")
    ax = axes_for(ax)
    across = [getattr(point, over) for point, _ in curve.points]
    values = [value for _, value in curve.points]
    apart = [
        (value - low, high - value)
        for value, (low, high) in zip(values, curve.intervals, strict=True)
    ]
    (line,) = ax.plot(across, values, marker=".", label=curve.name)
    yerr = list(zip(*apart, strict=True))
    ax.errorbar(across, values, yerr=yerr, fmt="none", ecolor=line.get_color(), elinewidth=0.8)
    ax.set(xlabel=over, ylabel=curve.name, title="Learning curve")
    if over == "games":
        ax.set_xscale("log")
    return ax
