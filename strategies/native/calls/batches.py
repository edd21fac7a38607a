"""Searches a position whose leaves a dense network evaluates together, in one batch."""

from __future__ import annotations

import threading
from typing import Any, Final
from weakref import WeakKeyDictionary

from games.networks.batches import Batch, batched
from graphs.limits import BATCH_LEAVES
from strategies.native.engine import Engine, Searched
from strategies.native.memory.cells import Stop
from strategies.native.memory.floats import INFINITY

PLIES: Final = 3
"""The most plies of a search in batches: deeper ones have too many leaves."""


class Batches:
    """Two engines over one batch: one lists the leaves, the other reads their values."""

    def __init__(self, engine: Engine) -> None:
        self.network, self.weights = engine.game.network(), engine.game.net_weights.values
        self.batch = Batch.new(self.network)
        self.listing = Engine(batched(engine.game, self.batch, True), engine.choice)
        self.reading = Engine(batched(engine.game, self.batch, False), engine.choice)

    def judge(self, state: Any, depth: int, stop: Stop | None = None) -> bool:
        """Evaluate all leaves; return False if there are too many."""
        batch = self.batch
        batch.met[0] = 0
        self.listing.search(state, depth, narrow=False, stop=stop)
        count = int(batch.met[0])
        if count > BATCH_LEAVES:
            return False
        width = self.network.cells
        cells = batch.cells[: count * width].reshape(count, width)
        batch.sums[:count] = self.network.sums(self.weights, cells)
        batch.met[0] = 0
        return True


class _Kept(threading.local):
    """The batches of each thread: two threads may not write to the same one."""

    def __init__(self) -> None:
        self.of: WeakKeyDictionary[Engine, Batches] = WeakKeyDictionary()


_kept: Final = _Kept()


def fits(engine: Engine, depth: int, beta: float, narrow: bool) -> bool:
    """Return whether all leaves of a search can be evaluated at once: they are few, and none is
    pruned.

    A cutoff may prune leaves, except in a game of one player without an upper bound, or if one loop
    meets all leaves.
    """
    if not getattr(type(engine.game), "net_batches", False) or not 0 < depth <= PLIES:
        return False
    return not narrow or depth == 1 or (engine.game.players == 1 and beta >= INFINITY)


def search_in_batches(
    engine: Engine, state: Any, depth: int, alpha: float = -INFINITY, beta: float = INFINITY, *,
    narrow: bool = True, nearer: bool = True, stop: Stop | None = None,
) -> Searched:  # fmt: skip
    """Search as ``engine.search`` does, with the leaves evaluated in one batch if they fit into
    one.

    Requires: an engine of a game with a dense network, and a search that `fits`.
    Ensures: value, counts and line are those of ``engine.search``.
    """
    how = {"narrow": narrow, "nearer": nearer}
    batches = _kept.of.get(engine)
    if batches is None:
        batches = _kept.of[engine] = Batches(engine)
    judged = batches.judge(state, depth, stop)
    return (batches.reading if judged else engine).search(
        state, depth, alpha, beta, **how, stop=stop
    )
