"""The statistics of trees: read from their cells, and of the positions that were visited most."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from typing import Any, Final, NamedTuple

from attrs import evolve, field, frozen

from games import CHANCE, MINNIE, WIN, Game
from graphs.arguments import check_integers
from strategies.algorithms.positions import children, kind_of
from strategies.native.engine import plain
from strategies.native.kernels import mcts_tree as tree
from strategies.support.printing import brief, columns, html_table

Path = tuple[int, ...]
SHARE: Final = 64
"""A result has the branches of positions that at least one of so many simulations visited."""


class Counts(NamedTuple):
    """The statistics of a branch: its visits, the sums of its rewards and of their gaps, and its
    proven value, if any."""

    visits: int
    rewards: int
    gaps: float
    proven: float | None


class Branches(NamedTuple):
    """The statistics of all branches of a position, in columns: reading them takes no longer than
    some simulations."""

    visits: list[int]
    rewards: list[int]
    gaps: list[float]
    known: list[int]
    """The cells of proven values."""

    def counts(self, index: int) -> Counts:
        """Return the statistics of one branch."""
        known = self.known[index]
        proven = tree.proven_value(known) if known else None
        return Counts(self.visits[index], self.rewards[index], self.gaps[index], proven)


NONE: Final = Branches([], [], [], [])


@frozen(eq=False)
class Counted:
    """The cells of a tree, and where each thread counts."""

    cells: Any
    starts: tuple[int, ...]
    gaps: tuple[int, ...]
    """Where each thread adds up gaps, one cell a node."""

    @staticmethod
    def of(cells: Any, counts: int, gaps: int, stride: int, threads: int) -> Counted:
        """Return the cells of a tree of which regions of so many cells begin at `counts`, and half
        as large ones at `gaps`."""
        each = range(threads)
        starts = tuple(counts + k * stride for k in each)
        return Counted(cells, starts, tuple(gaps + k * stride // tree.NODE for k in each))

    def nodes(self, node: int) -> range:
        """Return the nodes of the branches of a node, in order."""
        first, count = divmod(self.cells[tree.LINKS + node], tree.BRANCHES)
        return range(first, first + tree.NODE * count, tree.NODE) if first else range(0)

    def branches(self, nodes: range) -> Branches:
        """Return the statistics of the nodes of the branches of a node."""
        if not nodes:
            return NONE
        known = self.cells[tree.KNOWN + nodes.start : tree.KNOWN + nodes.stop : tree.NODE]
        visits, totals = self.column(tree.VISITS, nodes), self.column(tree.TOTAL, nodes)
        return Branches(visits, totals, self._gaps(nodes), known)

    def column(self, cell: int, nodes: range) -> list[int]:
        """Return a count of each of several nodes that lie side by side."""
        rows: list[list[int]] = [
            self.cells[start + cell + nodes.start : start + cell + nodes.stop : tree.NODE]
            for start in self.starts
        ]
        return rows[0] if len(rows) == 1 else list(map(sum, zip(*rows, strict=True)))

    def _gaps(self, nodes: range) -> list[float]:
        """Return the sum of gaps of each of several nodes that lie side by side."""
        first, count = nodes.start // tree.NODE, len(nodes)
        rows = (self.cells[s + first : s + first + count] for s in self.gaps)
        floats = (struct.unpack(f"{count}d", struct.pack(f"{count}q", *row)) for row in rows)
        return list(map(sum, zip(*floats, strict=True)))

    def visits(self, node: int) -> int:
        """Return the visits of a node."""
        return sum(self.cells[start + tree.VISITS + node] for start in self.starts)

    def known(self, node: int) -> float | None:
        """Return the proven value of a node, if any."""
        bits = self.cells[tree.KNOWN + node]
        return tree.proven_value(bits) if bits else None

    def line(self, node: int) -> Path:
        """Return the most visited branches below a node; the leftmost of equals."""
        line: list[int] = []
        while nodes := self.nodes(node):
            visits = self.column(tree.VISITS, nodes)
            most = max(visits)
            if not most:
                break
            line.append(visits.index(most))
            node = nodes[line[-1]]
        return tuple(line)

    def top(self) -> dict[Path, Branches]:
        """Return the statistics of the branches of each position that at least one of `SHARE`
        simulations visited.

        Ensures: the plies come one after the other, from the root down.
        """
        found: dict[Path, Branches] = {}
        least = max(2, self.visits(tree.ROOT) // SHARE)
        ply: list[tuple[Path, int]] = [((), tree.ROOT)]
        while ply:
            below: list[tuple[Path, int]] = []
            for path, node in ply:
                nodes = self.nodes(node)
                branches = self.branches(nodes)
                if nodes and (any(branches.visits) or not path):
                    found[path] = branches
                    for i, visits in enumerate(branches.visits):
                        if visits >= least:
                            below.append(((*path, i), nodes[i]))
            ply = below
        return found


ROOM: Final = 64
"""How many times as large as the value for which a scale was made later values may be."""


@frozen
class Scale:
    """A scale of rewards: the value `low` counts 0, the value `high` counts `top`."""

    low: float
    high: float
    decisive: bool
    """Whether the game is won or lost; then a loss counts 0 and a win `tree.ONE`."""
    adapts: bool = False
    """Whether the range widens with each reward outside it."""

    @property
    def top(self) -> int:
        """Return the reward of `high`."""
        return tree.SAMPLED if self.adapts else tree.ONE

    @property
    def factor(self) -> float:
        """Return the reward of one unit of value."""
        return self.top / (self.high - self.low)

    def holding(self, value: float, far: int) -> Scale:
        """Return a scale for a value far outside of this range, or a win, if the greatest reward is
        `far`; values up to `ROOM` times as large fit, too.

        >>> Scale(0, 1, False, adapts=True).holding(2**30, 2**30)
        Scale(low=0, high=16777216.0, decisive=False, adapts=True)
        >>> Scale(1, 2, False, adapts=True).holding(-WIN, 2**30)
        Scale(low=-4.0, high=4.0, decisive=True, adapts=False)
        """
        if abs(value) >= WIN:
            return Scale.with_wins(max(abs(self.low), abs(self.high)))
        unit = abs(value - self.low) * ROOM / far
        return evolve(self, high=max(self.high, self.low + self.top * unit))

    @staticmethod
    def with_wins(most: float) -> Scale:
        """Return the scale of a game with wins, where other values are up to `most` for a side."""
        return Scale(-2.0 * most or -1.0, 2.0 * most or 1.0, True)

    def value(self, mean: float) -> float:
        """Convert a mean reward from 0 to 1 to a value, where a win counts 1 and a loss -1."""
        return 2 * mean - 1 if self.decisive else self.low + mean * (self.high - self.low)

    def counted(self, value: float) -> float:
        """Return what a value of the game counts in a mean of values.

        >>> Scale(-4, 4, True).counted(WIN), Scale(-4, 4, True).counted(-1)
        (1, -0.25)
        """
        if not self.decisive:
            return value
        return max(-1, min(1, value / self.high))

    def deviation(self, visits: int, rewards: int, gaps: float) -> float:
        """Return the standard deviation of the values of which these are the visits, the sum of the
        rewards and that of their gaps.

        >>> wins_and_a_draw = Scale(-1, 1, True).deviation(2, 3 * tree.ONE // 2, tree.ONE**2 / 4)
        >>> wins_and_a_draw  # of 1 and 0
        0.5
        """
        squares = self.top * rewards - int(gaps)
        spread = sqrt(max(0, visits * squares - rewards**2)) / visits / self.top
        return spread * (2 if self.decisive else self.high - self.low)

    def converted(self, counts: Counts, to: Scale, mirrored: bool) -> Counts:
        """Return counts of this scale as counts of another one; `mirrored` if they are Minnie's.

        >>> counts = Counts(2, 3 * tree.ONE // 2, tree.ONE**2 / 4, None)  # the values 4 and 2
        >>> Scale(0, 4, False).converted(counts, Scale(-4, 4, True), False) == Counts(
        ...     2, 7 * tree.ONE // 4, 3 * tree.ONE**2 / 16, None)
        True
        """
        ratio = to.factor / self.factor
        shift = to.factor * (to.high - self.high if mirrored else self.low - to.low)
        squares = self.top * counts.rewards - counts.gaps
        rewards = round(ratio * counts.rewards + shift * counts.visits)
        squares = ratio**2 * squares + 2 * ratio * shift * counts.rewards + shift**2 * counts.visits
        return counts._replace(rewards=rewards, gaps=to.top * rewards - squares)


def widest(scales: Iterable[Scale]) -> Scale:
    """Return the scale that holds the values of all: one with wins, if any has them."""
    return max(scales, key=lambda s: (s.decisive, s.high - s.low))


HEAD = ("moves", "visits", "share", "value", "deviation")
"""The columns of a tree."""


@frozen
class Top:
    """The statistics of the branches of the most visited positions of one tree."""

    branches: dict[Path, Branches]
    scale: Scale


@frozen
class SampledPosition:
    """A position of a tree, with the statistics of the move that leads to it."""

    path: Path
    """The branches that lead to it from the root, as numbers."""
    moves: tuple[str, ...]
    """The moves that lead to it, in the notation of the game; outcomes of chance by number."""
    visits: int
    value: float | None
    """As `Sampled.value`."""
    proven: bool
    deviation: float | None
    """As `Sampled.deviation`."""
    state: Any = field(repr=False)


@frozen(repr=False)
class SampledTree:
    """The most visited positions of a tree below its root, each followed by those below it."""

    positions: tuple[SampledPosition, ...]
    simulations: int

    def __iter__(self) -> Iterator[SampledPosition]:
        return iter(self.positions)

    def __len__(self) -> int:
        return len(self.positions)

    def _rows(self) -> list[tuple[str, ...]]:
        from strategies.searches.monte_carlo.report import counted

        total = max(1, self.simulations)
        return [
            ("  " * (len(p.path) - 1) + p.moves[-1], *counted(p, total)) for p in self.positions
        ]

    __repr__ = brief

    def __str__(self) -> str:
        return "\n".join(columns([HEAD, *self._rows()]))

    def _repr_html_(self) -> str:
        """Show the positions in a notebook, as a table."""
        rows = [(row[0].replace(" ", "\u2003"), *row[1:]) for row in self._rows()]
        return html_table(HEAD, rows)


class Statistics(NamedTuple):
    """What several trees know of a branch."""

    visits: int
    value: float | None
    """None without visits."""
    proven: bool
    deviation: float | None


def statistics_of(
    game: Game[Any, Any], mover: int, counts: Sequence[Counts], scales: Sequence[Scale]
) -> Statistics:
    """Return the statistics of a branch of which trees, with a scale each, have these counts."""
    mirrored = mover == MINNIE and game.players <= 2
    scale = widest(scales)
    parts = zip(counts, scales, strict=True)
    counts = [c if s == scale else s.converted(c, scale, mirrored) for c, s in parts]
    visits = sum(c.visits for c in counts)
    rewards, gaps = sum(c.rewards for c in counts), sum(c.gaps for c in counts)
    known = next((c.proven for c in counts if c.proven is not None), None)
    spread = scale.deviation(visits, rewards, gaps) if visits else None
    if known is not None or not visits:
        value = None if known is None else plain(float(known))
        return Statistics(visits, value, known is not None, spread)
    mean = rewards / visits / scale.top
    value = plain(float(scale.value(1 - mean if mirrored else mean)))
    return Statistics(visits, value, False, spread)


def tree_of(result: Any, plies: int | None) -> SampledTree:
    """Return the most visited positions of a result: siblings by their visits, each followed by
    those below it.

    Raises: ArgumentError for a number of plies below 1.
    """
    if plies is not None:
        check_integers(1, plies=plies)
    found = {p.path: p for p in _positions(result)}

    def place(p: SampledPosition) -> list[tuple[int, int]]:
        ways = (p.path[: n + 1] for n in range(len(p.path)))
        return [(-found[way].visits, way[-1]) for way in ways]

    shown = [p for p in found.values() if plies is None or len(p.path) <= plies]
    return SampledTree(tuple(sorted(shown, key=place)), sum(m.visits for m in result.moves))


def _positions(result: Any) -> Iterator[SampledPosition]:
    """Yield the visited branches of the positions that all trees have among their most visited."""
    trees = [t for t in result.tops if t.branches]
    if not trees or result.searched is None:
        return
    game, state = result.searched.game, result.searched.state
    above: dict[Path, tuple[Any, tuple[str, ...]]] = {(): (state, ())}
    for path in trees[0].branches:
        if path in above and all(path in t.branches for t in trees):
            here, moves = above[path]
            mover, below_it = game.player(here), children(game, here, kind_of(game, here))
            for i, (move, _, child) in enumerate(below_it):
                counts = [t.branches[path].counts(i) for t in trees]
                found = statistics_of(game, mover, counts, [t.scale for t in trees])
                if found.visits:
                    below, line = (*path, i), (*moves, named(game, here, move))
                    above[below] = child, line
                    yield SampledPosition(below, line, *found, child)


def named(game: Game[Any, Any], state: Any, move: Any) -> str:
    """Return a branch as people read it: a move, or the number of an outcome if chance moves."""
    chance = game.player(state) == CHANCE
    return f"outcome {move}" if chance else game.move_text(state, move)
