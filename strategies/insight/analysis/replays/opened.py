"""The opened nodes of a run: what the plan says of each, its best so far, and steps in tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from attrs import define, evolve, field, frozen

from games import WIN
from strategies.algebra.strategy import Kind
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.fold import Interval
from strategies.insight.analysis.replays.moments import Inside, What
from strategies.insight.analysis.trace import TraceWalk, plus, spread
from strategies.insight.analysis.trace_steps import (
    OPEN,
    Candidate,
    Cut,
    Entered,
    Estimated,
    Led,
    OwnNode,
    Place,
    Returned,
    Step,
    TraceNode,
    Windows,
    entered,
    place_of,
    worst,
)
from strategies.native.memory.floats import above, below
from strategies.running.execution.branches import BranchJob
from strategies.running.plans.plan import Node, Plan, runs
from strategies.running.records.record import Record, branch_numbers
from strategies.running.records.wording import bound

At = tuple[Any, ...]
"""A place in the graph: branch numbers, those of tests with a question mark."""


@define(eq=False)
class Visit:
    """One visit of an opened node."""

    place: Place
    kind: Kind
    ab: Windows
    node: TraceNode | OwnNode | None
    """Its best so far; None at a chance node."""
    rounded: bool = False
    sums: dict[int, tuple[float, Any]] = field(factory=dict)
    """The probability and the value of each outcome that is known."""
    results: dict[int, Candidate] = field(factory=dict)
    """The results of its branches that are known."""
    pruned: bool = False
    left: set[int] = field(factory=set)
    """The branches that were left out."""

    @classmethod
    def enter(
        cls, algorithm: Algorithm, place: Place, kind: Kind, player: int, ab: Windows
    ) -> Visit:
        """Return a node before its first branch, with its window."""
        node = entered(algorithm, place.path, kind, player, ab)
        return cls(place, kind, ab, node, algorithm.rounded)

    def found(self, i: int, chance: float, candidate: Candidate) -> Led | None:
        """Note the result of branch i; return the step if it leads now."""
        if self.node is None:
            self.results[i] = Candidate(candidate.value)
            self.sums[i] = chance, candidate.value
            return Led(self.place, Candidate(self.mean()))
        before = self.node
        after: Any = before.with_child((i, candidate))
        if after == before and self.ties(i, candidate):
            after = evolve(before, best=Candidate(candidate.value, i, self.place.path))
        self.node = after
        self.results[i] = Candidate(candidate.value, i, self.place.path)
        return None if after == before else Led(self.place, after.best)

    @property
    def candidates(self) -> list[Candidate]:
        """Return its own bound, if a branch above has it, and its results in the order of branches.

        The first of those with the value of a bound is the one whose bound it is.
        """
        own = self.ab[0 if self.kind == "max" else 1]
        results = [c for _, c in sorted(self.results.items())]
        return results if own.move is None else [own, *results]

    @property
    def closed(self) -> bool:
        """Return whether no further branch can matter."""
        return self.node is not None and self.node.closed

    def window_after(self, known: set[int]) -> Windows:
        """Return the window that the results of these branches leave."""
        node = self.node
        if not isinstance(node, TraceNode):
            return OPEN
        own = self.ab[0 if node.maximises else 1]
        before = evolve(node, best=own if node.narrows else worst(node.maximises))
        for i, candidate in sorted(self.results.items()):
            before = before.with_child((i, candidate)) if i in known else before
        return before.window()

    def ties(self, i: int, candidate: Candidate) -> bool:
        """Return whether a branch left of the leader is as good as the leader."""
        best = self.node.best if self.node else None
        if best is None or best.move is None or best.at != self.place.path or i >= best.move:
            return False
        if isinstance(self.node, OwnNode):
            return bool(candidate.value[self.node.player] == best.value[self.node.player])
        return bool(candidate.value == best.value)

    def mean(self) -> Any:
        """Return the sum over the outcomes so far, in the order of the outcomes."""
        total: Any = 0
        for _, (chance, value) in sorted(self.sums.items()):
            total = plus(total, chance, value, self.rounded)
        return total

    @property
    def best(self) -> Candidate:
        """Return the result of the node, as far as it is known."""
        if self.node is None:
            return Candidate(self.mean())
        return self.node.best if self.node.best is not None else Candidate(0)


class Board:
    """All visits of a run, by their places."""

    def __init__(self, narrows: bool) -> None:
        self.visits: dict[At, Visit] = {}
        self.narrows = narrows

    def above(self, at: At) -> list[Visit]:
        """Return the visits on the way from the root to a place, itself included."""
        ways = (at[:n] for n in range(len(at) + 1))
        return [self.visits[way] for way in ways if way in self.visits]

    def bounds(self, at: At) -> Windows:
        """Return the tightest bounds that are known now on the way to a place."""
        a, b = OPEN
        if not self.narrows:
            return OPEN
        for visit in self.above(at):
            best = visit.best
            if visit.kind == "chance":
                a, b = OPEN
            elif visit.kind == "max" and best.value >= a.value:
                a = best
            elif visit.kind == "min" and best.value <= b.value:
                b = best
        return a, b

    def named(self, at: At, window: Interval) -> Windows:
        """Return a recorded window, each end with the branch whose value it is, if it is known."""
        ways = self.above(at)[::-1]

        def named(value: float, kind: Kind) -> Candidate:
            known = (c for v in ways if v.kind == kind for c in v.candidates)
            return next((c for c in known if c.value == value), Candidate(value))

        a, b = window
        low, high = named(a, "max"), named(b, "min")
        if b == above(a) and low.at is not None:
            return low, Candidate(b, shown=f"{bound(a)}⁺")
        if a == below(b) and high.at is not None:
            return Candidate(a, shown=f"{bound(b)}⁻"), high
        return _rounded(low), _rounded(high)


def _rounded(end: Candidate) -> Candidate:
    """Return a bound that is no value of the game, such as that of a mean, with a rounded text."""
    plain = end.at is not None or isinstance(end.value, int) or f"{end.value!r}"[-2:] == ".0"
    return end if plain or abs(end.value) >= WIN else evolve(end, shown=bound(end.value))


class Opened(NamedTuple):
    """A node that the plan opened, at one place of the graph."""

    place: Place
    node: Node
    sparked: tuple[bool, ...]
    """For each branch, whether it is a spark or in one."""


class Nodes:
    """The opened nodes of a plan by their places in its graph."""

    def __init__(
        self, plan: Plan, places: Sequence[At], jobs: Sequence[BranchJob | None]
    ) -> None:  # fmt: skip
        self.plan = plan
        self.at: dict[At, Opened] = {}
        self.last: dict[At, int] = {}
        self.first: dict[At, int] = {}
        for n, (place, job) in enumerate(zip(places, jobs, strict=True)):
            if job is not None and not job.branches[0].whole:
                for k in range(len(job.path) + 1):
                    self.open(job.path[:k])
            for k in range(len(place)):
                self.first.setdefault(place[:k], n)
                self.last[place[:k]] = n
        self.done: dict[int, list[At]] = {}
        """For a task, the nodes that it is the last one of, inner ones first."""
        for at in sorted(self.at, key=len, reverse=True):
            self.done.setdefault(self.last[at], []).append(at)
        self.asked = self._asked()
        """For a task, the opened sparks that it is the first one of: a node, and branches."""

    def open(self, at: At) -> None:
        """Note the opened node at a place."""
        if at in self.at:
            return
        node, state = self.plan.root, self.plan.state
        for i in branch_numbers(at):
            assert node is not None
            state = node.branches[i].state
            node = node.nodes[i]
        assert node is not None
        place = place_of(self.plan.game, branch_numbers(at), state, self.plan.algorithm.tuples)
        self.at[at] = Opened(place, node, tuple(spread(node.groups, node.sparks)))

    def _asked(self) -> dict[int, list[tuple[Place, tuple[int, ...]]]]:
        found: dict[int, list[tuple[Place, tuple[int, ...]]]] = {}
        for at, (place, node, _) in self.at.items():
            for group, spark in zip(node.groups, node.sparks, strict=True):
                if not spark or any(node.nodes[run[0].turn] is None for run in runs(node, group)):
                    continue
                branches = tuple(range(group.start, group.stop))
                below = ((*at, i) for b in branches for i in (b, f"{b}?"))
                n = min((self.first[b] for b in below if b in self.first), default=self.last[at])
                found.setdefault(n, []).append((place, branches))
        return found


Timed = tuple[int, What]
"""The number of positions entered before a step, and the step."""


class Ended(Exception):
    """The task was stopped here."""


@frozen(eq=False)
class Search:
    """A task whose search is walked again."""

    job: BranchJob
    record: Record
    kind: Kind
    """Who moves at its node."""
    place: Place
    """Its node; for a whole search, the root."""
    player: int
    ab: Windows
    """The recorded window, each end with the branch that it comes from."""

    @property
    def branches(self) -> tuple[int, ...]:
        return tuple(b.index for b in self.job.branches if not b.whole)

    def path(self, index: int) -> tuple[int, ...]:
        whole = self.job.branches[0].whole
        return () if whole else (*self.place.path, index)

    def steps(self, walks: bool) -> list[Timed]:
        """Return the steps after the opened nodes that the task enters first.

        Ensures: as many positions and leaves as the record has; if the walk finds others, as after
        a hit in a table, or if `walks` is False, one step stands for all.
        """
        if not self.record.nodes:
            return []
        found = self._walked() if walks else None
        return self._closed() if found is None else found

    def _walked(self) -> list[Timed] | None:
        r, first = self.record, min(self.job.entered, self.record.nodes)
        steps: list[Timed] = []
        nodes, leaves = first, 0

        def tell(step: Step) -> None:
            nonlocal nodes, leaves
            if isinstance(step, Entered):
                if nodes == r.nodes:
                    raise Ended
                steps.append((nodes, step))
                nodes += 1
            else:
                leaves += isinstance(step, Estimated)
                steps.append((nodes, step))

        try:
            self._search(TraceWalk(self.job.game, self.job.algorithm, tell))
        except Ended:
            return steps if r.aborted else None
        same = nodes == r.nodes and leaves == r.leaves
        return steps if same else None

    def _search(self, walk: TraceWalk) -> None:
        job = self.job
        node: Any = entered(job.algorithm, self.place.path, self.kind, self.player, self.ab)
        for n, b in enumerate(job.branches):
            if node is not None and node.closed:
                rest = tuple(x.index for x in job.branches[n:])
                walk.tell(Cut(self.place, rest, node.best, node.met))
                return
            window = self.ab if node is None or b.whole else node.window()
            reach = job.reach * b.chance
            found = walk.node(self.path(b.index), b.state, b.inner, job.depth, window, reach)
            if node is not None and not b.whole:
                node = node.with_child((b.index, found))

    def _closed(self) -> list[Timed]:
        """Return one step for all positions, and the result of each branch."""
        r, job = self.record, self.job
        nodes = r.nodes - min(job.entered, r.nodes)
        steps: list[Timed] = [(r.nodes, Inside(self.place, self.branches, nodes, r.leaves))]
        lo, hi = r.found
        if not r.aborted and (lo, hi) != (float("-inf"), float("inf")):
            value = lo if lo != float("-inf") else hi
            b = job.branches[0]
            place = place_of(job.game, self.path(b.index), b.state, job.algorithm.tuples)
            steps.append((r.nodes, Returned(place, Candidate(value), False)))
        return steps
