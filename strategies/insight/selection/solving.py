"""The choice of who makes the proofs of a solver: one thread, a driver, or a strategy's tasks.

A proof to the end of a game has no shallower one that could be probed, so the choice is a rule.
"""

from __future__ import annotations

import os

from attrs import frozen

from strategies.algebra.auto import Auto
from strategies.algebra.combinators import par_list, young_brothers_wait
from strategies.algebra.drivers import Driver, abdada
from strategies.algebra.strategy import Strategy, seq
from strategies.insight.selection.auto import at_all_nodes
from strategies.running.plans.grain import MANY


@frozen
class ProofChoice:
    """Who is to make the proofs, and why; `print` it, and `explain` its `best`."""

    best: Strategy | Driver
    why: str

    def __str__(self) -> str:
        return f"{self.best}: {self.why}"


def choose_for_proofs(
    wish: Auto, *, native: bool = True, elsewhere: int | None = None
) -> ProofChoice:
    """Choose who makes the proofs of a solver for the workers that it has.

    `native` says whether rules are machine code; `elsewhere` how many threads a cluster has, where
    one is to make the proofs.
    Ensures: `best` is a fixed expression; nothing is run.

    >>> from strategies import auto
    >>> print(choose_for_proofs(auto(workers=1)))
    seq: one worker has nobody to share with
    >>> print(choose_for_proofs(auto(workers=2, drivers=True)))
    abdada(workers=2): 2 threads of this machine make each proof together over one table
    >>> print(choose_for_proofs(auto(workers=8)))
    par_list.live().everywhere: tasks for 8 workers; one becomes more where a worker has none
    """
    workers = elsewhere or wish.workers or os.cpu_count() or 1
    if workers == 1:
        return ProofChoice(seq, "one worker has nobody to share with")
    if elsewhere is None and not native:
        return ProofChoice(seq, "interpreted rules run in one thread at a time")
    if wish.drivers and elsewhere is None:
        how = f"{workers} threads of this machine make each proof together over one table"
        return ProofChoice(abdada(workers), how)
    if workers >= MANY:
        how = f"tasks for {workers} workers; at all-nodes nobody waits, for so many would idle"
        return ProofChoice(at_all_nodes, how)
    how = f"tasks for {workers} workers; one becomes more where a worker has none"
    here = par_list.live().everywhere  # to wait for the eldest cost more than it saved
    return ProofChoice(here if elsewhere is None else young_brothers_wait.everywhere, how)
