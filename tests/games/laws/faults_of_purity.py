"""For each law of purity, of progress and of keys, a game that breaks it, as in `faults`."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from attrs import field, frozen

from games import MAXIE, Game, Status
from tests.games.laws.faults import NOW, breaks, counter
from tests.games.laws.given import Heap, Pile, WindyPile


@breaks("answers_are_fixed", NOW)
class EstimateIsRandom(Pile):
    native: ClassVar[bool] = False
    times: ClassVar[Iterator[int]] = counter()

    def estimate(self, state: Heap) -> float:
        return next(self.times) % 3 if state.left == 5 else 0


@breaks("answers_are_fixed", NOW)
class PromiseAlternates(Pile):
    times: ClassVar[Iterator[int]] = counter()

    def promise(self, state: Heap) -> float:
        return next(self.times) % 2 if state.left == 5 else 0


@breaks("answers_are_fixed", NOW)
class PictureShowsTheClock(Pile):
    times: ClassVar[Iterator[int]] = counter()

    def show(self, state: Heap) -> str:
        return str(next(self.times)) if state.left == 5 else ""


@breaks("answers_keep_in_any_order", ["1"])
class EstimateRemembers(Pile):
    """An estimate that remembers the first position with Minnie to move that it was called for."""

    seen: ClassVar[dict[int, int]] = {}

    def estimate(self, state: Heap) -> float:
        lowest = self.seen[0] = min(self.seen.get(0, 9), state.left)
        return lowest if state.left == 8 else 0


@breaks("answers_keep_in_a_fresh_process", [])
class MovesOfASetOfTexts(Pile):
    native: ClassVar[bool] = False

    def moves(self, state: Heap) -> Iterator[Any]:
        yield from {"one", "two", "three"} if state.left > 2 else {"one"} if state.left else ()

    def make_move(self, state: Heap, move: Any) -> Heap:
        return super().make_move(state, ["one", "two", "three"].index(move) + 1)

    def candidates(self, state: Heap) -> Iterator[Any]:
        yield from self.moves(state)


@breaks("answers_keep_in_a_fresh_process", NOW)
class EstimateHashesTexts(Pile):
    def estimate(self, state: Heap) -> float:
        return hash("five") % 100 if state.left == 5 else 0


@frozen
class Unbounded(Pile):
    """A pile that does not limit the length of its plays."""

    max_plies = None  # type: ignore[assignment]


@breaks("moves_make_progress", [*NOW, "0"])
class AMoveChangesNothing(Unbounded):
    def moves(self, state: Heap) -> Iterator[int]:
        yield from super().moves(state)
        if state.left == 5:
            yield 0

    def make_move(self, state: Heap, move: int) -> Heap:
        return super().make_move(state, move) if move else state


@frozen
class Place:
    """A place on a ring."""

    at: int


@breaks("play_comes_to_an_end", [])
class PlayGoesRound(Game[Place, int]):
    """A ring of three places, from which no step leads out."""

    def start(self) -> Place:
        return Place(0)

    def status(self, state: Place) -> Status:
        return Status.IN_PLAY

    def player(self, state: Place) -> int:
        return MAXIE

    def moves(self, state: Place) -> Iterator[int]:
        yield 1

    def make_move(self, state: Place, move: int) -> Place:
        return Place((state.at + 1) % 3)

    def estimate(self, state: Place) -> float:
        return 0


@breaks("moves_make_progress", ["1", "chance:0"])
class TheWindBlowsForEver(WindyPile):
    max_plies = None  # type: ignore[assignment]

    def outcomes(self, state: Heap) -> Iterator[tuple[float, Heap]]:
        yield 1, state


@breaks("play_comes_to_an_end", NOW)
class FiveIsATrap(Unbounded):
    """With five tokens left, moves are counted but take none."""

    def make_move(self, state: Heap, move: int) -> Heap:
        if state.left == 5:
            return Heap(5, 1 - state.turn, (0, 0, state.past[2] + 1))
        return super().make_move(state, move)


@frozen
class Listed(Heap):
    """A heap with a list outside its identity."""

    taken: list[int] = field(factory=list, eq=False)


@breaks("make_move_is_pure", ["1", "3", "1"])
class AListIsChanged(Pile):
    """Moves are appended to a list that all positions of a play share."""

    native: ClassVar[bool] = False

    def start(self) -> Heap:
        return Listed(self.size, MAXIE)

    def make_move(self, state: Any, move: int) -> Heap:
        if state.left == 5:
            state.taken.append(move)
        return Listed(state.left - move, 1 - state.turn, (*state.past[1:], move), state.taken)


@frozen
class Counted(Heap):
    """A heap that counts on in a field outside its identity."""

    count: int = field(default=0, eq=False)


@frozen
class Forgetful(Pile):
    """A pile whose states forget the past, except for what they count."""

    key = None  # type: ignore[assignment]

    def start(self) -> Heap:
        return Counted(self.size, MAXIE)

    def make_move(self, state: Any, move: int) -> Heap:
        return Counted(state.left - move, 1 - state.turn, (0, 0, 0), 2 * state.count + move)


@breaks("equal_states_answer_alike", ["2", "1"])
class EstimateReadsWhatEqualityIgnores(Forgetful):
    def estimate(self, state: Any) -> float:
        return state.count % 50 if state.left == 6 else 0


@dataclass(frozen=True)
class Tallied:
    """A heap as a dataclass, with a field outside its identity."""

    left: int
    turn: int
    count: int = dataclasses.field(default=0, compare=False)


class Noted(NamedTuple):
    """A heap as a tuple, with an equality of its own."""

    left: int
    turn: int
    count: int = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Noted) and self[:2] == other[:2]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:2])


@breaks("equal_states_answer_alike", ["2", "1"])
class EstimateReadsWhatADataclassIgnores(EstimateReadsWhatEqualityIgnores):
    heap: ClassVar[Any] = Tallied

    def start(self) -> Any:
        return self.heap(self.size, MAXIE)

    def make_move(self, state: Any, move: int) -> Any:
        return self.heap(state.left - move, 1 - state.turn, 2 * state.count + move)


@breaks("equal_states_answer_alike", ["2", "1"])
class EstimateReadsWhatATupleIgnores(EstimateReadsWhatADataclassIgnores):
    heap = Noted


@breaks("equal_states_answer_alike", ["3", "2", "1"])
class MovesReadWhatEqualityIgnores(Forgetful):
    def moves(self, state: Any) -> Iterator[int]:
        yield from (1, 2) if state.left == 3 and state.count > 12 else super().moves(state)


@breaks("equal_states_answer_alike", ["2", "1"])
class PromiseReadsWhatAKeyDrops(Pile):
    """States whose past is compared by its length."""

    key = None  # type: ignore[assignment]

    def start(self) -> Heap:
        return Keyed(self.size, MAXIE)

    def make_move(self, state: Any, move: int) -> Heap:
        return Keyed(state.left - move, 1 - state.turn, (*state.past[1:], move))

    def promise(self, state: Heap) -> float:
        return state.past[1] * (state.left == 6)


@frozen
class Keyed(Heap):
    past: tuple[int, int, int] = field(default=(0, 0, 0), eq=len)


@breaks("keys_tell_states_apart", ["2", "1"])
class KeysAreBlindToOrder(Pile):
    """A key of the tokens and the player only, which plays with reordered moves share."""

    def key(self, state: Heap) -> int:
        return state.left * 2 + state.turn
