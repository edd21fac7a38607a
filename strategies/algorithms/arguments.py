"""Checks of the arguments `algorithm` and `using`."""

from __future__ import annotations

from typing import Any

from graphs.arguments import shown
from graphs.errors import ArgumentError
from strategies.algebra.auto import Auto
from strategies.algebra.drivers import Driver
from strategies.algebra.strategy import Strategy
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.monte_carlo import MonteCarlo, unplanned


def check_algorithm(algorithm: Any) -> None:
    """Check that an argument is an algorithm that searches to a depth.

    Raises: ArgumentError; AlgorithmError for `mcts`, which has no plan.

    >>> check_algorithm(8)
    Traceback (most recent call last):
        ...
    graphs.errors.ArgumentError: an algorithm is needed, as alphabeta(depth=8), not 8
    """
    if isinstance(algorithm, MonteCarlo):
        raise unplanned()
    if not isinstance(algorithm, Algorithm):
        hint = f"; write parse_algorithm({shown(algorithm)})" if _written(algorithm) else ""
        raise ArgumentError(
            f"an algorithm is needed, as alphabeta(depth=8), not {shown(algorithm)}{hint}"
        )


def check_using(using: Any, *, chosen: bool = False) -> None:
    """Check that an argument is a strategy or a driver or, with `chosen`, ``auto()``.

    Raises: ArgumentError.
    """
    if not isinstance(using, (Strategy, Driver)) and not (chosen and isinstance(using, Auto)):
        read = "parse_using" if chosen else "parse_strategy"
        hint = f"; write {read}({shown(using)})" if _written(using) else ""
        raise ArgumentError(
            f"a strategy is needed, as jamboree(0.5).to_ply(2), not {shown(using)}{hint}"
        )


def _written(value: Any) -> bool:
    return isinstance(value, str) and bool(value)
