"""Solving within a limit of plies, puzzles of one player, and scores: values, bounds and texts."""

import time
from typing import Any

import pytest
from attrs import evolve, frozen
from hypothesis import given
from hypothesis import strategies as st

from games import ExplicitGame, Game, SearchTree, Status, TicTacToe, win_in
from games.game import WIN_PLIES
from graphs.errors import ArgumentError
from strategies import (
    abdada,
    auto,
    engine_for,
    lazy_smp,
    optimisation,
    par_list,
    search,
    seq,
    young_brothers_wait,
)  # fmt: skip
from strategies.native.calls.solver import Solver
from strategies.searches import solving
from strategies.searches.solution import Solution, scores
from strategies.searches.solving import solve
from tests.properties import examples
from tests.strategies.given import trees

WAYS = [
    seq, young_brothers_wait.to_ply(2), par_list.everywhere, abdada(workers=2),
    lazy_smp(workers=2), auto(workers=2, drivers=True),
]  # fmt: skip


@frozen
class Corridor(Game[int, int]):
    """A puzzle of one player: walk a line of cells, in either direction, to a goal if there is one.

    Walks need not end.
    """

    players = 1
    size: int = 9
    goal: int = 5

    def start(self) -> int:
        return 0

    def status(self, state: int) -> Status:
        return Status.MAXIE_WINS if state == self.goal else Status.IN_PLAY

    def player(self, state: int) -> int:
        return 0

    def moves(self, state: int) -> Any:
        for step in (-1, 1):
            if 0 <= state + step < self.size:
                yield step

    def make_move(self, state: int, move: int) -> int:
        return state + move

    def estimate(self, state: int) -> int:
        return state


@pytest.mark.parametrize("using", WAYS, ids=repr)
@pytest.mark.parametrize("most", [1, 4, 5, 6, 40])
def test_a_puzzle_is_solved_within_a_limit_or_not(using: Any, most: int) -> None:
    """The shortest solution is found if it is within the limit, under every strategy and driver."""
    found = solve(Corridor(), using=using, most_plies=most, engine="interpreted", memory="64kB")
    if most < 5:
        assert (str(found), found.exact, found.limit) == (
            f"no solution within {most} {'ply' if most == 1 else 'plies'}", False, most
        )  # fmt: skip
        assert found.move is None
    else:
        assert (found.value, found.plies, found.move, found.limit) == (win_in(5), 5, 1, None)
        assert str(found) == "solved in 5 plies"
        assert str(evolve(found, low=win_in(9))) == "solved in at most 9 plies"


def test_threads_wait_for_the_proofs_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread with no question of its own left does not end the proof of another thread."""
    usual = Solver.once

    def slow(self: Solver, stop: Any, kernel: Any, state: Any, *window: float) -> Any:
        if window[1] > 0:  # a question about a win
            time.sleep(0.1)
        return usual(self, stop, kernel, state, *window)

    monkeypatch.setattr(Solver, "once", slow)
    how = {"most_plies": 4, "engine": "interpreted", "memory": "64kB"}
    found = solve(Corridor(), using=lazy_smp(workers=2), **how)
    assert str(found) == "no solution within 4 plies"


@pytest.mark.parametrize("using", WAYS[1:4:2], ids=repr)
def test_a_puzzle_without_a_solution_says_so(using: Any) -> None:
    """Its walks never end, but its positions do."""
    found = solve(Corridor(goal=20), using=using, engine="interpreted", memory="1MB")
    assert (str(found), found.limit, found.move) == ("no solution", None, None)


def test_a_puzzle_whose_walks_end_has_no_solution_at_all() -> None:
    """A dead end is a loss in a game for one, and nobody else wins it."""

    class OneWay(Corridor):
        def moves(self, state: int) -> Any:
            yield from (1, 2)

        def status(self, state: int) -> Status:
            return Status.MINNIE_WINS if state > 6 else Status.IN_PLAY

    class Sum(OneWay):
        def utility(self, state: int) -> float:
            return 7 - state

    assert str(solve(OneWay(), engine="interpreted")) == "no solution"
    assert str(solve(Sum(), engine="interpreted")) == "value 0, proven"


class Bare(SearchTree[Any, int]):
    """A tree whose leaves are worth nothing; it says where they are."""

    def __init__(self, shape: Any) -> None:
        self.shape = shape

    def start(self) -> Any:
        return self.shape

    def status(self, state: Any) -> Status:
        return Status.IN_PLAY if isinstance(state, tuple) and state else Status.OVER

    def moves(self, state: Any) -> Any:
        yield from range(len(state) if isinstance(state, tuple) else 0)

    def make_move(self, state: Any, move: int) -> Any:
        return state[move]


class Leaves(Bare):
    def utility(self, state: Any) -> float:
        return state if isinstance(state, int) else 0


SHAPES = st.recursive(st.integers(-2, 2), lambda below: st.lists(below, max_size=3).map(tuple))


@given(SHAPES.filter(lambda shape: isinstance(shape, tuple)))
def test_a_tree_has_the_value_of_its_best_leaf_also_if_that_is_0(shape: Any) -> None:
    for tree in Bare(shape), Leaves(shape):
        best = search(tree, optimisation(), engine="interpreted").compute()
        found = solve(tree, engine="interpreted", memory="64kB")
        assert (str(found), found.move) == (f"value {best.value}, proven", best.move)


@examples(30)
@given(trees(4, wins=True), st.integers(1, 6))
def test_a_limit_keeps_what_is_within_it(game: ExplicitGame, most: int) -> None:
    """A win within the limit is found exactly; else the bounds hold, and leave no win within it."""
    known = solve(game, engine="interpreted", memory="64kB")
    found = solve(game, most_plies=most, engine="interpreted", memory="64kB")
    assert found.low <= known.value <= found.high
    if known.plies is not None and known.plies <= most:
        assert (found.value, found.move) == (known.value, known.move)
    else:
        assert found.exact or found.limit == most
        assert found.high < win_in(most)
        assert found.low > -win_in(most)


@examples(25)
@given(trees(3), st.booleans())
def test_scores_are_no_wins(game: ExplicitGame, ranged: bool) -> None:
    """Neither the bounds nor the text of a game of scores speak of wins; a range changes none."""
    game = game if ranged else evolve(game, value_range=None)
    texts: list[str] = []
    found = solve(
        game, engine="interpreted", memory="64kB", progress=lambda s: texts.append(str(s))
    )
    assert found.value == solve(evolve(game, value_range=None), engine="interpreted").value
    bounds = [
        Solution(low=low, high=high, scored=scores(game))
        for low in (-float("inf"), -win_in(3), -1.0)
        for high in (1.0, win_in(9))
    ]
    assert not any("wins" in text for text in [str(found), *texts, *map(str, bounds)])


def test_the_most_is_stated() -> None:
    """A larger limit is refused; a game that lasts longer is solved by all its positions."""
    for wrong in (0, WIN_PLIES + 1, 2.5):
        with pytest.raises((ValueError, TypeError), match="most_plies"):
            solve(TicTacToe(), most_plies=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("more", [{"line": 2}, {"most_plies": 9}])
def test_an_outcome_has_one_move_and_no_plies(more: dict[str, int]) -> None:
    with pytest.raises(ArgumentError, match="leave out line and most_plies"):
        solve(TicTacToe(), outcome=True, **more)

    class ForTwo(Corridor):
        players = 2

        def player(self, state: int) -> int:
            return state % 2

    assert solve(ForTwo(goal=20), engine="interpreted", memory="1MB").exact
    found = solve(ForTwo(goal=20), most_plies=20, engine="interpreted", memory="1MB")
    assert str(found).endswith("; wins were looked for within 20 plies")


@pytest.mark.parametrize("using", WAYS, ids=repr)
def test_rules_that_nothing_has_compiled_are_tried_first(
    using: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A short solution compiles nothing, under every strategy; its text is that of `seq`."""

    @frozen
    class Fresh(Corridor):
        native = True

    def refuse(*_: object) -> None:
        raise AssertionError("a kernel is compiled")

    monkeypatch.setattr("strategies.native.engine.Engine.prepare", refuse)
    assert str(solve(Fresh(), using=using, memory="1MB")) == "solved in 5 plies"


@examples(15)
@given(st.integers(5, 8), st.lists(st.integers(0, 8), min_size=8, max_size=8))
def test_few_positions_have_the_values_of_proofs(plies: int, choices: list[int]) -> None:
    """If the trial is too short, fewer than a hundred positions are solved, and nothing is
    compiled."""

    @frozen
    class Fresh(TicTacToe):
        native = True

    game = Fresh()
    state = game.start()
    for choice in choices[:plies]:
        moves = list(game.moves(state)) if game.status(state) == Status.IN_PLAY else []
        state = game.make_move(state, moves[choice % len(moves)]) if moves else state
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solving, "TRIAL_SECONDS", -1.0)
        found = solve(game, state, line=9)
    assert engine_for(game).undecided
    wanted = solve(game, state, line=9, engine="interpreted")
    assert str(found) == str(wanted)
    assert (found.value, found.line, found.plies) == (wanted.value, wanted.line, wanted.plies)


def test_a_trial_that_takes_too_long_is_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules are then compiled, and the position is solved by machine code."""

    @frozen
    class Slow(Corridor):
        native = True

    class CompiledError(Exception):
        pass

    def compiled(*_: object) -> None:
        raise CompiledError

    monkeypatch.setattr(solving, "TRIAL_SECONDS", -1.0)
    monkeypatch.setattr("strategies.native.engine.Engine.prepare", compiled)
    with pytest.raises(CompiledError):
        solve(Slow(size=200, goal=150), memory="1MB")
