"""Copies the tree below a node of a Monte Carlo search into an empty tree, to be grown further.

Nodes are copied breadth-first (Cheney's algorithm): a copied node holds the links of its original
until its children are copied, so that the copy is its own queue, and no memory is needed besides.
"""

from __future__ import annotations

from typing import Any

from games.game import Game
from games.u64 import U64
from strategies.native.kernels.control import kernel
from strategies.native.kernels.mcts_tree import (
    BRANCHES,
    LEAST,
    LINKS,
    MOST,
    NODE,
    SHAPE,
    USED,
    Cells,
)
from strategies.native.memory.floats import bits_of, float_of


@kernel
def copy_subtree(
    game: Game[Any, Any], state: Any, root: int, held: int, threads: int, extra: int, stride: int,
    capacity: int, source: Cells, table: Cells,
) -> int:  # fmt: skip
    """Copy the tree below node `root` of the source; return the number of nodes.

    Both have regions for their shape, for the counts of `held` and of `threads` threads, `extra`
    ones, and at the end those for the gaps of each thread, half as large.  Those of the source
    have `stride` cells, those of the table `capacity`.

    Requires: the table is empty.
    Ensures: each node has the visits, rewards and gaps of its original, as counts of the first
    thread, and the former in each view.  A node whose children do not fit has none.
    """
    table[LEAST] = source[LEAST]
    table[MOST] = source[MOST]
    for cell in range(NODE):
        copy_cell(root + cell, cell, held, threads, extra, stride, capacity, source, table)
    free = int(table[USED])
    node = 0
    nodes = 1
    while node < free:
        links = int(table[LINKS + node])
        count = links % BRANCHES if links >= BRANCHES else 0
        table[LINKS + node] = 0
        if count > 0 and free + NODE * count <= capacity:
            table[LINKS + node] = free * BRANCHES + count
            first = links // BRANCHES
            for cell in range(NODE * count):
                copy_cell(
                    first + cell, free + cell, held, threads, extra, stride, capacity, source, table
                )
            free += NODE * count
            nodes += count
        node = node + NODE if node > 0 else int(table[USED])
    table[USED] = (free + 7) // 8 * 8
    return nodes


def copy_cell(
    start: int, to: int, held: int, threads: int, extra: int, stride: int, capacity: int,
    source: Cells, table: Cells,
) -> None:  # fmt: skip
    """Copy one cell of a node in each region."""
    table[SHAPE + to] = source[SHAPE + start]
    total = 0
    for thread in range(held):
        total += source[SHAPE + (1 + thread) * stride + start]
    table[SHAPE + capacity + to] = total
    views = threads if threads > 1 else 0
    for view in range(views):
        table[SHAPE + (1 + threads + view) * capacity + to] = total
    for region in range(extra):
        at = SHAPE + (1 + threads + views + region) * capacity + to
        table[at] = source[SHAPE + (1 + held + region) * stride + start]
    if start % NODE == 0:
        gaps = 0.0
        first = SHAPE + (1 + held + extra) * stride
        for thread in range(held):
            gaps += float_of(U64(source[first + (thread * stride + start) // NODE]))
        at = SHAPE + (1 + threads + views + extra) * capacity + to // NODE
        table[at] = int(bits_of(gaps))
