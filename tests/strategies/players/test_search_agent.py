"""Ctrl-C ends a game between agents; a single search with a limit returns its best move."""

from __future__ import annotations

import _thread
import threading
from typing import Any

import pytest
from attrs import evolve

from games import ConnectFour
from games.referee import play
from strategies.players.search_agent import SearchAgent

SAMPLES = SearchAgent.parse("mcts(10000000000)", engine="interpreted")
START = ConnectFour().start()
DEEPENS = evolve(SearchAgent.parse("pvs(40)", engine="interpreted"), time=60.0)


@pytest.fixture
def interrupted() -> Any:
    """Interrupt while the agent thinks, not while it loads code."""
    for text in "mcts(10)", "pvs(2)":
        SearchAgent.parse(text, engine="interpreted").next_move(ConnectFour(), START)
    timer = threading.Timer(0.2, _thread.interrupt_main)
    timer.start()
    yield
    timer.cancel()
    timer.join()


@pytest.mark.parametrize("agent", [SAMPLES, DEEPENS])
def test_ctrl_c_ends_a_game(agent: SearchAgent, interrupted: Any) -> None:
    with pytest.raises(KeyboardInterrupt):
        play(ConnectFour(), agent, agent)


@pytest.mark.parametrize("agent", [SAMPLES, DEEPENS])
def test_ctrl_c_returns_the_best_move_so_far(agent: SearchAgent, interrupted: Any) -> None:
    assert agent.look(ConnectFour(), START).move in range(7)
