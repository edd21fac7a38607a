"""The searches that run on both engines: one source, plain Python over the rules of a game.

Each calls at most itself, because machine code that recurses through two functions cannot be loaded
from a cache safely.  `HAS_CHANCE` is a constant of the compiled code: a game without outcomes gets
a search without chance nodes.

A search shares cells with its caller, its `control`: whether it is to stop, whether it narrows
windows, whether nearer wins are worth more; then a triangle, whose row d belongs to the node with d
plies left that is being searched: the index of the branch that it is in, and the best line found
below it, d cells ended by `END`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from games.game import CHANCE, MAXIE, WIN, Game, Status
from games.words import U64

from .cells import copy_cells
from .hooks import moves_of

HAS_CHANCE = True
IN_PLAY: Final = int(Status.IN_PLAY)
INFINITY: Final = float("inf")
END: Final = -1
STOP, NARROW, NEARER, ROWS = range(4)
"""The cells of `control`; the triangle begins at `ROWS`."""
POLLED: Final = 3
"""Where fewer plies are left, the flag that stops a search is not read: it would cost time."""

Control = Any
F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Marks a function that is compiled on its own, with the constants of a game, and cached.

    Requires: parameters `game`, `state`, `control`, or annotated int, float or bool; it calls no
    kernel but itself, or one that does not call it.
    """
    function.is_kernel = True  # type: ignore[attr-defined]
    return function


def control_size(depth: int) -> int:
    """How many cells a search of `depth` plies needs."""
    return ROWS + (depth + 1) * (depth + 2) // 2


@kernel
def search(
    game: Game[Any, Any], state: Any, depth: int, alpha: float, beta: float, control: Control
) -> tuple[float, int, int]:
    """The fail-soft value of `state`, and how many nodes and leaves were visited."""
    if game.status(state) != IN_PLAY:
        if depth > 0:
            control[ROWS + depth * (depth + 1) // 2 + 1] = END
        return result(game, state, depth, control), 1, 1
    if depth == 0:
        return game.estimate(state), 1, 1
    control[ROWS + depth * (depth + 1) // 2 + 1] = END
    return descend(game, state, depth, alpha, beta, control)


def result(game: Game[Any, Any], state: Any, depth: int, control: Control) -> float:
    """The value of a finished game: with `NEARER`, a win is worth more the more plies are left."""
    value = game.utility(state)
    if value >= WIN:
        if control[NEARER] != 0:
            value += depth
    elif value <= -WIN and control[NEARER] != 0:
        value -= depth
    return value


@kernel
def descend(
    game: Game[Any, Any], state: Any, depth: int, alpha: float, beta: float, control: Control
) -> tuple[float, int, int]:
    """`search` of a position in play with plies left.

    Leaves are evaluated here, in their parent, which saves most of the calls.  A later branch takes
    the lead only if it is strictly better.
    """
    row = ROWS + depth * (depth + 1) // 2
    below = row - depth
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
                    found, n, k = descend(game, child, depth - 1, -INFINITY, INFINITY, control)
                    mean += probability * found
                    nodes += n
                    leaves += k
                index += 1
            control[row + 1] = END
            return mean, nodes, leaves
    best: float = 0
    for move in moves_of(game, state):
        if depth >= POLLED:
            if control[STOP] != 0:
                break
            control[row] = index
        child = game.make_move(state, move)
        if game.status(child) != IN_PLAY:
            found = result(game, child, depth - 1, control)
            nodes += 1
            leaves += 1
            if depth > 1:
                control[below + 1] = END
        elif depth == 1:
            found = game.estimate(child)
            nodes += 1
            leaves += 1
        else:
            found, n, k = descend(game, child, depth - 1, alpha, beta, control)
            nodes += n
            leaves += k
        if index == 0 or (found > best if player == MAXIE else found < best):
            best = found
            if alpha < found < beta:  # else nobody above asks for the line of this node
                control[row + 1] = index
                if depth > 2:
                    copy_cells(control, row + 2, below + 1, depth - 1)
                elif depth == 2:  # most lines are short: a call would cost more
                    control[row + 2] = control[below + 1]
                if control[NARROW] != 0:
                    if player == MAXIE:
                        alpha = best
                    else:
                        beta = best
            elif control[NARROW] != 0 and (found >= beta if player == MAXIE else found <= alpha):
                break
        index += 1
    return best, nodes, leaves


@kernel
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
    for move in moves_of(game, state):
        count += perft(game, game.make_move(state, move), depth - 1)
    return count


@kernel
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


@kernel
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


@kernel
def branch(game: Game[Any, Any], state: Any, index: int) -> Any:
    """The position that branch `index` of `state` leads to, in the order of the search."""
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
