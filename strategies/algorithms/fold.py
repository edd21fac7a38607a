"""Intervals and folds: what is known of a node after some of its branches, in move order.

A result is an interval (lo, hi) that contains the value of a branch; a fold is the interval
maximum, minimum or mean of branches.  A window only says when to stop searching: a wrong window
costs work or precision, never soundness, so results of any windows combine by one rule.

Everything that follows a strategy inside one task visits branches in one way: the search, the
trace, the drawn tree, the replayed visits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any, NamedTuple, Protocol, Self, TypeVar

from attrs import evolve, field, frozen

from strategies.algebra.groups import Group, Window, sparks
from strategies.algebra.strategy import Kind
from strategies.native.kernels.star import narrowed, outcome_window, slack
from strategies.native.memory.floats import above, below

Interval = tuple[float, float]

OPEN: Interval = (-inf, inf)
SHUT: Interval = (inf, -inf)
UNKNOWN: Interval = (-inf, inf)


def null(kind: Kind, window: Interval) -> Interval:
    """Return the null window that tests whether a branch is better than the window's near end.

    It is closed if that end is infinite: there is nothing to compare with, as after an elder branch
    that was abandoned.
    """
    a, b = window
    if a >= b or (a if kind == "max" else -b) == -inf:
        return SHUT
    return (a, above(a)) if kind == "max" else (below(b), b)


def intersect(x: Interval, y: Interval) -> Interval:
    """Return the intersection of two intervals that contain the same value."""
    return max(x[0], y[0]), min(x[1], y[1])


class Searched(NamedTuple):
    """The result of searching one branch: its interval and its principal variation."""

    branch: int
    chance: float
    interval: Interval
    line: tuple[int, ...] = ()


class Rule(NamedTuple):
    """The rule by which a search combines branches, the same at all nodes."""

    narrows: bool
    """Whether the result of a branch narrows the windows of others."""
    rounded: bool = False
    """Whether to round each term of a mean to a whole number."""
    many: bool = False
    """Whether values are tuples with a number for each player, who maximizes that number."""
    bounds: Interval | None = None
    """The bounds of all values, if windows pass through chance nodes."""
    scouts: bool = False
    """Whether every branch of a node but the eldest is first tested with a null window."""
    combine: Callable[[Any, Any], Any] | None = None
    """The operation that combines values in a fold over all nodes, if the search is one."""


@frozen
class Fold:
    """What is known of a node after some of its branches."""

    kind: Kind
    a: float
    b: float
    lo: float
    hi: float
    rule: Rule
    move: int | None = None
    line: tuple[int, ...] = ()
    log: Any = field(default=(), eq=False)
    """The records of all tasks that led here, as a rope."""
    span: float = field(default=0.0, eq=False)
    """The length in seconds of the longest chain of tasks that led here."""
    player: int = 0
    """The player who moves."""
    mean: Interval = OPEN
    """The bounds of a mean with its remaining branches, if values have bounds."""

    @classmethod
    def enter(
        cls, kind: Kind, window: Interval, rule: Rule, player: int = 0, span: float = 0.0,
        own: Any = None,
    ) -> Fold:  # fmt: skip
        """Return the fold of a node before its first branch; `own` is what the node itself adds, in
        a fold over all nodes."""
        least = -inf if kind == "max" else inf if kind == "min" else 0
        first = least if own is None else own
        return cls(
            kind, *window, first, first, rule, span=span, player=player, mean=rule.bounds or OPEN
        )

    def child_window(self, chance: float = 1.0) -> Interval:
        """Return the window of the next branch, whose probability is `chance`.

        It is narrowed by the branches so far; below a chance node it is open, unless values have
        bounds.
        """
        if not self.rule.narrows:
            return OPEN
        a, b = self.a, self.b
        if self.kind == "chance" and self.rule.bounds is not None:
            low, high = self.rule.bounds
            window = outcome_window(a, b, *self.mean, chance, low, high, slack(low, high))
            return window if window[0] < window[1] else SHUT
        if self.kind == "max":
            a = max(a, self.lo)
        elif self.kind == "min":
            b = min(b, self.hi)
        return SHUT if a >= b else OPEN if self.kind == "chance" else (a, b)

    def null_window(self, tied: bool = False) -> Interval:
        """Return the null window that tests whether the next branch beats the best one so far or,
        if it is `tied`, equals it."""
        window = self.younger_window(tied) if self.rule.scouts else self.child_window()
        return null(self.kind, window)

    @property
    def exact(self) -> bool:
        """Return whether the value of the branches so far is exact, within the window."""
        if self.kind == "max":
            return self.hi <= max(self.lo, self.a) or self.lo >= self.b
        return self.lo >= min(self.hi, self.b) or self.hi <= self.a

    def younger_window(self, tied: bool = False) -> Interval:
        """Return the window that a null-window test narrows.

        It is closed if an elder branch is known only by bounds, because that one is searched again
        before the younger are tested.  For a `tied` branch, it includes the best value so far.
        """
        if self.move is None:
            return self.child_window()
        a, b = self.child_window() if self.exact else SHUT
        if not tied or a >= b:
            return a, b
        return (below(a), b) if self.kind == "max" else (a, above(b))

    def settled(self, test: Searched) -> bool:
        """Return whether a null-window test of a branch is enough, without a search."""
        a, b = self.child_window()
        if a >= b:
            return True
        lo, hi = test.interval
        return hi <= a or lo >= b if self.kind == "max" else lo >= b or hi <= a

    def with_child(self, branch: Searched) -> Fold:
        """Fold one more branch into the node: only a strictly better one takes the lead."""
        index, chance, (lo, hi), line = branch
        if self.rule.many:
            return self._with_own(branch)
        if self.kind == "chance":
            mean = self.mean
            if self.rule.bounds is not None:
                lo, hi = intersect((lo, hi), self.rule.bounds)
                mean = narrowed(*mean, chance, *self.rule.bounds, lo, hi)
            lo, hi = chance * lo, chance * hi
            if self.rule.rounded:
                lo, hi = round(lo), round(hi)
            return evolve(self, lo=self.lo + lo, hi=self.hi + hi, mean=mean, move=0)
        if self.kind == "max":
            lead, lo, hi = lo > self.lo, max(self.lo, lo), max(self.hi, hi)
        else:
            lead, lo, hi = hi < self.hi, min(self.lo, lo), min(self.hi, hi)
        leads = lead or self.move is None
        move, line = (index, (index, *line)) if leads else (self.move, self.line)
        return self.with_result(lo, hi, move, line, self.log, self.span)

    def with_log(self, log: Any, span: float) -> Fold:
        """Return the fold with the records of its tasks and their span."""
        return self.with_result(self.lo, self.hi, self.move, self.line, log, span)

    def with_result(
        self, lo: float, hi: float, move: int | None, line: tuple[int, ...], log: Any, span: float
    ) -> Fold:
        """Return the fold with another result: what `evolve` gives, in a fifth of its time."""
        return Fold(
            self.kind, self.a, self.b, lo, hi, self.rule, move, line, log, span,
            self.player, self.mean,
        )  # fmt: skip

    def _with_own(self, branch: Searched) -> Fold:
        """Return the fold with one more branch if values are exact tuples: the mover compares its
        own component."""
        value: Any = branch.interval[0]
        known: Any = self.lo
        if self.rule.combine is not None:
            total = value if known == -inf else self.rule.combine(known, value)
            return self.with_result(total, total, self.move, self.line, self.log, self.span)
        if self.kind == "chance":
            before = (0.0,) * len(value) if self.move is None else known
            mean: Any = tuple(m + branch.chance * v for m, v in zip(before, value, strict=True))
            return evolve(self, lo=mean, hi=mean, move=0)
        if self.move is None or value[self.player] > known[self.player]:
            line = (branch.branch, *branch.line)
            return evolve(self, lo=value, hi=value, move=branch.branch, line=line)
        return self


Found = TypeVar("Found")
Taken = TypeVar("Taken", contravariant=True)


class NodeFold(Protocol[Taken]):
    """The protocol of a fold over a node's branches."""

    def with_child(self, branch: Taken, /) -> Self:
        """Fold one more branch into the node."""

    def settled(self, test: Taken, /) -> bool:
        """Return whether a null-window test of a branch already says all that the node needs."""


Node = TypeVar("Node", bound=NodeFold[Any])


def visit(
    groups: Sequence[Group], entered: Node, search: Callable[[int, Node, Found | None], Found],
    test: Callable[[int, Node], Found], cut: Callable[[Node], bool] | None = None,
) -> Node:  # fmt: skip
    """Fold over the branches of a node in order, each with the window of its group.

    ``test(i, node)`` searches branch i with a null window; ``search(i, node, tested)`` searches its
    value, where `tested` is the result of an earlier test.  If the branches run in order and
    ``cut(node)`` returns that the window is closed, the later branches are cut off.
    """
    prefix = [entered]
    for g, sparked in zip(groups, sparks(tuple(groups)), strict=True):
        local = prefix[
            g.start if g.window is Window.LIVE else g.after
        ]  # the branches known by then
        for i in range(g.start, g.stop):
            if g.window is Window.ZERO:
                result = test(i, local)
                if not prefix[i].settled(result):
                    result = search(i, prefix[i], result)
            else:
                result = search(i, local, None)
                local = local.with_child(result)
            prefix.append(prefix[i].with_child(result))
            if cut is not None and not sparked and g.after == g.start and cut(local):
                return local
    return prefix[-1]


def in_order(
    groups: Sequence[Group], entered: Fold, chances: Sequence[float],
    branch: Callable[[int, Interval], Searched],
) -> Fold:  # fmt: skip
    """Fold over the results of `branch` for each branch, with the window of its group."""

    def search(i: int, node: Fold, tested: Searched | None) -> Searched:
        result = branch(i, node.child_window(chances[i]))
        return (
            result
            if tested is None
            else result._replace(interval=intersect(tested.interval, result.interval))
        )

    return visit(groups, entered, search, lambda i, node: branch(i, node.null_window()))
