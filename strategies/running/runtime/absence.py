"""Tell a person who waits that nobody works: a cluster without a worker says so, once."""

from __future__ import annotations

import warnings
from contextlib import suppress
from time import monotonic
from typing import Any, Final

from strategies.running.runtime.shipping import ClusterError

PATIENCE: Final = 5.0
"""Seconds without a worker after which a wait says so."""
SELDOM: Final = 1.0
"""Seconds between counts of the workers."""

NOBODY: Final = (
    "the cluster has no worker, and the search waits for one: start some, as by "
    "cluster.scale(2) or the command `dask worker`, or leave by Ctrl-C"
)
OVER: Final = (
    "the cluster had no worker within the {:g} s of time=: start some, as by cluster.scale(2) or "
    "the command `dask worker`, or search here, by compute(scheduler='threads')"
)


class Absence:
    """Warns a wait, once, of a cluster that has had no worker for `PATIENCE` seconds, and ends it
    after so many `seconds` without one, if that is said.

    It asks in the client's own thread: so an interrupt leaves no question open, of which Dask would
    print that nobody heard the answer.
    """

    def __init__(self, client: Any, seconds: float | None = None) -> None:
        self.client, self.seconds, self.told = client, seconds, False
        self.seen = self.asked = monotonic()
        self.often = SELDOM
        self.gone: float | None = None
        """Since when the scheduler knows no worker."""
        if seconds is not None:
            self.often = min(SELDOM, seconds / 4)
            self.asked -= SELDOM  # at the first look

    def look(self) -> None:
        """Look whether anybody works, if it is time to, and warn if not; it never waits.

        Raises: ClusterError, where nobody came in the seconds there are.
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
        with suppress(Exception):  # a scheduler that is gone is told by the search itself
            if await self.client.scheduler.ncores(workers=None):
                self.seen, self.gone = monotonic(), None
            elif self.gone is None:
                self.gone = self.asked
