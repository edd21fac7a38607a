"""The rules of all games that are here, as machine code: each gives what Python gives."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games import CATALOGUE, CHANCE, Status, find_game
from strategies import compile_function
from strategies.rules.language.messages import Refusal
from tests.strategies.rules.compared import outcome, same

FOREIGN = {"chess", "chess960", "openspiel"}
VARIANTS = {
    *("twenty48_features", "twenty48_pessimistic", "pursuit_line", "best_last"),
    *("late_spark", "stopped_short", "handout_first", "handout_big"),
}
"""Other positions or estimates of games that are there."""
GAMES = [
    *sorted(set(CATALOGUE) - FOREIGN - VARIANTS),
    *(pytest.param(name, marks=pytest.mark.long) for name in sorted(VARIANTS)),
]


def positions(game: Any, state: Any, depth: Any) -> int:
    """Count the positions after a number of plies."""
    if depth == 0:
        return 1
    if game.status(state) != Status.IN_PLAY:
        return 0
    count = 0
    if game.player(state) == CHANCE:
        for _, child in game.outcomes(state):
            count += positions(game, child, depth - 1)
    else:
        for move in game.moves(state):
            count += positions(game, game.make_move(state, move), depth - 1)
    return count


def turn(game: Any, state: Any) -> Any:
    """Return the player, and the moves with the positions after them."""
    player = game.player(state)
    return player, [(move, game.make_move(state, move)) for move in game.moves(state)]


def chances(game: Any, state: Any) -> Any:
    return list(game.outcomes(state))


def estimate(game: Any, state: Any) -> Any:
    return game.status(state), game.estimate(state)


def utility(game: Any, state: Any) -> Any:
    return game.status(state), game.utility(state)


def play(game: Any, seed: int, plies: int = 60) -> list[Any]:
    """Return the positions of a random play."""
    draw, state, found = random.Random(seed), game.start(), []
    for _ in range(plies):
        found.append(state)
        if game.status(state) != Status.IN_PLAY:
            break
        if game.player(state) == CHANCE:
            state = draw.choice([child for _, child in game.outcomes(state)])
        else:
            state = game.make_move(state, draw.choice(list(game.moves(state))))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_rules_give_what_they_give_in_python(name: str) -> None:
    game = find_game(name)
    rules = {f: compile_function(f) for f in (turn, chances, estimate, utility)}
    for state in [s for seed in range(3) for s in play(game, seed)]:
        asked = [estimate]
        if game.status(state) != Status.IN_PLAY:
            asked = [utility]
        elif game.player(state) == CHANCE:
            asked.append(chances)
        else:
            asked.append(turn)
        for f in asked:
            given = game, state
            assert same(outcome(rules[f], given), outcome(f, given)), (f.__name__, state)


@pytest.mark.parametrize("name", GAMES)
def test_positions_are_counted_as_in_python(name: str) -> None:
    game = find_game(name)
    count = compile_function(positions)
    state = game.start()
    for depth in range(3):
        assert count(game, state, depth) == positions(game, state, depth)


def test_a_game_that_wraps_foreign_objects_is_refused() -> None:
    pytest.importorskip("chess")
    game = find_game("chess")
    with pytest.raises(Refusal, match="is not compiled"):
        compile_function(positions)(game, game.start(), 1)
