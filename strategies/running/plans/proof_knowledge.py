"""The knowledge about a position that is being solved: the results of its questions so far.

The time of a proof cannot be predicted from earlier ones: the next may take a tenth of it or ten
times as long.  So a plan opens little: the root, and eldest branches if all others would wait.
Tasks are divided when a worker is idle.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from games.failed import RuleFailed
from games.game import LONGEST, MAXIE
from strategies.algebra.by_node import Type
from strategies.algebra.strategy import Kind
from strategies.algorithms.fold import Interval
from strategies.native.calls import alphabeta
from strategies.native.calls.children import Child
from strategies.native.calls.solver import UNLIMITED, Solver, TooMany
from strategies.native.calls.windows import bounds_of
from strategies.native.kernels import proof
from strategies.native.kernels.proof import earlier, later
from strategies.running.execution.iteration import Path
from strategies.running.plans.knowledge import Knowledge

DEPTH: Final = 400
"""The depth of a plan's root, from which a node's depth counts down."""
LOOK: Final = 200
"""The look-ups within which a branch may be proved during planning; they take less than a task."""
LEAST: Final = 5_000
"""The nodes of a task before it may be divided."""
AHEAD: Final = 2
"""The number of eldest branches, one below the other, that are opened if the others wait; an only
branch is opened anyway, else there would be no tasks."""


class ProofKnowledge(Knowledge):
    """The knowledge from the questions so far; bounds on a branch stay valid for the next one."""

    def __init__(self, solver: Solver, workers: int, *, elsewhere: bool) -> None:
        super().__init__(solver.engine, solver.table, workers, nearer=True, elsewhere=elsewhere)
        self.solver = solver
        self.ahead: dict[Path, int] = {}
        """The eldest branches to open, and how many more below each."""
        self.faulty = False
        """Whether a rule failed below a branch; its task will report the moves that lead there."""

    @property
    def needs_ends(self) -> bool:
        """Return whether plans must know which branches end the game: only for a cluster, because
        proofs detect it themselves."""
        return self.elsewhere

    def begin(self, depth: int) -> None:
        proven = self.found
        super().begin(depth)
        self.found = proven

    def question(self, state: Any, window: Interval, only: tuple[int, ...]) -> None:
        """Prepare for a plan of a null window, for all branches of the root or only some.

        The likely type of the root is the one that it has if nobody wins so soon.
        """
        maxie = self.engine.game.player(state) == MAXIE
        root: Type = "all" if (window[0] > 0) == maxie else "cut"
        self.begin(DEPTH)
        self.planned(window, window, only, root="pv" if self.elsewhere else root)
        self.ahead = {}

    def sized(self, least: int | None) -> bool:
        """Return whether nodes are opened only by their size: if a strategy gives it, and on a
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
        """Prove the branches of a node that are in the table, or that take no time."""
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
            self.bound((*path, i), at_root(bounds_of(float(value), window), plies), ())

    def remembered(self, state: Any) -> int:
        """Return no branch, because tables of proofs store it in another form."""
        return -1

    def kept(self, state: Any) -> None:
        """Return nothing, because a table of proofs has no sizes."""

    def keep(self, state: Any, of: Kind, depth: int, lead: int, found: Interval) -> None:
        """Do nothing, because the results for opened nodes are in the bounds."""


def at_depth(window: Interval, plies: int) -> Interval:
    """Convert a window at the root to a window that many plies below."""
    for _ in range(plies):
        window = later(window[0]), later(window[1])
    return window


def at_root(found: Interval, plies: int) -> Interval:
    """Convert bounds that many plies below the root to bounds at the root."""
    for _ in range(plies):
        found = earlier(found[0]), earlier(found[1])
    return found
