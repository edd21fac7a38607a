"""The opened nodes of a run: their states, their sparks, and the tasks that complete them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from strategies.algebra.groups import Group
from strategies.insight.analysis.replays.visits import At
from strategies.insight.analysis.trace_steps import Place, place_at
from strategies.running.execution.branches import BranchJob
from strategies.running.plans.plan import Node, Plan, runs
from strategies.running.records.record import branch_numbers


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
        for at in sorted(self.at, key=len, reverse=True):
            self.done.setdefault(self.last[at], []).append(at)
        self.asked = self._asked()

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
        game, path = self.plan.game, branch_numbers(at)
        player = game.player(state) if self.plan.algorithm.tuples else None
        place = place_at(path, node.kind, game.label(state), player)
        sparked = [
            s for g, s in zip(node.groups, node.sparks, strict=True) for _ in range(g.start, g.stop)
        ]
        self.at[at] = Opened(place, node, tuple(sparked))

    def completed(self, n: int) -> Sequence[At]:
        """Return the nodes that a task is the last one of, inner ones first."""
        return self.done.get(n, ())

    def opened_by(self, n: int) -> Sequence[tuple[Place, tuple[int, ...]]]:
        """Return the opened sparks whose first task this is: a node, and branches."""
        return self.asked.get(n, ())

    def _asked(self) -> dict[int, list[tuple[Place, tuple[int, ...]]]]:
        found: dict[int, list[tuple[Place, tuple[int, ...]]]] = {}
        for at, (place, node, _) in self.at.items():
            for group in opened_groups(node):
                branches = tuple(range(group.start, group.stop))
                below = ((*at, i) for b in branches for i in (b, f"{b}?"))
                n = min((self.first[b] for b in below if b in self.first), default=self.last[at])
                found.setdefault(n, []).append((place, branches))
        return found


def opened_groups(node: Node) -> Iterator[Group]:
    """Yield the sparks of a node that have no tasks themselves."""
    for group, sparked in zip(node.groups, node.sparks, strict=True):
        if sparked and all(node.nodes[run[0].turn] is not None for run in runs(node, group)):
            yield group


def job_of(task: Any) -> BranchJob | None:
    """Return the branches that a task searches; None for a fold."""
    return next((x for x in task.args if isinstance(x, BranchJob)), None)
