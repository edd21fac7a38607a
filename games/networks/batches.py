"""The learned game with leaves in batches: it lists the leaves, then reads their values.

A search visits the same tree twice.  First each leaf writes its cells to the batch; then the
network evaluates all of them together; then each leaf, in the same order, reads its value.  Only
the sum of the network is computed differently, so the order and the values are the same.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np
from attrs import field, frozen

from games.attributes import remade
from games.fields import WRITTEN
from games.networks.dense import Dense
from games.networks.learned import read_from
from games.networks.writing import rule, values_of_cells
from graphs.limits import BATCH_LEAVES


@frozen(eq=False, repr=False)
class Batch:
    """The leaves of one search: their number, the cells of each, the network's sum for each."""

    met: np.ndarray[Any, Any] = field(metadata={WRITTEN: True})
    cells: np.ndarray[Any, Any] = field(metadata={WRITTEN: True})
    sums: np.ndarray[Any, Any] = field(metadata={WRITTEN: True})

    @staticmethod
    def new(network: Dense) -> Batch:
        """Return an empty batch."""
        cells = np.zeros(BATCH_LEAVES * network.cells, np.int64)
        return Batch(np.zeros(1, np.int64), cells, np.zeros(BATCH_LEAVES))


def listing_body(kind: type, network: Dense) -> list[str]:
    """Return the lines that write the cells of a leaf to the batch."""
    body = [" " + line for line in read_from(kind)]
    body += ["  cells = self.net_batch.cells", f"  begin = k * {network.cells}"]
    body += [" " + line for line in values_of_cells(network.seen)]
    body += [f"  cells[begin + {k}] = c{k}" for k in network.seen]
    return [f" if k < {BATCH_LEAVES}:", *body, " return 0.0"]


READING: Final = [" sums = self.net_batch.sums", " return float(sums[k])"]


@lru_cache(64)
def batched_class(kind: Any, network: Dense, listing: bool) -> Any:
    """Derive the class of games whose leaves are listed, or read."""
    body = [" met = self.net_batch.met", " k = int(met[0])", " met[0] = k + 1"]
    body += listing_body(kind, network) if listing else READING
    made = rule("net_sum", "self, state", body)
    derived: Any = type(
        f"{'Listing' if listing else 'Reading'}{kind.__name__}",
        (kind,),
        {
            "__module__": __name__,
            "__doc__": kind.__doc__,
            "__annotations__": {"net_batch": Batch},
            "net_batch": field(kw_only=True),
            "net_sum": made,
        },
    )
    return frozen(derived, eq=False, slots=False)


def batched(game: Any, batch: Batch, listing: bool) -> Any:
    """Return the game that lists leaves in a batch, or reads their sums.

    Requires: a game whose estimate is a dense network.
    """
    kind: Any = type(game)
    return remade(game, batched_class(kind, game.network(), listing), net_batch=batch)
