"""Capsules and scared ghosts against a plain program in the order of the Berkeley game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import Maze, Pacman, Position, Status
from strategies import expectimax, jamboree, search, seq
from tests.games.given import children, positions

CLOSE = Pacman(Maze.from_text("#######\n#P.oG.#\n#o#.#.#\n#R. . #\n#######"), 12, scared_time=5)
GAMES = [CLOSE, Pacman.on("capsules", scared_time=6), Pacman.on("wide", scared_time=7)]
STEPS = ((0, -1), (0, 1), (-1, 0), (1, 0), (0, 0))
Cell = tuple[int, int]


@dataclass
class Ghost:
    cell: Cell
    home: Cell
    timer: int = 0


@dataclass
class Plain:
    """A game with cells as pairs, changed in place; what happens comes in the published order."""

    game: Pacman
    pacman: Cell = (0, 0)
    ghosts: list[Ghost] = field(default_factory=list)
    food: set[Cell] = field(default_factory=set)
    capsules: set[Cell] = field(default_factory=set)
    points: int = 0
    over: bool = False

    def __post_init__(self) -> None:
        for r, row in enumerate(self.game.maze.rows):
            for c, mark in enumerate(row):
                self.pacman = (r, c) if mark == "P" else self.pacman
                self.food |= {(r, c)} if mark == "." else set()
                self.capsules |= {(r, c)} if mark == "o" else set()
                self.ghosts += [Ghost((r, c), (r, c))] if mark in "GR" else []

    def meet(self, ghost: Ghost) -> None:
        if ghost.cell != self.pacman:
            return
        if ghost.timer > 0:
            self.points += 200
            ghost.cell, ghost.timer = ghost.home, 0
        else:
            self.over = True

    def move_pacman(self, move: int) -> None:
        self.pacman = moved(self.pacman, move)
        if self.pacman in self.food:
            self.points += 10
            self.food.remove(self.pacman)
        if self.pacman in self.capsules:
            self.capsules.remove(self.pacman)
            for ghost in self.ghosts:
                ghost.timer = self.game.scared_time
        for ghost in self.ghosts:
            self.meet(ghost)

    def move_ghost(self, ghost: Ghost, move: int) -> None:
        ghost.cell = moved(ghost.cell, move)
        ghost.timer = max(0, ghost.timer - 1)
        self.meet(ghost)
        if ghost is self.ghosts[-1]:
            self.points -= 1


def moved(cell: Cell, move: int) -> Cell:
    return cell[0] + STEPS[move][0], cell[1] + STEPS[move][1]


def at(game: Pacman, cell: int) -> Cell:
    return divmod(cell, game.width)


PLAYS = st.tuples(st.sampled_from(GAMES), st.lists(st.integers(0, 19), max_size=120))


@given(PLAYS)
def test_plays_agree_with_the_plain_program(play: tuple[Pacman, list[int]]) -> None:
    game, choices = play
    plain, state = Plain(game), game.start()
    for choice in choices:
        if game.status(state) != Status.IN_PLAY:
            break
        steps = list(game.steps(state))
        move = steps[choice % len(steps)]
        if state.turn == 0:
            plain.move_pacman(move)
        else:
            plain.move_ghost(plain.ghosts[state.turn - 1], move)
        state = game.make_move(state, move)
        assert at(game, state.pacman) == plain.pacman
        assert [at(game, ghost) for ghost in state.ghosts] == [g.cell for g in plain.ghosts]
        assert [max(0, left) for left in state.scared] == [g.timer for g in plain.ghosts]
        assert game.score(state) == plain.points
        assert (game.status(state) == Status.MINNIE_WINS) == plain.over
        assert state.capsules.bit_count() == len(plain.capsules)
        everywhere = range(len(game.near))
        assert {at(game, c) for c in everywhere if state.is_food(c)} == plain.food


@given(st.sampled_from(GAMES).flatmap(lambda game: st.tuples(st.just(game), positions(game, 60))))
def test_positions_read_back_and_are_shown(place: tuple[Pacman, Any]) -> None:
    game, state = place
    if game.status(state) == Status.IN_PLAY:
        assert game.parse_state(game.label(state)) == state
    *rows, below = game.show(state).split("\n")
    text = "".join(rows)
    assert text.count("o") <= state.capsules.bit_count()
    scared = {g for g, n in zip(state.ghosts, state.scared, strict=True) if n > 0}
    calm = {g for g, n in zip(state.ghosts, state.scared, strict=True) if n <= 0}
    shown = text.count("g") + text.count("r")
    assert len(scared - calm) <= shown <= len(scared)
    assert ("scared" in below) == bool(scared)


def after(game: Pacman, *moves: int) -> Any:
    state = game.start()
    for move in moves:
        assert move in game.steps(state)
        state = game.make_move(state, move)
    return state


def test_a_capsule_a_scared_ghost_and_its_way_home() -> None:
    game = Pacman(Maze.from_text("#########\n#Po  G .#\n#########"), scared_time=5)
    scared = after(game, 1)
    assert game.label(scared) == "1:4:40/1@0+0:5:0"
    assert list(game.steps(scared)) == [4]  # an odd number of moves is left: it rests
    state = after(game, 1, 4, 1, 0)
    assert game.show(state).splitlines()[1:] == [
        "#  Pg  .#", "#########", "Pacman moves, round 2; scared: ghost 1 for 3",
    ]  # fmt: skip
    assert game.features(state) == (-2, 4, 0)
    svg = Position(game, state).svg
    assert ">g<" in svg
    assert ">●<" in Position(game).svg
    eaten = game.make_move(state, 1)
    assert game.label(eaten) == "3:4:40/1@2+0:-1:1"
    assert game.score(eaten) == 200 - 2
    assert game.status(eaten) == Status.IN_PLAY
    assert game.make_move(eaten, 0).scared == (0,)
    assert game.status(game.make_move(eaten, 0)) == Status.MINNIE_WINS


def test_a_ghost_eaten_at_its_home_bites_only_after_it_moved() -> None:
    game = Pacman(Maze.from_text("#######\n#PoG ..#\n#######".replace("..", ".")), scared_time=9)
    eaten = after(game, 1, 4, 1)
    assert eaten.ghosts == (eaten.pacman,)
    assert game.status(eaten) == Status.IN_PLAY
    assert "*" in game.show(eaten)
    assert game.parse_state(game.label(eaten)) == eaten
    stayed = game.make_move(game.make_move(eaten, 1), 4)
    assert game.status(stayed) == Status.IN_PLAY


def test_whoever_waits_at_the_home_of_an_eaten_ghost_meets_it_again() -> None:
    game = Pacman(Maze.from_text("######\n#PoG.#\n######"))
    eaten = game.make_move(game.parse_state("2:3:8/1@4+0:4:0"), 0)
    assert game.label(eaten) == "2:2:8/0@5+0:-1:1"
    assert game.status(eaten) == Status.IN_PLAY
    assert game.status(game.make_move(eaten, 4)) == Status.MINNIE_WINS
    assert game.status(game.make_move(eaten, 0)) == Status.IN_PLAY


@pytest.mark.parametrize("engine", ["interpreted", pytest.param("native", marks=pytest.mark.long)])
def test_a_search_eats_the_ghost_on_both_engines(engine: str) -> None:
    game = Pacman(Maze.from_text("###########\n#Po    . R#\n###########"), scared_time=11)
    near = game.parse_state("2:3:40/0@4+0:9:0")
    for using in (seq, jamboree(0.5).to_ply(2)):
        for depth in (1, 2, 3, 6):
            asked = search(game, expectimax(depth), state=near, using=using, engine=engine)
            found = asked.compute(num_workers=2)
            assert found.move == 1
            assert found.value > 150


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("1:4:40/1@0", "column 1: the maze has 1 ghosts that capsules scare, not 0"),
        ("1:4:40/1@0+0:5,5:0", "column 14: the maze has 1 ghosts that capsules scare, not 2"),
        ("0:4:40/1@0+2:0:0", "column 12: there is a capsule that the maze does not have"),
        ("1:4:40/1@0+1:0:0", "column 12: there is a capsule .* or where Pacman is"),
        ("0:4:40/1@0+1:3:0", "column 14: a ghost is scared for at most 0 moves here, not 3"),
        ("1:4:40/1@0+0:6:0", "column 14: a ghost is scared for at most 5 moves here, not 6"),
        ("1:1:40/1@0+0:5:0", "column 14: a scared ghost is where Pacman is"),
        ("1:3:40/1@0+0:-1:1", "column 14: -1 is for a ghost that was eaten"),
        ("1:4:40/1@0+0:5:2", "column 16: at most 1 ghosts are eaten by 1 capsules"),
    ],
)
def test_bad_positions_are_refused(text: str, complaint: str) -> None:
    game = Pacman(Maze.from_text("#########\n#Po  G .#\n#########"), scared_time=5)
    with pytest.raises(ValueError, match=complaint):
        game.parse_state(text)


def test_large_mazes() -> None:
    rows = [" " * 64 for _ in range(64)]
    rows[0], rows[63] = "P" + " " * 62 + "G", "." + " " * 62 + "."
    game = Pacman(Maze(tuple(rows)), rounds=3000)
    assert len(game.start().more_food) == 63
    label = game.label(game.start())
    assert game.parse_state(label) == game.start()
    near = game.parse_state(label.replace("0:63:", "3968:63:"))
    eaten = game.make_move(near, 3)
    assert game.food_left(eaten) == 1
    assert game.features(eaten)[1] == 63
    assert len(children(game, eaten)) == 2
    with pytest.raises(ValueError, match="there is food where the maze has none"):
        game.parse_state(f"0:63:{1 << 4096:x}/0@0")
    with pytest.raises(ValueError, match=r"is not a label such as 0:63:80{14}10+…$"):
        game.parse_state("?")
    with pytest.raises(ValueError, match="4,160 cells inside, at most 4,096 fit"):
        Maze((*rows, " " * 64))
    with pytest.raises(ValueError, match="line 4, column 2: more than 64 capsules"):
        Maze(("PG" + "." * 62, "o" * 64, "oo" + " " * 62))
