"""Tell a person who waits that nobody works: a cluster without a worker says so, once."""

from __future__ import annotations

import warnings
from contextlib import suppress
from time import monotonic
from typing import Any, Final

PATIENCE: Final = 5.0
"""Seconds without a worker after which a wait says so."""
SELDOM: Final = 1.0
"""Seconds between counts of the workers."""

NOBODY: Final = (
    "the cluster has no worker, and the search waits for one: start some, as by "
    "cluster.scale(2) or the command `dask worker`, or leave by Ctrl-C; no limit of time "
    "ends the wait"
)


class Absence:
    """Warns a wait, once, of a cluster that has had no worker for `PATIENCE` seconds.

    It asks in the client's own thread: so an interrupt leaves no question open, of which Dask would
    print that nobody heard the answer.
    """

    def __init__(self, client: Any) -> None:
        self.client, self.told = client, False
        self.seen = self.asked = monotonic()

    def look(self) -> None:
        """Look whether anybody works, if it is time to, and warn if not; it never waits."""
        now = monotonic()
        if self.told or self.client.status != "running":
            return
        if now - self.seen > PATIENCE:
            self.told = True
            warnings.warn(NOBODY, UserWarning, stacklevel=2)
        elif now - self.asked > SELDOM:
            self.asked = now
            self.client.loop.add_callback(self.count)

    async def count(self) -> None:
        """Ask the scheduler how many workers there are."""
        with suppress(Exception):  # a scheduler that is gone is told by the search itself
            if await self.client.scheduler.ncores(workers=None):
                self.seen = monotonic()
