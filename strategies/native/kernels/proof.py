"""Proves whether the value of a position, played to the end, is above or below a given one.

A value is relative to its own position, so that a table can hold it whatever the path there: a win
in n plies counts `games.game.win_in(n)`, and one less at the position before.
"""

from __future__ import annotations

from typing import Any, Final

from games.fields import prefetch
from games.game import CHANCE, MAXIE, WIN, WIN_PLIES, Game
from games.u64 import U64
from strategies.native.hooks import (
    NUMBERS,
    bounds_of,
    candidate_bounds_of,
    candidates_of,
    defines,
    hash_of,
    kept,
    memory_mark,
    memory_release,
    moves_of,
    near_end_of,
    number_of,
    proof_rank_of,
    result_window_of,
    stack_array,
    stack_array_size,
    window_bounds_of,
)
from strategies.native.kernels.control import (
    BEYOND,
    HAS_CHANCE,
    IN_PLAY,
    STOP,
    STUCK,
    Result,
    kernel,
)
from strategies.native.kernels.proof_entries import WIDE, place, recall, remember
from strategies.native.memory.cells import stopped
from strategies.native.memory.floats import above, below, bits_of, float_of
from strategies.native.memory.shared_cells import clear_mark, mark_of, marked, set_mark
from strategies.native.memory.transposition_table import EXACT, LOWER, NOTHING, PROBES, UPPER

MOST_PROBES: Final = WIDE + 1
"""The cell of a control with the most table probes allowed; the caller writes it."""
VISITED: Final = MOST_PROBES + 1
"""The cell of a control in which the kernel counts nodes, over all proofs of a solver."""
MARKS, SPREAD, TOGETHER, BACK = range(VISITED + 1, VISITED + 5)
"""Cells of a thread that proves together with others.

- `MARKS`: where the table's busy marks begin.  The caller writes it.
- `SPREAD`, `TOGETHER`: the most and the least plies left of a node whose branches are marked.  The
  caller writes them.  For a single thread, `TOGETHER` is out of reach.
- `BACK`: the plies left of the node to which the thread returns, because another thread has
  answered it, so that the present search no longer matters; 0 for none.
"""
TOP: Final = 32
"""The most plies from the root at which threads coordinate."""
PATH: Final = BACK + 1
"""From here on the nodes in which a thread is, by their plies from the root: hash and window."""
HISTORY: Final = PATH + 3 * TOP
"""From here on the history heuristic: the cutoffs by each move number, Minnie's, then Maxie's."""
LINE: Final = HISTORY + 2 * NUMBERS
"""From here on the branches of the best line."""
SIZE: Final = LINE + WIN_PLIES
"""The number of cells in the control of a proof."""
TOO_LONG, BY_CHANCE, TOO_MANY = 2, 3, 5
"""Values of the stop cell: a game lasts too many plies, chance moves, or the table was probed as
often as allowed."""
FIRST: Final = (1 << 63) - 1
TAKEN: Final = -(1 << 63)
LATER: Final = TAKEN + 1
"""Move-ordering ranks: of the table's move, of a branch that has been visited, and of one that was
deferred because another thread was searching it."""


def earlier(value: float) -> float:
    """Return what a value is worth one ply earlier."""
    if value >= WIN:
        return value - 1
    return value + 1 if value <= -WIN else value


def later(value: float) -> float:
    """Return the value that is worth `value` one ply earlier."""
    if value >= WIN:
        return value + 1
    return value - 1 if value <= -WIN else value


@kernel
def prove(
    game: Game[Any, Any],
    state: Any,
    plies: int,
    alpha: float,
    beta: float,
    control: Any,
    table: Any,
) -> float:
    """Prove the fail-soft value of `state` within `plies` plies; it is whole if all values are."""
    low, high = result_window_of(game, state, alpha, beta)
    least, most = bounds_of(game, state, low)
    if least >= high or least == most or most <= low:
        control[VISITED] += 1
        return least if least >= high else most
    control[BACK] = 0
    for k in range(TOP):
        control[PATH + 3 * k] = 0
    word = int(hash_of(game, state))
    return proof(game, state, word, plies, low, high, control, table)


def settled(table: Any, control: Any, word: U64, low: float, high: float) -> bool:
    """Return whether the table knows on which side of a null window the value of a position
    lies."""
    kind, known, _ = recall(table, control, word, low)
    if kind == NOTHING:
        return False
    return (kind != UPPER and known >= high) or (kind != LOWER and known <= low)


def answered_above(table: Any, control: Any, plies: int) -> int:
    """Return the plies left of the highest node on the path that another thread has answered, or
    0."""
    for k in range(WIN_PLIES - plies):
        at = PATH + 3 * k
        if control[at] != 0:
            low, high = float_of(U64(control[at + 1])), float_of(U64(control[at + 2]))
            if settled(table, control, U64(control[at]), low, high):
                return WIN_PLIES - k
    return 0


@kernel
def near_proof(
    game: Game[Any, Any], state: Any, plies: int, alpha: float, beta: float, control: Any
) -> Result:
    """Prove the value of a position near the end of the game, as `proof`, without a table: each
    candidate is made when it is searched, in the order of the game.

    The bounds of the position leave the window open; those of its children are tested here.
    """
    if stopped(control):
        return alpha
    if plies == 0:
        control[STOP] = TOO_LONG
        return alpha
    player = game.player(state)
    if HAS_CHANCE:  # noqa: SIM102 - two tests, so that the compiler can drop the branch
        if player == CHANCE:
            control[STOP] = BY_CHANCE
            return alpha
    alpha, beta = later(alpha), later(beta)
    best: Result = -BEYOND
    for move in candidates_of(game, state):
        child = game.make_move(state, move)
        control[VISITED] = control[VISITED] + 1
        least, most = candidate_bounds_of(game, child, alpha)
        if least >= beta or least == most:
            found = least
        elif most <= alpha:
            found = most
        else:
            low, high = max(alpha, least), min(beta, most)
            found = near_proof(game, child, plies - 1, low, high, control)
            if control[STOP] != 0:
                return found
        if player == MAXIE:
            best = max(best, found)
            alpha = max(alpha, found)
        else:
            best = max(best, -found)
            beta = min(beta, found)
        if alpha >= beta:
            break
    if best == -BEYOND:
        control[STOP] = STUCK
    return earlier(best if player == MAXIE else -best)


@kernel
def proof(
    game: Game[Any, Any],
    state: Any,
    hashed: int,
    plies: int,
    alpha: float,
    beta: float,
    control: Any,
    table: Any,
) -> Result:
    """Prove the value of a position whose hash is known, and which a candidate led to.

    Bounds and entries are Maxie's; `low` and `high` are those of the player to move.
    """
    # Step 1. Known bounds: the game may know the value, or enough of it for this window.
    visited = control[VISITED]
    control[VISITED] = visited + 1
    least, most = candidate_bounds_of(game, state, alpha)
    if least >= beta or least == most:
        return least
    if most <= alpha:
        return most
    # Near the end, a table and an order cost more than they save.
    if near_end_of(game, state):
        alpha, beta = max(alpha, least), min(beta, most)
        return near_proof(game, state, plies, alpha, beta, control)
    least, most = window_bounds_of(game, state, alpha, beta, least, most)
    if least >= beta or least == most:
        return least
    if most <= alpha:
        return most
    # Step 2. The proof ends if it was stopped, the game is too long, the budget is spent, or chance
    # moves.  The number returned then is not a value, and the caller reads the stop cell.
    if stopped(control):
        return least
    if plies == 0:
        control[STOP] = TOO_LONG
        return least
    alpha = max(alpha, least)
    beta = min(beta, most)
    if control[PROBES] > control[MOST_PROBES]:
        control[STOP] = TOO_MANY
        return least
    player = game.player(state)
    if HAS_CHANCE:  # noqa: SIM102 - two tests, so that the compiler can drop the branch
        if player == CHANCE:
            control[STOP] = BY_CHANCE
            return least
    # Step 3. A single candidate is followed without a table look-up: the position after it has an
    # entry of its own, and the table holds more positions that way.
    child = state
    count = 0
    for move in kept(candidates_of(game, state)):
        count += 1
        if count == 2:
            break
        child = game.make_move(state, move)
    if count == 0:
        control[STOP] = STUCK
        return least
    together = plies >= control[TOGETHER]
    if together:
        control[PATH + 3 * (WIN_PLIES - plies)] = 0
    if count == 1:
        hashed = int(hash_of(game, child))
        prefetch(table, place(control, U64(hashed)))
        alpha, beta = later(alpha), later(beta)
        return earlier(proof(game, child, hashed, plies - 1, alpha, beta, control, table))
    # Step 4. Table look-up: an entry is a proof, so its depth does not matter.  A bound that does
    # not settle the window narrows it.
    word = U64(hashed)
    kind, known, remembered = recall(table, control, word, alpha)
    if kind != NOTHING:
        if kind != UPPER:
            if known >= beta or kind == EXACT:
                return known
            alpha = max(alpha, known)
        else:
            if known <= alpha:
                return known
            beta = min(beta, known)
    # Step 5. The window from the side of the player to move, and room for the branches on the
    # frame; `floor` is the original lower end, which step 10 needs.
    sign = 1 if player == MAXIE else -1
    low = alpha if player == MAXIE else -beta
    high = beta if player == MAXIE else -alpha
    floor = low
    best: Result = -BEYOND
    lead = -1
    history = HISTORY + (NUMBERS if player == MAXIE else 0)
    branches = stack_array(state, (hashed, plies, state))
    ranks = stack_array(state, 0)
    size = stack_array_size(state)
    if together:
        way = PATH + 3 * (WIN_PLIES - plies)
        control[way] = int(word)
        control[way + 1] = int(bits_of(float(alpha)))
        control[way + 2] = int(bits_of(float(beta)))
    # Step 6. Batch by batch: the first is the table's move alone, because most nodes that have one
    # are cut off by it; else as many as the frame has room for, which is all at most nodes.
    # Each child's entry is prefetched while the others are made, because proofs wait for memory.
    done = 0
    alone = remembered >= 0
    more = True
    while more:
        more = alone
        count = 0
        index = 0
        for move in kept(candidates_of(game, state)):
            if (index == remembered) == alone and index >= done:
                if count == size:
                    more = True
                    break
                child = game.make_move(state, move)
                hashed = 0
                if together or not near_end_of(game, child):
                    hashed = int(hash_of(game, child))
                    prefetch(table, place(control, U64(hashed)))
                number = index * NUMBERS + number_of(game, move, index)
                branches[count] = hashed, number, child
                if alone:
                    ranks[count] = FIRST
                elif defines(game, "promise"):
                    ranks[count] = proof_rank_of(game, child)
                else:
                    ranks[count] = control[history + number % NUMBERS]
                count += 1
                if alone:
                    break
            index += 1
        if not alone:
            done = index
        alone = False
        # Step 7. Move ordering by selection: most nodes are cut off by their first branches, so the
        # rest are never sorted.
        left = count
        memory = memory_mark(game)
        while left > 0:
            memory_release(game, memory)
            at = 0
            rank = ranks[0]
            for k in range(1, count):
                if ranks[k] > rank:
                    rank = ranks[k]
                    at = k
            hashed, number, child = branches[at]
            # Step 8. Several threads prove together (ABDADA).  Another thread may have settled this
            # node, or one above.  A later branch that another thread searches is deferred until the
            # rest is done: by then the table may have its value.  Else it is marked.
            mark = U64(0)
            if together:
                kind, known, _ = recall(table, control, word, alpha)
                if kind != NOTHING and (
                    (kind != UPPER and known >= beta) or (kind != LOWER and known <= alpha)
                ):
                    return known
                control[BACK] = answered_above(table, control, plies)
                if control[BACK] != 0:
                    return least
                if best > -BEYOND and plies <= control[SPREAD]:
                    mark = mark_of(U64(hashed), 0)
                    if rank != LATER and marked(table, control[MARKS], mark):
                        ranks[at] = LATER
                        continue
                    set_mark(table, control[MARKS], mark)
            found = proof(
                game,
                child,
                hashed,
                plies - 1,
                later(low) if player == MAXIE else -later(high),
                later(high) if player == MAXIE else -later(low),
                control,
                table,
            )
            if together:
                if mark != 0:
                    clear_mark(table, control[MARKS], mark)
                if control[BACK] == plies:  # this node was answered: probe the table again
                    control[BACK] = 0
                    continue
                if control[BACK] != 0:
                    return least
            ranks[at] = TAKEN
            left -= 1
            # Step 9. The value one ply earlier.  A better one leads, and one past the window cuts
            # off; its move is stored then, to be tried first next time.
            found = earlier(sign * found)
            if control[STOP] != 0:
                return sign * found
            if found > best:
                best = found
                lead = number
                low = max(low, best)
                if low >= high:
                    more = False
                    if not defines(game, "promise"):
                        at = history + lead % NUMBERS
                        control[at] = control[at] + 1
                    break
    # Step 10. Store the result, as a bound from Maxie's side; of wide entries, those that cost more
    # nodes stay.
    kind = LOWER if best >= high else UPPER if best <= floor else EXACT
    if player != MAXIE and kind != EXACT:
        kind = LOWER + UPPER - kind
    effort = (control[VISITED] - visited).bit_length()
    remember(table, control, word, effort, kind, lead // NUMBERS, sign * best)
    return sign * best


@kernel
def bounds(game: Game[Any, Any], state: Any) -> tuple[float, float]:
    """Return the bounds of the value of a position that are known without a search."""
    return bounds_of(game, state, 0.0)


@kernel
def best_line(
    game: Game[Any, Any], state: Any, value: float, most: int, control: Any, table: Any
) -> int:
    """Find the principal variation from a position of this value; return the number of its plies.

    It follows the leftmost branch that has the value of its position, for `most` plies or fewer,
    and writes the branches to the control.  Most proofs that it needs are in the table.
    """
    plies = 0
    while plies < most and game.status(state) == IN_PLAY:
        player = game.player(state)
        value = later(value)
        alpha = below(value) if player == MAXIE else value
        beta = value if player == MAXIE else above(value)
        here = state
        index = 0
        right = False
        for move in moves_of(game, here):
            child = game.make_move(here, move)
            found = prove(game, child, WIN_PLIES - plies - 1, alpha, beta, control, table)
            right = control[STOP] == 0 and (found >= beta if player == MAXIE else found <= alpha)
            if right or control[STOP] != 0:
                state = child
                break
            index += 1
        if not right:
            return plies if control[STOP] != 0 else -1
        control[LINE + plies] = index
        plies += 1
    return plies
