"""Nodes of a traced search after some of their branches: the best so far, and the window left."""

from __future__ import annotations

from math import inf
from typing import Any

from attrs import evolve, frozen

from games import Game
from strategies.algebra.strategy import Kind
from strategies.algorithms.algorithm import Algorithm
from strategies.insight.analysis.trace_steps import OPEN, Candidate, Path, Windows
from strategies.native.calls.maxn import SLACK

Branch = tuple[int, Candidate]
"""A branch, and the candidate of its position."""


def worst(maximises: bool) -> Candidate:
    """Return the candidate that any other beats."""
    return Candidate(-inf if maximises else inf)


@frozen
class TraceNode:
    """A node after some of its branches, with the best candidate so far; at first, its bound."""

    path: Path
    ab: Windows
    maximises: bool
    narrows: bool
    best: Candidate

    def with_child(self, found: Branch) -> TraceNode:
        i, candidate = found
        if candidate == worst(self.maximises):
            return self
        gain = candidate.value - self.best.value
        gain = gain if self.maximises else -gain
        leads = gain > 0 or (self.best.move is None and gain >= 0)
        return evolve(self, best=Candidate(candidate.value, i, self.path)) if leads else self

    def settled(self, test: Branch) -> bool:
        return self.with_child(test) == self

    def window(self) -> Windows:
        """Return the window of the next branch."""
        if not self.narrows:
            return OPEN
        a, b = self.ab
        if self.maximises:
            return (self.best if self.best.value >= a.value else a, b)
        return (a, self.best if self.best.value <= b.value else b)

    def null(self) -> Windows:
        """Return the window that tests whether the next branch is better."""
        zero = Candidate(self.best.value + (1 if self.maximises else -1))
        return (self.best, zero) if self.maximises else (zero, self.best)

    @property
    def closed(self) -> bool:
        """Return whether no further branch can matter."""
        a, b = self.window()
        return self.narrows and bool(a.value >= b.value)

    @property
    def met(self) -> Candidate:
        """Return the bound of an ancestor that closes the window."""
        return self.ab[1 if self.maximises else 0]


@frozen
class Bar:
    """The bounds of a node of several players, by which max^n leaves it (see its kernel)."""

    above: int
    """Who moved before."""
    enough: float
    """With so much for its mover, whoever moved before avoids the node."""
    top: float
    """No value is greater."""
    total: float
    """The values of two players sum to no more."""

    @classmethod
    def of(cls, game: Game[Any, Any]) -> Bar:
        """Return the bar at the root of a search.

        >>> from games import ConnectFour
        >>> Bar.of(ConnectFour()).total
        inf
        """
        low, top = game.value_range or (-inf, inf)
        total = inf
        if game.value_sum is not None and low > -inf:
            most = max(abs(game.value_sum), abs(low), abs(top))
            total = game.value_sum - (game.players - 2) * low + SLACK * most
        return cls(-1, inf, top, total)


@frozen
class OwnNode:
    """A node of a game of several players: the mover compares its own number."""

    path: Path
    player: int
    bar: Bar | None = None
    best: Candidate | None = None

    def with_child(self, found: Branch) -> OwnNode:
        i, candidate = found
        old: Any = self.best
        if old is not None and candidate.value[self.player] <= old.value[self.player]:
            return self
        return evolve(self, best=Candidate(candidate.value, i, self.path))

    def settled(self, test: Branch) -> bool:
        return False

    def window(self) -> Any:
        """Return the bar of the next branch; an open window where nothing is pruned."""
        if self.bar is None:
            return OPEN
        own: Any = self.best
        left = inf if own is None else self.bar.total - own.value[self.player]
        return evolve(self.bar, above=self.player, enough=left)

    null = window
    met = None

    @property
    def closed(self) -> bool:
        """Return whether no further branch can matter."""
        if self.bar is None or self.best is None:
            return False
        own = self.best.value[self.player]
        avoided = self.player != self.bar.above and own >= self.bar.enough
        return bool(own >= self.bar.top or avoided)


def entered(
    algorithm: Algorithm, path: Path, kind: Kind, player: int, ab: Windows, bar: Bar | None = None
) -> TraceNode | OwnNode | None:
    """Return a node before its first branch; None at a chance node.

    It starts from its own bound, but not if windows pass through chance nodes.
    """
    if kind == "chance":
        return None
    if algorithm.tuples:
        return OwnNode(path, player, bar)
    maximises, narrows = kind == "max", algorithm.narrows
    bound = narrows and algorithm.pruning is None
    own = ab[0 if maximises else 1] if bound else worst(maximises)
    return TraceNode(path, ab, maximises, narrows, own)
