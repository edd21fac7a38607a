"""Iterative deepening above a strategy: a row of small graphs over one table.

Each iteration is a graph of tasks, each of which searches one position to one depth.  Its plan uses
the knowledge from the last iteration for the move ordering, and to open the nodes that are large
enough.  Younger branches of opened nodes are tested by null windows.  An opened branch that passes
is not searched again in the same graph: the next graph has it in the eldest's place, and the table
still knows the others.  MTD(f) uses only null windows, starting from the value of two plies before:
below a cut-node no branch waits for a value, so more is searched in parallel.  To find the leftmost
of equal moves, branches left of the root's eldest are tested for being as good, not for being
better; the last graph tests those that are still undecided.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from attrs import evolve
from dask.task_spec import Task

from strategies.algebra.by_node import Type, at_root
from strategies.algebra.combinators import eval_list
from strategies.algebra.strategy import Strategy
from strategies.algorithms.fold import OPEN, UNKNOWN, Fold, Interval, intersect
from strategies.algorithms.positions import kind_of
from strategies.native.calls.alphabeta import Found
from strategies.native.calls.windows import Windows, following, mtdf, whole
from strategies.native.engine import Engine
from strategies.native.failures import check_value
from strategies.native.kept_engines import engine_for
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.memory.floats import above, below
from strategies.native.memory.transposition_table import Table
from strategies.running.execution.deepening import TABLE, DeepeningRun
from strategies.running.execution.iteration import Iteration
from strategies.running.plans.cluster_records import with_losses
from strategies.running.plans.grain import ENOUGH, WHOLE
from strategies.running.plans.growth import Growing
from strategies.running.plans.knowledge import Knowledge
from strategies.running.plans.lowering import Graph, Key, lower_fold
from strategies.running.plans.opening import open_iteration
from strategies.running.plans.plan import Plan, counts_of
from strategies.running.records.moves import Moves, moves_of
from strategies.running.records.record import Moment, Record, Tally, now, record
from strategies.running.records.request import SearchRequest
from strategies.running.records.search_run import GraphRecord, SearchRun
from strategies.running.records.sparks import audited, ledger
from strategies.running.runtime import ordered_scheduler as runner
from strategies.running.runtime.cancellation import current_scope, enter_scope
from strategies.running.runtime.deadline import run_with_deadline

if TYPE_CHECKING:
    from strategies.running.plans.row_on_cluster import RowOnCluster

AGAIN: Final = 8
"""The number of graphs after which an iteration is searched in one task."""
NULLS: Final = 4
"""The number of null-window graphs after which the value is considered far from the guess."""


Get = Callable[[Graph, list[Key]], list[Any]]
"""A function that runs a graph, and returns the values of some of its keys."""


class Iterations:
    """A deepening search under a strategy, with its results so far; `get` runs its graphs."""

    def __init__(
        self, request: SearchRequest, *, get: Get | None = None,
        cluster: RowOnCluster | None = None, stop: Stop | None = None, table: Table | None = None,
    ) -> None:  # fmt: skip
        self.request, self.limits, workers = request, request.limits, request.workers
        self.game, self.state, self.algorithm = request.game, request.state, request.algorithm
        assert isinstance(request.strategy, Strategy)
        self.using = request.strategy
        self.engine: Engine = engine_for(self.game, request.engine)
        self.table = table or Table(self.algorithm.table or TABLE)
        self.stop = stop or Stop(current_scope())
        self.cluster = cluster
        self.get: Get = get or partial(runner.get, num_workers=workers)
        count = workers or os.cpu_count() or 1
        if cluster is not None:
            self.get, count = cluster.get, cluster.threads
        own = get is None and self.engine.native
        self.joined = own and count > 1 and self.using.is_joined
        """Whether a worker without a task joins the search of a running task."""
        self.knowledge = Knowledge(
            self.engine, self.table, count, self.algorithm.nearer_wins,
            on_cluster=cluster is not None, grows=cluster is None and not self.joined,
        )  # fmt: skip
        self.finds_leftmost = cluster is None and count < ENOUGH and not self.algorithm.nulls
        """Whether each iteration finds the leftmost move, as the sequential search does.  Else the
        last one compares more branches with its leader, because more are left of it."""
        shared = cluster is None or cluster.share(self.table)
        whole = self.joined and self.using.least is None and not self.algorithm.nulls
        if whole and shared:
            self.knowledge.whole = WHOLE
        self.kind = kind_of(self.game, self.state)
        self.records: list[Record] = []
        self.attempts = self.opened = 0
        self.span = 0.0
        self.graphs: list[GraphRecord] = []
        self.none = DeepeningRun(request, self.stop, table=self.table)
        """The answer if no depth is finished."""
        self.deepening = self.none.deepening
        self.deepening.count = partial(_nodes_of, self.records)
        last, apart = self.algorithm.depth, 1 if self.limits else 2
        self.depths = range(last % apart or apart, last + 1, apart)

    def work(self) -> None:
        """Deepen to the algorithm's depth, or until stopped."""
        self.deepening.resume(self.algorithm.depth)
        if self.deepening.best is not None:
            self.knowledge.resume(self.state)
        elif self.cluster is None:  # a client of a cluster may not have compiled the rules
            self.none.look()
        try:
            self.deepening.work(self.to, self.depths)
        except Stopped:
            if not self.stop.is_set:
                raise

    def leftmost(self, depth: int) -> bool:
        """Return whether the iteration of a depth has to find the leftmost move."""
        always = self.limits is not None or self.table.kept or self.finds_leftmost
        return always or depth == self.algorithm.depth

    def to(self, depth: int, guess: float | None, window: Interval, nodes: int) -> Found:
        """Run one iteration, in graphs, which count their nodes; they take no window and limit."""
        self.knowledge.begin(depth)
        found = self.in_graphs(depth, guess)
        self.knowledge.end()
        return found

    def in_graphs(self, depth: int, guess: float | None) -> Found:
        """Run graphs until the value of an iteration is known, and one for the leftmost move."""
        known, knowledge, leftmost = OPEN, self.knowledge, self.leftmost(depth)
        windows, bounds = self.windows(guess), None
        for again in range(AGAIN + 1):
            window = following(windows, bounds)
            assert window is not None, "the value is not known yet"
            root, closed = self.root_type(window, known), again == AGAIN
            fold, alone = self.run(depth, window, leftmost=leftmost, closed=closed, root=root)
            known = intersect(known, bounds := (fold.lo, fold.hi))
            if alone and root == "pv":
                return Found(fold.lo, line=fold.line)
            if known[0] == known[1]:
                break
        value, order = known[0], knowledge.orders.get((), ())
        good = [i for i in order if self.as_good(knowledge.interval((i,)), value)]
        lead = min(good, default=None) if leftmost else next(iter(good), None)
        if lead is None:  # one task found the value, or the results were lost with a worker
            window = below(value), above(value)
            fold, _ = self.run(depth, window, leftmost=leftmost, closed=True)
            return Found(fold.lo, line=fold.line)
        window = (below(value), value) if self.kind == "max" else (value, above(value))
        rivals = [i for i in range(lead) if not self.worse(knowledge.interval((i,)), value)]
        if leftmost and rivals:
            fold, _ = self.run(depth, window, only=rivals)
            if self.as_good((fold.lo, fold.hi), value):
                lead = fold.line[0]
        return Found(value, line=(lead, *knowledge.found[lead,].line))

    def windows(self, guess: float | None) -> Windows:
        """Return the windows of an iteration: null ones only if it is large enough to divide."""
        nulls = self.algorithm.nulls and self.knowledge.shares(self.using.least)
        return mtdf(guess, OPEN, self.kind == "max", NULLS) if nulls else whole()

    def root_type(self, window: Interval, known: Interval) -> Type:
        """Return the likely type of the root: beside a known bound, a null window asks for more."""
        if above(window[0]) < window[1]:
            return "pv"
        beside = window[0] == known[0] if self.kind == "max" else window[1] == known[1]
        return "all" if beside else "cut"

    def test(self, window: Interval) -> Interval | None:
        """Return the null window that tests whether a branch beats the root's bound, or None."""
        low, high = window
        if above(low) < high and self.kind == "max":
            low, high = above(low), above(above(low))
        elif above(low) < high:
            low, high = below(below(high)), below(high)
        return (low, high) if abs(low) < inf and abs(high) < inf else None

    def tied(self) -> Sequence[int]:
        """Return the branches of the root to test for being as good as the eldest: the unsearched
        ones left of every branch that is as good, because the leftmost of equals must lead."""
        eldest, *_ = order = self.knowledge.orders.get((), (0,))
        found = {i: self.knowledge.interval((i,)) for i in order}
        value = found[eldest][self.kind == "min"]
        good = (i for i in order if found[i] != UNKNOWN and self.as_good(found[i], value))
        return [i for i in range(min(good, default=eldest)) if found[i] == UNKNOWN]

    def as_good(self, found: Interval, value: float) -> bool:
        """Return whether a branch is known to reach the value for the player to move."""
        return found[0] >= value if self.kind == "max" else found[1] <= value

    def worse(self, found: Interval, value: float) -> bool:
        """Return whether a branch is known to be worse for the player to move."""
        return found[1] < value if self.kind == "max" else found[0] > value

    def run(
        self, depth: int, window: Interval, *, only: Sequence[int] = (), leftmost: bool = False,
        closed: bool = False, root: Type = "pv",
    ) -> tuple[Fold, bool]:  # fmt: skip
        """Run one graph; return the fold of the root, and whether it was a single task.

        `root` is the likely type of the root in a null window.
        """
        self.knowledge.planned(window, self.test(window), only, closed, root)
        number, start = len(self.graphs) + 1, perf_counter()
        growing = Growing(self.knowledge, str(number))
        iteration = self.iteration(depth, leftmost, growing)
        using = eval_list if only and not self.knowledge.large else at_root(self.using, root)
        plan = open_iteration(
            self.game, self.algorithm.at_depth(depth), using, self.state, self.knowledge,
            iteration, window, self.request.engine, bool(only),
            self.tied() if leftmost and root == "pv" else (),
        )  # fmt: skip
        growing.plan = plan
        graph, keys = lower_fold(plan, str(number))
        if self.cluster is not None:
            later = partial(self.later, depth)
            self.cluster.set_forecast(
                lambda path: self.knowledge.expected.get(path, 0.0), self.pace, later
            )
        try:
            fold, *begun = self.get(graph, keys)
        finally:
            iteration.growth = None  # no cycle of objects holds the table when the search is over
        found_by = *fold.log, *(r for _, r in begun), *iteration.joins
        records = [r._replace(graph=number) for r in found_by]
        self.records += records
        branches = () if plan.root is None else plan.root.branches
        # A worker of a cluster may have made the iteration before it was asked for.
        took = max(perf_counter() - start, *(r.seconds for r in records))
        nodes = sum(r.nodes for r in records)
        order, found = tuple(b.move for b in branches), (fold.lo, fold.hi)
        about = number, depth, window, order, bool(only), found
        waits = growing.waits(graph)
        joins = len(iteration.joins)
        self.graphs.append(GraphRecord(*about, len(waits), nodes, took, waits, joins))
        for counts in (plan.counts, *(counts_of(node, False) for node in growing.nodes.values())):
            self.attempts += counts.attempts
            self.opened += counts.opened
        self.span += fold.span
        if root != "pv":
            asked = window[1] if self.kind == "max" else window[0]
            root = "cut" if self.as_good(found, asked) else "all"
        self.knowledge.learn(
            plan.root, self.state, iteration, nodes, growing.nodes, None if only else root
        )
        return fold, plan.root is None

    def iteration(self, depth: int, leftmost: bool, growing: Growing | None = None) -> Iteration:
        """Return the iteration of a depth, for tasks with the results so far."""
        return Iteration(
            depth, self.table, leftmost, self.knowledge.found,
            growth=growing if self.cluster is None else None, joined=self.joined,
            expected=self.knowledge.coming,
        )  # fmt: skip

    def later(self, depth: int) -> Iterator[tuple[Task, Iteration]]:
        """Yield the task of each iteration after a depth, as if it was one task."""
        for deeper in self.depths:
            if deeper > depth:
                iteration = evolve(self.iteration(deeper, self.leftmost(deeper)), known={})
                plan = Plan(
                    self.game, self.algorithm.at_depth(deeper), self.using, self.state, None,
                    (below(OPEN[0]), above(OPEN[1])), self.request.engine, iteration=iteration,
                )  # fmt: skip
                graph, (key, *_) = lower_fold(plan, "later")
                yield graph[key], iteration

    @property
    def pace(self) -> float:
        """Return the seconds per node of the tasks so far."""
        nodes = _nodes_of(self.records)
        return sum(r.seconds for r in self.records) / nodes if nodes else 0.0

    def result(self, result_class: type[SearchRun], start: Moment) -> SearchRun:
        """Return the answer of the last finished iteration.

        Raises: AlgorithmError if there is none, and the position has no estimate.
        """
        best = self.deepening.best
        if best is None:
            first = record(("step", ()), "step", start, self.none.tally)
            return self.none.result((first,), result_class)
        check_value(self.game, self.state, self.algorithm.depth, best.value)
        if not self.records:  # the table had the answer
            self.records = [record(("step", ()), "step", start, Tally())._replace(graph=1)]
            waits, value = (((("step", ()), ()),), best.value)
            about = 1, self.deepening.depth, OPEN, (), False, (value, value)
            self.graphs = [GraphRecord(*about, 1, 0, 0.0, waits)]
        records, line = tuple(self.records), best.line
        sparks = audited(ledger(self.attempts, records, self.opened))
        return result_class(
            move=next(iter(moves_of(self.game, self.state, line[:1])), None),
            value=best.value,
            leaves=sum(r.leaves for r in records),
            nodes=sum(r.nodes for r in records),
            sparks=evolve(sparks, source=(records, partial(Moves, self.game, self.state))),
            span=self.span,
            records=records,
            replay=(self.game, self.state, line),
            depth=self.deepening.depth if self.limits else None,
            graphs=tuple(self.graphs),
        )


def _nodes_of(records: list[Record]) -> int:
    return sum(record.nodes for record in records)


def iterate(
    request: SearchRequest, result_class: type[SearchRun] = SearchRun, *,
    cluster: Callable[[Stop], RowOnCluster] | None = None,
    table: Table | None = None,
) -> SearchRun:  # fmt: skip
    """Run a deepening search under a strategy, to the algorithm's depth or until the limit.

    A given `table` is used, with any entries that it has.  `cluster` takes the stop of the search,
    and returns the workers of a cluster that run its graphs.
    Requires: `iterates` is true of the request.
    Ensures: the value and the leftmost optimal move of a search to the depth it reached.  With a
    limit, Ctrl-C ends it with the result so far.  No thread is left running.
    Raises: KeyboardInterrupt if there is no limit; `RuleFailed`; AlgorithmError.
    """
    stop = Stop(current_scope())
    with nullcontext() if cluster is None else cluster(stop) as place:
        search = Iterations(request, cluster=place, stop=stop, table=table)
        start = now()
        if request.limits is None:
            search.work()
        else:

            def heeding() -> None:
                enter_scope(search.stop)
                search.work()

            run_with_deadline(heeding, search.stop, seconds=request.limits.time)
        result = search.result(result_class, start)
        return result if place is None else with_losses(result, place.losses())
