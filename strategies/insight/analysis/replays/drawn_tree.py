"""The tree on which replays are shown: all of it, or its top plies with the rest folded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice
from typing import Any

from attrs import frozen

from strategies.algorithms.positions import expand, is_terminal
from strategies.insight.analysis.replays.moments import Replay
from strategies.insight.analysis.trace_steps import Entered, Path, Place, place_of
from strategies.insight.analysis.tree_walk import branch_names
from strategies.running.plans.plan import Plan
from strategies.running.records.wording import shortened

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
    if sum(1 for _ in islice(whole.walk(), most + 1)) <= most:
        return whole.grown()
    plies = Counter(len(path) for path, _ in _Growing(plan, visited, plan.algorithm.depth).walk())
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
        self.folded = Counter(path[:plies] for path in visited or () if len(path) > plies)

    def opens(self, path: Path, state: Any, depth: int) -> bool:
        """Return whether there may be branches to draw below a position."""
        if depth == 0 or is_terminal(self.plan.game, state):
            return False
        return self.visited is None or path in self.visited

    def walk(self) -> Iterator[tuple[Path, Any]]:
        """Yield the path and the state of each position, in move order."""
        waits: list[tuple[Path, Any, int]] = [((), self.plan.state, self.plan.algorithm.depth)]
        while waits:
            path, state, depth = waits.pop()
            yield path, state
            if self.opens(path, state, depth):
                below = expand(self.plan.game, state)[1]
                waits += [((*path, i), s, depth - 1) for i, (_, _, s) in enumerate(below)][::-1]

    def grown(self) -> Spot:
        label = self.plan.game.label
        labels = (label(state) for path, state in self.walk() if len(path) <= self.plies)
        self.readable = all(len(text) <= LABEL for text in labels)
        return self.spot((), self.plan.state, (), self.plan.algorithm.depth)

    def spot(self, path: Path, state: Any, moves: tuple[str, ...], depth: int) -> Spot:
        game, below = self.plan.game, []
        kind = "leaf"
        if self.opens(path, state, depth):
            kind, branches = expand(game, state)
            if len(path) < self.plies:
                names = branch_names(game, state, kind, branches)
                for i, (_, _, child) in enumerate(branches):
                    below.append(self.spot((*path, i), child, (*moves, names[i]), depth - 1))
        elif depth and not is_terminal(game, state):
            kind = expand(game, state)[0]
        kind = "max" if kind == "min" and self.plan.algorithm.tuples else kind
        place = place_of(game, path, state, self.plan.algorithm.tuples)
        name, label = str(place), place.label
        if not self.readable:
            way = " ".join(shortened(move.split()[0], MOVE) for move in moves)
            name, label = f"({place.who},{way or 'start'})", ""
        move, shown = moves[-1] if moves else "", game.show(state)
        return Spot(place, name, label, kind, move, shown, tuple(below), self.folded[path])
