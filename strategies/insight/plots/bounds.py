"""Plot the time of a run against the number of workers, with its bounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphs.limits import BOUNDED_WORKERS
from strategies.insight.analysis.overhead import Burden
from strategies.insight.analysis.simulation import Simulation
from strategies.insight.analysis.work_span import NAMES, time_bounds
from strategies.insight.plots.axes import axes_for
from strategies.running.records.search_run import SearchRun

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
