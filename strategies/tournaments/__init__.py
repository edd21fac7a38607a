"""Tournaments between players, and what their results say of how strong they are."""

from strategies.tournaments.elo import Interval, Pair, Ratings, ratings, score_interval
from strategies.tournaments.entrants import Entrant, EntrantError
from strategies.tournaments.result import Standing, Tournament
from strategies.tournaments.round_robin import tournament
from strategies.tournaments.settings import settings_of, with_settings

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
