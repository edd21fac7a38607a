"""Solve under a strategy: each null-window question about the value is a graph of tasks.

The plan of a question opens the root.  Each task is a proof by the solver's kernel in its null
window.  As soon as a worker is idle, a task that has taken some time is divided, as the strategy
says.  All tasks share one table.

Two questions that will probably both be needed run at the same time, as one task each, so that
workers need not share a proof until one of them is answered.  Sharing a proof costs a plan, tasks,
and branches that turn out not to matter.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, Final, TypeVar

from attrs import define, field
from dask.task_spec import Task

from games.game import CHANCE, LONGEST, MAXIE
from strategies.algebra.strategy import Strategy
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.fold import Fold, Interval
from strategies.algorithms.positions import is_terminal
from strategies.native.calls.alphabeta import UNLIMITED, Found
from strategies.native.calls.solver import Solver, TooFine, TooMany, rounds
from strategies.native.engine import Engine
from strategies.native.kernels import proof
from strategies.native.kernels.proof import later
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.memory.floats import above, below
from strategies.native.memory.transposition_table import Counts, Table
from strategies.running.execution.iteration import Iteration
from strategies.running.plans.growth import Growing
from strategies.running.plans.iterations import There
from strategies.running.plans.lowering import Graph, Key, lower_fold
from strategies.running.plans.opening import open_iteration
from strategies.running.plans.proof_knowledge import DEPTH, ProofKnowledge, at_depth, at_root
from strategies.running.runtime import ordered_scheduler as runner
from strategies.running.runtime.cancellation import current_scope, heeding
from strategies.running.runtime.more import More

T = TypeVar("T")
SOLVE: Final = Algorithm("solve", DEPTH)
"""The algorithm that combines branches: alpha-beta."""
SLICE: Final = 2_500
"""The look-ups of a proof, half a millisecond, between checks for idle workers.  They must exceed
the plies of a play; else a task might be divided again and again, and never end."""
SLICES: Final = 64
"""The least such interval, as a fraction of the nodes so far."""


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
    paired: bool = False
    """Whether it runs at the same time as another question."""
    over: bool = False
    """Whether the other one has decided it, so that its answer is no longer needed."""

    def search(
        self, engine: Engine, algorithm: Algorithm, state: Any, depth: int, window: Interval,
        stop: Stop | None, nodes: int = UNLIMITED,
    ) -> Found:  # fmt: skip
        """Prove a position; after `nodes`, stop when a worker is idle.  If the answer is no longer
        needed, set the stop."""
        plies = self.depth - depth
        window = at_depth(window, plies)
        solver = Solver(engine, self.table_here(engine, algorithm), stop or Stop())
        value: float | None = None
        with suppress(Stopped):
            value = self.proved(solver, (state, LONGEST, *window), nodes)
        self.spent.add(solver.nodes, solver.counts())
        if value is None and self.over:
            solver.stop.set()
        found, _ = at_root((window[0] if value is None else value, 0), plies)
        return Found(found, solver.nodes, 0, (), solver.counts(), value is not None)

    def proved(self, solver: Solver, at: tuple[Any, ...], nodes: int) -> float | None:
        """Return the value of a proof; None if a worker became idle after `nodes`, or if the answer
        is no longer needed.

        The proof continues from the table, in growing slices, so that it ends however small the
        table is.
        """
        while not self.over:
            if nodes < UNLIMITED or self.paired:
                solver.limit(max(SLICE, solver.nodes // SLICES))
            try:
                return float(solver.once(solver.stop, proof.prove, *at)[0])
            except TooMany:
                if solver.nodes > nodes and runner.hungry():
                    break
        return None

    def learned(self) -> Any:
        return super().learned(), self.spent.nodes, self.spent.table

    def learn(self, learned: Any) -> None:
        seen, nodes, table = learned
        super().learn(seen)
        self.spent.add(nodes, table)


class Row(Solver):
    """A solver that searches each proof as a graph of tasks, under a strategy.

    Ensures: values and moves are those of `Solver`, because a proof holds whatever task found it.
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
        self.beside = self.nothing_known()
        """The knowledge for the second of two questions that run at the same time."""
        self.pace = 0.0
        self.spent, self.number = Spent(), 0
        self.planning, self.answering = threading.Lock(), threading.Lock()

    @property
    def nodes(self) -> int:
        return super().nodes + self.spent.nodes

    def counts(self) -> Counts:
        return super().counts().plus(self.spent.table)

    def close_in(self, state: Any) -> None:
        alone = self.workers == 1 or self.knowledge.sized(self.using.least)
        if self.limited or alone or self.known_at_once(state):
            super().close_in(state)
            return
        for windows in rounds(self.known):
            if len(windows) == 1:
                self.learn(windows[0][0], self.prove(state, *windows[0]))
            else:
                self.widening(partial(self.ask_at_once, state, windows))

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
        """Return whether there is nothing to share, because the game is over or chance moves."""
        game = self.engine.game
        return is_terminal(game, state) or game.player(state) == CHANCE

    def nothing_known(self) -> ProofKnowledge:
        """Return empty knowledge, for a new position."""
        return ProofKnowledge(self, self.workers, elsewhere=self.there is not None)

    def ask(self, state: Any, window: Interval, only: tuple[int, ...] = ()) -> Fold:
        """Run the graph of one question; return the fold of the root, or of `only` some of its
        branches, in their order.

        Raises: `Stopped`; the errors of `Solver.run`.
        """
        return self.widening(partial(self.run_graph, state, window, only))

    def widening(self, work: Callable[[], T]) -> T:
        """Run work of tasks; run it again with wide entries if it needs them."""
        try:
            return work()
        except TooFine:  # raised after all tasks have ended
            self.widen()
            return work()

    def run_graph(self, state: Any, window: Interval, only: tuple[int, ...]) -> Fold:
        """Run a graph once.

        Raises: the errors of `ask`; `TooFine`.
        """
        self.turn_to(state)
        asked = Asked(self, state, window, only, self.knowledge)
        graph, keys = asked.graph()
        before = self.spent.nodes
        if self.there is not None:
            self.there.tell(lambda path: self.knowledge.expected.get(path, 0.0), self.pace)
            fold, *_ = self.there.get(graph, keys)
        else:
            with heeding(self.stop):
                fold, *_ = runner.get(graph, keys, num_workers=self.workers)
        visited = self.spent.nodes - before
        if visited:
            self.pace = sum(r.seconds for r in fold.log) / visited
        asked.learn(visited)
        found: Fold = fold
        return found

    def ask_at_once(self, state: Any, windows: tuple[Interval, ...]) -> None:
        """Run two questions, one task each, and learn the answers; abandon a question that the
        answer to the other decides.

        Raises: the errors of `ask`; `TooFine`.
        """
        self.turn_to(state)
        asked = [
            Asked(self, state, window, (), knowledge, paired=True)
            for window, knowledge in zip(windows, (self.knowledge, self.beside), strict=False)
        ]
        graph = {each.key: Task(each.key, self.answer, each, asked) for each in asked}
        with heeding(self.stop):
            runner.get(graph, list(graph), num_workers=self.workers)

    def answer(self, each: Asked, asked: list[Asked]) -> More | None:
        """Run the proof of one of the questions `asked` in its task; divide the task as soon as a
        worker is idle."""
        stop, enough = Stop(current_scope()), each.knowledge.most((), None, 0)
        found = each.question.search(
            self.engine, SOLVE, each.state, DEPTH, each.window, stop, enough
        )  # fmt: skip
        if found.finished:
            self.answered(each, asked, found.value)
        elif not each.question.over:
            if stop.is_set:
                raise Stopped("the proof was stopped")
            with self.planning:
                graph, keys = each.graph()
            return More(graph, keys[0], partial(self.folded, each, asked))
        return None

    def folded(self, each: Asked, asked: list[Asked], fold: Fold) -> None:
        """Record the result of a question's graph."""
        with self.planning:
            each.learn(each.question.visited)
        self.answered(each, asked, fold.lo if fold.lo >= each.window[1] else fold.hi)

    def answered(self, each: Asked, asked: list[Asked], value: float) -> None:
        """Learn an answer, and abandon the questions that it decides."""
        with self.answering:
            if each.question.over:  # then the value is meaningless
                return
            self.learn(each.window[0], value)
            for other in asked:
                low, high = other.window
                other.question.over = self.known[0] >= high or self.known[1] <= low

    def turn_to(self, state: Any) -> None:
        """Drop the knowledge if it is about another position."""
        if self.about is not state:
            self.about = state
            self.knowledge, self.beside = self.nothing_known(), self.nothing_known()


class Asked:
    """One question, about all branches or `only` some, with its graph."""

    def __init__(
        self, row: Row, state: Any, window: Interval, only: tuple[int, ...],
        knowledge: ProofKnowledge, paired: bool = False,
    ) -> None:  # fmt: skip
        row.number += 1
        self.row, self.state, self.window, self.only = row, state, window, only
        self.knowledge, self.token = knowledge, str(row.number)
        self.key = f"question-{self.token}", ()
        knowledge.question(state, window, only)
        self.growing = Growing(knowledge, self.token, row.planning)
        self.question = Question(
            DEPTH, row.table, known=knowledge.found, spent=row.spent,
            growth=self.growing if row.there is None else None, paired=paired,
        )  # fmt: skip

    def graph(self) -> tuple[Graph, list[Key]]:
        """Plan it; return the tasks, and the keys of the root's fold and of the live windows."""
        engine = self.row.engine
        plan = self.growing.plan = open_iteration(
            engine.game, SOLVE, self.row.using, self.state, self.knowledge, self.question,
            self.window, engine.choice, bool(self.only),
        )  # fmt: skip
        return lower_fold(plan, self.token)

    def learn(self, visited: int) -> None:
        """Learn from its tasks' results, which took `visited` nodes."""
        grown = self.growing
        self.knowledge.learn(grown.plan.root, self.state, self.question, visited, grown.nodes)
