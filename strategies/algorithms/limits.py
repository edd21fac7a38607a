"""Limits of time and nodes, and the algorithms that can search under them."""

from __future__ import annotations

from math import inf
from typing import Any

from attrs import evolve, field, frozen

from graphs.arguments import shown
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.trees import TreeSearch


def above_0(_instance: object, attribute: Any, value: Any) -> None:
    """Check the value of a limit: whole for a field `nodes`, else seconds."""
    whole = attribute.name == "nodes"
    kinds = (int,) if whole else (int, float)
    number = isinstance(value, kinds) and not isinstance(value, bool)
    if value is not None and not (number and 0 < value < 2**63):
        unit = "a whole number of nodes" if whole else "a number of seconds"
        bound = "below 2**63" if number and 2**63 <= value < inf else "above 0"
        raise AlgorithmError(f"{attribute.name} must be {unit} {bound}, not {shown(value)}")


@frozen
class Limits:
    """The limits of a search: seconds, and an approximate number of nodes."""

    time: float | None = field(default=None, validator=above_0)
    nodes: int | None = field(default=None, validator=above_0)

    @property
    def written(self) -> str:
        """Return the text of the limits as further arguments of `search`.

        >>> Limits(0.5).written, Limits(nodes=500).written
        (', time=0.5', ', nodes=500')
        """
        given = {"time": self.time, "nodes": self.nodes}
        return "".join(f", {name}={n!r}" for name, n in given.items() if n is not None)

    def shared(self, many: int) -> Limits:
        """Return the limits with the nodes divided among this many searches at once."""
        return self if self.nodes is None else evolve(self, nodes=-(-self.nodes // many))


def check_limits(algorithm: Algorithm, limits: Limits) -> None:
    """Raise AlgorithmError if the algorithm cannot deepen within such limits."""
    if isinstance(algorithm, TreeSearch):
        bounds = "" if algorithm.tuples else ", or use solve(game, time=…), which ends with bounds"
        raise AlgorithmError(
            f"{algorithm.name} searches a tree to its end: leave out time= and nodes={bounds}"
        )
    if not algorithm.deepens:
        check(algorithm, "a search with a limit")
    if limits.nodes is not None and algorithm.windows is None:
        others = _ordered_for(algorithm)
        raise AlgorithmError(
            f"{algorithm} takes no limit of nodes; use a limit of time, or {others}"
        )


def check_over_table(algorithm: Algorithm) -> None:
    """Raise AlgorithmError if the algorithm cannot search over a given table."""
    if isinstance(algorithm, TreeSearch):
        other = "" if algorithm.tuples else ", or use solve, which keeps one"
        raise AlgorithmError(
            f"{algorithm.name} searches a tree and keeps no table: leave out the table{other}"
        )
    check(algorithm, "a search over a given table")


def check(algorithm: Algorithm, what: str) -> None:
    """Raise AlgorithmError if the algorithm lacks the ordered branches that `what` needs."""
    if algorithm.windows is not None:
        return
    if isinstance(algorithm, TreeSearch):
        raise AlgorithmError(
            f"{algorithm.name} searches a tree, and {what} needs a game with move ordering: use a "
            "strategy such as par_list.live().to_ply(2)"
        )
    same = algorithm.plain or algorithm.pruning is not None
    lacking = (
        f"{algorithm.name} has no windows"
        if not algorithm.narrows
        else f"{algorithm.pruning or algorithm.name} has no ordered branches"
    )
    others = _ordered_for(algorithm) + ", whose value is the same" * same
    raise AlgorithmError(f"{lacking}, and {what} needs them; use {others}")


def _ordered_for(algorithm: Algorithm) -> str:
    """Return the algorithms with ordered branches that search the games of another one."""
    return "paranoid" if algorithm.many else "alphabeta, pvs or mtdf"


def to_deepen(algorithm: Algorithm) -> str:
    """Return what makes a search of the same game deepen over a table, as the beginning of advice.

    >>> from strategies import alphabeta, maxn, minimax
    >>> to_deepen(alphabeta(3)), to_deepen(minimax(3)), to_deepen(maxn(3))
    ('use pvs or mtdf, give a limit of time, or ', 'use pvs or mtdf, or ', '')
    """
    other = not algorithm.many and not isinstance(algorithm, TreeSearch)
    ordered = algorithm.windows is not None
    ways = ["use pvs or mtdf, "] * other + ["give a limit of time, "] * ordered
    return "".join([*ways, "or "]) if ways else ""
