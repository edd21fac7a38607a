"""For each law of networks, a game that breaks it, as in `faults`."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from games import Game, NTuples, Status
from games.u64 import U64
from tests.games.laws.faults import NOW, breaks
from tests.games.laws.given import Heap, Pile


@breaks("cells_have_weights", NOW)
class CellIsTooHigh(Pile):
    def cell(self, state: Heap, k: int) -> int:
        return 10 if state.left == 5 else state.left

    def network(self) -> NTuples:
        return NTuples(10, ((0,),))


@breaks("cells_have_weights", NOW)
class CellIsNoInt(Pile):
    def cell(self, state: Heap, k: int) -> float:
        return 0.5 if state.left == 5 else state.left

    def network(self) -> NTuples:
        return NTuples(10, ((0,),))


@breaks("cells_have_weights", NOW)
class FamiliarPositionHasNoWeights(Pile):
    def cell(self, state: Heap, k: int) -> int:
        return state.left

    def familiar(self, state: Heap) -> Heap:
        return evolve(state, left=10) if state.left == 5 else state

    def network(self) -> NTuples:
        return NTuples(10, ((0,),))


@breaks("stages_are_counted_from_0", NOW)
class StageIsNegative(Pile):
    def cell(self, state: Heap, k: int) -> int:
        return state.left

    def stage(self, state: Heap) -> int:
        return state.left - 6


@breaks("packed_words_have_the_cells", NOW)
class PackedWordHasOtherCells(Pile):
    def cell(self, state: Heap, k: int) -> int:
        return state.left

    def packed(self, state: Heap) -> U64:
        return U64(0 if state.left == 5 else state.left)

    def network(self) -> NTuples:
        return NTuples(16, ((0,),))


@frozen
class Two:
    left: int
    right: int
    turn: int


@frozen
class TwoPiles(Game[Two, int]):
    """Players take a token from the left or the right pile; an empty pile ends it in a draw."""

    def start(self) -> Two:
        return Two(3, 3, 0)

    def status(self, state: Two) -> Status:
        return Status.IN_PLAY if min(state.left, state.right) > 0 else Status.DRAW

    def player(self, state: Two) -> int:
        return state.turn

    def moves(self, state: Two) -> Iterator[int]:
        yield from range(2 if self.status(state) == Status.IN_PLAY else 0)

    def make_move(self, state: Two, move: int) -> Two:
        return Two(state.left - (move == 0), state.right - (move == 1), 1 - state.turn)

    def estimate(self, state: Two) -> float:
        return 0

    def cell(self, state: Two, k: int) -> int:
        return state.left if k == 0 else state.right

    def network(self) -> NTuples:
        return NTuples(4, ((0, 1),), ((1, 0),))


@breaks("symmetries_are_those_of_the_game", ["0"])
class OnePileIsLocked(TwoPiles):
    def moves(self, state: Two) -> Iterator[int]:
        yield from super().moves(state) if state.left < 3 else (0,)


@breaks("symmetries_are_those_of_the_game", ["0", "0", "0"])
class OnePileIsWorthMore(TwoPiles):
    def utility(self, state: Two) -> float:
        return state.left


@breaks("symmetries_are_those_of_the_game", ["0", "0"])
class OnePileEndsTheGame(TwoPiles):
    def status(self, state: Two) -> Status:
        return Status.IN_PLAY if state.left > 1 and state.right > 0 else Status.DRAW


@frozen
class TwoPilesForTwo(TwoPiles):
    def practice(self) -> TwoPiles:
        return TwoPiles()


@breaks("practice_is_the_game", ["0", "0"])
class PracticeEndsSooner(TwoPilesForTwo):
    def practice(self) -> TwoPiles:
        return OnePileEndsTheGame()


@breaks("practice_is_the_game", [])
class PracticeHasOtherMoves(TwoPilesForTwo):
    def practice(self) -> TwoPiles:
        return OnePileIsLocked()
