"""Games of one shape share what Numba makes of a kernel, whatever the forms of their positions."""

import linecache
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core.event import Listener, install_listener

from games import Game
from strategies import alphabeta, search, seq
from strategies.native.kept_engines import engine_for
from tests.properties import examples

WRITTEN = """
from attrs import frozen
from games import Game, Status

@frozen
class Row:
    piles: tuple[{ints}]
    {first}
    {second}

@frozen
class Piles(Game[Row, tuple]):
    def start(self):
        return Row({piles}, turn=0, last={last})
    def status(self, state):
        if any(state.piles):
            return Status.IN_PLAY
        return Status.MAXIE_WINS if state.turn else Status.MINNIE_WINS
    def player(self, state):
        return state.turn
    def moves(self, state):
        for i, n in enumerate(state.piles):
            for take in range(1, min(n, {most}) + 1):
                _ = take / 3
                yield {move}
    def make_move(self, state, move):
        {move} = move
        piles = tuple(n - take * (i == j) for j, n in enumerate(state.piles))
        return Row(piles, turn=1 - state.turn, last={after})
    def estimate(self, state):
        return {weight} * sum(state.piles) + state.piles[-1]
"""
LAST = [
    ("last: int", "7", "take"),
    ("last: bool", "False", "take > 1"),
    ("last: float", "0.5", "take / 2"),
    ("last: tuple[int, int]", "(0, 0)", "(take, i)"),
    ("last: tuple[int, bool, float]", "(1, True, 0.0)", "(take, i > 0, take / 4)"),
]
MOVES = ["i, take", "take, i", "_, i, take"]
made: list[str] = []


class Passes(Listener):  # type: ignore[misc]
    """Counts the passes of Numba's compiler."""

    def __init__(self) -> None:
        self.count = 0

    def on_start(self, event: Any) -> None:
        self.count += 1

    def on_end(self, event: Any) -> None:
        pass


def written(text: str) -> Game[Any, Any]:
    """Return the game of a module with this text."""
    name = f"<game {len(made)} of templates>"
    made.append(name)
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    scope: dict[str, Any] = {"__name__": "written", "__file__": name}
    exec(compile(text, name, "exec"), scope)
    game: Game[Any, Any] = scope["Piles"]()
    return game


@st.composite
def games(draw: Callable[..., Any]) -> Game[Any, Any]:
    piles = draw(st.lists(st.integers(2, 6), min_size=2, max_size=4))
    last, start, after = draw(st.sampled_from(LAST))
    fields = ["turn: int", last]
    if draw(st.booleans()):
        fields.reverse()
    return written(
        WRITTEN.format(
            ints=", ".join(["int"] * (len(piles) + 1)), piles=(*piles, 4), first=fields[0],
            second=fields[1], last=start, after=after, most=draw(st.integers(1, 4)),
            weight=draw(st.integers(-9, 9)), move=draw(st.sampled_from(MOVES)),
        )
    )  # fmt: skip


def searched(game: Game[Any, Any], engine: str) -> Any:
    run = search(game, alphabeta(3), using=seq, engine=engine).compute(num_workers=1)
    return run.value, run.nodes, run.move


KERNELS: list[Callable[[Game[Any, Any], str], Any]] = [
    searched,
    lambda game, engine: engine_for(game, engine).perft(game.start(), 4),
    lambda game, engine: engine_for(game, engine).playout(game.start(), 3, 5),
]


@pytest.fixture(scope="module")
def shared() -> None:
    """Compile the kernels for one game of the shape."""
    text = WRITTEN.format(
        ints="int, int", piles=(1, 2), first="turn: int", second=LAST[0][0], last=LAST[0][1],
        after=LAST[0][2], most=2, weight=1,
        move=MOVES[0],
    )  # fmt: skip
    game = written(text)
    for find in KERNELS:
        find(game, "native")


@examples(6)
@given(games(), st.sampled_from(KERNELS))
def test_numba_compiles_nothing_for_a_game_of_a_known_shape(
    shared: None, game: Game[Any, Any], find: Callable[[Game[Any, Any], str], Any]
) -> None:
    passes = Passes()
    with install_listener("numba:run_pass", passes):
        native = find(game, "native")
    assert engine_for(game, "native").native
    assert passes.count == 0
    assert native == find(game, "interpreted")
