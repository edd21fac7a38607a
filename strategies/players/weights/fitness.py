"""The fitness of weights: the score of games with them, against the old ones or alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

from games import Game
from games.endings import utility_of
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
    game: Game[Any, Any], agent: Any, weights: Weights, trial: Trial, measure: str,
    ply_limit: int | None = None,
) -> tuple[float, float, str]:  # fmt: skip
    """Return the fitness of weights in one trial, that of the game's own weights, and a digest of
    the moves, which trials with the same games share; "" if chance drew.

    With two players, these are the score of the two games of an opening, from 0 to 1, and 1 minus
    the score; with one player, the measure of a game with each.
    """
    opening, seed = trial
    if game.players == 1:
        both = [solo(game, agent, own, seed, measure, ply_limit) for own in (weights, {})]
        return both[0][0], both[1][0], digest([game for _, game in both])
    new, old = Entrant(agent, "tuned", weights), Entrant(agent, "untuned")
    first = play_pairing(game, new, old, opening, seed, ply_limit)
    second = play_pairing(game, old, new, opening, seed, ply_limit)
    score = first[2] / 2 + (1 - second[2]) / 2
    lucky = any(type(turn) is int for turn in (*first[0], *second[0]))
    return score, 1 - score, digest([None if lucky else (first[0], second[0])])


def digest(games: Sequence[Any]) -> str:
    """Return a digest of games, or "" if one is None: it was drawn by chance."""
    if None in games:
        return ""
    return blake2b(repr(games).encode(), digest_size=8).hexdigest()


def solo(
    game: Game[Any, Any], agent: Any, weights: Weights, seed: int, measure: str,
    ply_limit: int | None = None,
) -> tuple[float, Any]:  # fmt: skip
    """Return the measure of one game of one player, one of `Game.metrics` or the utility; and what
    identifies the game, or None if chance drew."""
    played = play_out(
        with_settings(game, weights), [agent], seed, stop=current_scope(), ply_limit=ply_limit
    )
    same = None if played.drawn else (played.moves, game.label(played.last))
    if measure == "utility":
        return utility_of(game, played.last, played.ended), same
    return float(game.metrics(played.first, played.last, played.drawn)[measure]), same


def mean_fitness(
    game: Game[Any, Any], agent: Any, weights: Weights, played: list[Trial], measure: str,
    ply_limit: int | None = None,
) -> float:  # fmt: skip
    """Return the mean fitness of weights over the trials of a generation."""
    if game.players == 1:
        fitnesses = [solo(game, agent, weights, seed, measure, ply_limit)[0] for _, seed in played]
    else:
        fitnesses = [
            trial_fitness(game, agent, weights, trial, measure, ply_limit)[0] for trial in played
        ]
    return sum(fitnesses) / len(fitnesses)
