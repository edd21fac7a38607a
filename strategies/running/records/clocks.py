"""Align the clocks of several processes.

`time.perf_counter` has an arbitrary origin, which may differ between processes and machines.  But a
task ends before a task that waits for it starts, all tasks run between the call and its answer, and
the clock of a process is read between a request and its reply.  Each such fact bounds the offset
of two clocks.  The chosen offsets satisfy all bounds: 0 if possible, else the middle of the range.

Source: difference constraints solved by shortest paths (Bellman and Ford); causality as in Lamport,
Time, clocks, and the ordering of events (1978); readings as in Cristian, Probabilistic clock
synchronization (1989).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf, isfinite
from typing import NamedTuple

from attrs import frozen

from strategies.running.records.record import Record, now, process, process_of


class Call(NamedTuple):
    """The caller's process, and the times of the call and its answer on its clock, in seconds."""

    process: str
    start: float
    end: float

    @property
    def seconds(self) -> float:
        return self.end - self.start


class Reading(NamedTuple):
    """A reading of another process's clock, between two times on the caller's clock."""

    before: float
    process: str
    shown: float
    after: float


def shown() -> tuple[str, float]:
    """Return the name of this process, and the time on its clock."""
    return process(), now().wall


@frozen
class Clocks:
    """The offsets of the clocks of a run's processes."""

    offsets: tuple[tuple[str, float], ...]
    """The seconds added to the times of each process; the reference process comes first."""
    error: float
    """The largest remaining error of a time, in seconds; `inf` if the clocks ran at different
    speeds."""

    def __str__(self) -> str:
        if len(self.offsets) < 2:
            return "one clock"
        moved = sum(offset != 0 for _, offset in self.offsets)
        return f"{len(self.offsets)} clocks, {moved} of them moved, accurate to {self.error:.2g} s"


Bounds = dict[tuple[str, str], float]
"""(p, q) → the most by which the offset of p may exceed that of q."""


def set_clocks(
    records: Sequence[Record], before: Iterable[tuple[Record, Record]], call: Call | None = None,
    readings: Iterable[Reading] = (),
) -> tuple[tuple[Record, ...], Clocks]:  # fmt: skip
    """Return the records with all times on one clock: the caller's, or that of the last task.

    Requires: the first task of each pair in `before` ended before the second started; `readings`
    are the caller's.
    Ensures: all records of a process are moved by the same offset; if the clocks already agree with
    `before`, nothing is moved.
    Cost: linear in records and pairs, and cubic in processes.
    """
    names = list(dict.fromkeys(process_of(r) for r in records))
    if len(names) < 2 and (call is None or names == [call.process]):
        return tuple(records), Clocks(tuple((n, 0.0) for n in names), 0.0)
    home = call.process if call else process_of(records[-1])
    known = _bounds(records, before, call, readings)
    places = [home, *(n for n in names if n != home)]
    agreed = _relaxed(dict.fromkeys(places, 0.0), known)
    most = _relaxed({home: 0.0}, known)
    least = _relaxed({home: 0.0}, {(q, p): w for (p, q), w in known.items()})
    if agreed is None or most is None or least is None:
        return tuple(records), Clocks(tuple((n, 0.0) for n in places), inf)
    offsets = {n: agreed[n] - agreed[home] for n in places}
    middles = {n: (most.get(n, inf) - least.get(n, inf)) / 2 for n in places}
    if any(offsets.values()) and all(map(isfinite, middles.values())):
        offsets = middles
    error = max(max(most.get(n, inf) - offsets[n], offsets[n] + least.get(n, inf)) for n in places)
    moved = tuple(_moved(r, offsets[process_of(r)]) for r in records)
    return moved, Clocks(tuple((n, offsets[n]) for n in places), error)


def _moved(r: Record, offset: float) -> Record:
    return r._replace(start=r.start + offset, end=r.end + offset) if offset else r


def _bounds(
    records: Sequence[Record], before: Iterable[tuple[Record, Record]], call: Call | None,
    readings: Iterable[Reading],
) -> Bounds:  # fmt: skip
    """Bound the offset of each pair of clocks by dependencies, the call, and clock readings."""
    bounds: Bounds = {}

    def bound(p: str, q: str, most: float) -> None:
        if p != q:
            bounds[p, q] = min(most, bounds.get((p, q), inf))

    for first, then in before:
        bound(process_of(first), process_of(then), then.start - first.end)
    if call is not None:
        for r in records:
            bound(process_of(r), call.process, call.end - r.end)
            bound(call.process, process_of(r), r.start - call.start)
        for reading in readings:
            bound(reading.process, call.process, reading.after - reading.shown)
            bound(call.process, reading.process, reading.shown - reading.before)
    return bounds


def _relaxed(start: Mapping[str, float], bounds: Bounds) -> dict[str, float] | None:
    """Return the shortest distances from the nodes of `start`; None if a cycle is negative."""
    far = dict(start)
    for _ in range(len({p for pair in bounds for p in pair}) + 1):
        changed = False
        for (p, q), most in bounds.items():
            if q in far and far[q] + most < far.get(p, inf) - 1e-12:
                far[p] = far[q] + most
                changed = True
        if not changed:
            return far
    return None
