"""What tuning makes better: the fitness of weights in games, by the optimiser CMA-ES."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

from games import Game
from games.endings import utility_of
from strategies.players.game_loop import play_out
from strategies.players.search_agent import plays_alike
from strategies.players.tournaments.entrants import Entrant, Seat, with_settings
from strategies.players.tournaments.pairings import Opening, openings, play_pairing
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
    the moves, which trials with the same games share; "" if chance or the agent may have drawn.

    With two players, these are the score of the two games of an opening, from 0 to 1, and 1 minus
    the score; with one player, the measure of a game with each.
    """
    opening, seed = trial
    if game.players == 1:
        both = [solo(game, agent, own, seed, measure, ply_limit) for own in (weights, {})]
        return both[0][0], both[1][0], digest([game for _, game in both])
    new = Seat(Entrant(agent, "tuned"), with_settings(game, weights))
    old = Seat(Entrant(agent, "untuned"), game)
    first = play_pairing(game, new, old, opening, seed, ply_limit)
    second = play_pairing(game, old, new, opening, seed, ply_limit)
    score = first[2] / 2 + (1 - second[2]) / 2
    lucky = any(type(turn) is int for turn in (*first[0], *second[0]))
    lucky = lucky or not plays_alike(agent)
    return score, 1 - score, digest([None if lucky else (first[0], second[0])])


def digest(games: Sequence[Any]) -> str:
    """Return a digest of games, or "" if one is None: something in it may have been drawn."""
    if None in games:
        return ""
    return blake2b(repr(games).encode(), digest_size=8).hexdigest()


def solo(
    game: Game[Any, Any], agent: Any, weights: Weights, seed: int, measure: str,
    ply_limit: int | None = None,
) -> tuple[float, Any]:  # fmt: skip
    """Return the measure of one game of one player, one of `Game.metrics` or the utility; and what
    identifies the game, or None if chance or the agent may have drawn."""
    played = play_out(
        with_settings(game, weights), [agent], seed, stop=current_scope(), ply_limit=ply_limit
    )
    lucky = played.drawn or not plays_alike(agent)
    same = None if lucky else (played.moves, game.label(played.last))
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


INSTALL = "tuning needs the optimiser CMA-ES: pip install cma"


class Evolution:
    """An evolution of points, in which each generation is drawn by the fitness of earlier ones.

    Weights are in units of their first values; a weight that was 0 is in units of the largest.
    Ensures: the same points for the same seed and the same fitnesses.
    Raises: ImportError, which says what to install.
    Source: N. Hansen and A. Ostermeier, Completely derandomized self-adaptation (2001); pycma.
    """

    def __init__(self, first: Sequence[float], sigma: float, seed: int, population: int | None):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it warns that it cannot plot
                import cma
        except ImportError:
            raise ImportError(INSTALL) from None
        import numpy as np

        largest = max(map(abs, first)) or 1.0
        self.units = [abs(x) or largest for x in first]
        generator = np.random.default_rng(seed)
        options: dict[str, Any] = {
            "seed": np.nan, "randn": lambda *shape: generator.standard_normal(shape),
            "verbose": -9, "verb_log": 0,
        }  # fmt: skip
        if population is not None:
            options["popsize"] = population
        start = [x / unit for x, unit in zip(first, self.units, strict=True)]
        self._strategy = cma.CMAEvolutionStrategy(start, sigma, options)

    def ask(self) -> list[list[float]]:
        """Draw the points of the next generation."""
        self._points = self._strategy.ask()
        return [self._weights(point) for point in self._points]

    def tell(self, fitnesses: Sequence[float]) -> None:
        """Pass on the fitness of each point of this generation; more is better."""
        self._strategy.tell(self._points, [-fitness for fitness in fitnesses])

    @property
    def mean(self) -> list[float]:
        """Return the mean of the distribution, which is less noisy than its best point."""
        return self._weights(self._strategy.mean)

    @property
    def sigma(self) -> float:
        """Return the spread of the points, in units."""
        return float(self._strategy.sigma)

    def _weights(self, point: Any) -> list[float]:
        return [float(x) * unit for x, unit in zip(point, self.units, strict=True)]
