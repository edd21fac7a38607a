"""Sizes of searched positions, in a table that is kept: where a search that goes on is to be split.

A size is one more entry, under a word of its own: how many nodes the search of a position visited,
and to what depth.  It says nothing of values, so one that is wrong or lost costs time at worst.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from games.u64 import U64
from strategies.native.engine import Engine
from strategies.native.hooks import hash_of
from strategies.native.memory.transposition_table import EXACT, Table, depth_in, move_in

APART: Final = U64(0x8BB84B93962EACC9)
"""What the words of sizes differ by from those of the positions themselves."""


class Size(NamedTuple):
    """How many nodes a search to this depth visited."""

    depth: int
    nodes: int


def size_in(table: Table, entries: tuple[Any, ...], engine: Engine, state: Any) -> Size | None:
    """Looks up the size that a table keeps of a position; None if there is none.

    Requires: `entries` is what gives the table's entries their meaning.
    """
    if not table.kept:
        return None
    entry, nodes = table.look_up(entries, hash_of(engine.game, state) ^ APART)
    return Size(depth_in(entry), int(nodes)) if move_in(entry) >= 0 else None


def keep_size(
    table: Table, entries: tuple[Any, ...], engine: Engine, state: Any, size: Size
) -> None:
    """Stores a size, where a table is kept and has none of a deeper search.

    Requires: as `size_in`.
    """
    known = size_in(table, entries, engine, state)
    if not table.kept or (known is not None and known.depth > size.depth):
        return
    word = hash_of(engine.game, state) ^ APART
    table.store(entries, word, size.depth, EXACT, 0, float(size.nodes))
