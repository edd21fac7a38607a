"""Endgame tables hold the exact values of all positions, in cycles and with chance."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from attrs import evolve, frozen
from hypothesis import assume, given
from hypothesis import strategies as st

from games import WIN, ConnectFour, ExplicitGame, Game, Nim, Status, TicTacToe
from games.pig.rules import PigForMany
from graphs import ArgumentError
from strategies import EndgameTable, endgame_table, expectimax, search, solve
from strategies.algorithms.errors import AlgorithmError
from strategies.native.memory.cells import Stop
from strategies.searches.proving import solution_in
from tests.properties import examples
from tests.strategies.given import brute, trees

sys.path.append(str(Path(__file__).parents[3] / "docs"))
from rook import RookEndgame
from small_chance import PigToTheEnd, Small2048

sys.path.pop()

ENGINES = "native", "interpreted"
LONG = pytest.mark.long
ROOK, PIG = RookEndgame(size=4), PigToTheEnd(target=8)
"""The games whose tables are made in machine code by several tests: each size is compiled anew."""


@frozen
class Graph(Game[int, int]):
    """A game on a graph: each place has a mover, its branches, and an end's value or None."""

    movers: tuple[int, ...]
    branches: tuple[tuple[int, ...], ...]
    ends: tuple[int | None, ...]

    def start(self) -> int:
        return 0

    def status(self, state: int) -> Status:
        return Status.IN_PLAY if self.ends[state] is None else Status.OVER

    def player(self, state: int) -> int:
        return self.movers[state]

    def moves(self, state: int) -> Iterator[int]:
        yield from self.branches[state]

    def make_move(self, state: int, move: int) -> int:
        return move

    def estimate(self, state: int) -> int:
        return 0

    def utility(self, state: int) -> int:
        return self.ends[state] or 0


@st.composite
def graphs(draw: Any) -> Graph:
    n = draw(st.integers(2, 9))
    places = st.integers(0, n - 1)
    movers = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    branches = draw(
        st.lists(st.lists(places, min_size=1, max_size=3, unique=True), min_size=n, max_size=n)
    )
    ends = draw(st.lists(st.none() | st.integers(-3, 3), min_size=n, max_size=n))
    return Graph(tuple(movers), tuple(map(tuple, branches)), (None, *ends[1:]))


def forced(graph: Graph, side: int, good: set[int]) -> set[int]:
    """Return the places from which a side can force play to reach one of the good ends."""
    won = set(good)
    while True:
        more = {
            p for p in range(len(graph.movers)) if p not in won and graph.ends[p] is None
            and (any if graph.movers[p] == side else all)(b in won for b in graph.branches[p])
        }  # fmt: skip
        if not more:
            return won
        won |= more


def by_definition(graph: Graph, endless: int) -> list[int]:
    """Return the value of each place: what one side can force to be better than endless play."""
    found = [endless if end is None else end for end in graph.ends]
    for side, values in ((0, range(endless + 1, 4)), (1, range(endless - 1, -4, -1))):
        for value in values:
            ends = {
                p for p, end in enumerate(graph.ends)
                if end is not None and (end >= value if side == 0 else end <= value)
            }  # fmt: skip
            for place in forced(graph, side, ends):
                if graph.ends[place] is None:
                    found[place] = value
    return found


@given(graphs(), st.integers(-2, 2))
@examples(150, times=80)
def test_values_in_cycles_are_those_that_a_side_can_force(graph: Graph, endless: int) -> None:
    table = endgame_table(graph, endless=endless, engine="interpreted")
    wanted = by_definition(graph, endless)
    reached = [place for place in range(len(graph.movers)) if place in table]
    assert len(reached) == len(table)
    for place in reached:
        assert table.bounds(place) == (wanted[place], wanted[place])
        assert all(table.value(m) == wanted[place] for m in table.moves(place))
        assert bool(table.moves(place)) == (graph.ends[place] is None)


@given(graphs())
@examples(40)
def test_the_outcome_alone_is_the_sign_of_the_value(graph: Graph) -> None:
    signs = [(value > 0) - (value < 0) for value in by_definition(graph, 0)]
    found = solve(graph, outcome=True, engine="interpreted", memory="64kB")
    assert found.outcome == signs[0] == signs[found.move]


@frozen
class Start:
    """The position before the first move."""


class Opened(Graph):
    """The same, from a position of another class than the others."""

    def start(self) -> Any:
        return Start()

    def make_move(self, state: Any, move: int) -> int:
        return 0 if state == Start() else move

    def status(self, state: Any) -> Status:
        return Status.IN_PLAY if state == Start() else super().status(state)

    def player(self, state: Any) -> int:
        return 0 if state == Start() else super().player(state)

    def moves(self, state: Any) -> Iterator[int]:
        yield from (7,) if state == Start() else super().moves(state)


@given(graphs())
def test_a_table_knows_positions_of_every_class(graph: Graph) -> None:
    opened = Opened(graph.movers, graph.branches, graph.ends)
    table, plain = (endgame_table(g, engine="interpreted") for g in (opened, graph))
    assert (table.moves(Start()), table.value(Start())) == ((7,), plain.value(0))
    for place in range(len(graph.movers)):
        assert (place in table) == (place in plain)
        if place in plain:
            assert (table.value(place), table.moves(place)) == (
                plain.value(place),
                plain.moves(place),
            )


@given(graphs(), st.integers(-2, 2), st.randoms())
@examples(80, times=150)
def test_the_moves_of_a_table_earn_its_value_against_any_play(
    graph: Graph, endless: int, random: Any
) -> None:
    """One side plays moves of the table, the other one any.

    It reaches what it can force in as many plies as there are places: later, play never ends.
    """
    table = endgame_table(graph, endless=endless, engine="interpreted")
    for side in (0, 1):
        place = graph.start()
        for _ in range(20):
            if graph.ends[place] is None:
                own = graph.movers[place] == side
                place = random.choice(table.moves(place) if own else graph.branches[place])
        end = graph.ends[place]
        earned = endless if end is None else end
        assert earned >= table.value(0) if side == 0 else earned <= table.value(0)


def test_a_file_keeps_which_moves_make_progress(tmp_path: Path) -> None:
    game = Graph((0, 1, 0), ((1, 2), (0,), (2,)), (None, None, 3))
    table = endgame_table(game, engine="interpreted")
    assert table.moves(0) == (2,)
    assert EndgameTable.load(table.save(tmp_path / "table.npz"), game).moves(0) == (2,)
    assert solve(game, engine="interpreted", line=9).line == (2,)


@frozen
class Chain(Graph):
    """A graph on which chance makes some moves, all branches equally likely."""

    def outcomes(self, state: int) -> Iterator[tuple[float, int]]:
        for place in self.branches[state]:
            yield 1 / len(self.branches[state]), place


def expected(chain: Chain) -> Any:
    """Return the expected end from each place of a graph on which chance makes all moves.

    Where an end can be reached, it solves linear equations; else it is 0, as endless play.
    """
    n = len(chain.movers)
    ending = {p for p in range(n) if chain.ends[p] is not None}
    while more := {p for p in range(n) if p not in ending and ending & {*chain.branches[p]}}:
        ending |= more
    matrix, right = np.eye(n), np.zeros(n)
    for place in range(n):
        end = chain.ends[place]
        if end is not None:
            right[place] = end
        elif place in ending:
            for branch in chain.branches[place]:
                matrix[place, branch] -= 1 / len(chain.branches[place])
    return np.linalg.solve(matrix, right)


@given(graphs())
@examples(100, times=80)
def test_expectations_in_cycles_solve_their_equations(graph: Graph) -> None:
    chain = Chain((-1,) * len(graph.movers), graph.branches, graph.ends)
    table, wanted = endgame_table(chain, engine="interpreted"), expected(chain)
    for place in range(len(chain.movers)):
        if place in table:
            low, high = table.bounds(place)
            assert low - 1e-9 <= wanted[place] <= high + 1e-9
            assert table.value(place) == pytest.approx(wanted[place], abs=1e-9) or low < high


@given(graphs(), st.data())
@examples(100, times=80)
def test_bounds_with_players_and_chance_enclose_what_each_side_can_force(
    graph: Graph, data: st.DataObject
) -> None:
    """With chance on one player's side, the value is between those of the two games without."""
    lucky = data.draw(st.sets(st.integers(1, len(graph.movers) - 1)))
    movers = tuple(-1 if p in lucky else m for p, m in enumerate(graph.movers))
    table = endgame_table(Chain(movers, graph.branches, graph.ends), engine="interpreted")
    good, bad = (
        by_definition(evolve(graph, movers=tuple(side if m < 0 else m for m in movers)), 0)
        for side in (0, 1)
    )
    for place in range(len(movers)):
        if place in table:
            low, high = table.bounds(place)
            assert low <= high
            assert low <= good[place] + 1e-9
            assert high >= bad[place] - 1e-9
            if movers[place] >= 0 and graph.ends[place] is None:
                known = [table.bounds(place) for place in graph.branches[place]]
                sure = [-high if movers[place] else low for low, high in known]
                best = [m for m, s in zip(graph.branches[place], sure, strict=True)
                        if s >= max(sure) - 1e-9]  # fmt: skip
                assert table.moves(place) == tuple(best)


@given(graphs(), st.data(), st.sampled_from([(0, WIN, -WIN), (3, WIN, -WIN), (1, 2, WIN)]))
@examples(30)
def test_beside_chance_a_win_counts_no_plies_and_only_known_values_are_told(
    graph: Graph, data: st.DataObject, ends: tuple[int, ...]
) -> None:
    n = len(graph.movers)
    lucky = data.draw(st.sets(st.integers(1, n - 1), min_size=1))
    movers = tuple(-1 if p in lucky else m for p, m in enumerate(graph.movers))
    worth = tuple(None if end is None else ends[end % 3] for end in graph.ends)
    game = Chain(movers, graph.branches, worth)
    table = endgame_table(game, engine="interpreted")
    (low, high), solution = table.bounds(0), solution_in(table, 0, scored=True)
    assert table.longest is None
    assert not any(table.plies(place) for place in range(n) if place in table)
    told = str(table).split(";")[0]
    assert "plies" not in told + str(solution)
    assert "ply" not in told + str(solution)
    assert solution.exact == (high - low <= table.tolerance) == ("between" not in told)
    if solution.exact:
        assert solution.plies is None
        assert ("Maxie wins" in told) == ("Maxie wins" in str(solution)) == (low >= WIN)
    else:
        assert told == str(solution)


def by_strategies(chain: Chain) -> Any:
    """Return the value of each place: the most that one choice of moves of Maxie forces against
    each choice of Minnie's moves."""
    own = [
        [(place, branch) for branch in chain.branches[place]]
        if chain.movers[place] >= 0 and chain.ends[place] is None
        else [(place, None)]
        for place in range(len(chain.movers))
    ]
    sides = [
        list(product(*(moves if chain.movers[moves[0][0]] == side else [None] for moves in own)))
        for side in (0, 1)
    ]

    def value(*chosen: Any) -> Any:
        made = dict(move for moves in chosen for move in moves if move and move[1] is not None)
        branches = tuple(
            (made[place],) if place in made else chain.branches[place]
            for place in range(len(chain.movers))
        )
        return expected(evolve(chain, branches=branches))

    return np.max([np.min([value(a, b) for b in sides[1]], axis=0) for a in sides[0]], axis=0)


@given(graphs(), st.data())
@examples(60)
def test_bounds_with_players_and_chance_enclose_the_value_of_the_best_strategies(
    graph: Graph, data: st.DataObject
) -> None:
    lucky = data.draw(st.sets(st.integers(0, len(graph.movers) - 1), min_size=1))
    movers = tuple(-1 if p in lucky else m for p, m in enumerate(graph.movers))
    chain = Chain(movers, graph.branches, graph.ends)
    choices = (len(b) for b, m, end in zip(graph.branches, movers, graph.ends, strict=True)
               if m >= 0 and end is None)  # fmt: skip
    assume(prod(choices) <= 100)
    table, wanted = endgame_table(chain, engine="interpreted"), by_strategies(chain)
    for place in range(len(movers)):
        if place in table:
            low, high = table.bounds(place)
            assert low - 1e-9 <= wanted[place] <= high + 1e-9


def test_a_value_is_as_precise_as_the_results_that_play_can_have_from_there() -> None:
    game = Chain((1, -1, 0, 0), ((1, 3), (1, 2), (2,), (3,)), (None, None, 1, 10**9))
    low, high = endgame_table(game, engine="interpreted").bounds(0)
    assert 1 - 2e-12 <= low <= 1 <= high <= 1 + 2e-12


def test_play_that_cannot_end_is_worth_what_is_said() -> None:
    """Beside it, play ends with -3 or 3."""
    branches = (1, 3, 4), (2, 1), (1, 2), (3,), (4,)
    game = Chain((-1, -1, 0, 0, 0), branches, (None, None, None, -3, 3))
    for endless in (-5, 0, 2):
        table = endgame_table(game, endless=endless, engine="interpreted")
        assert table.bounds(1) == table.bounds(2) == (endless, endless)
        assert table.value(0) == pytest.approx(endless / 3)


@given(graphs(), st.sampled_from([1, 1_000_000]))
@examples(100)
def test_what_a_table_knows_is_known_to_solve_and_to_searches(graph: Graph, unit: int) -> None:
    ends = tuple(None if end is None else end * unit for end in graph.ends)
    chain = Chain((-1, *graph.movers[1:]), graph.branches, ends)
    table = endgame_table(chain, engine="interpreted")
    low, high = table.bounds(0)
    most = max(abs(bound) for place in range(len(ends)) if place in table
               for bound in table.bounds(place))  # fmt: skip
    if high - low <= 1e-12 * max(1, most):
        assert solve(chain, engine="interpreted").exact
    after = graph.branches[0]
    if all(b - a <= 1e-12 * max(1, most) for a, b in map(table.bounds, after)):
        found = search(chain, expectimax(1), engine="interpreted", endgame=table).compute()
        assert found.value == pytest.approx(table.value(0), rel=1e-9, abs=1e-9 * unit)


@given(trees(chance=True))
@examples(60)
def test_values_without_cycles_are_those_of_a_search(game: ExplicitGame) -> None:
    table, state = endgame_table(game, engine="interpreted"), game.start()
    value, move = brute(game, state, 9)
    assert table.value(state) == pytest.approx(value, abs=1e-12)
    if move is None:
        assert table.moves(state) == ()
        return
    worths = {m: brute(game, game.make_move(state, m), 8)[0] for m in game.moves(state)}
    assert table.moves(state)[0] == next(m for m, w in worths.items() if abs(w - value) <= 1e-12)


@pytest.mark.parametrize(
    ("game", "engine"),
    [
        (Nim((3, 4, 5)), "interpreted"),
        pytest.param(TicTacToe(), "native", marks=LONG),
        pytest.param(TicTacToe(), "interpreted", marks=LONG),
        pytest.param(Nim((3, 4, 5)), "native", marks=LONG),
    ],
)
def test_values_are_those_of_solve(game: Game[Any, Any], engine: str) -> None:
    table, solution = endgame_table(game, engine=engine), solve(game, engine="interpreted")
    assert table.value(game.start()) == solution.value
    assert table.plies(game.start()) == solution.plies
    assert table.moves(game.start())[0] == solution.move


@pytest.mark.parametrize("game", [ROOK, PIG, pytest.param(Small2048(), marks=LONG)])
def test_both_engines_find_the_same_table(game: Game[Any, Any]) -> None:
    one, other = (endgame_table(game, engine=engine) for engine in ENGINES)
    assert (one.words == other.words).all()
    assert (one.low == other.low).all()


@frozen
class LastPieces(Game[tuple[int, int, int, int], int]):
    """The end of the Royal Game of Ur: each player has one piece, some squares from home.

    A position has these two numbers, who moves, and the roll, or -1 before it.  A piece that lands
    on the last square, a rosette, rolls again.
    """

    first: int
    second: int

    def start(self) -> tuple[int, int, int, int]:
        return self.first, self.second, 0, -1

    def status(self, state: tuple[int, int, int, int]) -> Status:
        if state[0] == 0:
            return Status.MAXIE_WINS
        return Status.MINNIE_WINS if state[1] == 0 else Status.IN_PLAY

    def player(self, state: tuple[int, int, int, int]) -> int:
        return -1 if state[3] < 0 else state[2]

    def outcomes(self, state: tuple[int, int, int, int]) -> Iterator[Any]:
        for roll, ways in enumerate((1, 4, 6, 4, 1)):  # four dice, each with 0 or 1
            yield ways / 16, (state[0], state[1], state[2], roll)

    def moves(self, state: tuple[int, int, int, int]) -> Iterator[int]:
        if self.status(state) == Status.IN_PLAY:
            left = state[1] if state[2] else state[0]
            yield state[3] if state[3] <= left else 0

    def make_move(self, state: tuple[int, int, int, int], move: int) -> Any:
        first, second, mover, _ = state
        if mover:
            second -= move
        else:
            first -= move
        again = move > 0 and (second if mover else first) == 1
        return first, second, mover if again else 1 - mover, -1

    def estimate(self, state: tuple[int, int, int, int]) -> int:
        return 0


@pytest.mark.parametrize("engine", [pytest.param("native", marks=LONG), "interpreted"])
@pytest.mark.parametrize(("first", "second", "wins"), [(1, 1, 4 / 7), (2, 1, 116 / 161)])
def test_published_values_of_the_royal_game_of_ur(
    first: int, second: int, wins: float, engine: str
) -> None:
    """Source: royalur.net, which has solved the whole game."""
    game = LastPieces(first, second)
    low, high = endgame_table(game, engine=engine).bounds(game.start())
    assert low - 1e-12 <= 2 * wins - 1 <= high + 1e-12
    assert high - low < 1e-11


@pytest.mark.parametrize("precision", [1e-3, 1e-9])
def test_bounds_are_as_close_as_asked(precision: float) -> None:
    """The page on solving shows published values."""
    low, high = endgame_table(PIG, precision=precision).bounds(PIG.start())
    assert 0 <= high - low <= precision


def test_a_saved_table_is_read_again(tmp_path: Path) -> None:
    game = TicTacToe()
    state = game.parse_state("1 5")
    made = endgame_table(game, state, engine="interpreted")
    file, again = made.save(tmp_path / "ttt.npz"), made.save(tmp_path / "again.npz")
    assert file.read_bytes() == again.read_bytes()
    assert (np.load(file)["words"] == made.words).all()
    read = EndgameTable.load(file, game, state)
    assert (read.words == made.words).all()
    assert read.value(state) == 0
    assert read.words.flags.owndata is False  # it is mapped
    with pytest.raises(ValueError, match=r"of another game, TicTacToe\(\), not of ConnectFour"):
        EndgameTable.load(file, ConnectFour())
    (tmp_path / "wrong").write_bytes(b"wrong")
    with pytest.raises(ValueError, match="is no endgame table"):
        EndgameTable.load(tmp_path / "wrong", game)


def test_the_room_is_told_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit just above what is needed suffices, and one just below it does not."""
    for module in "native.calls.position_graph", "searches.endgame":
        monkeypatch.setattr(f"strategies.{module}.FEW", 200)
    told: list[tuple[str, int]] = []

    def made(memory: int) -> EndgameTable:
        told.clear()
        return endgame_table(
            ROOK, memory=memory, room=lambda n: told.append(("room", n)),
            progress=lambda n: told.append(("count", n)),
        )  # fmt: skip

    def room() -> int:
        (at,) = (i for i, (name, _) in enumerate(told) if name == "room")
        assert not any(count for _, count in told[:at])
        return told[at][1]

    table = made(8_000_000)
    each = 8_000_000 / room()
    assert len(made(int(1.1 * each * len(table)))) == len(table)
    assert room() == pytest.approx(1.1 * len(table), rel=0.01)
    with pytest.raises(ValueError, match="do not fit into") as full:
        made(int(0.9 * each * len(table)))
    assert room() == pytest.approx(0.9 * len(table), rel=0.01)
    assert f"more than {room() - 1:,} positions" in str(full.value)
    endgame_table(Nim((2, 2)), engine="interpreted", room=lambda n: told.append(("none", n)))
    assert "none" not in dict(told)
    with pytest.raises(ArgumentError, match="room must be a function"):
        endgame_table(TicTacToe(), room=1)  # type: ignore[arg-type]


def test_limits_and_wrong_requests() -> None:
    with pytest.raises(ValueError, match="precision"):
        endgame_table(TicTacToe(), precision=-1)
    for endless in (WIN, -WIN):
        with pytest.raises(ArgumentError, match="endless must be a number, -9"):
            endgame_table(TicTacToe(), endless=endless)
    with pytest.raises(ValueError, match="which do not fit into 64kB: give more memory"):
        endgame_table(ConnectFour(), memory="64kB", engine="interpreted")
    with pytest.raises(TimeoutError, match=r"not finished within 0\.1 s"):
        endgame_table(ConnectFour(), time=0.1, memory="8GB", engine="interpreted")
    with pytest.raises(KeyError, match="cannot be reached"):
        endgame_table(Nim((2, 2)), engine="interpreted").value(Nim((5, 5)).start())
    with pytest.raises(AlgorithmError, match="one player or two"):
        endgame_table(PigForMany(target=5))
    stop = Stop()
    stop.set()
    with pytest.raises(KeyboardInterrupt):
        endgame_table(TicTacToe(), stop=stop)


@given(st.data())
@examples(100)
def test_a_damaged_file_never_gives_a_wrong_value(data: st.DataObject) -> None:
    game = Nim((1, 2))
    with TemporaryDirectory() as folder:
        file = endgame_table(game, engine="interpreted").save(Path(folder) / "nim.npz")
        content = bytearray(file.read_bytes())
        made = EndgameTable.load(file, game)
        at = data.draw(st.integers(0, len(content) - 1))
        if data.draw(st.booleans()):
            content[at] ^= data.draw(st.integers(1, 255))
        else:
            del content[at:]
        other = Path(folder) / "other.npz"
        other.write_bytes(content)
        message, read = "", made
        try:
            read = EndgameTable.load(other, game)
        except ArgumentError as error:
            message = str(error)
        assert not message or (str(other) in message and "\n" not in message)
        for row in ("words", "low", "high"):
            assert (getattr(read, row) == getattr(made, row)).all()
