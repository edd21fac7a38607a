"""The memory of rules: nothing reads what was given back, and no code is for one processor only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import llvmlite.binding as llvm
import pytest
from attrs import frozen

from games import CHANCE, Game, Status, find_game
from strategies import engine_for, parse_algorithm, search, solve
from strategies.native import kept_engines
from strategies.native.compiler import rules_in_numba
from strategies.native.compiler.rules_in_numba import Bound
from tests.strategies.native.first_written import Jumps, Sets, Takers
from tests.strategies.native.spelled import Named, Nine


@pytest.fixture
def poison(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules_in_numba, "POISON", True)
    monkeypatch.setattr(kept_engines, "_engines", {})
    monkeypatch.setattr(kept_engines, "_known", {})


def searched(game: Game[Any, Any], how: str) -> Any:
    return engine_for(game, how).search(game.start(), 4)


def counted(game: Game[Any, Any], how: str) -> Any:
    return engine_for(game, how).perft(game.start(), 4)


def under(algorithm: str) -> Callable[[Game[Any, Any], str], Any]:
    def found(game: Game[Any, Any], how: str) -> Any:
        run = search(game, parse_algorithm(algorithm), engine=how).compute("sync")
        return run.value, run.move

    found.__name__ = algorithm
    return found


PVS, MCTS = under("pvs(4, table='64kB')"), under("mcts(30, seed=1)")
GAMES = [Jumps(3), Sets(), Nine(), Named()]
QUICK = [(Jumps(3), PVS), (Sets(), MCTS), (Nine(), searched), (Named(), searched)]
ALL = [
    pytest.param(game, work, marks=[pytest.mark.long] * ((game, work) not in QUICK))
    for game in GAMES
    for work in (searched, counted, PVS, MCTS)
]


@pytest.mark.usefixtures("poison")
@pytest.mark.parametrize(("game", "work"), ALL, ids=lambda of: getattr(of, "__name__", repr(of)))
def test_nothing_reads_memory_that_was_given_back(game: Game[Any, Any], work: Any) -> None:
    assert work(game, "native") == work(game, "interpreted")


@frozen
class Race(Game[Any, str]):
    """Two players draw one or two; who has `goal` first has won.  Rules throw much away."""

    goal: int = 6
    waste: int = 10
    own: type = tuple
    """What holds the numbers of a player: a tuple or a frozenset."""
    shared: tuple[int, ...] = ()
    """What all positions have, the same object in memory."""

    value_range = (-1, 1)

    def start(self) -> Any:
        return self.own([0]), self.own([0]), 0, True, self.shared

    def status(self, state: Any) -> Status:
        most = max(max(state[0]), max(state[1]))
        return Status.OVER if most >= self.goal else Status.IN_PLAY

    def player(self, state: Any) -> int:
        return int(state[2]) if state[3] else CHANCE

    def moves(self, state: Any) -> Iterator[str]:
        if self.status(state) == Status.IN_PLAY:
            yield from ("draw", "stay")

    def make_move(self, state: Any, move: str) -> Any:
        thrown_away = [i + state[2] for i in range(self.waste)]
        if move == "stay":
            return state[0], state[1], 1 - thrown_away[0], True, state[4]
        return state[0], state[1], thrown_away[0], False, state[4]

    def outcomes(self, state: Any) -> Iterator[tuple[float, Any]]:
        for drawn in 1, 2:
            thrown_away = [i + drawn for i in range(self.waste)]
            own = self.own([max(state[state[2]]) + thrown_away[0]])
            if state[2] == 0:
                yield 0.5, (own, state[1], 1, True, state[4])
            else:
                yield 0.5, (state[0], own, 0, True, state[4])

    def estimate(self, state: Any) -> float:
        return 0

    def utility(self, state: Any) -> float:
        return 1 if max(state[0]) > max(state[1]) else -1


@pytest.mark.usefixtures("poison")
@pytest.mark.parametrize("own", [tuple, frozenset])
def test_positions_outlive_what_rules_throw_away(own: type) -> None:
    game = Race(own=own)
    values = [solve(game, engine=how).value for how in ("native", "interpreted")]
    assert values[0] == pytest.approx(values[1])


def test_what_rules_throw_away_is_given_back_with_each_position() -> None:
    """All that these rules make is more than they may take at a time."""
    value = solve(Race(goal=30, waste=1), engine="interpreted").value
    assert solve(Race(goal=30, waste=20_000)).value == pytest.approx(value)


def test_what_positions_share_is_not_copied_for_each() -> None:
    """Copies for all positions would take more than rules may."""
    value = solve(Race(goal=30, waste=1), engine="interpreted").value
    assert solve(Race(goal=30, shared=tuple(range(50_000)))).value == pytest.approx(value)


@pytest.mark.parametrize(
    "game", [Jumps(), Sets(), Takers(), Named(), find_game("riskless")], ids=repr
)
@pytest.mark.parametrize("processor", ["aarch64-unknown-linux-gnu", "riscv64-unknown-linux-gnu"])
def test_rules_are_not_compiled_for_one_processor_only(
    processor: str, game: Game[Any, Any]
) -> None:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(processor).create_target_machine(opt=1)
    module = llvm.parse_assembly(Bound(game, [game.start()]).text)
    module.triple, module.data_layout = processor, str(machine.target_data)
    module.verify()
    assert len(machine.emit_object(module)) > 1000
