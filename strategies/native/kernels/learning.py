"""Learns the weights of a network by self-play: TD(0) between the positions that moves lead to.

A position that a move leads to, before chance or the other player answers, is an afterstate.  After
each move, the value of the previous afterstate is moved towards that of the new one; at the end of
the game, towards its result.  Values are Maxie's: both players learn the same network.

Game n uses random numbers of its own, so learning can continue where it ended, and two kernels can
play different games on the same weights.

Source: R. Sutton (1988); with afterstates, for 2048, Szubert and Jaśkowski (2014).
"""

from __future__ import annotations

from typing import Any

from games.game import CHANCE, MAXIE, WIN, Game
from games.u64 import U64
from strategies.native.hooks import (
    GOLDEN,
    begins_with,
    branches_of,
    child_of,
    mix,
    random_child_of,
    unit_of,
)
from strategies.native.kernels.control import BEYOND, HAS_CHANCE, IN_PLAY, kernel

STOP, GAMES, MOVES, SIZE = range(4)
"""The cells of a control: the flag that ends learning after the current game, the numbers of games
and moves played; the number of these cells."""


def outcome(game: Game[Any, Any], state: Any) -> float:
    """Value a finished game: a win counts 1, a loss -1, another result its own value."""
    return bounded(float(game.utility(state)))


def bounded(found: float) -> float:
    """Limit a win to 1 and a loss to -1; another value stays as it is."""
    if found >= WIN:
        return 1.0
    return -1.0 if found <= -WIN else found


@kernel
def play_learning(
    game: Any,
    state: Any,
    number: int,
    seed: int,
    rate: float,
    epsilon: float,
    opening: int,
) -> tuple[Any, int, int, float]:
    """Play a game by the best afterstates, and learn unless the rate is 0.

    The first moves are random, from none to `opening` of them, and so is any move with probability
    `epsilon`; the position before a random move learns nothing from it.  Returns the last position,
    the numbers of moves and chance outcomes, and the sum of the errors.
    """
    word = mix(mix(U64(seed)) + GOLDEN * U64(number + 1))
    here = state
    after = state
    follows = False
    moves, drawn, errors = 0, 0, 0.0
    begin = 0
    if opening > 0:
        word = word + GOLDEN
        begin = begins_with(word, opening)
    while game.status(here) == IN_PLAY:
        player = game.player(here)
        if HAS_CHANCE:  # noqa: SIM102 - two tests, so that the compiler can drop the branch
            if player == CHANCE:
                word = word + GOLDEN
                left = unit_of(mix(word))
                before = here
                for probability, child in game.outcomes(before):  # `outcome_of` would be slower
                    here = child
                    left -= probability
                    if left < 0.0:
                        break
                drawn += 1
                continue
        if moves < begin or epsilon > 0.0:
            word = word + GOLDEN
            if moves < begin or unit_of(mix(word)) < epsilon:
                word = word + GOLDEN
                here = random_child_of(game, here, word)
                after = here
                follows = game.status(here) == IN_PLAY
                moves += 1
                continue
        sign = 1.0 if player == MAXIE else -1.0
        best = -float(BEYOND)
        reached = here
        over = False
        for move in branches_of(game, here):
            child = child_of(game, here, move)
            ends = game.status(child) != IN_PLAY
            value = outcome(game, child) if ends else game.estimate(child)
            if sign * value > best:
                best = sign * value
                reached = child
                over = ends
        if follows and rate > 0.0:
            errors += abs(game.net_revise(after, sign * best, rate))
        after = reached
        here = reached
        follows = not over
        moves += 1
    if follows and rate > 0.0:
        errors += abs(game.net_revise(after, outcome(game, here), rate))
    return here, moves, drawn, errors


@kernel
def best_branch(game: Any, state: Any) -> int:
    """Return the first branch of a player's position that leads to the best value."""
    sign = 1.0 if game.player(state) == MAXIE else -1.0
    best = -float(BEYOND)
    found, index = 0, -1
    for move in branches_of(game, state):
        index += 1
        child = child_of(game, state, move)
        ends = game.status(child) != IN_PLAY
        value = sign * (outcome(game, child) if ends else game.estimate(child))
        if value > best:
            best = value
            found = index
    return found


@kernel
def learn_games(
    game: Any,
    state: Any,
    first: int,
    count: int,
    seed: int,
    rate: float,
    epsilon: float,
    opening: int,
    control: Any,
) -> tuple[float, float]:
    """Play games `first`, `first` + 1, …, and learn; return the sums of results and of errors."""
    results, errors = 0.0, 0.0
    for number in range(first, first + count):
        if control[STOP] != 0:
            break
        last, moves, _, error = play_learning(game, state, number, seed, rate, epsilon, opening)
        results += outcome(game, last)
        errors += error
        control[GAMES] += 1
        control[MOVES] += moves
    return results, errors
