"""The page about a tournament: ratings with their intervals, and scores against each other."""

from __future__ import annotations

from typing import Any

from strategies.insight.report.chart_page import Chart, chart_page, spread, write_chart_page
from strategies.running.records.wording import shortened

__all__ = ["standings_page", "write_chart_page"]
LONGEST = 60
"""Characters of a player's name, and of a game's."""


def standings_page(found: Any) -> str:
    """Make the page: standings as bars of their intervals, scores of each pair, how games ended.

    Requires: a `Tournament`.
    """
    best = found.standings
    head, *rows = found.rows
    least = min(s.elo.low for s in best)
    most = max(s.elo.high for s in best)
    cross, *lines = found.crosstable
    draws = sum(p.score == 0.5 for p in found.finished)
    firsts = sum(p.score for p in found.finished) / max(1, len(found.finished))
    about = [
        ("games", f"{len(found.finished):,} of {found.planned:,}"),
        ("players", str(len(found.players))),
        ("drawn", f"{draws:,}"),
        ("score of who begins", f"{firsts:.3f}"),
        ("moves of a game", f"{_moves(found):.1f}"),
    ]
    charts = [
        Chart(
            "standings", "Standings",
            "Elo points against the mean of all players; a bar is the interval of 95 %, its mark "
            "the estimate.",
            head, [[shortened(row[0], LONGEST), *row[1:]] for row in rows],
            [spread(s.elo.low, s.elo.high, least, most, s.elo.value) for s in best],
        ),
        Chart(
            "against", "Scores against each other",
            "The mean score of the player of a line against the one of a column.",
            cross, [[shortened(row[0], LONGEST), *row[1:]] for row in lines],
        ),
        Chart(
            "likely", "Who is stronger",
            "The probability that the first is stronger than the second.",
            ("first", "second", "Elo between them", "low", "high", "stronger"),
            _pairs(found), names=2,
        ),
    ]  # fmt: skip
    games = ", ".join(shortened(repr(game), LONGEST) for game in found.games)
    return chart_page("Tournament", games, about, charts)


def _moves(found: Any) -> float:
    return sum(len(p.record.turns) for p in found.finished) / max(1, len(found.finished))


def _pairs(found: Any) -> list[list[str]]:
    names = [s.player for s in found.standings]
    rows = []
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            gap = found.elo(one, other)
            likely = f"{100 * min(found.stronger(one, other), 0.999):.1f} %"
            numbers = (f"{x:+.0f}" for x in gap)
            rows.append(
                [shortened(one, LONGEST), shortened(other, LONGEST), *numbers, likely]
            )  # fmt: skip
    return rows
