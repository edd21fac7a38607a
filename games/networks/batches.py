"""The learned game whose leaves are judged many at once: it lists them, then reads what they are.

A search goes through the same tree twice.  First each leaf writes its cells down; the network
computes all of them together; then each leaf, in the same order, reads what it is worth.  All but
the sum of the network is done by the same rules as ever, and so are the order and the value.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np
from attrs import field, frozen

from games.networks.dense import Dense
from games.networks.learned import fields_of
from games.networks.weights import WRITTEN
from games.networks.writing import rule, values_of_cells

MOST: Final = 1 << 14
"""Leaves of a batch, at most."""


@frozen(eq=False, repr=False)
class Batch:
    """Leaves of one search: how many were met, the cells of each, what each comes to."""

    met: np.ndarray[Any, Any] = field(metadata={WRITTEN: True})
    cells: np.ndarray[Any, Any] = field(metadata={WRITTEN: True})
    sums: np.ndarray[Any, Any] = field(metadata={WRITTEN: True})

    @staticmethod
    def new(network: Dense) -> Batch:
        """Makes an empty one."""
        cells = np.zeros(MOST * network.cells, np.int64)
        return Batch(np.zeros(1, np.int64), cells, np.zeros(MOST))


def listing_body(network: Dense) -> list[str]:
    """Writes the lines that write the cells of a leaf down."""
    body = ["  cells = self.net_batch.cells", f"  begin = k * {network.cells}"]
    body += [" " + line for line in values_of_cells(network.seen)]
    body += [f"  cells[begin + {k}] = c{k}" for k in network.seen]
    return [f" if k < {MOST}:", *body, " return 0.0"]


READING: Final = [" sums = self.net_batch.sums", " return float(sums[k])"]


@lru_cache(64)
def batched_class(kind: Any, network: Dense, listing: bool) -> Any:
    """Derives the class of games whose leaves are listed, or read."""
    body = [" met = self.net_batch.met", " k = int(met[0])", " met[0] = k + 1"]
    body += listing_body(network) if listing else READING
    made = rule("net_sum", "self, state", body)
    made.stays_whole = True  # type: ignore[attr-defined]
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
    return frozen(derived, eq=False)


def batched(game: Any, batch: Batch, listing: bool) -> Any:
    """Makes the game that lists leaves in a batch, or reads what they come to.

    Requires: a game that a dense network judges.
    """
    kind: Any = type(game)
    return batched_class(kind, game.network(), listing)(**fields_of(game, kind), net_batch=batch)
