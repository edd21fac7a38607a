"""Limits of time and nodes, and the algorithms that can be searched under them."""

from __future__ import annotations

from math import inf
from typing import Any

from attrs import evolve, field, frozen

from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.errors import AlgorithmError


def above_0(_instance: object, attribute: Any, value: Any) -> None:
    """Check a limit: a field `nodes`, or one of seconds."""
    whole = attribute.name == "nodes"
    kinds = (int,) if whole else (int, float)
    if value is not None and (
        isinstance(value, bool) or not isinstance(value, kinds) or not 0 < value < inf
    ):
        unit = "a whole number of nodes" if whole else "a number of seconds"
        raise AlgorithmError(f"{attribute.name} is {unit} above 0, not {value!r}")


@frozen
class Limits:
    """The limits of a search: seconds, and nodes, about as many."""

    time: float | None = field(default=None, validator=above_0)
    nodes: int | None = field(default=None, validator=above_0)

    @property
    def written(self) -> str:
        """The limits as arguments of `search`, behind others.

        >>> Limits(0.5).written, Limits(nodes=500).written
        (', time=0.5', ', nodes=500')
        """
        given = {"time": self.time, "nodes": self.nodes}
        return "".join(f", {name}={n!r}" for name, n in given.items() if n is not None)

    def shared(self, many: int) -> Limits:
        """Divide the limit of nodes among so many searches at once."""
        return self if self.nodes is None else evolve(self, nodes=-(-self.nodes // many))


def check_limits(algorithm: Algorithm, limits: Limits) -> None:
    """Raise AlgorithmError if the algorithm cannot deepen within such limits."""
    if not algorithm.deepens:
        check(algorithm, "a search with a limit")
    if limits.nodes is not None and not _ordered(algorithm):
        raise AlgorithmError(
            f"a limit of nodes is for alphabeta, pvs and mtdf: give {algorithm} a limit of time"
        )


def _ordered(algorithm: Algorithm) -> bool:
    """Return whether it searches with a table, windows and move ordering."""
    return algorithm.narrows and not algorithm.pruning


def check(algorithm: Algorithm, what: str) -> None:
    """Raise AlgorithmError if the algorithm lacks the windows that `what` needs."""
    if not _ordered(algorithm):
        named = (
            f"{algorithm.name} has no windows"
            if not algorithm.narrows
            else f"{algorithm.pruning} has no ordered branches"
        )
        raise AlgorithmError(
            f"{named}, and {what} needs them: use alphabeta, pvs or mtdf, whose value is the same"
        )
