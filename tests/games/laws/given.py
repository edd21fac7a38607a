"""Games that keep every law: a pile of tokens for two players, with chance, and for three."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from attrs import evolve, frozen

from games import CHANCE, MAXIE, MINNIE, Game, Status


@frozen
class Heap:
    """The tokens left, the player to move, and the last three moves, the latest last."""

    left: int
    turn: int
    past: tuple[int, int, int] = (0, 0, 0)


@frozen
class Pile(Game[Heap, int]):
    """Players take 1 to 3 tokens in turn; the last token wins. The game defines every hook."""

    size: int = 9

    value_range = (-100, 100)

    @property
    def max_plies(self) -> int:
        return self.size

    def start(self) -> Heap:
        return Heap(self.size, MAXIE)

    def status(self, state: Heap) -> Status:
        if state.left > 0:
            return Status.IN_PLAY
        return Status.MAXIE_WINS if state.turn == MINNIE else Status.MINNIE_WINS

    def player(self, state: Heap) -> int:
        return state.turn

    def moves(self, state: Heap) -> Iterator[int]:
        yield from range(1, min(3, state.left) + 1)

    def make_move(self, state: Heap, move: int) -> Heap:
        return Heap(state.left - move, 1 - state.turn, (*state.past[1:], move))

    def estimate(self, state: Heap) -> float:
        return state.left % 4

    def utility(self, state: Heap) -> float:
        return {Status.MAXIE_WINS: 100, Status.MINNIE_WINS: -100}.get(self.status(state), 0)

    def key(self, state: Heap) -> int:
        a, b, c = state.past
        return (((state.left * 4 + a) * 4 + b) * 4 + c) * 4 + state.turn + 1

    def bounds(self, state: Heap) -> tuple[float, float]:
        if state.left > 0:
            return -100, 100
        return self.utility(state), self.utility(state)

    def candidate_bounds(self, state: Heap) -> tuple[float, float]:
        return Pile.bounds(self, state)

    def window_bounds(self, state: Heap, low: float, high: float) -> tuple[float, float]:
        return Pile.bounds(self, state)

    def candidates(self, state: Heap) -> Iterator[int]:
        best = state.left % 4
        yield from [best] if best else self.moves(state)

    def promise(self, state: Heap) -> float:
        return -(state.left % 4)


@frozen
class WindyPile(Pile):
    """A pile from which the wind takes one token or none after each move of Maxie's."""

    @property
    def max_plies(self) -> int:
        return 2 * self.size

    def moves(self, state: Heap) -> Iterator[int]:
        if state.turn != CHANCE:
            yield from super().moves(state)

    def make_move(self, state: Heap, move: int) -> Heap:
        turn = CHANCE if state.turn == MAXIE and state.left > move else 1 - state.turn
        return evolve(super().make_move(state, move), turn=turn)

    def outcomes(self, state: Heap) -> Iterator[tuple[float, Heap]]:
        for token in range(2):
            yield 0.5, evolve(state, left=state.left - token, turn=MINNIE)

    def estimate(self, state: Heap) -> float:
        return 0.5


@frozen
class ThreePile(Pile):
    """A pile for three players; a result has a number for each."""

    players: ClassVar[int] = 3

    def status(self, state: Heap) -> Status:
        return Status.IN_PLAY if state.left > 0 else Status.OVER

    def make_move(self, state: Heap, move: int) -> Heap:
        return evolve(super().make_move(state, move), turn=(state.turn + 1) % 3)

    def estimate(self, state: Heap) -> tuple[float, float, float]:  # type: ignore[override]
        return 0, 0, 0

    def utility(self, state: Heap) -> tuple[float, float, float]:  # type: ignore[override]
        last = (state.turn - 1) % 3
        return int(last == 0), int(last == 1), int(last == 2)

    bounds = window_bounds = None  # type: ignore[assignment]
