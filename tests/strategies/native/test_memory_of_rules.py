"""The memory of rules: nothing reads what was given back, and no code is for one processor only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import llvmlite.binding as llvm
import pytest
from attrs import frozen

from games import CHANCE, Game, Status, find_game
from strategies import solve
from strategies.native.compiler.rules_in_numba import Bound
from strategies.rules.machine import memory
from tests.strategies.native.first_written import Jumps, Sets, Takers
from tests.strategies.native.spelled import Named


@frozen
class Race(Game[Any, str]):
    """Two players draw one or two; who has a goal first has won.  Rules throw much away.

    A state is the numbers of both in a tuple and a frozenset, whose turn it is, whether it was
    drawn, the goal, how much is thrown away, and what all positions share in memory.
    """

    value_range = (-1, 1)

    def start(self) -> Any:
        return (0,), frozenset({0}), 0, True, 6, 10, frozenset({0})

    def status(self, state: Any) -> Status:
        return Status.OVER if max(max(state[0]), max(state[1])) >= state[4] else Status.IN_PLAY

    def player(self, state: Any) -> int:
        return int(state[2]) if state[3] else CHANCE

    def moves(self, state: Any) -> Iterator[str]:
        if self.status(state) == Status.IN_PLAY:
            yield from ("draw", "stay")

    def make_move(self, state: Any, move: str) -> Any:
        first, second, turn, _, *rest = state
        thrown_away = [i + turn for i in range(state[5])]
        if move == "stay":
            return first, second, 1 - thrown_away[0], True, *rest
        return first, second, thrown_away[0], False, *rest

    def outcomes(self, state: Any) -> Iterator[tuple[float, Any]]:
        first, second, turn, _, *rest = state
        for drawn in 1, 2:
            thrown_away = [i + drawn for i in range(state[5])]
            if turn == 0:
                yield 0.5, ((max(first) + thrown_away[0],), second, 1, True, *rest)
            else:
                yield 0.5, (first, frozenset({max(second) + thrown_away[0]}), 0, True, *rest)

    def estimate(self, state: Any) -> float:
        return 0

    def utility(self, state: Any) -> float:
        return 1 if max(state[0]) > max(state[1]) else -1


def race(goal: int, thrown: int, shared: int) -> Any:
    return *Race().start()[:4], goal, thrown, frozenset(range(shared))


@pytest.mark.usefixtures("poison")
def test_positions_outlive_what_rules_throw_away() -> None:
    state = race(6, 10, 2)
    values = [solve(Race(), state, engine=how).value for how in ("native", "interpreted")]
    assert values[0] == pytest.approx(values[1])


@pytest.mark.usefixtures("poison")
@pytest.mark.parametrize(("thrown", "shared"), [(1000, 2), (1, 1000)])
def test_rules_need_little_memory_for_many_positions(
    thrown: int, shared: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What they throw away is given back with each position; what positions share is not copied."""
    value = solve(Race(), race(30, 1, 2), engine="interpreted").value
    monkeypatch.setattr(memory, "ARENA", 1 << 24)  # of the thread that solves
    found = solve(Race(), race(30, thrown, shared), engine="native")
    assert found.value == pytest.approx(value)


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(Jumps(), marks=pytest.mark.long),
        *(Sets(), Takers(), Named(), find_game("riskless")),
    ],
    ids=repr,
)
def test_rules_are_not_compiled_for_one_processor_only(game: Game[Any, Any]) -> None:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    text = Bound(game, [game.start()]).text
    for processor in "aarch64-unknown-linux-gnu", "riscv64-unknown-linux-gnu":
        machine = llvm.Target.from_triple(processor).create_target_machine(opt=1)
        module = llvm.parse_assembly(text)
        module.triple, module.data_layout = processor, str(machine.target_data)
        module.verify()
        assert len(machine.emit_object(module)) > 1000
