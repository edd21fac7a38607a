"""The steps inside one task: its search again, from the window that it recorded."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from strategies.algebra.strategy import Kind
from strategies.insight.analysis.replays.moments import Inside, What
from strategies.insight.analysis.trace import TraceWalk
from strategies.insight.analysis.trace_steps import (
    Candidate,
    Cut,
    Entered,
    Estimated,
    Place,
    Returned,
    Step,
    Windows,
    entered,
    place_of,
)
from strategies.running.execution.branches import BranchJob
from strategies.running.records.record import Record

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
            self._search(TraceWalk(self.job.game, self.job.algorithm, tell, skips=True))
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
