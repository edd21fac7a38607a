"""The page about a tournament: ratings with their intervals, and scores of each pair."""

from __future__ import annotations

from typing import Any, Final

from games.endings import RULES
from graphs.limits import PLAYER_LETTERS
from strategies.insight.report.chart_page import Chart, chart_page, spread
from strategies.running.records.wording import shortened

MEANINGS: Final = {
    "games": "finished games of all planned ones",
    "games that differ": "games that repeat another one count once, if nothing in them is random",
    "ended by a limit": "games drawn by repetition of a position, or by the limit of plies",
    "players": "number of players",
    "drawn": "games without a winner, of those that differ",
    "score of who begins": "the mean over all games that differ; a win is 1, a draw 0.5",
    "moves of a game": "on average, without chance moves",
}
"""The meaning of each fact on the page."""
STANDINGS: Final = {
    "Elo": "points relative to the mean of all players",
    "±": "half the width of the 95% interval",
    "score": "the mean over its games; a win is 1, a draw 0.5",
    "low": "the lower end of the score's 95% interval",
    "high": "the upper end of the score's 95% interval",
}
PAIRS: Final = {
    "Elo between them": "the points of the first above those of the second",
    "low": "the lower end of its 95% interval",
    "high": "the upper end of its 95% interval",
    "stronger": "the probability that the first is",
}
"""The meaning of each column of the tables."""


def standings_page(found: Any) -> str:
    """Return the page: standings as bars of their intervals, scores of each pair, endings.

    Requires: a `Tournament`.
    """
    best = found.standings
    head, *rows = found.rows
    least = min(s.elo.low for s in best)
    most = max(s.elo.high for s in best)
    cross, *lines = found.crosstable
    draws = sum(p.score == 0.5 for p in found.different)
    firsts = sum(p.score for p in found.different) / max(1, len(found.different))
    about = [
        ("games", f"{len(found.finished):,} of {found.planned:,}"),
        ("games that differ", f"{len(found.different):,}"),
        ("ended by a limit", f"{sum(p.record.ended != RULES for p in found.finished):,}"),
        ("players", str(len(found.players))),
        ("drawn", f"{draws:,}"),
        ("score of who begins", f"{firsts:.3f}"),
        ("moves of a game", f"{_moves(found):.1f}"),
    ]
    charts = [
        Chart(
            "standings", "Standings",
            "Elo points relative to the mean of all players; a bar is the 95% interval, its mark "
            "the estimate.",
            head, [[shortened(row[0], PLAYER_LETTERS), *row[1:]] for row in rows],
            [spread(s.elo.low, s.elo.high, least, most, s.elo.value) for s in best],
            meanings=STANDINGS,
        ),
        Chart(
            "against", "Scores against each other",
            "The mean score of the player of a row against the one of a column.",
            cross, [[shortened(row[0], PLAYER_LETTERS), *row[1:]] for row in lines],
        ),
        Chart(
            "likely", "Who is stronger",
            "The probability that the first is stronger than the second.",
            ("first", "second", "Elo between them", "low", "high", "stronger"),
            _pairs(found), names=2, meanings=PAIRS,
        ),
    ]  # fmt: skip
    games = ", ".join(shortened(repr(game), PLAYER_LETTERS) for game in found.games)
    return chart_page("Tournament", games, about, charts, meanings=MEANINGS)


def _moves(found: Any) -> float:
    return sum(len(p.record.turns) for p in found.finished) / max(1, len(found.finished))


def _pairs(found: Any) -> list[list[str]]:
    names = [s.player for s in found.standings]
    rows = []
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            gap = found.elo(one, other)
            likely = f"{100 * min(found.stronger(one, other), 0.999):.1f}%"
            numbers = (f"{x:+.0f}" for x in gap)
            rows.append(
                [shortened(one, PLAYER_LETTERS), shortened(other, PLAYER_LETTERS), *numbers, likely]
            )  # fmt: skip
    return rows
