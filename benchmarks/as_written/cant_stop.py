"""A small Can't Stop: four dice of four sides are paired, and runners climb columns 2 to 8."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto

import attrs

from games import CHANCE, Game, Status

LENGTHS = {2: 2, 3: 3, 4: 4, 5: 5, 6: 4, 7: 3, 8: 2}
SIDES = 4


class Phase(Enum):
    THROW = auto()
    PAIR = auto()
    DECIDE = auto()


Pair = tuple[int, int]


@dataclass(frozen=True)
class Table:
    """`camps` and `runners` map columns to heights; columns without any are missing."""

    camps: tuple[tuple[Pair, ...], tuple[Pair, ...]] = ((), ())
    runners: tuple[Pair, ...] = ()
    phase: Phase = Phase.THROW
    dice: tuple[int, ...] = ()
    turn: int = 0


def climbed(table: Table, columns: tuple[int, ...]) -> dict[int, int]:
    """Return the runners after they climb columns; those that cannot be climbed are left out."""
    camp = dict(table.camps[table.turn])
    runners = dict(table.runners)
    for column in columns:
        height = runners.get(column, camp.get(column, 0))
        taken = any(dict(c).get(column, 0) >= LENGTHS[column] for c in table.camps)
        if taken or height >= LENGTHS[column] or (column not in runners and len(runners) == 3):
            continue
        runners[column] = height + 1
    return runners


def pairings(dice: tuple[int, ...]) -> set[Pair]:
    a, b, c, d = dice
    ways = [(a + b, c + d), (a + c, b + d), (a + d, b + c)]
    return {(min(x, y), max(x, y)) for x, y in ways}


@attrs.frozen
class CantStop(Game[Table, str | Pair]):
    """A move is a pairing of the dice, or "throw" or "stop"; whoever tops `goal` columns wins."""

    goal: int = 2

    def start(self) -> Table:
        return Table()

    def topped(self, table: Table, player: int) -> int:
        return sum(1 for column, height in table.camps[player] if height == LENGTHS[column])

    def status(self, state: Table) -> Status:
        if self.topped(state, 0) >= self.goal:
            return Status.MAXIE_WINS
        if self.topped(state, 1) >= self.goal:
            return Status.MINNIE_WINS
        return Status.IN_PLAY

    def player(self, state: Table) -> int:
        return CHANCE if state.phase is Phase.THROW else state.turn

    def choices(self, state: Table) -> list[Pair]:
        return [
            pair
            for pair in sorted(pairings(state.dice))
            if climbed(state, pair) != dict(state.runners)
        ]

    def outcomes(self, state: Table) -> Iterator[tuple[float, Table]]:
        throws = Counter(
            tuple(sorted(dice)) for dice in itertools.product(range(1, SIDES + 1), repeat=4)
        )
        for dice, count in sorted(throws.items()):
            thrown = replace(state, dice=dice, phase=Phase.PAIR)
            if not self.choices(thrown):  # all that was climbed in this turn is lost
                thrown = Table(state.camps, turn=1 - state.turn)
            yield count / SIDES**4, thrown

    def moves(self, state: Table) -> Iterator[str | Pair]:
        if self.status(state) is not Status.IN_PLAY:
            return
        match state.phase:
            case Phase.PAIR:
                yield from self.choices(state)
            case Phase.DECIDE:
                yield "throw"
                yield "stop"
            case Phase.THROW:
                pass

    def make_move(self, state: Table, move: str | Pair) -> Table:
        if move == "throw":
            return replace(state, phase=Phase.THROW)
        if move == "stop":
            camps = list(state.camps)
            camp = {**dict(camps[state.turn]), **dict(state.runners)}
            camps[state.turn] = tuple(sorted(camp.items()))
            return Table((camps[0], camps[1]), turn=1 - state.turn)
        assert isinstance(move, tuple)
        runners = tuple(sorted(climbed(state, move).items()))
        return replace(state, runners=runners, phase=Phase.DECIDE, dice=())

    def estimate(self, state: Table) -> float:
        def progress(player: int) -> float:
            return sum((height / LENGTHS[column]) ** 2 for column, height in state.camps[player])

        return progress(0) - progress(1)
