"""What a timeline marks beside its tasks: the spans of iterations, and workers that were lost."""

from __future__ import annotations

from itertools import groupby

from attrs import frozen

from strategies.algebra.wording import plural
from strategies.running.records.run import Run
from strategies.running.records.search_run import GraphRecord, SearchRun
from strategies.running.records.wording import known, seconds


@frozen
class IterationSpan:
    """One iteration; times are seconds from the start of the run's first task."""

    depth: int
    leftmost: bool
    """Whether it searched for the leftmost best move, with the value known."""
    start: float
    end: float
    says: str
    """Its result and its cost, in words."""

    @property
    def name(self) -> str:
        """Return the name of the iteration."""
        return f"depth {self.depth}" + (", leftmost move" if self.leftmost else "")

    @property
    def names(self) -> tuple[str, ...]:
        """Return its name and shorter forms of it, the longest first."""
        short = (f"{self.depth}, leftmost",) if self.leftmost else ()
        return self.name, *short, str(self.depth)


def iteration_spans(result: Run) -> tuple[IterationSpan, ...]:
    """Return the iterations of a run in order of time; none unless it is a row of graphs.

    The graphs that search for the value at one depth form one iteration; the graph that searches
    for the leftmost move is an iteration of its own.

    Ensures: an iteration ends before the next one starts.
    Cost: linear in the tasks.
    """
    if not isinstance(result, SearchRun) or not result.graphs:
        return ()
    begin = min(r.start for r in result.records)
    ends: dict[int, tuple[float, float]] = {}
    for r in result.records:
        first, last = ends.get(r.graph, (r.start, r.end))
        ends[r.graph] = min(first, r.start), max(last, r.end)
    spans = []
    for (depth, leftmost), row in groupby(result.graphs, lambda g: (g.depth, g.leftmost)):
        graphs = [g for g in row if g.number in ends]
        if not graphs:
            continue  # the search was stopped before one of its tasks ended
        start = min(ends[g.number][0] for g in graphs) - begin
        end = max(ends[g.number][1] for g in graphs) - begin
        spans.append(IterationSpan(depth, leftmost, start, end, _summary(graphs, end - start)))
    return tuple(spans)


def _summary(graphs: list[GraphRecord], took: float) -> str:
    last = graphs[-1]
    several = f"{len(graphs)} graphs, " if len(graphs) > 1 else ""
    goal = "leftmost move, value" if last.leftmost else "value"
    joins = sum(g.joins for g in graphs)
    more = f"{plural(joins, 'join')}, " if joins else ""
    tasks = plural(sum(g.tasks for g in graphs), "task")
    return (
        f"{goal} {known(last.found)}; {several}{tasks}, {more}"
        f"{sum(g.nodes for g in graphs):,} nodes in {seconds(took)}"
    )


@frozen
class LostMark:
    """A worker that was lost or left during a run."""

    time: float
    """Seconds from the start of the run's first task."""
    name: str
    """A short label of what was lost."""
    says: str
    """A sentence about the tasks that were lost and run again."""


def lost_marks(result: Run) -> tuple[LostMark, ...]:
    """Return the workers that a run lost, in order of time, with the recorded tasks that they had.

    Cost: linear in the tasks.
    """
    if not result.losses:
        return ()
    roles = {(r.graph, r.key): r.role for r in result.records}
    begin = min(r.start for r in result.records)
    marks = []
    for loss in result.losses:
        had = [roles[key] for key in loss.tasks if key in roles]
        sparks, others = had.count("spark"), len(had) - had.count("spark")
        what = plural(sparks, "spark") if sparks else plural(others, "task")
        name = f"{what} lost"
        if sparks and others:
            what += f" and {plural(others, 'other task')}"
        says = f"The worker {loss.worker} was lost or left. It had {what}, which were run again."
        marks.append(LostMark(max(0.0, loss.time - begin), name, says))
    return tuple(marks)
