"""The side of a cluster's worker: do pieces of work, and abandon runs that nobody waits for."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing import parent_process
from pathlib import Path
from threading import current_thread, main_thread
from time import monotonic, sleep
from traceback import extract_tb
from typing import Any, Final

import tblib.pickling_support
from distributed import Reschedule, WorkerPlugin, get_worker
from distributed.protocol import pickle

from games.failed import RuleFailed, shortened
from games.game import Game
from graphs.limits import ERROR_LETTERS
from strategies.native.fingerprint import copied_fingerprint, fingerprint, own_fingerprint
from strategies.native.kept_code import content, forget, receive
from strategies.native.kept_engines import engine_for
from strategies.native.memory.cells import Stop, Stopped
from strategies.running.runtime.cancellation import TaskStop, current_scope, heeding
from strategies.running.runtime.schedulers import serving
from strategies.running.runtime.shipping import AGREE, DIFFER, ClusterError, Content, advice_on
from strategies.support.fork_locks import fork_lock

KEPT: Final = 4
"""The most runs that a worker serves at the same time; older ones lose their tables."""
LINGERING: Final = 1.0
"""The seconds for which a worker without tasks of a run keeps the run's tables."""
TOLD: Final = 0.2
"""The most seconds that a stopped task waits for the scheduler's word that it is not needed."""
KEEPING: Final = 60.0
"""The seconds for which it keeps results for a client that was cut off."""
ENDS: Final = KeyboardInterrupt, SystemExit
"""What a rule may raise that is no Exception; a task's own thread gets no Ctrl-C."""
_runs: dict[str, Stop] = {}
_results: dict[str, dict[int, Any]] = {}
"""The results of tasks on this worker, by run and task number, for runs whose partial results are
useful; None for a task that is running."""
_tasks: dict[tuple[str, Any], Stop] = {}
"""The stops of the running tasks that were sent without a run, by worker and key."""
_lock = fork_lock()


def serve(run: str, parcel: str, work: bytes, *inputs: Any) -> Any:
    """Do a piece of work for a run, given its inputs; its searches end if the run is abandoned.

    `parcel` is the name of the delivered parcel.
    Raises: ClusterError if this worker cannot load what it needs; any error of the work.
    """
    piece = content_of(get_worker(), parcel).read(work)
    with serving():
        return heeded(lambda: piece(*inputs), scope_of(run), early=True)


def cancellable(key: Any, work: Callable[[], Any]) -> Any:
    """Do the work of a task that was sent without a run; its searches end if it is cancelled."""
    worker = get_worker()
    if Heeding.name not in worker.plugins:
        worker.loop.add_callback(_watch, worker)
    stop = _tasks[worker.address, key] = TaskStop(current_scope())
    if is_cancelled(worker, worker.get_current_task()):  # before the plugin knew of the task
        stop.set()
    try:
        return heeded(work, stop, early=False)
    finally:
        _tasks.pop((worker.address, key), None)


def heeded(work: Callable[[], Any], stop: Stop, *, early: bool) -> Any:
    """Return the result of a task's work, whose searches end once `stop` is set.

    With `early`, a result that the work returns after the stop counts, too.
    Raises: Reschedule, if it was stopped; any error of the work, as `sent_back` returns it.
    """
    made: Any = None
    failure: Exception | None = None
    try:
        with heeding(stop):
            made = work()
    except ENDS as error:  # Dask would let the task wait without end
        failure = ClusterError(f"the work of a task on a worker raised {type(error).__name__}")
    except Exception as error:
        failure = error if isinstance(error, Stopped) else sent_back(error)
        if failure is error and not stop.is_set:
            raise
    if stop.is_set and (not early or isinstance(failure, Stopped)):
        await_cancellation()
        raise Reschedule  # nobody waits for it, or the scheduler requested it again
    if failure is not None:  # raised here, without its cause
        raise failure
    return made


def _unheeded(*_: Any) -> None:
    """Handle Ctrl-C by doing nothing; commands that a task starts still end at it."""


def _watch(worker: Any) -> None:
    """Add the plugin to a worker that got a task without a run first."""
    if Heeding.name not in worker.plugins:
        worker.plugins[Heeding.name] = plugin = Heeding()
        plugin.setup(worker)


def content_of(worker: Any, parcel: str) -> Content:
    """Return the content of a parcel that was delivered to this worker.

    Raises: ClusterError if it was removed since, as after a broken connection to the client.
    """
    delivered = worker.plugins.get(parcel)
    if delivered is None:
        raise ClusterError("a worker lacks the data of the search, because its client is gone")
    kept: Content = delivered.content
    return kept


def await_cancellation() -> None:
    """Wait briefly until this worker knows that its task was cancelled.

    The scheduler prints a warning if it is asked to reschedule a task that it has dropped; a
    cancelled task asks for nothing.
    """
    worker, end = get_worker(), monotonic() + TOLD
    key = worker.get_current_task()
    while monotonic() < end:
        if is_cancelled(worker, key):
            return
        sleep(0.005)


def is_cancelled(worker: Any, key: Any) -> bool:
    """Return whether a worker knows that a task that it runs was cancelled."""
    task = worker.state.tasks.get(key)
    return task is None or task.state == "cancelled"


def serve_and_keep(run: str, parcel: str, work: bytes, *inputs: Any) -> Any:
    """Do the same as `serve`, and keep the result for a client that may be cut off."""
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
    """Return the results of a run's tasks here, by number; None for running ones, which are ended
    early."""
    end_early(run)
    return dict(_results.get(run, {}))


def scope_of(run: str) -> Stop:
    """Return the stop of a run's searches in this process."""
    with _lock:
        while run not in _runs and len(_runs) >= KEPT:
            del _runs[next(iter(_runs))]
        return _runs.setdefault(run, Stop())


def end_early(run: str) -> None:
    """End the running and the future searches of a run here: their tasks return what they have
    found so far."""
    scope_of(run).set()


def sent_back(error: Exception) -> Exception:
    """Return an error that arrives at the client as it is here, with a text: the error itself, or
    one that has its text, shortened if it is long, in place of what cannot be pickled."""
    if not str(error):
        last = extract_tb(error.__traceback__)[-1:]
        where = "".join(f", in {at.name}, line {at.lineno} of {at.filename}" for at in last)
        error.args = (f"{type(error).__name__} was raised without a text{where}",)
    if len(str(error)) <= ERROR_LETTERS and _arrives(error):
        return error
    if isinstance(error, RuleFailed):  # the message goes back without its cause
        failure = RuleFailed(*error.args)
        return failure if _arrives(failure) else ClusterError(str(error))
    text = shortened(str(error))
    return ClusterError(f"a task failed on a worker: {type(error).__name__}: {text}")


def _arrives(error: Exception) -> bool:
    """Return whether Dask sends an error, with its causes, so that it has its text at the client.

    Pickle alone does not tell: Dask adds the causes, and their causes, once it has registered them.
    """
    tblib.pickling_support.install(error)
    with suppress(Exception):
        return str(pickle.loads(pickle.dumps(error))) == str(error)
    return False


def let_go(run: str, *, stop: bool) -> None:
    """Drop a run and its tables; with `stop`, also end its searches in this process."""
    with _lock:
        scope = _runs.pop(run, None)
    if scope is not None and stop:
        scope.set()


class Heeding(WorkerPlugin):
    """A plugin that ends a worker's searches as soon as nobody waits for them."""

    name = "jamboree"
    idempotent = True

    def __init__(self) -> None:
        self.leaving = set[str]()

    def setup(self, worker: Any) -> None:
        """Note the worker; leave Ctrl-C to the client, as a terminal sends it to the processes of
        its workers on this machine, too."""
        self.worker = worker
        if parent_process() is not None and current_thread() is main_thread():  # it has a nanny
            signal.signal(signal.SIGINT, _unheeded)

    def transition(self, key: Any, start: str, finish: str, **_: Any) -> None:
        """React to a change of a task's state: abandon a task that is released while it runs, and
        drop the run's tables with its last task.  (A row of graphs drops its tables itself, because
        its workers have no tasks between two graphs.)"""
        if finish not in ("released", "forgotten"):
            return
        task = _tasks.get((self.worker.address, key)) if start == "executing" else None
        if task is not None:
            task.set()
        if not isinstance(key, tuple):
            return
        kind, _dash, run = str(key[0]).rpartition("-")
        known = run in _runs or run in _results
        if known and start == "executing":
            let_go(run, stop=True)
        if known and kind != "row" and run not in self.leaving:
            self.leaving.add(run)
            asyncio.get_running_loop().call_later(LINGERING, self.leave, run)

    def leave(self, run: str) -> None:
        """Drop a run's tables if the worker has no task of it, and later the results that it keeps
        for a client that was cut off."""
        self.leaving.discard(run)
        keys = self.worker.state.tasks
        if not any(isinstance(key, tuple) and str(key[0]).endswith(f"-{run}") for key in keys):
            let_go(run, stop=False)
            asyncio.get_running_loop().call_later(KEEPING, _results.pop, run, None)


class Delivery(WorkerPlugin):
    """A plugin that brings a parcel to a worker before the first task that needs it."""

    def __init__(
        self, name: str, content: Content, warming: bytes | None, code: Mapping[str, bytes]
    ) -> None:
        self.name, self.content, self.warming, self.code = name, content, warming, code

    async def setup(self, worker: Any) -> None:
        """Warm the worker in a thread, so that it keeps sending heartbeats to the scheduler."""
        receive(self.code)
        if self.warming is not None:
            await asyncio.to_thread(warmed, self.content, self.warming)

    def teardown(self, worker: Any) -> None:
        """Drop the code that came with the parcel."""
        forget(self.code)


def warmed(parcel: Content, work: bytes) -> dict[str, bytes]:
    """Compile or load the code that tasks call; the tasks themselves report any failure.

    Returns: the files of that code, for other workers.
    """
    made = dict[str, bytes]()
    with suppress(Exception, *ENDS):
        warming = parcel.read(work)
        warming()
        for file in _files(warming.kinds):
            with suppress(OSError):  # code without a file cannot be loaded elsewhere
                made[file.name] = content(file)
    return made


def _files(value: Any) -> set[Path]:
    """Return the machine code files of the games in a value, including those in tuples."""
    if isinstance(value, tuple):
        return set[Path]().union(*map(_files, value))
    if isinstance(value, Game):
        return engine_for(value).files | engine_for(value, "native").files
    return set()


def lacking(
    common: Content, prints: tuple[list[str], list[str]], absent: set[str] | None
) -> tuple[str | None, str, str, set[str]] | None:
    """Return what prevents this worker from loading a run's values: a module, if it is one, the
    reason, what to do, and the imports inside functions that fail here; None if nothing does.

    `prints` are the fingerprints of the first values, and those of the own code of the others; of
    copies, made without the modules in `absent`, unless that is None.
    """
    try:
        values = common.values
    except ModuleNotFoundError as error:
        return error.name, str(error), advice_on(error), set()
    except (Exception, *ENDS) as error:  # creating a game may raise anything
        return None, f"{type(error).__name__}: {error}", advice_on(error), set()
    whole, own = prints
    for value, print_ in zip(values, whole, strict=False):
        failed = set[str]()
        if absent is None:
            found = fingerprint(value)
        else:
            found, failed = copied_fingerprint(value, absent)
        if found != print_:
            return type(value).__module__, DIFFER, AGREE, failed
    for value, print_ in zip(values[len(whole) :], own, strict=False):
        found, failed = own_fingerprint(value, absent or ())
        if found != print_:
            return type(value).__module__, DIFFER, AGREE, failed
    return None
