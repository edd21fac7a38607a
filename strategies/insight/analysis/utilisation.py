"""What the workers of a run did when: searching, folding, being handed the next task, idle."""

from __future__ import annotations

from attrs import frozen

from strategies.running.plans.move_names import Names
from strategies.running.records.record import Record, branch_numbers
from strategies.running.records.run import Run


@frozen
class Bar:
    """One task on its worker's lane; times are seconds from the start of the run."""

    record: Record
    lane: int
    ready: float
    """When all that it waits for was known; its start, where the graph is not known."""
    start: float
    end: float

    @property
    def kind(self) -> str:
        """What it shows as: converted, aborted, fizzled, known (all sparks), step or fold."""
        if self.record.role == "spark":
            return self.record.became
        return "step" if self.record.role == "step" else "fold"


@frozen
class Utilisation:
    """A run as lanes of bars.

    `workers` may be more than the lanes: those had nothing to do.
    Ensures: ``searching + folding + scheduling + idle == workers * seconds``, in worker-seconds.
    """

    seconds: float
    """From the start of the first task to the end of the last."""
    workers: int
    lanes: tuple[str, ...]
    """The names of the workers that took part, in order of their first task."""
    bars: tuple[Bar, ...]
    """In order of their starts."""
    searching: float
    """In sparks and steps."""
    folding: float
    scheduling: float
    """A task was ready and its worker free, and it had not started: dispatch, locks, Python."""
    idle: float
    """Nothing that the worker did next was ready."""

    @property
    def total(self) -> float:
        """Worker-seconds of the run."""
        return self.workers * self.seconds

    @property
    def sparks(self) -> tuple[Bar, ...]:
        """The bars of sparks."""
        return tuple(b for b in self.bars if b.record.role == "spark")


def wall(result: Run) -> float:
    """Seconds from the start of a run's first task to the end of its last."""
    return max(r.end for r in result.records) - min(r.start for r in result.records)


def utilisation(result: Run) -> Utilisation:
    """What the workers did when.

    Requires: the clocks of the records agree.
    Cost: linear in the tasks; the graph is made again, to see when each task was ready.

    >>> from games import HANDOUT_SMALL
    >>> from strategies import alphabeta, par_list, search
    >>> answer = search(HANDOUT_SMALL, alphabeta(depth=2), using=par_list)
    >>> found = utilisation(answer.compute(num_workers=2))
    >>> found.workers, len(found.bars), len(found.sparks)
    (2, 5, 3)
    """
    records = sorted(result.records, key=lambda r: (r.start, r.end))
    begin = records[0].start
    seconds = max(r.end for r in records) - begin
    lanes: dict[str, int] = {}
    ready = _ready(result)
    free: list[float] = []
    bars = []
    spent = {"search": 0.0, "fold": 0.0, "scheduling": 0.0, "idle": 0.0}
    for r in records:
        lane = lanes.setdefault(r.worker, len(lanes))
        if lane == len(free):
            free.append(0.0)
        start, end = r.start - begin, r.end - begin
        known = min(ready.get(id(r), r.start) - begin, start)
        gap = max(start - free[lane], 0.0)
        waited = min(max(known - free[lane], 0.0), gap)
        spent["idle"] += waited
        spent["scheduling"] += gap - waited
        own = max(end - max(start, free[lane]), 0.0)
        spent["fold" if r.role in ("fold", "dud") else "search"] += own
        free[lane] = max(free[lane], end)
        bars.append(Bar(r, lane, known, start, end))
    workers = max(len(lanes), (result.request and result.request.workers) or 0)
    at_rest = sum(seconds - end for end in free) + (workers - len(lanes)) * seconds
    return Utilisation(
        seconds, workers, tuple(lanes), tuple(bars),
        spent["search"], spent["fold"], spent["scheduling"], spent["idle"] + at_rest,
    )  # fmt: skip


def _ready(result: Run) -> dict[int, float]:
    """When each record's task could have started, by the identity of the record."""
    if not result.request:
        return {}
    from strategies.insight.analysis.recorded import recorded

    try:
        tasks = recorded(result).tasks
    except ValueError:  # the threads of a driver are no tasks of a graph
        return {}
    begin = min(r.start for r in result.records)
    ends = [t.record.end if t.record else begin for t in tasks]
    return {id(t.record): max((ends[i] for i in t.after), default=begin) for t in tasks if t.record}


def shares(found: Utilisation) -> str:
    """Where the workers' time went, in words."""
    total = found.total or 1.0
    spent = {
        "searching": found.searching, "folding": found.folding,
        "scheduling": found.scheduling, "idle": found.idle,
    }  # fmt: skip
    return ", ".join(f"{name} {100 * x / total:.0f} %" for name, x in spent.items())


def way(bar: Bar, names: Names | None) -> str:
    """The moves from the root to what a task worked on; branch numbers where moves are unknown."""
    place = bar.record.key[1]
    if bar.record.role == "fold":
        place = place[:-1]
    if names is None:
        return " ".join(map(str, place)) or "the root"
    moves = [names.move(place[:i], step) for i, step in enumerate(branch_numbers(place))]
    return " ".join(moves) or "the root"
