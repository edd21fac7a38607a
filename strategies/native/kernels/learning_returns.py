"""Learns the weights of a network by self-play: TD(λ), with moves chosen by a shallow search.

As `learning`, but a game is learned from after it is over, from its last position to its first.
The target of an afterstate is its λ-return: 1 - λ times the value that the next afterstate had
when it was chosen, and λ times the target of that afterstate.  Values are those of a search of
`depth` plies: with one ply, the estimate of the afterstate.

Returns start again at a random move: a bad random move says nothing about the positions before it.

Sources: R. Sutton (1988) for λ; values of searches as targets, J. Veness and others (2009).
"""

from __future__ import annotations

from typing import Any

from games.game import CHANCE
from games.u64 import U64
from strategies.native.hooks import (
    GOLDEN,
    begins_with,
    branches_of,
    child_of,
    mix,
    nth_of,
    outcome_of,
    unit_of,
)
from strategies.native.kernels.control import HAS_CHANCE, IN_PLAY, NARROW, ROWS, STUCK, kernel
from strategies.native.kernels.fixed_depth import search
from strategies.native.kernels.learning import (
    GAMES,
    LENGTH,
    MOVES,
    STOP,
    bounded,
    goes_on,
    keep_branch,
    outcome,
    random_branch,
    result_of,
)
from strategies.native.memory.floats import INFINITY


def learn_back(
    game: Any, afters: list[Any], targets: list[float], rate: float, trace: float
) -> float:
    """Move the value of each afterstate towards its λ-return, the last first; return the sum of
    errors.

    Requires: `targets` are the values of the positions after each; λ is the `trace`.
    """
    errors = 0.0
    follow = len(targets) - 1
    found = 0.0
    while follow >= 0:
        given = targets[follow]
        found = given if follow == len(targets) - 1 else (1.0 - trace) * given + trace * found
        errors += abs(game.net_revise(afters[follow], found, rate))
        follow -= 1
    return errors


@kernel
def play_returns(
    game: Any,
    state: Any,
    number: int,
    seed: int,
    rate: float,
    epsilon: float,
    opening: int,
    trace: float,
    depth: int,
    control: Any,
    searching: Any,
) -> tuple[Any, int, float]:
    """Play a game by searches of `depth` plies, and learn from its λ-returns.

    Random moves are drawn as in `play_learning`.  Returns the last position, the number of moves
    and the sum of the errors.
    """
    word = mix(mix(U64(seed)) + GOLDEN * U64(number + 1))
    here = state
    begin = 0
    if opening > 0:
        word = word + GOLDEN
        begin = begins_with(word, opening)
    # Afterstates since the last random move, and the values of the positions after each.
    afters = [state]
    targets = [0.0]
    afters.pop()
    targets.pop()
    follows = False
    moves, errors = 0, 0.0
    row = ROWS + depth * (depth + 1) // 2
    searching[NARROW] = 1
    control[LENGTH] = 0
    while game.status(here) == IN_PLAY and goes_on(control, searching):
        player = game.player(here)
        before = here
        if HAS_CHANCE:  # noqa: SIM102 - two tests, so that the compiler can drop the branch
            if player == CHANCE:
                word = word + GOLDEN
                here, index = outcome_of(game, before, unit_of(mix(word)))
                keep_branch(control, index)
                continue
        drawn = False
        if moves < begin or epsilon > 0.0:
            word = word + GOLDEN
            drawn = moves < begin or unit_of(mix(word)) < epsilon
        moves += 1
        if drawn:
            word = word + GOLDEN
            if follows:  # the last afterstate has no target
                afters.pop()
            errors += learn_back(game, afters, targets, rate, trace)
            afters.clear()
            targets.clear()
            index = random_branch(game, before, word, control)
            if index < 0:
                break
            here = game.make_move(before, nth_of(game, before, index))
        else:
            game.net_prefetch(before)
            value = bounded(float(search(game, before, depth, -INFINITY, INFINITY, searching)))
            if searching[STOP] != 0:
                break
            if follows:
                targets.append(value)
            left_of_it = searching[row + 1]
            keep_branch(control, left_of_it)
            for branch in branches_of(game, before):
                if left_of_it == 0:
                    here = child_of(game, before, branch)
                    break
                left_of_it -= 1
        follows = game.status(here) == IN_PLAY
        if follows:
            afters.append(here)
    if follows and game.status(here) != IN_PLAY:  # chance ended the game
        targets.append(outcome(game, here))
    if len(afters) > len(targets):  # the last one has no target where the game was left
        afters.pop()
    errors += learn_back(game, afters, targets, rate, trace)
    return here, moves, errors


@kernel
def learn_returns(
    game: Any,
    state: Any,
    first: int,
    count: int,
    seed: int,
    rate: float,
    epsilon: float,
    opening: int,
    trace: float,
    depth: int,
    control: Any,
    searching: Any,
) -> tuple[float, float, float, float, float, float]:
    """Play games `first`, `first` + 1, …, and learn; return the sums of results and of errors, and
    for their spread those of results², errors², errors times moves, and moves²."""
    results, errors = 0.0, 0.0
    result_squares, error_squares, error_moves, move_squares = 0.0, 0.0, 0.0, 0.0
    for number in range(first, first + count):
        if control[STOP] != 0:
            break
        last, moves, error = play_returns(
            game, state, number, seed, rate, epsilon, opening, trace, depth, control, searching
        )
        if control[STOP] == STUCK or (searching[STOP] != 0 and game.status(last) == IN_PLAY):
            break
        result, many = float(result_of(game, last, control)), float(moves)
        results += result
        errors += error
        result_squares += result * result
        error_squares += error * error
        error_moves += error * many
        move_squares += many * many
        control[GAMES] += 1
        control[MOVES] += moves
    return results, errors, result_squares, error_squares, error_moves, move_squares
