"""Expectimax with a probability cut-off, a transposition table, and means of whole numbers.

The probability of a node is the product of the probabilities of the outcomes that lead to it from
the root.  A chance node whose probability is below the cut-off is not opened: the game's estimate
stands for it.  So players look on to where chance would move next, and what is hardly ever met is
not studied.

A value then depends on the position, the plies left and the probability; an entry of the table
counts only where all three are equal (without a cut-off, the first two).  So a table never changes
a value or a move, whoever shares it.

Source of the cut-off: R. Xiao, 2048-ai (2014), whose depth limit n is 2 n + 1 plies here.
"""

from __future__ import annotations

from typing import Any, Final

from games.game import CHANCE, MAXIE, Game
from games.words import U64

from .cells import copy_cells
from .floats import bits_of
from .hooks import hash_of, mix, moves_of
from .kernels import END, HAS_CHANCE, IN_PLAY, POLLED, STOP, kernel, result
from .table import COUNTERS, EXACT, depth_in, keep, kind_in, move_in, probe

TABLED, ROUNDED = range(COUNTERS, COUNTERS + 2)
"""Cells of a control: whether there is a table, whether each term of a mean is rounded."""
LINES: Final = ROUNDED + 1
"""The triangle of best lines begins here, as it does at `kernels.ROWS` in a plain search."""
LEAST_KEPT: Final = 2
"""Searches of fewer plies are not kept: they cost no more than a look-up."""


def means_size(depth: int) -> int:
    """How many cells a search of `depth` plies needs."""
    return LINES + (depth + 1) * (depth + 2) // 2


def term(probability: float, value: float, control: Any) -> float:
    """What an outcome adds to a mean; rounded, a half goes to the even number."""
    weighed = probability * value
    return float(round(weighed)) if control[ROUNDED] != 0 else weighed


@kernel
def expected(
    game: Game[Any, Any],
    state: Any,
    depth: int,
    reach: float,
    cutoff: float,
    control: Any,
    table: Any,
) -> tuple[float, int, int]:
    """The value of `state`, met with probability `reach`; the nodes and leaves visited."""
    if depth > 0:
        control[LINES + depth * (depth + 1) // 2 + 1] = END
    if game.status(state) != IN_PLAY:
        return float(result(game, state, depth, control)), 1, 1
    if depth == 0 or (HAS_CHANCE and reach < cutoff and game.player(state) == CHANCE):
        return float(game.estimate(state)), 1, 1
    return expand(game, state, depth, reach, cutoff, control, table)


@kernel
def expand(
    game: Game[Any, Any],
    state: Any,
    depth: int,
    reach: float,
    cutoff: float,
    control: Any,
    table: Any,
) -> tuple[float, int, int]:
    """`expected` of a position in play with plies left, not cut off; leaves are valued here."""
    row = LINES + depth * (depth + 1) // 2
    below = row - depth
    kept = depth >= LEAST_KEPT and control[TABLED] != 0
    word = U64(0)
    if kept:
        word = hash_of(game, state)
        if cutoff > 0.0:
            word = mix(word ^ bits_of(reach))
        entry, known = probe(table, control, word)
        if kind_in(entry) == EXACT and depth_in(entry) == depth:
            control[row + 1] = move_in(entry)
            control[row + 2] = END
            return known, 1, 0
    nodes = 1
    leaves = 0
    index = 0
    player = game.player(state)
    if HAS_CHANCE:  # noqa: SIM102 - two tests, so that the compiler can drop the branch
        if player == CHANCE:
            mean = 0.0
            for probability, child in game.outcomes(state):
                if depth >= POLLED:
                    if control[STOP] != 0:
                        return mean, nodes, leaves
                    control[row] = index
                met = reach * probability
                if game.status(child) != IN_PLAY:
                    mean += term(probability, result(game, child, depth - 1, control), control)
                    nodes += 1
                    leaves += 1
                elif depth == 1 or (met < cutoff and game.player(child) == CHANCE):
                    mean += term(probability, game.estimate(child), control)
                    nodes += 1
                    leaves += 1
                else:
                    found, n, k = expand(game, child, depth - 1, met, cutoff, control, table)
                    mean += term(probability, found, control)
                    nodes += n
                    leaves += k
                index += 1
            control[row + 1] = END
            if kept and control[STOP] == 0:
                keep(table, control, word, depth, EXACT, END, mean)
            return mean, nodes, leaves
    best = 0.0
    lead = 0
    for move in moves_of(game, state):
        if depth >= POLLED:
            if control[STOP] != 0:
                return best, nodes, leaves
            control[row] = index
        child = game.make_move(state, move)
        if game.status(child) != IN_PLAY:
            found = float(result(game, child, depth - 1, control))
            nodes += 1
            leaves += 1
            if depth > 1:
                control[below + 1] = END
        elif depth == 1 or (HAS_CHANCE and reach < cutoff and game.player(child) == CHANCE):
            found = float(game.estimate(child))
            nodes += 1
            leaves += 1
            if depth > 1:
                control[below + 1] = END
        else:
            found, n, k = expand(game, child, depth - 1, reach, cutoff, control, table)
            nodes += n
            leaves += k
        if index == 0 or (found > best if player == MAXIE else found < best):
            best = found
            lead = index
            control[row + 1] = index
            if depth > 1:
                copy_cells(control, row + 2, below + 1, depth - 1)
        index += 1
    if kept and control[STOP] == 0:
        keep(table, control, word, depth, EXACT, lead, best)
    return best, nodes, leaves
