"""Results of learning: the game with its new estimate, the learning curve, and tests by playing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from games import Game
from games.networks.learned import Network, plain
from games.networks.weights import Weights
from graphs.errors import ArgumentError
from strategies.players.learning.point import Point
from strategies.support.printing import Printed, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from strategies.insight.pictures.picture import Picture


@frozen(repr=False)
class Learned(Printed):
    """Weights that were learned by playing.  Made by `learn`."""

    game: Game[Any, Any]
    """The game with the estimate that was learned."""
    network: Network
    weights: Weights = field(repr=False)
    games: int
    moves: int
    seconds: float
    """All time spent learning, what was resumed included."""
    curve: tuple[Point, ...]
    interrupted: bool = False

    def parts(self) -> list[object]:
        """Return what is printed: some points of the curve, and what was learned of how much."""
        titles = Point._fields if self.tested else Point._fields[:-1]
        rows: list[tuple[str, ...]] = [titles]
        for p in self.curve:
            if p is self.curve[-1] or (p.games >= 10 and str(p.games)[0] in "125"):
                means = (_short(x) for x in (p.result, p.error, p.strength))
                row = (f"{p.games:,}", f"{p.moves:,}", f"{p.seconds:.1f}", *means)
                rows.append(row[: len(titles)])
        told = f"{self.games:,} games, {self.moves:,} moves, {self.network.size:,} weights"
        return [Table(rows, ()), "", told]

    def __repr__(self) -> str:
        return f"<Learned {self.games:,} games of {type(self.game).__mro__[1].__name__}>"

    def _repr_html_(self) -> str:
        """Show in a notebook what was learned, and its curve."""
        from strategies.insight.pictures.cards import worded

        try:
            picture = self.draw().svg
        except ValueError:  # of no game, there is no curve
            picture = ""
        return worded(str(self), picture)

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

        Requires: Matplotlib.  Into `ax` of another, several curves stand beside each other.
        Returns: the axes, `ax` or new ones; ``.figure.savefig("curve.pdf")`` writes them.
        Raises: ValueError for what was not measured; ImportError, saying what to install.
        """
        from strategies.players.learning.curves import curves_of
        from strategies.players.learning.figure import plot_curve

        curves = curves_of(self.curve, self.game.players)
        if what not in curves:
            raise ArgumentError(f"this learning measured {', '.join(curves)}, not {what!r}")
        return plot_curve(curves[what], over, ax)

    def report(self, path: str | Path) -> Path:
        """Write one page about the learning, to be opened in a browser: its curve.

        Returns: the path.
        Raises: OSError if it cannot be written; there is then no file, or the one from before.
        """
        from strategies.insight.report.document import write_page
        from strategies.players.learning.report import learned_page

        return write_page(path, lambda: learned_page(self))

    def to_dict(self) -> dict[str, Any]:
        """Return all of it but the weights as plain data, for JSON."""
        return {
            "game": repr(self.game), "games": self.games, "moves": self.moves,
            "seconds": self.seconds, "weights": self.network.size, "digest": self.weights.digest,
            "curve": [point._asdict() for point in self.curve], "interrupted": self.interrupted,
        }  # fmt: skip


def _short(number: float | None) -> str:
    """Rounds a number for a table; there may be none."""
    if number is None:
        return ""
    return f"{number:,.4g}" if abs(number) < 1000 else f"{number:,.0f}"
