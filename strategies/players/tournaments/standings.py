"""Standings of a tournament: ratings, scores of each pair, and every game."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from attrs import frozen

from games import Game
from games.endings import PLIES, REPETITION
from graphs.arguments import shown
from strategies.players.tournaments.elo import Interval, Pair, Ratings, ratings, score_of
from strategies.players.tournaments.pairings import Finished
from strategies.support.cached import cached_property
from strategies.support.printing import Printed, Table, csv_text, data_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = (
    "game", "round", "maxie", "minnie", "status", "score", "opening", "seed", "turns", "ended",
    "repeats",
)  # fmt: skip


class Standing(NamedTuple):
    """A line of the table of standings."""

    player: str
    elo: Interval
    """The rating relative to the mean of all players."""
    score: Interval
    games: int
    won: int
    drawn: int
    lost: int


@frozen(slots=False, repr=False)
class Tournament(Printed):
    """The games of a tournament so far, with ratings and scores; made by `tournament`."""

    games: tuple[Game[Any, Any], ...]
    players: tuple[str, ...]
    finished: tuple[Finished, ...]
    planned: int
    """The number of games of the whole tournament."""

    @property
    def complete(self) -> bool:
        """Return whether all games were played."""
        return len(self.finished) == self.planned

    @cached_property
    def different(self) -> tuple[Finished, ...]:
        """Return the games that differ: of those that are the same move for move, the first.

        Ratings, scores and counts are of these.  A game in which chance or a player drew, or may
        have drawn, is a sample of its own even if it is the same.
        """
        first: dict[Any, Finished] = {}
        for played in self.finished:
            first.setdefault(played.moves, played)
        return tuple(first.values())

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Return the score of each two players in each opening, summed over both seats."""
        by_pair: dict[Any, Pair] = {}
        for played in self.different:
            number = {name: k for k, name in enumerate(self.players)}
            maxie, minnie = number[played.pairing.maxie], number[played.pairing.minnie]
            one, other = min(maxie, minnie), max(maxie, minnie)
            score = played.score if one == maxie else 1 - played.score
            before = by_pair.get(played.pairing.pair, Pair(one, other, 0, 0.0))
            by_pair[played.pairing.pair] = Pair(one, other, before.games + 1, before.score + score)
        return tuple(by_pair.values())

    @property
    def steps(self) -> tuple[int, int]:
        """Return how many games are over, and how many are planned."""
        return len(self.finished), self.planned

    @cached_property
    def ratings(self) -> Ratings:
        """Return the Elo ratings of the players in their order."""
        return ratings(len(self.players), self.pairs)

    def score(self, one: str, other: str | None = None) -> Interval:
        """Return a player's score per game against another, or all, with a 95 % interval.

        Raises: KeyError, which lists the players.
        """
        a = self._number(one)
        b = None if other is None else self._number(other)
        pairs = []
        for pair in self.pairs:
            if pair.one == a and b in (None, pair.other):
                pairs.append(Pair(0, 1, pair.games, pair.score))
            elif pair.other == a and b in (None, pair.one):
                pairs.append(Pair(0, 1, pair.games, pair.games - pair.score))
        return score_of(pairs)

    def elo(self, one: str, other: str | None = None) -> Interval:
        """Return by how many Elo points a player is above another, or above the mean of all."""
        a = self._number(one)
        if other is None:
            return self.ratings.interval(a)
        return self.ratings.difference(a, self._number(other))

    def stronger(self, one: str, other: str) -> float:
        """Return the probability that one player is stronger than another."""
        return self.ratings.stronger(self._number(one), self._number(other))

    def _number(self, name: str) -> int:
        if name not in self.players:
            raise KeyError(f"there is no player {shown(name)}; players: {'; '.join(self.players)}")
        return self.players.index(name)

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """Return the players ranked, best first; equals keep their order."""
        lines = [self._standing(name) for name in self.players]
        return tuple(sorted(lines, key=lambda s: -s.elo.value))

    def _standing(self, name: str) -> Standing:
        counts = {1.0: 0, 0.5: 0, 0.0: 0}
        for played in self.different:
            if name == played.pairing.maxie:
                counts[played.score] += 1
            elif name == played.pairing.minnie:
                counts[1 - played.score] += 1
        won, drawn, lost = counts.values()
        games = won + drawn + lost
        return Standing(name, self.elo(name), self.score(name), games, won, drawn, lost)

    # For people and programs ----------------------------------------------------------------------

    @property
    def rows(self) -> list[list[str]]:
        """Return the table of standings as texts, the header first."""
        head = ["player", "Elo", "±", "games", "score", "low", "high", "won", "drawn", "lost"]
        table = [head]
        for s in self.standings:
            numbers = f"{s.elo.value:+.0f}", f"{s.elo.high - s.elo.value:.0f}", str(s.games)
            score = (f"{x:.3f}" for x in s.score)
            table.append([s.player, *numbers, *score, str(s.won), str(s.drawn), str(s.lost)])
        return table

    def parts(self) -> list[object]:
        """Return the parts to print: the tables, and how certain the best player is."""
        best = self.standings
        tables: list[object] = [Table(self.rows)]
        if len(best) > 2:
            tables += ["", Table(self.crosstable)]
        one, other = best[0].player, best[1].player
        gap = self.elo(one, other)
        likely = 100 * self.stronger(one, other)
        lead = f"{one} is above {other} by {gap.value:.0f} Elo"
        if round(gap.value) == 0:
            lead = f"{one} and {other} are equal to a point of Elo"
        return [
            *tables,
            "",
            f"{lead}, {gap.low:+.0f} to {gap.high:+.0f}; stronger with {min(likely, 99.9):.1f}%.",
            f"{len(self.finished)} of {self.planned} games; 95% intervals, from pairs of games "
            "with swapped seats.",
            *self.warnings,
        ]

    @property
    def warnings(self) -> list[str]:
        """Return what limits the figures, a sentence each: repeated games, games without an end."""
        told = []
        if (different := len(self.different)) < (games := len(self.finished)):
            told.append(
                f"{different:,} of {games:,} games differ; repeated games count once. For more "
                "samples, use longer openings (plies)."
            )
        unknown = [played.moves[:-1] for played in self.finished if played.by_luck is None]
        if again := len(unknown) - len(set(unknown)):
            told.append(
                f"{again:,} of {games:,} games repeat another one, and count, because their "
                "players may draw by themselves."
            )
        for why in REPETITION, PLIES:
            if count := sum(played.record.ended == why for played in self.finished):
                told.append(f"{count:,} of {games:,} games ended by {why}, as draws.")
        return told

    def __repr__(self) -> str:
        names = ", ".join(self.players)
        return f"<Tournament of {names}: {len(self.finished)} of {self.planned} games>"

    @property
    def crosstable(self) -> list[list[str]]:
        """Return the mean score of each player (row) against each player (column)."""
        names = [s.player for s in self.standings]
        head = ["score against", *(str(k + 1) for k in range(len(names)))]
        lines = [
            [f"{k}  {a}", *("-" if a == b else f"{self.score(a, b).value:.3f}" for b in names)]
            for k, a in enumerate(names, 1)
        ]
        return [head, *lines]

    def plot(self, ax: Axes | None = None) -> Axes:
        """Plot the ratings with their 95 % intervals by Matplotlib, the best player on top.

        Requires: Matplotlib.
        Returns: the axes, `ax` or new ones; ``.figure.savefig("elo.pdf")`` writes them.
        Raises: ImportError, saying what to install.
        """
        return plot_ratings([(s.player, s.elo) for s in self.standings], ax)

    def report(self, path: str | Path) -> Path:
        """Write one HTML page about the tournament, for a browser: ratings and scores.

        Returns: the path.
        Raises: OSError if it cannot be written; an earlier file is then unchanged.
        """
        from strategies.insight.report.document import write_page
        from strategies.players.tournaments.report import standings_page

        return write_page(path, lambda: standings_page(self))

    def to_csv(self) -> str:
        """Return CSV with a row for each game: the players, the score, and all turns; `repeats` is
        the round of the game that it repeats."""
        return csv_text(COLUMNS, self._games())

    def to_pandas(self) -> Any:
        """Return the games as a DataFrame of pandas, with the names of the CSV.

        Raises: ImportError, which says what to install.
        """
        return data_frame(dict(zip(COLUMNS, row, strict=True)) for row in self._games())

    def _games(self) -> list[list[Any]]:
        rows, known = [], {played.moves: played.pairing for played in self.different}
        for played in self.finished:
            f, record, first = played.pairing, played.record, known[played.moves]
            repeats = "" if first == f else first.round
            turns = " ".join(map(str, record.turns))
            rows.append(
                [repr(record.game), f.round, f.maxie, f.minnie, played.status, played.score,
                 played.opening, record.seed, turns, record.ended, repeats]
            )  # fmt: skip
        return rows

    def to_json(self) -> str:
        """Return one JSON object with standings, scores of each pair, and every game."""
        content = {
            "games": [repr(game) for game in self.games],
            "planned": self.planned,
            "played": len(self.finished),
            "different": len(self.different),
            "standings": [
                s._asdict() | {"elo": s.elo._asdict(), "score": s.score._asdict()}
                for s in self.standings
            ],
            "against": [
                {"player": a, "against": b, "score": self.score(a, b)._asdict(),
                 "elo": self.elo(a, b)._asdict(), "stronger": self.stronger(a, b)}
                for a in self.players for b in self.players if a != b
            ],
            "finished": [
                {"round": p.pairing.round, "opening": p.opening, "score": p.score}
                | json.loads(p.record.to_json())
                for p in self.finished
            ],
        }  # fmt: skip
        return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def plot_ratings(ratings: Sequence[tuple[str, Interval]], ax: Axes | None = None) -> Axes:
    """Plot ratings with their intervals, the first on top; see `Tournament.plot`.

    Raises: ImportError without Matplotlib.
    """
    from strategies.insight.plots import axes_for

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
