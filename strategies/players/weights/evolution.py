"""The optimiser CMA-ES of the package ``cma``, which needs no gradient and tolerates noise."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

INSTALL = "tuning needs the optimiser CMA-ES: pip install 'jamboree-search[tune]'"


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
