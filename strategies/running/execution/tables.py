"""Keep the transposition tables of a run."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from graphs.limits import RUN_TABLES
from strategies.algorithms.algorithm import Algorithm
from strategies.native.engine import Engine
from strategies.native.memory.cells import Stop
from strategies.native.memory.transposition_table import Table
from strategies.running.runtime.cancellation import scope_of_tables
from strategies.running.runtime.machine_memory import memory_for
from strategies.support.fork_locks import fork_lock
from strategies.support.logs import logger_of

Use = tuple[Engine, Algorithm]
"""The use of a table: the game, and the algorithm, which defines the meaning and the size."""

_log = logger_of("tables")


_of_runs: WeakKeyDictionary[Stop, dict[Use, Table]] = WeakKeyDictionary()
_lock = fork_lock()


def table_for(engine: Engine, algorithm: Algorithm) -> Table:
    """Return the table of this thread's run; it is dropped when the run is over.

    Under another scheduler than ours, it also serves later searches of the process, if their
    entries have the same meaning.
    """
    use = engine, algorithm.meaning
    with _lock:
        tables = _of_runs.setdefault(scope_of_tables(), {})
        found = tables.get(use)
        if found is None:
            while len(tables) >= RUN_TABLES:
                del tables[next(iter(tables))]
            found = tables[use] = Table(algorithm.table)
            shared = memory_for(scope_of_tables(), algorithm.meaning)
            if shared is not None:
                found.lay_out(shared)
            _log.info("created a table of %s for %s", algorithm.table, algorithm)
        return found
