"""Oware (Abapa): a named tuple of lists' contents, sown in a loop."""

from __future__ import annotations

from typing import Any, NamedTuple

import attrs

from games import MAXIE, MINNIE, Game, Status


class Position(NamedTuple):
    houses: tuple[int, ...]
    scores: tuple[int, int]
    turn: int
    moved: int = 0


@attrs.frozen
class Oware(Game[Position, int]):
    """Houses 0 to 5 are Maxie's, 6 to 11 Minnie's; a move is a house of the player's."""

    side: int = 6
    seeds: int = 4

    def start(self) -> Position:
        return Position((self.seeds,) * (2 * self.side), (0, 0), MAXIE)

    def status(self, state: Position) -> Status:
        mine, theirs = state.scores
        half = self.seeds * self.side
        if mine > half:
            return Status.MAXIE_WINS
        if theirs > half:
            return Status.MINNIE_WINS
        if (mine, theirs) == (half, half):
            return Status.DRAW
        if self.playable(state) and state.moved < 200:
            return Status.IN_PLAY
        # Each keeps the seeds of their side.
        mine += sum(state.houses[: self.side])
        theirs += sum(state.houses[self.side :])
        if mine == theirs:
            return Status.DRAW
        return Status.MAXIE_WINS if mine > theirs else Status.MINNIE_WINS

    def player(self, state: Position) -> int:
        return MINNIE if state.turn else MAXIE

    def houses_of(self, turn: int) -> range:
        return range(turn * self.side, (turn + 1) * self.side)

    def sow(self, state: Position, house: int) -> tuple[list[int], int]:
        """Return the houses after a move, and the number of seeds captured."""
        houses = list(state.houses)
        seeds, houses[house] = houses[house], 0
        at = house
        while seeds > 0:
            at = (at + 1) % len(houses)
            if at != house:
                houses[at] += 1
                seeds -= 1
        after = houses.copy()
        others = self.houses_of(1 - state.turn)
        captured = 0
        while at in others and after[at] in (2, 3):
            captured += after[at]
            after[at] = 0
            at -= 1
        if not any(after[h] for h in others):  # a grand slam captures nothing
            return houses, 0
        return after, captured

    def playable(self, state: Position) -> list[int]:
        """Return the houses that may be sown; an opponent without seeds must be given some."""
        full = [h for h in self.houses_of(state.turn) if state.houses[h] > 0]
        others = self.houses_of(1 - state.turn)
        if any(state.houses[h] for h in others):
            return full
        feeding = []
        for h in full:
            after, _ = self.sow(state, h)
            if sum(after[other] for other in others) > 0:
                feeding.append(h)
        return feeding

    def moves(self, state: Position) -> Any:
        if self.status(state) is not Status.IN_PLAY:
            return []
        return self.playable(state)

    def make_move(self, state: Position, move: int) -> Position:
        houses, captured = self.sow(state, move)
        scores = list(state.scores)
        scores[state.turn] += captured
        return Position(tuple(houses), (scores[0], scores[1]), 1 - state.turn, state.moved + 1)

    def estimate(self, state: Position) -> float:
        mine, theirs = state.scores
        return mine - theirs
