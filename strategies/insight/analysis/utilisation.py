"""What the workers of a run did when: search, folds, scheduling, idle time.

Also which tasks were on the critical path, and which workers belong to one process.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from graphlib import TopologicalSorter
from typing import NamedTuple

from attrs import evolve, frozen

from graphs.errors import ArgumentError
from strategies.algebra.wording import plural
from strategies.running.records.record import Record, process_of
from strategies.running.records.run import Run
from strategies.running.records.search_run import SearchRun
from strategies.running.records.wording import seconds


def kind_of(r: Record) -> str:
    """Return the kind of a bar: converted, aborted, fizzled or known; step; join; or fold."""
    if r.role == "spark":
        return r.became
    if r.role == "join":
        return "join"
    return "step" if r.role in ("step", "call") else "fold"


@frozen
class Bar:
    """One task on its worker's lane; times are seconds from the start of the run."""

    record: Record
    lane: int
    ready: float
    """When its last input was ready; its start, if the graph is not known."""
    start: float
    end: float
    after: tuple[int, ...] = ()
    """The numbers of the bars that it waited for; empty if the graph is not known."""
    sent: bool = False
    """Whether its last input came from another process."""

    @property
    def kind(self) -> str:
        """Return the kind of the bar; see `kind_of`."""
        return kind_of(self.record)


@frozen
class Utilisation:
    """A run as lanes of bars.

    `workers` may be more than the lanes; the others had no tasks.
    Ensures: ``searching + folding + scheduling + transfer + idle == workers * seconds``, in
    worker-seconds; the lanes of a process are adjacent.
    """

    seconds: float
    """The time from the start of the first task to the end of the last."""
    workers: int
    lanes: tuple[str, ...]
    """The names of the workers that ran tasks, in order of their first task; for a lane that a
    later thread took over, the name of the first."""
    bars: tuple[Bar, ...]
    """The bars in order of their starts."""
    searching: float
    """The time in sparks, steps and joins."""
    folding: float
    scheduling: float
    """The time in which a task was ready and its worker free, but it had not started: dispatch,
    locks, Python."""
    transfer: float
    """The same for tasks whose last input came from another process, its transfer included."""
    idle: float
    """The time in which the worker's next task was not ready."""

    @property
    def total(self) -> float:
        """Return the worker-seconds of the run."""
        return self.workers * self.seconds

    @property
    def sparks(self) -> tuple[Bar, ...]:
        """Return the bars of sparks."""
        return tuple(b for b in self.bars if b.record.role == "spark")

    @property
    def tasks(self) -> tuple[Bar, ...]:
        """Return the bars of tasks: all but joins."""
        return tuple(b for b in self.bars if b.record.role != "join")

    @property
    def counts(self) -> str:
        """Return the counts of tasks, joins and sparks, in words."""
        joins = len(self.bars) - len(self.tasks)
        more = f"{plural(joins, 'join')}, " if joins else ""
        return f"{plural(len(self.tasks), 'task')}, {more}{plural(len(self.sparks), 'spark')}"


def wall(result: Run) -> float:
    """Return the seconds from the start of a run's first task to the end of its last."""
    return max(r.end for r in result.records) - min(r.start for r in result.records)


def utilisation(result: Run) -> Utilisation:
    """Return what the workers did when.

    Requires: the clocks of the records agree.
    Cost: linear in the tasks; the graph is made again, to find when each task was ready.

    >>> from games import HANDOUT_SMALL
    >>> from strategies import alphabeta, par_list, search
    >>> answer = search(HANDOUT_SMALL, alphabeta(depth=2), using=par_list)
    >>> found = utilisation(answer.compute(num_workers=2))
    >>> found.workers, len(found.bars), len(found.sparks)
    (2, 5, 3)
    """
    return laid_out(result.records, _waits(result), result.workers or 0)


Thread = tuple[int, str]
"""A thread: its graph in a row of graphs, and its name, which a thread of another graph may have
again."""


class Wait(NamedTuple):
    """The inputs of a task."""

    ready: float
    """When the last input was ready."""
    after: tuple[int, ...] = ()
    """The identities of the records of the tasks that it waited for."""
    sent: bool = False
    """Whether the last input came from another process."""


def laid_out(
    all_records: Iterable[Record], waits: Mapping[int, Wait], least: int = 0
) -> Utilisation:
    """Arrange records in lanes, for at least `least` workers.

    Requires: at least one record; `waits` maps the identity of a record to its inputs.
    Ensures: beyond `least` lanes, a thread reuses the lane of an ended thread of its process,
    because each graph of a row has new threads, but no more workers; a thread with the name of an
    ended one reuses its lane in any case.
    """
    records = sorted(all_records, key=lambda r: (r.start, r.end))
    if not records:
        raise ArgumentError("there is nothing to draw or diagnose: the run has no records of tasks")
    begin = records[0].start
    seconds = max(r.end for r in records) - begin
    lanes, names = _lanes(records, least)
    numbers = {id(r): i for i, r in enumerate(records)}
    free = [0.0] * len(names)
    bars = []
    spent = {"search": 0.0, "fold": 0.0, "scheduling": 0.0, "transfer": 0.0, "idle": 0.0}
    for r, lane in zip(records, lanes, strict=True):
        wait = waits.get(id(r)) or Wait(r.start)
        start, end = r.start - begin, r.end - begin
        known = min(wait.ready - begin, start)
        gap = max(start - free[lane], 0.0)
        waited = min(max(known - free[lane], 0.0), gap)
        spent["idle"] += waited
        spent["transfer" if wait.sent else "scheduling"] += gap - waited
        worked = max(end - max(start, free[lane]), 0.0)
        spent["fold" if r.role in ("fold", "dud") else "search"] += worked
        free[lane] = max(free[lane], end)
        after = tuple(numbers[i] for i in wait.after)
        bars.append(Bar(r, lane, known, start, end, after, wait.sent))
    workers = max(len(free), least)
    at_rest = sum(seconds - end for end in free) + (workers - len(free)) * seconds
    begun = list(dict.fromkeys(name.rpartition("/")[0] for name in names))
    order = sorted(range(len(names)), key=lambda i: begun.index(names[i].rpartition("/")[0]))
    place = {lane: i for i, lane in enumerate(order)}
    return Utilisation(
        seconds, workers, tuple(names[lane] for lane in order),
        tuple(evolve(bar, lane=place[bar.lane]) for bar in bars) if len(begun) > 1 else tuple(bars),
        spent["search"], spent["fold"], spent["scheduling"], spent["transfer"],
        spent["idle"] + at_rest,
    )  # fmt: skip


def _lanes(records: Sequence[Record], least: int) -> tuple[list[int], list[str]]:
    """Return the lane of each record, in order of their starts, and the name of each lane."""
    lanes: dict[Thread, int] = {}
    last = {(r.graph, r.worker): r.end for r in sorted(records, key=lambda r: r.end)}
    holders: list[Thread] = []
    names: list[str] = []
    found = []
    for r in records:
        thread = r.graph, r.worker
        if thread not in lanes:
            over = [i for i, holder in enumerate(holders) if last[holder] <= r.start]
            same = [i for i in over if holders[i][1] == r.worker]
            if not same and least and len(names) >= least:
                same = [i for i in over if holders[i][1].rpartition("/")[0] == process_of(r)]
            lane = lanes[thread] = next(iter(same), len(names))
            holders[lane : lane + 1] = [thread]
            if lane == len(names):
                names.append(r.worker)
        found.append(lanes[thread])
    return found, names


def _waits(result: Run) -> dict[int, Wait]:
    """Return the inputs of each record's task, by the identity of the record."""
    if not isinstance(result, SearchRun) or not result.request:
        return {}
    from strategies.insight.analysis.recorded import recorded

    try:
        tasks = recorded(result).tasks
    except ValueError:  # the threads of a driver are not tasks of a graph
        return {}
    begin = min(r.start for r in result.records)
    waits = {}
    for t in tasks:
        if t.record is None or t.record.role == "join":  # until it joined, its worker was idle
            continue
        before = [r for i in t.after if (r := tasks[i].record) is not None]
        last = max(before, key=lambda r: r.end, default=None)
        sent = last is not None and process_of(last) != process_of(t.record)
        ready = begin if last is None else last.end
        waits[id(t.record)] = Wait(ready, tuple(map(id, before)), sent)
    return waits


def shares(found: Utilisation, doing: str = "searching") -> str:
    """Describe how the workers spent their time; `doing` names what tasks do."""
    total = found.total or 1.0
    spent = {
        doing: found.searching, "folding": found.folding, "scheduling": found.scheduling,
        **({"transfer": found.transfer} if found.transfer else {}), "idle": found.idle,
    }  # fmt: skip
    return ", ".join(f"{name} {100 * x / total:.0f}%" for name, x in spent.items())


def critical_path(found: Utilisation) -> tuple[int, ...]:
    """Return the numbers of the bars on the critical path, in order; none if no task waits.

    Ensures: each task waits for the one before; no such chain takes longer in all.
    Cost: linear in the tasks and in what they wait for.
    Source: the critical-path method (Kelley and Walker, 1959).

    >>> from games import HANDOUT_SMALL
    >>> from strategies import alphabeta, par_list, search
    >>> from strategies.insight.analysis.utilisation import utilisation
    >>> answer = search(HANDOUT_SMALL, alphabeta(depth=2), using=par_list)
    >>> found = utilisation(answer.compute(num_workers=1))
    >>> [found.bars[i].record.role for i in critical_path(found)][0]
    'spark'
    """
    bars = found.bars
    if not any(bar.after for bar in bars):
        return ()
    ends = [0.0] * len(bars)
    order: Iterable[int] = range(len(bars))  # by their starts: a task starts after its inputs
    if any(d >= i for i, bar in enumerate(bars) for d in bar.after):  # by clocks that disagree
        order = TopologicalSorter({i: bar.after for i, bar in enumerate(bars)}).static_order()
    for i in order:
        ends[i] = bars[i].record.seconds + max((ends[d] for d in bars[i].after), default=0.0)
    path = [max(range(len(bars)), key=ends.__getitem__)]
    while bars[path[-1]].after:
        path.append(max(bars[path[-1]].after, key=ends.__getitem__))
    return tuple(reversed(path))


def path_line(found: Utilisation, path: tuple[int, ...]) -> str:
    """Return what to say of a critical path: its tasks, the sum of their times, its share."""
    spent = sum(found.bars[i].record.seconds for i in path)
    share = 100 * spent / (found.seconds or 1.0)
    tasks = f"{plural(len(path), 'task')}, {seconds(spent)} together"
    return f"critical path: {tasks}, {share:.0f}% of the run's time"


class ProcessBand(NamedTuple):
    """The lanes of one process: the numbers of the first and the last."""

    host: str
    number: str
    """The process id."""
    first: int
    last: int

    @property
    def process(self) -> str:
        """Return the name of the process, as in records."""
        return f"{self.host}/{self.number}"


def process_bands(found: Utilisation) -> tuple[ProcessBand, ...]:
    """Return a band for each process, from top to bottom; none if there was only one process.

    Requires: the lanes of a process are adjacent, as in `utilisation`.

    >>> from strategies.insight.analysis.utilisation import laid_out
    >>> from strategies.running.records.record import now, record
    >>> one = record(("step", ()), "step", now())
    >>> threads = "big/7/1", "small/9/1", "big/7/2"
    >>> found = laid_out([one._replace(worker=name) for name in threads], {})
    >>> [(band.process, band.first, band.last) for band in process_bands(found)]
    [('big/7', 0, 1), ('small/9', 2, 2)]
    """
    bands: list[ProcessBand] = []
    for lane, name in enumerate(found.lanes):
        host, _, number = name.rpartition("/")[0].rpartition("/")
        last = bands.pop() if bands and bands[-1][:2] == (host, number) else None
        bands.append(ProcessBand(host, number, lane if last is None else last.first, lane))
    return tuple(bands) if len(bands) > 1 else ()


def short_names(bands: tuple[ProcessBand, ...]) -> list[str]:
    """Return a short name for each band, with the host if there are several."""
    several = len({band.host for band in bands}) > 1
    return [f"{b.host[:9]} {b.number}" if several else f"process {b.number}" for b in bands]
