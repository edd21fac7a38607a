"""Axes of Matplotlib, for the `plot` methods of studies, tournaments and learning curves.

As in pandas and xarray, each draws into the axes passed to it, or into new ones, in the style that
the caller has set, and returns them. Matplotlib is an optional dependency.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from graphs.arguments import shown
from graphs.errors import ArgumentError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


MARKS = "osD^vPX*"
"""The markers of the lines of a plot, which differ even without colour."""


def axes_for(ax: Axes | None) -> Axes:
    """Return `ax`, or the axes of a new figure if it is None.

    Raises: ImportError, with what to install; TypeError if `ax` is not Matplotlib axes.
    """
    try:
        from matplotlib import pyplot
        from matplotlib.axes import Axes
    except ImportError:
        raise ImportError(
            "a plot needs Matplotlib: pip install matplotlib; draw() works without it"
        ) from None
    if ax is None:
        return pyplot.subplots(layout="constrained")[1]
    if not isinstance(ax, Axes):
        raise ArgumentError(
            f"ax must be axes of Matplotlib, as from figure.subplots(), not {shown(ax)}"
        )
    return ax


def pdf(ax: Axes) -> bytes:
    """Return the figure of `ax` as a PDF file, and close it."""
    from matplotlib import pyplot

    out = BytesIO()
    figure = ax.get_figure(root=True)
    assert figure is not None
    figure.savefig(out, format="pdf")
    pyplot.close(figure)
    return out.getvalue()


def mark(number: int) -> str:
    """Return the marker of a line.

    >>> mark(0), mark(8)
    ('o', 'o')
    """
    return MARKS[number % len(MARKS)]
