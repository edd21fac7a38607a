"""The memory of rules: nothing reads what was given back, and no code is for one processor only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import pytest

from games import Game, find_game
from strategies import engine_for, parse_algorithm, search
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
