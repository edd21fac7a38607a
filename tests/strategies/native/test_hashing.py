"""Hashes tell values apart that are not equal, and only those, on both engines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, Flag, IntEnum
from itertools import combinations
from typing import Any, NamedTuple

import pytest
from attrs import field, frozen, make_class
from hypothesis import given, reject
from hypothesis import strategies as st

from games import Game, Status
from games.u64 import U64
from strategies import (
    alphabeta,
    compile_function,
    endgame_table,
    minimax,
    mtdf,
    perft,
    pvs,
    search,
    solve,
    with_endgame,
)
from strategies.native.hashing import GOLDEN, absorb, class_word
from strategies.native.hooks import hash_of
from strategies.rules.language.messages import Refusal
from tests.properties import examples


@frozen
class Attack:
    by: Any
    seen: Any = field(default=0, eq=False)


@dataclass(frozen=True)
class Defend:
    by: Any


class Card(NamedTuple):
    rank: Any
    suit: Any


class Phase(Enum):
    PLACE = 1
    MOVE = 2


class Side(Enum):
    PLACE = 1
    MOVE = 2


class Level(IntEnum):
    LOW = 0
    HIGH = 1


class Castling(Flag):
    KING = 1
    QUEEN = 2


BIG = 2**63, 2**64 - 1, 2**64, 2**64 + 1, 2**70, 2**128, -(2**63), -(2**63) - 1, -(2**64), 1 << 62
atoms = (
    st.integers(-2, 3)
    | st.sampled_from(BIG)
    | st.sampled_from([0.0, -0.0, 1.0, 2.0, 0.5, -1.0, 2.0**63, float("inf"), 5e-324])
    | st.sampled_from(
        [None, True, False, b"", b"a", b"ab", "", "\0", "\0\0", "a", "ab", "b", U64(-1), U64(1)]
    )
    | st.sampled_from([*Phase, *Side, *Level, *Castling, Castling.KING | Castling.QUEEN])
)


def wholes(parts: Any) -> Any:
    return (
        st.lists(parts, max_size=3).map(tuple)
        | st.frozensets(parts, max_size=2)
        | st.builds(Attack, parts, seen=parts)
        | st.builds(Defend, parts)
        | st.builds(Card, parts, parts)
    )


values = st.recursive(atoms, wholes, max_leaves=5)
ints = st.recursive(st.integers(0, 1), lambda parts: st.lists(parts, max_size=3).map(tuple))
"""Tuples of few ints, of which many have the same ints in the same order."""


@given(st.lists(values | ints, min_size=2, max_size=40))
@examples(200)
def test_equal_values_have_equal_hashes_and_others_different_ones(found: list[Any]) -> None:
    hashes = [absorb(GOLDEN, value) for value in found]
    for (a, of_a), (b, of_b) in combinations(zip(found, hashes, strict=True), 2):
        assert (a == b) == (of_a == of_b), (a, b)


def test_classes_of_one_name_in_two_modules_are_told_apart() -> None:
    pieces = [make_class("Piece", ["at"], frozen=True) for _ in range(3)]
    for piece, module in zip(pieces, ("white", "black", "__mp_main__"), strict=True):
        piece.__module__ = module
    assert len({absorb(GOLDEN, piece(3)) for piece in pieces}) == 3
    pieces[0].__module__ = "__main__"  # as the spawned process calls it
    class_word.cache_clear()
    assert absorb(GOLDEN, pieces[0](3)) == absorb(GOLDEN, pieces[2](3))


@given(st.integers(0), st.integers(0))
@examples(100)
def test_keys_of_any_size_are_told_apart(a: int, b: int) -> None:
    class Keyed(Game[int, int]):
        def key(self, state: int) -> int:
            return state

    keys = {hash_of(Keyed(), key) for key in (a, b, a + 2**64, a + 2**128)}
    assert len(keys) == len({a, b, a + 2**64, a + 2**128})


pytest.importorskip("strategies.native.compiler.rule_forms")  # which says how `absorb` is compiled


def _hash(value: Any) -> U64:
    return absorb(GOLDEN, value)


def _fits(atom: Any) -> bool:
    """Whether compiled code has such a number; the words of texts are filled in by a search."""
    if isinstance(atom, str | bytes):
        return False
    return not isinstance(atom, int) or -(2**63) <= atom < 2**63 or isinstance(atom, U64)


narrow = st.recursive(atoms.filter(_fits), wholes, max_leaves=5)


@given(narrow)
@examples(25)
def test_compiled_hashes_are_those_of_python(value: Any) -> None:
    try:
        found = compile_function(_hash)(value)
    except Refusal:  # as of a record that holds one of its own class
        reject()
    assert found == absorb(GOLDEN, value)


@frozen
class Hands:
    left: tuple[int, ...]
    first: tuple[int, ...] = ()
    second: tuple[int, ...] = ()
    turn: int = 0


@frozen
class Draft(Game[Hands, int]):
    """Two players take from either end of a row; what each has taken is a tuple."""

    row: tuple[int, ...]

    def start(self) -> Hands:
        return Hands(self.row)

    def status(self, state: Hands) -> Status:
        return Status.IN_PLAY if state.left else Status.OVER

    def player(self, state: Hands) -> int:
        return state.turn

    def moves(self, state: Hands) -> Iterator[int]:
        if state.left:
            yield 0
        if len(state.left) > 1:
            yield -1

    def make_move(self, state: Hands, move: int) -> Hands:
        taken = (state.left[move],)
        left = state.left[1:] if move == 0 else state.left[:-1]
        if state.turn == 0:
            return Hands(left, state.first + taken, state.second, 1)
        return Hands(left, state.first, state.second + taken, 0)

    def utility(self, state: Hands) -> int:
        mine = sum(n * (i + 1) for i, n in enumerate(state.first))
        return mine - sum(n * (i + 1) for i, n in enumerate(state.second))

    estimate = utility


def value_of(game: Draft, state: Hands) -> int:
    found = [value_of(game, game.make_move(state, move)) for move in game.moves(state)]
    best = min if state.turn else max
    return best(found) if found else game.utility(state)


@pytest.mark.parametrize("engine", ["interpreted", "native"])
@given(st.lists(st.integers(0, 2), min_size=1, max_size=7))
@examples(10)
def test_searches_with_a_table_find_the_value_where_states_hold_several_tuples(
    engine: Any, row: list[int]
) -> None:
    game = Draft(tuple(row))
    value, plies = value_of(game, game.start()), len(row)
    if engine == "interpreted":  # each of these would be compiled, with the same hash
        for algorithm in (pvs(plies), alphabeta(plies, table="64kB"), mtdf(plies)):
            assert search(game, algorithm, engine=engine).compute(num_workers=1).value == value
        assert solve(game, engine=engine).value == value
        assert endgame_table(game, engine=engine).value(game.start()) == value
    counted = perft(game, plies, engine=engine)
    assert perft(game, plies, table="64kB", engine=engine).total == counted.total


@frozen
class Board(Game[int, int]):
    """Positions are ints, of more than 64 bits if they are shifted by that many."""

    shift: int

    def start(self) -> int:
        return 0

    def status(self, state: int) -> Status:
        return Status.IN_PLAY if state >> self.shift < 6 else Status.OVER

    def player(self, state: int) -> int:
        return (state >> self.shift) % 2

    def moves(self, state: int) -> tuple[int, ...]:
        return (0, 1) if state >> self.shift < 6 else ()

    def make_move(self, state: int, move: int) -> int:
        ply = state >> self.shift
        return (ply + 1 << self.shift) + state % (1 << self.shift) + (move << ply + self.shift - 8)

    def utility(self, state: int) -> int:
        return (state >> self.shift - 8) * 7919 % 17 - 8

    def estimate(self, state: int) -> int:
        return 99


class Keyed(Board):
    def key(self, state: int) -> int:
        return state


@pytest.mark.parametrize(
    ("kind", "shift", "engine"),
    [
        (Board, 20, "interpreted"),
        (Keyed, 20, "native"),
        (Board, 70, "interpreted"),
        (Keyed, 70, "interpreted"),
    ],
)
def test_positions_of_any_number_of_bits_are_told_apart(
    kind: type[Board], shift: int, engine: Any
) -> None:
    game = kind(shift)
    value = search(game, minimax(6), engine="interpreted").compute().value
    counted = perft(game, 6, engine="interpreted").total
    assert perft(game, 6, table="64kB", engine=engine).total == counted
    if engine == "native":  # each of these would be compiled, with the same hash
        return
    assert search(game, pvs(6), engine=engine).compute().value == value
    assert solve(game, engine=engine).value == value
    table = endgame_table(game, engine=engine)
    assert (len(table), table.value(game.start())) == (127, value)
    known = with_endgame(game, table)
    assert search(known, alphabeta(1), engine=engine).compute().value == value
    assert known.status(game.make_move(game.start(), 1)) == Status.OVER
