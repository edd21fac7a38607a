"""Results of learning: the game with its new estimate, the learning curve, and tests by playing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from games import Game
from games.networks.learned import Network, plain
from games.networks.weights import Weights
from graphs.arguments import shown
from graphs.errors import ArgumentError
from strategies.players.learning.curves import Point
from strategies.support.printing import Printed, Table, data_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from strategies.insight.pictures.picture import Picture
    from strategies.players.learning.curves import Curve


TITLES: Final = ("games", "moves", "seconds", "result", "error", "strength")
"""The columns of the table."""
OVER: Final = "games", "seconds"
"""What a curve can be plotted over."""


@frozen(repr=False)
class Learned(Printed):
    """The result of learning by playing; made by `learn`."""

    game: Game[Any, Any]
    """The game with the learned estimate."""
    network: Network
    weights: Weights = field(repr=False)
    games: int
    moves: int
    seconds: float
    """The total time of learning, including resumed runs."""
    curve: tuple[Point, ...]
    interrupted: bool = False
    cut: int = 0
    """The games that the limit of plies ended, of all games."""
    ply_limit: int = 0

    def parts(self) -> list[object]:
        """Return the parts to print: some points of the curve, and a summary line."""
        titles = TITLES if self.tested else TITLES[:-1]
        rows: list[tuple[str, ...]] = [titles]
        for p in self.curve:
            if p is self.curve[-1] or (p.games >= 10 and str(p.games)[0] in "125"):
                means = (_short(x) for x in (p.result, p.error, p.strength))
                row = (f"{p.games:,}", f"{p.moves:,}", f"{p.seconds:.1f}", *means)
                rows.append(row[: len(titles)])
        told = f"{self.games:,} games, {self.moves:,} moves, {self.network.size:,} weights"
        if self.cut:
            told += f"; {self.cut:,} games ended by the limit of {self.ply_limit:,} plies"
        return [Table(rows, ()), "", told]

    def __repr__(self) -> str:
        return f"<Learned {self.games:,} games of {type(self.game).__mro__[1].__name__}>"

    def _repr_html_(self) -> str:
        """Show a summary and the curve in a notebook."""
        from strategies.insight.pictures.cards import pictured

        try:
            picture = self.draw().svg
        except ValueError:  # without games there is no curve
            picture = ""
        return f"{super()._repr_html_()}{pictured(picture)}"

    @property
    def tested(self) -> bool:
        """Return whether test games were played on the way."""
        return any(point.strength is not None for point in self.curve)

    def draw(self) -> Picture:
        """Draw the learning curve.

        Raises: ValueError if nothing was learned yet.
        """
        from strategies.players.learning.learning_curve import draw_curve

        return draw_curve(self.curve, repr(plain(self.game)), self.game.players)

    def plot(self, what: str = "result", over: str = "games", ax: Axes | None = None) -> Axes:
        """Plot "result", "error" or tested "strength" by Matplotlib, over "games" or "seconds".

        Requires: Matplotlib.  Pass the axes of an earlier plot as `ax` to compare curves.
        Returns: the axes, `ax` or new ones; ``.figure.savefig("curve.pdf")`` writes them.
        Raises: ValueError for a curve that was not measured; ImportError, saying what to install.
        """
        from strategies.players.learning.curves import curves_of

        curves = curves_of(self.curve, self.game.players)
        if what not in curves:
            raise ArgumentError(f"what must be one of {', '.join(curves)}, not {shown(what)}")
        return plot_curve(curves[what], over, ax)

    def report(self, path: str | Path) -> Path:
        """Write one HTML page about the learning, for a browser: its curve.

        Returns: the path.
        Raises: OSError if it cannot be written; an earlier file is then unchanged.
        """
        from strategies.insight.report.document import write_page
        from strategies.players.learning.learning_curve import learned_page

        return write_page(path, lambda: learned_page(self))

    def to_pandas(self) -> Any:
        """Return the curve as a DataFrame of pandas, with the names of the JSON: each mean, and the
        ends of its 95% interval.

        Raises: ImportError, which says what to install.
        """
        return data_frame(point._asdict() for point in self.curve)

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the weights as plain data for JSON."""
        return {
            "game": repr(self.game), "games": self.games, "moves": self.moves,
            "seconds": self.seconds, "weights": self.network.size, "digest": self.weights.digest,
            "curve": [point._asdict() for point in self.curve], "interrupted": self.interrupted,
            "cut": self.cut, "ply_limit": self.ply_limit,
        }  # fmt: skip


def plot_curve(curve: Curve, over: str, ax: Axes | None = None) -> Axes:
    """Plot a curve over "games" or "seconds" into given or new axes; see `Learned.plot`.

    Raises: ValueError for anything else to plot over; ImportError without Matplotlib.
    """
    if over not in OVER:
        raise ArgumentError(f"over must be {' or '.join(OVER)}, not {shown(over)}")
    from strategies.insight.plots import axes_for

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


def _short(number: float | None) -> str:
    """Return a rounded number for a table; "" for None."""
    if number is None:
        return ""
    return f"{number:,.4g}" if abs(number) < 1000 else f"{number:,.0f}"
