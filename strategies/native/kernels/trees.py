"""Searches trees that are no games: for their best leaf, and for a fold over all their nodes.

The best leaf is found by branch and bound: a branch is cut off if its upper bound is no better than
the *incumbent*, the best value known so far.  The incumbent is the lower end of the window, so that
what strategies say about windows is true of incumbents.  Searches that run at the same time may
share theirs in a cell: a branch must then be at least as good as the shared one, so that the
leftmost of equal leaves is found.

A search may be given a number of nodes, after which it ends; the triangle then has its *path*, the
branches in which its nodes are.  Another search goes on there, if its triangle has the path.  What
is left of the path is done, so the branches to the right of it may be searched by others.

Source: Land and Doig, An automatic method of solving discrete programming problems (1960).
"""

from __future__ import annotations

from typing import Any, Final

from games.game import Game
from games.u64 import U64
from strategies.native.hooks import bounds_of, branches_of, child_of, window_of
from strategies.native.kernels.control import (
    BEYOND,
    END,
    IN_PLAY,
    LEAVES,
    NODES,
    ROWS,
    STOP,
    STUCK,
    Control,
    Measure,
    Value,
    cell_of,
    kernel,
    row_of,
    tail_of,
)
from strategies.native.memory.cells import copy_cells, stopped
from strategies.native.memory.floats import INFINITY, below, bits_of, finite, float_of
from strategies.native.tree_hooks import asks_status, combined_of, measure_of, sorted_bounds

BUDGET, PATH_ENDS, CUT, TOP, UNTIL = range(ROWS, ROWS + 5)
"""Cells of a control: the number of nodes after which a search ends; the plies left at the last
node of its path, 0 without a path; `LIMITED` if nodes with branches may lie at the last ply, or
else 0, and 1 once there is one, which ends the search; the plies left at a node on the path of
which only a part is searched, 0 without one; and the branch before which that part ends.  The
caller writes all of them first."""
LINES: Final = ROWS + 5
"""The triangle begins here, as it does at `ROWS` in a plain search.  A fold has no lines: one cell
for each ply takes the place of a row, and has the branch in which the node at that ply is."""
SPENT: Final = 7
"""The value of `STOP` for a search that has visited as many nodes as it may."""
CUT_OFF: Final = 9
"""The value of `STOP` for a search of a whole tree that is too deep."""
LIMITED: Final = 2
"""The value of `CUT` for a search to a given depth."""
ANSWERED: Final = 8
"""The value of `STOP` for a search whose window another search has answered."""


@kernel
def best_leaf(
    game: Game[Any, Any], state: Any, depth: int, alpha: float, beta: float, control: Control,
    shared: Control,
) -> Value:  # fmt: skip
    """Search for the greatest value of a leaf, inside the window.

    At or below `alpha`, the result is an upper bound; at or above `beta`, it is the value of the
    first leaf that was found so good.
    """
    if stopped(control):
        return 0
    if depth > 0:
        control[row_of(LINES, depth) + 1] = END
    known = float_of(U64(shared[0]))
    if known >= beta:
        control[STOP] = ANSWERED
        return 0
    low, high = window_of(game, state, max(alpha, below(known)), beta)
    _, most = bounds_of(game, state, low)
    if most <= low:
        return most
    over = game.status(state) != IN_PLAY
    if over or depth == 0:
        control[NODES] += 1
        control[LEAVES] += 1
        return finite(game.utility(state)) if over else cut_off(game, state, most, control)
    return bounded(game, state, depth, low, high, control, shared)


@kernel
def bounded(
    game: Game[Any, Any], state: Any, depth: int, alpha: float, beta: float, control: Control,
    shared: Control,
) -> Value:  # fmt: skip
    """Search below a node that is no leaf.  Leaves are valued here, in their parent."""
    row = row_of(LINES, depth)
    start = path_at(depth, row, control)
    control[NODES] += start < 0
    best: float = -BEYOND
    index = entered = -1
    seen = shared[0]
    for branch in branches_of(game, state):
        index += 1
        if index < start:
            continue
        if stopped(control):  # first, since a path through this row may have ended below
            break
        if start >= 0 and beyond(index, depth, control):  # most nodes are on no path
            break
        control[row] = index
        if spent(depth, control):
            break
        if shared[0] != seen:
            seen = shared[0]
            known = float_of(U64(seen))
            if known >= beta:
                control[STOP] = ANSWERED
                break
            least, _ = window_of(game, state, below(known), INFINITY)
            alpha = least if least > alpha else alpha
        child = child_of(game, state, branch)
        # An upper bound that is no better than the incumbent cuts the branch off, and with it, if
        # bounds are sorted, all branches to its right; a path that led there ends with it.  That
        # of a leaf is its value, which may be less than its bound and those to its right.
        _, most = bounds_of(game, child, alpha)
        if most <= alpha:
            control[PATH_ENDS] = 0
            control[row] = entered  # the rows below are still those of its branch
            best = most if most > best else best
            if sorted_bounds(game) and game.status(child) == IN_PLAY:
                break
            continue
        entered = index
        over = game.status(child) != IN_PLAY
        if over or depth == 1:
            control[NODES] += 1
            control[LEAVES] += 1
            control[row_of(LINES, depth - 1) + 1] = END
            found = finite(game.utility(child)) if over else cut_off(game, child, most, control)
            if found > alpha:
                shared[0] = int(bits_of(float(found)))
        else:
            found = bounded(game, child, depth - 1, alpha, beta, control, shared)
        best = found if found > best else best
        if found > alpha:
            alpha = found
            control[row + 1] = index
            if depth > 1:
                copy_cells(control, row + 2, row_of(LINES, depth - 1) + 1, tail_of(depth))
            if found >= beta:
                break
    if index < 0:
        control[STOP] = STUCK
    return best


def cut_off(game: Game[Any, Any], state: Any, most: float, control: Control) -> Value:
    """Value a node with branches at the last ply: by its estimate, or its upper bound if less; if
    the whole tree is to be searched, the search ends."""
    if control[CUT] != LIMITED:
        control[CUT] = 1
        control[STOP] = CUT_OFF
        return -BEYOND
    found = finite(game.estimate(state))
    return most if most < found else found


def path_at(depth: int, row: int, control: Control) -> int:
    """Return the branch in which a search goes on at a node of its path; -1 at any other node."""
    if control[PATH_ENDS] == 0:
        return -1
    if depth == control[PATH_ENDS]:
        control[PATH_ENDS] = 0
    return int(control[row])


def beyond(index: int, depth: int, control: Control) -> bool:
    """Return whether a branch of a node on the path is behind the part that is searched."""
    return bool(depth == control[TOP] and index >= control[UNTIL])


def spent(depth: int, control: Control) -> bool:
    """Return whether a search has visited as many nodes as it may; then its path ends here."""
    if control[NODES] < control[BUDGET]:
        return False
    control[STOP] = SPENT
    control[PATH_ENDS] = depth
    return True


@kernel
def fold_tree(game: Game[Any, Any], state: Any, depth: int, control: Control) -> Measure:
    """Combine the measures of all nodes, each before those below it, from left to right.

    At a node of a path, those of the nodes that were not visited before.
    """
    if control[PATH_ENDS] == 0:
        if ends(game, state, depth):
            return measure_of_leaf(game, state, depth, control)
        return fold_nodes(game, state, depth, control)
    row = cell_of(LINES, depth)
    start = path_at(depth, row, control)
    total = measure_of(game, state)  # to be replaced: it belongs to the result before
    index = -1
    empty = True
    for branch in branches_of(game, state):
        index += 1
        if index < start:
            continue
        if stopped(control):  # first, since a path through this row may have ended below
            break
        if beyond(index, depth, control):
            break
        control[row] = index
        if spent(depth, control):
            break
        child = child_of(game, state, branch)
        found = fold_tree(game, child, depth - 1, control)
        total = found if empty else combined_of(game, total, found)
        empty = False
    return total


@kernel
def fold_nodes(game: Game[Any, Any], state: Any, depth: int, control: Control) -> Measure:
    """Combine the measures of a node that was not visited before and of all nodes below it.

    Leaves that are known by their status are measured in their parent, which saves a call.
    """
    control[NODES] += 1
    total = measure_of(game, state)
    row = cell_of(LINES, depth)
    control[row] = -1
    for branch in branches_of(game, state):
        if stopped(control):
            break
        control[row] += 1
        if spent(depth, control):
            break
        child = child_of(game, state, branch)
        if ends(game, child, depth - 1):
            total = combined_of(game, total, measure_of_leaf(game, child, depth - 1, control))
        else:
            total = combined_of(game, total, fold_nodes(game, child, depth - 1, control))
    if not asks_status(game) and control[row] < 0:
        control[LEAVES] += 1
    return total


def ends(game: Game[Any, Any], state: Any, depth: int) -> bool:
    """Return whether a node is at the last ply, or a leaf by its status, if that is asked."""
    return depth == 0 or (asks_status(game) and game.status(state) != IN_PLAY)


def measure_of_leaf(game: Game[Any, Any], state: Any, depth: int, control: Control) -> Measure:
    """Measure a node at the last ply, or a leaf; if the whole tree is to be folded, and there are
    nodes below, the fold ends."""
    control[NODES] += 1
    control[LEAVES] += 1
    if depth == 0 and control[CUT] != LIMITED and game.status(state) == IN_PLAY:
        control[CUT] = 1
        control[STOP] = CUT_OFF
    return measure_of(game, state)
