"""Published speed-ups of parallel searches beside simulated ones; then ours, on many machines.

The trees are uniform, with a chosen probability that the first branch is best; a node takes one
unit of time and is a separate task, as in the programs of the papers.  The search is Jamboree: the
eldest branch, then null-window tests of its brothers in parallel, then those that failed high in
turn; a test that refutes its node ends its brothers.  Schedules are greedy; `latency` is the delay,
in nodes, between a result and the start of the tasks that wait for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

import numpy as np
from attrs import field, frozen

from benchmarks.finding import Finding, seconds
from strategies.insight.analysis.simulation import Burden, list_schedule

FIT = (1, 2, 8, 32, 128, 512)
"""Workers on which a law is fitted."""
SEED = 7
WORK = (60.0, 3600.0, 36_000.0)
"""Seconds of work of the searches that are put on clusters."""
THREADS = (64, 512, 4096)


def run(quick: bool) -> list[Finding]:
    jamboree = Tree(8, 4, 70) if quick else Tree(8, 8, 70)
    chess = Tree(6, 4, 95) if quick else Tree(30, 6, 95)
    return [
        *laws(jamboree),
        *speed_ups(chess, quick),
        unpruned(*(3, 4, 8) if quick else (3, 12, 128)),
        *ours(quick),
    ]


def laws(tree: Tree) -> Iterator[Finding]:
    """Return the law of Jamboree's time by work and longest chain."""
    tasks, alone = searched(tree)
    chain = span(tasks)
    said = (
        (0.0, 0.95, "*Socrates on 512: 1.09 W/P + 0.95 C"),
        (1.0, 1.5, "StarTech on 512: 1.02 W/P + 1.5 C"),
    )
    for latency, bar, published in said:
        rows = [(p, *scheduled(tasks, p, Burden(latency=latency))) for p in FIT]
        a, b = law(rows, chain)
        work = " to ".join(f"{nodes / alone:.2f}" for _, _, nodes in (rows[0], rows[-1]))
        yield Finding(
            f"Jamboree to 512 workers, {tree}, latency {latency:g}: b of a·W/P + b·C", b, bar,
            published, f"{alone:,} nodes alone, {work} times that on 1 to 512 workers",
            f"{a:.2f} W/P + {b:.2f} C", "", at_most=True,
        )  # fmt: skip


def speed_ups(tree: Tree, quick: bool) -> Iterator[Finding]:
    """Return the eldest first, on 256 and 1,024 workers."""
    tasks, alone = searched(tree)
    for latency in (0.0, 1.0):
        for workers, bar, net in ((256, 142, "DeBruijn network"), (1024, 344, "grid")):
            p = 8 if quick else workers
            time, nodes = scheduled(tasks, p, Burden(latency=latency))
            yield Finding(
                f"speed-up on {p:,} workers, {tree}, latency {latency:g}", alone / time, bar,
                f"ZUGZWANG on {workers:,}, {net}",
                f"{alone:,} nodes alone, {nodes / alone:.2f} times that, "
                f"busy {nodes / (time * p):.0%}",
                f"{alone / time / p:.2f} a worker", f"{bar / workers:.2f} a worker",
            )  # fmt: skip


def unpruned(width: int, height: int, workers: int) -> Finding:
    """Return a tree without windows, as of a puzzle: each node waits for the one above alone."""
    tasks = Tasks(Tree(width, height, 100))
    for node in range((width**height - 1) // (width - 1)):
        tasks.task(((node - 1) // width,) if node else (), -1)
    time, nodes = scheduled(tasks, workers, Burden(latency=10.0))
    return Finding(
        f"nothing pruned, {width} branches, {height} plies, {workers} workers, latency 10: share",
        nodes / time / workers, 0.9, "TDS on 128: near linear", f"{nodes:,.0f} nodes",
        f"{nodes / time:.1f} times as fast", "",
    )  # fmt: skip


def ours(quick: bool) -> Iterator[Finding]:
    """Branches in bundles on a cluster; each node of a recorded run takes as long as the next."""
    from attrs import evolve

    from games import ConnectFour
    from strategies import minimax, par_list, search
    from strategies.insight.analysis.cluster_replay import DASK, replay_on_cluster
    from strategies.running.plans.bundling import grain_for

    plies = 2 if quick else 5
    answer = search(ConnectFour(), minimax(plies + 4), using=par_list.to_ply(plies))
    found = answer.compute(num_workers=1)
    for work in WORK:
        node = work / found.nodes
        records = tuple(r._replace(start=0.0, end=r.nodes * node) for r in found.records)
        for threads in THREADS:
            made = replay_on_cluster(evolve(found, records=records), threads)
            speed_up = work / made.seconds
            yield Finding(
                f"ours, {work:,.0f} s of work on {threads:,} threads: share of their speed",
                speed_up / threads, 0.8, "none",
                f"{made.result.sparks.created:,} sparks in bundles of "
                f"{seconds(grain_for(work, threads))}; one takes the scheduler "
                f"{seconds(DASK.dispatch)}",
                f"{speed_up:.0f} times as fast: {seconds(made.seconds)}", "",
            )  # fmt: skip


def searched(tree: Tree) -> tuple[Tasks, int]:
    """Return the tasks of a parallel search, and the nodes of the same search in order."""
    tasks, alone = Tasks(tree), Tasks(tree)
    found, _ = tasks.jamboree(SEED, tree.height, 0, -inf, inf, ())
    known = alone.scout(SEED, tree.height, 0, -inf, inf)
    assert found == known == 0
    return tasks, len(alone.after)


@frozen
class Tree:
    """A tree in which one branch of each node is best, and keeps its value; the others cost who
    moves 1 to 100 points.  Of a hundred nodes, so many as `order` have the best branch first.

    Source: strongly ordered trees, as in Marsland and Campbell, Parallel search of strongly ordered
    game trees (1982).
    """

    width: int
    height: int
    order: int

    def branches(self, word: int) -> list[tuple[int, int]]:
        """Return the random number of each branch of a node, and what the branch costs."""
        drawn = mixed(word)
        best = 0 if drawn % 100 < self.order else (drawn >> 16) % self.width
        words = [mixed(word + i + 1) for i in range(self.width)]
        return [(w, 0 if i == best else 1 + (w >> 20) % 100) for i, w in enumerate(words)]

    def __str__(self) -> str:
        return f"{self.width} branches, {self.height} plies, {self.order} % in order"


def mixed(word: int) -> int:
    """Return the next random number.  Source: Steele, Lea, Flood (2014), SplitMix64."""
    word = (word + 0x9E3779B97F4A7C15) & (1 << 64) - 1
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & (1 << 64) - 1
    return word ^ word >> 27


@frozen(eq=False)
class Tasks:
    """The tasks of a search, a node each, and what each waits for."""

    tree: Tree
    after: list[tuple[int, ...]] = field(factory=list)
    under: list[int] = field(factory=list)
    """The node that a task is below: the number of its first task."""
    refutes: dict[int, int] = field(factory=dict)
    """A task whose end refutes a node: the number of the node's first task."""

    def task(self, after: tuple[int, ...], under: int) -> int:
        self.after.append(after)
        self.under.append(under)
        return len(self.after) - 1

    def jamboree(
        self, word: int, plies: int, score: int, low: float, high: float, after: tuple[int, ...],
        under: int = -1,
    ) -> tuple[float, int]:  # fmt: skip
        """Return the value of a node for who moves there, and the task after which it is known."""
        node = self.task(after, under)
        if plies == 0:
            return score, node
        places = [(w, plies - 1, cost - score) for w, cost in self.tree.branches(word)]
        found, end = self.jamboree(*places[0], -high, -low, (node,), node)
        best = -found
        if best >= high:
            return best, end
        bound, tests = max(low, best), []
        for place in places[1:]:
            found, known = self.jamboree(*place, -bound - 1, -bound, (end,), node)
            tests.append((-found, known))
            if -found >= high:
                self.refutes[known] = node
        end = self.task(tuple(known for _, known in tests), node)
        shown = max(value for value, _ in tests)
        if shown >= high:
            return shown, end
        for place, (value, _) in zip(places[1:], tests, strict=True):
            if value > bound and best < high:
                found, end = self.jamboree(*place, -high, -max(bound, best), (end,), node)
                best = max(best, -found)
        return max(best, shown), end

    def scout(self, word: int, plies: int, score: int, low: float, high: float) -> float:
        """Return the same search by one worker in order; its nodes become independent tasks."""
        self.task((), -1)
        if plies == 0:
            return score
        best = -inf
        for number, (below, cost) in enumerate(self.tree.branches(word)):
            bound, place = max(low, best), (below, plies - 1, cost - score)
            value = -self.scout(*place, -bound - 1 if number else -high, -bound)
            if number and bound < value < high:
                value = -self.scout(*place, -high, -bound)
            best = max(best, value)
            if best >= high:
                break
        return best


class Node:
    """A node under way: it takes no time if a node above it was refuted before it starts."""

    cut = False

    def __init__(self, number: int, of: Tasks, refuted: set[int]) -> None:
        self.number, self.of, self.refuted = number, of, refuted
        self.finished, self.seconds = False, 0.0

    def step(self) -> float:
        above = self.of.under[self.number]
        while above >= 0 and above not in self.refuted:
            above = self.of.under[above]
        self.finished, self.seconds = True, float(above < 0)
        return self.seconds

    def leave(self, share: float) -> None:
        raise AssertionError("a node is never given up half-way")


def scheduled(tasks: Tasks, workers: int, burden: Burden) -> tuple[float, float]:
    """Return the time that so many workers take, in nodes, and the nodes that they visit."""
    refuted: set[int] = set()
    visited = [0.0]

    def done(number: int, node: object) -> None:
        assert isinstance(node, Node)
        visited[0] += node.seconds
        if node.seconds and number in tasks.refutes:
            refuted.add(tasks.refutes[number])

    def start(number: int) -> Node:
        return Node(number, tasks, refuted)

    placed = list_schedule(tasks.after, start, done, workers, burden)
    return max(p.end for p in placed), visited[0]


def span(tasks: Tasks) -> float:
    """Return the longest chain of tasks, in nodes."""
    ends: list[int] = []
    for after in tasks.after:
        ends.append(1 + max((ends[i] for i in after), default=0))
    return max(ends)


def law(rows: Sequence[tuple[int, float, float]], chain: float) -> tuple[float, float]:
    """Return the a and b for which a·W/P + b·C is nearest to the times, by their ratios.

    `rows` have workers, time and nodes.
    """
    ratios = np.array([[nodes / workers / time, chain / time] for workers, time, nodes in rows])
    a, b = np.linalg.lstsq(ratios, np.ones(len(rows)), rcond=None)[0]
    return float(a), float(b)
