"""Lays out the control cells, which a running search shares with its caller; marks kernels.

A control is a row of 64-bit cells, made by `memory.cells.cells`.  `STOP`, `NARROW` and `NEARER` are
its first cells in every search to a depth.  A search without options has `NODES`, `LEAVES` and the
triangle next.  One with a table has the table's cells there, then cells of its own, and says in its
own file where its triangle begins.  (Proofs and Monte Carlo searches share `STOP` alone with
these.)

The last part of a control is a triangle.  Row d, of d + 1 cells, belongs to the node with d plies
left that is being searched.  Its first cell is the index of the branch that the node is in.  The
others are the best line found below the node so far, as indices of branches, ended by `END` where
it is shorter.  The kernel writes the triangle; afterwards `engine.best_line` reads the row of the
root, and where a rule failed, `failures` reads the first cells to go the same way again.

What is here is compiled into kernels, each constant as a literal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from games.game import WIN, Game, Status

HAS_CHANCE = True
"""Whether the game has chance nodes.  The compiler sets it for each game: a kernel for a game
without outcomes has no code for them.  Interpreted, it is True."""
IN_PLAY: Final = int(Status.IN_PLAY)
"""The status of a position in play, as the int that compiled rules give."""
DEEPEST: Final = 500
"""The most plies that a search may have left: each takes room on the thread's stack."""
END: Final = -1
"""Ends a line in the triangle that is shorter than its row: no branch has this index."""
BEYOND: Final = 1 << 62
"""Better than any value: an int, so that whole values stay ints."""

STOP, NARROW, NEARER, NODES, LEAVES, ROWS = range(6)
"""The cells of a control, and where its triangle begins.

- `STOP`: 0 while the search is to go on.  A `Stop` writes 1 from any thread; the kernel writes the
  number of what went wrong, such as `STUCK`.  The kernel polls it, and the caller reads it
  afterwards.
- `NARROW`: 1 if windows narrow (alpha-beta), 0 if not (minimax).  The caller writes it, the kernel
  reads it.
- `NEARER`: 1 if a win counts one more for each ply that is left.  The same.
- `NODES`: positions visited, leaves included.  The kernel adds to it, the caller reads it: counts
  in cells leave a node one number to return.
- `LEAVES`: positions valued, finished or at the last ply.  The same.
- `ROWS`: not a cell, but where the triangle begins.

A search with a table has the cells of `memory.transposition_table` from `NODES` on instead."""
STUCK: Final = 6
"""In the `STOP` cell: a position in play has no moves, so that nothing above it has a value."""
POLLED: Final = 3
"""Plies.  Where fewer are left, a node neither polls `STOP` nor says which branch it is in: that
would cost time at most nodes, and a search of so few plies is over within microseconds."""

Control = Any
"""A row of cells, as both engines take it."""
F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Marks a function that is compiled on its own, with the constants of a game, and cached.

    Requires: parameters `game`, `state`, `control`, or annotated int, float or bool; it calls no
    kernel but itself, or one that does not call it.
    """
    function.is_kernel = True  # type: ignore[attr-defined]
    return function


def last_kernel(function: F) -> F:
    """Marks a kernel that is called for most nodes: where chance moves, its calls are inlined.

    Elsewhere that was no faster: 2048 gained a twentieth, Pig a tenth, Connect Four nothing.
    """
    function.is_last = True  # type: ignore[attr-defined]
    return kernel(function)


def nearer_win(value: float, plies: int) -> float:
    """Counts a win with so many plies left by that much more, so that of two the nearer is chosen.

    >>> nearer_win(WIN, 3) - WIN, nearer_win(-WIN, 3) + WIN, nearer_win(7, 3)
    (3, -3, 7)
    """
    if value >= WIN:
        value += plies
    elif value <= -WIN:
        value -= plies
    return value


def result(game: Game[Any, Any], state: Any, depth: int, control: Control) -> float:
    """Values a finished game: with `NEARER`, a win is worth more the more plies are left."""
    return nearer_win(game.utility(state), depth * control[NEARER])


def leaf(game: Game[Any, Any], state: Any, control: Control) -> float:
    """Values a position with no plies left."""
    if game.status(state) != IN_PLAY:
        return result(game, state, 0, control)
    return game.estimate(state)
