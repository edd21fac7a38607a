"""For each law of values, texts and hooks, a game that breaks it, as in `faults`."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, ClassVar

from games import WIN, Game, Status
from tests.games.laws.faults import NOW, breaks
from tests.games.laws.given import Heap, Pile, ThreePile, WindyPile

# Laws of values -----------------------------------------------------------------------------------


@breaks("value_range_is_finite", [])
class RangeIsInfinite(Pile):
    value_range = (0, float("inf"))  # type: ignore[assignment]


@breaks("value_range_is_finite", [])
class RangeIsReversed(Pile):
    value_range = (1, 0)


@breaks("estimate_is_a_number", NOW)
class EstimateIsNaN(Pile):
    def estimate(self, state: Heap) -> float:
        return float("nan") if state.left == 5 else 0


@breaks("estimate_is_a_number", NOW)
class EstimateIsNone(Pile):
    def estimate(self, state: Heap) -> Any:
        return None if state.left == 5 else 0


@breaks("estimate_is_a_number", NOW)
class EstimateHasTwoOfThree(ThreePile):
    def estimate(self, state: Heap) -> Any:
        return (0, 0) if state.left == 5 else (0, 0, 0)


@breaks("estimate_is_a_number", NOW)
class EstimateIsAFraction(Pile):
    def estimate(self, state: Heap) -> Any:
        return Fraction(1, 3) if state.left == 5 else 0


@breaks("estimate_is_no_win", NOW)
class EstimateIsAWin(Pile):
    def estimate(self, state: Heap) -> float:
        return WIN if state.left == 5 else 0


@breaks("estimate_is_in_range", NOW)
class EstimateIsOutOfRange(Pile):
    def estimate(self, state: Heap) -> float:
        return 101 if state.left == 5 else 0


@breaks("values_keep_to_the_value_sum", ["3", "3", "3"])
class ResultsSumToMore(ThreePile):
    value_sum = 0.5


@breaks("values_keep_to_the_value_sum", NOW)
class EstimatesSumToMore(ThreePile):
    value_sum = 1

    def estimate(self, state: Heap) -> Any:
        return (1, 1, 0) if state.left == 5 else (0, 0, 0)


@breaks("values_keep_to_the_value_sum", [])
class TheSumIsNaN(ThreePile):
    value_sum = float("nan")


@breaks("utility_is_a_number", ["3", "3", "3"])
class UtilityIsAText(Pile):
    def utility(self, state: Heap) -> Any:
        return "won"


@breaks("utility_is_a_number", ["3", "3", "3"])
class UtilityIsInfinite(Pile):
    value_range = None

    def utility(self, state: Heap) -> float:
        return float("inf")


@breaks("utility_is_a_number", ["3", "3", "3"])
class UtilityIsBeyondAWin(Pile):
    value_range = None

    def utility(self, state: Heap) -> float:
        return 10 * WIN


@breaks("utility_is_in_range", ["3", "3", "3"])
class UtilityIsOutOfRange(Pile):
    def utility(self, state: Heap) -> float:
        return Game.utility(self, state)


@breaks("utility_agrees_with_status", ["3", "3", "3"])
class UtilityIsReversed(Pile):
    def utility(self, state: Heap) -> float:
        return -super().utility(state)


@breaks("utility_agrees_with_status", ["1", "2", "3", "3"])
class MinnieWinsForMaxie(Pile):
    def utility(self, state: Heap) -> float:
        return 100


@breaks("utility_agrees_with_status", ["3", "3", "3"])
class DrawIsAWin(Pile):
    def status(self, state: Heap) -> Status:
        return Status.IN_PLAY if state.left else Status.DRAW

    def utility(self, state: Heap) -> float:
        return WIN


@breaks("utility_agrees_with_status", ["3", "3", "3"])
class WinnerHasLess(ThreePile):
    def status(self, state: Heap) -> Status:
        return Status.IN_PLAY if state.left else Status.MINNIE_WINS

    def utility(self, state: Heap) -> Any:
        return 1, 0, 0


# Laws of texts ------------------------------------------------------------------------------------


@breaks("pictures_are_texts", NOW)
class PictureIsNoText(Pile):
    def show(self, state: Heap) -> Any:
        return state.left if state.left == 5 else ""


@breaks("pictures_are_texts", NOW)
class LabelHasTwoLines(Pile):
    def label(self, state: Heap) -> str:
        return "a\nb" if state.left == 5 else ""


@breaks("pictures_are_texts", NOW)
class PictureIsNoBoard(Pile):
    def picture(self, state: Heap) -> Any:
        return "board" if state.left == 5 else None


@breaks("move_texts_are_words", NOW)
class MoveTextsAreAlike(Pile):
    def move_text(self, state: Heap, move: int) -> str:
        return "x" if state.left == 5 else str(move)


@breaks("move_texts_are_words", NOW)
class MoveTextsHoldBlanks(Pile):
    def move_text(self, state: Heap, move: int) -> str:
        return f"take {move}" if state.left == 5 else str(move)


@breaks("move_texts_are_read_back", NOW)
class ReadsAnotherMove(Pile):
    def parse_move(self, state: Heap, text: str) -> int:
        move = super().parse_move(state, text)
        return 1 if state.left == 5 else move


@breaks("move_texts_are_read_back", NOW)
class RefusesALegalMove(Pile):
    def parse_move(self, state: Heap, text: str) -> int:
        return super().parse_move(state, text + "?" if state.left == 5 else text)


@breaks("foreign_texts_are_refused", ["1", "3", "3"])
class AllowsToTakeTooMany(Pile):
    def parse_move(self, state: Heap, text: str) -> int:
        if state.left == 2 and text == "3":
            return 3
        return super().parse_move(state, text)


@breaks("foreign_texts_are_refused", [])
class RefusesWithAnotherError(Pile):
    def parse_move(self, state: Heap, text: str) -> int:
        return {self.move_text(state, m): m for m in self.moves(state)}[text]


@breaks("positions_are_read_back", ["1"])
class ForgetsTheLastTurn(Pile):
    def parse_state(self, text: str) -> Heap:
        return self.read_turns(" ".join(text.split()[:-1]))


@breaks("positions_are_read_back", [])
class ReadsAnotherPicture(Pile):
    def show(self, state: Heap) -> str:
        return f"{state.left} left"

    def parse_state(self, text: str) -> Heap:
        left, _, rest = text.partition(" ")
        return Heap(int(left) - 1, 0) if rest == "left" else self.read_turns(text)


@breaks("positions_are_read_back", ["3", "3"])
class OwnLabelIsTheTextOfAMove(Pile):
    def label(self, state: Heap) -> str:
        return str(state.left)


@breaks("positions_are_read_back", ["1", "chance:1"])
class ReadsTheFirstOutcome(WindyPile):
    def parse_outcome(self, state: Heap, text: str) -> Heap:
        if text.startswith("#"):
            return super().parse_outcome(state, "#0")
        return super().parse_outcome(state, text)


@breaks("positions_are_read_back", NOW)
class FailsOnATextOfTwoTurns(Pile):
    def parse_state(self, text: str) -> Heap:
        if text == "1 3":
            raise KeyError(text)
        return self.read_turns(text)


@breaks("metrics_are_numbers", NOW)
class MetricsAreNone(Pile):
    def metrics(self, first: Heap, last: Heap, drawn: int) -> Any:
        return {"left": None if last.left == 5 else last.left}


# Laws of hooks ------------------------------------------------------------------------------------


@breaks("keys_tell_states_apart", ["1"])
class KeysForgetThePast(Pile):
    def key(self, state: Heap) -> int:
        return 7


@breaks("keys_tell_states_apart", NOW)
class KeysAreTooLong(Pile):
    def key(self, state: Heap) -> int:
        return super().key(state) + (2**64 if state.left == 5 else 0)


@breaks("keys_tell_states_apart", [])
class KeysAreAddresses(Pile):
    kept: ClassVar[list[Heap]] = []

    def key(self, state: Heap) -> int:
        self.kept.append(state)  # so that no address is used twice
        return id(state)


@breaks("bounds_hold_the_value", NOW)
class BoundsAreReversed(Pile):
    def bounds(self, state: Heap) -> tuple[float, float]:
        return (1, 0) if state.left == 5 else (-100, 100)


@breaks("bounds_hold_the_value", ["3", "3", "3"])
class BoundsMissTheValue(Pile):
    def bounds(self, state: Heap) -> tuple[float, float]:
        return -99, 99


@breaks("moves_in_play_are_the_moves", NOW)
class MovesInPlayAreOthers(Pile):
    def moves_in_play(self, state: Heap) -> Iterator[int]:
        yield from (1,) if state.left == 5 else self.moves(state)


@breaks("children_are_what_moves_make", NOW)
class ChildrenAreMissing(Pile):
    def children(self, state: Heap) -> Iterator[tuple[int, Heap]]:
        for move in (1,) if state.left == 5 else self.moves(state):
            yield move, self.make_move(state, move)


@breaks("children_are_what_moves_make", NOW)
class ChildrenAreOthers(Pile):
    def children(self, state: Heap) -> Iterator[tuple[int, Heap]]:
        for move in self.moves(state):
            yield move, state if state.left == 5 else self.make_move(state, move)


@breaks("nth_moves_are_the_moves", NOW)
class MovesAreMiscounted(Pile):
    def count_moves(self, state: Heap) -> int:
        return len(list(self.moves(state))) + (state.left == 5)

    def nth_move(self, state: Heap, n: int) -> int:
        return list(self.moves(state))[n]


@breaks("nth_moves_are_the_moves", NOW)
class MovesAreInDisorder(Pile):
    def count_moves(self, state: Heap) -> int:
        return len(list(self.moves(state)))

    def nth_move(self, state: Heap, n: int) -> int:
        return list(self.moves(state))[-1 if state.left == 5 else n]


@breaks("candidate_bounds_are_bounds", NOW)
class CandidateBoundsAreBeyond(Pile):
    def candidate_bounds(self, state: Heap) -> tuple[float, float]:
        return (101, 102) if state.left == 5 else Pile.bounds(self, state)


@breaks("candidate_bounds_are_bounds", ["3", "3", "3"])
class CandidateBoundsMissTheResult(Pile):
    def candidate_bounds(self, state: Heap) -> tuple[float, float]:
        return (-100, 100)


@breaks("window_bounds_hold_the_value", NOW)
class WindowBoundsAreReversed(Pile):
    def window_bounds(self, state: Heap, low: float, high: float) -> tuple[float, float]:
        return (1, 0) if state.left == 5 else (-100, 100)


@breaks("rules_answer", NOW)
class WindowBoundsRaise(Pile):
    def window_bounds(self, state: Heap, low: float, high: float) -> tuple[float, float]:
        raise ValueError(f"no bounds of {state.left}")


@breaks("window_bounds_hold_the_value", ["3", "3"])
class WindowBoundsEndAtTheWindow(Pile):
    def window_bounds(self, state: Heap, low: float, high: float) -> tuple[float, float]:
        return (low, high) if state.left < 5 else (-100, 100)


@breaks("candidates_are_moves", NOW)
class CandidatesAreForeign(Pile):
    def candidates(self, state: Heap) -> Iterator[int]:
        yield 4 if state.left == 5 else 1


@breaks("candidates_are_moves", NOW)
class CandidatesAreMissing(Pile):
    def candidates(self, state: Heap) -> Iterator[int]:
        yield from () if state.left == 5 else (1,)


@breaks("candidates_are_moves", NOW)
class CandidatesComeTwice(Pile):
    def candidates(self, state: Heap) -> Iterator[int]:
        yield from (1, 1) if state.left == 5 else (1,)


@breaks("rollout_moves_are_moves", NOW)
class RolloutMovesAreIllegal(Pile):
    def rollout_moves(self, state: Heap) -> Iterator[int]:
        yield 7 if state.left == 5 else 1


@breaks("rollout_moves_are_moves", NOW)
class RolloutMovesAreNone(Pile):
    def rollout_moves(self, state: Heap) -> Iterator[int]:
        yield from () if state.left == 5 else (1, 1)


@breaks("priors_are_weights", NOW)
class PriorIsNegative(Pile):
    def prior(self, state: Heap, move: int) -> float:
        return 2 - move if state.left == 5 else 1


@breaks("promises_are_numbers", NOW)
class LearnedPromiseIsNone(Pile):
    def promise(self, state: Heap) -> float:
        return 0.0

    def learned_promise(self, state: Heap) -> Any:
        return None if state.left == 5 else 0


@breaks("promises_are_numbers", NOW)
class PromiseIsNone(Pile):
    def promise(self, state: Heap) -> Any:
        return None if state.left == 5 else 0
