"""What happens in the process of a cluster's worker: pieces of work come, and runs are given up."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from typing import Any, Final

import cloudpickle
from distributed import Reschedule, WorkerPlugin

from strategies.native.errors import RuleFailed
from strategies.native.fingerprint import fingerprint
from strategies.native.memory.cells import Stop, Stopped
from strategies.running.runtime.cancellation import heeding
from strategies.running.runtime.connected import serving
from strategies.running.runtime.shipping import Content

KEPT: Final = 4
"""Runs that a worker serves at the same time; an older one finds its tables made anew."""
_runs: dict[str, Stop] = {}
_lock = threading.Lock()


def serve(run: str, common: Content, work: bytes, *inputs: Any) -> Any:
    """Do a piece of work for a run, given its inputs; its searches end when the run is given up.

    Raises: ClusterError if this worker cannot load what it needs; what the work raises.
    """
    stop = _scope(run)
    piece = common.read(work)
    with heeding(stop), serving():
        try:
            return piece(*inputs)
        except Stopped:
            if not stop.is_set:
                raise
            raise Reschedule from None  # nobody waits for it, or the scheduler asked again
        except RuleFailed as error:
            if _pickles(error):
                raise
            failure = RuleFailed(*error.args)  # its cause stays here, and the words go
    raise failure


def _scope(run: str) -> Stop:
    """What ends the searches of a run in this process."""
    with _lock:
        while run not in _runs and len(_runs) >= KEPT:
            del _runs[next(iter(_runs))]
        return _runs.setdefault(run, Stop())


def end_early(run: str) -> None:
    """End the searches of a run that are under way here, and those that come: their tasks return
    what they have found by then."""
    _scope(run).set()


def _pickles(error: Exception) -> bool:
    try:
        cloudpickle.dumps(error)
    except Exception:
        return False
    return True


def let_go(run: str, *, stop: bool) -> None:
    """Let go of a run and its tables; `stop` says whether to end what this process does for it."""
    with _lock:
        scope = _runs.pop(run, None)
    if scope is not None and stop:
        scope.set()


class Heeding(WorkerPlugin):
    """Ends the searches of a worker as soon as nobody waits for them any more."""

    name = "jamboree"
    idempotent = True

    def transition(self, key: Any, start: str, finish: str, **_: Any) -> None:
        """Look at every change of a task's state: one that is released while it runs is given
        up; with what a run has in common its tables go.  (A row of graphs says itself when its
        tables may go: between two graphs nobody needs what they have in common.)"""
        if isinstance(key, tuple) and finish == "released":
            kind, _dash, run = str(key[0]).rpartition("-")
            if run in _runs and (start == "executing" or (start == "memory" and kind == "common")):
                let_go(run, stop=start == "executing")


class Warming(WorkerPlugin):
    """Compiles what the tasks of a search call, or loads it, before a worker gets any."""

    idempotent = True

    def __init__(self, name: str, common: Content, work: bytes) -> None:
        self.name, self.common, self.work = name, common, work

    async def setup(self, worker: Any) -> None:
        """Warm the worker, in a thread: it goes on telling the scheduler that it lives."""
        await asyncio.to_thread(self.warm)

    def warm(self) -> None:
        """Do the work; what goes wrong is told by the tasks that need it."""
        with suppress(Exception):
            self.common.read(self.work)()


def lacking(common: Content, prints: list[str]) -> tuple[str | None, str] | None:
    """Tell what this worker lacks to load what a run shares: the module, if it is one, and why; or
    None.  `prints` are the fingerprints of the first of these values."""
    try:
        values = common.values
    except ModuleNotFoundError as error:
        return error.name, str(error)
    except Exception as error:  # whatever the making of a game raises
        return None, f"{type(error).__name__}: {error}"
    for value, print_ in zip(values, prints, strict=False):
        if fingerprint(value) != print_:
            return type(value).__module__, "its rules are others there"
    return None
