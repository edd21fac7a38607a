"""Laws of states and of the game as values: immutable, comparable, hashable, picklable."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from copy import deepcopy
from enum import Enum
from typing import Any

from games.answers import answers
from games.fields import record_fields
from games.laws import rules
from games.laws.law import (
    AnyGame,
    NotMet,
    a_player_moves,
    chance_moves,
    law_of_positions,
    law_of_states,
    law_of_traces,
)
from games.laws.of_play import no_chance
from games.laws.plays import written
from games.laws.rules import Broken, Raised, unlike
from games.laws.trace import Trace
from games.mutable import changed, mutable_parts
from games.u64 import U64

ALIKE = (
    "status", "player", "moves", "estimate", "utility", "bounds", "candidates", "candidate_bounds",
    "window_bounds", "near_end", "promise", "learned_promise",
)  # fmt: skip
"""The rules that may not tell equal states apart."""
PARTS = U64, bool, float, str, type(None), Enum
"""What a state may hold besides ints."""
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
    """A state is immutable: no field can be set, and no part is a list, dict, set or array."""
    for path, part in mutable_parts(state):
        raise Broken(f"{path} to be immutable", f"a {type(part).__name__}")
    for name, _ in record_fields(state) or ():
        try:
            setattr(state, name, getattr(state, name))
        except AttributeError:  # frozen, by attrs or as a dataclass
            continue
        raise Broken(f"field {name} to be frozen", "it can be set")


@law_of_states(unless=interpreted_only)
def states_are_words(game: AnyGame, state: Any) -> None:
    """A state is made of 64-bit ints, words, floats, texts, None, members of enumerations, and
    tuples, frozensets or frozen classes of them."""
    for path, part in parts(state, type(state).__name__):
        if isinstance(part, int) and not isinstance(part, (U64, bool)):
            if not LOWEST <= part <= HIGHEST:
                raise Broken(f"{path} to fit in 64 bits", f"{int(part)}, an error when compiled")
        elif not isinstance(part, PARTS):
            raise Broken(f"{path} to be a number, a text, None, or a tuple of them", repr(part))


@law_of_states(a_player_moves)
def make_move_is_pure(game: AnyGame, state: Any) -> None:
    """A move leaves the old position unchanged, and made again leads to an equal position."""
    before, held = deepcopy(state), contents(state)
    for move in rules.moves(game, state):
        once = rules.ask(game, "make_move", state, move)
        unchanged(before, state, held, f"make_move({move!r})", (move,))
        again = rules.ask(game, "make_move", state, move)
        if once != again:
            raise Broken(f"{once!r} again", unlike(once, again), (move,))


@law_of_states(chance_moves, no_chance)
def outcomes_are_pure(game: AnyGame, state: Any) -> None:
    """Calling `outcomes` leaves the position unchanged, and called again it returns the same."""
    before, held = deepcopy(state), contents(state)
    once = rules.outcomes(game, state)
    unchanged(before, state, held, "outcomes", ())
    again = rules.outcomes(game, state)
    if once != again:
        raise Broken(f"outcomes {once!r} again", unlike(once, again))


@law_of_positions()
def equal_states_answer_alike(game: AnyGame, traces: Sequence[Trace]) -> int:
    """States that are equal, reached by different moves, have the same status, player, moves,
    estimate, utility and hooks, and lead to equal states.

    A field that ``==`` ignores must follow from the others.
    """
    first: dict[Any, tuple[Trace, Any]] = {}
    for trace in traces:
        try:
            known, state = first.setdefault(trace.state, (trace, trace.state))
            if written(state) != written(trace.state):
                _compare(game, known, state, trace)
        except Raised:
            continue
        except TypeError as error:
            if "unhashable" not in str(error):
                raise
            raise NotMet(f"states have no hash: {error}") from error
    return len(traces)


def _compare(game: AnyGame, known: Trace, state: Any, trace: Trace) -> None:
    said, again = answers(game, state, ALIKE), answers(game, trace.state, ALIKE)
    for rule in said.keys() | again.keys():
        one, other = said.get(rule), again.get(rule)
        if one is None or other is None or one.plain != other.plain:
            texts = [answer.text if answer else "no answer" for answer in (one, other)]
            _differ(rule, texts, known, state, trace)
    near, far = rules.children(game, state), rules.children(game, trace.state)
    if near != far:
        _differ("the next positions", [repr(near), repr(far)], known, state, trace)


def _differ(rule: str, texts: list[str], known: Trace, state: Any, trace: Trace) -> None:
    """Raise `Broken`: a rule answers differently in two equal states."""
    unlike = [
        path
        for (path, one), (_, other) in zip(
            parts(state, type(state).__name__), parts(trace.state, type(state).__name__),
            strict=False,
        )
        if one is not other and one != other
    ]  # fmt: skip
    fields = f"; {unlike[0]} differs, so == must compare it" if unlike else ""
    broken = Broken(
        f"{rule} to be {texts[0]}, as in the equal state to which the moves "
        f"{list(known.choices)!r} lead",
        texts[1] + fields,
    )
    broken.trace = trace
    raise broken


# What the laws share ------------------------------------------------------------------------------


def contents(state: Any) -> list[tuple[str, Any, bytes]]:
    """Return the parts of a state that can be changed in place, and what they hold."""
    return [(path, part, written(part)) for path, part in mutable_parts(state)]


def unchanged(
    before: Any, state: Any, held: list[tuple[str, Any, bytes]], rule: str, then: tuple[Any, ...]
) -> None:
    for path, part, was in held:
        if written(part) != was:
            raise Broken(f"{rule} to leave {before!r} as it was", changed(path, part), then)
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
    """Return the numbers and texts of a state, each with its path."""
    if fields := record_fields(value):
        return [p for n, _ in fields for p in parts(getattr(value, n), f"{path}.{n}")]
    if isinstance(value, (tuple, frozenset)):
        return [p for i, v in enumerate(value) for p in parts(v, f"{path}[{i}]")]
    return [(path, value)]
