"""Connect Four with dense networks: how much faster is a leaf evaluated in a batch of 343?

The leaves are all those three plies after eight random moves.  NumPy chooses its number of threads,
so set OPENBLAS_NUM_THREADS=1 to compare on one.
"""

from __future__ import annotations

from typing import Any

from benchmarks.finding import Finding
from benchmarks.measure import interleaved, ratio

UNITS = {8: 0.3, 32: 1.0, 64: 1.5, 128: 2.0, 256: 4.0}
"""Hidden units, and how many times as fast a batch should be: below 32, none is made."""
SEED, MOVES = 3, 8


def run(quick: bool) -> list[Finding]:
    import numpy as np

    from games import ConnectFour
    from games.networks.learned import dense_for, with_network
    from games.networks.weights import Weights
    from strategies.native.calls.batches import search_in_batches
    from strategies.native.kept_engines import engine_for

    def asked(units: int, bar: float) -> Finding:
        network = dense_for(ConnectFour(), units)
        drawn = np.random.default_rng(1).normal(0, 0.1, network.size).astype(np.float32)
        weights = Weights(network.settled(network.begun(0.0) + drawn))
        game = with_network(ConnectFour(), network, weights)
        engine: Any = engine_for(game, "interpreted" if quick else "native")
        state, _ = engine.playout(game.start(), SEED, MOVES)
        plies = 1 if quick else 3

        def batch() -> Any:
            return search_in_batches(engine, state, plies, narrow=False)

        def single() -> Any:
            return engine.search(state, plies, narrow=False)

        found = single()
        assert batch() == found
        ours, theirs = interleaved(batch, single, rounds=1 if quick else 15)
        mine, other = (f"{1e6 * min(t) / found.leaves:.2f} µs a leaf" for t in (ours, theirs))
        return Finding(
            f"Connect Four, dense network of {units} units, in a batch", ratio(ours, theirs), bar,
            "leaf by leaf", f"{found.leaves:,} leaves, values equal to the last bit", mine, other,
        )  # fmt: skip

    return [asked(units, bar) for units, bar in UNITS.items() if units < 64 or not quick]
