"""Everything that a game calls is compiled before its clock starts."""

from __future__ import annotations

import time
from typing import Any

import pytest

from games import PigForMany, Twenty48
from strategies import alphabeta, expectimax, mcts
from strategies.algorithms.errors import AlgorithmError
from strategies.native.engine import Engine
from strategies.players import game_loop as playing
from strategies.players.game_loop import play_out, prepared
from strategies.players.search_agent import SearchAgent


def test_no_move_waits_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the clock starts, all code that the agents call is compiled."""
    clock = time.perf_counter
    compiled: list[bool] = []
    begun: list[float] = []
    entry = Engine._entry

    def told(self: Engine, kernel: Any, state: Any) -> Any:
        if (kernel, type(state)) not in self._entries:
            compiled.append(bool(begun))
        return entry(self, kernel, state)

    def now() -> float:
        begun.append(clock())
        return begun[-1]

    monkeypatch.setattr(Engine, "_entry", told)
    monkeypatch.setattr(playing, "perf_counter", now)
    searches = expectimax(2), expectimax(2, table="64kB"), expectimax(2, cutoff=0.01), mcts(5)
    for algorithm in searches:
        begun.clear()
        play_out(Twenty48(), [SearchAgent(algorithm)], moves=2)
    assert compiled
    assert not any(compiled)


def test_a_search_that_does_not_fit_the_game_is_refused() -> None:
    game, agents = PigForMany(3), [SearchAgent(alphabeta(2))] * 3
    with pytest.raises(AlgorithmError):
        prepared(game, agents, game.start(), "auto")
