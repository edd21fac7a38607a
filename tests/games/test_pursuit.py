import pickle
from typing import Any

import pytest
from hypothesis import given

from games import CHANCE, MAXIE, MINNIE, Game, Pursuit, Status, with_chance
from games.pursuit import GOAL
from tests.games.given import children, perft, positions

LINE = Pursuit.line()
GRID = Pursuit()


def value(game: Game[Any, Any], state: Any, depth: int) -> float:
    """Return the minimax value, or expectimax where chance moves, as in a textbook."""
    if game.status(state) != Status.IN_PLAY:
        return game.utility(state)
    if depth == 0:
        return game.estimate(state)
    values = [value(game, child, depth - 1) for child in children(game, state)]
    if game.player(state) == CHANCE:
        return sum(values) / len(values)
    return max(values) if game.player(state) == MAXIE else min(values)


def best(game: Game[Any, Any], depth: int) -> tuple[str, float]:
    start = game.start()
    values = [
        (value(game, game.make_move(start, m), depth - 1), game.move_text(start, m))
        for m in game.moves(start)
    ]
    found = max(values)
    return found[1], found[0]


def test_minimax_walks_into_the_antagonist() -> None:
    """Other moves only delay the touch, and each move costs a point."""
    assert best(LINE, 10) == ("right", -4)


def test_expectimax_goes_for_the_goal() -> None:
    """The antagonist must step back both times: 0.5 (0.5 · 9999 - 0.5 · 4) - 0.5 · 2."""
    move, mean = best(with_chance(LINE, MINNIE), 5)
    assert (move, mean) == ("right", 0.5 * (0.5 * GOAL + 0.5 * -4) + 0.5 * -2)


def test_touching_ends_the_game_with_the_current_score() -> None:
    end = LINE.parse_state("right left")
    assert LINE.status(end) == Status.OVER
    assert LINE.utility(end) == -2
    at_goal = LINE.parse_state("right right right left")
    assert LINE.utility(at_goal) == -4


def test_touching_comes_before_the_goal() -> None:
    both = Pursuit.line(goal=2, antagonist=3).parse_state("right left right")
    assert (both.px, both.ax) == (2, 2)
    assert Pursuit.line(goal=2, antagonist=3).status(both) == Status.OVER


def test_the_goal_is_worth_the_same_whenever_it_is_reached() -> None:
    end = LINE.parse_state("right right right right right")
    assert LINE.status(end) == Status.MAXIE_WINS
    assert LINE.utility(end) == GOAL


def test_the_last_ply_ends_the_game() -> None:
    game = Pursuit.line(max_plies=2)
    end = game.parse_state("left right")
    assert game.status(end) == Status.OVER
    assert (game.utility(end), game.value_range) == (-2, (-2, GOAL))


def test_perft() -> None:
    assert [perft(GRID, GRID.start(), d) for d in range(5)] == [1, 4, 16, 60, 240]
    assert [perft(LINE, LINE.start(), d) for d in range(5)] == [1, 2, 4, 6, 12]


@given(positions(GRID))
def test_each_move_is_one_step_of_one_agent(state: Any) -> None:
    for move in GRID.moves(state):
        child = GRID.make_move(state, move)
        p = abs(child.px - state.px) + abs(child.py - state.py)
        a = abs(child.ax - state.ax) + abs(child.ay - state.ay)
        assert (p, a) == ((1, 0) if GRID.player(state) == MAXIE else (0, 1))
        assert GRID.parse_move(state, GRID.move_text(state, move)) == move
    assert (GRID.status(state) == Status.IN_PLAY) == bool(list(GRID.moves(state)))


def test_pictures() -> None:
    assert LINE.show(LINE.start()) == ". P . A G ."
    up = GRID.parse_state("up down")
    assert GRID.show(up).splitlines() == [
        ". . . . . .",
        ". P . . . .",
        ". . . . G .",
        ". . . A . .",
        ". . . . . .",
    ]


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"goal_x": 0}, "three different places"),
        ({"antagonist_x": 3}, "three different places"),
        ({"actions": 3}, "actions must be 4, or 2"),
        ({"actions": 2, "goal_y": 1}, "actions must be 4, or 2"),
        ({"max_plies": 0}, "max_plies must be a whole number, 1 to 9998"),
    ],
)
def test_bad_worlds_are_refused(fields: dict[str, int], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Pursuit(**fields)


@given(positions(GRID))
def test_labels_read_back(state: Any) -> None:
    assert GRID.parse_state(GRID.label(state)) == state


def test_worlds_as_pictures() -> None:
    """The game fixes the goal; a picture gives everything else by its distance from the goal."""
    assert LINE.parse_state(LINE.show(LINE.start())) == LINE.start()
    drawn = GRID.parse_state("""
        . P . . .
        . . . . G
        . . . A .""")
    assert (drawn.px, drawn.py, drawn.ax, drawn.ay, drawn.ply) == (0, 1, 2, -1, 0)


@pytest.mark.parametrize(
    ("game", "text", "complaint"),
    [
        (LINE, "P . * .", r"line 1, column 5: '\*' is not one of P A G \."),
        (LINE, "P . A", "line 1, column 6: there is no G"),
        (GRID, "P A\n G P", "line 2, column 4: a second P"),
        (GRID, "P A\n G", "line 2, column 3: 1 cells where the first row has 2"),
        (LINE, "P .\nA G", "line 1, column 1: P and G are on one line"),
        (LINE, "P0,0A2,0", "line 1, column 2: '0' is not one of"),
        (LINE, " P0,0A2@0", "line 1, column 2: 'P0,0A2@0' is not a label such as P0,0A2,0@0"),
        (LINE, "P0,0A2,1@0", "line 1, column 8: ay is at most 0 here, not 1"),
        (GRID, "P0,0A2,1@61", "line 1, column 10: ply is at most 60 here, not 61"),
        (GRID, "up west", "line 1, column 4: 'west' is not a legal move"),
    ],
)
def test_bad_positions_are_refused(game: Pursuit, text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        game.parse_state(text)


def test_a_game_can_be_compared_hashed_and_pickled() -> None:
    for game in (LINE, GRID):
        assert eval(repr(game)) == pickle.loads(pickle.dumps(game)) == game
        assert hash(game) == hash(pickle.loads(pickle.dumps(game)))
    assert LINE != GRID


def test_far_places_are_refused_and_pictures_stay_small() -> None:
    with pytest.raises(ValueError, match="goal_x must be a whole number, -9999 to 9999, not 10000"):
        Pursuit(goal_x=10_000)
    game = Pursuit(goal_x=9999, goal_y=-9999)
    lines = game.show(game.start()).splitlines()
    assert max(map(len, lines)) <= 78
    assert len(lines) < 24
    assert lines[-1] == "G at 9999,-9999 A at 2,0 P at 0,0"
