"""Warn a waiting user, once, that the cluster has no worker."""

from __future__ import annotations

import warnings
from contextlib import suppress
from time import monotonic
from typing import Any, Final

from strategies.running.runtime.shipping import ClusterError

PATIENCE: Final = 5.0
"""The seconds without a worker after which a wait warns."""
SELDOM: Final = 1.0
"""The seconds between counts of the workers."""

NOBODY: Final = (
    "the cluster has no workers, so the search is waiting: start some, with "
    "cluster.scale(2) or the command `dask worker`, or press Ctrl-C"
)
OVER: Final = (
    "the cluster had no worker within the {:g} s of time=: start some, with cluster.scale(2) or "
    "the command `dask worker`, or search on this machine: compute(scheduler='threads')"
)


class Absence:
    """A check for a wait: it warns once if the cluster has had no worker for `PATIENCE` seconds,
    and ends the wait after `seconds` without one, if given.

    It asks in the client's own thread, so that an interrupt leaves no request open, about which
    Dask would print a warning.
    """

    def __init__(self, client: Any, seconds: float | None = None) -> None:
        self.client, self.seconds, self.told = client, seconds, False
        self.seen = self.asked = monotonic()
        self.often = SELDOM
        self.gone: float | None = None
        """The time since which the scheduler has had no worker."""
        if seconds is not None:
            self.often = min(SELDOM, seconds / 4)
            self.asked -= SELDOM  # so that the first look asks

    def look(self) -> None:
        """Check for workers, if it is time to, and warn if there are none; it never waits.

        Raises: ClusterError if no worker came within the seconds.
        """
        now, seconds = monotonic(), self.seconds
        if self.client.status != "running" or (self.told and seconds is None):
            return
        if seconds is not None and self.gone is not None and now - self.gone >= seconds:
            raise ClusterError(OVER.format(seconds))
        if self.gone is not None and now - self.seen > PATIENCE and not self.told:
            self.told = True
            warnings.warn(NOBODY, UserWarning, stacklevel=2)
        elif now - self.asked > self.often:
            self.asked = now
            self.client.loop.add_callback(self.count)

    async def count(self) -> None:
        """Ask the scheduler how many workers there are."""
        with suppress(Exception):  # the search itself reports a scheduler that is gone
            if await self.client.scheduler.ncores(workers=None):
                self.seen, self.gone = monotonic(), None
            elif self.gone is None:
                self.gone = self.asked
