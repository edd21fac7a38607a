"""The cutoff *better than last time*: its definition, its savings and its costs."""

from __future__ import annotations

from typing import Any

import pytest

from games import (
    CHANCE,
    MAXIE,
    MINNIE,
    ExplicitGame,
    NimForMany,
    Pursuit,
    TicTacToe,
    Tree,
    with_chance,
)
from strategies import (
    AlgorithmError,
    HastyAgent,
    SearchAgent,
    alphabeta,
    expectimax,
    first_better,
    maxn,
    minimax,
    search,
)
from strategies.players.game_loop import play_out

GAMBLE = Tree("gamble", CHANCE, (Tree(value=9999), Tree(value=-4)), chances=(0.5, 0.5))
TREE = ExplicitGame.from_tree(Tree("root", MAXIE, (Tree(value=1), Tree(value=-2), GAMBLE)))
WORLD = with_chance(Pursuit(goal_y=2, antagonist_y=1, max_plies=40), MINNIE)


@pytest.mark.parametrize(
    ("last", "move", "searched"), [(None, 2, 3), (0, 0, 1), (1, 2, 3), (9999, 2, 3)]
)
def test_it_stops_at_the_first_move_strictly_better(last: Any, move: int, searched: int) -> None:
    found = first_better(TREE, expectimax(2), last, engine="interpreted")
    assert (found.move, found.searched) == (move, searched)
    assert found.value == (1 if move == 0 else 4997.5)


def test_minnie_stops_at_a_smaller_value() -> None:
    tree = ExplicitGame.from_tree(Tree("", MINNIE, (Tree(value=4), Tree(value=2), Tree(value=0))))
    moves = [
        first_better(tree, minimax(1), last, engine="interpreted").move
        for last in (5, 4, 3, 2, None)
    ]
    assert moves == [0, 1, 1, 2, 2]


@pytest.mark.parametrize("text", ["", "5 1", "1 5 2", "1 2 5 9"])
@pytest.mark.parametrize("engine", ["native", "interpreted"])
def test_without_a_value_to_beat_it_is_the_plain_search(text: str, engine: str) -> None:
    game = TicTacToe()
    state = game.parse_state(text)
    whole = search(game, alphabeta(4), state=state).compute()
    found = first_better(game, alphabeta(4), None, state=state, engine=engine)
    assert (found.move, found.value) == (whole.move, whole.value)
    assert found.searched == len(list(game.moves(state)))


def test_it_loses_games_that_the_plain_search_wins() -> None:
    """It visits only slightly fewer positions."""
    plain = SearchAgent(expectimax(4), engine="interpreted")
    values, nodes = [], []
    for agent in (plain, HastyAgent(plain)):
        played = [play_out(WORLD, [agent], seed) for seed in range(20)]
        values.append(sum(WORLD.utility(game.last) for game in played))
        nodes.append(sum(game.nodes for game in played))
    assert values[1] < 0.9 * values[0]
    assert 0 < nodes[1] < 2 * nodes[0]


def test_an_agent_starts_every_game_without_a_value_to_beat() -> None:
    agent = HastyAgent(SearchAgent(expectimax(3), engine="interpreted"))
    twice = [play_out(WORLD, [agent], seed=3) for _ in range(2)]
    assert twice[0].last == twice[1].last
    assert twice[0].nodes == twice[1].nodes
    assert agent.last == {}


def test_an_agent_remembers_the_value_of_its_last_move() -> None:
    agent = HastyAgent(SearchAgent(expectimax(2), engine="interpreted"))
    assert agent.next_move(TREE, TREE.start()) == 2
    assert agent.last == {MAXIE: 4997.5}


def test_an_agent_is_read_from_its_text() -> None:
    agent = HastyAgent(SearchAgent(expectimax(2)))
    assert str(agent) == "hasty expectimax(depth=2)"
    assert HastyAgent.parse(str(agent)) == agent


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("hasty mcts(100)", "mcts.* samples, but a hasty search needs exact values"),
        ("hasty expectimax(depth=2) using par_list", "leave out the strategy"),
        ("hasty expectimax(depth=2) ties=3", "leave out the strategy, ties"),
        ("hasty expectimax(depth=0)", "depth=1 or more"),
        ("hasty maxn(2)", "leave out hasty, or use expectimax"),
        ("hasty paranoid(2)", "leave out hasty, or use expectimax"),
        ("hasty", "hasty"),
    ],
)
def test_algorithms_that_cannot_stop_early_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(AlgorithmError, match=complaint):
        HastyAgent.parse(text)


def test_searches_without_a_first_better_move_are_refused() -> None:
    with pytest.raises(AlgorithmError, match="three players or more, a hasty search for one"):
        first_better(TREE, maxn(2), 0)
    three = NimForMany(players=3)
    for algorithm in (maxn(2), expectimax(2)):
        with pytest.raises(AlgorithmError, match="has 3; leave out hasty, as in maxn"):
            first_better(three, algorithm, 0)
    with pytest.raises(AlgorithmError, match="has 3; leave out hasty, as in maxn"):
        HastyAgent.parse("hasty expectimax(depth=2)").check(three)
    with pytest.raises(AlgorithmError, match="cannot be hasty"):
        first_better(TREE, expectimax(0), 0)
    with pytest.raises(ValueError, match="no player is to move in gamble"):
        first_better(TREE, expectimax(1), 0, state=TREE.make_move(TREE.start(), 2))
