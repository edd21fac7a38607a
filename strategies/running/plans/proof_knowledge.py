"""What is known of a position that is being solved: what the questions so far proved.

How long a proof takes cannot be told from the one before: the answer to the next question may take
a tenth or ten times as long.  So a plan opens little: the root, and eldest branches where all
others would wait.  A task becomes more when a worker has nothing to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from games.game import LONGEST, MAXIE
from strategies.algebra.by_node import Type
from strategies.algebra.strategy import Kind
from strategies.algorithms.algorithm import DEEPEST
from strategies.algorithms.fold import Interval, known
from strategies.native.calls import alphabeta
from strategies.native.calls.children import Child
from strategies.native.calls.solver import UNLIMITED, Solver, TooMany
from strategies.native.errors import RuleFailed
from strategies.native.kernels import proof
from strategies.native.kernels.proof import earlier, later
from strategies.running.execution.iteration import Path
from strategies.running.plans.knowledge import Knowledge

DEPTH: Final = DEEPEST
"""The depth that the root of a plan is given: a node's says how far below the root it is."""
LOOK: Final = 200
"""In so many look-ups a branch may be proved while a plan is made: they take less than a task."""
LEAST: Final = 5_000
"""Nodes of a task before it may become more."""
AHEAD: Final = 2
"""So many eldest branches, one below the other, are opened at once where the others wait; one that
is left alone is opened anyway, or there would be no tasks."""


class ProofKnowledge(Knowledge):
    """What is known from the questions so far: what one proved of a branch holds for the next."""

    def __init__(self, solver: Solver, workers: int, *, elsewhere: bool) -> None:
        super().__init__(solver.engine, solver.table, workers, nearer=True, elsewhere=elsewhere)
        self.solver = solver
        self.ahead: dict[Path, int] = {}
        """Eldest branches that are opened, and how many more below each."""
        self.faulty = False
        """Whether a rule failed below a branch: its task tells which moves lead there."""

    @property
    def needs_ends(self) -> bool:
        """Only a cluster is told which branches are no work: a proof sees where a play ends."""
        return self.elsewhere

    def begin(self, depth: int) -> None:
        proven = self.found
        super().begin(depth)
        self.found = proven

    def question(self, state: Any, window: Interval, only: tuple[int, ...]) -> None:
        """A plan is made for a null window: of `only` some branches of the root, if any are named.

        The root is likely to be what it is if nobody wins so soon.
        """
        maxie = self.engine.game.player(state) == MAXIE
        root: Type = "all" if (window[0] > 0) == maxie else "cut"
        self.begin(DEPTH)
        self.planned(window, window, only, root="pv" if self.elsewhere else root)
        self.ahead = {}

    def sized(self, least: int | None) -> bool:
        """Whether nodes are opened by their size alone: where a strategy names it, and on a
        cluster."""
        return self.elsewhere or least is not None

    def opens(self, path: Path, least: int | None) -> bool:
        if self.sized(least) or not path:
            return super().opens(path, least)
        low, high = self.interval(path)
        if high <= self.window[0] or low >= self.window[1]:
            return False
        return path in self.wrong or path in self.ahead

    def most(self, path: Path, least: int | None, visited: int) -> int:
        return alphabeta.UNLIMITED if self.sized(least) else LEAST

    def order(
        self, path: Path, state: Any, kind: Kind, below: Sequence[Child]
    ) -> tuple[Sequence[int], int]:
        if not (self.elsewhere or self.faulty):
            self.look(path, below)
        order, count = super().order(path, state, kind, below)
        left, alone = self.ahead.get(path, AHEAD), count == len(order) - 1
        if alone or (left and not count):
            self.ahead[(*path, order[count])] = left - (not alone)
        return order, count

    def look(self, path: Path, below: Sequence[Child]) -> None:
        """Proves those branches of a node that the table has, or that take no time."""
        solver, plies = self.solver, len(path) + 1
        window = at_depth(self.window, plies)
        for i, b in enumerate(below):
            low, high = self.interval((*path, i))
            if high <= self.window[0] or low >= self.window[1]:
                continue
            solver.limit(LOOK if self.engine.native else 0)
            try:
                value, _ = solver.once(solver.stop, proof.prove, b.state, LONGEST, *window)
            except TooMany:
                continue
            except RuleFailed:
                self.faulty = True
                return
            finally:
                solver.limit(UNLIMITED)
            self.bound((*path, i), at_root(known(float(value), window), plies), ())

    def remembered(self, state: Any) -> int:
        """No branch: proofs keep theirs in another form."""
        return -1

    def kept(self, state: Any) -> None:
        """Nothing: a table of proofs has no sizes."""

    def keep(self, state: Any, of: Kind, depth: int, lead: int, found: Interval) -> None:
        """Nothing: what was proved of an opened node is in the bounds."""


def at_depth(window: Interval, plies: int) -> Interval:
    """A window at the root, as it is so many plies below."""
    for _ in range(plies):
        window = later(window[0]), later(window[1])
    return window


def at_root(found: Interval, plies: int) -> Interval:
    """What is known so many plies below the root, as it is at the root."""
    for _ in range(plies):
        found = earlier(found[0]), earlier(found[1])
    return found
