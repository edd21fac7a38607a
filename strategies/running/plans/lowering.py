"""Lower a plan to a graph of Dask tasks.

A node is a left fold: fold k is the node after branches 0…k.  A group's tasks take the fold at
`after` as their window; the merge after them takes the fold at `start`.  A window several plies
deep needs no task of its own: the branches of an opened node that wait for nothing take the fold
that its parent waits for.

In an iteration, one merge takes all branches whose folds no task needs.  Otherwise each branch has
its own merge, because an n-ary fan-in would make Dask's schedulers run the last sibling first.

The graph lists its tasks in the order in which one worker should run them: in move order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from itertools import takewhile
from typing import Any, NamedTuple

from dask.task_spec import Task, TaskRef

from strategies.algebra.groups import Group, Window
from strategies.algebra.strategy import Strategy, unfolded
from strategies.algorithms.fold import Interval, Rule
from strategies.running.execution.branches import Branch, BranchJob, place_of
from strategies.running.execution.live_windows import Link, Place
from strategies.running.plans import tasks
from strategies.running.plans.plan import Node, Plan, opened, planning, runs
from strategies.running.plans.tasks import BranchEntry, Mode, Post, Reading
from strategies.running.records.record import Role
from strategies.running.records.search_run import SearchRun

Key = tuple[str, Place]
Graph = dict[Key, Task]

MAKING = "the making of tasks"
SAME = Reading("same", None, Rule(True))


class At(NamedTuple):
    """A fold of the node being lowered: the task that computes it, and how to read it."""

    ref: Any
    entry: Reading


class Piece(NamedTuple):
    """The branches start…stop that one task searches ahead of the fold."""

    key: Key
    start: int
    stop: int
    branch: BranchEntry | None
    """The branch, if it is opened."""


class Source(NamedTuple):
    """The source of a node's window: a fold (or a constant), and how it is passed on."""

    ref: Any
    mode: Mode = "same"
    through: tuple[float, ...] = ()
    """The probabilities of the outcomes on the way, if windows pass through chance nodes."""


def lower(plan: Plan, token: str, result_class: type[SearchRun] = SearchRun) -> tuple[Graph, Key]:
    """Lower a plan: return its graph, and the key of its result.

    Ensures: exactly the tasks that will run; keys are ``(kind-token, place)``, with the branch
    numbers from the root as the place.
    """
    with planning(MAKING, plan.algorithm.depth) as poll:
        lowering = _Lowering(plan, token, poll)
        lowering.whole()
        lowering.conclude(result_class)
    return lowering.graph, lowering.key


def lower_fold(plan: Plan, token: str) -> tuple[Graph, list[Key]]:
    """Lower a plan without its conclusion: return the graph, and the keys of the last fold and of
    the live windows, if there are any."""
    with planning(MAKING, plan.algorithm.depth) as poll:
        lowering = _Lowering(plan, token, poll)
        lowering.whole()
    begun = [] if lowering.cells is None else [lowering.cells.key]
    return lowering.graph, [lowering.key, *begun]


def is_live(strategy: Strategy) -> bool:
    """Return whether a strategy has live windows where Maxie moves."""
    return any(g.window is Window.LIVE for g in unfolded(strategy, "max", 3).groups)


def lower_more(
    plan: Plan, token: str, node: Node, job: BranchJob, window: Interval, begun: Any,
    visited: tuple[Place, int] | None = None,
) -> tuple[Graph, Key]:  # fmt: skip
    """Lower the opened node of a job's only branch, to replace the job's task in the plan's graph.

    `begun` has the live windows of that graph, if there are any.  If a task has visited the node,
    `visited` is its place, which may lie deeper, and the number of nodes opened on that task's way.
    Returns: the graph, and its last key.
    """
    (b,) = job.branches
    chain = tuple(k.at(b.index, b.tied) if k.branch is None else k for k in job.chain)
    with planning(MAKING) as poll:
        lowering = _Lowering(plan, token, poll, begun)
        at, opened = visited or ((*job.path, b.index), 0)
        key = lowering.node(node, Source(window), chain, at, -opened)
    return lowering.graph, key


def whole(plan: Plan) -> BranchJob:
    """Return the only job of a plan that opened no node."""
    branch = Branch(0, 1, None, plan.state, False, plan.inner, whole=True)
    return BranchJob(
        plan.game, plan.algorithm, plan.engine, (), plan.algorithm.depth, (branch,), "step",
        iteration=plan.iteration, growth=plan.growth,
    )  # fmt: skip


class Folds:
    """The folds of a node by number of branches; `merge` adds the fold after further pieces.

    Requires: `afters` are all folds that groups wait for; each requested one ends a whole piece.
    """

    def __init__(
        self, first: At, afters: Iterable[int], merge: Callable[[At, tuple[Piece, ...]], Key]
    ) -> None:
        self.known, self.afters, self.merge = {0: first}, deque(sorted(set(afters))), merge
        self.waiting: list[Piece] = []

    def __getitem__(self, stop: int) -> At:
        while self.afters and self.afters[0] < stop:
            self._fold(self.afters.popleft())
        self._fold(stop)
        return self.known[stop]

    def _fold(self, end: int) -> None:
        """Add the fold of all branches before `end`, unless there is no further piece."""
        pieces = tuple(takewhile(lambda p: p.stop <= end, self.waiting))
        if pieces:
            del self.waiting[: len(pieces)]
            key = self.merge(self.known[pieces[0].start], pieces)
            self.known[end] = At(TaskRef(key), SAME)


class _Lowering:
    def __init__(self, plan: Plan, token: str, poll: Callable[[], None], cells: Any = None) -> None:
        self.poll = poll
        self.plan, self.token = plan, token
        self.rule = plan.algorithm.rule(plan.game, scouts=plan.iteration is not None)
        self.graph: Graph = {}
        self.cells = cells

    def whole(self) -> None:
        """Lower the whole plan."""
        plan = self.plan
        if plan.root is None:
            begun = {}
            if plan.growth is not None and self.rule.narrows and is_live(plan.inner):
                self.cells = TaskRef(self.add("start", (), tasks.begin))
                begun = {"begun": self.cells}
            self.key = self.add("step", (), tasks.alone, whole(plan), plan.window, **begun)
        else:
            live = self.rule.narrows  # else live windows are useless
            if live and any(g.window is Window.LIVE for n in opened(plan.root) for g in n.groups):
                self.cells = TaskRef(self.add("start", (), tasks.begin))
            self.key = self.node(plan.root, Source(plan.window), (), (), 0)

    def conclude(self, result_class: type[SearchRun]) -> None:
        """Make the last task return the result."""
        plan, task = self.plan, self.graph.pop(self.key)
        self.key = f"result-{self.token}", self.key[1]
        self.graph[self.key] = Task(
            self.key, tasks.conclude, result_class, plan.request(), plan.counts, plan.window,
            self.cells, task.func, *task.args, **task.kwargs,
        )  # fmt: skip

    def add(
        self, kind: str, place: Place, func: Callable[..., Any], *args: Any, **kwargs: Any
    ) -> Key:
        self.poll()
        key = f"{kind}-{self.token}", place
        self.graph[key] = Task(key, func, *args, **kwargs)
        return key

    def node(
        self, node: Node, source: Source, chain: tuple[Link, ...], place: Place, entered: int,
        post: Post | None = None,
    ) -> Key:  # fmt: skip
        """Lower one node; return the key of its last fold.

        `chain` are the ancestors that live windows read; `entered` is the number of opened
        ancestors whose first branch leads here, so that one task counts each node; `post` is the
        cell of its parent, to which its value is posted at once.
        """
        reading = Reading(source.mode, node.kind, self.rule, node.player, source.through, node.own)
        live = {} if self.cells is None else {"begun": self.cells}

        def merge(at: At, several: tuple[Piece, ...]) -> Key:
            stop, given = several[-1].stop, live
            if post is not None and stop == len(node.branches):
                given = {**live, "post": post}
            at_stop, branches = (*place, stop), tuple(p.branch for p in several)
            found = (TaskRef(p.key) for p in several)
            about = at_stop, at.entry, branches, at.ref, *found
            return self.add("merge", at_stop, tasks.merge, *about, **given)

        folds = Folds(At(source.ref, reading), (g.after for g in node.groups), merge)
        for group, sparked in zip(node.groups, node.sparks, strict=True):
            key = _Grouped(self, node, group, sparked, chain, place, entered, folds).lower()
            if key is not None:
                folds.known[group.stop] = At(TaskRef(key), SAME)
        last: Key = folds[len(node.branches)].ref.key
        return last


class _Grouped:
    """One group of a node being lowered."""

    def __init__(
        self, lowering: _Lowering, node: Node, group: Group, sparked: bool,
        chain: tuple[Link, ...], place: Place, entered: int, folds: Folds,
    ) -> None:  # fmt: skip
        self.to, self.node, self.group, self.sparked = lowering, node, group, sparked
        self.place, self.entered, self.folds = place, entered, folds
        self.role: Role = "spark" if sparked else "step"
        live = lowering.cells is not None
        self.begun = {"begun": lowering.cells} if live else {}
        self.cell = place if live and node.kind != "chance" else None
        self.chain = chain
        self.reads = live and (not sparked or group.window is Window.LIVE)

    def lower(self) -> Key | None:
        """Lower the group; return the key of the fold after it, or None if that can wait."""
        g = self.group
        found = tuple(runs(self.node, g))
        retested = self.to.rule.scouts and self.node.nodes[g.start] is not None
        if g.window is Window.ZERO and not retested:
            return self.tested()
        if self.sparked and all(b.over for b in self.node.branches[g.start : g.stop]):
            at, gate = self.folds[g.start], self.folds[g.after]
            job = self.job(found[0], "dud")
            place, given = (
                (*self.place, found[0][0].index),
                (at.entry, at.ref, gate.entry, gate.ref),
            )
            return self.to.add("dud", place, tasks.dud, job, *given, **self.begun)
        late = self.sparked and self.to.plan.iteration is not None and len(found) == 1
        if not late:
            return self.continued(found) if g.after == g.start else self.ahead(found)
        key, branch = self.searched(found[0], self.folds[g.after])
        self.folds.waiting.append(Piece(key, g.start, g.stop, self.branch_entry(branch)))
        return None

    def continued(self, found: tuple[tuple[Branch, ...], ...]) -> Key:
        """Search branches that continue the node's fold, which needs no merge."""
        at = self.folds[self.group.start]
        for run in found:
            if self.node.nodes[run[0].turn] is None:
                place = place_of(self.place, run[0])
                key = self.to.add(
                    self.role, place, tasks.step, self.job(run), at.entry, at.ref, **self.begun
                )
            else:
                key = self.merge(at, self.child(run[0], at), run[0].turn + 1, run[0])
            at = At(TaskRef(key), SAME)
        return key

    def ahead(self, found: tuple[tuple[Branch, ...], ...]) -> Key:
        """Search branches ahead of the node's fold: their tasks, then the merges."""
        at, gate = self.folds[self.group.after], None
        done: list[tuple[Key, int, Branch | None, TaskRef | None]] = []
        for k, run in enumerate(found):
            stop = run[-1].turn + 1
            key, opened_branch = self.searched(run, at)
            done.append((key, stop, opened_branch, gate))
            if k < len(found) - 1:
                gate = TaskRef(self.merge(at, key, stop, opened_branch, func=tasks.local))
                at = At(gate, SAME)
        at = self.folds[self.group.start]
        for key, stop, opened_branch, gate in done:
            last = self.merge(at, key, stop, opened_branch, gate=gate)
            at = At(TaskRef(last), SAME)
        return last

    def searched(self, run: tuple[Branch, ...], at: At) -> tuple[Key, Branch | None]:
        """Search branches ahead of the node's fold; return the key, and the branch if it is
        opened."""
        if self.node.nodes[run[0].turn] is not None:
            return self.child(run[0], at), run[0]
        place = place_of(self.place, run[0])
        job = self.job(run)
        return self.to.add(self.role, place, tasks.spark, job, at.entry, at.ref, **self.begun), None

    def tested(self) -> Key:
        """Test a branch with a null window, and search it for its value if it passes."""
        g = self.group
        b, test, prev = self.node.branches[g.start], self.folds[g.after], self.folds[g.start]
        if self.node.nodes[b.turn] is None:
            job, place = self.job((b,)), (*self.place, b.index)
            zero = Reading("test", None, Rule(True))
            t = self.to.add(self.role, place, tasks.spark, job, zero, test.ref)
            again = self.job((b,), "step")
            return self.to.add("resolve", place, tasks.resolve, again, prev.ref, TaskRef(t))
        t = self.child(b, test, "test", "?")
        place = *self.place, b.index
        gate = TaskRef(self.to.add("gate", place, tasks.reopen, place, prev.ref, TaskRef(t)))
        v = self.child(b, At(gate, SAME))
        return self.merge(prev, v, g.stop, b, test=TaskRef(t), gate=gate)

    def job(self, run: tuple[Branch, ...], role: Role | None = None) -> BranchJob:
        p, node, entered = self.to.plan, self.node, self.entered + 1 if run[0].turn == 0 else 0
        depth = node.depth if run[0].whole else node.depth - 1
        return BranchJob(
            p.game, p.algorithm, p.engine, self.place, depth, run, role or self.role,
            entered, self.below(None), self.cell, node.reach, p.iteration, p.growth,
        )  # fmt: skip

    def child(self, b: Branch, at: At, mode: Mode = "same", suffix: str = "") -> Key:
        """Lower the node of a branch that waits for fold `at`."""
        node = self.node.nodes[b.turn]
        if self.to.rule.scouts and b.turn and self.node.kind != "chance":
            mode = "tied" if b.tied else "test"
        assert node is not None
        how, kind, _, _, through, _ = at.entry
        bounded = self.to.rule.bounds is not None
        passed = mode if kind is None else "opened" if kind == "chance" and not bounded else how
        if bounded and self.node.kind == "chance":
            through = (*through, b.chance)
        place = (*self.place, f"{b.index}{suffix}" if suffix else b.index)
        entered = self.entered + 1 if b.turn == 0 else 0
        source = Source(at.ref, passed, through)
        post = None
        if self.to.plan.iteration is not None and self.cell is not None:
            post = Post(self.cell, self.node.kind, b.index)
        return self.to.node(node, source, self.below(b), place, entered, post)

    def below(self, b: Branch | None) -> tuple[Link, ...]:
        """Return the ancestors that live windows read below: live sparks and branches in order read
        this node's cell; chance nodes, which no window passes, are always included."""
        ends = self.to.cells is not None and self.node.kind == "chance"
        if not self.reads and not ends:
            return self.chain
        ties = self.to.plan.iteration is None or (self.to.plan.ties and not self.place)
        link = Link(self.cell or self.place, self.node.kind, None, ties)
        return (*self.chain, link if b is None else link.at(b.index, b.tied))

    def branch_entry(self, b: Branch | None) -> BranchEntry | None:
        """Return the data of an opened branch that its merge needs."""
        return None if b is None else (b.index, b.chance, self.cell)

    def merge(
        self, at: At, ref: Key, stop: int, b: Branch | None = None, *,
        func: Callable[..., Any] = tasks.merge, **more: Any,
    ) -> Key:  # fmt: skip
        """Merge the branches that the task `ref` searched into the fold; return its key."""
        place, branch = (*self.place, stop), self.branch_entry(b)
        more = {k: v for k, v in more.items() if v is not None}
        if b is not None:
            more |= self.begun
        about = place, at.entry, (branch,), at.ref, TaskRef(ref)
        return self.to.add(func.__name__, place, func, *about, **more)
