"""A rule that changes a position in place is reported; one that changes a copy is not."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from attrs import field, frozen
from hypothesis import given
from hypothesis import strategies as some

from games import Game, Status
from strategies import RuleFailed, alphabeta, mcts, minimax, par_list, search, seq


@frozen
class Held:
    items: Any
    ply: int


@frozen
class Hidden:
    """It equals others whatever it holds."""

    items: Any = field(eq=False)
    ply: int = 0


@frozen
class Inside:
    items: Any
    ply: int

    @classmethod
    def of(cls, items: Any, ply: int) -> Inside:
        return cls((0, Held(items, 1)), ply)


FIRST: dict[str, Callable[[], Any]] = {
    "list": lambda: [0, 0],
    "dict": lambda: {0: 0, 1: 0},
    "set": lambda: {-1},
    "deque": lambda: deque([0, 0]),
    "bytearray": lambda: bytearray(2),
    "array": lambda: array("q", [0, 0]),
    "NumPy array": lambda: np.zeros(2, int),
    "tuple": lambda: (0, 0),
    "nested": lambda: [[0, 0]],
}


def copied(items: Any) -> Any:
    return [items[0][:]] if isinstance(items, list) and isinstance(items[0], list) else items[:]


@frozen
class Counts(Game[Any, int]):
    """Moves add to counts, in place from a ply on."""

    kind: str
    kept: int
    make: Any = field(default=Held, eq=False)

    def start(self) -> Any:
        return self.make(FIRST[self.kind](), 0)

    def status(self, state: Any) -> Status:
        return Status.IN_PLAY if state.ply < 3 else Status.OVER

    def player(self, state: Any) -> int:
        return int(state.ply % 2)

    def moves(self, state: Any) -> Iterator[int]:
        yield 0
        yield 1

    def items(self, state: Any) -> Any:
        return state.items[1].items if isinstance(state, Inside) else state.items

    def make_move(self, state: Any, move: int) -> Any:
        items = self.items(state)
        if state.ply < self.kept:
            items = copied(items) if self.kind in ("nested", "bytearray", "array") else items.copy()
        if self.kind == "set":
            items.add(state.ply * 3 + move)
        else:
            row = items[0] if self.kind == "nested" else items
            row[move] += 1 + state.ply
        return self.make(items, state.ply + 1)

    def value(self, state: Any) -> int:
        items = self.items(state)
        row = items[0] if self.kind == "nested" else items
        return sum(row) if self.kind == "set" else int(3 * row[0] - row[1])

    def estimate(self, state: Any) -> int:
        return self.value(state)

    def utility(self, state: Any) -> int:
        return self.value(state)


MUTABLE = some.sampled_from([kind for kind in FIRST if kind != "tuple"])
MAKERS = some.sampled_from([Held, Hidden, Inside.of])
WAYS = some.sampled_from([(alphabeta(3), seq), (minimax(3), par_list.to_ply(2)), (mcts(20), None)])


@given(MUTABLE, MAKERS, WAYS, some.integers(0, 2))
def test_a_position_that_a_move_changes_is_reported(
    kind: str, make: Any, way: Any, kept: int
) -> None:
    algorithm, using = way
    how = {} if using is None else {"using": using}
    with pytest.raises(RuleFailed) as raised:
        search(Counts(kind, kept, make), algorithm, **how).compute(num_workers=1)
    said = str(raised.value)
    assert said.startswith("make_move(")
    assert "in place: use a " in said
    assert ".items" in said


@given(MUTABLE, MAKERS, WAYS)
def test_a_position_of_which_a_move_changes_a_copy_is_searched(
    kind: str, make: Any, way: Any
) -> None:
    algorithm, using = way
    how = {} if using is None else {"using": using}
    found = search(Counts(kind, 3, make), algorithm, **how).compute(num_workers=1)
    assert found.move in (0, 1)
