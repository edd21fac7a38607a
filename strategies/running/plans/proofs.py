"""Solve under a strategy: each null-window question about the value becomes tasks.

Two questions that will probably both be needed run at the same time, as one task each, so that
workers need not share a proof.  As soon as a worker is idle, a running question is divided: a plan
opens the root, and each task is a proof of one branch in its null window.  A task that has taken
some time is divided when a worker is idle, as the strategy says.  Under a joined strategy there is
one question at a time; idle workers join its proof, and each defers the branches that another one
is searching (ABDADA).  This needs no plan, no worker waits, and 2 to 8 workers visit fewer nodes
than with a task for each branch.  On a cluster, each question is a graph from the start.

All tasks share one table.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TypeVar

from attrs import frozen
from dask.task_spec import Task, TaskRef

from games.game import CHANCE, MAXIE
from strategies.algebra.combinators import eval_list
from strategies.algebra.strategy import Strategy
from strategies.algorithms.fold import Fold, Interval
from strategies.algorithms.positions import is_terminal
from strategies.algorithms.two_players import AlphaBeta
from strategies.native.calls.solver import Solver
from strategies.native.calls.windows import Windows, neighbouring
from strategies.native.engine import Engine
from strategies.native.kernels.proof import later
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.memory.floats import above, below
from strategies.native.memory.transposition_table import Counts, Table
from strategies.running.plans.growth import Growing
from strategies.running.plans.lowering import Graph, Key, lower_fold
from strategies.running.plans.opening import open_iteration
from strategies.running.plans.plan import counts_of
from strategies.running.plans.question import DEPTH, ProofKnowledge, Question, Spent
from strategies.running.records.record import Record, Tally, now, record
from strategies.running.runtime import ordered_scheduler as runner
from strategies.running.runtime.cancellation import current_scope, heeding
from strategies.running.runtime.more import More

if TYPE_CHECKING:
    from strategies.running.plans.row_on_cluster import RowOnCluster

T = TypeVar("T")


@frozen(repr=False)
class _Solve(AlphaBeta):
    name = "solve"


SOLVE: Final = _Solve(DEPTH)
"""The algorithm that combines branches: alpha-beta."""


class Row(Solver):
    """A solver that searches each proof as a graph of tasks, under a strategy.

    Ensures: values and moves are those of `Solver`, because a proof holds whatever task found it.
    """

    shares = True

    def __init__(
        self, engine: Engine, table: Table, stop: Stop, using: Strategy, workers: int,
        cluster: RowOnCluster | None = None,
    ) -> None:  # fmt: skip
        super().__init__(engine, table, stop)
        self.using, self.cluster = using, cluster
        self.workers = cluster.threads if cluster else workers
        self.about: Any = None
        self.joined = cluster is None and engine.native and using.is_joined
        self.knowledge = self.nothing_known()
        self.second_knowledge = self.nothing_known()
        """The knowledge for the second of two questions that run at the same time."""
        self.pace = 0.0
        self.spent, self.number = Spent(), 0
        self.planning, self.answering = threading.Lock(), threading.Lock()
        self.open_questions: list[OpenQuestion] = []
        """The questions that are running."""
        self.records: list[Record] = []
        """The records of all tasks so far."""
        self.opened, self.span = 0, 0.0
        self.free: list[ProofKnowledge] = []
        """Those of `knowledge` and `second_knowledge` that no running question uses."""
        self.in_turn: Windows
        """The questions of this proof, where there is one at a time."""

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
        self.widening(partial(self.ask_at_once, state))

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
        return ProofKnowledge(self, self.workers, on_cluster=self.cluster is not None)

    def ask(self, state: Any, window: Interval, only: tuple[int, ...] = ()) -> Fold:
        """Run the graph of one question; return the fold of the root, or of `only` some of its
        branches, in their order.

        Raises: `Stopped`; the errors of `Solver.run`.
        """
        return self.widening(partial(self.run_graph, state, window, only))

    def widen(self) -> None:
        """Switch to wide entries, on a cluster with new tables, because a task may still run."""
        super().widen()
        if self.cluster is not None:
            self.cluster.start_anew()

    def run_graph(self, state: Any, window: Interval, only: tuple[int, ...]) -> Fold:
        """Run a graph once.

        Raises: the errors of `ask`; `TooFine`.
        """
        self.turn_to(state)
        asked = OpenQuestion(self, state, window, only, self.knowledge)
        graph, keys = asked.graph()
        before = self.spent.nodes
        if self.cluster is not None:
            self.cluster.set_forecast(
                lambda path: self.knowledge.expected.get(path, 0.0), self.pace
            )
            fold, *begun = self.cluster.get(graph, keys)
        else:
            with heeding(self.stop):
                fold, *begun = runner.get(graph, keys, num_workers=self.workers)
        found: Fold = fold
        asked.after = self.span
        self.keep(asked, (*found.log, *(r for _, r in begun)), found.span)
        visited = self.spent.nodes - before
        if visited:
            self.pace = sum(r.seconds for r in fold.log) / visited
        asked.learn(visited)
        return found

    def keep(self, asked: OpenQuestion, records: Iterable[Record], span: float) -> None:
        """Keep the records of a question, whose longest chain of tasks took `span` more seconds."""
        joins, asked.question.joins = asked.question.joins, []
        mine = [r._replace(graph=asked.number) for r in (*records, *joins)]
        asked.after += span
        with self.answering:  # two questions may end at the same time
            self.records += mine
            self.span = max(self.span, asked.after)

    def ask_at_once(self, state: Any) -> None:
        """Prove questions, two at the same time, until the value is known.

        Raises: the errors of `ask`; `TooFine`.
        """
        self.turn_to(state)
        self.in_turn = self.questions()
        self.free, self.open_questions = [self.knowledge, self.second_knowledge], []
        graph = self.next_questions(state)
        with heeding(self.stop):
            runner.get(graph, list(graph), num_workers=self.workers)

    def next_questions(self, state: Any, after: float = 0.0) -> Graph:
        """Return the tasks of the questions that can start now: none if two are running already, or
        if no further question will probably be needed.  Workers that join share one question, and
        so do all where questions come one by one."""
        open_windows = [each.window for each in self.open_questions]
        if self.joined or self.one_by_one:
            windows = islice(self.in_turn, 0 if open_windows else 1)
        else:
            windows = islice(neighbouring(self.known, open_windows), len(self.free))
        graph: Graph = {}
        for window in windows:
            each = OpenQuestion(self, state, window, (), self.free.pop(0))
            each.after = after
            self.open_questions.append(each)
            graph[each.key] = Task(each.key, self.answer, each)
        return graph

    def answer(self, each: OpenQuestion) -> More | None:
        """Run the proof of a question in its task, then start the next questions; unless workers
        join, divide the task as soon as one is idle.

        Raises: `Stopped`.
        """
        stop, begun = Stop(current_scope()), now()
        nodes = each.knowledge.most((), None, 0)
        joins: list[Record] = []
        found = each.question.search(
            self.engine, SOLVE, each.state, DEPTH, each.window, stop, nodes, joins
        )
        tally = Tally(found.nodes, table=found.table)
        own = record(("question", ()), "step", begun, tally, each.window)
        self.keep(each, (own, *joins), own.seconds)
        if found.finished or each.question.ending.why:
            return self.answered(each, found.value)
        if self.joined:
            raise Stopped("the proof was stopped")
        with self.planning:
            graph, keys = each.graph()
        return More(graph, keys[0], partial(self.folded, each))

    def folded(self, each: OpenQuestion, fold: Fold) -> More | None:
        """Record the result of a question's graph."""
        self.keep(each, fold.log, fold.span)
        with self.planning:
            each.learn(each.question.visited)
        return self.answered(each, fold.lo if fold.lo >= each.window[1] else fold.hi)

    def answered(self, each: OpenQuestion, value: float | None) -> More | None:
        """Learn an answer, abandon the question that it decides, and start the next ones."""
        with self.answering:
            self.free.append(each.knowledge)
            if (
                each in self.open_questions and value is not None
            ):  # else its answer is no longer needed
                self.open_questions.remove(each)
                self.learn(each.window, value)
            for other in tuple(self.open_questions):
                low, high = other.window
                if self.known[0] >= high or self.known[1] <= low:
                    self.open_questions.remove(other)
                    other.question.ending.end("not needed")
            graph = self.next_questions(each.state, each.after)
        return waiting(graph, f"asked-{each.token}", lambda _: None) if graph else None

    def turn_to(self, state: Any) -> None:
        """Drop the knowledge if it is about another position."""
        if self.about is not state:
            self.about = state
            self.knowledge, self.second_knowledge = self.nothing_known(), self.nothing_known()


def waiting(graph: Graph, name: str, then: Callable[[Any], Any]) -> More:
    """Return the tasks of a graph, and a last task that waits for all of them."""
    last = name, ()
    return More({**graph, last: Task(last, wait_for_inputs, *map(TaskRef, graph))}, last, then)


def wait_for_inputs(*_: None) -> None:
    """Do nothing: the task that waits for others."""


class OpenQuestion:
    """One question, about all branches or `only` some, with its graph."""

    def __init__(
        self, row: Row, state: Any, window: Interval, only: tuple[int, ...],
        knowledge: ProofKnowledge,
    ) -> None:  # fmt: skip
        row.number += 1
        self.row, self.state, self.window, self.only = row, state, window, only
        self.knowledge, self.number, self.token = knowledge, row.number, str(row.number)
        self.after = 0.0
        """The seconds of the longest chain of tasks up to its end, as far as they are done."""
        self.key = f"question-{self.token}", ()
        knowledge.question(state, window, only)
        self.growing = Growing(knowledge, self.token, row.planning)
        self.question = Question(
            DEPTH, row.table, known=knowledge.found, spent=row.spent,
            growth=self.growing if row.cluster is None else None, joined=row.joined, wide=row.wide,
        )  # fmt: skip

    def graph(self) -> tuple[Graph, list[Key]]:
        """Plan it; return the tasks, and the keys of the root's fold and of the live windows."""
        engine, using = self.row.engine, self.row.using
        if self.only and using.inlined:
            using = eval_list
        plan = self.growing.plan = open_iteration(
            engine.game, SOLVE, using, self.state, self.knowledge, self.question,
            self.window, engine.choice, bool(self.only),
        )  # fmt: skip
        return lower_fold(plan, self.token)

    def learn(self, visited: int) -> None:
        """Learn from its tasks' results, which took `visited` nodes."""
        grown = self.growing
        for counts in (grown.plan.counts, *(counts_of(n, False) for n in grown.nodes.values())):
            self.row.opened += counts.opened
        self.knowledge.learn(grown.plan.root, self.state, self.question, visited, grown.nodes)
