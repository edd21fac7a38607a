"""For each law of play and of states, a game that breaks it and the shortest moves that show it.

The piles have 9 tokens. A fault shows when 5 are left, so after the moves 1 and 3.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from typing import Any, ClassVar

from attrs import define, evolve, field, frozen

from games import CHANCE, MAXIE, MINNIE, Game
from tests.games.laws.given import Heap, Pile, WindyPile

NOW = ["1", "3"]
FAULTS: list[tuple[type[Game[Any, Any]], str, list[str]]] = []
"""A faulty game, the law that it breaks, and the shortest moves that show it."""


def breaks(law: str, moves: list[str]) -> Any:
    def add(game: type[Game[Any, Any]]) -> type[Game[Any, Any]]:
        FAULTS.append((game, law, moves))
        return game

    return add


def counter() -> Iterator[int]:
    return itertools.count()


# Laws of play -------------------------------------------------------------------------------------


@breaks("rules_answer", NOW)
class RaisesInEstimate(Pile):
    def estimate(self, state: Heap) -> float:
        return 1 / (state.left - 5)


@breaks("rules_answer", NOW)
class RaisesInMakeMove(Pile):
    def make_move(self, state: Heap, move: int) -> Heap:
        if state.left - move == 5:
            raise KeyError("five")
        return super().make_move(state, move)


@breaks("rules_answer", [])
class HasNoStart(Pile):
    def start(self) -> Heap:
        raise NotImplementedError


@breaks("rules_answer", NOW)
class RaisesInHook(Pile):
    def promise(self, state: Heap) -> float:
        return 1 % (state.left - 5)


@breaks("rules_answer", ["3", "3", "3"])
class RaisesInThePromiseOfAResult(Pile):
    def promise(self, state: Heap) -> float:
        return 9 % state.left


@breaks("rules_answer", NOW)
class RaisesNearTheEnd(Pile):
    def near_end(self, state: Heap) -> bool:
        return 1 % (state.left - 5) == 0


@breaks("rules_answer", NOW)
class RaisesInPicture(Pile):
    def picture(self, state: Heap) -> None:
        if state.left == 5:
            raise KeyError("five")


@breaks("rules_answer", NOW)
class LeavesThePython(Pile):
    def estimate(self, state: Heap) -> float:
        return sys.exit(1) if state.left == 5 else 0


@breaks("limits_of_plays_are_numbers", [])
class EndsAtOnce(Pile):
    ply_limit = 0


@breaks("limits_of_plays_are_numbers", [])
class EachPositionIsARepetition(Pile):
    repetition_limit = 1


@breaks("limits_of_plays_are_numbers", [])
class LastsALittle(Pile):
    max_plies = "few"  # type: ignore[assignment]


@breaks("moves_exactly_when_a_player_moves", NOW)
class NeverEndsItsMoves(Pile):
    def moves(self, state: Heap) -> Iterator[int]:
        yield from itertools.count(1) if state.left == 5 else super().moves(state)


@breaks("status_is_a_status", NOW)
class StatusIsAnInt(Pile):
    def status(self, state: Heap) -> Any:
        return 0 if state.left == 5 else super().status(state)


@breaks("player_is_one_of_the_players", NOW)
class PlayerIsTooHigh(Pile):
    def player(self, state: Heap) -> int:
        return 2 if state.left == 5 else state.turn


@breaks("player_is_one_of_the_players", NOW)
class PlayerIsABool(Pile):
    def player(self, state: Heap) -> Any:
        return bool(state.turn) if state.left == 5 else state.turn


@breaks("moves_exactly_when_a_player_moves", ["1", "3"])
class StuckInPlay(Pile):
    def moves(self, state: Heap) -> Iterator[int]:
        if state.left != 5:
            yield from super().moves(state)


@breaks("moves_exactly_when_a_player_moves", ["3", "3", "3"])
class MovesAfterTheEnd(Pile):
    def moves(self, state: Heap) -> Iterator[int]:
        yield from super().moves(state) if state.left else [1]


@breaks("moves_exactly_when_a_player_moves", ["1"])
class MovesWhereChanceMoves(WindyPile):
    def moves(self, state: Heap) -> Iterator[int]:
        yield from range(1, min(3, state.left) + 1)


@breaks("moves_are_distinct", NOW)
class ListsAMoveTwice(Pile):
    def moves(self, state: Heap) -> Iterator[int]:
        yield from super().moves(state)
        if state.left == 5:
            yield 1


@breaks("moves_are_distinct", [])
class MovesHaveNoHash(Pile):
    def moves(self, state: Heap) -> Iterator[Any]:
        yield from ([m] for m in super().moves(state))

    def make_move(self, state: Heap, move: Any) -> Heap:
        return super().make_move(state, move[0])


@breaks("moves_are_fixed", NOW)
class MovesChangeTheirOrder(Pile):
    times: ClassVar[Iterator[int]] = counter()

    def moves(self, state: Heap) -> Iterator[int]:
        moves = list(super().moves(state))
        if state.left == 5 and next(self.times) % 2:
            moves.reverse()
        yield from moves


@breaks("chances_are_probabilities", ["2", "chance:1", "3"])
class ChancesFallShort(WindyPile):
    def outcomes(self, state: Heap) -> Iterator[tuple[float, Heap]]:
        for chance, child in super().outcomes(state):
            yield (0.4 if state.left == 3 else chance), child

    def make_move(self, state: Heap, move: int) -> Heap:
        return evolve(super().make_move(state, move), turn=CHANCE)


@breaks("chances_are_probabilities", ["1"])
class AChanceIsZero(WindyPile):
    def outcomes(self, state: Heap) -> Iterator[tuple[float, Heap]]:
        yield 1, evolve(state, turn=MINNIE)
        yield 0, evolve(state, left=0, turn=MINNIE)


@breaks("chances_are_probabilities", ["1"])
class ChanceHasNoOutcome(WindyPile):
    def outcomes(self, state: Heap) -> Iterator[tuple[float, Heap]]:
        yield from ()


@breaks("chances_are_probabilities", ["1"])
class OutcomesAreNoPairs(WindyPile):
    def outcomes(self, state: Heap) -> Iterator[Any]:
        yield evolve(state, turn=MINNIE)


@breaks("chances_are_probabilities", ["1"])
class NeverEndsItsOutcomes(WindyPile):
    def outcomes(self, state: Heap) -> Iterator[tuple[float, Heap]]:
        yield from itertools.repeat((0.5, state))


@breaks("chance_is_declared", ["1"])
class ChanceWithoutARange(WindyPile):
    value_range = None  # type: ignore[assignment]


@breaks("ends_in_time", ["1", "1", "1"])
class DeclaresTooFewPlies(Pile):
    max_plies: ClassVar[int] = 3


# Laws of states -----------------------------------------------------------------------------------


@breaks("start_is_fixed", [])
class StartsDifferently(Pile):
    times: ClassVar[Iterator[int]] = counter()

    def start(self) -> Heap:
        return Heap(9, MAXIE, (0, 0, next(self.times) % 2))


@breaks("game_is_a_value", [])
@frozen
class GameHoldsAFunction(Pile):
    policy: Any = field(default=lambda: 0)


@breaks("game_is_a_value", [])
class GameEqualsNothing(Pile):
    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = Pile.__hash__


@breaks("game_is_a_value", [])
class GameIsNoText(Pile):
    __repr__ = object.__repr__


@frozen(eq=False)
class Same(Heap):
    """A state that equals only itself."""

    __eq__, __hash__ = object.__eq__, object.__hash__


@breaks("states_are_values", NOW)
class StatesEqualNothing(Pile):
    def make_move(self, state: Heap, move: int) -> Heap:
        child = super().make_move(state, move)
        return Same(child.left, child.turn, child.past) if child.left == 5 else child


@frozen(eq=False)
class Address(Heap):
    """A state that hashes by its address in memory."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Heap) and self.left == other.left

    def __hash__(self) -> int:
        return id(self)


@breaks("states_are_values", NOW)
class StatesHashByAddress(Pile):
    def make_move(self, state: Heap, move: int) -> Heap:
        child = super().make_move(state, move)
        return Address(child.left, child.turn, child.past) if child.left == 5 else child


class Odd(int):
    """A number that changes when it is pickled."""

    def __reduce__(self) -> Any:
        return int, (0,)


@breaks("moves_are_values", NOW)
class MovesAreNotKept(Pile):
    def moves(self, state: Heap) -> Iterator[int]:
        yield from map(Odd, super().moves(state)) if state.left == 5 else super().moves(state)


@define(hash=True)
class Loose:
    """A state that can be changed."""

    left: int
    turn: int
    past: tuple[int, ...] = (0, 0, 0)


@breaks("states_are_frozen", [])
class StatesCanBeChanged(Pile):
    def start(self) -> Any:
        return Loose(self.size, MAXIE)


@breaks("states_are_frozen", [])
class StatesHoldLists(Pile):
    def start(self) -> Heap:
        return Heap(self.size, MAXIE, [0, 0, 0])  # type: ignore[arg-type]


@breaks("states_are_words", NOW)
class StatesOverflow(Pile):
    def make_move(self, state: Heap, move: int) -> Heap:
        child = super().make_move(state, move)
        return evolve(child, past=(0, 0, 1 << 63)) if child.left == 5 else child


@breaks("states_are_words", [])
class StatesHoldBytes(Pile):
    def start(self) -> Heap:
        return Heap(self.size, MAXIE, (b"", 0, 0))  # type: ignore[arg-type]


@breaks("make_move_is_pure", NOW)
class MoveChangesTheState(Pile):
    def make_move(self, state: Heap, move: int) -> Heap:
        child = super().make_move(state, move)
        if child.left == 5:
            object.__setattr__(state, "left", 4)
        return child


@breaks("make_move_is_pure", NOW)
class MoveIsRandom(Pile):
    times: ClassVar[Iterator[int]] = counter()

    def make_move(self, state: Heap, move: int) -> Heap:
        child = super().make_move(state, move)
        return evolve(child, past=(0, 0, next(self.times))) if child.left == 5 else child


@breaks("outcomes_are_pure", ["1"])
class OutcomesAreRandom(WindyPile):
    times: ClassVar[Iterator[int]] = counter()

    def outcomes(self, state: Heap) -> Iterator[tuple[float, Heap]]:
        yield 1, evolve(state, turn=MINNIE, past=(0, 0, next(self.times)))
