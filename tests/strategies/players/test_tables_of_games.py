"""In a game, an agent keeps one transposition table from move to move, and gives it back after."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Iterator
from mmap import PAGESIZE
from pathlib import Path
from typing import Any
from weakref import ref

import dask
import pytest
from attrs import evolve, frozen
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from games import CHANCE, ConnectFour, Game, RandomAgent, Status, TicTacToe
from games.referee import play
from strategies import tournament
from strategies.cli.group import jamboree
from strategies.native.fingerprint import own_fingerprints
from strategies.native.memory.transposition_table import Table
from strategies.players import search_agent
from strategies.players.game_loop import play_out
from strategies.players.search_agent import HastyAgent, SearchAgent
from tests.properties import examples
from tests.strategies.given import trees

TABLED = (
    "alphabeta(4, table='4kB')",
    "pvs(4, table='4kB')",
    "mtdf(4, table='4kB')",
    "expectimax(3, table='4kB')",
    "expectimax(3, table='4kB', cutoff=0.2)",
    "expectimax(3, table='4kB', pruning='star2')",
    "alphabeta(3) using lazy_smp(2)",
    "pvs(4, table='4kB') using abdada(2)",
    "pvs(4, table='4kB') using young_brothers_wait.everywhere",
    "alphabeta(3, table='4kB') using par_list.to_ply(1)",
    "pvs(3, table='4kB') using auto()",
)
SMALL = ConnectFour(4, 4, connect=3, pairs=1)
"""Its positions are reached by many orders of moves, so a table has many answers."""


@given(
    st.one_of(st.just(SMALL), st.just(TicTacToe()), trees(chance=True, wins=True)),
    st.sampled_from(TABLED),
    st.lists(st.integers(0, 3), max_size=4),
)
@examples(30)
def test_values_and_moves_are_those_of_searches_that_know_nothing(
    game: Game[Any, Any], text: str, opening: list[int]
) -> None:
    agent = SearchAgent.parse(text, workers=2, engine="interpreted")
    player, state = agent.for_game(game), game.start()
    while game.status(state) == Status.IN_PLAY:
        if game.player(state) == CHANCE:
            *_, (_, state) = game.outcomes(state)
            continue
        found, fresh = player.look(game, state), agent.look(game, state)
        assert found.move == fresh.move
        assert found.value == pytest.approx(fresh.value, abs=1e-12)
        moves = list(game.moves(state))
        move = moves[opening.pop() % len(moves)] if opening else found.move
        state = game.make_move(state, move)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """Note the tables of games in a list, without holding them, and turn the garbage
    collector off."""
    tables: list[Any] = []

    class Noted(Table):
        def __init__(self, size: Any) -> None:
            super().__init__(size)
            tables.append(ref(self))

    monkeypatch.setattr(search_agent, "Table", Noted)
    gc.collect()
    gc.disable()
    yield tables
    gc.enable()


AGENTS = [
    SearchAgent.parse("alphabeta(3, table='64kB')"),
    SearchAgent.parse("pvs(3, table='64kB')"),
    evolve(SearchAgent.parse("pvs(3, table='64kB') using abdada(2)"), time=60.0),
    evolve(SearchAgent.parse("alphabeta(3) using young_brothers_wait.everywhere"), time=60.0),
    evolve(SearchAgent.parse("expectimax(2, table='64kB')"), time=60.0),
]
WAYS = {
    "play": lambda agent: play(TicTacToe(), agent, agent),
    "play_out": lambda agent: play_out(TicTacToe(), [agent, agent]),
    "tournament": lambda agent: tournament(
        TicTacToe(), [agent, RandomAgent(1)], rounds=1, workers=2
    ),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("agent", AGENTS, ids=str)
def test_each_game_has_tables_of_its_own_and_gives_them_back(
    agent: SearchAgent, way: str, made: list[Any]
) -> None:
    """Each seat has one; a tournament of one round is two games, which run at once."""
    for games in (1, 2):
        WAYS[way](agent)
        assert len(made) == 2 * games
        assert [table() for table in made] == [None] * len(made)
    assert agent.last == {}


def test_the_command_plays_with_one_table_for_a_game(made: list[Any]) -> None:
    told = ["play", "tictactoe", "--maxie", "random", "--minnie", "pvs(3, table='64kB')"]
    for games in (1, 2):
        assert CliRunner().invoke(jamboree, told).exit_code == 0
        assert len(made) == games


def test_games_repeat_with_their_nodes() -> None:
    """What a game finds in its table does not depend on the games before it."""
    agents = [AGENTS[1], SearchAgent.parse("alphabeta(4, table='4kB')")]
    nodes = {play_out(SMALL, agents, moves=8).nodes for _ in range(3)}
    assert len(nodes) == 1


def test_a_search_finds_what_those_before_have_left() -> None:
    for text in ("pvs(6)", "pvs(6) using abdada(1)"):
        agent = SearchAgent.parse(text)
        player = agent.for_game(SMALL)
        fewer = player.look(SMALL, SMALL.start()).nodes, player.look(SMALL, SMALL.start()).nodes
        assert fewer[1] < fewer[0]
        assert agent.look(SMALL, SMALL.start()).nodes == fewer[0]


STATM = Path("/proc/self/statm")


@pytest.mark.skipif(not STATM.exists(), reason="the system does not say what memory is in use")
@pytest.mark.parametrize("time", [None, 60.0])
def test_the_memory_of_a_timed_player_is_there_before_its_first_move(time: float | None) -> None:
    """Without a clock, memory is provided as it is needed."""

    def used() -> int:
        return int(STATM.read_text().split()[1]) * PAGESIZE

    agent, before = evolve(SearchAgent.parse("pvs(4, table='64MB')"), time=time), used()
    player = agent.for_game(SMALL)
    assert (used() - before > 60 << 20) == (time is not None)
    del player
    assert used() - before < 30 << 20


def test_under_another_scheduler_searches_run_there_with_tables_of_their_own() -> None:
    player = AGENTS[1].for_game(SMALL)
    with dask.config.set(scheduler="sync"):
        player.look(SMALL, SMALL.start())
    assert player.last["table"].full() == 0
    player.look(SMALL, SMALL.start())
    assert player.last["table"].full() > 0


def test_a_player_of_a_game_can_enter_others_and_be_sent_away() -> None:
    """What it remembers is neither part of its code, nor copied."""
    player = SearchAgent.parse("pvs(3, table='1MB')").for_game(SMALL)
    player.look(SMALL, SMALL.start())
    assert pickle.loads(pickle.dumps(player)).last["table"].full() == 0
    assert own_fingerprints(player) == own_fingerprints(evolve(player)) == []
    assert player.last["table"].full() > 0


@frozen
class Counting:
    """An agent that sends a random player into each game, with a seed of its own."""

    played: list[int]

    def next_move(self, game: Game[Any, Any], state: Any) -> Any:
        raise AssertionError("its players move")

    def for_game(self, game: Game[Any, Any]) -> RandomAgent:
        self.played.append(len(self.played))
        return RandomAgent(self.played[-1])


def test_any_agent_may_send_a_new_player_into_each_game() -> None:
    agent = Counting([])
    play(TicTacToe(), agent, agent)
    play_out(TicTacToe(), [agent, agent])
    assert agent.played == [0, 1, 2, 3]


def test_a_hasty_agent_forgets_between_games() -> None:
    agent = HastyAgent.parse("hasty alphabeta(2)")
    agent.last[0] = 99.0
    again, fresh = (play(SMALL, a, RandomAgent(1)) for a in (agent, HastyAgent(agent.agent)))
    assert again.turns == fresh.turns
    assert agent.last == {0: 99.0}
