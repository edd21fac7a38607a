"""The fitness of weights: the score of games with them, against the old ones or alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games import Game
from strategies.players.game_loop import play_out
from strategies.players.tournaments.entrants import Entrant
from strategies.players.tournaments.openings import Opening, openings
from strategies.players.tournaments.pairings import play_pairing
from strategies.players.tournaments.settings import with_settings
from strategies.running.runtime.cancellation import current_scope

Weights = Mapping[str, float]
Trial = tuple[Opening, int]
"""An opening, which is empty in a game of one player, and the seed of the chance moves."""

UNSEEN = 1 << 40
"""The first seed of the final match, above those of all games before."""


def trials(
    game: Game[Any, Any], count: int, plies: int, seed: int, generation: int | None
) -> list[Trial]:
    """Return the trials of a generation; for None, those of the final match."""
    first = UNSEEN if generation is None else generation * count
    numbers = [seed * 1_000_003 + first + k for k in range(count)]
    if game.players == 1:
        return [((), number) for number in numbers]
    begun = openings(game, count, plies, f"{seed} {'match' if generation is None else generation}")
    return list(zip(begun, numbers, strict=True))


def trial_fitness(
    game: Game[Any, Any], agent: Any, weights: Weights, trial: Trial, measure: str
) -> tuple[float, float]:
    """Return the fitness of weights in one trial, and that of the game's own weights.

    With two players, these are the score of the two games of an opening, from 0 to 1, and 1 minus
    the score; with one player, the measure of a game with each.
    """
    opening, seed = trial
    if game.players == 1:
        return solo(game, agent, weights, seed, measure), solo(game, agent, {}, seed, measure)
    new, old = Entrant(agent, "tuned", weights), Entrant(agent, "untuned")
    score = play_pairing(game, new, old, opening, seed)[2] / 2
    score += (1 - play_pairing(game, old, new, opening, seed)[2]) / 2
    return score, 1 - score


def solo(game: Game[Any, Any], agent: Any, weights: Weights, seed: int, measure: str) -> float:
    """Return the measure of one game of one player: one of `Game.metrics`, or the utility."""
    played = play_out(with_settings(game, weights), [agent], seed, stop=current_scope())
    if measure == "utility":
        return game.utility(played.last)
    return float(game.metrics(played.first, played.last, played.drawn)[measure])


def mean_fitness(
    game: Game[Any, Any], agent: Any, weights: Weights, played: list[Trial], measure: str
) -> float:
    """Return the mean fitness of weights over the trials of a generation."""
    if game.players == 1:
        fitnesses = [solo(game, agent, weights, seed, measure) for _, seed in played]
    else:
        fitnesses = [trial_fitness(game, agent, weights, trial, measure)[0] for trial in played]
    return sum(fitnesses) / len(fitnesses)
