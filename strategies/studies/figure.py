"""Plot a study with Matplotlib: time or speed-up against workers, plies or leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strategies.insight.plots.axes import axes_for, mark
from strategies.studies.lines import BY, Lines
from strategies.studies.rows import Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_lines(lines: Lines, ax: Axes | None = None) -> Axes:
    """Plot a study into axes, or new ones; see `Study.plot`.

    Raises: ImportError without Matplotlib.
    """
    ax = axes_for(ax)
    if lines.what == "speedup" and lines.by == "workers":
        most = max(r.workers for r in lines.rows)
        ax.plot([1, most], [1, most], ":", color="gray", label="ideal")
    if lines.base is not None:
        ax.axhline(lines.of(lines.base), color="gray", linestyle="--", label="seq")
    for number, (template, rows) in enumerate(lines.series.items()):
        (line,) = ax.plot(
            [lines.at(r) for r in rows], [lines.of(r.seconds) for r in rows], marker=mark(number),
            label=template,
        )  # fmt: skip
        for row in rows:
            x, y = [lines.at(row)], [lines.of(row.seconds)]
            ax.errorbar(
                x, y, yerr=_interval(lines, row), fmt=mark(number), color=line.get_color(),
                mfc=ax.get_facecolor() if row.how == "simulated" else None, capsize=3,
            )  # fmt: skip
            if row.created:  # the bound from its work and span
                ax.plot(x, [lines.of(row.least)], "_", color=line.get_color(), markersize=12)
    ax.set(
        xlabel=BY[lines.by].label, title=lines.title,
        ylabel="seconds" if lines.what == "time" else "speed-up against seq",
    )  # fmt: skip
    if lines.by == "workers":
        ax.set_xscale("log", base=2)
        ax.xaxis.set_major_formatter("{x:g}")
    elif lines.by == "plies":
        ax.set_xticks(lines.places)
    else:
        ax.set_xscale("log")
    if lines.what == "time":
        ax.set_yscale("log")
    else:
        ax.set_yscale("log", base=2)
        ax.yaxis.set_major_formatter("{x:g}")
    ax.legend(fontsize="small")
    return ax


def _interval(lines: Lines, row: Row) -> list[list[float]] | None:
    """Return how far the median's interval extends below and above the point; None for one run."""
    if len(row.runs) < 2:
        return None
    middle = lines.of(row.seconds)
    ends = sorted(lines.of(t) for t in row.interval)
    return [[middle - ends[0]], [ends[1] - middle]]
