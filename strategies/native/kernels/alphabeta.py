"""Alpha-beta with a transposition table, tests by zero windows, and branches in a promising order.

A node makes its branches once, in batches, keeps them sorted on its frame, and searches them best
guess first: the branch that the table remembers, then two killers of this depth, then by the game's
`promise` and the history of cutoffs.  With one ply left, branches are leaves and evaluated as they
come.

Values do not depend on any of it: an entry of the table counts only at equal depth, and at the root
a branch left of the leader is asked for "at least as good", so that the move is the leftmost.

Sources: Marsland and Campbell, Parallel search of strongly ordered game trees (1982); Schaeffer,
The history heuristic (1989); Reinefeld, An improvement to the scout tree search algorithm (1983).
"""

from __future__ import annotations

from typing import Any, Final

from games.game import CHANCE, MAXIE, Game
from games.words import U64
from strategies.native.hooks import (
    GOLDEN,
    NUMBERS,
    has_promise,
    hash_of,
    moves_of,
    number_of,
    promise_of,
    room,
    room_size,
)
from strategies.native.kernels.control import (
    END,
    HAS_CHANCE,
    IN_PLAY,
    POLLED,
    STOP,
    STUCK,
    kernel,
    result,
)
from strategies.native.memory.abdada_marks import clear_mark, mark_of, marked, set_mark
from strategies.native.memory.cells import copy_cells
from strategies.native.memory.floats import INFINITY, above, below
from strategies.native.memory.transposition_table import (
    COUNTERS,
    EXACT,
    LOWER,
    UPPER,
    depth_in,
    keep,
    kind_in,
    move_in,
    probe,
)

DEEPEST: Final = 500
DEPTH, SCOUTS, ORDERS, BUDGET, SPENT, MARKS = range(COUNTERS, COUNTERS + 6)
"""Cells of a control: the root's plies; whether to test by zero windows, whether to sort branches;
how many nodes may be visited, and how many were; where the table's marks begin, 0 for a search
that no other thread shares."""
KILLERS: Final = MARKS + 1
HISTORY: Final = KILLERS + 2 * (DEEPEST + 1)
LINES: Final = HISTORY + 2 * NUMBERS
"""The triangle of best lines begins here, as it does at `kernels.ROWS` in a plain search."""
SHARED: Final = 4
"""Where fewer plies are left, threads that search together do not tell each other."""
FIRST: Final = 1e18
KILLER: Final = 1e17
PROMISE: Final = 1e6
"""A unit of promise outweighs the history; killers outweigh both.  On Connect Four promise alone
took up to three times the nodes, history and killers alone up to one and a half times."""


def ordered_size(depth: int) -> int:
    """How many cells a search of `depth` plies needs."""
    return LINES + (depth + 1) * (depth + 2) // 2


@kernel
def ordered(
    game: Game[Any, Any],
    state: Any,
    depth: int,
    alpha: float,
    beta: float,
    control: Any,
    table: Any,
) -> tuple[float, int, int]:
    """The fail-soft value of `state`, and how many nodes and leaves were visited."""
    if game.status(state) != IN_PLAY:
        if depth > 0:
            control[LINES + depth * (depth + 1) // 2 + 1] = END
        return float(result(game, state, depth, control)), 1, 1
    if depth == 0:
        return float(game.estimate(state)), 1, 1
    return visit(game, state, depth, alpha, beta, control, table)


@kernel
def visit(
    game: Game[Any, Any],
    state: Any,
    depth: int,
    alpha: float,
    beta: float,
    control: Any,
    table: Any,
) -> tuple[float, int, int]:
    """`ordered` of a position in play with plies left.

    Inside, values are seen by the player to move: `sign` is -1 for Minnie.
    """
    row = LINES + depth * (depth + 1) // 2
    under = row - depth
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
                        break
                    control[row] = index
                if game.status(child) != IN_PLAY:
                    mean += probability * result(game, child, depth - 1, control)
                    nodes += 1
                    leaves += 1
                elif depth == 1:
                    mean += probability * game.estimate(child)
                    nodes += 1
                    leaves += 1
                else:
                    found, n, k = visit(game, child, depth - 1, -INFINITY, INFINITY, control, table)
                    mean += probability * found
                    nodes += n
                    leaves += k
                index += 1
            control[row + 1] = END
            return mean, nodes, leaves
    sign = 1.0 if player == MAXIE else -1.0
    low = alpha if player == MAXIE else -beta
    high = beta if player == MAXIE else -alpha
    best = 0.0
    if depth == 1:
        for move in moves_of(game, state):
            child = game.make_move(state, move)
            if game.status(child) != IN_PLAY:
                found = sign * result(game, child, 0, control)
            else:
                found = sign * game.estimate(child)
            nodes += 1
            leaves += 1
            if index == 0 or found > best:
                best = found
                control[row + 1] = index
                low = max(low, best)
                if low >= high:
                    break
            index += 1
        if nodes == 1:
            control[STOP] = STUCK
        return sign * best, nodes, leaves

    root = depth == control[DEPTH]
    scouts = control[SCOUTS] != 0
    orders = control[ORDERS] != 0
    word = hash_of(game, state)
    if not orders:  # no branch is remembered from shallower searches, so each keeps its own entry
        word = word ^ (U64(depth) * GOLDEN)
    entry, known = probe(table, control, word)
    remembered = move_in(entry)
    answered = not root and not (scouts and high > above(low))
    if answered and answers(entry, known, depth, low, high):
        control[row + 1] = remembered
        control[row + 2] = END
        return sign * known, 1, 0

    floor = low
    lead = -1
    killers = KILLERS + 2 * depth
    history = HISTORY + (NUMBERS if player == MAXIE else 0)
    children = room(state, state)
    scores = room(state, 0.0)
    places = room(state, 0)
    size = room_size(state)
    together = depth >= SHARED and control[MARKS] != 0
    done = 0
    more = True
    while more:
        more = False
        count = 0
        index = 0
        for move in moves_of(game, state):
            if index >= done:
                if count == size:
                    more = True
                    break
                child = game.make_move(state, move)
                number = number_of(move, index)
                at = count
                if orders:
                    if index == remembered:
                        score = FIRST
                    elif number + 1 == control[killers] or number + 1 == control[killers + 1]:
                        score = KILLER
                    else:
                        score = float(control[history + number])
                    if has_promise(game):
                        score += PROMISE * promise_of(game, child)
                    while at > 0 and scores[at - 1] < score:
                        scores[at] = scores[at - 1]
                        places[at] = places[at - 1]
                        children[at] = children[at - 1]
                        at -= 1
                    scores[at] = score
                places[at] = index * NUMBERS + number
                children[at] = child
                count += 1
            index += 1  # noqa: SIM113 - `enumerate` is slower in compiled code
        done += count
        waiting = 0
        for turn in range(2 * count):  # the second time round, what others were searching
            k = turn if turn < count else turn - count
            if turn >= count and k >= waiting:
                break
            place = places[k]
            index = place // NUMBERS
            if depth >= POLLED:
                if control[STOP] != 0:
                    break
                control[row] = index
            child = children[k]
            leftward = root and index < lead and best > floor
            if game.status(child) != IN_PLAY:
                found = sign * result(game, child, depth - 1, control)
                nodes += 1
                leaves += 1
                control[under + 1] = END
            else:
                mark = U64(0)
                if together and lead >= 0:
                    if answered:
                        entry, known = probe(table, control, word)
                        if answers(entry, known, depth, floor, high):
                            control[row + 1] = move_in(entry)
                            control[row + 2] = END
                            return sign * known, nodes, leaves
                    mark = mark_of(hash_of(game, child), depth)
                    if turn < count and marked(table, control[MARKS], mark):
                        places[waiting] = place
                        children[waiting] = child
                        waiting += 1
                        continue
                    set_mark(table, control[MARKS], mark)
                least = below(best) if leftward else low
                most = above(least) if scouts and lead >= 0 and least > -INFINITY else high
                while True:
                    found, n, m = visit(
                        game,
                        child,
                        depth - 1,
                        least if player == MAXIE else -most,
                        most if player == MAXIE else -least,
                        control,
                        table,
                    )
                    found *= sign
                    nodes += n
                    leaves += m
                    if most >= high or found < most or found >= high:
                        break
                    most = high
                if mark != 0:
                    clear_mark(table, control[MARKS], mark)
                if depth >= POLLED and control[STOP] != 0:
                    break
            if lead < 0 or found > best or (leftward and found == best):
                best = found
                lead = index
                control[row + 1] = index
                copy_cells(control, row + 2, under + 1, depth - 1)
                low = max(low, best)
                if low >= high:
                    more = False
                    if orders:
                        number = place % NUMBERS
                        control[history + number] = control[history + number] + depth * depth
                        if control[killers] != number + 1:
                            control[killers + 1] = control[killers]
                            control[killers] = number + 1
                    break
        if depth >= POLLED and control[STOP] != 0:
            return sign * best, nodes, leaves
    if lead < 0:
        control[STOP] = STUCK
        return 0.0, nodes, leaves
    if depth == 2:
        control[SPENT] = control[SPENT] + nodes
        if control[SPENT] > control[BUDGET]:
            control[STOP] = 1
    kind = UPPER if best <= floor else LOWER if best >= high else EXACT
    keep(table, control, word, depth, kind, lead, best)
    return sign * best, nodes, leaves


def answers(entry: int, known: float, depth: int, low: float, high: float) -> bool:
    """Whether an entry of the table says all that is asked of a node."""
    if depth_in(entry) != depth:
        return False
    kind = kind_in(entry)
    return kind == EXACT or (known >= high if kind == LOWER else known <= low)
