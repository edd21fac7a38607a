"""Keep the transposition tables of a run."""

from __future__ import annotations

import threading
from weakref import WeakKeyDictionary

from strategies.algorithms.algorithm import Algorithm
from strategies.native.engine import Engine
from strategies.native.memory.cells import Stop
from strategies.native.memory.transposition_table import Table
from strategies.running.runtime.cancellation import current_scope
from strategies.running.runtime.machine_memory import memory_for
from strategies.support.logs import logger_of

Use = tuple[Engine, Algorithm]
"""What a table holds values of: a game, and what the algorithm means by them; and its size."""

_log = logger_of("tables")

MOST = 4
"""Tables kept for one run, or for all runs of a scheduler that says nothing of runs."""

_of_runs: WeakKeyDictionary[Stop, dict[Use, Table]] = WeakKeyDictionary()
_lock = threading.Lock()


def table_for(engine: Engine, algorithm: Algorithm) -> Table:
    """The table of the run that this thread works for; it goes when the run is over.

    Under a scheduler other than our own, it serves later searches of the process too, if their
    entries mean the same.
    """
    use = engine, algorithm.meaning
    with _lock:
        tables = _of_runs.setdefault(current_scope(), {})
        found = tables.get(use)
        if found is None:
            while len(tables) >= MOST:
                del tables[next(iter(tables))]
            found = tables[use] = Table(algorithm.table)
            shared = memory_for(current_scope(), algorithm.meaning)
            if shared is not None:
                found.lay_out(shared)
            _log.info("made a table of %s for %s", algorithm.table, algorithm)
        return found
