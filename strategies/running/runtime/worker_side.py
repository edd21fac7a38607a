"""What happens in the process of a cluster's worker: pieces of work come, and runs are given up."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import cloudpickle
from distributed import Reschedule, SchedulerPlugin, WorkerPlugin, get_worker

from games.game import Game
from strategies.native.engine import engine_for
from strategies.native.errors import RuleFailed
from strategies.native.fingerprint import fingerprint
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.shipped_code import content, forget, receive
from strategies.running.runtime.cancellation import heeding
from strategies.running.runtime.schedulers import serving
from strategies.running.runtime.shipping import ClusterError, Content, parcel_name

KEPT: Final = 4
"""Runs that a worker serves at the same time; an older one finds its tables made anew."""
LINGERING: Final = 1.0
"""Seconds for which a worker that has nothing of a run any more keeps its tables."""
KEEPING: Final = 60.0
"""Seconds for which it keeps results for a client that was cut off."""
_runs: dict[str, Stop] = {}
_results: dict[str, dict[int, Any]] = {}
"""Of runs whose results are worth having even if some are lacking: what came of each task here, by
its number; None of one that is under way."""
_lock = threading.Lock()


def serve(run: str, parcel: str, work: bytes, *inputs: Any) -> Any:
    """Do a piece of work for a run, given its inputs; its searches end when the run is given up.

    `parcel` is the name under which its parcel was delivered here.
    Raises: ClusterError if this worker cannot load what it needs; what the work raises.
    """
    stop = scope_of(run)
    delivered = get_worker().plugins.get(parcel)
    if delivered is None:
        raise ClusterError("a worker lacks what the search shares: its client is gone")
    piece = delivered.content.read(work)
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


def serve_and_keep(run: str, parcel: str, work: bytes, *inputs: Any) -> Any:
    """As `serve`; what comes of it is kept, too, for a client that may be cut off."""
    number = get_worker().get_current_task()[1]
    made = _results.setdefault(run, {})
    made[number] = None
    try:
        made[number] = serve(run, parcel, work, *inputs)
    finally:
        if made[number] is None:
            del made[number]
    return made[number]


def results_here(run: str) -> dict[int, Any]:
    """Return what came of a run's tasks here, by their numbers, None of those that are under way:
    they end early."""
    end_early(run)
    return dict(_results.get(run, {}))


def scope_of(run: str) -> Stop:
    """What ends the searches of a run in this process."""
    with _lock:
        while run not in _runs and len(_runs) >= KEPT:
            del _runs[next(iter(_runs))]
        return _runs.setdefault(run, Stop())


def end_early(run: str) -> None:
    """End the searches of a run that are under way here, and those that come: their tasks return
    what they have found by then."""
    scope_of(run).set()


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

    def __init__(self) -> None:
        self.leaving = set[str]()

    def setup(self, worker: Any) -> None:
        """Note the worker."""
        self.worker = worker

    def transition(self, key: Any, start: str, finish: str, **_: Any) -> None:
        """Look at every change of a task's state: one that is released while it runs is given
        up; with the last one of a run its tables go.  (A row of graphs says itself when its
        tables may go: between two graphs its workers have nothing of it.)"""
        if finish not in ("released", "forgotten") or not isinstance(key, tuple):
            return
        kind, _dash, run = str(key[0]).rpartition("-")
        known = run in _runs or run in _results
        if known and start == "executing":
            let_go(run, stop=True)
        if known and kind != "row" and run not in self.leaving:
            self.leaving.add(run)
            asyncio.get_running_loop().call_later(LINGERING, self.leave, run)

    def leave(self, run: str) -> None:
        """Let go of a run's tables, if the worker has nothing of it any more, and later of what it
        keeps for a client that was cut off."""
        self.leaving.discard(run)
        keys = self.worker.state.tasks
        if not any(isinstance(key, tuple) and str(key[0]).endswith(f"-{run}") for key in keys):
            let_go(run, stop=False)
            asyncio.get_running_loop().call_later(KEEPING, _results.pop, run, None)


class Delivery(WorkerPlugin):
    """A parcel at a worker: it is there before the worker gets its first task that needs it."""

    def __init__(
        self, name: str, content: Content, warming: bytes | None, code: Mapping[str, bytes]
    ) -> None:
        self.name, self.content, self.warming, self.code = name, content, warming, code

    async def setup(self, worker: Any) -> None:
        """Warm the worker, in a thread: it goes on telling the scheduler that it lives."""
        receive(self.code)
        if self.warming is not None:
            await asyncio.to_thread(warmed, self.content, self.warming)

    def teardown(self, worker: Any) -> None:
        """Let go of the code that came with it."""
        forget(self.code)


def warmed(parcel: Content, work: bytes) -> dict[str, bytes]:
    """Compile what tasks call, or load it; what goes wrong is told by those that need it.

    Returns: the files of that code, for other workers.
    """
    made = dict[str, bytes]()
    with suppress(Exception):
        warming = parcel.read(work)
        warming()
        for file in _files(warming.kinds):
            with suppress(OSError):  # code that nobody can load again is not kept
                made[file.name] = content(file)
    return made


def _files(value: Any) -> set[Path]:
    """The files of machine code of the games in a value; tuples are looked into."""
    if isinstance(value, tuple):
        return set[Path]().union(*map(_files, value))
    if isinstance(value, Game):
        return engine_for(value).files | engine_for(value, "native").files
    return set()


class Withdrawal(SchedulerPlugin):
    """Takes the parcels of a client back from the workers, once that client is gone."""

    name = "jamboree"
    idempotent = True

    def remove_client(self, scheduler: Any, client: str) -> None:
        """Take them back, while the scheduler does other things."""
        for name in [n for n in scheduler.worker_plugins if n.startswith(parcel_name(client))]:
            scheduler.loop.add_callback(withdrawn, scheduler, name)


async def withdrawn(scheduler: Any, name: str) -> None:
    """Have a scheduler take a parcel back from all workers, if it can."""
    with suppress(Exception):  # what is gone needs no withdrawal
        await scheduler.unregister_worker_plugin(None, name=name)


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
