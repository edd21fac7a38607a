"""Strategies: values that say in which order, and in which task, a node's branches are searched.

A strategy is a partial order on a node's branches (see `strategies.groups`) and the strategy of
each branch.  Applied to a strategy, it evaluates each branch by it: ``par_list(inner)``; unapplied,
each branch is evaluated by ``seq``.  Strategies are immutable, hash, pickle, and print as an
expression that makes them again.  No strategy changes the value of a search.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Literal, get_args

from attrs import evolve, field, frozen

from strategies.groups import Group, Window, normal

Kind = Literal["max", "min", "chance", "list"]
"""What moves at a node; ``list`` for a plain list of values."""


Type = Literal["pv", "cut", "all"]
"""What a node of the minimal tree is: on the principal variation, a cut-node, an all-node."""

Deal = Literal["even", "rest", "whole"]


class StrategyError(ValueError):
    """A strategy that makes no sense: the message says what was wrong and what would be right."""


@frozen
class Layer:
    """One ply of a strategy: its groups, and the strategy of each branch."""

    groups: tuple[Group, ...]
    inner: tuple[Strategy, ...]


class Strategy:
    """Base of all strategies; a new one implements `unfold` and `plug`."""

    __slots__ = ()

    @property
    def inlined(self) -> bool:
        """Whether the node is searched inside one task, so that a plan does not open it."""
        return False

    def unfold(self, kind: Kind, n: int) -> Layer:
        """The layer for a node of this kind with n branches.

        Ensures: the groups cover 0…n in order, each with ``after <= start``.
        """
        raise NotImplementedError

    def plug(self, inner: Strategy) -> Strategy:
        """This strategy with `inner` in its holes: the branches evaluated by plain ``seq``."""
        raise NotImplementedError

    def __call__(self, inner: Strategy) -> Strategy:
        """Each branch evaluated by `inner`: ``par_list(inner)``, ``jamboree(0.5)(inner)``."""
        return self.plug(checked(inner))

    @property
    def everywhere(self) -> Strategy:
        """This strategy at every interior node."""
        return self if isinstance(self, (Sequential, Everywhere)) else Everywhere(self)

    def to_ply(self, n: int) -> Strategy:
        """This strategy at plies 0…n-1, and ``seq`` (or what it is applied to) below."""
        count("to_ply", n, 0)
        return seq if n == 0 or self == seq else ToPly(self.everywhere, n)

    def live(self) -> Strategy:
        """The same order, but the window of a spark is read when its task starts.

        Value and move never change; node counts may.
        """
        return self if isinstance(self, Live) else Live(self)

    def fixed(self) -> Strategy:
        """The same order, windows fixed by what happens before: the same nodes on every run."""
        return self.body if isinstance(self, Live) else self

    def __repr__(self) -> str:
        from strategies.text import show

        return show(self)


def _fill(strategy: Strategy, inner: Strategy) -> Strategy:
    return inner if strategy == seq else strategy.plug(inner)


@frozen(repr=False)
class Sequential(Strategy):
    """All branches one after the other, in the caller's task; each sees all earlier results."""

    @property
    def inlined(self) -> bool:
        return True

    def unfold(self, kind: Kind, n: int) -> Layer:
        return Layer((Group(0, n, 0),) if n else (), (self,) * n)

    def plug(self, inner: Strategy) -> Strategy:
        return self if inner == self else EvalList(inner=inner)


seq = Sequential()


@frozen(repr=False)
class ListStrategy(Strategy):
    """A strategy that evaluates all branches alike: a row of groups, and one inner strategy."""

    inner: Strategy = field(default=seq, kw_only=True)

    def groups(self, n: int) -> tuple[Group, ...]:
        """The groups of n branches."""
        raise NotImplementedError

    def plug(self, inner: Strategy) -> Strategy:
        return evolve(self, inner=_fill(self.inner, inner))

    def unfold(self, kind: Kind, n: int) -> Layer:
        return Layer(normal(self.groups(n)), (self.inner,) * n)


@frozen(repr=False)
class EvalList(ListStrategy):
    """One branch after the other, in step tasks of their own where a branch sparks."""

    def groups(self, n: int) -> tuple[Group, ...]:
        return (Group(0, n, 0),) if n else ()


@frozen(repr=False)
class ParListChunk(ListStrategy):
    """Chunks of `size` branches, a spark each; nothing happens before anything between chunks."""

    size: int

    def groups(self, n: int) -> tuple[Group, ...]:
        return tuple(Group(i, min(i + self.size, n), 0) for i in range(0, n, self.size))


@frozen(repr=False)
class ParBuffer(ListStrategy):
    """At most `size` branches in flight: branch i starts when branches 0…i-size are known."""

    size: int

    def groups(self, n: int) -> tuple[Group, ...]:
        return tuple(Group(i, i + 1, max(0, i - self.size + 1)) for i in range(n))


@frozen(repr=False)
class Scout(ListStrategy):
    """Kuszmaul's Jamboree: the first branch in full, then all others tested in parallel with a
    zero window, then those that passed searched for their value, in order."""

    def groups(self, n: int) -> tuple[Group, ...]:
        return tuple(
            Group(i, i + 1, min(i, 1), Window.ZERO if i else Window.FIXED) for i in range(n)
        )

    def unfold(self, kind: Kind, n: int) -> Layer:
        if kind in ("max", "min"):
            return Layer(normal(self.groups(n)), (self.inner,) * n)
        return par_list.plug(self.inner).unfold(kind, n)


@frozen(repr=False)
class Share:
    """A share of a node's branches, rounded down: exact, as the decimal was written."""

    of: Fraction

    def __str__(self) -> str:
        short = repr(float(self.of)).removesuffix(".0")
        return short if Fraction(short) == self.of else str(self.of)

    def __repr__(self) -> str:
        return f"share({self})"


@frozen(repr=False)
class SplitAt(Strategy):
    """The first branches by one strategy, and when they are known the rest by another."""

    at: int | Share
    first: Strategy
    rest: Strategy

    def plug(self, inner: Strategy) -> Strategy:
        return SplitAt(self.at, self.first.plug(inner), self.rest.plug(inner))

    def unfold(self, kind: Kind, n: int) -> Layer:
        k = int(self.at.of * n) if isinstance(self.at, Share) else min(self.at, n)
        first, rest = self.first.unfold(kind, k), self.rest.unfold(kind, n - k)
        later = tuple(
            g._replace(start=g.start + k, stop=g.stop + k, after=g.after + k) for g in rest.groups
        )
        return Layer(normal(first.groups + later), first.inner + rest.inner)


@frozen(repr=False)
class ByKind(Strategy):
    """A strategy for each kind of node: Maxie's, Minnie's, chance's."""

    max: Strategy
    min: Strategy
    chance: Strategy

    def plug(self, inner: Strategy) -> Strategy:
        return ByKind(self.max.plug(inner), self.min.plug(inner), self.chance.plug(inner))

    def unfold(self, kind: Kind, n: int) -> Layer:
        if kind == "list":
            raise StrategyError(f"{self} needs the nodes of a game; a list has none")
        chosen: Strategy = getattr(self, kind)
        return chosen.unfold(kind, n)


@frozen(repr=False)
class ByType(Strategy):
    """A strategy for each type of node of the minimal tree (Knuth and Moore): principal variation,
    cut, all.  The first branch of a PV node is PV, its others cut; of a cut node all are all-nodes,
    of an all-node cut-nodes."""

    pv: Strategy
    cut: Strategy
    all: Strategy
    type: Type = "pv"
    plies: int | None = 1
    inner: Strategy = seq

    @property
    def everywhere(self) -> Strategy:
        return evolve(self, plies=None)

    def to_ply(self, n: int) -> Strategy:
        return evolve(self, plies=n) if count("to_ply", n, 0) else seq

    def at_type(self, type: Type) -> Strategy:
        """The strategy of a node of another type."""
        if type not in get_args(Type):
            raise StrategyError(
                f"a node's type is one of {', '.join(get_args(Type))}, not {type!r}"
            )
        return evolve(self, type=type)

    def plug(self, inner: Strategy) -> Strategy:
        return evolve(self, inner=_fill(self.inner, inner))

    def unfold(self, kind: Kind, n: int) -> Layer:
        body: Strategy = getattr(self, self.type)
        layer = body.unfold(kind, n)
        below = (_fill(s, self.below(i)) for i, s in enumerate(layer.inner))
        return Layer(layer.groups, tuple(below))

    def below(self, i: int) -> Strategy:
        """The strategy of branch i."""
        if self.plies == 1:
            return self.inner
        first: Type = "pv" if i == 0 else "cut"
        kind: Type = first if self.type == "pv" else "all" if self.type == "cut" else "cut"
        if kind != "pv" and self.cut == self.all == self.inner == seq:
            return seq
        return evolve(self, type=kind, plies=self.plies and self.plies - 1)


@frozen(repr=False)
class Budget(ListStrategy):
    """At most `threads` tasks at once, as many as there are branches; what the branches get of the
    threads is said by `deal`."""

    threads: int
    deal: Deal = "even"

    def unfold(self, kind: Kind, n: int) -> Layer:
        t = self.threads
        if t == 1 or n == 0:
            return self.inner.unfold(kind, n)
        edges = [i * n // t for i in range(t + 1)] if t < n else list(range(n + 1))
        groups = normal(tuple(Group(a, b, 0) for a, b in pairwise(edges)))
        return Layer(groups, tuple(self.share_of(i, n) for i in range(n)))

    def share_of(self, i: int, n: int) -> Strategy:
        """The strategy of branch i of n."""
        t = self.threads
        left = {"even": t // n + (i < t % n), "rest": t - min(t, n), "whole": t}[self.deal]
        return self.inner if left <= 1 else evolve(self, threads=left)


@frozen(repr=False)
class Live(Strategy):
    """The same order, but a task reads its window when it starts, not from what happens before."""

    body: Strategy

    @property
    def inlined(self) -> bool:
        return self.body.inlined

    def plug(self, inner: Strategy) -> Strategy:
        return Live(self.body.plug(inner))

    def unfold(self, kind: Kind, n: int) -> Layer:
        layer = self.body.unfold(kind, n)
        groups = tuple(
            g._replace(window=Window.LIVE) if g.window is Window.FIXED else g for g in layer.groups
        )
        return Layer(normal(groups), tuple(s if s.inlined else s.live() for s in layer.inner))


@frozen(repr=False)
class Everywhere(Strategy):
    """A strategy plugged into itself without end; with `plies`, sparks only above that ply."""

    body: Strategy
    plies: int | None = None

    @property
    def inlined(self) -> bool:
        return self.plies == 0

    def grain(self, plies: int) -> Strategy:
        """The same policy at every node, but sparks only above ply `plies`.

        Below, the policy runs inside the task: same windows, same nodes, fewer tasks.
        """
        return Everywhere(self.body, count("grain", plies, 0))

    def plug(self, inner: Strategy) -> Strategy:
        return self

    def unfold(self, kind: Kind, n: int) -> Layer:
        layer = self.body.unfold(kind, n)
        below = self if not self.plies else Everywhere(self.body, self.plies - 1)
        return Layer(layer.groups, tuple(_fill(s, below) for s in layer.inner))


@frozen(repr=False)
class ToPly(ListStrategy):
    """The first plies of a strategy; below them, the inner one."""

    body: Strategy
    plies: int

    def unfold(self, kind: Kind, n: int) -> Layer:
        layer = self.body.unfold(kind, n)
        last = self.plies == 1
        below = (
            self.inner if last else evolve(self, body=s, plies=self.plies - 1) for s in layer.inner
        )
        return Layer(layer.groups, tuple(below))


def count(name: str, n: object, least: int) -> int:
    """A whole number, `least` or more; else StrategyError."""
    if isinstance(n, bool) or not isinstance(n, int) or n < least:
        raise StrategyError(f"{name} needs a whole number, {least} or more, not {n!r}")
    return n


def share(p: float | str | Fraction) -> Share:
    """The first ``floor(p * n)`` of n branches, with p taken exactly, as the decimal written.

    >>> split_at(share(0.58), eval_list, par_list)
    jamboree(0.58)
    """
    try:
        exact = None if isinstance(p, bool) else Fraction(str(p))
    except (ValueError, ZeroDivisionError):
        exact = None
    if exact is None or not 0 <= exact <= 1:
        raise StrategyError(f"a share is a number from 0 to 1, not {p!r}")
    return Share(exact)


def checked(s: object) -> Strategy:
    if not isinstance(s, Strategy):
        raise StrategyError(f"a strategy is needed here, not {s!r}")
    return s


eval_list = EvalList()
par_list = ParListChunk(1)
scout = Scout()


def par_list_chunk(size: int) -> Strategy:
    """One spark for `size` branches, in order inside it, windows narrowing inside the chunk."""
    return ParListChunk(count("par_list_chunk", size, 1))


def par_buffer(size: int) -> Strategy:
    """At most `size` branches in flight."""
    return ParBuffer(count("par_buffer", size, 1))


def split_at(at: int | Share | float, first: Strategy, rest: Strategy) -> Strategy:
    """`first` on the first `at` branches, then `rest` on the others, which see all of the first.

    Requires: `at` is a count (an int), or a share: ``share(p)``, or p as a float.

    >>> split_at(1, eval_list, par_list), split_at(1.0, eval_list, par_list)
    (split_at(1, eval_list, par_list), jamboree(1))
    """
    if not isinstance(at, Share):
        at = share(at) if isinstance(at, (float, bool)) else count("split_at", at, 0)
    return SplitAt(at, checked(first), checked(rest))


def jamboree(p: float) -> Strategy:
    """The first ``floor(p * n)`` branches in order, then the others in parallel (seed: Jamboree).

    ``jamboree(1)`` is alpha-beta, ``jamboree(0)`` visits what minimax visits.

    >>> [g[:3] for g in jamboree(0.5).unfold("max", 5).groups]
    [(0, 2, 0), (2, 3, 2), (3, 4, 2), (4, 5, 2)]
    """
    return SplitAt(share(p), eval_list, par_list)


young_brothers_wait = split_at(1, eval_list, par_list.live())


def by_kind(*, max: Strategy = seq, min: Strategy = seq, chance: Strategy = seq) -> Strategy:
    """A strategy for each kind of node."""
    return ByKind(checked(max), checked(min), checked(chance))


def by_type(*, pv: Strategy = seq, cut: Strategy = seq, all: Strategy = seq) -> Strategy:
    """A strategy for each type of node of the minimal tree (Knuth and Moore).

    As any strategy it says one ply: say ``.to_ply(n)`` or ``.everywhere`` for more.

    >>> by_type(pv=par_list, all=par_list).to_ply(3)
    critical.to_ply(3)
    """
    return ByType(checked(pv), checked(cut), checked(all))


root_split = par_list.to_ply(1)
"""A spark for each branch of the root."""

pv_split = by_type(pv=young_brothers_wait)
"""Along the leftmost path, the first branch, then the others in parallel: principal variation
splitting.  Say ``pv_split.everywhere`` for the whole path."""

critical = by_type(pv=par_list, all=par_list)
"""Sparks where the minimal tree has all branches, order where it has one: no extra work if moves
are perfectly ordered."""


def budget(threads: int, deal: str = "even") -> Strategy:
    """At most `threads` tasks at once, dealt to the branches on the way down.

    `deal` says what each branch gets: "even", its part of the threads, the first branches the odd
    ones; "rest", what is left when each branch has one; "whole", all of them again.
    """
    if deal not in get_args(Deal):
        raise StrategyError(f"deal is one of {', '.join(get_args(Deal))}, not {deal!r}")
    return Budget(count("budget", threads, 1), deal)  # type: ignore[arg-type]  # one of them


NAMES: dict[str, Strategy | Callable[..., object]] = {
    "seq": seq,
    "eval_list": eval_list,
    "par_list": par_list,
    "par_list_chunk": par_list_chunk,
    "par_buffer": par_buffer,
    "split_at": split_at,
    "share": share,
    "jamboree": jamboree,
    "young_brothers_wait": young_brothers_wait,
    "scout": scout,
    "by_kind": by_kind,
    "by_type": by_type,
    "root_split": root_split,
    "pv_split": pv_split,
    "critical": critical,
    "budget": budget,
}
"""The names that a strategy's text may use."""
