"""Make the moments of a run from its graph and its records; which runs cannot be replayed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import Any

from graphs.arguments import check_kind
from graphs.errors import ArgumentError
from strategies.algebra.drivers import Driver
from strategies.algebra.groups import Window
from strategies.insight.analysis.replays.moments import (
    Inside,
    Ledger,
    Moment,
    Replay,
    Task,
    Turned,
    What,
    chains,
)
from strategies.insight.analysis.replays.opened import At, Board, Nodes, Search, Visit
from strategies.insight.analysis.trace import check_windows, closing
from strategies.insight.analysis.trace_steps import (
    OPEN,
    Candidate,
    Cut,
    Entered,
    Place,
    Returned,
    Windows,
    place_of,
)
from strategies.native.memory.floats import above
from strategies.running.execution.branches import BranchJob, job_of
from strategies.running.plans.opening import iterates
from strategies.running.plans.search_graph import graph_of
from strategies.running.records.record import Record, branch_numbers, by_task
from strategies.running.records.request import SearchRequest
from strategies.running.records.search_run import SearchRun
from strategies.support.stacks import room_for

WALKED = 100_000
"""The most positions of a run that are walked again one by one."""


def replayed(result: SearchRun, *, ticks: bool = False) -> Replay:
    """Return a run as moments.

    `ticks` says that the times of its records count positions, as those of `simulate` with a `node`
    of 1.

    Ensures: the counts of all moments are those of the ledger.  For fixed windows, the lines are
    those of the trace, those of tasks that ran at the same time interleaved.
    Raises: ArgumentError for a run that has no single graph of tasks; it says what to replay.
    Cost: the rules are run again, interpreted, at each position, up to `WALKED` of them.

    >>> from games import HANDOUT_BIG
    >>> from strategies import alphabeta, search
    >>> answer = search(HANDOUT_BIG, alphabeta(4), engine="interpreted")
    >>> replay = replayed(answer.compute())
    >>> replay.lines == answer.trace(), replay.counts()["leaves"]
    (True, 6)
    """
    check_replayed(result)
    assert result.request is not None
    with room_for(result.request.algorithm.depth):
        return _Replaying(result, ticks).replay()


class _Replaying:
    """A replay while it is made: what is still to happen, in order of time."""

    def __init__(self, result: SearchRun, ticks: bool) -> None:
        answer = graph_of(result.request)
        self.result = result
        self.ticks, self.plan, self.walks = ticks, answer.plan, result.nodes <= WALKED
        graph = answer.tasks()
        found = by_task(graph, result.records)
        number = {key: n for n, key in enumerate(graph)}
        after = [[number[d] for d in task.dependencies] for task in graph.values()]
        self.tasks = [found[key] for key in graph]
        self.jobs = [job_of(task) for task in graph.values()]
        self.nodes = Nodes(self.plan, [key[1] for key in graph], self.jobs)
        self.begin = min(r.start for r in self.tasks)
        self.ready = [max(((self.tasks[d].end, d) for d in x), default=None) for x in after]
        self.board = Board(self.plan.algorithm.narrows)
        self.ledger = Ledger(self.tasks, chains(after, self.tasks))
        ordered = sorted(self.tasks, key=lambda r: r.start)
        self.lanes = {w: i for i, w in enumerate(dict.fromkeys(r.worker for r in ordered))}
        self.later: list[tuple[float, int, int, int, Any]] = []
        self.serial = count()
        self.moments: list[Moment] = []
        self.answer = Candidate(0)

    def replay(self) -> Replay:
        for n, r in enumerate(self.tasks):
            time, last = self.ready[n] or (self.begin, -1)  # directly after what it waits for
            self.at(time, last, 4, partial(self.created, n=n))
            self.at(r.start, n, 1, self.started)
        while self.later:
            time, n, _, _, what = heappop(self.later)
            if callable(what):
                what(time, n)
            else:
                self.happen(time, n, what)
        jobs = enumerate(self.jobs)
        lanes = tuple(self.lane(n, job) for n, job in jobs if job is not None)
        leaves = sum(r.leaves for r in self.tasks)
        return Replay(
            repr(self.plan.using), self.ticks, self.ledger.settled(self.moments), lanes,
            max(1, len(self.lanes)), tuple(closing(self.plan, self.answer, leaves)),
            all(not isinstance(m.what, Inside) for m in self.moments),
        )  # fmt: skip

    def at(self, time: float, n: int, rank: int, what: Any) -> None:
        heappush(self.later, (time, n, rank, next(self.serial), what))

    def tell(self, time: float, n: int, what: What) -> None:
        self.moments.append(Moment(time - self.begin, n, what, self.ledger.adds(n, what)))

    def lane(self, n: int, job: BranchJob) -> Task:
        r, paths = self.tasks[n], tuple(job.way(b) for b in job.branches)
        start, end, before = r.start - self.begin, r.end - self.begin, self.ledger.chains[n]
        worker = self.lanes[r.worker]
        return Task(n, worker, start, end, r.role, r.became, paths, r.nodes, before - r.seconds)

    # What happens to a task ---------------------------------------------------------------------

    def created(self, time: float, _after: int, n: int) -> None:
        """Note that a task can start now."""
        for place, branches in self.nodes.asked.get(n, ()):
            self.tell(time, n, Turned("opened", True, place, branches))
        if self.tasks[n].role in ("spark", "dud"):
            dud = self.tasks[n].role == "dud"
            self.tell(time, n, self.turned(n, "dud" if dud else "created"))

    def started(self, time: float, n: int) -> None:
        """Note that a task starts; from now on it is known when its steps and its end will be."""
        r, job = self.tasks[n], self.jobs[n]
        if job is not None:
            self.tell(time, n, self.turned(n, "started"))
            for nodes, what in self.inside(job, r):
                share = nodes / r.nodes if r.nodes else 1.0
                self.at(r.start + share * (r.end - r.start), n, 2, what)
        self.at(r.end, n, 3, self.ended)

    def ended(self, time: float, n: int) -> None:
        """Note the fate of a task, and the results of the nodes that it completes."""
        r, job = self.tasks[n], self.jobs[n]
        if job is not None:
            if r.outcome == "fizzled" and r.reason == "window closed":
                self.cut(time, n, job.path, tuple(b.index for b in job.branches))
            fate = r.became if r.role == "spark" else "done"
            self.tell(time, n, self.turned(n, fate))
        else:
            self.ledger.end(n)
        for at in self.nodes.done.get(n, ()):
            self.leave(time, n, at)

    def turned(self, n: int, fate: Any) -> Turned:
        r, job = self.tasks[n], self.jobs[n]
        assert job is not None
        whole = job.branches[0].whole
        branches = () if whole else tuple(b.index for b in job.branches)
        why = self.met(job.path, branches) if fate == "aborted" and not whole else None
        return Turned(fate, r.role == "spark", self.place(job), branches, self.lanes[r.worker], why)

    def met(self, at: At, branches: tuple[int, ...]) -> Cut | None:
        """Return whose bounds meet on the way to a node; None if none do."""
        a, b = self.board.bounds(at)
        own, other = (b, a) if self.nodes.at[at].node.kind == "min" else (a, b)
        return Cut(self.nodes.at[at].place, branches, own, other) if a.value >= b.value else None

    def place(self, job: BranchJob) -> Place:
        """Return the node of a task."""
        if not job.branches[0].whole:
            return self.nodes.at[job.path].place
        return place_of(self.plan.game, (), self.plan.state, self.plan.algorithm.tuples)

    # What happens inside a task -----------------------------------------------------------------

    def inside(self, job: BranchJob, r: Record) -> Iterator[tuple[int, What]]:
        """Yield the steps of a task, each with the number of positions entered before it."""
        whole = job.branches[0].whole
        ab = self.board.named(job.path, r.window)
        kind = "max" if whole else self.nodes.at[job.path].node.kind
        player = 0 if whole else self.nodes.at[job.path].node.player
        if r.nodes:
            yield from enumerate(self.enter(job, ab))
        yield from Search(job, r, kind, self.place(job), player, ab).steps(self.walks)

    def enter(self, job: BranchJob, ab: Any) -> Iterator[Entered]:
        """Enter the opened nodes that a task is the first to reach, from the root down."""
        ways = [job.path[: len(job.path) - above] for above in reversed(range(job.entered))]
        chance = [n for n, at in enumerate(ways) if self.nodes.at[at].node.kind == "chance"]
        for n, at in enumerate(ways):
            place, node, _ = self.nodes.at[at]
            window = ab if not chance or n > chance[-1] else self.window(at)
            visit = Visit.enter(self.plan.algorithm, place, node.kind, node.player, window)
            self.board.visits[at] = visit
            yield Entered(place, None if self.plan.algorithm.tuples else window)

    def window(self, at: At) -> Windows:
        """Return the window of an opened node: what its group sees at the node above."""
        above = self.board.visits.get(at[:-1]) if at else None
        if above is None:
            return OPEN
        i, groups = branch_numbers(at)[-1], self.nodes.at[at[:-1]].node.groups
        group = next(g for g in groups if g.start <= i < g.stop)
        if group.window is Window.LIVE:
            return above.window_after(set(above.results))
        return above.window_after({*range(group.after), *range(group.start, i)})

    def happen(self, time: float, n: int, what: What) -> None:
        """Note a step inside a task."""
        job = self.jobs[n]
        assert job is not None
        own = not job.branches[0].whole and job.path in self.board.visits
        if isinstance(what, Cut) and own and what.place == self.nodes.at[job.path].place:
            self.cut(time, n, job.path, what.branches)
            return
        self.tell(time, n, what)
        if isinstance(what, Returned):
            if not what.place.path:
                self.answer = what.best
            elif own and what.place.path[:-1] == self.nodes.at[job.path].place.path:
                best = self.tested(n, job) or what.best
                self.found(time, n, job.path, what.place.path[-1], best)

    def tested(self, n: int, job: BranchJob) -> Candidate | None:
        """Return what a null-window test proves, from the side of its node; None for no test.

        The bound that the test found may be better than its window, in which lines tell it.
        """
        (a, b), kind = self.tasks[n].window, self.nodes.at[job.path].node.kind
        if len(job.branches) > 1 or kind == "chance" or b != above(a):
            return None
        return Candidate(self.tasks[n].found[0 if kind == "max" else 1])

    # What happens at an opened node -------------------------------------------------------------

    def found(self, time: float, n: int, at: At, i: int, candidate: Candidate) -> None:
        """Note the result of a branch of an opened node."""
        visit, (_, node, sparked) = self.board.visits.get(at), self.nodes.at[at]
        if visit is None:
            return
        led = visit.found(i, node.branches[i].chance, candidate)
        if led is not None:
            self.tell(time, n, led)
        if visit.closed and not sparked[i]:
            visit.pruned = True
            self.cut(time, n, at, range(len(node.branches)))

    def cut(self, time: float, n: int, at: At, branches: Any) -> None:
        """Note that branches of an opened node are left out, those that are not known yet."""
        visit = self.board.visits.get(at)
        done = set() if visit is None else visit.results.keys() | visit.left
        rest = tuple(i for i in branches if i not in done)
        if not rest:
            return
        if visit is not None:
            visit.left |= set(rest)
        met = self.met(at, rest)
        self.tell(time, n, met or Cut(self.nodes.at[at].place, rest, None, None))

    def leave(self, time: float, n: int, at: At) -> None:
        """Note the result of an opened node, and pass it to the node above."""
        visit = self.board.visits.get(at)
        if visit is None:
            return
        best = visit.best
        if (
            not at and best.value != self.result.value
        ):  # a task is one step, so that some are unknown
            line = self.result.line_branches
            best = Candidate(self.result.value, line[0] if line else None, ())
        self.tell(time, n, Returned(visit.place, best, visit.pruned))
        if not at:
            self.answer = best
        else:
            self.found(time, n, at[:-1], visit.place.path[-1], best)


def check_replayed(result: SearchRun) -> None:
    """Raise ArgumentError for a run without a single graph of recorded tasks."""
    check_kind(SearchRun, "a result, as from search(...).compute()", result=result)
    if result.request is None:
        raise ArgumentError(
            "this result does not know its search, so it cannot be replayed: compute it by "
            "search(...).compute()"
        )
    check_request(result.request)
    if not result.records:
        raise ArgumentError("this result has no records: replay the result of a search")
    if any(r.reason == "grown" for r in result.records):
        raise ArgumentError(
            "tasks of this run were divided while they ran: replay a strategy of a number of "
            "plies, as .to_ply(2)"
        )
    if result.graphs or result.depth is not None or result.joins:
        raise ArgumentError(
            "this run deepened within a limit or by a row of graphs: replay a search to a fixed "
            f"depth, such as {_fixed(result.request)}"
        )


def check_request(request: SearchRequest) -> None:
    """Raise ArgumentError for a search whose run could not be replayed."""
    if isinstance(request.strategy, Driver):
        raise ArgumentError(
            f"the threads of {request.strategy!r} share one search that is not made of tasks: "
            "replay a search under a strategy, such as jamboree(0.5)"
        )
    algorithm = request.algorithm
    check_windows(algorithm)
    if request.limits is not None:
        raise ArgumentError(
            "a search within a limit goes one ply deeper again and again: replay a search to a "
            "fixed depth, without time= or nodes="
        )
    if iterates(request) or algorithm.iterates:
        raise ArgumentError(
            f"{algorithm!r} searches one depth after another: replay a search to a fixed "
            f"depth, such as {_fixed(request)}"
        )


def _fixed(request: SearchRequest | None) -> str:
    """Return a search of the same game to a fixed depth."""
    if request is None:
        return "alphabeta(depth=4)"
    algorithm = request.algorithm
    name = "maxn" if algorithm.many else "alphabeta" if algorithm.iterates else algorithm.name
    return f"{name}(depth={min(algorithm.depth, 4)})"
