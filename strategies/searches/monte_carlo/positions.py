"""The positions of a tree that were visited most, with their statistics, to look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import field, frozen

from games import CHANCE, MINNIE, Game
from graphs.arguments import check_integers
from strategies.algorithms.positions import children, kind_of
from strategies.native.engine import plain
from strategies.searches.monte_carlo.counted import Branches, Counts, Path, Scale
from strategies.support.printing import brief, columns, html_table

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


def value_of(
    game: Game[Any, Any], mover: int, counts: Sequence[Counts], scale: Scale
) -> tuple[float | None, bool]:
    """Return the value of a branch of which trees have these statistics, and whether it is proven;
    None without visits."""
    known = next((c.proven for c in counts if c.proven is not None), None)
    visits = sum(c.visits for c in counts)
    if known is not None or not visits:
        return (None if known is None else plain(float(known))), known is not None
    mean = sum(c.rewards for c in counts) / visits / scale.top
    mirrored = mover == MINNIE and game.players <= 2
    return plain(float(scale.value(1 - mean if mirrored else mean))), False


def deviation_of(counts: Sequence[Counts], scale: Scale) -> float | None:
    """Return the standard deviation of the results of a branch of which trees have these
    statistics; None without visits."""
    visits = sum(c.visits for c in counts)
    if not visits:
        return None
    return scale.deviation(visits, sum(c.rewards for c in counts), sum(c.gaps for c in counts))


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
                if visits := sum(c.visits for c in counts):
                    below, line = (*path, i), (*moves, named(game, here, move))
                    above[below] = child, line
                    value, proven = value_of(game, mover, counts, trees[0].scale)
                    spread = deviation_of(counts, trees[0].scale)
                    yield SampledPosition(below, line, visits, value, proven, spread, child)


def named(game: Game[Any, Any], state: Any, move: Any) -> str:
    """Return a branch as people read it: a move, or the number of an outcome if chance moves."""
    chance = game.player(state) == CHANCE
    return f"outcome {move}" if chance else game.move_text(state, move)
