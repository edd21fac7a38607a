"""Tournaments between agents: games, ratings, and their confidence intervals.

They may import `players` and the layers below. Start with `round_robin` (a tournament), then
`standings` (its result) and `elo` (the ratings).
"""

from __future__ import annotations

from strategies.players.tournaments.elo import Interval, Pair, Ratings, ratings, score_interval
from strategies.players.tournaments.entrants import (
    Entrant,
    EntrantError,
    settings_of,
    with_settings,
)
from strategies.players.tournaments.round_robin import tournament
from strategies.players.tournaments.standings import Standing, Tournament

__all__ = [
    "Entrant",
    "EntrantError",
    "Interval",
    "Pair",
    "Ratings",
    "Standing",
    "Tournament",
    "ratings",
    "score_interval",
    "settings_of",
    "tournament",
    "with_settings",
]
