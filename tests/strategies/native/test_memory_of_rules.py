"""The memory of rules: nothing reads what was given back, and no code is for one processor only."""

from __future__ import annotations

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


@pytest.mark.usefixtures("poison")
@pytest.mark.parametrize("game", [Jumps(3), Sets(), Nine(), Named()], ids=repr)
def test_nothing_reads_memory_that_was_given_back(game: Game[Any, Any]) -> None:
    fast, slow = (engine_for(game, how) for how in ("native", "interpreted"))
    assert fast.perft(game.start(), 4) == slow.perft(game.start(), 4)
    for algorithm in "pvs(4, table='64kB')", "mcts(30, seed=1)":
        found = [
            search(game, parse_algorithm(algorithm), engine=how).compute("sync")
            for how in ("native", "interpreted")
        ]
        assert (found[0].value, found[0].move) == (found[1].value, found[1].move)


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
