"""The players that commands read: a person, a random player, or a search."""

from __future__ import annotations

import click

from games import HumanAgent, RandomAgent
from graphs.arguments import shown
from strategies.algebra.drivers import DriverError
from strategies.algebra.strategy import StrategyError
from strategies.algorithms.errors import AlgorithmError
from strategies.cli.options import Read
from strategies.players.search_agent import HastyAgent, SearchAgent
from strategies.players.tournaments.entrants import EntrantError, parse_agent

PLAYER_ERRORS = AlgorithmError, DriverError, EntrantError, StrategyError
"""The errors of texts that describe no player."""


def read_agent(text: str) -> HumanAgent | RandomAgent | HastyAgent | SearchAgent:
    """Return the player that a text describes: ``human``, ``random(seed=3)``, or a search."""
    text = text.strip()
    if text == "human":
        return HumanAgent()
    try:
        return parse_agent(text)
    except PLAYER_ERRORS as error:
        raise click.UsageError(
            f"no player is called {shown(text)} ({error}); a player is human, random(seed=3), "
            "or a search, as in 'alphabeta(depth=6) using jamboree(0.5).to_ply(1)'"
        ) from None


AGENT = Read("agent", read_agent)
