"""The players that commands read: a person, a random player, or a search."""

from __future__ import annotations

from typing import Any

import click

from games import HumanAgent
from graphs.arguments import shown
from strategies.algebra.drivers import DriverError
from strategies.algebra.strategy import StrategyError
from strategies.algorithms.errors import AlgorithmError
from strategies.notation.calls import name_called
from strategies.players.first_better import HastyAgent
from strategies.players.search_agent import SearchAgent
from strategies.players.tournaments.entrants import EntrantError, parse_random


class AgentType(click.ParamType):  # type: ignore[type-arg]  # generic only in newer Click
    """A player: ``human``, ``random(seed=3)``, or a search."""

    name = "agent"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        text = value.strip()
        if text == "human":
            return HumanAgent()
        try:
            if name_called(text) == "random":
                return parse_random(text)
            return HastyAgent.parse(text) if text.startswith("hasty ") else SearchAgent.parse(text)
        except (AlgorithmError, DriverError, EntrantError, StrategyError) as error:
            raise click.UsageError(
                f"no player is called {shown(text)} ({error}); a player is human, random(seed=3), "
                "or a search, as in 'alphabeta(depth=6) using jamboree(0.5).to_ply(1)'",
                ctx,
            ) from None


AGENT = AgentType()
