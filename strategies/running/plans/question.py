"""Questions about a position, what is known from them, and the proofs of one: alone or shared.

The time of a proof cannot be predicted from earlier ones: the next may take a tenth of it or ten
times as long.  So a plan opens little: the root, and eldest branches if all others would wait.
Tasks are divided when a worker is idle.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from attrs import define, field

from games.failed import RuleFailed
from games.game import MAXIE, WIN_PLIES
from strategies.algebra.by_node import Type
from strategies.algebra.strategy import Kind
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.fold import Interval
from strategies.native.calls import alphabeta
from strategies.native.calls.alphabeta import Found
from strategies.native.calls.run_kernel import Child
from strategies.native.calls.solver import ANY_PROBES, Solver, TooMany
from strategies.native.calls.windows import bounds_of
from strategies.native.engine import Engine
from strategies.native.kernels import proof
from strategies.native.kernels.proof import earlier, later
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.memory.transposition_table import Counts
from strategies.running.execution.iteration import Iteration, Path
from strategies.running.execution.shared_table import spread_out
from strategies.running.plans.knowledge import Knowledge
from strategies.running.records.record import Record, Role, Tally, now, record
from strategies.running.runtime import ordered_scheduler as runner
from strategies.running.runtime.together import Ending, together


class Spent:
    """The cost of the proofs of all tasks so far."""

    def __init__(self) -> None:
        self.nodes, self.table = 0, Counts()
        self._lock = threading.Lock()

    def add(self, nodes: int, table: Counts) -> None:
        """Add the cost of a proof."""
        with self._lock:
            self.nodes += nodes
            self.table = self.table.plus(table)


@define(eq=False)
class Question(Iteration):
    """A question about the root, whose tasks prove positions in windows relative to the root."""

    spent: Spent = field(factory=Spent)
    wide: bool = False
    """Whether the entries of the table are wide, because a value did not fit into narrow ones."""
    ending: Ending = field(factory=Ending, init=False)
    """Ends its proofs when its answer is no longer needed."""

    def search(
        self, engine: Engine, algorithm: Algorithm, state: Any, depth: int, window: Interval,
        stop: Stop | None, nodes: int = alphabeta.UNLIMITED, joins: list[Record] | None = None,
    ) -> Found:  # fmt: skip
        """Prove a position; after `nodes`, stop when a worker is idle, unless workers join.  If the
        answer is no longer needed, set the stop.

        Adds to `joins` the record of each worker that joins; the counts returned leave it out.
        """
        plies = self.depth - depth
        window = at_depth(window, plies)
        table = self.table_here(engine, algorithm)
        solver = Solver(engine, table, stop or Stop(), wide=self.wide)
        value: float | None = None
        with suppress(Stopped):
            joined = [] if joins is None else joins
            value = self.proved(solver, (state, WIN_PLIES, *window), nodes, joined)
        self.spent.add(solver.nodes, solver.counts())
        if value is None and self.ending.why:
            solver.stop.set()
        found, _ = at_root((window[0] if value is None else value, 0), plies)
        return Found(found, solver.nodes, 0, (), solver.counts(), value is not None)

    def proved(
        self, solver: Solver, at: tuple[Any, ...], nodes: int, joins: list[Record]
    ) -> float | None:
        """Return the value of a proof; None if the answer is no longer needed, or if a worker that
        does not join is idle after as many look-ups as `nodes`.

        Raises: `Stopped`, if the solver is stopped.
        """
        with self.ending.stop(solver.stop) as stop, suppress(TooMany):
            solver.limit(min(nodes, LEAST) if self.joined else nodes)
            return self.once(solver, stop, at)
        solver.limit(ANY_PROBES)
        with self.ending.stop(solver.stop) as stop, runner.set_when_idle(stop):
            value = self.once(solver, stop, at)  # it continues from the table
        if value is not None or not self.joined:
            return value
        with self.ending.stop(solver.stop) as stop:
            return self.together(solver, stop, at, joins)

    def together(
        self, solver: Solver, over: Stop, at: tuple[Any, ...], joins: list[Record]
    ) -> float | None:
        """Return the value of a proof that idle workers join; None if `over` ended it.

        Adds to `joins` the record of each of them.
        Raises: as `once`.
        """

        def join(stop: Stop) -> float | None:
            start, other = now(), Solver(solver.engine, solver.table, stop)
            spread_out(other)
            value: float | None = None
            with suppress(Stopped):
                value = float(other.once(stop, proof.prove, *at)[0])
            self.spent.add(other.nodes, other.counts())
            tally = Tally(other.nodes, table=other.counts())
            why = "another was first" if over.is_set else "called to a task"
            role: Role = "join"
            reason = why if value is None else ""
            joins.append(record((role, ()), role, start, tally, at[-2:], reason=reason))
            return value

        spread_out(solver)
        return together(lambda stop: self.once(solver, stop, at), over, runner.joined, join)

    def once(self, solver: Solver, stop: Stop, at: tuple[Any, ...]) -> float | None:
        """Return the value of a proof; None if `stop` ended it.

        Raises: `Stopped`, if something else stopped it; `TooMany`.
        """
        if stop.is_set:
            return None
        try:
            return float(solver.once(stop, proof.prove, *at)[0])
        except Stopped:
            if not stop.is_set:
                raise
            return None

    def __reduce__(self) -> tuple[Any, ...]:
        return *super().__reduce__(), {"wide": self.wide}

    def learned(self) -> Any:
        return super().learned(), self.spent.nodes, self.spent.table

    def learn(self, learned: Any) -> None:
        seen, nodes, table = learned
        super().learn(seen)
        self.spent.add(nodes, table)


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

    def __init__(self, solver: Solver, workers: int, *, on_cluster: bool) -> None:
        super().__init__(solver.engine, solver.table, workers, nearer=True, on_cluster=on_cluster)
        self.solver = solver
        self.ahead: dict[Path, int] = {}
        """The eldest branches to open, and how many more below each."""
        self.faulty = False
        """Whether a rule failed below a branch; its task will report the moves that lead there."""

    @property
    def needs_ends(self) -> bool:
        """Return whether plans must know which branches end the game: only for a cluster, because
        proofs detect it themselves."""
        return self.on_cluster

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
        self.planned(window, window, only, root="pv" if self.on_cluster else root)
        self.ahead = {}

    def sized(self, least: int | None) -> bool:
        """Return whether nodes are opened only by their size: if a strategy gives it, and on a
        cluster."""
        return self.on_cluster or least is not None

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
        if not (self.on_cluster or self.faulty):
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
                value, _ = solver.once(solver.stop, proof.prove, b.state, WIN_PLIES, *window)
            except TooMany:
                continue
            except RuleFailed:
                self.faulty = True
                return
            finally:
                solver.limit(ANY_PROBES)
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
