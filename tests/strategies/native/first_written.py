"""Games as one writes them first: lists of lists, dicts, sets, nested functions, None, texts."""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import attrs

from games import CHANCE, MAXIE, MINNIE, Game, Status


@attrs.frozen
class Board:
    rows: tuple[tuple[str, ...], ...]
    turn: str
    last: tuple[int, int] | None = None
    left: int = 12


@attrs.frozen
class Jumps(Game[Board, Any]):
    """Men on a small board step forward or jump over one another, as often as they can."""

    size: int = 4

    def start(self) -> Board:
        rows = [["."] * self.size for _ in range(self.size)]
        for c in range(self.size):
            rows[0][c] = "m"
            rows[-1][c] = "x"
        return Board(tuple(map(tuple, rows)), "x")

    def status(self, state: Board) -> Status:
        men = Counter(man for row in state.rows for man in row if man != ".")
        if men["x"] == 0:
            return Status.MINNIE_WINS
        if men["m"] == 0:
            return Status.MAXIE_WINS
        if state.left == 0 or not any(True for _ in self.paths(state)):
            return Status.DRAW
        return Status.IN_PLAY

    def player(self, state: Board) -> int:
        return MAXIE if state.turn == "x" else MINNIE

    def paths(self, state: Board) -> Iterator[tuple[tuple[int, int], ...]]:
        forward = -1 if state.turn == "x" else 1
        other = "m" if state.turn == "x" else "x"

        def inside(r: int, c: int) -> bool:
            return 0 <= r < self.size and 0 <= c < self.size

        def jumps(
            r: int, c: int, taken: set[tuple[int, int]]
        ) -> Iterator[tuple[tuple[int, int], ...]]:
            for side in (-1, 1):
                over, to = (r + forward, c + side), (r + 2 * forward, c + 2 * side)
                if not inside(*to) or over in taken:
                    continue
                if state.rows[over[0]][over[1]] == other and state.rows[to[0]][to[1]] == ".":
                    yield ((r, c), to)
                    for more in jumps(*to, taken | {over}):
                        yield ((r, c), *more)

        for r, row in enumerate(state.rows):
            for c, man in enumerate(row):
                if man != state.turn:
                    continue
                for side in (-1, 0, 1):
                    if inside(r + forward, c + side) and state.rows[r + forward][c + side] == ".":
                        yield ((r, c), (r + forward, c + side))
                yield from jumps(r, c, set())

    def moves(self, state: Board) -> Any:
        if self.status(state) != Status.IN_PLAY:
            return []
        return sorted(sorted(set(self.paths(state))), key=lambda path: -len(path))

    def make_move(self, state: Board, move: Any) -> Board:
        rows = [list(row) for row in state.rows]
        for (r, c), (s, d) in itertools.pairwise(move):
            rows[s][d], rows[r][c] = rows[r][c], "."
            if abs(r - s) == 2:
                rows[(r + s) // 2][(c + d) // 2] = "."
        turn = "m" if state.turn == "x" else "x"
        return attrs.evolve(
            state, rows=tuple(tuple(row) for row in rows), turn=turn, last=move[-1],
            left=state.left - 1,
        )  # fmt: skip

    def estimate(self, state: Board) -> float:
        worth = {"x": 1, "m": -1, ".": 0}
        men = sum(worth[man] for row in state.rows for man in row)
        near = sum(r / 10 for r, row in enumerate(state.rows) if "m" in row)
        return men - near if state.last is not None else men


class Seat(NamedTuple):
    pile: tuple[int, ...]
    sets: frozenset[int]
    dice: int | None
    mover: int


@dataclasses.dataclass(frozen=True)
class Round:
    seats: tuple[Seat, Seat]
    turn: int
    left: int


@attrs.frozen
class Sets(Game[Round, Any]):
    """Players roll a die, then keep its number or give it away; sets of numbers score."""

    sides: int = 3
    rounds: int = 4

    def start(self) -> Round:
        return Round((Seat((), frozenset(), None, 0), Seat((), frozenset(), None, 1)), 0, 4)

    def status(self, state: Round) -> Status:
        if state.left > 0:
            return Status.IN_PLAY
        first, second = (self.score(seat) for seat in state.seats)
        if first == second:
            return Status.DRAW
        return Status.MAXIE_WINS if first > second else Status.MINNIE_WINS

    def score(self, seat: Seat) -> int:
        counts: dict[int, int] = {}
        for n in seat.pile:
            counts[n] = counts.get(n, 0) + 1
        return sum(n * k for n, k in counts.items()) + 2 * len(seat.sets)

    def player(self, state: Round) -> int:
        return CHANCE if state.seats[state.turn].dice is None else state.turn

    def outcomes(self, state: Round) -> Iterator[tuple[float, Round]]:
        for n in range(1, self.sides + 1):
            seats = list(state.seats)
            seats[state.turn] = seats[state.turn]._replace(dice=n)
            yield 1 / self.sides, dataclasses.replace(state, seats=tuple(seats))

    def moves(self, state: Round) -> Iterator[str]:
        if self.status(state) == Status.IN_PLAY:
            yield "keep"
            if len(state.seats[state.turn].pile) < 3:
                yield "give"

    def make_move(self, state: Round, move: str) -> Round:
        match move:
            case "keep":
                to = state.turn
            case _:
                to = 1 - state.turn
        dice = state.seats[state.turn].dice or 0
        seats = [seat._replace(dice=None) for seat in state.seats]
        seat = seats[to]
        found = seat.sets | {dice} if dice in seat.pile else seat.sets
        seats[to] = seat._replace(pile=tuple(sorted((*seat.pile, dice))), sets=found)
        return Round((seats[0], seats[1]), 1 - state.turn, state.left - 1)

    def estimate(self, state: Round) -> float:
        first, second = map(self.score, state.seats)
        return max(0, first / 2) - second

    def key(self, state: Round) -> int:
        found = state.turn * 8 + state.left
        for seat in state.seats:
            for n in seat.pile:
                found = found * 4 + n
            found = found * 16 + sum(1 << n for n in seat.sets)
            found = found * 4 + (seat.dice or 0)
        return found


@attrs.frozen
class Table:
    cards: tuple[int, ...]
    scores: tuple[int, int, int]
    turn: int


@attrs.frozen
class Takers(Game[Table, int]):
    """Three players take cards from either end of a row."""

    players = 3

    def start(self) -> Table:
        return Table((3, 1, 4, 1, 5, 9, 2), (0, 0, 0), 0)

    def status(self, state: Table) -> Status:
        return Status.IN_PLAY if state.cards else Status.OVER

    def player(self, state: Table) -> int:
        return state.turn

    def moves(self, state: Table) -> Any:
        return () if not state.cards else (0,) if len(state.cards) == 1 else (0, -1)

    def make_move(self, state: Table, move: int) -> Table:
        cards = list(state.cards)
        scores = list(state.scores)
        scores[state.turn] += cards.pop(move)
        return Table(tuple(cards), (scores[0], scores[1], scores[2]), (state.turn + 1) % 3)

    def estimate(self, state: Table) -> Any:
        return tuple(float(n) for n in state.scores)

    def utility(self, state: Table) -> Any:
        return self.estimate(state)
