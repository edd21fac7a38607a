"""Strategies that differ from node to node: by the mover, the node type or a budget of threads."""

from __future__ import annotations

from itertools import pairwise
from typing import Final, Literal, get_args

from attrs import evolve, frozen

from graphs.arguments import shown
from strategies.algebra.groups import Group, normal
from strategies.algebra.orders import ParListChunk, SplitAt
from strategies.algebra.strategy import (
    EvalList,
    Kind,
    Layer,
    ListStrategy,
    Modified,
    Strategy,
    StrategyError,
    applied,
    filled,
    plugged,
    seq,
    unfolded,
)

Type = Literal["pv", "cut", "all"]
"""The type of a node of the minimal tree: on the principal variation, cut-node or all-node."""

Deal = Literal["even", "rest", "whole"]


@frozen(repr=False)
class ByKind(Strategy):
    """A strategy for each kind of node: max nodes, min nodes, chance nodes."""

    max: Strategy
    min: Strategy
    chance: Strategy

    def plug(self, inner: Strategy) -> Strategy:
        return ByKind(*(plugged(s, inner) for s in (self.max, self.min, self.chance)))

    def unfold(self, kind: Kind, n: int) -> Layer:
        if kind == "list":
            raise StrategyError(f"{self} is only for searches of games, not for lists of values")
        chosen: Strategy = getattr(self, kind)
        return unfolded(chosen, kind, n)

    def __repr__(self) -> str:
        return f"by_kind({_chosen(self, ('max', 'min', 'chance'))})"


def _chosen(strategy: Strategy, names: tuple[str, ...]) -> str:
    """Return the text of the parts of a strategy that are not ``seq``, as keyword arguments."""
    return ", ".join(f"{k}={s!r}" for k in names if (s := getattr(strategy, k)) != seq)


@frozen(repr=False)
class ByType(ListStrategy):
    """A strategy for each node type of the minimal tree (Knuth and Moore): PV, cut, all.

    The first branch of a PV node is a PV node, its others are cut-nodes; all branches of a cut-node
    are all-nodes, those of an all-node cut-nodes.
    """

    pv: Strategy
    cut: Strategy
    all: Strategy
    type: Type = "pv"

    def at_type(self, type: Type) -> Strategy:
        """Return the strategy of a node of another type."""
        if type not in get_args(Type):
            raise StrategyError(
                f"a node type must be one of {', '.join(get_args(Type))}, not {shown(type)}"
            )
        return evolve(self, type=type)

    def unfold(self, kind: Kind, n: int) -> Layer:
        layer = unfolded(getattr(self, self.type), kind, n)
        return Layer(layer.groups, tuple(filled(s, self.inner) for s in layer.inner))

    @property
    def repeated(self) -> tuple[Strategy, Strategy]:
        other: Strategy = seq
        if not self.cut == self.all == self.inner == seq:
            other = evolve(self, type="all" if self.type == "cut" else "cut")
        return self if self.type == "pv" else other, other

    def __repr__(self) -> str:
        name = NAMED.get((self.pv, self.cut, self.all))
        text = name or f"by_type({_chosen(self, get_args(Type))})"
        if self.type != "pv":
            text += f".at_type({self.type!r})"
        return text + applied(self.inner)


def at_root(strategy: Strategy, type: Type) -> Strategy:
    """Return the strategy for a search whose root is a node of this type.

    Ensures: the same strategy, if it ignores node types or has tasks at PV nodes only.

    >>> from strategies import by_type, par_list, pv_split, young_brothers_wait
    >>> at_root(by_type(cut=young_brothers_wait, all=par_list), "all")
    by_type(cut=young_brothers_wait, all=par_list).at_type('all')
    >>> at_root(pv_split, "all")
    pv_split
    """
    if isinstance(strategy, Modified):
        return evolve(strategy, body=at_root(strategy.body, type))
    if isinstance(strategy, ByType) and not strategy.cut == strategy.all == seq:
        return strategy.at_type(type)
    return strategy


@frozen(repr=False)
class Budget(ListStrategy):
    """At most `threads` tasks of a node at once; `deal` distributes the threads to its branches."""

    threads: int
    deal: Deal = "even"
    at_max: Deal | None = None
    """How Maxie's nodes deal; None if as the others."""

    def unfold(self, kind: Kind, n: int) -> Layer:
        t = self.threads
        if t == 1 or n == 0:
            return unfolded(self.inner, kind, n)
        edges = [i * n // t for i in range(t + 1)] if t < n else list(range(n + 1))
        groups = normal(tuple(Group(a, b, 0) for a, b in pairwise(edges)))
        return Layer(groups, tuple(self.share_of(i, n, kind) for i in range(n)))

    def share_of(self, i: int, n: int, kind: Kind) -> Strategy:
        """Return the strategy of branch i of n, with the threads dealt to it."""
        t, deal = self.threads, self.deal
        if kind == "max" and self.at_max is not None:
            deal = self.at_max
        left = {"even": t // n + (i < t % n), "rest": t - min(t, n), "whole": t}[deal]
        return self.inner if left <= 1 else evolve(self, threads=left)

    def __repr__(self) -> str:
        deal = "" if self.deal == "even" else f", deal={self.deal!r}"
        deal += "" if self.at_max is None else f", at_max={self.at_max!r}"
        return f"budget(threads={self.threads}{deal})" + applied(self.inner)


PAR_LIST: Final = ParListChunk(1)
NAMED: Final[dict[tuple[Strategy, ...], str]] = {
    (SplitAt(1, EvalList(), PAR_LIST.live()), seq, seq): "pv_split",
    (SplitAt(1, EvalList(), PAR_LIST), seq, PAR_LIST): "critical",
}
"""The strategies by node type that have a name."""
