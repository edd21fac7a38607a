"""The searches that run on both engines: one source, plain Python over the rules of a game.

Each is one function that may call itself and nothing else here, because machine code that recurses
through two functions cannot be loaded from a cache safely.  `HAS_CHANCE` is a constant of the
compiled code: a game without outcomes gets a search without chance nodes.

A search writes to `control`, a triangle of cells: row d, d + 1 cells from cell d(d + 1)/2, belongs
to the node with d plies left that is being searched.  First the index of the branch that it is in,
then the best line found below it, ended by `END`.  Cell 0 says whether the search was stopped.
"""

from __future__ import annotations

from typing import Any, Final

from games.game import CHANCE, MAXIE, WIN, Game, Status
from games.words import U64

HAS_CHANCE = True
IN_PLAY: Final = int(Status.IN_PLAY)
END: Final = -1
POLL_DEPTH: Final = 3
"""The flag that stops a search is read where at least this many plies are left."""

Control = Any


def control_size(depth: int) -> int:
    """How many cells a search of `depth` plies writes to."""
    return (depth + 1) * (depth + 2) // 2


def search(
    game: Game[Any, Any],
    state: Any,
    depth: int,
    alpha: float,
    beta: float,
    narrow: bool,
    nearer: bool,
    control: Control,
    stop: Control,
) -> tuple[float, int, int]:
    """The fail-soft value of `state`, and how many nodes and leaves were visited.

    Without `narrow`, nothing is cut: minimax.  With `nearer`, a win is worth more the more plies
    are left.  A later branch takes the lead only if it is strictly better.
    """
    row = depth * (depth + 1) // 2
    if game.status(state) != IN_PLAY:
        if depth > 0:
            control[row + 1] = END
        value = game.utility(state)
        if nearer:
            if value >= WIN:
                value += depth
            elif value <= -WIN:
                value -= depth
        return value, 1, 1
    if depth == 0:
        return game.estimate(state), 1, 1
    below = row - depth
    nodes = 1
    leaves = 0
    index = 0
    player = game.player(state)
    if HAS_CHANCE:  # noqa: SIM102 - two tests, so that the compiler can drop the branch
        if player == CHANCE:
            mean = 0.0
            for probability, child in game.outcomes(state):
                if depth >= POLL_DEPTH:
                    if stop[0] != 0:
                        control[0] = 1
                        break
                    control[row] = index
                found, n, k = search(
                    game, child, depth - 1, -INFINITY, INFINITY, narrow, nearer, control, stop
                )
                mean += probability * found
                nodes += n
                leaves += k
                index += 1
            control[row + 1] = END
            return mean, nodes, leaves
    best = 0
    for move in game.moves(state):
        if depth >= POLL_DEPTH:
            if stop[0] != 0:
                control[0] = 1
                break
            control[row] = index
        found, n, k = search(
            game, game.make_move(state, move), depth - 1, alpha, beta, narrow, nearer, control, stop
        )
        nodes += n
        leaves += k
        if index == 0 or (found > best if player == MAXIE else found < best):
            best = found
            control[row + 1] = index
            for j in range(1, depth):
                control[row + 1 + j] = control[below + j]
                if control[below + j] == END:
                    break
            if narrow:
                if player == MAXIE:
                    alpha = max(alpha, best)
                else:
                    beta = min(beta, best)
                if alpha >= beta:
                    break
        index += 1
    return best, nodes, leaves


INFINITY: Final = float("inf")


def perft(game: Game[Any, Any], state: Any, depth: int) -> int:
    """How many positions are reached after exactly `depth` plies; finished ones end their line."""
    if depth == 0:
        return 1
    if game.status(state) != IN_PLAY:
        return 0
    count = 0
    if HAS_CHANCE:  # noqa: SIM102
        if game.player(state) == CHANCE:
            for _, child in game.outcomes(state):
                count += perft(game, child, depth - 1)
            return count
    for move in game.moves(state):
        count += perft(game, game.make_move(state, move), depth - 1)
    return count


def complete_games(game: Game[Any, Any], state: Any, depth: int) -> int:
    """How many games end within `depth` plies, different orders of moves counted apart."""
    if game.status(state) != IN_PLAY:
        return 1
    if depth == 0:
        return 0
    count = 0
    if HAS_CHANCE:  # noqa: SIM102
        if game.player(state) == CHANCE:
            for _, child in game.outcomes(state):
                count += complete_games(game, child, depth - 1)
            return count
    for move in game.moves(state):
        count += complete_games(game, game.make_move(state, move), depth - 1)
    return count


def mix(word: U64) -> U64:
    """A word whose bits all depend on all bits of `word` (splitmix64, Steele and others 2014)."""
    word = (word ^ (word >> 30)) * U64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> 27)) * U64(0x94D049BB133111EB)
    return word ^ (word >> 31)


def playout(game: Game[Any, Any], state: Any, seed: int, max_plies: int) -> tuple[Any, int]:
    """The position after random moves and outcomes, and the plies played: the same on each engine.

    Every legal move is as likely as any other; an outcome is as likely as the game says.
    """
    word = U64(seed)
    plies = 0
    while plies < max_plies and game.status(state) == IN_PLAY:
        word = word + U64(0x9E3779B97F4A7C15)
        drawn = mix(word)
        here = state
        if HAS_CHANCE:  # noqa: SIM102
            if game.player(here) == CHANCE:
                left = float(drawn >> 11) / 9007199254740992.0
                for probability, child in game.outcomes(here):
                    state = child
                    left -= probability
                    if left < 0:
                        break
                plies += 1
                continue
        count = 0
        for _ in game.moves(here):
            count += 1
        chosen = int(drawn % count)
        for move in game.moves(here):
            if chosen == 0:
                state = game.make_move(here, move)
                break
            chosen -= 1
        plies += 1
    return state, plies


def branch(game: Game[Any, Any], state: Any, index: int) -> Any:
    """The position that branch `index` of `state` leads to, in the order in which it is searched."""
    if HAS_CHANCE:  # noqa: SIM102
        if game.player(state) == CHANCE:
            for _, child in game.outcomes(state):
                if index == 0:
                    return child
                index -= 1
    for move in game.moves(state):
        if index == 0:
            return game.make_move(state, move)
        index -= 1
    return state
