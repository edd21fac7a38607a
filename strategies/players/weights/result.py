"""Results of tuning: the weights, the generations, and a match that measures the gain."""

from __future__ import annotations

from typing import Any, NamedTuple

from attrs import frozen

from games import Game
from strategies.algebra.wording import plural
from strategies.players.tournaments.elo import Interval, mean_of, score_interval
from strategies.support.printing import Printed, Table


class Generation(NamedTuple):
    """One generation of the optimiser: the fitness of its points, and its mean point."""

    number: int
    mean: float
    best: float
    """The mean fitness of its points, and the best one."""
    sigma: float
    weights: dict[str, float]


@frozen(repr=False)
class Tuned(Printed):
    """The result of tuning weights by playing; made by `tune_weights`."""

    game: Game[Any, Any]
    """The game with the new weights."""
    before: dict[str, float]
    after: dict[str, float]
    generations: tuple[Generation, ...]
    match: tuple[tuple[float, float], ...]
    """The fitness of the new and of the old weights in each unseen trial that differs: trials with
    the same games, move for move, count once, unless chance or the agent may have drawn."""
    matched: int = 0
    """The number of trials of the match, repeated ones included."""

    @property
    def gain(self) -> Interval:
        """Return the gain of the new weights, with a 95% interval, from trials not used in tuning.

        With two players, it is their score against the old; with one player, how much more they
        score on average.
        """
        if self.game.players == 2:
            return score_interval([new for new, _ in self.match])
        return mean_of([new - old for new, old in self.match])

    @property
    def better(self) -> bool:
        """Return whether the whole interval is in favour of the new weights."""
        return bool(self.match) and self.gain.low > (0.5 if self.game.players == 2 else 0)

    def parts(self) -> list[object]:
        """Return the parts to print: the weights before and after, and the gain."""
        rows = [(name, f"{old:g}", f"{self.after[name]:g}") for name, old in self.before.items()]
        return [Table([("weight", "before", "after"), *rows]), "", self._told()]

    def _told(self) -> str:
        if not self.match:
            return "not yet matched against the weights before"
        count, more = len(self.match), ""
        if count < self.matched:
            more = f"; {count:,} of {self.matched:,} trials differ, repeated ones count once"
        if self.game.players == 2:
            return (
                f"score of the new weights against the old: {self.gain.text('.3f')}, {2 * count} "
                f"games of unseen openings, from both seats{more}"
            )
        new, old = (sum(s[k] for s in self.match) / len(self.match) for k in (0, 1))
        return (
            f"mean {new:g} with the new weights, {old:g} with the old: {self.gain.text('+g')}, "
            f"{plural(count, 'unseen seed')}{more}"
        )

    def __repr__(self) -> str:
        return f"<Tuned {self.after}, {len(self.generations)} generations>"

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data for JSON."""
        return {
            "game": repr(self.game), "before": self.before, "after": self.after,
            "generations": [g._asdict() for g in self.generations],
            "matched": self.matched, "match": [list(scores) for scores in self.match],
            "gain": self.gain.to_dict(), "better": self.better,
        }  # fmt: skip
