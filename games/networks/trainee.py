"""The learned game during learning, with a rule that updates its weights."""

from __future__ import annotations

from functools import lru_cache
from types import FunctionType
from typing import Any, Final

import numpy as np
from attrs import field, frozen

from games.attributes import remade
from games.fields import WRITTEN, prefetch
from games.networks.dense import Dense, revised, stepped
from games.networks.learned import (
    Network,
    bounds_of,
    check_game,
    defines,
    estimate_rule,
    functions,
    judged_rule,
    looked_up,
    plain,
    sum_rule,
    total_of,
)
from games.networks.ntuples import NTuples
from games.networks.weights import Row
from games.networks.writing import rule


@frozen(eq=False, repr=False)
class Rows:
    """Weights during learning; for each, the sum of its updates, and of their absolute values.

    The sums are empty if all weights learn at the same rate.  Else a weight and its sums lie side
    by side in memory, because an update changes all three, and waits for memory only once.
    """

    values: Row = field(metadata={WRITTEN: True})
    sums: Row = field(metadata={WRITTEN: True})
    sizes: Row = field(metadata={WRITTEN: True})

    @staticmethod
    def new(network: Network, start: float = 0.0, coherent: bool = False) -> Rows:
        """Return weights that evaluate every position to `start`."""
        if not coherent:
            return Rows(network.begun(start), *np.zeros((2, 0), np.float32))
        rows = Rows.with_sums(network.size)
        if start or not isinstance(network, NTuples):  # 0 needs no writing to memory
            rows.values[:] = network.begun(start)
        return rows

    @staticmethod
    def with_sums(size: int) -> Rows:
        """Return weights that are 0 and have no updates, side by side with their sums."""
        return Rows(*np.zeros((size, 3), np.float32).T)


FAR: Final = 1 << 21
"""Caches hold no more weights than this, so positions wait for memory: with sums, 24 MB."""


def prefetch_rule(kind: type, network: Network) -> FunctionType:
    """Return the rule that announces the weights of all positions that moves lead to.

    A network whose weights are all in the cache announces nothing.
    """
    if isinstance(network, Dense) or network.size <= FAR:
        return rule("net_prefetch", "self, state", [" return 0"])
    body = [" row = self.net_weights.values"]
    if defines(kind, "children"):
        body += [" for _, child in self.children(state):"]
    else:
        body += [" for move in self.moves(state):", "  child = self.make_move(state, move)"]
    body += [" " + line.replace("state", "child") for line in looked_up(kind, network)]
    body += [f"  prefetch(row, i{n})" for n in range(len(network.lookups))]
    names = {"prefetch": prefetch, **functions(network)}
    return rule("net_prefetch", "self, state", [*body, " return 0"], **names)


def revise(row: Row, index: int, step: float) -> None:
    """Add to a weight."""
    row[index] = float(row[index]) + step


def revise_coherently(row: Row, sums: Row, sizes: Row, index: int, step: float) -> None:
    """Add to a weight in proportion to the coherence of its updates, and record this update."""
    met, sum = float(sizes[index]), float(sums[index])
    row[index] = float(row[index]) + (step * abs(sum) / met if met > 0.0 else step)
    sums[index] = sum + step
    sizes[index] = met + abs(step)


def revise_rule(kind: type, network: Network, coherent: bool) -> FunctionType:
    """Return the rule that moves the value of a position towards a target, and returns the error.

    Each weight that was looked up takes its share of `rate` times the error, by its gradient, which
    is the same for all of them; with coherent rates, times the sum of its updates so far divided by
    the sum of their absolute values.
    Source of the latter: temporal coherence learning (Beal and Smith, 1999).
    """
    body = total_of(kind, network, learning=True)
    body += [" sign = 1.0"]
    if kind.players == 2:  # type: ignore[attr-defined]
        body += [" if self.player(state) == 1:", "  sign = -1.0"]
    body += [" error = target - sign * total"]
    if defines(kind, "secured"):
        body += [" error -= float(self.secured(state))"]
    call = "revise(row, {index}, {step})"
    if coherent:
        body += [" sums = self.net_weights.sums", " sizes = self.net_weights.sizes"]
        call = "revise_coherently(row, sums, sizes, {index}, {step})"
    if isinstance(network, Dense):
        body += [stepped(network), *revised(network, call)]
    else:
        count = len(network.lookups)
        body += [f" step = sign * rate * error / {float(count)}"]
        body += [f" {call.format(index=f'i{n}', step='step')}" for n in range(count)]
    names = {"revise": revise, "revise_coherently": revise_coherently, **functions(network)}
    return rule("net_revise", "self, state, target, rate", [*body, " return error"], **names)


@lru_cache(64)
def trainee_class(kind: Any, network: Network, coherent: bool, playing: bool) -> Any:
    """Return the derived class of games that learn."""
    made: Any = type(
        f"Learning{kind.__name__}",
        (kind,),
        {
            "__module__": __name__,
            "__doc__": kind.__doc__,
            "__annotations__": {"net_weights": Rows, "net_low": float, "net_high": float},
            "net_weights": field(kw_only=True),
            "net_low": field(kw_only=True, repr=False),
            "net_high": field(kw_only=True, repr=False),
            "net_sum": sum_rule(kind, network, playing),
            "net_value": judged_rule(kind),
            "net_prefetch": prefetch_rule(kind, network),
            "net_revise": revise_rule(kind, network, coherent),
            "estimate": estimate_rule(),
        },
    )
    return frozen(made, eq=False, slots=False)


def trainee(game: Any, network: Network, rows: Rows, playing: bool = False) -> Any:
    """Return the game that learns: its `net_revise` writes to `rows`.

    With `playing`, its estimate is that of the learned game, which may read a `familiar` position.

    Raises: ValueError, one line.

    >>> from games import NTuples, TicTacToe
    >>> network = NTuples(3, ((4,),))
    >>> learner = trainee(TicTacToe(), network, Rows.new(network))
    >>> corner = learner.parse_state("1")
    >>> [learner.net_revise(corner, 1.0, 0.5), learner.estimate(corner)]
    [1.0, 0.5]
    """
    game = plain(game)
    check_game(game, network)
    low, high = bounds_of(game)
    kind: Any = type(game)
    made = trainee_class(kind, network, rows.sums.size > 0, playing)
    return remade(game, made, net_weights=rows, net_low=low, net_high=high)
