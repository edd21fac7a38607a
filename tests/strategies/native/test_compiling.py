"""Compiling rules does not count towards the time of a search, and every command announces it."""

from __future__ import annotations

import gc
from time import perf_counter
from typing import Any

import pytest
from attrs import frozen
from click.testing import CliRunner
from numba.core.event import Listener, install_listener

from games import ConnectFour, TicTacToe
from games.pig.rules import Pig
from games.u64 import U64
from strategies import (
    Driver,
    Strategy,
    abdada,
    alphabeta,
    expectimax,
    jamboree,
    perft,
    pvs,
    search,
    seq,
    solve,
)
from strategies.cli import solve_command
from strategies.cli.group import jamboree as command
from strategies.insight.analysis import calibration
from strategies.insight.analysis.simulation import Burden
from strategies.native import kept_engines
from strategies.native.compiler import build
from strategies.native.compiler.disk_cache import RuleCache
from strategies.native.compiling import announce, on_compile
from strategies.native.kept_engines import engine_for

Built = list[float]
"""Record the times at which kernels were compiled or loaded."""


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> Built:
    real, times = build.build, []

    def noted(*args: Any) -> Any:
        found = real(*args)
        times.append(perf_counter())
        return found

    monkeypatch.setattr(build, "build", noted)
    monkeypatch.setattr(kept_engines, "_engines", {})  # so that no engine has compiled anything
    monkeypatch.setattr(kept_engines, "_known", {})
    return times


POLICY = jamboree(0.5).everywhere.grain(1)
CASES: list[tuple[Any, Strategy | Driver, dict[str, Any]]] = [
    (alphabeta(3), seq, {}),
    (alphabeta(3), POLICY, {}),
    (alphabeta(3), POLICY, {"time": 60}),
    (alphabeta(3), seq, {"time": 60}),
    (pvs(3), seq, {}),
    (pvs(3), jamboree(0.5), {"time": 60}),
    (alphabeta(3), abdada(1), {}),
]


@pytest.mark.parametrize(("algorithm", "using", "limits"), CASES)
def test_a_search_is_compiled_before_its_clock_starts(
    algorithm: Any, using: Strategy | Driver, limits: dict[str, Any], built: Built
) -> None:
    answer = search(ConnectFour(), algorithm, using=using, engine="native", **limits)
    found = answer.compute(num_workers=1)
    assert found.call is not None
    assert found.call.start > built[-1]


@pytest.mark.parametrize("scheduler", [None, "sync"])
@pytest.mark.parametrize("pruning", [None, pytest.param("star1", marks=pytest.mark.long)])
def test_a_search_with_chance_is_compiled_before_its_clock_starts(
    scheduler: str | None, pruning: str | None, built: Built
) -> None:
    found = search(Pig(10), expectimax(3, pruning=pruning), engine="native").compute(scheduler)
    assert found.call is not None
    assert found.call.start > built[-1]


def test_solving_is_compiled_before_its_clock_starts(built: Built) -> None:
    found = solve(TicTacToe(), engine="native", memory="1MB")
    assert perf_counter() - built[-1] > found.seconds


def test_counting_positions_is_compiled_before_its_clock_starts(built: Built) -> None:
    found = perft(TicTacToe(), 3, engine="native")
    assert perf_counter() - built[-1] > found.seconds


def test_every_command_announces_compiling_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def solve_(*args: Any, **options: Any) -> Any:
        announce("Anything")
        announce("Anything")
        return solve(*args, **options)

    monkeypatch.setattr(solve_command, "solve", solve_)
    ran = CliRunner().invoke(command, ["solve", "tictactoe", "--engine", "interpreted",
                                       "--state", "1 4 2 5", "--memory", "1MB"])  # fmt: skip
    assert ran.stderr.startswith("compiling the rules of Anything, once …\n")
    assert ran.stderr.count("compiling") == 1


def test_a_game_that_measures_this_machine_is_announced_as_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def empty(*_: Any) -> Burden:
        announce("Anything")
        return Burden()

    monkeypatch.setattr(calibration, "_empty", empty)
    monkeypatch.setattr(calibration, "_known", {})
    heard: list[str] = []
    with on_compile(heard.append):
        calibration.measured_burden(TicTacToe(), workers=1, engine="interpreted")
        announce("Anything")
    assert heard == ["Anything to measure what a task costs on this machine", "Anything"]


def test_the_garbage_collector_is_paused_while_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[bool] = []

    class Looking(Listener):  # type: ignore[misc]
        def on_start(self, event: Any) -> None:
            looked.append(gc.isenabled())

        def on_end(self, event: Any) -> None:
            pass

    @frozen
    class Fresh(TicTacToe):
        """A game of a shape that no other test compiles."""

        def near_end(self, state: Any) -> bool:
            return False

        def promise(self, state: Any) -> U64:
            return U64(0)

    for name in "load_overload", "load_template":  # no code is cached
        monkeypatch.setattr(RuleCache, name, lambda *_: None)
    with install_listener("numba:run_pass", Looking()):
        assert engine_for(Fresh(), "native").perft(Fresh().start(), 1) == 9
    assert set(looked) == {False}
    assert gc.isenabled()
