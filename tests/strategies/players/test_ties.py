"""An agent with a seed for ties draws one of all best moves, always the same in a position."""

from __future__ import annotations

from itertools import product

import pytest

from games import HANDOUT_SMALL, TicTacToe
from strategies import (
    Entrant,
    SearchAgent,
    abdada,
    alphabeta,
    expectimax,
    mcts,
    par_list,
    pvs,
    search,
    seq,
    tournament,
)
from strategies.algorithms.errors import AlgorithmError

pytestmark = pytest.mark.usefixtures("any_length")


@pytest.mark.parametrize(
    ("text", "algorithm"),
    [("", alphabeta(9)), *product(("1 5", "1 5 9 2"), (alphabeta(9), pvs(9), expectimax(9)))],
)
def test_every_best_move_is_drawn_by_some_seed_and_no_other(algorithm: object, text: str) -> None:
    game = TicTacToe()
    state = game.parse_state(text)
    best = search(game, alphabeta(9), state=state).compute().values("best").best
    agents = [SearchAgent(algorithm, workers=1, ties=seed) for seed in range(40)]  # type: ignore[arg-type]
    drawn = [agent.next_move(game, state) for agent in agents]
    assert set(drawn) == set(best)
    assert drawn[:8] == [agent.next_move(game, state) for agent in agents[:8]]


@pytest.mark.parametrize("using", [seq, par_list, abdada(2)])
def test_one_best_move_is_always_the_move(using: object) -> None:
    agent = SearchAgent(alphabeta(2), using, ties=3)  # type: ignore[arg-type]
    assert agent.next_move(HANDOUT_SMALL, HANDOUT_SMALL.start()) == 1


def test_where_no_depth_is_finished_the_move_of_the_search_is_played() -> None:
    game, agent = TicTacToe(), SearchAgent(pvs(9), ties=1)
    found = search(game, pvs(9), nodes=1, engine="interpreted").compute(num_workers=1)
    assert (found.depth, agent.choice(game, game.start(), found)) == (0, found.move)


def test_the_text_of_an_agent_has_its_seed() -> None:
    agent = SearchAgent.parse("alphabeta(3) using par_list ties=7")
    assert str(agent) == "alphabeta(depth=3) using par_list ties=7"
    assert SearchAgent.parse(str(agent)) == agent
    assert SearchAgent.parse("pvs(3) ties=0").ties == 0
    for text in ("pvs(3) ties=a", "pvs(3) ties=", "pvs(3) ties=-1"):
        with pytest.raises(AlgorithmError, match="a seed is a whole number, as in ties=7"):
            SearchAgent.parse(text)
    with pytest.raises(AlgorithmError, match="mcts draws by its own seed"):
        SearchAgent(mcts(10), ties=1)


def test_seeds_make_games_of_one_opening_differ() -> None:
    players = [f"alphabeta(4) ties={seed}" for seed in range(3)]
    found = tournament(TicTacToe(), players, rounds=1, plies=0)
    assert len({game.record.turns for game in found.finished}) > 2


def test_a_player_of_a_tournament_makes_its_own_moves() -> None:
    game = TicTacToe()
    texts = ["alphabeta(3)", "alphabeta(3) ties=1", "pvs(3) ties=2", "mcts(20)"]
    agents = {name: SearchAgent.parse(name) for name in texts}
    found = tournament(game, [Entrant(agent, name) for name, agent in agents.items()], rounds=1)
    for played in found.finished:
        seats = agents[played.pairing.maxie], agents[played.pairing.minnie]
        for ply, (state, turn) in enumerate(
            zip(played.record.replay(), played.record.turns, strict=False)
        ):
            if ply >= played.opening:
                wanted = seats[game.player(state)].next_move(game, state)
                assert turn == game.move_text(state, wanted)
