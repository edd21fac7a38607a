"""Searches by alpha-beta with a transposition table, null windows and move ordering.

A node creates its branches once, in batches, keeps them sorted on its frame, and searches them best
guess first: the table's move, then the two killer moves of this depth, then by the game's `promise`
and the history heuristic.  With one ply left, branches are leaves and evaluated at once.

Values do not depend on any of this: an entry of the table counts only at equal depth, and at the
root a branch left of the leader is searched for "at least as good", so that the move is the
leftmost.

Sources: Marsland and Campbell, Parallel search of strongly ordered game trees (1982); Schaeffer,
The history heuristic (1989); Reinefeld, An improvement to the scout tree search algorithm (1983).
"""

from __future__ import annotations

from typing import Any, Final

from games.game import CHANCE, MAXIE, WIN, Game
from games.u64 import U64
from strategies.native.hashing import GOLDEN
from strategies.native.hooks import (
    NUMBERS,
    defines,
    hash_of,
    kept,
    memory_mark,
    memory_release,
    moves_of,
    number_of,
    promise_of,
    stack_array,
    stack_array_size,
)
from strategies.native.kernels.ancestors import AT, ROOM, enter, returns
from strategies.native.kernels.control import (
    END,
    HAS_CHANCE,
    IN_PLAY,
    NEARER,
    STOP,
    STUCK,
    TRACED,
    WIDEST,
    check_sum,
    kernel,
    part_of_sum,
    result,
    row_of,
    tail_of,
)
from strategies.native.memory.cells import copy_cells, stopped
from strategies.native.memory.floats import INFINITY, above, below, finite, float_of
from strategies.native.memory.shared_cells import clear_mark, mark_of, marked, set_mark
from strategies.native.memory.transposition_table import (
    COUNTERS,
    EXACT,
    LOWER,
    UPPER,
    answers,
    keep,
    move_in,
    probe,
    word_at,
)

DEPTH, SCOUTS, ORDERS, BUDGET, SPENT, MARKS, LEFTMOST, DISTANCE = range(COUNTERS, COUNTERS + 8)
"""Cells of a control: the plies of the root; whether to test by null windows, whether to order
moves; the budget of nodes, and those spent; where the table's busy marks begin, 0 for a search by
one thread; whether the leftmost of equal branches of the root is wanted; whether to prune by the
distance to a win.  The caller writes all but `SPENT`."""
KILLERS: Final = DISTANCE + 1
"""From here on two killer moves for each depth, as their numbers plus 1; 0 for none.  All depths
from `WIDEST` on share theirs."""
HISTORY: Final = KILLERS + 2 * (WIDEST + 1)
"""From here on the history heuristic: a weight of each move number for Minnie, then for Maxie."""
ANCESTORS: Final = HISTORY + 2 * NUMBERS
"""From here on the nodes that the thread is in, if others search with it: see `ancestors`."""
LINES: Final = ANCESTORS + ROOM
"""The triangle of best lines begins here, as it does at `control.ROWS` in a plain search."""
SHARED: Final = 4
"""With fewer plies left, threads that search together neither mark their branches nor look whether
another has settled a node above.  With more than `WIDEST`, neither."""
FIRST: Final = 1e18
"""The move-ordering score of the table's move, which comes before all others."""
KILLER: Final = 1e17
PROMISE: Final = 1e6
"""Move-ordering scores: a unit of promise outweighs the history; killers outweigh both.  On Connect
Four promise alone took up to three times the nodes, history and killers alone up to one and a half
times."""
LARGEST: Final = 500_000
"""The greatest weight in the history, below `PROMISE`."""


@kernel
def alphabeta(
    game: Game[Any, Any],
    state: Any,
    depth: int,
    alpha: float,
    beta: float,
    control: Any,
    table: Any,
) -> tuple[float, int, int]:
    """Search `state`; return its fail-soft value, and the numbers of nodes and leaves visited."""
    if stopped(control):
        return 0.0, 0, 0
    if game.status(state) != IN_PLAY:
        if depth > 0:
            control[row_of(LINES, depth) + 1] = END
        return float(result(game, state, depth, control)), 1, 1
    if depth == 0:
        return float(finite(game.estimate(state))), 1, 1
    return visit(game, state, depth, alpha, beta, control, table)


def spend(control: Any, nodes: int) -> None:
    """Spend nodes of the budget; a search that has spent more than it is stopped."""
    control[SPENT] = control[SPENT] + nodes
    if control[SPENT] > control[BUDGET]:
        control[STOP] = 1


def gain(control: Any, at: int, depth: int) -> None:
    """Add the square of the depth to the history of a move, because deep cutoffs save the most.

    If the weight is above `LARGEST` then, all weights of both players are halved.
    """
    control[at] = control[at] + min(depth, WIDEST) * min(depth, WIDEST)
    if control[at] > LARGEST:
        for k in range(HISTORY, ANCESTORS):
            control[k] = control[k] // 2


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
    """Search a position in play with plies left, as `alphabeta` does.

    Inside, values are those of the player to move (negamax): `sign` is -1 for Minnie.
    """
    # Step 1. The row of this depth in the triangle of lines; `under` is that of the children.
    row = row_of(LINES, depth)
    under = row_of(LINES, depth - 1)
    nodes = 1
    leaves = 0
    index = 0
    player = game.player(state)
    # Step 2. A chance node: the mean of all outcomes.  Each has an open window, since the mean may
    # lie inside the window though an outcome does not; so the outcomes' own values are exact.
    if HAS_CHANCE:  # noqa: SIM102 - two tests, so that the compiler can drop the branch
        if player == CHANCE:
            if control[MARKS] != 0 and depth <= WIDEST:
                enter(control, ANCESTORS, depth, U64(0), alpha, beta)
            spend(control, 1)
            mean = total = 0.0
            for probability, child in game.outcomes(state):
                if stopped(control):
                    break
                total += part_of_sum(probability)
                if depth >= TRACED:
                    control[row] = index
                if game.status(child) != IN_PLAY:
                    mean += probability * result(game, child, depth - 1, control)
                    nodes += 1
                    leaves += 1
                    spend(control, 1)
                elif depth == 1:
                    mean += probability * finite(game.estimate(child))
                    nodes += 1
                    leaves += 1
                    spend(control, 1)
                else:
                    found, n, k = visit(game, child, depth - 1, -INFINITY, INFINITY, control, table)
                    mean += probability * found
                    nodes += n
                    leaves += k
                    if control[ANCESTORS + AT] != 0:
                        return 0.0, nodes, leaves
                index += 1
            check_sum(total, control)
            control[row + 1] = END
            return mean, nodes, leaves
    # Step 3. The window from the side of the player to move.
    sign = 1.0 if player == MAXIE else -1.0
    low = alpha if player == MAXIE else -beta
    high = beta if player == MAXIE else -alpha
    best = 0.0
    # Step 4. One ply left: every branch is a leaf.  Most nodes are of this kind, and sorting the
    # branches or looking them up in the table would cost more than it saves.
    if depth == 1:
        left = control[BUDGET] - control[SPENT]
        for move in moves_of(game, state):
            if stopped(control):
                break
            child = game.make_move(state, move)
            if game.status(child) != IN_PLAY:
                found = sign * finite(game.utility(child))
            else:
                found = sign * finite(game.estimate(child))
            nodes += 1
            leaves += 1
            if nodes > left:
                break
            if index == 0 or found > best:
                best = found
                control[row + 1] = index
                low = max(low, best)
                if low >= high:
                    break
            index += 1
        spend(control, nodes)
        if nodes == 1 and control[STOP] == 0:
            control[STOP] = STUCK
        return sign * best, nodes, leaves

    # Step 5. Mate-distance pruning at null windows: no value is above that of a win by the next
    # move.  Then table look-up.  An entry ends the node only if it was searched as deep and settles
    # the window, so that the table changes no value.  Neither ends the root, whose move must be the
    # leftmost, if that is wanted; nor a node with a wide window in a search by null windows, which
    # is on the principal variation: its line is wanted, and a line ends where a node is answered.
    spend(control, 1)
    root = depth == control[DEPTH] and control[LEFTMOST] != 0
    scouts = control[SCOUTS] != 0
    orders = control[ORDERS] != 0
    answered = not root and not (scouts and high > above(low))
    if answered and control[DISTANCE] != 0 and high <= above(low):
        near = float(WIN + (depth - 1) * control[NEARER])
        if low >= near or high <= -near:
            control[row + 1] = END
            return sign * (near if low >= near else -near), 1, 0
    word = word_at(hash_of(game, state), depth)
    if not orders:  # moves of shallower searches are not used, so each depth has its own entry
        word = word ^ (U64(depth) * GOLDEN)
    entry, known = probe(table, control, word)
    remembered = move_in(entry)
    if answered and answers(entry, known, depth, low, high):
        control[row + 1] = remembered
        control[row + 2] = END
        return sign * known, 1, 0

    # Threads that share the table (ABDADA) return to a node above this one if another has settled
    # it, and record this one for the nodes below.
    together = SHARED <= depth <= WIDEST and control[MARKS] != 0
    if together:
        if returns(table, control, ANCESTORS, depth, min(control[DEPTH], WIDEST)):
            return 0.0, nodes, leaves
        enter(control, ANCESTORS, depth, word if answered else U64(0), low, high)

    # Step 6. The killers and the history that order the branches, and room for these on the frame.
    # `floor` is the original lower end of the window, which step 18 needs.
    floor = low
    lead = -1
    killers = KILLERS + 2 * min(depth, WIDEST)
    history = HISTORY + (NUMBERS if player == MAXIE else 0)
    children = stack_array(state, state)
    scores = stack_array(state, 0.0)
    places = stack_array(state, 0)
    size = stack_array_size(state)
    done = 0
    more = True
    # Step 7. Batch by batch: the frame has room for `size` children, and most nodes have no more.
    # A later batch starts the generator again and skips finished branches, which is rare and cheap.
    while more:
        more = False
        count = 0
        index = 0
        for move in kept(moves_of(game, state)):
            if index >= done:
                if count == size:
                    more = True
                    break
                child = game.make_move(state, move)
                number = number_of(game, move, index) if orders else 0
                at = count
                # Step 8. Move ordering: the table's move, the killers, promise and history.  The
                # insertion keeps equal scores in the game's order, so the same search is repeated.
                if orders:
                    if index == remembered:
                        score = FIRST
                    elif number + 1 == control[killers] or number + 1 == control[killers + 1]:
                        score = KILLER
                    else:
                        score = float(control[history + number])
                    if defines(game, "promise"):
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
        memory = memory_mark(game)
        # Step 9. Search the batch in order; then, in a second round, the branches that other
        # threads were searching in the first (step 12).
        for turn in range(2 * count):
            k = turn if turn < count else turn - count
            if turn >= count and k >= waiting:
                break
            place = places[k]
            index = place // NUMBERS
            memory_release(game, memory)
            # Step 10. Poll the stop flag, and write in which branch this node is: `failures`
            # follows it if a rule fails below.
            if stopped(control):
                break
            if depth >= TRACED:
                control[row] = index
            child = children[k]
            # At the root, a branch left of the leader takes the lead by an equal value too, so that
            # the move is the leftmost of the best in whatever order they are tried.
            leftward = root and index < lead and best > floor
            if game.status(child) != IN_PLAY:
                found = sign * result(game, child, depth - 1, control)
                nodes += 1
                leaves += 1
                spend(control, 1)
                control[under + 1] = END
            else:
                mark = U64(0)
                # Step 11. Threads that share the table (ABDADA): after the first branch, probe the
                # table again, because another thread may have settled this node meanwhile.
                if together and lead >= 0:
                    if answered:
                        entry, known = probe(table, control, word)
                        if answers(entry, known, depth, floor, high):
                            control[row + 1] = move_in(entry)
                            control[row + 2] = END
                            return sign * known, nodes, leaves
                    # Step 12. Defer a branch that another thread is searching; by the second round
                    # the table often has its value.  Else mark it as busy.
                    mark = mark_of(hash_of(game, child), depth)
                    if turn < count and marked(table, control[MARKS], mark):
                        places[waiting] = place
                        children[waiting] = child
                        waiting += 1
                        continue
                    set_mark(table, control[MARKS], mark)
                # Step 13. Principal variation search: the first branch has the whole window, later
                # ones a null window, which tests only whether they are better ("at least as good",
                # left of the leader at the root).
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
                    # Step 14. A null window that fails high inside the window shows only that the
                    # branch is better: search again up to `high` for the value.
                    found *= sign
                    nodes += n
                    leaves += m
                    if most >= high or found < most or found >= high:
                        break
                    if depth > SHARED and control[ANCESTORS + AT] != 0:
                        break
                    most = high
                # Step 15. Remove the busy mark, even after a stop, or other threads would defer the
                # branch for nothing.
                if mark != 0:
                    clear_mark(table, control[MARKS], mark)
                # Another thread has settled this node, or one above it.
                if depth > SHARED and control[ANCESTORS + AT] != 0:
                    if control[ANCESTORS + AT] != depth:
                        return 0.0, nodes, leaves
                    control[ANCESTORS + AT] = 0
                    control[row + 1] = move_in(control[ANCESTORS + AT + 1])
                    control[row + 2] = END
                    return sign * float_of(U64(control[ANCESTORS + AT + 2])), nodes, leaves
                if control[STOP] != 0:
                    break
            # Step 16. A new leader: its line becomes the line of this node.
            if lead < 0 or found > best or (leftward and found == best):
                best = found
                lead = index
                control[row + 1] = index
                copy_cells(control, row + 2, under + 1, tail_of(depth))
                low = max(low, best)
                # Step 17. A cutoff.  Its move is a killer of this depth, and gains in the history.
                if low >= high:
                    more = False
                    if orders:
                        number = place % NUMBERS
                        gain(control, history + number, depth)
                        if control[killers] != number + 1:
                            control[killers + 1] = control[killers]
                            control[killers] = number + 1
                    break
        # The result of a stopped search is not a value, and must not get into the table.
        if control[STOP] != 0:
            return sign * best, nodes, leaves
    if lead < 0:
        control[STOP] = STUCK
        return 0.0, nodes, leaves
    # Step 18. Store the value, as the bound that a fail-soft search in this window proves.
    kind = UPPER if best <= floor else LOWER if best >= high else EXACT
    keep(table, control, word, depth, kind, lead, best)
    return sign * best, nodes, leaves
