"""Watch the workers of a cluster during a wait: it ends if they can no longer do the work."""

from __future__ import annotations

import warnings
from contextlib import suppress
from time import monotonic
from typing import Any, Final, NamedTuple

from strategies.running.runtime.shipping import ClusterError

PATIENCE: Final = 5.0
"""The seconds without a worker after which a wait warns, or ends if none will come back."""
RESTARTING: Final = 60.0
"""The seconds without a worker after which a wait ends although a nanny is restarting one."""
LEAVING: Final = 60.0
"""The seconds without a worker after which a wait ends although all workers left on purpose."""
SELDOM: Final = 1.0
"""The seconds between counts of the workers."""
DEATHS: Final = 4
"""How often each worker may be lost, on average, before a wait without any result ends; the same
number at which Dask gives up one task."""

NOBODY: Final = (
    "the cluster has no workers, so the search is waiting: start some, with "
    "cluster.scale(2) or the command `dask worker`, or press Ctrl-C"
)
LEFT: Final = (
    "all workers left the cluster during the search, {} as the last, and none came within {:g} s: "
    "start some, with cluster.scale(2) or the command `dask worker`, and compute again"
)
OVER: Final = (
    "the cluster had no worker within the {:g} s of time=: start some, with cluster.scale(2) or "
    "the command `dask worker`, or search on this machine: compute(scheduler='threads')"
)
LARGER: Final = (
    "give the search a smaller table= (memory= of solve), or the workers a larger memory_limit"
)
PAUSED: Final = (
    "the worker {} is paused, because its memory is almost full, and no other can do its work: "
    + LARGER
)


class Overdue(ClusterError):
    """The limit of time is over, and workers were lost meanwhile."""


class Seen(NamedTuple):
    """What the scheduler said about the workers, and what that means with what it said before."""

    at: float
    """The time at which it was asked."""
    workers: Any
    """The state of the workers; None if it has not answered yet."""
    there: float
    """The last time at which there was a worker, or the start of the wait."""
    gone: float | None = None
    """The time since which there has been no worker."""
    full: float | None = None
    """The time since which all workers are paused."""
    most: int = 1
    """The most workers at once."""

    def followed(self, workers: Any, at: float) -> Seen:
        """Return what is known after the next answer."""
        paused = 0 < workers.number == len(workers.paused)
        return Seen(
            at,
            workers,
            monotonic() if workers.number else self.there,
            None if workers.number else self.gone or at,
            (self.full or at) if paused else None,
            max(self.most, workers.number, workers.before),
        )


class Absence:
    """A check for a wait: it warns once if the cluster has had no worker for `PATIENCE` seconds,
    and ends the wait if the workers died or left and none comes back, if each new one dies again,
    or if all are paused.

    If `seconds` are given, the wait also ends after so long without a worker; and, if a worker was
    lost, so long after its start.  The scheduler is asked in the client's own thread, so that an
    interrupt leaves no request open, about which Dask would print a warning.
    """

    def __init__(self, client: Any, seconds: float | None = None) -> None:
        self.client, self.seconds, self.told = client, seconds, False
        self.start = self.asked = self.progress = monotonic()
        self.seen = Seen(self.start, None, self.start)
        self.often = SELDOM
        if seconds is not None:
            self.often = min(SELDOM, seconds / 4)
            self.asked -= SELDOM  # so that the first look asks

    def advanced(self) -> None:
        """Note that a result has arrived."""
        self.progress = monotonic()

    def look(self) -> None:
        """Check the workers, if it is time to, and warn if there are none; it never waits.

        Raises: ClusterError if they can no longer do the work, or none came within the seconds;
        `Overdue`.
        """
        if self.client.status != "running":
            return
        now, seen = monotonic(), self.seen  # the thread of the client replaces it as a whole
        self.check_lost(seen, now)
        if self.seconds is not None and seen.gone is not None and now - seen.gone >= self.seconds:
            raise ClusterError(OVER.format(self.seconds))
        if seen.full is not None and now - seen.full > PATIENCE:
            raise ClusterError(PAUSED.format(seen.workers.paused[0]))
        if seen.gone is not None and now - seen.there > PATIENCE and not self.told:
            self.told = True
            # A registry of its own, because Python shows a warning once for each place.
            warnings.warn_explicit(NOBODY, UserWarning, __file__, 0, registry={})
        elif now - self.asked > self.often:
            self.asked = now
            self.client.loop.add_callback(self.count)

    def check_lost(self, seen: Seen, now: float) -> None:
        """Check whether workers were lost that the wait needs.

        Raises: ClusterError; `Overdue`.
        """
        lost: Any = () if seen.workers is None else seen.workers.lost
        died = [worker for worker in lost if not worker.left]
        empty = 0.0 if seen.gone is None or self.adapts else now - seen.gone
        if lost and lost[-1].left and empty > LEAVING:
            raise ClusterError(LEFT.format(lost[-1].address, LEAVING))
        if not died:
            return
        if self.seconds is not None and now - self.start > self.seconds:
            raise Overdue("the limit of time= is over, and " + told_of(died))
        recent = [worker for worker in died if worker.age < seen.at - self.progress]
        again = len(recent) >= DEATHS * seen.most
        patience = RESTARTING if seen.workers.returns else PATIENCE
        if again or (empty > patience and not lost[-1].left):
            raise ClusterError(told_of(died, again=again))

    @property
    def adapts(self) -> bool:
        """Return whether the cluster starts workers as they are needed."""
        return getattr(getattr(self.client, "cluster", None), "_adaptive", None) is not None

    async def count(self) -> None:
        """Ask the scheduler for the state of the workers."""
        from strategies.running.runtime.scheduler_side import workers_now

        with suppress(Exception):  # the search itself reports a scheduler that is gone
            asked = monotonic()
            workers = await self.client._run_on_scheduler(workers_now, asked - self.start)
            if asked >= self.seen.at:  # a later question may have been answered before
                self.seen = self.seen.followed(workers, asked)


def told_of(died: list[Any], *, again: bool = False) -> str:
    """Return the sentence for a search that ends because workers died: which, why, what to do."""
    last = died[-1]
    many = "" if len(died) == 1 else f" ({len(died)} workers died so far)"
    limit = f" of {last.memory / 1e6:.0f} MB" if last.memory else ""
    why = f"it exceeded its memory limit{limit}" if last.memory else last.why
    advice = "" if last.memory else "see its log, and start workers again; if its memory was full, "
    what = "each new worker died again: the last, " if again else "the worker "
    return f"{what}{last.address} was lost, because {why}{many}: {advice}{LARGER}"
