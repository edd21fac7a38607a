"""Moves may be any objects, including None, which can mean a pass."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, IntEnum, IntFlag
from typing import Any

import pytest
from attrs import field, frozen
from hypothesis import given
from hypothesis import strategies as st

from games import Game, RandomAgent, Status, play
from games.u64 import U64
from strategies import alphabeta, engine_for, jamboree, minimax, mtdf, par_list, pvs, search
from strategies.native.hooks import number_of
from strategies.native.kernels.fixed_depth import branch
from strategies.native.verification.parity import nth_move, parity
from tests.properties import examples

MOVES = (None, 0, {"take": 1})


@frozen
class Place:
    x: int
    ply: int


@frozen
class AnyMoves(Game[Place, Any]):
    """A game with three moves, the first of which is None."""

    salt: int = 0

    def start(self) -> Place:
        return Place(3, 0)

    def status(self, state: Place) -> Status:
        return Status.OVER if state.ply == 5 else Status.IN_PLAY

    def player(self, state: Place) -> int:
        return state.ply % 2

    def moves(self, state: Place) -> Any:
        yield from MOVES if state.ply < 5 else ()

    def make_move(self, state: Place, move: Any) -> Place:
        return Place(3 * state.x + 1 + MOVES.index(move), state.ply + 1)

    def estimate(self, state: Place) -> int:
        return self.utility(state)

    def utility(self, state: Place) -> int:
        return state.x * (37 + self.salt) % 11


@pytest.mark.parametrize("salt", range(2))
@pytest.mark.parametrize(
    ("algorithm", "using"),
    [
        (alphabeta(5), jamboree(0.5).to_ply(2)),
        (pvs(5), par_list.to_ply(1)),
        (mtdf(5), par_list.to_ply(1)),
    ],
    ids=repr,
)
def test_a_move_may_be_none(salt: int, algorithm: Any, using: Any) -> None:
    game = AnyMoves(salt)
    plain = search(game, minimax(5), engine="interpreted").compute()
    found = search(game, algorithm, using=using, engine="interpreted").compute()
    assert (found.move, found.value) == (plain.move, plain.value)


def test_none_is_read_and_played() -> None:
    game = AnyMoves()
    assert game.parse_move(game.start(), "None") is None
    record = play(game, RandomAgent(3), RandomAgent(4))
    assert "None" in record.turns
    assert record.status == Status.OVER


class Coin(IntEnum):
    TWO = 2
    ONE = 1


class Token(Enum):
    TWO = 2
    ONE = 1


class Bits(IntFlag):
    LOW = 1
    HIGH = 2


@frozen
class Take:
    many: int


@frozen
class Noted:
    many: int
    note: Any = field(default=range(3), eq=False)


MIXED: dict[str, tuple[Any, Any]] = {
    "none": (2, None),
    "text": ("two", 1),
    "bool": (2.0, True),
    "word": (U64(2), 1),
    "member": (Coin.TWO, 1),
    "other member": (Token.TWO, Coin.ONE),
    "flag": (Bits.HIGH, (1,)),
    "record": (Take(2), 1),
    "bytes": (b"two", b"one"),
    "record with a note": (Noted(2), Noted(1)),
    "function": (len, 1),
    "set": (frozenset((2, 3)), 1),
    "two of one kind": (Token.TWO, Token.ONE),
}


@frozen
class Piles(Game[Any, Any]):
    """Take one or two stones from the last pile; moves are of two kinds."""

    kind: str
    piles: int = 3

    def start(self) -> Any:
        return 5, self.piles, 0

    def status(self, state: Any) -> Status:
        return Status.IN_PLAY if state[1] else Status.OVER

    def player(self, state: Any) -> int:
        return int(state[2])

    def moves(self, state: Any) -> Iterator[Any]:
        two, one = MIXED[self.kind]
        if state[0] > 1:
            yield two
        yield one

    def make_move(self, state: Any, move: Any) -> Any:
        left = state[0] - (2 if move == MIXED[self.kind][0] else 1)
        return (left, state[1], 1 - state[2]) if left else (5, state[1] - 1, 1 - state[2])

    def utility(self, state: Any) -> int:
        return 1 - 2 * int(state[2])

    def estimate(self, state: Any) -> int:
        return (5 * int(state[0]) + 3 * int(state[1])) % 7 - 3


@pytest.mark.parametrize("kind", MIXED)
def test_move_ordering_numbers_moves_of_several_kinds_as_python_does(kind: str) -> None:
    game = Piles(kind)
    native, interpreted = (
        [
            engine_for(game, engine).call(kernel, game.start(), index)
            for index in (0, 1)
            for kernel in (nth_move, branch)
        ]
        for engine in ("native", "interpreted")
    )
    assert native == interpreted


@pytest.mark.long
@pytest.mark.parametrize("kind", MIXED)
def test_both_engines_search_moves_of_several_kinds(kind: str) -> None:
    game = Piles(kind)
    assert kind == "none" or parity(game, playouts=2) > 0
    for depth in 5, 9:
        for algorithm in pvs(depth), alphabeta(depth, table="64kB"):
            fast, slow = (
                search(game, algorithm, engine=engine).compute()
                for engine in ("native", "interpreted")
            )
            assert (fast.value, fast.nodes) == (slow.value, slow.nodes)


@frozen
class Named(Game[Any, Any]):
    """A tree of random values in which the same moves return in any order, called by any names."""

    names: tuple[Any, ...]
    seed: int = 0

    def start(self) -> Any:
        return 0, 0, 0

    def status(self, state: Any) -> Status:
        return Status.IN_PLAY if state[0] < 5 else Status.OVER

    def player(self, state: Any) -> int:
        return int(state[1])

    def moves(self, state: Any) -> Iterator[Any]:
        for k in range(4):
            yield self.names[(state[2] // 3 + 3 * k) % len(self.names)]

    def make_move(self, state: Any, move: Any) -> Any:
        made = 0
        for k in range(len(self.names)):
            if self.names[k] == move:
                made = k
        return state[0] + 1, 1 - state[1], (state[2] * 5 + made * 97 + self.seed) % 1009

    def utility(self, state: Any) -> int:
        return int(state[2]) % 9

    def estimate(self, state: Any) -> int:
        return int(state[2]) % 7


SQUARES = Enum("SQUARES", "a b c d e f g h")
NAMED: dict[str, tuple[Any, ...]] = {
    "tuple": tuple((k // 3, k % 3) for k in range(8)),
    "record": tuple(map(Take, range(8))),
    "text": tuple("abcdefgh"),
    "member": tuple(SQUARES),
    "float": tuple(k + 0.5 for k in range(8)),
    "set": tuple(frozenset((k, k + 1)) for k in range(8)),
    "none": (None, *range(1, 8)),
    "several": (0, (1,), "c", 3, (4,), "f", 6, (7,)),
}


def searched(kind: str, seed: int, engine: str) -> None:
    named, plain = Named(NAMED[kind], seed), Named(tuple(range(8)), seed)
    for algorithm in pvs(5), alphabeta(5, table="64kB"):
        found, wanted = (
            search(game, algorithm, engine=engine).compute()
            for game, engine in ((named, engine), (plain, "interpreted"))
        )
        assert (found.value, found.nodes) == (wanted.value, wanted.nodes)
        assert named.names.index(found.move) == wanted.move


@pytest.mark.parametrize("kind", NAMED)
@given(st.integers(0, 999))
@examples(2)
def test_killers_and_history_know_a_move_by_what_it_is(kind: str, seed: int) -> None:
    """A search visits the same nodes whatever its moves are called."""
    named = Named(NAMED[kind], seed)
    assert len({number_of(named, move, 0) for move in named.names}) == 8
    searched(kind, seed, "interpreted")


@pytest.mark.parametrize("kind", NAMED)
def test_machine_code_numbers_moves_as_python_does(kind: str) -> None:
    game = Named(NAMED[kind])
    found = [engine_for(game, "native").call(nth_move, game.start(), k) for k in range(4)]
    assert found == [
        (move, number_of(game, move, k)) for k, move in enumerate(game.moves(game.start()))
    ]


COMPILED = "none", "several"
"""The kinds of moves that lie otherwise than one value; for the others machine code differs from
that of other games in the numbers of the moves alone."""


@pytest.mark.parametrize(
    "kind", [k if k in COMPILED else pytest.param(k, marks=pytest.mark.long) for k in NAMED]
)
def test_machine_code_visits_the_same_nodes_whatever_moves_are_called(kind: str) -> None:
    searched(kind, 7, "native")
