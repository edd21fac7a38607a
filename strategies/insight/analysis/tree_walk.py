"""The tree that a search visits: a sequential walk with a strategy's fixed windows."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from games import Game
from graphs.errors import ArgumentError
from strategies.algebra.strategy import Kind, Strategy, unfolded
from strategies.algorithms.fold import OPEN, UNKNOWN, Fold, Interval, Searched
from strategies.algorithms.positions import expand, is_terminal
from strategies.algorithms.visit import in_order
from strategies.insight.analysis.trace_walk import spread
from strategies.native.kept_engines import engine_for
from strategies.native.memory.cells import Stop
from strategies.running.execution.node import NodeSearch
from strategies.running.plans.plan import Plan
from strategies.running.records.record import Tally
from strategies.running.records.wording import outcome_names

Path = tuple[int, ...]
Branches = list[tuple[Any, float, Any]]


@frozen
class Outcome:
    """The outcome of the walk at one position."""

    interval: Interval
    """The bounds on its value."""
    window: Interval
    """The window of its last search."""
    line: Path


@frozen(eq=False)
class Position:
    """A position of the tree, visited or pruned."""

    path: Path
    state: Any
    kind: Kind
    move: str
    """The move that leads here; empty at the root."""
    spark: bool
    """Whether the strategy searches it in parallel with others."""
    seen: Outcome | None
    """The outcome; None if the position is pruned."""
    below: tuple[Position, ...]


def walked(plan: Plan, most: int) -> Position:
    """Return the whole tree of a plan, with the positions that the search visits.

    Raises: ValueError if it has more than `most` positions.
    """
    walk = _Walk(plan, most)
    walk.search((), plan.state, plan.strategy, plan.algorithm.depth, plan.window)
    return walk.position((), plan.state, "", False, plan.strategy, plan.algorithm.depth)


def branch_names(game: Game[Any, Any], state: Any, kind: Kind, below: Branches) -> list[str]:
    """Return the texts of the moves of a position, or the names of its outcomes."""
    if kind == "chance":
        return outcome_names([p for _, p, _ in below])
    return [game.move_text(state, m) for m, _, _ in below]


class _Walk:
    def __init__(self, plan: Plan, most: int) -> None:
        self.game, self.algorithm, self.most, self.count = plan.game, plan.algorithm, most, 0
        engine = engine_for(plan.game, "interpreted")
        self.leaf = NodeSearch(engine, plan.algorithm, Stop(), Tally())
        self.seen: dict[Path, Outcome] = {}

    def check(self, count: int) -> None:
        if count > self.most:
            raise ArgumentError(
                f"the tree has more than {self.most} positions: search fewer plies to draw it, or "
                "draw the overview, which fits any search: result.draw('overview')"
            )

    def search(
        self, path: Path, state: Any, strategy: Strategy, depth: int, window: Interval,
        reach: float = 1.0,
    ) -> tuple[Interval, Path]:  # fmt: skip
        """Search a position; return the bounds on its value, and its line."""
        self.check(len(self.seen))
        if self.ends(state, depth, reach):
            interval, line = self.leaf.search(state, depth, OPEN, reach)
        else:
            fold = self.interior(path, state, strategy, depth, window, reach)
            interval, line = (fold.lo, fold.hi), fold.line
        self.seen[path] = Outcome(interval, window, line)
        return interval, line

    def ends(self, state: Any, depth: int, reach: float) -> bool:
        """Return whether the search opens no branch here."""
        over = depth == 0 or is_terminal(self.game, state)
        return over or self.algorithm.cuts(self.game, state, reach)

    def interior(
        self, path: Path, state: Any, strategy: Strategy, depth: int, window: Interval,
        reach: float,
    ) -> Fold:  # fmt: skip
        kind, below = expand(self.game, state)
        layer = unfolded(strategy, kind, len(below))
        rule = self.algorithm.rule(self.game)
        entered = Fold.enter(kind, window, rule, self.game.player(state))

        def branch(i: int, window: Interval) -> Searched:
            _, chance, child = below[i]
            if window[0] >= window[1]:
                return Searched(i, chance, UNKNOWN)
            inner, met = layer.inner[i], reach * chance
            found = self.search((*path, i), child, inner, depth - 1, window, met)
            return Searched(i, chance, *found)

        return in_order(layer.groups, entered, [chance for _, chance, _ in below], branch)

    def position(
        self, path: Path, state: Any, move: str, spark: bool, strategy: Strategy, depth: int,
        reach: float = 1.0,
    ) -> Position:  # fmt: skip
        """Return the tree below a position, with the outcomes of the walk."""
        self.count += 1
        self.check(self.count)
        if self.ends(state, depth, reach):
            return Position(path, state, "max", move, spark, self.seen.get(path), ())
        kind, below = expand(self.game, state)
        layer = unfolded(strategy, kind, len(below))
        ahead = spread(layer.groups, layer.sparks)
        names = branch_names(self.game, state, kind, below)
        inner = tuple(
            self.position((*path, i), child, names[i], ahead[i], layer.inner[i], depth - 1,
                          reach * p)
            for i, (_, p, child) in enumerate(below)
        )  # fmt: skip
        return Position(path, state, kind, move, spark, self.seen.get(path), inner)
