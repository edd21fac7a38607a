"""Backgammon without the doubling cube: one row of signed numbers, plays found by recursion."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from games import CHANCE, MAXIE, Game, Status

Step = tuple[int, int]
"""From which point a checker moves, and how far; the bar is point 25 of Maxie and 0 of Minnie."""


@attrs.frozen
class Board:
    """Points 1 to 24; Maxie's checkers are above 0 and move down, Minnie's below 0 and move up."""

    points: tuple[int, ...]
    off: tuple[int, ...] = (0, 0)
    turn: int = 0
    dice: tuple[int, int] | None = None

    @property
    def sign(self) -> int:
        return 1 if self.turn == MAXIE else -1


@attrs.frozen
class Backgammon(Game[Board, tuple[Step, ...]]):
    value_range = (-3, 3)

    def start(self) -> Board:
        points = [0] * 26
        for point, men in {24: 2, 13: 5, 8: 3, 6: 5}.items():
            points[point] = men
            points[25 - point] = -men
        return Board(tuple(points))

    def status(self, state: Board) -> Status:
        return Status.OVER if 15 in state.off else Status.IN_PLAY

    def player(self, state: Board) -> int:
        return CHANCE if state.dice is None else state.turn

    def outcomes(self, state: Board) -> Iterator[tuple[float, Board]]:
        for high in range(1, 7):
            for low in range(1, high + 1):
                chance = 1 / 36 if high == low else 2 / 36
                yield chance, attrs.evolve(state, dice=(high, low))

    def bar(self, state: Board) -> int:
        return 25 if state.turn == MAXIE else 0

    def all_home(self, state: Board) -> bool:
        away = range(7, 26) if state.turn == MAXIE else range(19)
        return all(state.points[point] * state.sign <= 0 for point in away)

    def can_step(self, state: Board, point: int, die: int) -> bool:
        sign, bar = state.sign, self.bar(state)
        if state.points[point] * sign <= 0:
            return False
        if state.points[bar] != 0 and point != bar:
            return False
        to = point - sign * die
        if 1 <= to <= 24:
            return state.points[to] * sign >= -1
        if not self.all_home(state):
            return False
        behind = range(point + 1, 7) if state.turn == MAXIE else range(19, point)
        return to in (0, 25) or all(state.points[p] * sign <= 0 for p in behind)

    def step(self, state: Board, point: int, die: int) -> Board:
        points, off, sign = list(state.points), list(state.off), state.sign
        points[point] -= sign
        to = point - sign * die
        if 1 <= to <= 24:
            if points[to] == -sign:
                points[to] = 0
                points[0 if state.turn == MAXIE else 25] -= sign
            points[to] += sign
        else:
            off[state.turn] += 1
        return attrs.evolve(state, points=tuple(points), off=tuple(off))

    def plays(self, state: Board, dice: list[int]) -> Iterator[tuple[tuple[Step, ...], Board]]:
        """Yield all ways to use dice in this order until one cannot be used."""
        found = False
        if dice:
            for point in range(26):
                if self.can_step(state, point, dice[0]):
                    found = True
                    after = self.step(state, point, dice[0])
                    for rest, last in self.plays(after, dice[1:]):
                        yield ((point, dice[0]), *rest), last
        if not found:
            yield (), state

    def moves(self, state: Board) -> Iterator[tuple[Step, ...]]:
        if state.dice is None or self.status(state) != Status.IN_PLAY:
            return
        high, low = state.dice
        orders = [[high] * 4] if high == low else [[high, low], [low, high]]
        plays: dict[Board, tuple[Step, ...]] = {}
        for order in orders:
            for play, last in self.plays(state, order):
                if last not in plays or len(play) > len(plays[last]):
                    plays[last] = play
        most = max(len(play) for play in plays.values())
        longest = [play for play in plays.values() if len(play) == most]
        if most == 1 and high != low:  # the higher number, if either can be played
            longest = [play for play in longest if play[0][1] == high] or longest
        yield from longest

    def make_move(self, state: Board, move: tuple[Step, ...]) -> Board:
        for point, die in move:
            state = self.step(state, point, die)
        return attrs.evolve(state, turn=1 - state.turn, dice=None)

    def pips(self, state: Board) -> tuple[int, int]:
        mine = sum(point * n for point, n in enumerate(state.points) if n > 0)
        theirs = sum((25 - point) * -n for point, n in enumerate(state.points) if n < 0)
        return mine, theirs

    def estimate(self, state: Board) -> float:
        mine, theirs = self.pips(state)
        return (theirs - mine) / 400

    def utility(self, state: Board) -> float:
        winner = state.off.index(15)
        sign = 1 if winner == MAXIE else -1
        if state.off[1 - winner] > 0:
            return sign
        home = range(7) if winner == MAXIE else range(19, 26)
        return sign * (3 if any(state.points[p] * sign < 0 for p in home) else 2)
