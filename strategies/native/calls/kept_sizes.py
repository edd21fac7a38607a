"""Sizes of searched positions, stored in a kept table: a search that continues is split by them.

A size is one more entry, under a word of its own: the number of nodes that the search of a position
visited, and its depth.  It does not affect values, so one that is wrong or lost costs time at
worst.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from games.u64 import U64
from strategies.native.engine import Engine
from strategies.native.hooks import hash_of
from strategies.native.memory.transposition_table import EXACT, Table, depth_in, move_in

APART: Final = U64(0x8BB84B93962EACC9)
"""The difference between the word of a size and that of its position."""


class Size(NamedTuple):
    """The number of nodes that a search to this depth visited."""

    depth: int
    nodes: int


def size_in(table: Table, entries: tuple[Any, ...], engine: Engine, state: Any) -> Size | None:
    """Look up the stored size of a position; return None if there is none.

    Requires: `entries` is the meaning of the table's entries.
    """
    if not table.kept:
        return None
    entry, nodes = table.look_up(entries, hash_of(engine.game, state) ^ APART)
    return Size(depth_in(entry), int(nodes)) if move_in(entry) >= 0 else None


def keep_size(
    table: Table, entries: tuple[Any, ...], engine: Engine, state: Any, size: Size
) -> None:
    """Store a size in a kept table, unless it has one of a deeper search.

    Requires: as `size_in`.
    """
    known = size_in(table, entries, engine, state)
    if not table.kept or (known is not None and known.depth > size.depth):
        return
    word = hash_of(engine.game, state) ^ APART
    table.store(entries, word, size.depth, EXACT, 0, float(size.nodes))
