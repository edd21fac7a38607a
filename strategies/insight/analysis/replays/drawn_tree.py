"""The tree on which replays are shown: all of it, or its top plies with the rest folded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

from attrs import frozen

from strategies.algorithms.positions import expand, is_terminal
from strategies.insight.analysis.replays.moments import Replay
from strategies.insight.analysis.trace_steps import Entered, Path, Place
from strategies.insight.analysis.trace_walk import TraceWalk
from strategies.running.plans.plan import Plan
from strategies.running.records.wording import outcome_names, shortened

MOST = 2000
"""The most positions that are drawn."""
LABEL, MOVE = 5, 8
"""The most characters of a label that is read at a glance, and of a move on a branch."""


@frozen(eq=False)
class Spot:
    """A position of the tree."""

    place: Place
    name: str
    """What the page calls it: who moves, and its label; or, if labels are long, the moves to it."""
    label: str
    """The label in its mark, if labels are short."""
    kind: str
    """max, min or chance, for who moves; leaf, if the search never looks below it."""
    move: str
    """The move that leads here."""
    shown: str
    """The position as the game writes it."""
    below: tuple[Spot, ...]
    folded: int
    """The number of visited positions below it that are not drawn."""

    @property
    def path(self) -> Path:
        return self.place.path


def drawn_tree(plan: Plan, replays: Sequence[Replay], most: int = MOST) -> Spot:
    """Return the tree that replays of the same search are shown on.

    Ensures: at most `most` positions: the whole tree, or what was visited and its brothers, or as
    many of the top plies of that as there is room for.
    """
    visited = {m.what.place.path for r in replays for m in r.moments if isinstance(m.what, Entered)}
    whole = _Growing(plan, None, plan.algorithm.depth)
    if whole.count(most) <= most:
        return whole.grown()
    pruned = _Growing(plan, visited, plan.algorithm.depth)
    plies = Counter(len(path) for path, _ in pruned.walk((), plan.state, plan.algorithm.depth))
    sums = list(accumulate(n for _, n in sorted(plies.items())))
    deepest = max((ply for ply, n in enumerate(sums) if n <= most), default=0)
    return _Growing(plan, visited, deepest).grown()


def spots(spot: Spot) -> Iterator[Spot]:
    """Yield a position and all below it, in move order."""
    yield spot
    for below in spot.below:
        yield from spots(below)


class _Growing:
    def __init__(self, plan: Plan, visited: set[Path] | None, plies: int) -> None:
        self.plan, self.visited, self.plies = plan, visited, plies
        self.places = TraceWalk(plan.game, plan.algorithm, lambda step: None)
        self.folded: Counter[Path] = Counter()
        for path in visited or ():
            if len(path) > plies:
                self.folded[path[:plies]] += 1
        labels = (
            plan.game.label(state)
            for path, state in self.walk((), plan.state, plan.algorithm.depth)
            if len(path) <= plies
        )
        self.readable = all(len(label) <= LABEL for label in labels)

    def opens(self, path: Path, state: Any, depth: int) -> bool:
        """Return whether there may be branches to draw below a position."""
        if depth == 0 or is_terminal(self.plan.game, state):
            return False
        return self.visited is None or path in self.visited

    def walk(self, path: Path, state: Any, depth: int) -> Iterator[tuple[Path, Any]]:
        """Yield the path and the state of each position, in move order."""
        yield path, state
        if self.opens(path, state, depth):
            for i, (_, _, child) in enumerate(expand(self.plan.game, state)[1]):
                yield from self.walk((*path, i), child, depth - 1)

    def count(self, most: int) -> int:
        """Count the positions, up to one more than `most`."""
        number = 0
        for number, _ in enumerate(self.walk((), self.plan.state, self.plan.algorithm.depth), 1):
            if number > most:
                break
        return number

    def grown(self) -> Spot:
        return self.spot((), self.plan.state, (), self.plan.algorithm.depth)

    def spot(self, path: Path, state: Any, moves: tuple[str, ...], depth: int) -> Spot:
        game, below = self.plan.game, []
        kind = "leaf"
        if self.opens(path, state, depth):
            kind, branches = expand(game, state)
            if len(path) < self.plies:
                names = (
                    outcome_names([p for _, p, _ in branches])
                    if kind == "chance"
                    else [game.move_text(state, m) for m, _, _ in branches]
                )
                for i, (_, _, child) in enumerate(branches):
                    below.append(self.spot((*path, i), child, (*moves, names[i]), depth - 1))
        elif depth and not is_terminal(game, state):
            kind = expand(game, state)[0]
        kind = "max" if kind == "min" and self.plan.algorithm.tuples else kind
        place = self.places.place(path, state)
        name, label = str(place), place.label
        if not self.readable:
            way = " ".join(shortened(move.split()[0], MOVE) for move in moves)
            name, label = f"({place.who},{way or 'start'})", ""
        move, shown = moves[-1] if moves else "", game.show(state)
        return Spot(place, name, label, kind, move, shown, tuple(below), self.folded[path])
