"""Pacman against a plain implementation of its rules, with players and chance in any order."""

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import CHANCE, MAXIE, MINNIE, Maze, Pacman, Status, find_game
from games.pacman import maze_names
from strategies import alphabeta, expectimax, search
from tests.games.given import children, positions

CORRIDOR = """
########
#P...GR#
########
"""
GAMES = [*map(Pacman.on, maze_names()), Pacman(Maze.from_text(CORRIDOR.strip()), rounds=4)]
ENGINES = ["interpreted", pytest.param("native", marks=pytest.mark.long)]
ANY = st.sampled_from(GAMES).flatmap(lambda game: st.tuples(st.just(game), positions(game, 30)))


def free(game: Pacman) -> set[tuple[int, int]]:
    return {
        (r, c) for r, row in enumerate(game.maze.rows) for c, mark in enumerate(row) if mark != "#"
    }


@given(ANY)
def test_rules_agree_with_a_plain_implementation(place: tuple[Pacman, Any]) -> None:
    game, state = place
    wide = len(game.maze.rows[0])
    scared = state.scared or (0,) * len(state.ghosts)
    caught = (state.pacman, 0) in zip(state.ghosts, scared, strict=True)
    statuses = [Status.IN_PLAY, Status.OVER, Status.MAXIE_WINS, Status.MINNIE_WINS]
    late, food = state.rounds >= game.rounds, game.food_left(state)
    assert game.status(state) == statuses[3 if caught else 2 if not food else late]
    if game.status(state) != Status.IN_PLAY:
        return
    mover = state.pacman if state.turn == 0 else state.ghosts[state.turn - 1]
    row, column = divmod(mover, wide)
    around = {(row, column - 1), (row, column + 1), (row - 1, column), (row + 1, column)}
    ends = around & free(game)
    rests = state.turn and scared[state.turn - 1] > 0 and scared[state.turn - 1] % 2
    if state.turn == 0 or not ends:
        ends = ends | {(row, column)}
    ends = {(row, column)} if rests else ends
    found = []
    for child in children(game, state):
        moved = child.pacman if state.turn == 0 else child.ghosts[state.turn - 1]
        if child.eaten > state.eaten and state.turn:
            moved = state.pacman  # where it met Pacman, before it was sent home
        found.append(divmod(moved, wide))
        assert child.turn == (state.turn + 1) % (1 + len(state.ghosts))
        assert child.rounds == state.rounds + (child.turn == 0)
        eaten = state.turn == 0 and state.is_food(moved)
        assert game.food_left(child) == game.food_left(state) - eaten
    assert sorted(found) == sorted(ends)


def test_players_and_chance_move_in_any_order() -> None:
    players: dict[str, list[int]] = {}
    for name in maze_names():
        game, state = Pacman.on(name), Pacman.on(name).start()
        players[name] = []
        for _ in range(1 + len(state.ghosts)):
            players[name].append(game.player(state))
            state = children(game, state)[-1]
    assert players == {
        "small": [MAXIE, MINNIE],
        "mixed": [MAXIE, CHANCE, MINNIE],
        "three": [MAXIE, MINNIE, CHANCE, MINNIE],
        "capsules": [MAXIE, CHANCE, MINNIE],
        "wide": [MAXIE, MINNIE, CHANCE, MINNIE],
    }


@pytest.mark.parametrize("engine", ENGINES)
def test_four_ghosts_are_four_minimisers_in_a_row(engine: str) -> None:
    game = Pacman(Maze.from_text("########\n#G . .G#\n#  P   #\n#G . .G#\n########"))
    state, players = game.start(), []
    for _ in range(10):
        players.append(game.player(state))
        state = children(game, state)[0]
    assert players == [MAXIE, *[MINNIE] * 4] * 2
    expected = value(game, game.start(), 4)
    assert search(game, alphabeta(depth=4), engine=engine).compute().value == expected


def value(game: Pacman, state: Any, depth: int) -> float:
    """Return the maximum, minimum or mean over the moves, recursively, as in a textbook."""
    if game.status(state) != Status.IN_PLAY:
        return game.utility(state)
    if depth == 0:
        return game.estimate(state)
    values = [value(game, child, depth - 1) for child in children(game, state)]
    if game.player(state) == CHANCE:
        return sum(values) / len(values)
    return max(values) if game.player(state) == MAXIE else min(values)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ["mixed", "three"])
def test_searches_agree_with_the_textbook(name: str, engine: str) -> None:
    game = Pacman.on(name)
    expected = pytest.approx(value(game, game.start(), 5), abs=1e-9)
    for algorithm in (expectimax(depth=5), alphabeta(depth=5)):
        assert search(game, algorithm, engine=engine).compute().value == expected


def test_food_and_ghosts_count() -> None:
    game = GAMES[-1]
    state = game.parse_state("2:3,4:8/0@2")
    assert game.features(state) == (2 * 10 - 2, 1, 2)
    assert game.estimate(state) == 18 - 1 - 2 * 30


@given(ANY)
def test_labels_read_back(place: tuple[Pacman, Any]) -> None:
    game, state = place
    if game.status(state) == Status.IN_PLAY:
        assert game.parse_state(game.label(state)) == state
    assert game.parse_state("") == game.start()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("####\n#P.G\n####", "line 2, column 4: the frame of # must be closed"),
        ("#####\n#P.G#\n## ##", "line 3, column 3: the frame of # must be closed"),
        ("#####\n#P.G##\n#####", "line 2, column 7: 6 cells where line 1 has 5"),
        ("#####\n#P?G#\n#####", "line 2, column 3: '\\?' is not one of # . o P G R"),
        ("#####\n#..G#\n#####", "line 2, column 4: the maze has no P"),
        ("#####\n#P G#\n#####", "line 2, column 4: the maze has no food"),
        ("#####\n#P .#\n#####", "line 2, column 4: the maze has no ghost, G or R"),
        ("######\n#P.GP#\n######", "line 2, column 5: a second P"),
        ("######\n#P#.G#\n######", "line 2, column 4: no way leads from P to ."),
        ("####\n####", "line 2, column 2: a maze has rows of one length"),
    ],
)
def test_bad_mazes_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Maze.from_text(text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("P", "line 1, column 1: 'P' is not a label such as 0:4,5:e/0@0"),
        ("9:4,5:e/0@0", "line 1, column 1: cell 9 is not a free cell"),
        ("0:4,6:e/0@0", "line 1, column 3: cell 6 is not a free cell"),
        ("99:4,5:e/0@0", "line 1, column 1: cell 99 is not a free cell"),
        ("0:4:e/0@0", "line 1, column 3: 1 ghosts where the maze has 2"),
        ("0:4,5:f/0@0", "line 1, column 7: there is food where the maze has none"),
        ("0:4,5:e/3@0", "line 1, column 9: the turn must be 0 to 2"),
        ("\n 0:4,5:e/0@5", "line 2, column 12: the round must be 0 to 4"),
    ],
)
def test_bad_positions_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        GAMES[-1].parse_state(text)


def test_bad_games_are_refused() -> None:
    with pytest.raises(ValueError, match="rounds must be a whole number, 1 to 3000, not 0"):
        Pacman.on("small", rounds=0)
    with pytest.raises(ValueError, match="scared_time must be a whole number, 1 to 1000, not 1001"):
        Pacman.on("small", scared_time=1001)
    with pytest.raises(ValueError, match="no maze 'big'; mazes: capsules mixed small three wide"):
        Pacman.on("big")
    with pytest.raises(ValueError, match="one weight each for score"):
        Pacman(Maze.load("small"), weights=(1,))


def test_a_game_can_be_compared_hashed_and_pickled() -> None:
    for game in GAMES:
        assert eval(repr(game)) == pickle.loads(pickle.dumps(game)) == game


def test_a_picture_draws_food_and_capsules_as_dots_and_leaves_the_caption() -> None:
    game: Any = find_game("pacman:capsules")
    drawn = game.picture(game.start())
    assert drawn is not None
    assert drawn.below == game.below(game.start()) == "Pacman moves, round 0"
    assert "●" in str(drawn.rows)
