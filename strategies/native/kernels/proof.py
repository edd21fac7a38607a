"""Proofs: whether the value of a position, played to the end, is above or below a given one.

A value is seen from its own position, so that a table may hold it whatever the way there: a win in
n plies counts `games.game.win_in(n)`, one less at the position before.
"""

from __future__ import annotations

from typing import Any, Final

from games.game import CHANCE, LONGEST, MAXIE, WIN, Game
from games.words import U64
from strategies.native.hooks import (
    NUMBERS,
    bounds_of,
    candidate_bounds_of,
    candidates_of,
    has_promise,
    hash_of,
    moves_of,
    number_of,
    prefetch,
    rank_of,
    room,
    room_size,
    window_of,
)
from strategies.native.kernels.control import BEYOND, HAS_CHANCE, IN_PLAY, STOP, STUCK, kernel
from strategies.native.kernels.proof_entries import WIDE, place, recall, remember
from strategies.native.memory.floats import above, below
from strategies.native.memory.transposition_table import EXACT, LOWER, NOTHING, PROBES, UPPER

MOST: Final = WIDE + 1
"""The cell of a control that says how often the table may be asked."""
VISITED: Final = MOST + 1
"""The cell of a control that counts nodes."""
HISTORY: Final = VISITED + 1
LINE: Final = HISTORY + 2 * NUMBERS
"""From here on, a control has the branches of the best line."""
SIZE: Final = LINE + LONGEST
"""How many cells the control of a proof has."""
TOO_LONG, BY_CHANCE, TOO_MANY = 2, 3, 5
"""What a proof writes to its stop cell when a game goes on for too many plies, when chance moves,
and when the table was asked as often as it may be."""
FIRST: Final = 1 << 62
TAKEN: Final = -(1 << 63)
"""Ranks of the branch that the table remembers, and of one that has been visited."""


def earlier(value: float) -> float:
    """What a value is worth one ply earlier."""
    if value >= WIN:
        return value - 1
    return value + 1 if value <= -WIN else value


def later(value: float) -> float:
    """The value that is worth `value` one ply earlier."""
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
    """The fail-soft value of `state` within `plies` plies, as whole numbers if all values are."""
    low, high = window_of(game, state, alpha, beta)
    least, most = bounds_of(game, state, low)
    if least >= high or least == most or most <= low:
        control[VISITED] += 1
        return least if least >= high else most
    word = int(hash_of(game, state))
    return proof(game, state, word, plies, low, high, control, table)


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
) -> float:
    """`prove` of a position whose hash is known, and which a candidate led to.

    Bounds and entries are from Maxie's side; `low` and `high` are those of the player to move.
    """
    visited = control[VISITED]
    control[VISITED] = visited + 1
    least, most = candidate_bounds_of(game, state, alpha)
    if least >= beta or least == most:
        return least
    if most <= alpha:
        return most
    if control[STOP] != 0:
        return least
    if plies == 0:
        control[STOP] = TOO_LONG
        return least
    alpha = max(alpha, least)
    beta = min(beta, most)
    if control[PROBES] > control[MOST]:
        control[STOP] = TOO_MANY
        return least
    player = game.player(state)
    if HAS_CHANCE:  # noqa: SIM102 - two tests, so that the compiler can drop the branch
        if player == CHANCE:
            control[STOP] = BY_CHANCE
            return least
    child = state
    count = 0
    for move in candidates_of(game, state):
        count += 1
        if count == 2:
            break
        child = game.make_move(state, move)
    if count == 0:
        control[STOP] = STUCK
        return least
    if count == 1:  # the table need not know it: the position after it is there
        hashed = int(hash_of(game, child))
        prefetch(table, place(control, U64(hashed)))
        alpha, beta = later(alpha), later(beta)
        return earlier(proof(game, child, hashed, plies - 1, alpha, beta, control, table))
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
    sign = 1 if player == MAXIE else -1
    low = alpha if player == MAXIE else -beta
    high = beta if player == MAXIE else -alpha
    floor = low
    best: float = -BEYOND
    lead = -1
    history = HISTORY + (NUMBERS if player == MAXIE else 0)
    branches = room(state, (hashed, plies, state))
    ranks = room(state, 0)
    size = room_size(state)
    done = 0
    more = True
    while more:
        more = False
        count = 0
        index = 0
        for move in candidates_of(game, state):
            if index >= done:
                if count == size:
                    more = True
                    break
                child = game.make_move(state, move)
                hashed = int(hash_of(game, child))
                prefetch(table, place(control, U64(hashed)))
                number = index * NUMBERS + number_of(move, index)
                branches[count] = hashed, number, child
                if has_promise(game):
                    ranks[count] = rank_of(game, child)
                elif index == remembered:
                    ranks[count] = FIRST
                else:
                    ranks[count] = control[history + number % NUMBERS]
                count += 1
            index += 1  # noqa: SIM113 - `enumerate` is slower in compiled code
        done += count
        for _ in range(count):
            at = 0
            rank = ranks[0]
            for k in range(1, count):
                if ranks[k] > rank:
                    rank = ranks[k]
                    at = k
            ranks[at] = TAKEN
            hashed, number, child = branches[at]
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
            found = earlier(sign * found)
            if control[STOP] != 0:
                return sign * found
            if found > best:
                best = found
                if not has_promise(game):
                    lead = number
                low = max(low, best)
                if low >= high:
                    more = False
                    if not has_promise(game):
                        at = history + lead % NUMBERS
                        control[at] = control[at] + 1
                    break
    kind = LOWER if best >= high else UPPER if best <= floor else EXACT
    if player != MAXIE and kind != EXACT:
        kind = LOWER + UPPER - kind
    effort = (control[VISITED] - visited).bit_length()
    remember(table, control, word, effort, kind, lead // NUMBERS, sign * best)
    return sign * best


@kernel
def bounds(game: Game[Any, Any], state: Any) -> tuple[float, float]:
    """What is known of a position without a search."""
    return bounds_of(game, state, 0.0)


@kernel
def best_line(
    game: Game[Any, Any], state: Any, value: float, most: int, control: Any, table: Any
) -> int:
    """How many plies the best line from a position of this value has.

    It takes the leftmost branch that has the value of its position, for at most so many plies, and
    writes its branches to the control.  Most proofs that it asks for are in the table.
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
            state = game.make_move(here, move)
            found = prove(game, state, LONGEST - plies - 1, alpha, beta, control, table)
            right = control[STOP] == 0 and (found >= beta if player == MAXIE else found <= alpha)
            if right or control[STOP] != 0:
                break
            index += 1
        if not right:
            return plies if control[STOP] != 0 else -1
        control[LINE + plies] = index
        plies += 1
    return plies
