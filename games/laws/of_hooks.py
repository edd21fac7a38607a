"""Laws of hooks, the optional rules that make searches faster, and of trees that are no games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from games.game import MAXIE, WIN, win_in
from games.laws import rules
from games.laws.law import (
    AnyGame,
    a_player_moves,
    in_play,
    law_of_positions,
    law_of_states,
    law_of_traces,
    no_chance_moves,
)
from games.laws.of_play import defines
from games.laws.of_states import pickled
from games.laws.of_values import is_number
from games.laws.rules import Broken, Raised, unlike
from games.laws.trace import Trace


def without(*hooks: str) -> Callable[[AnyGame], str]:
    """Return a function that says why the laws of these hooks do not apply."""

    def reason(game: AnyGame) -> str:
        absent = [hook for hook in hooks if not defines(game, hook)]
        return f"the game defines no {absent[0]}" if absent else ""

    return reason


@law_of_positions(without("key"))
def keys_tell_states_apart(game: AnyGame, traces: Sequence[Trace]) -> int:
    """Equal states have equal keys, different states different ones; a key is a 64-bit int.

    The law compares the positions of all plays, those one choice away from them, and those reached
    by other orders of the same moves.
    """
    by_key: dict[int, tuple[Any, Trace, tuple[Any, ...]]] = {}
    by_state: dict[Any, int] = {}
    tested = 0
    for trace in traces:
        try:
            children = rules.children(game, trace.state)
            near = [(trace, (), trace.state), *((trace, (move,), s) for move, s in children)]
            near += [(other, (), other.state) for other in other_orders(trace)]
            for way, then, state in near:
                try:
                    _tell(game, by_key, by_state, way, then, state)
                except Broken as broken:
                    broken.trace = way
                    raise
        except Raised:
            continue
        tested += 1
    return tested


def _tell(
    game: AnyGame,
    by_key: dict[int, tuple[Any, Trace, tuple[Any, ...]]],
    by_state: dict[Any, int],
    way: Trace,
    then: tuple[Any, ...],
    state: Any,
) -> None:
    """Check that the key of a state is unique to it, and its only one.

    Raises: `Broken` if not.
    """
    key = key_of(game, state, then)
    first, before, last = by_key.setdefault(key, (state, way, then))
    if first != state:
        moves = [*before.choices, *last]
        raise Broken(
            f"key to tell it from {first!r}, where the moves {moves!r} lead",
            f"{key} for both, {state!r} and {unlike(state, first)}", then,
        )  # fmt: skip
    if key_of(game, pickled(state), then) != key:
        raise Broken(f"key to be {key} for an equal state again", "another", then)
    if by_state.setdefault(state, key) != key:
        raise Broken(f"key to be {by_state[state]} for an equal state, reached by other moves",
                     f"{key}", then)  # fmt: skip


def other_orders(trace: Trace) -> Iterator[Trace]:
    """Yield the play with its last choice made one or two plies earlier, if that is possible."""
    for back in (1, 2):
        first = trace.plies - 1 - back
        if first < 0:
            return
        choices = list(trace.choices[first:])
        choices[0], choices[-1] = choices[-1], choices[0]
        other = trace.up_to(first)
        for choice in choices:
            made = [make for each, make in rules.options(trace.game, other.state) if each == choice]
            if not made:
                break
            other = other.with_state(choice, made[0]())
        else:
            yield other


def key_of(game: AnyGame, state: Any, then: tuple[Any, ...]) -> int:
    key = rules.ask(game, "key", state)
    if not isinstance(key, int) or not -(2**63) <= key < 2**64:
        raise Broken("key to be an int of 64 bits", repr(key), then)
    return key


@law_of_states(in_play, without("bounds"))
def bounds_hold_the_value(game: AnyGame, state: Any) -> None:
    """Bounds are two numbers, the low one first, and include every result that the player to move
    can reach by one move; results of more moves are not checked."""
    bounds = _pair(rules.ask(game, "bounds", state))
    for move, value in _results(game, state):
        _reach(game, state, bounds, move, value)


@law_of_states(a_player_moves, without("window_bounds"))
def window_bounds_hold_the_value(game: AnyGame, state: Any) -> None:
    """For every window, `window_bounds` are bounds, too; the law tries windows at and beside the
    results of one move."""
    _pair(rules.ask(game, "window_bounds", state, float(-WIN), float(WIN)))
    for move, value in _results(game, state):
        for low in (value - 1, value, value + 1):
            window = float(low), float(low + 1)
            bounds = _pair(rules.ask(game, "window_bounds", state, *window))
            _reach(game, state, bounds, move, value)


def _pair(bounds: Any) -> tuple[float, float]:
    """Return bounds, if they are two numbers in order."""
    pair = isinstance(bounds, tuple) and len(bounds) == 2 and all(map(is_number, bounds))
    if not pair or bounds[0] > bounds[1]:
        raise Broken("bounds to be two numbers, low and high", repr(bounds))
    found: tuple[float, float] = bounds
    return found


def _results(game: AnyGame, state: Any) -> Iterator[tuple[Any, float]]:
    """Yield each move that ends the game, and what it is worth."""
    if rules.chance_moves(game, state):
        return
    for move, child in rules.children(game, state):
        if not rules.in_play(game, child):
            value = rules.ask(game, "utility", child)
            if abs(value) >= WIN:
                value = win_in(1) if value > 0 else -win_in(1)
            yield move, value


def _reach(game: AnyGame, state: Any, bounds: tuple[float, float], move: Any, value: float) -> None:
    """Check that the player to move can have the value of a move within the bounds."""
    maximum = rules.ask(game, "player", state) == MAXIE
    if (bounds[1] < value) if maximum else (bounds[0] > value):
        raise Broken(f"bounds that reach the value {value!r}", repr(bounds), (move,))


@law_of_states(a_player_moves, without("moves_in_play"))
def moves_in_play_are_the_moves(game: AnyGame, state: Any) -> None:
    """In play, `moves_in_play` yields the same moves as `moves`, in the same order."""
    found, legal = rules.ask(game, "moves_in_play", state), rules.moves(game, state)
    if tuple(found) != legal:
        raise Broken(f"the moves {legal!r}", f"{tuple(found)!r}")


@law_of_states(a_player_moves, without("children"))
def children_are_what_moves_make(game: AnyGame, state: Any) -> None:
    """In play, `children` yields each move in order, with the position that `make_move` returns."""
    found, made = rules.ask(game, "children", state), rules.children(game, state)
    if found != made:
        raise Broken(f"the moves and positions {made!r}", unlike(made, found))


@law_of_states(a_player_moves, without("nth_move"))
def nth_moves_are_the_moves(game: AnyGame, state: Any) -> None:
    """In play, `count_moves` returns the number of moves, and `nth_move` each move by its index."""
    legal = rules.moves(game, state)
    count = rules.ask(game, "count_moves", state)
    if count != len(legal):
        raise Broken(f"count_moves to be {len(legal)}", repr(count))
    for n, move in enumerate(legal):
        found = rules.ask(game, "nth_move", state, n)
        if found != move:
            raise Broken(f"move {n} to be {move!r}", repr(found))


@law_of_states(a_player_moves, without("rollout_moves"))
def rollout_moves_are_moves(game: AnyGame, state: Any) -> None:
    """In play, there is a rollout move, and all rollout moves are legal; some may be repeated."""
    drawn, legal = rules.ask(game, "rollout_moves", state), rules.moves(game, state)
    if not drawn:
        raise Broken("a rollout move, as the position is in play", "none")
    foreign = [move for move in drawn if move not in legal]
    if foreign:
        raise Broken("rollout moves that are legal", f"{foreign!r}")


@law_of_states(a_player_moves, without("candidates"))
def candidates_are_moves(game: AnyGame, state: Any) -> None:
    """The candidates of a position are some of its moves, at least one, none repeated."""
    candidates, legal = rules.ask(game, "candidates", state), rules.moves(game, state)
    if not candidates:
        raise Broken("a candidate, as the position is in play", "none")
    foreign = [move for move in candidates if move not in legal]
    if foreign:
        raise Broken("candidates that are legal moves", f"{foreign!r}")
    if len(set(candidates)) != len(candidates):
        raise Broken("each candidate once", f"{candidates!r}")


@law_of_states(a_player_moves, without("bounds", "candidates", "candidate_bounds"))
def candidate_bounds_are_bounds(game: AnyGame, state: Any) -> None:
    """If the bounds of a position leave its value open, its candidate bounds overlap them; those of
    a candidate that ends the game are its value."""
    low, high = rules.ask(game, "bounds", state)
    if low == high:
        return
    least, most = rules.ask(game, "candidate_bounds", state)
    if not (least <= most and least <= high and most >= low):
        raise Broken(f"candidate bounds that meet {low!r} to {high!r}", f"{least!r} to {most!r}")
    for move in rules.ask(game, "candidates", state):
        child = rules.ask(game, "make_move", state, move)
        if not rules.in_play(game, child):
            value = rules.ask(game, "utility", child)
            if abs(value) >= WIN:
                value = win_in(0) if value > 0 else -win_in(0)
            found = rules.ask(game, "candidate_bounds", child)
            if tuple(found) != (value, value):
                raise Broken(f"the bounds of a result, {value!r}", repr(found), (move,))


@law_of_states(a_player_moves, without("prior"))
def priors_are_weights(game: AnyGame, state: Any) -> None:
    """In play, the prior of each move is a finite number of 0 or more."""
    for move in rules.moves(game, state):
        prior = rules.ask(game, "prior", state, move)
        if not is_number(prior) or not 0 <= prior <= WIN:
            raise Broken(f"a prior of {move!r} of 0 or more", repr(prior))


@law_of_states(no_chance_moves, without("promise"))
def promises_are_numbers(game: AnyGame, state: Any) -> None:
    """The promise of a position is a number, also at the end, and so is its learned promise."""
    for hook in "promise", "learned_promise":
        if defines(game, hook) and not is_number(promise := rules.ask(game, hook, state)):
            raise Broken(f"{hook} to be a number", repr(promise))


@law_of_traces(without("measure", "combine"))
def combining_is_associative(game: Any, trace: Trace) -> int:
    """Measures of three nodes combine to the same result, whichever two are combined first."""
    measures = [game.measure(state) for state in trace.states]
    tested = 0
    for a, b, c in zip(measures, measures[1:], measures[2:], strict=False):
        left = game.combine(game.combine(a, b), c)
        right = game.combine(a, game.combine(b, c))
        if left != right and not _rounded(left, right):
            raise Broken(f"{left!r}, as the first two were combined first", f"{right!r}")
        tested += 1
    return tested


def _rounded(left: Any, right: Any) -> bool:
    """Return whether two floats differ only by rounding."""
    numbers = isinstance(left, float) and isinstance(right, float)
    return numbers and abs(left - right) <= 1e-9 * max(abs(left), abs(right))


def unsorted(game: AnyGame) -> str:
    """Return why the law of sorted bounds does not apply to a game."""
    return "" if getattr(game, "sorted_bounds", False) else "the game does not say sorted_bounds"


@law_of_states(a_player_moves, unsorted)
def sorted_bounds_never_rise(game: AnyGame, state: Any) -> None:
    """With `sorted_bounds`, no branch has a greater upper bound than a branch to its left."""
    children = rules.children(game, state)
    most = [rules.ask(game, "bounds", child)[1] for _, child in children]
    for n, (left, right) in enumerate(pairwise(most), 1):
        if right > left:
            raise Broken(f"an upper bound of at most {left!r} at branch {n}", f"{right!r}")
