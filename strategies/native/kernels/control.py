"""The layout of the control cells, which a running search shares with its caller.

A control is a row of 64-bit cells, created by `memory.cells.cells`.  `STOP`, `NARROW` and `NEARER`
are its first cells in every search to a depth.  A search without options has `NODES`, `LEAVES` and
the triangle next.  A search with a table has the table's cells there, then cells of its own, and
its module says where its triangle begins.  (Proofs and Monte Carlo searches share only `STOP` with
these.)

The last part of a control is a triangle.  Row d, of d + 1 cells, belongs to the node with d plies
left that is being searched.  Its first cell is the index of the branch that the node is in.  The
others are the best line found below the node so far, as indices of branches; `END` ends a shorter
line.  Rows are no longer than that of `WIDEST` plies: so memory grows with the depth, not with its
square, and a longer line is cut off.  The kernel writes the triangle; afterwards `engine.best_line`
reads the row of the root, and if a rule failed, `failures` reads the first cells to follow the same
branches.

The constants are compiled into kernels as literals.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, Final, TypeVar

from games.failed import SLACK
from games.game import WIN, Game, Status
from strategies.native.memory.floats import INFINITY, finite

HAS_CHANCE = True
"""Whether the game has chance nodes.  The compiler sets it for each game: a kernel for a game
without outcomes has no code for them.  Interpreted, it is True."""
TUNED = True
"""Whether a Monte Carlo search may have options of selection: PUCT, first-play urgency, RAVE.  In
compiled code it is False but in a kernel of its own, so that other searches do not pay for them."""
EVERY_LEAF = True
"""Whether the plain search polls before every leaf, not only before the leaves of a node.  In
compiled code it is False: the fastest rules value a leaf in the time of ten polls."""
DEEP = True
"""Whether the plain search may be deeper than `WIDEST` plies.  In compiled code it is False but in
a kernel of its own: a node of the fastest games has no time for another kind of rows."""
IN_PLAY: Final = int(Status.IN_PLAY)
"""The status of a position in play, as the int that compiled rules return."""
WIDEST: Final = 500
"""The most branches of a line in the triangle."""
END: Final = -1
"""The end of a line in the triangle that is shorter than its row: no branch has this index."""
BEYOND: Final = 1 << 62
"""A number better than any value: an int, so that whole values stay ints."""

STOP, NARROW, NEARER, NODES, LEAVES, ROWS = range(6)
"""The cells of a control, and where its triangle begins.

- `STOP`: 0 while the search is to continue.  A `Stop` writes 1 from any thread; the kernel writes
  the number of an error, such as `STUCK`.  The kernel polls it before each branch and
  each leaf (but see `EVERY_LEAF`), and the caller reads it afterwards.
- `NARROW`: 1 if windows narrow (alpha-beta), 0 if not (minimax).  The caller writes it, the kernel
  reads it.
- `NEARER`: 1 if a win counts one more for each ply that is left.  Written and read like `NARROW`.
- `NODES`: positions visited, leaves included.  The kernel adds to it, the caller reads it; because
  counts are in cells, a node returns a single number.
- `LEAVES`: positions valued, finished or at the last ply.  Written and read like `NODES`.
- `ROWS`: not a cell, but where the triangle begins.

A search with a table has the cells of `memory.transposition_table` from `NODES` on instead."""
STUCK: Final = 6
"""In the `STOP` cell: a position in play has no moves, or has outcomes whose probabilities do not
sum to 1, so that no position above it has a value."""
TRACED: Final = 3
"""Plies.  With fewer left, a node does not write its branch, because that would cost time at most
nodes: `failures` searches the rest again."""

Control = Any
"""A row of cells, as both engines take it."""
Value = float
"""A value of a game: in machine code an int, if all values of the game are ints."""
Result = float
"""A value by results alone: in machine code an int, if all results of the game are ints."""
Measure = Any
"""What a node adds to a fold over a tree: a value of the tree's own type."""
F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Mark a function that is compiled on its own, with the constants of a game, and cached.

    Requires: parameters `game`, `state`, `control`, or annotated int, float or bool; it calls no
    kernel but itself, or one that does not call it.
    """
    function.is_kernel = True  # type: ignore[attr-defined]
    return function


def last_kernel(function: F) -> F:
    """Mark a kernel that is called for most nodes: in games with chance, its calls are inlined.

    In other games that was no faster: 2048 gained a twentieth, Pig a tenth, Connect Four nothing.
    """
    function.is_last = True  # type: ignore[attr-defined]
    return kernel(function)


def variant(function: F, name: str, **constants: object) -> F:
    """Return a kernel of the same source, which is compiled with other constants.

    Interpreted, it is the same.
    """
    copy: Any = FunctionType(function.__code__, function.__globals__, name)
    copy.__module__, copy.__qualname__ = function.__module__, name
    copy.__doc__, copy.__annotations__ = function.__doc__, function.__annotations__
    copy.constants = constants
    made: F = kernel(copy)
    return made


Place = Callable[[int, int], int]
"""A function that returns the cell of a depth, from a first cell on: `row_of` or `cell_of`."""


def row_of(first: int, depth: int) -> int:
    """Return the first cell of the row of a depth, in a triangle that begins at the cell `first`.

    >>> [row_of(ROWS, depth) - ROWS for depth in (0, 1, 2, 3)]
    [0, 1, 3, 6]
    >>> row_of(0, WIDEST + 2) - row_of(0, WIDEST + 1) == WIDEST + 1
    True
    """
    wide = min(depth, WIDEST)
    return first + wide * (wide + 1) // 2 + (depth - wide) * (WIDEST + 1)


def cell_of(first: int, depth: int) -> int:
    """Return the cell of a depth where there is one for each ply, and no line, from the cell
    `first` on."""
    return first + depth


def tail_of(depth: int) -> int:
    """Return how many cells of the line below its first branch a node with `depth` plies keeps."""
    return min(depth, WIDEST) - 1


def nearer_win(value: float, plies: int) -> float:
    """Add the plies left to the value of a win, so that the nearer of two wins is chosen.

    >>> nearer_win(WIN, 3) - WIN, nearer_win(-WIN, 3) + WIN, nearer_win(7, 3)
    (3, -3, 7)
    """
    if value >= WIN:
        value += plies
    elif value <= -WIN:
        value -= plies
    return value


def result(game: Game[Any, Any], state: Any, depth: int, control: Control) -> float:
    """Value a finished game: with `NEARER`, a win is worth more the more plies are left.

    Requires: `state` is terminal; a position in play has an estimate, but no utility.
    """
    return nearer_win(finite(game.utility(state)), depth * control[NEARER])


def part_of_sum(probability: float) -> float:
    """Return a probability as a part of the sum that is checked: infinity for one that is not above
    0, so that the sum is wrong.

    >>> part_of_sum(0.5), part_of_sum(0.0), part_of_sum(-0.5)
    (0.5, inf, inf)
    """
    return probability if probability > 0.0 else INFINITY


def check_sum(total: float, control: Control) -> None:
    """End a search that has met outcomes whose probabilities are not above 0 or do not sum to 1."""
    if not is_one(total) and control[STOP] == 0:
        control[STOP] = STUCK


def is_one(total: float) -> bool:
    """Return whether a sum of probabilities is 1, to within rounding."""
    return abs(total - 1.0) <= SLACK


def leaf(game: Game[Any, Any], state: Any) -> float:
    """Value a position with no plies left."""
    if game.status(state) != IN_PLAY:
        return finite(game.utility(state))
    return finite(game.estimate(state))
