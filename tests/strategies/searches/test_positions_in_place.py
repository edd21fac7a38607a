"""A move that changes its position in place is refused wherever a game is used, and no other is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from attrs import define, frozen
from hypothesis import given
from hypothesis import strategies as st

from games import Game, RandomAgent, Status, play
from strategies import (
    RuleFailed,
    alphabeta,
    endgame_table,
    mcts,
    par_list,
    perft,
    search,
    solve,
)
from strategies.players.game_loop import play_out
from tests.properties import examples


@define
class Left:
    n: int


@define
class Hashed:
    n: int

    def __hash__(self) -> int:
        return hash(self.n)


@dataclass(unsafe_hash=True)
class Data:
    n: int


class Plain:
    """It has the equality of its number, and notes what has been asked of it."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.asked = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plain) and self.n == other.n

    def __hash__(self) -> int:
        self.asked += 1
        return hash(self.n)

    def __repr__(self) -> str:
        return f"Plain({self.n})"


class Slotted(Plain):
    __slots__ = ()


@frozen
class Holder:
    part: Any


def of_pair(n: int) -> Any:
    return Hashed(n), "a text"


def of_holder(n: int) -> Any:
    return Holder(Data(n))


FORMS = st.sampled_from([Left, Hashed, Data, Plain, Slotted, of_pair, of_holder])


def inner(state: Any) -> Any:
    return state[0] if isinstance(state, tuple) else getattr(state, "part", state)


@frozen
class Take(Game[Any, int]):
    """Take one or two; from a number on, moves change the position."""

    form: Callable[[int], Any]
    first: int
    in_place: bool
    native = False

    def start(self) -> Any:
        return self.form(self.first)

    def status(self, state: Any) -> Status:
        return Status.IN_PLAY if inner(state).n > 1 else Status.DRAW

    def player(self, state: Any) -> int:
        return int(inner(state).n) % 2

    def moves(self, state: Any) -> Iterator[int]:
        if isinstance(inner(state), Plain):
            hash(inner(state))  # a note is no change
        yield from (1, 2)

    def make_move(self, state: Any, move: int) -> Any:
        if not self.in_place:
            return self.form(inner(state).n - move)
        inner(state).n -= move
        return state

    def key(self, state: Any) -> int:
        return int(inner(state).n)

    def estimate(self, state: Any) -> int:
        return 0


AGENTS = RandomAgent(1), RandomAgent(2)
EVERYWHERE: tuple[Callable[[Any], Any], ...] = (
    lambda game: search(game, alphabeta(4)).compute(),
    lambda game: search(game, alphabeta(4), using=par_list.to_ply(1)).compute(),
    lambda game: search(game, mcts(20)).compute(),
    solve,
    endgame_table,
    lambda game: perft(game, 3),
    lambda game: play(game, *AGENTS),
    lambda game: play_out(game, AGENTS),
)


@examples(80)
@given(FORMS, st.integers(4, 7), st.sampled_from(EVERYWHERE))
def test_a_move_that_changes_its_position_is_refused_everywhere(
    form: Any, first: int, ask: Callable[[Any], Any]
) -> None:
    with pytest.raises(RuleFailed) as raised:
        ask(Take(form, first, True))
    assert f"make_move failed in {form(first)!r}: it changed the position; " in str(raised.value)


@examples(80)
@given(FORMS, st.integers(4, 7), st.sampled_from(EVERYWHERE))
def test_a_move_to_a_new_position_changes_nothing(
    form: Any, first: int, ask: Callable[[Any], Any]
) -> None:
    ask(Take(form, first, False))


def test_the_referee_tells_the_moves_before_and_looks_into_lists() -> None:
    class Later(Take):
        def key(self, state: Any) -> int:
            return int(state[0])

        def start(self) -> Any:
            return [self.first]

        def status(self, state: Any) -> Status:
            return Status.IN_PLAY if state[0] > 0 else Status.DRAW

        def player(self, state: Any) -> int:
            return 0

        def moves(self, state: Any) -> Iterator[int]:
            yield 1

        def make_move(self, state: Any, move: int) -> Any:
            if state[0] > 2:
                return [state[0] - move]
            state[0] -= move
            return state

    with pytest.raises(RuleFailed, match=r"make_move failed after the moves 1 1, in \[2\]: it ch"):
        play(Later(Left, 4, True), *AGENTS)
