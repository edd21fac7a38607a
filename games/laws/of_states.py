"""Laws of states and of the game as values: immutable, comparable, hashable, picklable."""

from __future__ import annotations

import pickle
from copy import deepcopy
from enum import Enum
from typing import Any

import attrs

from games.laws import rules
from games.laws.law import AnyGame, a_player_moves, chance_moves, law_of_states, law_of_traces
from games.laws.of_play import no_chance
from games.laws.rules import Broken, unlike
from games.laws.trace import Trace
from games.u64 import U64

LOWEST, HIGHEST = -(2**63), 2**63 - 1


def interpreted_only(game: AnyGame) -> str:
    """Return why laws of compiled rules do not apply."""
    return "" if game.native else "the rules are never compiled (native = False)"


@law_of_traces()
def start_is_fixed(game: AnyGame, trace: Trace) -> int:
    """The game always starts in the same position."""
    again = rules.ask(game, "start")
    if again != trace.states[0]:
        raise Broken(f"{trace.states[0]!r} again", unlike(trace.states[0], again))
    return 1


@law_of_traces()
def game_is_a_value(game: AnyGame, trace: Trace) -> int:
    """A game equals its copy through pickle, hashes like it, and has a repr that describes it."""
    copy = pickled(game)
    if copy != game:
        raise Broken(f"a copy equal to {game!r}", unlike(game, copy))
    if hash_of(copy) != hash_of(game):
        raise Broken("equal games to have one hash", f"{hash(game)} and {hash(copy)}")
    if " at 0x" in repr(game):
        raise Broken("a repr that says what the game is", repr(game))
    return 1


@law_of_states()
def states_are_values(game: AnyGame, state: Any) -> None:
    """A state equals its copy through pickle and hashes like it."""
    copy = pickled(state)
    if copy != state:
        raise Broken(f"a copy equal to {state!r}", unlike(state, copy))
    if hash_of(copy) != hash_of(state):
        raise Broken("equal states to have one hash", f"{hash(state)} and {hash(copy)}")


@law_of_states(a_player_moves)
def moves_are_values(game: AnyGame, state: Any) -> None:
    """A move equals its copy through pickle."""
    for move in rules.moves(game, state):
        copy = pickled(move)
        if copy != move:
            raise Broken(f"a copy equal to {move!r}", unlike(move, copy))


@law_of_states(unless=interpreted_only)
def states_are_frozen(game: AnyGame, state: Any) -> None:
    """A state is a frozen attrs class: no field can be set."""
    if not attrs.has(type(state)):
        raise Broken("a state of a frozen attrs class", f"{type(state).__name__}")
    for field in attrs.fields(type(state)):
        try:
            setattr(state, field.name, getattr(state, field.name))
        except attrs.exceptions.FrozenInstanceError:
            continue
        raise Broken(f"field {field.name} to be frozen", "it can be set")


@law_of_states(unless=interpreted_only)
def states_are_words(game: AnyGame, state: Any) -> None:
    """A state is made of 64-bit ints, words, floats, and tuples or frozen classes of them."""
    for path, part in parts(state, type(state).__name__):
        if isinstance(part, int) and not isinstance(part, (U64, bool)):
            if not LOWEST <= part <= HIGHEST:
                raise Broken(f"{path} to fit in 64 bits", f"{int(part)}, which wraps when compiled")
        elif not isinstance(part, (U64, bool, float)):
            raise Broken(f"{path} to be an int, a U64, a float, or a tuple of them", repr(part))


@law_of_traces(interpreted_only)
def states_have_one_shape(game: AnyGame, trace: Trace) -> int:
    """Every state has the same parts as the first: the same types, tuples of the same length."""
    name = type(trace.states[0]).__name__
    first = {path: kind(part) for path, part in parts(trace.states[0], name)}
    for ply, state in enumerate(trace.states):
        here = {path: kind(part) for path, part in parts(state, type(state).__name__)}
        for path in first | here:
            expected, got = first.get(path, "missing"), here.get(path, "missing")
            if expected != got:
                broken = Broken(f"{path} to be {expected}, as at the start", got)
                broken.ply = ply
                raise broken
    return len(trace.states)


@law_of_states(a_player_moves)
def make_move_is_pure(game: AnyGame, state: Any) -> None:
    """A move leaves the old position unchanged, and made again leads to an equal position."""
    before = deepcopy(state)
    for move in rules.moves(game, state):
        once = rules.ask(game, "make_move", state, move)
        unchanged(before, state, f"make_move({move!r})", (move,))
        again = rules.ask(game, "make_move", state, move)
        if once != again:
            raise Broken(f"{once!r} again", unlike(once, again), (move,))


@law_of_states(chance_moves, no_chance)
def outcomes_are_pure(game: AnyGame, state: Any) -> None:
    """Calling `outcomes` leaves the position unchanged, and called again it returns the same."""
    before = deepcopy(state)
    once = rules.outcomes(game, state)
    unchanged(before, state, "outcomes", ())
    again = rules.outcomes(game, state)
    if once != again:
        raise Broken(f"outcomes {once!r} again", unlike(once, again))


# What the laws share ------------------------------------------------------------------------------


def unchanged(before: Any, state: Any, rule: str, then: tuple[Any, ...]) -> None:
    if before != state or hash_of(before) != hash_of(state):
        raise Broken(f"{rule} to leave {before!r} as it was", unlike(before, state), then)


def hash_of(value: Any) -> int:
    try:
        return hash(value)
    except TypeError as error:
        raise Broken(f"{type(value).__name__} to have a hash", f"{error}") from error


def pickled(value: Any) -> Any:
    try:
        return pickle.loads(pickle.dumps(value))
    except Exception as error:
        raise Broken(
            f"{value!r} to survive pickling", f"{type(error).__name__}: {error}"
        ) from error


def parts(value: Any, path: str) -> list[tuple[str, Any]]:
    """Return the numbers of a state, each with its path."""
    if attrs.has(type(value)):
        names = [field.name for field in attrs.fields(type(value))]
        return [p for n in names for p in parts(getattr(value, n), f"{path}.{n}")]
    if isinstance(value, tuple):
        return [p for i, v in enumerate(value) for p in parts(v, f"{path}[{i}]")]
    return [(path, value)]


def kind(part: Any) -> str:
    """Return the type of a part in machine code."""
    for name, types in (("U64", U64), ("bool", bool), ("int", (int, Enum)), ("float", float)):
        if isinstance(part, types):
            return name
    return type(part).__name__
