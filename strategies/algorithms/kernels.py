"""What a kernel of your own may use.  Kernels are Python over the rules, for both engines.

A kernel has the parameters ``game, state, depth: int, alpha: float, beta: float``, then a number
for each field of its algorithm, and last ``control``.  It calls the rules of the game, itself, and
these functions.  It returns the value of `state` from Maxie's side: exact inside the window from
`alpha` to `beta`, else a bound on that side.
"""

from __future__ import annotations

from strategies.native.hooks import branches_of, child_of
from strategies.native.kernels.control import (
    END,
    HAS_CHANCE,
    IN_PLAY,
    LEAVES,
    NODES,
    ROWS,
    STOP,
    STUCK,
    TRACED,
    Control,
    kernel,
    leaf,
    result,
    row_of,
    tail_of,
)
from strategies.native.memory.cells import copy_cells, stopped
from strategies.native.memory.floats import INFINITY, finite

__all__ = [
    "HAS_CHANCE",
    "INFINITY",
    "IN_PLAY",
    "LEAVES",
    "NODES",
    "STOP",
    "STUCK",
    "Control",
    "branches_of",
    "child_of",
    "enter_branch",
    "finite",
    "keep_line",
    "kernel",
    "leaf",
    "no_line",
    "result",
    "stopped",
]


def no_line(control: Control, depth: int) -> None:
    """Begin a node with `depth` plies left: no branch is the best yet."""
    if depth > 0:
        control[row_of(ROWS, depth) + 1] = END


def enter_branch(control: Control, depth: int, index: int) -> None:
    """Write which branch a node is in, for the error of a rule that fails below it."""
    if depth >= TRACED:
        control[row_of(ROWS, depth)] = index


def keep_line(control: Control, depth: int, index: int) -> None:
    """Make a branch the best so far, followed by the best line below it."""
    if depth > 0:
        row = row_of(ROWS, depth)
        control[row + 1] = index
        if depth > 1:
            copy_cells(control, row + 2, row_of(ROWS, depth - 1) + 1, tail_of(depth))
