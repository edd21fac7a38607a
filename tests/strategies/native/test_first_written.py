"""Games as one writes them first run as machine code, with Python's values under every kernel.

Kernels overwrite the memory that they give back, so nothing that it holds is read later.
"""

from __future__ import annotations

import linecache
import threading
from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import Game, Status
from strategies import alphabeta, engine_for, parse_algorithm, search, solve
from strategies.algorithms.errors import AlgorithmError
from strategies.native.calls.maxn import search_maxn
from strategies.native.compiler.rules_in_numba import MOST_LENGTHS, Bound, bind
from strategies.native.memory.cells import Stop, Stopped
from strategies.rules.boundary.held import shape_of
from strategies.rules.language.messages import Refusal
from strategies.rules.machine import memory
from tests.properties import examples
from tests.strategies.native.counting import mixed
from tests.strategies.native.first_written import Jumps, Sets, Takers

pytestmark = pytest.mark.usefixtures("poison")

GAMES = [Jumps(), Sets(), Takers()]
QUICK = [
    *((GAMES[0], a) for a in ("minimax(3)", "pvs(4, table='64kB')")),
    (GAMES[1], "expectimax(3)"),
    (GAMES[2], "maxn(4)"),
]
OTHERS = [
    *((GAMES[0], a) for a in ("alphabeta(4, table='64kB')", "mtdf(3, table='64kB')")),
    (GAMES[0], "mcts(40, seed=2)"),
    *((GAMES[1], a) for a in ("minimax(3)", "alphabeta(4, table='64kB')", "pvs(4, table='64kB')")),
    (GAMES[1], "mcts(40, seed=2)"),
    *((GAMES[2], a) for a in ("paranoid(4)", "mcts(40, seed=2)")),
]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_they_are_native_as_they_stand(game: Game[Any, Any]) -> None:
    engine = engine_for(game)
    assert engine.reason == ""
    assert isinstance(engine._rules, Bound)


@pytest.mark.parametrize(
    ("game", "algorithm"),
    [*QUICK, *(pytest.param(*other, marks=pytest.mark.long) for other in OTHERS)],
    ids=str,
)
def test_every_algorithm_finds_what_it_finds_in_python(
    game: Game[Any, Any], algorithm: str
) -> None:
    found = [
        search(game, parse_algorithm(algorithm), engine=how).compute()
        for how in ("native", "interpreted")
    ]
    assert [(f.value, f.move, f.nodes) for f in found[:1]] == [
        (f.value, f.move, f.nodes) for f in found[1:]
    ]


@pytest.mark.long  # a proof has the largest kernel
def test_a_game_is_solved_as_in_python() -> None:
    start = engine_for(Jumps(3), "interpreted").playout(Jumps(3).start(), 1, 4)[0]
    found = [solve(Jumps(3), start, engine=how) for how in ("native", "interpreted")]
    assert found[0].value == found[1].value


@settings(max_examples=12)
@given(st.sampled_from(GAMES), st.integers(0, 2**63 - 1), st.integers(1, 20))
def test_plays_are_those_of_python(game: Any, seed: int, plies: int) -> None:
    fast, slow = (engine_for(game, how) for how in ("native", "interpreted"))
    last, count = fast.playout(game.start(), seed, plies)
    assert (last, count) == slow.playout(game.start(), seed, plies)
    for how in range(3):
        assert fast.perft(last, how) == slow.perft(last, how)
        if game.players == 2:
            assert fast.search(last, how) == slow.search(last, how)
        else:
            assert search_maxn(fast, last, how).value == search_maxn(slow, last, how).value


def test_the_memory_of_a_position_is_given_back_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search of many positions needs no more memory than those on its path."""
    game: Any = Jumps()
    engine = engine_for(game, "native").warm()
    searched = search(game, parse_algorithm("pvs(5, table='64kB')"), engine="native")
    nodes = searched.compute("sync").nodes
    context = memory.arena().context
    monkeypatch.setattr(context, "end", context.free + (1 << 19))
    assert engine.perft(game.start(), 6) > 4000
    assert search(game, parse_algorithm("pvs(5, table='64kB')")).compute("sync").nodes == nodes


def worth(n: int) -> int:
    return n


@attrs.frozen
class Line(Game[int, int]):
    """A game on ints whose estimate may never end."""

    ends: bool = True

    def start(self) -> int:
        return 0

    def status(self, state: int) -> Status:
        return Status.IN_PLAY

    def player(self, state: int) -> int:
        return state % 2

    def moves(self, state: int) -> Any:
        return [1, 2]

    def make_move(self, state: int, move: int) -> int:
        return state + move

    def estimate(self, state: int) -> int:
        n = state + 1
        while not self.ends and n > 0:
            n = n % 7 + 1
        return worth(n)


def test_a_helper_that_is_redefined_is_compiled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game: Any = Line()
    assert engine_for(game, "native").call(mixed, 0, 0) == 1
    monkeypatch.setitem(globals(), "worth", lambda n: 10 * n)
    assert engine_for(game, "native").call(mixed, 0, 0) == 10


def test_a_stop_ends_a_rule_that_does_not_end() -> None:
    engine, stop = engine_for(Line(ends=False), "native").warm(), Stop()
    timer = threading.Timer(0.2, stop.set)
    timer.start()
    with pytest.raises(Stopped):
        engine.search(0, 3, stop=stop)
    timer.join()


@pytest.mark.long  # it stops as the search of the test above, under a kernel of its own
def test_a_limit_of_time_ends_a_rule_that_does_not_end() -> None:
    with pytest.raises(AlgorithmError, match="no estimate that ends"):
        search(Line(ends=False), alphabeta(depth=2), engine="native", time=0.2).compute()


@attrs.frozen
class Scored(Line):
    """A game whose positions are worth what its tables say."""

    rows: tuple[tuple[float, ...], ...] = ((1.0,),)
    signs: tuple[bool, ...] = (True,)
    base: Any = None

    def estimate(self, state: int) -> float:  # type: ignore[override]
        row = self.rows[state % len(self.rows)]
        found = sum(row) if self.signs[state % len(self.signs)] else -sum(row)
        return found if self.base is None else found + self.base


NUMBERS = st.integers(-9, 9).map(lambda n: n / 2)
SHAPES = st.lists(st.integers(0, 3), min_size=1, max_size=4).filter(any)
"""The lengths of the rows of a table, of which one at least is not empty."""


@examples(40)
@given(SHAPES, st.data())
def test_games_that_differ_in_their_tables_alone_have_the_values_of_python(
    lengths: list[int], data: st.DataObject
) -> None:
    rows = data.draw(st.tuples(*(st.tuples(*[NUMBERS] * n) for n in lengths)))
    signs = data.draw(st.tuples(*[st.booleans()] * len(lengths)))
    fast, slow = (engine_for(Scored(rows=rows, signs=signs), e) for e in ("native", "interpreted"))
    assert fast.call(mixed, 0, 3) == slow.call(mixed, 0, 3)


def rows_of(lengths: list[int], number: float) -> tuple[tuple[float, ...], ...]:
    return tuple((number,) * n for n in lengths)


@settings(max_examples=6)
@given(st.lists(SHAPES, min_size=1, max_size=4, unique_by=lambda s: shape_of(rows_of(s, 0.5))))
def test_games_that_differ_in_their_tables_alone_share_code(shapes: list[list[int]]) -> None:
    """Two lengths, one after another, are constants of the code; later ones are in memory.

    Tables of floats and of whole numbers, whose code differs, take turns."""

    class Fresh(Scored):
        """A class of which no game was compiled yet."""

    made = []
    for shape in shapes:
        for numbers in (0.5, 1.5), (1, 2):
            games = [Fresh(rows=rows_of(shape, n), signs=(True,) * len(shape)) for n in numbers]
            made.append({bind(game, 0).digest for game in games})
    assert {len(digests) for digests in made} == {1}
    assert len(set().union(*made)) == 2 * min(len(shapes), MOST_LENGTHS + 1)


@attrs.frozen
class Mapped(Line):
    """A game whose positions are worth what its array says."""

    array: Any = attrs.field(factory=lambda: np.ones((1, 1)), eq=False)

    def estimate(self, state: int) -> float:  # type: ignore[override]
        row = self.array[state % len(self.array)]
        total = float(self.array.size)
        for x in row:
            total += float(x)
        return total + float(self.array[-1, state % row.shape[0]])


SIZES = st.tuples(st.integers(1, 4), st.integers(1, 4))
LAYOUTS: list[Callable[[Any], Any]] = [
    np.ascontiguousarray, np.asfortranarray, lambda a: np.repeat(a, 2, axis=1)[:, ::2],
]  # fmt: skip


@pytest.mark.usefixtures("any_length")
@examples(40)
@given(SIZES, st.sampled_from(LAYOUTS), st.data())
def test_games_that_differ_in_their_arrays_alone_have_the_values_of_python(
    size: tuple[int, int], layout: Callable[[Any], Any], data: st.DataObject
) -> None:
    numbers = data.draw(st.lists(NUMBERS, min_size=size[0] * size[1], max_size=size[0] * size[1]))
    game = Mapped(array=layout(np.reshape(np.array(numbers), size)))
    fast, slow = (engine_for(game, e) for e in ("native", "interpreted"))
    assert fast.call(mixed, 0, 3) == slow.call(mixed, 0, 3)


@settings(max_examples=5)
@given(st.lists(SIZES, min_size=1, max_size=6, unique=True))
def test_games_that_differ_in_their_arrays_alone_share_code(sizes: list[tuple[int, int]]) -> None:
    class Fresh(Mapped):
        """A class of which no game was compiled yet."""

    digests = {bind(Fresh(array=np.ones(size)), 0).digest for size in sizes}
    assert len(digests) == min(len(sizes), MOST_LENGTHS + 1)


@attrs.frozen
class Stepped(Line):
    """A game whose rules read what is made anew each time."""

    size: int = 3

    @property
    def steps(self) -> tuple[int, ...]:
        return tuple(range(1, self.size))

    @classmethod
    def least(cls) -> int:
        return 10**9

    def estimate(self, state: int) -> int:
        return sum(self.steps) + self.least() + state


def test_rules_that_read_properties_are_compiled_once() -> None:
    engine, slow = (engine_for(Stepped(), how) for how in ("native", "interpreted"))
    assert engine.call(mixed, 0, 2) == slow.call(mixed, 0, 2)
    assert engine_for(Stepped(), "native") is engine


def test_a_refusal_names_no_function_but_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where another text has the name that `exec` gives, as in ``python -c`` from 3.13 on."""
    lines = ["def estimate(self, state):\n", "    return 2\n"]
    monkeypatch.setitem(linecache.cache, "<string>", (1, None, lines, "<string>"))
    scope: dict[str, Any] = {}
    exec("def estimate(self, state):\n    return state\n", scope)
    made: Any = type("Typed", (Line,), {"estimate": scope["estimate"], "__module__": __name__})
    with pytest.raises(Refusal, match=r"^the source of estimate is not known; write it in a file$"):
        Bound(attrs.frozen(made)(), [0])
