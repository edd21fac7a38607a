"""Games written without knowledge of the compiler, with lists, comprehensions and sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from games.game import CHANCE, Game, Status


@frozen
class Pits:
    pits: tuple[int, ...]
    turn: int


@frozen
class Kalah(Game[Pits, int]):
    """Kalah with six pits and a store for each player; a list is sown and converted to a tuple."""

    seeds: int = 3

    def start(self) -> Pits:
        return Pits(tuple([self.seeds] * 6 + [0] + [self.seeds] * 6 + [0]), 0)

    def status(self, state: Pits) -> Status:
        if any(state.pits[0:6]) and any(state.pits[7:13]):
            return Status.IN_PLAY
        mine, other = sum(state.pits[0:7]), sum(state.pits[7:14])
        return (
            Status.MAXIE_WINS
            if mine > other
            else Status.MINNIE_WINS
            if other > mine
            else Status.DRAW
        )

    def player(self, state: Pits) -> int:
        return state.turn

    def moves(self, state: Pits) -> Iterator[int]:
        if self.status(state) != Status.IN_PLAY:
            return
        base = state.turn * 7
        yield from [pit for pit in range(6) if state.pits[base + pit] > 0]

    def make_move(self, state: Pits, move: int) -> Pits:
        pits = list(state.pits)
        base = state.turn * 7
        store, other = base + 6, (1 - state.turn) * 7 + 6
        place = base + move
        hand = pits[place]
        pits[place] = 0
        while hand > 0:
            place = (place + 1) % 14
            if place == other:
                continue
            pits[place] += 1
            hand -= 1
        if pits[place] == 1 and place in range(base, base + 6):
            across = 12 - place
            if pits[across] > 0:
                pits[store] += pits[across] + 1
                pits[across] = pits[place] = 0
        return Pits(tuple(pits), state.turn if place == store else 1 - state.turn)

    def estimate(self, state: Pits) -> float:
        return state.pits[6] - state.pits[13]


@frozen
class Cells:
    cells: tuple[int, ...]
    turn: int


DIRECTIONS = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, -1), (-1, 1)]


def neighbours(size: int, cell: int) -> list[int]:
    """Return the cells around a cell."""
    row, column = divmod(cell, size)
    return [
        (row + down) * size + column + right
        for down, right in DIRECTIONS
        if 0 <= row + down < size and 0 <= column + right < size
    ]


@frozen
class Hex(Game[Cells, int]):
    """Hex: each player connects two sides; a set and a stack find the connection."""

    size: int = 2

    def start(self) -> Cells:
        return Cells((0,) * (self.size * self.size), 0)

    def connected(self, state: Cells, who: int) -> bool:
        size = self.size
        if who == 1:
            todo = [c for c in range(size) if state.cells[c] == who]
        else:
            todo = [r * size for r in range(size) if state.cells[r * size] == who]
        seen = set(todo)
        while todo:
            cell = todo.pop()
            if (cell // size if who == 1 else cell % size) == size - 1:
                return True
            for other in neighbours(size, cell):
                if other not in seen and state.cells[other] == who:
                    seen.add(other)
                    todo.append(other)
        return False

    def status(self, state: Cells) -> Status:
        if self.connected(state, 1):
            return Status.MAXIE_WINS
        return Status.MINNIE_WINS if self.connected(state, 2) else Status.IN_PLAY

    def player(self, state: Cells) -> int:
        return state.turn

    def moves(self, state: Cells) -> Iterator[int]:
        if self.status(state) == Status.IN_PLAY:
            empty = [cell for cell, stone in enumerate(state.cells) if stone == 0]
            for cell in empty:  # noqa: UP028 - as people write it
                yield cell

    def make_move(self, state: Cells, move: int) -> Cells:
        cells = tuple(state.turn + 1 if k == move else c for k, c in enumerate(state.cells))
        return Cells(cells, 1 - state.turn)

    def estimate(self, state: Cells) -> float:
        return 0


@frozen
class Stones:
    first: tuple[int, ...]
    second: tuple[int, ...]
    turn: int
    die: int


@frozen
class Einstein(Game[Stones, tuple[int, int]]):
    """A die determines which stone moves; a captured stone is at -1."""

    size: int = 3
    stones: int = 3

    def start(self) -> Stones:
        last = self.size * self.size - 1
        return Stones((0, 1, self.size), (last, last - 1, last - self.size), 0, 0)

    def status(self, state: Stones) -> Status:
        if max(state.first) < 0 or 0 in state.second:
            return Status.MINNIE_WINS
        if all(x < 0 for x in state.second) or self.size * self.size - 1 in state.first:
            return Status.MAXIE_WINS
        return Status.IN_PLAY

    def player(self, state: Stones) -> int:
        return CHANCE if state.die == 0 else state.turn

    def outcomes(self, state: Stones) -> Iterator[tuple[float, Stones]]:
        for die in range(1, self.stones + 1):
            yield 1 / self.stones, Stones(state.first, state.second, state.turn, die)

    def movable(self, state: Stones) -> list[int]:
        mine = state.first if state.turn == 0 else state.second
        die = state.die - 1
        if mine[die] >= 0:
            return [die]
        lower = [k for k in range(die) if mine[k] >= 0]
        upper = [k for k in range(die + 1, len(mine)) if mine[k] >= 0]
        return lower[-1:] + upper[:1]

    def moves(self, state: Stones) -> Iterable[tuple[int, int]]:  # type: ignore[override]
        if self.status(state) != Status.IN_PLAY or state.die == 0:
            return []
        mine = state.first if state.turn == 0 else state.second
        step = 1 if state.turn == 0 else -1
        found = []
        for k in self.movable(state):
            row, column = divmod(mine[k], self.size)
            for down, right in [(0, 1), (1, 0), (1, 1)]:
                r, c = row + step * down, column + step * right
                if 0 <= r < self.size and 0 <= c < self.size:
                    found.append((k, r * self.size + c))
        return found

    def make_move(self, state: Stones, move: tuple[int, int]) -> Stones:
        k, to = move
        first = [-1 if x == to else x for x in state.first]
        second = [-1 if x == to else x for x in state.second]
        if state.turn == 0:
            first[k] = to
        else:
            second[k] = to
        return Stones(tuple(first), tuple(second), 1 - state.turn, 0)

    def estimate(self, state: Stones) -> float:
        return sum(1 for x in state.first if x >= 0) - len([x for x in state.second if x >= 0])
