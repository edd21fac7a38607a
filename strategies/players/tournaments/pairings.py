"""Pairings: the games of a round robin, and how to play one of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

from attrs import frozen

from games import CHANCE, Game, IllegalMove, Record, Status
from games.referee import check_move, draw_outcome, play_turn
from strategies.native.engine import engine_for
from strategies.native.memory.cells import Stopped
from strategies.players.game_loop import mover
from strategies.players.tournaments.entrants import Entrant
from strategies.players.tournaments.openings import Opening
from strategies.running.runtime import cancellation


@frozen
class Pairing:
    """A game to be played; its partner has the same opening with swapped seats."""

    game: int
    round: int
    maxie: str
    minnie: str

    @property
    def pair(self) -> tuple[int, int, frozenset[str]]:
        """Return the key that a pairing shares with its partner."""
        return self.game, self.round, frozenset((self.maxie, self.minnie))


def pair_all(games: int, rounds: range, names: list[str]) -> Iterator[Pairing]:
    """Pair all players with each other: in each round and game, twice, with swapped seats."""
    for number in rounds:
        for game in range(games):
            for one, other in combinations(names, 2):
                yield Pairing(game, number, one, other)
                yield Pairing(game, number, other, one)


@frozen
class Finished:
    """A finished game of a tournament; `score` is Maxie's: 1, 0.5 or 0."""

    pairing: Pairing
    record: Record
    opening: int
    """The number of turns of the record that are the opening."""
    status: str
    score: float


def play_pairing(
    game: Game[Any, Any], maxie: Entrant, minnie: Entrant, opening: Opening, seed: int
) -> tuple[tuple[str | int, ...], str, float]:
    """Play a game from an opening; return its turns, its status, and Maxie's score.

    Ensures: chance and random agents draw from `seed`; a numeric result counts by its sign.
    Raises: IllegalMove, which names the player; `Stopped`, when the search of this thread is
    stopped.
    """
    stop, generator = cancellation.current_scope(), Random(f"chance {seed}")
    movers = []
    for entrant in (maxie, minnie):
        engine = engine_for(entrant.game(game), getattr(entrant.agent, "engine", "auto"))
        movers.append((entrant, engine, mover(entrant.agent, engine, stop, seed)))
    turns, state = list(opening), game.start()
    for turn in opening:
        state = play_turn(game, state, turn)
    while game.status(state) == Status.IN_PLAY:
        if stop.is_set:
            raise Stopped("the game was stopped")
        player = game.player(state)
        if player == CHANCE:
            turns.append(draw_outcome(game, state, generator))
            state = play_turn(game, state, turns[-1])
            continue
        entrant, engine, choose = movers[player]
        try:
            branch = choose(state)[0]
        except IllegalMove as error:
            raise IllegalMove(f"{entrant}: {error}") from None
        move = list(engine.game.moves(state))[branch]
        turns.append(check_move(game, state, move, str(entrant)))
        state = game.make_move(state, move)
    value = game.utility(state)
    return tuple(turns), game.status(state).name, 0.5 + (value > 0) / 2 - (value < 0) / 2
