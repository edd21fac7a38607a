"""Proofs: whether the value of a position, played to the end, is above or below a given one.

A value is seen from its own position, so that a table may hold it whatever the way there: a win in
n plies counts `games.game.win_in(n)`, one less at the position before.
"""

from __future__ import annotations

from typing import Any, Final

from games.game import CHANCE, LONGEST, MAXIE, WIN, Game
from games.words import U64

from .answers import WIDE, place, recall, remember
from .floats import INFINITY, above, below
from .hooks import (
    NUMBERS,
    bounds_of,
    candidates_of,
    has_promise,
    hash_of,
    moves_of,
    number_of,
    prefetch,
    promise_of,
    room,
    room_size,
)
from .kernels import HAS_CHANCE, IN_PLAY, STOP, kernel
from .table import EXACT, LOWER, NOTHING, PROBES, UPPER

MOST: Final = WIDE + 1
"""The cell of a control that says how often the table may be asked."""
HISTORY: Final = MOST + 1
LINE: Final = HISTORY + 2 * NUMBERS
"""From here on, a control has the branches of the best line."""
SIZE: Final = LINE + LONGEST
"""How many cells the control of a proof has."""
TOO_LONG, BY_CHANCE, TOO_MANY = 2, 3, 5
"""What a proof writes to its stop cell when a game goes on for too many plies, when chance moves,
and when the table was asked as often as it may be."""
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
    """The fail-soft value of `state` within `plies` plies, and how many nodes were visited."""
    word = int(hash_of(game, state))
    return proof(game, state, word, plies, alpha, beta, control, table)


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
) -> tuple[float, int]:
    """`prove` of a position whose hash is known.

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
    word = U64(hashed)
    kind, known, remembered = recall(table, control, word)
    if kind != NOTHING:
        if kind != UPPER:
            if known >= beta or kind == EXACT:
                return known, 1
            alpha = max(alpha, known)
        else:
            if known <= alpha:
                return known, 1
            beta = min(beta, known)
    if control[PROBES] > control[MOST]:
        control[STOP] = TOO_MANY
        return least, 1
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
    words = room(state, 0)
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
                hashed = int(hash_of(game, child))
                prefetch(table, place(control, U64(hashed)))
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
                    words[at] = words[at - 1]
                    children[at] = children[at - 1]
                    if not has_promise(game):
                        places[at] = places[at - 1]
                    at -= 1
                scores[at] = score
                words[at] = hashed
                children[at] = child
                if not has_promise(game):
                    places[at] = index * NUMBERS + number
                count += 1
            index += 1  # noqa: SIM113 - `enumerate` is slower in compiled code
        done += count
        for k in range(count):
            found, n = proof(
                game,
                children[k],
                words[k],
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
                if not has_promise(game):
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
    remember(table, control, word, nodes.bit_length(), kind, lead // NUMBERS, sign * best)
    return sign * best, nodes


@kernel
def bounds(game: Game[Any, Any], state: Any) -> tuple[float, float]:
    """What is known of a position without a search."""
    return bounds_of(game, state)


@kernel
def best_line(
    game: Game[Any, Any], state: Any, value: float, most: int, control: Any, table: Any
) -> tuple[int, int]:
    """How many plies the best line from a position of this value has, and the nodes visited.

    It takes the leftmost branch that has the value of its position, for at most so many plies, and
    writes its branches to the control.  Most proofs that it asks for are in the table.
    """
    nodes = 0
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
            found, n = prove(game, state, LONGEST - plies - 1, alpha, beta, control, table)
            nodes += n
            right = control[STOP] == 0 and (found >= beta if player == MAXIE else found <= alpha)
            if right or control[STOP] != 0:
                break
            index += 1
        if not right:
            return (plies if control[STOP] != 0 else -1), nodes
        control[LINE + plies] = index
        plies += 1
    return plies, nodes
