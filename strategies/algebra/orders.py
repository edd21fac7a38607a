"""Orders of a node's branches: in chunks, through a buffer, tested first, or split in two."""

from __future__ import annotations

from fractions import Fraction

from attrs import frozen

from strategies.algebra.groups import Group, Window, normal
from strategies.algebra.strategy import (
    EvalList,
    Kind,
    Layer,
    ListStrategy,
    Strategy,
    applied,
    plugged,
    seq,
    unfolded,
)


@frozen(repr=False)
class ParListChunk(ListStrategy):
    """Chunks of `size` branches, one spark per chunk; no chunk waits for another."""

    size: int

    def groups(self, n: int) -> tuple[Group, ...]:
        return tuple(Group(i, min(i + self.size, n), 0) for i in range(0, n, self.size))

    def __repr__(self) -> str:
        name = "par_list" if self.size == 1 else f"par_list_chunk({self.size})"
        return name + applied(self.inner)


@frozen(repr=False)
class ParBuffer(ListStrategy):
    """At most `size` branches in flight: branch i starts when branches 0…i-size are known."""

    size: int

    def groups(self, n: int) -> tuple[Group, ...]:
        return tuple(Group(i, i + 1, max(0, i - self.size + 1)) for i in range(n))

    def __repr__(self) -> str:
        return f"par_buffer({self.size})" + applied(self.inner)


@frozen(repr=False)
class Scout(ListStrategy):
    """Kuszmaul's Jamboree: the first branch in full; null-window tests of the others in parallel;
    then the branches that failed high, searched for their value in order."""

    def groups(self, n: int) -> tuple[Group, ...]:
        return tuple(
            Group(i, i + 1, min(i, 1), Window.ZERO if i else Window.FIXED) for i in range(n)
        )

    def unfold(self, kind: Kind, n: int) -> Layer:
        if kind in ("max", "min"):
            return super().unfold(kind, n)
        return unfolded(ParListChunk(1, inner=self.inner), kind, n)

    def __repr__(self) -> str:
        return "scout" + applied(self.inner)


@frozen(repr=False)
class Share:
    """A share of a node's branches, rounded down; exact, as the decimal was written."""

    of: Fraction

    def __str__(self) -> str:
        short = repr(float(self.of)).removesuffix(".0")
        return short if Fraction(short) == self.of else repr(str(self.of))

    def __repr__(self) -> str:
        return f"share({self})"


@frozen(repr=False)
class SplitAt(Strategy):
    """The first branches by one strategy and, when they are known, the rest by another."""

    at: int | Share
    first: Strategy
    rest: Strategy

    def plug(self, inner: Strategy) -> Strategy:
        return SplitAt(self.at, plugged(self.first, inner), plugged(self.rest, inner))

    def unfold(self, kind: Kind, n: int) -> Layer:
        k = int(self.at.of * n) if isinstance(self.at, Share) else min(self.at, n)
        first, rest = unfolded(self.first, kind, k), unfolded(self.rest, kind, n - k)
        later = tuple(
            g._replace(start=g.start + k, stop=g.stop + k, after=g.after + k) for g in rest.groups
        )
        return Layer(normal(first.groups + later), first.inner + rest.inner)

    def __repr__(self) -> str:
        inner = self.first.inner if isinstance(self.first, EvalList) else seq
        first, rest = EvalList(inner=inner), ParListChunk(1, inner=inner)
        if isinstance(self.at, Share) and (self.first, self.rest) == (first, rest):
            return f"jamboree({self.at})" + applied(inner)
        if (self.at, self.first, self.rest) == (1, first, rest.live()):
            return "young_brothers_wait" + applied(inner)
        return f"split_at({self.at!r}, {self.first!r}, {self.rest!r})"
