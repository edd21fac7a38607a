"""Runs a search under any scheduler so that Ctrl-C ends it at once."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from multiprocessing import get_context
from typing import Any

from strategies.cli.telling import tell
from strategies.running.runtime import cancellation
from strategies.searches.collection import Search
from strategies.searches.monte_carlo.search import MonteCarloSearch

SCHEDULERS = ("ordered", "threads", "sync", "processes")


def run(
    answer: Any, scheduler: str, workers: int | None, progress: Callable[[Any], None] | None = None,
    memory: Any = None,
) -> Any:  # fmt: skip
    """Return the result of a search.

    `progress` is called by searches in this process, with simulations or with depths; `memory` is
    the table of searches that have one.

    Ensures: no process is left running, whatever ends the search. At Ctrl-C, a line on stderr says
    how to keep an answer next time.
    """
    try:
        more = {"progress": progress, "memory": memory}
        return _run(answer, scheduler, workers, {k: v for k, v in more.items() if v is not None})
    except KeyboardInterrupt:
        plan = answer.plan if isinstance(answer, Search) else None
        if plan is not None and plan.limits is None and plan.algorithm.deepens:
            tell("with --time SECONDS, Ctrl-C keeps the best answer so far")
        raise


def _run(answer: Any, scheduler: str, workers: int | None, more: dict[str, Any]) -> Any:
    count = workers or os.cpu_count() or 1
    if scheduler == "ordered":
        return answer.compute(num_workers=count, **more)
    if scheduler == "processes":
        # Leaving the block of our own pool ends its processes, even those in machine code.
        with get_context("spawn").Pool(count, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as p:
            return answer.compute(scheduler="processes", pool=p)
    with ThreadPoolExecutor(1) as caller:  # this thread only waits, so Ctrl-C reaches it
        waiting = caller.submit(answer.compute, scheduler, num_workers=count, **more)
        try:
            return waiting.result()
        except KeyboardInterrupt:
            while not waiting.done():  # again, because a search may begin only now
                cancellation.interrupt()
                wait([waiting], timeout=0.02)
            if isinstance(answer, MonteCarloSearch):  # it has the simulations made so far
                return waiting.result()
            raise
