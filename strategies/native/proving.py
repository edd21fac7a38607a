"""Proofs: whether the value of a position, played to the end, is above or below a given one.

A value is seen from its own position, so that a table may hold it whatever the way there: a win in
n plies counts `games.game.win_in(n)`, one less at the position before.
"""

from __future__ import annotations

from typing import Any, Final

from games.game import CHANCE, MAXIE, WIN, Game

from .floats import INFINITY
from .hooks import (
    NUMBERS,
    bounds_of,
    candidates_of,
    has_promise,
    hash_of,
    number_of,
    prefetch,
    promise_of,
    room,
    room_size,
)
from .kernels import HAS_CHANCE, STOP, kernel
from .table import COUNTERS, EXACT, LOWER, NOTHING, UPPER, bucket, keep, kind_in, move_in, probe

HISTORY: Final = COUNTERS
SIZE: Final = HISTORY + 2 * NUMBERS
"""How many cells the control of a proof has."""
TOO_LONG, BY_CHANCE = 2, 3
"""What a proof writes to its stop cell when a game goes on for too many plies, or chance moves."""
FIRST: Final = 1e18


def earlier(value: float) -> float:
    """What a value is worth one ply earlier."""
    if value >= WIN:
        return value - 1.0
    return value + 1.0 if value <= -WIN else value


def later(value: float) -> float:
    """The value that is worth `value` one ply earlier."""
    if value >= WIN:
        return value + 1.0
    return value - 1.0 if value <= -WIN else value


@kernel
def prove(
    game: Game[Any, Any],
    state: Any,
    plies: int,
    alpha: float,
    beta: float,
    control: Any,
    table: Any,
) -> tuple[float, int]:
    """The fail-soft value of `state` within `plies` plies, and how many nodes were visited.

    Bounds and entries are from Maxie's side; `low` and `high` are those of the player to move.
    """
    least, most = bounds_of(game, state)
    if least >= beta or least == most:
        return least, 1
    if most <= alpha:
        return most, 1
    if control[STOP] != 0:
        return least, 1
    if plies == 0:
        control[STOP] = TOO_LONG
        return least, 1
    alpha = max(alpha, least)
    beta = min(beta, most)
    word = hash_of(game, state)
    entry, known = probe(table, control, word)
    kind = kind_in(entry)
    if kind != NOTHING:
        if kind != UPPER:
            if known >= beta or kind == EXACT:
                return known, 1
            alpha = max(alpha, known)
        else:
            if known <= alpha:
                return known, 1
            beta = min(beta, known)
    remembered = move_in(entry)
    player = game.player(state)
    if HAS_CHANCE:  # noqa: SIM102 - two tests, so that the compiler can drop the branch
        if player == CHANCE:
            control[STOP] = BY_CHANCE
            return least, 1
    sign = 1.0 if player == MAXIE else -1.0
    low = alpha if player == MAXIE else -beta
    high = beta if player == MAXIE else -alpha
    floor = low
    best = -INFINITY
    lead = -1
    history = HISTORY + (NUMBERS if player == MAXIE else 0)
    children = room(state, state)
    scores = room(state, 0.0)
    places = room(state, 0)
    size = room_size(state)
    nodes = 1
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
                prefetch(table, bucket(control, hash_of(game, child)))
                number = number_of(move, index)
                if has_promise(game):
                    score = promise_of(game, child)
                elif index == remembered:
                    score = FIRST
                else:
                    score = float(control[history + number])
                at = count
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
        for k in range(count):
            found, n = prove(
                game,
                children[k],
                plies - 1,
                later(low) if player == MAXIE else -later(high),
                later(high) if player == MAXIE else -later(low),
                control,
                table,
            )
            found = earlier(sign * found)
            nodes += n
            if control[STOP] != 0:
                return sign * found, nodes
            if found > best:
                best = found
                lead = places[k]
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
    keep(table, control, word, nodes.bit_length(), kind, lead // NUMBERS, sign * best)
    return sign * best, nodes
