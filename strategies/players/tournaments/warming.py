"""Compiles the code of players before their first game: here, or on each worker of a cluster."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from games import Game
from strategies.native.kept_engines import engine_for
from strategies.players.game_loop import prepare_agent, prepared
from strategies.players.tournaments.entrants import Entrant


@frozen(eq=False)
class Warm:
    """The preparation of players: it compiles or loads the code that they call in some games.

    Raises: AlgorithmError if an algorithm does not fit a game of one player.
    """

    games: tuple[Game[Any, Any], ...]
    players: tuple[Entrant, ...]

    @property
    def kinds(self) -> tuple[Any, ...]:
        """Return what determines this code."""
        agents = tuple((e.text, getattr(e.agent, "engine", "")) for e in self.players)
        return "players", self.games, agents

    def __call__(self) -> None:
        for entrant in self.players:
            agent, engine = entrant.agent, getattr(entrant.agent, "engine", "auto")
            for game in map(entrant.game, self.games):
                if game.players == 1:  # its turns are compiled, too
                    prepared(game, [agent], game.start(), engine)
                else:
                    prepare_agent(agent, engine_for(game, engine), game.start())
