"""What the workers of a run did when: searching, folding, being handed the next task, idle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from attrs import evolve, frozen

from graphs.errors import ArgumentError
from strategies.running.records.record import Record, process_of
from strategies.running.records.run import Run


def kind_of(r: Record) -> str:
    """What a task shows as: converted, aborted, fizzled, known (all sparks), step or fold."""
    if r.role == "spark":
        return r.became
    return "step" if r.role in ("step", "call") else "fold"


@frozen
class Bar:
    """One task on its worker's lane; times are seconds from the start of the run."""

    record: Record
    lane: int
    ready: float
    """When all that it waits for was known; its start, where the graph is not known."""
    start: float
    end: float
    after: tuple[int, ...] = ()
    """The numbers of the bars whose results it waited for; none, where the graph is not known."""
    sent: bool = False
    """Whether what was known last came from another process."""

    @property
    def kind(self) -> str:
        """What it shows as; see `kind_of`."""
        return kind_of(self.record)


@frozen
class Utilisation:
    """A run as lanes of bars.

    `workers` may be more than the lanes: those had nothing to do.
    Ensures: ``searching + folding + scheduling + transfer + idle == workers * seconds``, in
    worker-seconds; the lanes of a process stand together.
    """

    seconds: float
    """From the start of the first task to the end of the last."""
    workers: int
    lanes: tuple[str, ...]
    """The names of the workers that took part, in order of their first task; where a later thread
    took over a lane, that of the first."""
    bars: tuple[Bar, ...]
    """In order of their starts."""
    searching: float
    """In sparks and steps."""
    folding: float
    scheduling: float
    """A task was ready and its worker free, and it had not started: dispatch, locks, Python."""
    transfer: float
    """As `scheduling`, where what was known last came from another process: its way here, too."""
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
    workers = (result.request and result.request.workers) or 0
    return laid_out(result.records, _waits(result), workers)


class Wait(NamedTuple):
    """What a task waited for."""

    ready: float
    """When all of it was known."""
    after: tuple[int, ...] = ()
    """The identities of the records of the tasks that it waited for."""
    sent: bool = False
    """Whether what was known last came from another process."""


def laid_out(
    all_records: Iterable[Record], waits: Mapping[int, Wait], least: int = 0
) -> Utilisation:
    """Lay records out in lanes, of `least` workers or more.

    Requires: at least one record; `waits` says what each waited for, by its identity.
    Ensures: beyond `least` lanes, a thread takes the lane of one of its process that is over: each
    iteration of a deepening search has threads of its own, which are no more workers.
    """
    records = sorted(all_records, key=lambda r: (r.start, r.end))
    if not records:
        raise ArgumentError("the run has no records of tasks: there is nothing to draw or diagnose")
    begin = records[0].start
    seconds = max(r.end for r in records) - begin
    lanes: dict[str, int] = {}
    last = {r.worker: r.end for r in sorted(records, key=lambda r: r.end)}
    holders: list[str] = []
    numbers = {id(r): i for i, r in enumerate(records)}
    free: list[float] = []
    names: list[str] = []
    bars = []
    spent = {"search": 0.0, "fold": 0.0, "scheduling": 0.0, "transfer": 0.0, "idle": 0.0}
    for r in records:
        wait = waits.get(id(r)) or Wait(r.start)
        if r.worker not in lanes:
            own = process_of(r)
            over = (
                i for i, w in enumerate(holders)
                if last[w] <= r.start and w.rpartition("/")[0] == own
            )  # fmt: skip
            lane = len(free) if len(free) < least or not least else next(over, len(free))
            lanes[r.worker] = lane
            holders[lane : lane + 1] = [r.worker]
        lane = lanes[r.worker]
        if lane == len(free):
            free.append(0.0)
            names.append(r.worker)
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


def _waits(result: Run) -> dict[int, Wait]:
    """What each record's task waited for, by the identity of the record."""
    if not result.request:
        return {}
    from strategies.insight.analysis.recorded import recorded

    try:
        tasks = recorded(result).tasks
    except ValueError:  # the threads of a driver are no tasks of a graph
        return {}
    begin = min(r.start for r in result.records)
    waits = {}
    for t in tasks:
        if t.record is None:
            continue
        before = [r for i in t.after if (r := tasks[i].record) is not None]
        last = max(before, key=lambda r: r.end, default=None)
        sent = last is not None and process_of(last) != process_of(t.record)
        ready = begin if last is None else last.end
        waits[id(t.record)] = Wait(ready, tuple(map(id, before)), sent)
    return waits


def shares(found: Utilisation, doing: str = "searching") -> str:
    """Where the workers' time went, in words; in sparks and steps they were `doing` something."""
    total = found.total or 1.0
    spent = {
        doing: found.searching, "folding": found.folding, "scheduling": found.scheduling,
        **({"transfer": found.transfer} if found.transfer else {}), "idle": found.idle,
    }  # fmt: skip
    return ", ".join(f"{name} {100 * x / total:.0f} %" for name, x in spent.items())
