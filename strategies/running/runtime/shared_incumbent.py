"""The incumbent of one search: the best leaf so far, for its threads, processes and machines.

The processes of one machine share memory, where the system can, so that each sees at once what
another found.  The workers of a cluster also exchange their incumbents through the scheduler.  An
incumbent that arrives late, or never, costs nodes, but no answer changes.
"""

from __future__ import annotations

import asyncio
import mmap
import os
import uuid
from collections import deque
from contextlib import suppress
from typing import Any, Final
from weakref import WeakValueDictionary, finalize, ref

from strategies.native.memory.shared_cells import incumbent_of, no_incumbent, raise_incumbent
from strategies.running.runtime.machine_memory import Offer, created, machine, opened
from strategies.running.runtime.schedulers import is_serving
from strategies.support.fork_locks import fork_lock

EXCHANGED: Final = 0.1
"""The seconds between two exchanges of a worker with the scheduler."""
HANDLER: Final = "jamboree_incumbent"
"""The name under which a scheduler takes an incumbent and returns the best."""
KIND: Final = "incumbent"
"""What the shared memory has, as the name of a machine says."""
KEPT: Final = 16
"""The incumbents that a process has sent and still offers: Dask's pools drop theirs at once."""

_lock = fork_lock()
_known: WeakValueDictionary[str, SharedIncumbent] = WeakValueDictionary()
_sent: deque[SharedIncumbent] = deque(maxlen=KEPT)


class SharedIncumbent:
    """The cell of the best leaf that one search has found.

    A copy in the same process has the same cell, and so has one in another process of the machine,
    if the system can share memory.
    """

    def __init__(self, search: str | None = None) -> None:
        self.search = search or uuid.uuid4().hex
        self._file: int | None = None
        self._cell: Any = None
        self._exchanged = False
        _known[self.search] = self

    @property
    def _name(self) -> str:
        """Return the name of the anonymous file, which no other search has."""
        return f"jamboree-{self.search}"

    @property
    def cell(self) -> Any:
        """Return the cell, which a kernel reads and writes; its worker exchanges it from now on."""
        with _lock:
            self._place()
            first, self._exchanged = not self._exchanged, True
        if first and is_serving():
            _begin_exchange(self)
        return self._cell

    def answers(self, window: tuple[float, float]) -> bool:
        """Return whether a leaf is as good as a search with this window can tell."""
        return incumbent_of(self.cell) >= window[1]

    def __reduce__(self) -> tuple[Any, ...]:
        with _lock:
            self._place()
            _sent.append(self)
        offer = None
        with suppress(OSError):
            if self._file is not None:
                offer = Offer(machine(KIND), os.getpid(), self._file)
        return _received, (self.search, offer)

    def _place(self, offer: Offer | None = None) -> None:
        """Place the cell in what another process offers, else in a new file, else here alone."""
        if self._cell is not None:
            return
        self._cell = none = no_incumbent()
        with suppress(OSError, ValueError):
            if offer is not None and offer.machine == machine(KIND):
                self._file = opened(self._name, offer)
                finalize(self, os.close, self._file)
        mine = self._file is None
        with suppress(OSError, ValueError, AttributeError):
            if mine:
                self._file = created(self._name, mmap.PAGESIZE, self)
            self._cell = type(none).from_buffer(mmap.mmap(self._file or 0, mmap.PAGESIZE))
            if mine:
                self._cell[0] = none[0]


def _received(search: str, offer: Offer | None) -> SharedIncumbent:
    """Return the incumbent of a search that another process sent."""
    with _lock:
        found = _known.get(search)
        if found is None:
            found = SharedIncumbent(search)
            found._place(offer)
        return found


def _begin_exchange(incumbent: SharedIncumbent) -> None:
    """Exchange the incumbent with the cluster's other machines as long as it is in use here."""
    from distributed import get_worker

    worker = get_worker()
    worker.loop.add_callback(_exchange, worker, incumbent.search, ref(incumbent))


async def _exchange(worker: Any, search: str, kept: ref[SharedIncumbent]) -> None:
    """Send a worker's incumbent to the scheduler from time to time, and take the best."""
    with suppress(Exception):  # a worker that is cut off searches on alone
        while (mine := kept()) is not None:
            cell = mine._cell
            del mine
            call = getattr(worker.scheduler, HANDLER)
            raise_incumbent(cell, await call(search=search, value=incumbent_of(cell)))
            del cell
            await asyncio.sleep(EXCHANGED)


class Exchange:
    """The best incumbents of a cluster's searches, at its scheduler."""

    def __init__(self) -> None:
        self.best: dict[str, float] = {}

    async def raised(self, search: str, value: float) -> float:
        """Take a worker's incumbent; return the best of all workers."""
        best = max(value, self.best.pop(search, value))
        self.best[search] = best  # the last one used is the last one dropped
        while len(self.best) > KEPT:
            del self.best[next(iter(self.best))]
        return best
