"""Choose how a solver's proofs are searched: by one thread, a driver, or a strategy's tasks.

The choice is a rule: a proof to the end of a game has no shallower search that could be probed.
"""

from __future__ import annotations

import os

from attrs import frozen

from strategies.algebra.auto import Auto
from strategies.algebra.combinators import young_brothers_wait
from strategies.algebra.drivers import Driver, abdada
from strategies.algebra.strategy import Strategy, seq
from strategies.insight.selection.auto import at_all_nodes
from strategies.running.plans.grain import MANY


@frozen
class ProofChoice:
    """How proofs are to be searched, and why; `print` it, or `explain` its `best`."""

    best: Strategy | Driver
    why: str

    def __str__(self) -> str:
        return f"{self.best}: {self.why}"


def choose_for_proofs(
    wish: Auto, *, native: bool = True, elsewhere: int | None = None
) -> ProofChoice:
    """Choose how a solver's proofs are searched by the workers that it has.

    `native` says whether the rules are machine code; `elsewhere` is the number of threads of the
    cluster, if a cluster searches the proofs.
    Ensures: `best` is a fixed expression; nothing is run.

    >>> from strategies import auto
    >>> print(choose_for_proofs(auto(workers=1)))
    seq: there is only one worker
    >>> print(choose_for_proofs(auto(workers=2, drivers=True)))
    abdada(workers=2): 2 threads of this machine search each proof together over one table
    >>> print(choose_for_proofs(auto(workers=8)))
    seq.joined(): 8 workers of this machine search each proof together
    """
    workers = elsewhere or wish.workers or os.cpu_count() or 1
    if workers == 1:
        return ProofChoice(seq, "there is only one worker")
    if elsewhere is None and not native:
        return ProofChoice(seq, "interpreted rules run in one thread at a time")
    if wish.drivers and elsewhere is None:
        how = f"{workers} threads of this machine search each proof together over one table"
        return ProofChoice(abdada(workers), how)
    if elsewhere is None:
        return ProofChoice(
            seq.joined(), f"{workers} workers of this machine search each proof together"
        )
    if workers >= MANY:
        how = f"tasks for {workers} workers; at all-nodes no brother waits, to keep them all busy"
        return ProofChoice(at_all_nodes, how)
    how = f"tasks for {workers} workers; a task is divided when a worker is idle"
    return ProofChoice(young_brothers_wait.everywhere, how)
