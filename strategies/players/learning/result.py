"""Results of learning: the game with its new estimate, the learning curve, and tests by playing."""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple

from attrs import field, frozen

from games import Game
from games.networks.ntuples import NTuples
from games.networks.weights import Weights
from strategies.players.tournaments.elo import Interval, Z


class Point(NamedTuple):
    """Point of a learning curve: games and moves so far, and means since the point before it."""

    games: int
    moves: int
    seconds: float
    result: float
    """What Maxie's games came to on average."""
    error: float
    """How far the value of a position was from the one after the next move, on average."""


@frozen(repr=False)
class Learned:
    """Weights that were learned by playing.  Made by `learn`."""

    game: Game[Any, Any]
    """The game with the estimate that was learned."""
    network: NTuples
    weights: Weights = field(repr=False)
    games: int
    moves: int
    seconds: float
    """All time spent learning, what was resumed included."""
    curve: tuple[Point, ...]
    interrupted: bool = False

    def __str__(self) -> str:
        titles = "games", "moves", "seconds", "result", "error"
        rows = [titles] + [
            (f"{p.games:,}", f"{p.moves:,}", f"{p.seconds:.1f}", f"{p.result:,.4g}"
             if abs(p.result) < 1000 else f"{p.result:,.0f}", f"{p.error:,.4g}")
            for p in self.curve
            if p is self.curve[-1] or (p.games >= 10 and str(p.games)[0] in "125")
        ]  # fmt: skip
        widths = [max(len(row[k]) for row in rows) for k in range(len(titles))]
        lines = ["  ".join(t.rjust(w) for t, w in zip(r, widths, strict=True)) for r in rows]
        told = f"{self.games:,} games, {self.moves:,} moves, {self.network.size:,} weights"
        return "\n".join([*lines, "", told])

    def __repr__(self) -> str:
        return f"<Learned {self.games:,} games of {type(self.game).__mro__[1].__name__}>"

    def to_dict(self) -> dict[str, Any]:
        """Return all of it but the weights as plain data, for JSON."""
        return {
            "game": repr(self.game), "games": self.games, "moves": self.moves,
            "seconds": self.seconds, "weights": self.network.size, "digest": self.weights.digest,
            "curve": [point._asdict() for point in self.curve], "interrupted": self.interrupted,
        }  # fmt: skip


def mean_of(numbers: list[float]) -> Interval:
    """Compute a mean and its 95 % interval.

    >>> mean_of([1.0, 3.0]).value
    2.0
    """
    count = max(1, len(numbers))
    mean = sum(numbers) / count
    error = Z * sqrt(sum((x - mean) ** 2 for x in numbers) / max(1, count - 1) / count)
    return Interval(mean, mean - error, mean + error)
