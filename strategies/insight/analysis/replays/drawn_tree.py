"""The tree on which replays are shown: all of it, or its top plies with the rest folded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice
from typing import Any

from attrs import frozen

from games import Game
from graphs.errors import ArgumentError, unstyled
from graphs.limits import REPLAY_POSITIONS
from strategies.algebra.strategy import Kind
from strategies.algorithms.positions import expand, is_terminal
from strategies.insight.analysis.replays.moments import Replay
from strategies.insight.analysis.trace_steps import Entered, Path, Place, place_of
from strategies.running.plans.plan import Plan
from strategies.running.records.wording import outcome_names, shortened

LABEL, MOVE = 5, 8
"""The most characters of a label that is read at a glance, a word, and of a move on a branch."""
EMPTY = "∅"
"""What is written for a move without a text, in the name of a position."""

Branches = list[tuple[Any, float, Any]]


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
    state: Any
    below: tuple[Spot, ...]
    folded: int
    """The number of visited positions below it that are not drawn."""
    player: int | None = None
    """Who moves, if every player has a value of their own; None for chance and leaves."""

    @property
    def path(self) -> Path:
        return self.place.path


def drawn_tree(plan: Plan, replays: Sequence[Replay], most: int = REPLAY_POSITIONS) -> Spot:
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


def whole_tree(plan: Plan, most: int) -> Spot:
    """Return the whole tree of a plan.

    Raises: ArgumentError if it has more than `most` positions.
    Cost: linear in the positions, at most `most` of them.
    """
    tree = _Growing(plan, None, plan.algorithm.depth)
    if sum(1 for _ in islice(tree.walk(), most + 1)) > most:
        raise ArgumentError(
            f"the tree has more than {most} positions: search fewer plies to draw it, or "
            "draw the overview, which fits any search: result.draw('overview')"
        )
    return tree.grown()


def branch_names(game: Game[Any, Any], state: Any, kind: Kind, below: Branches) -> list[str]:
    """Return the texts of the moves of a position, or the names of its outcomes."""
    if kind == "chance":
        return outcome_names([p for _, p, _ in below])
    return [game.move_text(state, m) for m, _, _ in below]


def spots(spot: Spot) -> Iterator[Spot]:
    """Yield a position and all below it, in move order."""
    yield spot
    for below in spot.below:
        yield from spots(below)


class _Growing:
    def __init__(self, plan: Plan, visited: set[Path] | None, plies: int) -> None:
        self.plan, self.visited, self.plies = plan, visited, plies
        self.folded = Counter(path[:plies] for path in visited or () if len(path) > plies)

    def ends(self, state: Any, depth: int, reach: float) -> bool:
        """Return whether the search opens no branch at a position."""
        game, algorithm = self.plan.game, self.plan.algorithm
        return depth == 0 or is_terminal(game, state) or algorithm.cuts(game, state, reach)

    def opens(self, path: Path, state: Any, depth: int, reach: float) -> bool:
        """Return whether there may be branches to draw below a position."""
        seen = self.visited is None or path in self.visited
        return seen and not self.ends(state, depth, reach)

    def walk(self) -> Iterator[tuple[Path, Any]]:
        """Yield the path and the state of each position, in move order."""
        depth = self.plan.algorithm.depth
        waits: list[tuple[Path, Any, int, float]] = [((), self.plan.state, depth, 1.0)]
        while waits:
            path, state, depth, reach = waits.pop()
            yield path, state
            if self.opens(path, state, depth, reach):
                below = expand(self.plan.game, state)[1]
                rows = [((*path, i), s, depth - 1, reach * p) for i, (_, p, s) in enumerate(below)]
                waits += rows[::-1]

    def grown(self) -> Spot:
        label = self.plan.game.label
        labels = (label(state) for path, state in self.walk() if len(path) <= self.plies)
        self.readable = all(len(text) <= LABEL and text.isalnum() for text in labels)
        return self.spot((), self.plan.state, (), self.plan.algorithm.depth)

    def spot(
        self, path: Path, state: Any, moves: tuple[str, ...], depth: int, reach: float = 1.0
    ) -> Spot:  # fmt: skip
        game, below = self.plan.game, []
        kind = "leaf"
        if self.opens(path, state, depth, reach):
            kind, branches = expand(game, state)
            if len(path) < self.plies:
                names = branch_names(game, state, kind, branches)
                for i, (_, p, child) in enumerate(branches):
                    to = (*path, i), child, (*moves, names[i])
                    below.append(self.spot(*to, depth - 1, reach * p))
        elif not self.ends(state, depth, reach):
            kind = expand(game, state)[0]
        player = None
        if self.plan.algorithm.tuples and kind in ("max", "min"):
            kind, player = "max", int(game.player(state))
        place = place_of(game, path, state, self.plan.algorithm.tuples)
        name, label = str(place), place.label
        if not self.readable:
            words = [move.partition(" ")[0] or EMPTY for move in moves]
            way = " ".join(shortened(word, MOVE) for word in words) or "start"
            name, label = f"({place.who},{way})", ""
        move, shown = moves[-1] if moves else "", unstyled(game.show(state))
        folded = self.folded[path]
        return Spot(place, name, label, kind, move, shown, state, tuple(below), folded, player)
