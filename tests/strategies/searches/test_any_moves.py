"""Moves may be any objects, including None, which can mean a pass."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, IntEnum, IntFlag
from typing import Any

import pytest
from attrs import frozen

from games import Game, RandomAgent, Status, play
from games.u64 import U64
from strategies import alphabeta, engine_for, jamboree, minimax, mtdf, par_list, pvs, search
from strategies.native.kernels.fixed_depth import branch
from strategies.native.verification.parity import nth_move, parity

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


MIXED: dict[str, tuple[Any, Any]] = {
    "none": (2, None),
    "text": ("two", 1),
    "bool": (2.0, True),
    "word": (U64(2), 1),
    "member": (Coin.TWO, 1),
    "other member": (Token.TWO, Coin.ONE),
    "flag": (Bits.HIGH, (1,)),
    "record": (Take(2), 1),
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


@pytest.mark.parametrize(
    "kind", ["none", *(pytest.param(k, marks=pytest.mark.long) for k in MIXED if k != "none")]
)
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
