"""Plots with Matplotlib, for papers and notebooks, in the style that the caller has set.

As in pandas and xarray, each function draws into the axes passed to it, or into new ones, and
returns them. Plots may import `analysis` and the layers below `insight`. Matplotlib is an optional
dependency.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from graphs.arguments import shown
from graphs.errors import ArgumentError
from graphs.limits import BOUNDED_WORKERS
from strategies.insight.analysis.simulation import Burden, Simulation
from strategies.insight.analysis.work_span import NAMES, time_bounds
from strategies.running.records.search_run import SearchRun

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


STYLES = {"greedy": "-", "work": "--", "span": "-.", "dispatcher": ":"}
"""The line style of each bound."""


def plot_bounds(
    *runs: SearchRun, burden: Burden | None = None, sequential: SearchRun | None = None,
    simulated: Sequence[Simulation] = (), ax: Axes | None = None,
) -> Axes:  # fmt: skip
    """Plot the time of a search against the number of workers: measured times and their bounds.

    The arguments and the bounds are those of `strategies.insight.pictures.draw_bounds`; this is the
    same figure in Matplotlib.

    Requires: at least one run that knows its search; Matplotlib.
    Returns: the axes, `ax` or new ones; ``.figure.savefig("bounds.pdf")`` writes them.
    Raises: ValueError if there is no run, or it does not know its search; ImportError.
    """
    bounds = time_bounds(runs, burden, sequential, simulated)
    ax = axes_for(ax)
    counts = [2.0 ** (i / 4) for i in range(4 * BOUNDED_WORKERS.bit_length() - 3)]
    for name, line in bounds.lines.items():
        ax.plot(counts, [line(p) for p in counts], STYLES[name], label=NAMES[name])
    if bounds.sequential is not None:
        ax.axhline(bounds.sequential, color="gray", label="the best sequential search")
    for word, simulates in (("observed", False), ("simulated", True)):
        points = [(p.workers, p.seconds) for p in bounds.points if p.simulated == simulates]
        if points:
            fill = "none" if simulates else "full"
            ax.plot(*zip(*points, strict=True), "ko", fillstyle=fill, label=word)
    ax.set(xlabel="workers P", ylabel="seconds", title="Time and its bounds")
    ax.set_xscale("log", base=2)
    ax.xaxis.set_major_formatter("{x:g}")
    ax.set_yscale("log")
    ax.legend(fontsize="small")
    return ax
