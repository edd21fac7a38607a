"""Learns the weights of a network by self-play: TD(0) between afterstates, or TD(λ).

A position that a move leads to, before chance or the other player answers, is an afterstate.  After
each move, the value of the previous afterstate is moved towards that of the new one; at the end of
the game, towards its result.  Values are Maxie's: both players learn the same network.

Game n uses random numbers of its own, so learning can continue where it ended, and two kernels can
play different games on the same weights.

Source: R. Sutton (1988); with afterstates, for 2048, Szubert and Jaśkowski (2014).

With TD(λ), moves are chosen by a shallow search, and a game is learned from after it is over, from
its last position to its first.  The target of an afterstate is its λ-return: 1 - λ times the value
that the next afterstate had when it was chosen, and λ times the target of that afterstate.  Values
are those of a search of `depth` plies: with one ply, the estimate of the afterstate.

Returns start again at a random move: a bad random move says nothing about the positions before it.

Sources: R. Sutton (1988) for λ; values of searches as targets, J. Veness and others (2009).
"""

from __future__ import annotations

from typing import Any, Final

from games.game import CHANCE, MAXIE, WIN, Game
from games.u64 import U64
from strategies.native.hashing import GOLDEN, mix
from strategies.native.hooks import (
    begins_with,
    branches_of,
    child_of,
    count_of,
    kept,
    nth_of,
    outcome_of,
    part_of,
    unit_of,
)
from strategies.native.kernels.control import (
    BEYOND,
    HAS_CHANCE,
    IN_PLAY,
    NARROW,
    ROWS,
    STUCK,
    kernel,
)
from strategies.native.kernels.fixed_depth import search
from strategies.native.memory.floats import INFINITY

STOP, GAMES, MOVES, CUT, DRAWN, LIMIT, LENGTH, WAY = range(8)
"""The cells of a control.

- `STOP`: the flag that ends learning after the current game, or `STUCK`.  (That of the second
  control, `searching`, ends a game at once, and is where its searches poll.)
- `GAMES`, `MOVES`: the numbers of games and moves played; `CUT`: of games that the limit ended.
- `DRAWN`: 1 if such a game counts as a draw, 0 as its estimate; `LIMIT`: the limit in plies.
- `LENGTH`, and from `WAY` on: the plies of the current game, and the branch of each of the first
  `KEPT`, which lead to a position without moves."""
KEPT: Final = 1 << 16
SIZE: Final = WAY + KEPT
"""The number of these cells."""
Sums = tuple[float, float, float, float, float, float]
"""The sums of results and of errors, and for their spread those of results², errors², errors times
moves, and moves²."""


def outcome(game: Game[Any, Any], state: Any) -> float:
    """Value a finished game: a win counts 1, a loss -1, another result its own value."""
    return bounded(float(game.utility(state)))


def bounded(found: float) -> float:
    """Limit a win to 1 and a loss to -1; another value stays as it is."""
    if found >= WIN:
        return 1.0
    return -1.0 if found <= -WIN else found


def result_of(game: Any, last: Any, control: Any) -> float:
    """Value the end of a game, and count it if the limit of plies ended it."""
    if game.status(last) != IN_PLAY:
        return outcome(game, last)
    control[CUT] += 1
    return 0.0 if control[DRAWN] != 0 else bounded(float(game.estimate(last)))


def goes_on(control: Any, searching: Any) -> bool:
    """Return whether a game in play is played on."""
    going: bool = control[LENGTH] < control[LIMIT] and searching[STOP] == 0
    return going


def keep_branch(control: Any, branch: int) -> None:
    """Keep the branch of a ply."""
    ply = control[LENGTH]
    if ply < KEPT:
        control[WAY + ply] = branch
    control[LENGTH] = ply + 1


def random_branch(game: Game[Any, Any], state: Any, word: U64, control: Any) -> int:
    """Draw a branch and keep it; if there is none, return -1 and end the game."""
    count = count_of(game, state)
    if count == 0:
        control[STOP] = STUCK
        return -1
    index = part_of(word, count)
    keep_branch(control, index)
    return index


@kernel
def play_learning(
    game: Any,
    state: Any,
    number: int,
    seed: int,
    rate: float,
    epsilon: float,
    opening: int,
    control: Any,
    searching: Any,
) -> tuple[Any, int, int, float]:
    """Play a game by the best afterstates, and learn unless the rate is 0.

    At the limit of plies it ends in play, and its last position learns nothing from its end.

    The first moves are random, from none to `opening` of them, and so is any move with probability
    `epsilon`; the position before a random move learns nothing from it.  Returns the last position,
    the numbers of moves and chance outcomes, and the sum of the errors.
    """
    word = mix(mix(U64(seed)) + GOLDEN * U64(number + 1))
    here = state
    after = state
    follows = False
    # An earlier afterstate and its target: learned from while weights of the next ones are fetched.
    due, target, waits = state, 0.0, False
    moves, drawn, errors = 0, 0, 0.0
    begin = 0
    if opening > 0:
        word = word + GOLDEN
        begin = begins_with(word, opening)
    control[LENGTH] = 0
    while game.status(here) == IN_PLAY and goes_on(control, searching):
        player = game.player(here)
        if HAS_CHANCE:  # noqa: SIM102 - two tests, so that the compiler can drop the branch
            if player == CHANCE:
                word = word + GOLDEN
                here, index = outcome_of(game, here, unit_of(mix(word)))
                drawn += 1
                keep_branch(control, index)
                continue
        if moves < begin or epsilon > 0.0:
            word = word + GOLDEN
            if moves < begin or unit_of(mix(word)) < epsilon:
                word = word + GOLDEN
                index = random_branch(game, here, word, control)
                if index < 0:
                    break
                here = game.make_move(here, nth_of(game, here, index))
                after = here
                follows = game.status(here) == IN_PLAY
                moves += 1
                continue
        sign = 1.0 if player == MAXIE else -1.0
        best = -float(BEYOND)
        reached = here
        over = False
        index, chosen = 0, -1
        game.net_prefetch(here)
        if waits:
            errors += abs(game.net_revise(due, target, rate))
            waits = False
        for move in kept(branches_of(game, here)):
            child = child_of(game, here, move)
            ends = game.status(child) != IN_PLAY
            value = outcome(game, child) if ends else game.estimate(child)
            if sign * value > best or chosen < 0:
                best = sign * value
                reached = child
                over = ends
                chosen = index
            index += 1  # noqa: SIM113 - as machine code
        if chosen < 0:
            control[STOP] = STUCK
            break
        keep_branch(control, chosen)
        if follows and rate > 0.0:
            due, target, waits = after, sign * best, True
        after = reached
        here = reached
        follows = not over
        moves += 1
    if waits:
        errors += abs(game.net_revise(due, target, rate))
    if follows and rate > 0.0 and game.status(here) != IN_PLAY:
        errors += abs(game.net_revise(after, outcome(game, here), rate))
    return here, moves, drawn, errors


@kernel
def best_branch(game: Any, state: Any) -> int:
    """Return the first branch of a player's position that leads to the best value, -1 if none.

    A win is better than any estimate, and a loss worse.
    """
    sign = 1.0 if game.player(state) == MAXIE else -1.0
    best = -float(BEYOND)
    found, index = -1, -1
    for move in branches_of(game, state):
        index += 1
        child = child_of(game, state, move)
        ends = game.status(child) != IN_PLAY
        value = sign * (float(game.utility(child)) if ends else game.estimate(child))
        if value > best or found < 0:
            best = value
            found = index
    return found


def with_game(sums: Sums, result: float, error: float, moves: float) -> Sums:
    """Add a game to the sums of results and of errors, and to those of their spread."""
    return (
        sums[0] + result,
        sums[1] + error,
        sums[2] + result * result,
        sums[3] + error * error,
        sums[4] + error * moves,
        sums[5] + moves * moves,
    )


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
    searching: Any,
) -> Sums:
    """Play games `first`, `first` + 1, …, and learn; return the sums over them."""
    sums = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for number in range(first, first + count):
        if control[STOP] != 0:
            break
        last, moves, _, error = play_learning(
            game, state, number, seed, rate, epsilon, opening, control, searching
        )
        if control[STOP] == STUCK or (searching[STOP] != 0 and game.status(last) == IN_PLAY):
            break
        sums = with_game(sums, float(result_of(game, last, control)), error, float(moves))
        control[GAMES] += 1
        control[MOVES] += moves
    return sums


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
) -> Sums:
    """Play games `first`, `first` + 1, …, and learn; return the sums over them."""
    sums = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for number in range(first, first + count):
        if control[STOP] != 0:
            break
        last, moves, error = play_returns(
            game, state, number, seed, rate, epsilon, opening, trace, depth, control, searching
        )
        if control[STOP] == STUCK or (searching[STOP] != 0 and game.status(last) == IN_PLAY):
            break
        sums = with_game(sums, float(result_of(game, last, control)), error, float(moves))
        control[GAMES] += 1
        control[MOVES] += moves
    return sums
