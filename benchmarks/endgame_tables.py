"""Endgame tables: how much faster do two threads solve all positions than one?

King and rook against king has no chance, and its positions are expanded by threads; Pig to 100 has
chance and cycles, and positions that one thread expands.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.finding import Finding, seconds
from benchmarks.measure import interleaved, ratio


def run(quick: bool) -> list[Finding]:
    sys.path.append(str(Path(__file__).parents[1] / "docs"))
    rook = import_module("rook").RookEndgame(size=4 if quick else 8)
    pig = import_module("small_chance").PigToTheEnd(target=8 if quick else 100)
    sys.path.pop()
    rounds = 1 if quick else 7
    return [
        gain("king and rook against king", rook, 1.2, rounds),
        gain(f"Pig to {pig.target}", pig, 1.0, rounds),
    ]


def gain(name: str, game: Any, bar: float, rounds: int) -> Finding:
    """Compare two threads with one on a whole table, and check that both find the same."""
    from strategies import endgame_table

    def solved(workers: int) -> Any:
        return lambda: endgame_table(game, memory="2GB", workers=workers)

    one, two = solved(1)(), solved(2)()
    assert (one.low == two.low).all()
    assert (one.high == two.high).all()
    ours, theirs = interleaved(solved(2), solved(1), rounds=rounds, least=0)
    return Finding(
        f"endgame table of {name}, two threads", ratio(ours, theirs), bar, "one thread",
        f"{len(one):,} positions, values equal to the last bit",
        seconds(median(ours)), seconds(median(theirs)),
    )  # fmt: skip
