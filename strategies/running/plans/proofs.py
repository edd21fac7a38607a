"""Solving above a strategy: each question whether the value is larger is a graph of tasks.

The plan of a question opens the root.  Each task is a proof by the solver's kernel in the null
window that is left to it; as soon as a worker has nothing to do, one that has taken some time
becomes more, as the strategy says.  All tasks share one table.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from itertools import islice
from typing import Any, Final

from attrs import define, field

from games.game import CHANCE, LONGEST, MAXIE
from strategies.algebra.strategy import Strategy
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.fold import Fold, Interval
from strategies.algorithms.positions import is_terminal
from strategies.native.calls.alphabeta import UNLIMITED, Found
from strategies.native.calls.solver import Solver, TooFine, TooMany
from strategies.native.engine import Engine
from strategies.native.kernels import proof
from strategies.native.kernels.proof import later
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.memory.floats import above, below
from strategies.native.memory.transposition_table import Counts, Table
from strategies.running.execution.iteration import Iteration
from strategies.running.plans.growth import Growing
from strategies.running.plans.iterations import There
from strategies.running.plans.lowering import lower_fold
from strategies.running.plans.opening import open_iteration
from strategies.running.plans.proof_knowledge import DEPTH, ProofKnowledge, at_depth, at_root
from strategies.running.runtime import ordered_scheduler as runner
from strategies.running.runtime.cancellation import heeding

SOLVE: Final = Algorithm("solve", DEPTH)
"""How branches are combined: by alpha-beta."""
SLICE: Final = 2_500
"""Look-ups of a proof, half a millisecond, before it sees whether a worker has nothing to do: more
than a play has plies, or a task might become more and more and never get to an end."""
SLICES: Final = 64
"""Or that part of the nodes that it has taken so far."""


class Spent:
    """What the proofs of all tasks took so far."""

    def __init__(self) -> None:
        self.nodes, self.table = 0, Counts()
        self._lock = threading.Lock()

    def add(self, nodes: int, table: Counts) -> None:
        """Adds what a proof took."""
        with self._lock:
            self.nodes += nodes
            self.table = self.table.plus(table)


@define(eq=False)
class Question(Iteration):
    """A question about the root: its tasks prove positions in windows as they are at the root."""

    spent: Spent = field(factory=Spent)

    def search(
        self, engine: Engine, algorithm: Algorithm, state: Any, depth: int, window: Interval,
        stop: Stop | None, nodes: int = UNLIMITED,
    ) -> Found:  # fmt: skip
        """Proves a position; after so many nodes, only until a worker has nothing to do."""
        plies = self.depth - depth
        window = at_depth(window, plies)
        solver = Solver(engine, self.table_here(engine, algorithm), stop or Stop())
        value: float | None = None
        with suppress(Stopped):
            value = self.proved(solver, (state, LONGEST, *window), nodes)
        self.spent.add(solver.nodes, solver.counts())
        found, _ = at_root((window[0] if value is None else value, 0), plies)
        return Found(found, solver.nodes, 0, (), solver.counts(), value is not None)

    def proved(self, solver: Solver, at: tuple[Any, ...], nodes: int) -> float | None:
        """A proof that ends after so many nodes, as soon as a worker has nothing to do; then None.

        It goes on from what the table has, in slices that grow: so it ends however small that is.
        """
        while True:
            if nodes < UNLIMITED:
                solver.limit(max(SLICE, solver.nodes // SLICES))
            try:
                return float(solver.once(solver.stop, proof.prove, *at)[0])
            except TooMany:
                if solver.nodes > nodes and runner.hungry():
                    return None

    def learned(self) -> Any:
        return super().learned(), self.spent.nodes, self.spent.table

    def learn(self, learned: Any) -> None:
        seen, nodes, table = learned
        super().learn(seen)
        self.spent.add(nodes, table)


class Row(Solver):
    """Makes each proof as a graph of tasks, as a strategy says.

    Ensures: what is proved is proved, by whatever tasks: values and moves are those of `Solver`.
    """

    shares = True

    def __init__(
        self, engine: Engine, table: Table, stop: Stop, using: Strategy, workers: int,
        there: There | None = None,
    ) -> None:  # fmt: skip
        super().__init__(engine, table, stop)
        self.using, self.workers, self.there = using, there.threads if there else workers, there
        self.about: Any = None
        self.knowledge = self.nothing_known()
        self.pace = 0.0
        self.spent, self.number = Spent(), 0

    @property
    def nodes(self) -> int:
        return super().nodes + self.spent.nodes

    def counts(self) -> Counts:
        return super().counts().plus(self.spent.table)

    def prove(self, state: Any, alpha: float, beta: float) -> float:
        if self.limited or self.known_at_once(state):
            return super().prove(state, alpha, beta)
        fold = self.ask(state, (alpha, beta))
        return float(fold.lo if fold.lo >= beta else fold.hi)

    def best_line(self, state: Any, value: float, plies: int = 1) -> tuple[int, ...]:
        if self.limited or plies == 0 or self.known_at_once(state):
            return super().best_line(state, value, plies)
        window = below(value), value
        if self.engine.game.player(state) != MAXIE:
            window = value, above(value)
        moves = list(self.engine.game.moves(state))
        first = self.ask(state, window, tuple(range(len(moves)))).line[0]
        child = self.engine.game.make_move(state, next(islice(moves, first, None)))
        return (first, *super().best_line(child, later(value), plies - 1))

    def known_at_once(self, state: Any) -> bool:
        """Whether there is nothing to share: the play is over, or chance moves."""
        game = self.engine.game
        return is_terminal(game, state) or game.player(state) == CHANCE

    def nothing_known(self) -> ProofKnowledge:
        """What is known of a position of which nothing was asked."""
        return ProofKnowledge(self, self.workers, elsewhere=self.there is not None)

    def ask(self, state: Any, window: Interval, only: tuple[int, ...] = ()) -> Fold:
        """Runs the graph of one question: what is known of the root, or of `only` some of its
        branches, in their order.

        Raises: `Stopped`; as `Solver.run`.
        """
        try:
            return self.run_graph(state, window, only)
        except TooFine:  # raised when no task runs any more
            self.widen()
            return self.run_graph(state, window, only)

    def run_graph(self, state: Any, window: Interval, only: tuple[int, ...]) -> Fold:
        """Runs a graph once.

        Raises: as `ask`; `TooFine`.
        """
        if self.about is not state:
            self.about = state
            self.knowledge = self.nothing_known()
        knowledge = self.knowledge
        knowledge.question(state, window, only)
        self.number += 1
        growing = Growing(knowledge, str(self.number))
        question = Question(
            DEPTH, self.table, known=knowledge.found, spent=self.spent,
            growth=growing if self.there is None else None,
        )  # fmt: skip
        plan = open_iteration(
            self.engine.game, SOLVE, self.using, state, knowledge, question, window,
            self.engine.choice, bool(only),
        )  # fmt: skip
        growing.plan = plan
        graph, keys = lower_fold(plan, str(self.number))
        before = self.spent.nodes
        if self.there is not None:
            self.there.tell(lambda path: knowledge.expected.get(path, 0.0), self.pace)
            fold, *_ = self.there.get(graph, keys)
        else:
            with heeding(self.stop):
                fold, *_ = runner.get(graph, keys, num_workers=self.workers)
        visited = self.spent.nodes - before
        if visited:
            self.pace = sum(r.seconds for r in fold.log) / visited
        knowledge.learn(plan.root, state, question, visited, growing.nodes)
        found: Fold = fold
        return found
