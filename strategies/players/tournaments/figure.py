"""Plots the ratings of a tournament by Matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from strategies.insight.plots.axes import axes_for
from strategies.players.tournaments.elo import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_ratings(ratings: Sequence[tuple[str, Interval]], ax: Axes | None = None) -> Axes:
    """Plot ratings with their intervals, the first on top; see `Tournament.plot`.

    Raises: ImportError without Matplotlib.
    """
    ax = axes_for(ax)
    names = [name for name, _ in ratings]
    values = [elo.value for _, elo in ratings]
    ends = [[v - elo.low for v, (_, elo) in zip(values, ratings, strict=True)],
            [elo.high - v for v, (_, elo) in zip(values, ratings, strict=True)]]  # fmt: skip
    places = range(len(names))
    ax.errorbar(values, places, xerr=ends, fmt="o", capsize=4)
    ax.axvline(0, color="gray", linestyle=":")
    ax.set_yticks(places, names)
    ax.invert_yaxis()
    ax.set(xlabel="Elo points above the mean of all, with 95% intervals", title="Ratings")
    return ax
