"""Exact values: against plain alpha-beta, against published results, on both engines."""

from __future__ import annotations

import sys
import threading
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import asdict, frozen
from hypothesis import example, given
from hypothesis import strategies as st

from games import HANDOUT_SMALL, WIN, ConnectFour, ExplicitGame, Status, TicTacToe, Twenty48, win_in
from games.explicit import Place
from games.failed import RuleFailed
from games.u64 import U64
from graphs.errors import ArgumentError
from strategies import AlgorithmError, engine_for, mcts, search, seq, young_brothers_wait
from strategies.native.calls.solver import Solver, Unprovable
from strategies.native.calls.windows import bounds_of, following, questions
from strategies.native.hooks import rank_of
from strategies.native.kernels.control import kernel
from strategies.native.kernels.proof import FIRST, LATER
from strategies.native.memory.cells import Stop, cells
from strategies.native.memory.transposition_table import EXACT, Table
from strategies.searches.solution import Solution, plies_to_end
from strategies.searches.solving import NEAR, solve
from tests.strategies.given import brute, trees

sys.path.append(str(Path(__file__).parents[3] / "docs"))
from breakthrough import Breakthrough

pytestmark = pytest.mark.usefixtures("any_length")

sys.path.pop()


@frozen
class RulesOnly(ConnectFour):
    """Connect Four without hooks."""

    key = bounds = candidates = promise = None  # type: ignore[assignment]


HUGE = 1e18


@frozen
class Promising(ExplicitGame):
    """A tree with a move-ordering score for each node, with nodes near the end, with nodes in play
    without moves, and with bounds that are known for some windows.

    The tests of proofs in machine code share this class, because compiling takes long.
    """

    promises: tuple[Any, ...] = ()
    stuck: tuple[int, ...] = ()
    near: tuple[bool, ...] = ()
    spans: tuple[tuple[float, float], ...] = ()

    def status(self, state: Place) -> Status:
        for index in self.stuck:
            if state.index == index:
                return Status.IN_PLAY
        return ExplicitGame.status(self, state)

    def promise(self, child: Place) -> Any:
        return self.promises[child.index]

    def near_end(self, state: Place) -> bool:
        return self.near[state.index]

    def window_bounds(self, state: Place, low: float, high: float) -> tuple[float, float]:
        least, most = self.spans[state.index]
        return (least, most) if least >= high or most <= low else (-HUGE, HUGE)


def promising(
    game: ExplicitGame,
    promises: Any = None,
    stuck: tuple[int, ...] = (-1,),
    near: Any = None,
    spans: Any = None,
) -> Promising:
    """Return the same tree with move-ordering scores, which are all equal by default; no node is
    near the end, and no bounds are known, by default."""
    promises = (0.0,) * len(game.many) if promises is None else promises
    near = (False,) * len(game.many) if near is None else near
    spans = ((-HUGE, HUGE),) * len(game.many) if spans is None else spans
    return Promising(
        **asdict(game, recurse=False), promises=promises, stuck=stuck, near=near, spans=spans
    )


def some_of(game: ExplicitGame, random: Random) -> tuple[bool, ...]:
    """Choose some nodes of a tree."""
    return tuple(random.random() < 0.2 for _ in game.many)


def by_alpha_beta(game: Any, state: Any, depth: int) -> tuple[float, int]:
    """Return the value as `solve` defines it, and the move, by a plain search to the end."""
    found = engine_for(game).search(state, depth)
    move = list(game.moves(state))[found.line[0]]
    if abs(found.value) < WIN:
        return found.value, move
    plies = WIN + depth - int(abs(found.value))
    return (win_in(plies) if found.value > 0 else -win_in(plies)), move


def late(game: Any, plies: int, seed: int) -> Any:
    """Draw a position in play after random moves."""
    random = Random(seed)
    while True:
        state = game.start()
        for _ in range(plies):
            moves = list(game.moves(state))
            if not moves:
                break
            state = game.make_move(state, random.choice(moves))
        else:
            if game.status(state) == 0:
                return state


@pytest.mark.parametrize("engine", ["interpreted", pytest.param("native", marks=pytest.mark.long)])
@given(game=trees())
def test_random_trees(game: ExplicitGame, engine: str) -> None:
    """Trees without wins have no distances, so the value is the minimax value."""
    value, move = brute(game, game.start(), 9)
    found = solve(game, memory="4kB", engine=engine)
    assert (found.value, found.exact) == (value, True)
    if game.many[0]:
        assert list(game.moves(game.start())).index(found.move) == move


@example(ExplicitGame.from_nested([[-1.0, [-2.5, -1.0]]]))
@example(ExplicitGame.from_nested([[1.2, 2.5], [2.4, [1.3]]]))
@given(trees(floats=True))
def test_values_that_are_not_integers(game: ExplicitGame) -> None:
    found = solve(game, memory="4kB", engine="interpreted", time=5)
    assert (found.value, found.exact) == (brute(game, game.start(), 9)[0], True)


@example(ExplicitGame.from_nested([[[3, 1], [2, 9]], [[4, 0], [5, 7]]]), Random(1))
@given(trees(), st.randoms(use_true_random=False))
def test_bounds_for_windows_change_no_value(game: ExplicitGame, random: Random) -> None:
    """Each node has bounds around its value, more or less narrow; it tells them where they settle
    the window of a proof."""
    values = [brute(game, Place(node), 9)[0] for node in range(len(game.many))]
    spans = tuple((v - random.randrange(3), v + random.randrange(3)) for v in values)
    known = promising(game, spans=tuple((float(low), float(high)) for low, high in spans))
    found = [solve(known, memory="4kB", engine=e) for e in ("native", "interpreted")]
    value, move = brute(game, game.start(), 9)
    for solution in found:
        assert (solution.value, solution.exact) == (value, True)
        if game.many[0]:
            assert list(game.moves(game.start())).index(solution.move) == move
    assert found[0].nodes == found[1].nodes


FAR = float("inf")
FLOATS = (-FAR, -1e300, -1e-310, -0.0, 2.5, 1e300, FAR, float("nan"))
INTS = (-(2**63), 1 - 2**63, -1, 0, 2**63 - 1)


@pytest.mark.parametrize("row", [FLOATS, pytest.param(INTS, marks=pytest.mark.long)])
@given(game=trees(), random=st.randoms(use_true_random=False))
def test_no_move_ordering_score_and_no_near_end_hides_a_branch(
    game: ExplicitGame, row: Any, random: Random
) -> None:
    scores = tuple(random.choice(row) for _ in game.many)
    scored = promising(game, scores, near=some_of(game, random))
    found = [solve(scored, memory="4kB", engine=e) for e in ("native", "interpreted")]
    value, move = brute(game, game.start(), 9)
    for solution in found:
        assert solution.value == value
        if game.many[0]:
            assert list(game.moves(game.start())).index(solution.move) == move
    if row == FLOATS:
        assert found[0].nodes == found[1].nodes


@pytest.mark.parametrize("guess", [None, -99.0, -3.5, 0.0, 2.0, 8.0, 99.0])
def test_questions_around_any_guess_find_the_value(guess: float | None) -> None:
    for value in range(-8, 9, 2):
        known = [-8.0, 8.0]
        windows, found = questions(known, guess=guess), None
        while window := following(windows, found):
            found = bounds_of(value, window)
        assert known == [value, value]


def test_questions_around_the_guess_come_first() -> None:
    known = [-64.0, 64.0]
    windows, found, asked = questions(known, guess=5.0), None, []
    while window := following(windows, found):
        asked.append(window)
        found = bounds_of(2.0, window)
    assert [low for low, _ in asked] == [5.0, -2.0]


@kernel
def rank(game: Any, state: Any, control: Any) -> int:
    """Return the rank of a position by its promise."""
    return rank_of(game, state)


@pytest.mark.parametrize("engine", ["native", "interpreted"])
def test_the_ranks_of_whole_numbers_are_in_order(engine: str) -> None:
    """Between those of branches that were visited or deferred, and that of the table's move."""
    game = promising(ExplicitGame.from_nested([0] * (len(INTS) - 1)), INTS)
    ranks = [
        engine_for(game, engine).call(rank, Place(index), cells(1)) for index in range(len(INTS))
    ]
    assert ranks == sorted(ranks)
    assert ranks[0] >= LATER
    assert ranks[-1] <= FIRST
    assert len(set(ranks)) >= 3


@given(trees(wins=True), st.randoms(use_true_random=False))
def test_the_nearest_win_and_the_latest_loss(game: ExplicitGame, random: Random) -> None:
    value, move = brute(game, game.start(), 9)
    found = solve(promising(game, near=some_of(game, random)), memory="4kB", engine="native")
    if abs(value) >= WIN:
        assert found.plies == WIN + 9 - int(abs(value))
    else:
        assert found.value == value
    assert found.move == (move if game.many[0] else None)


@pytest.mark.parametrize(
    ("game", "plies"),
    [(ConnectFour(), 30), (TicTacToe(), 0), pytest.param(RulesOnly(), 30, marks=pytest.mark.long)],
)
def test_late_positions(game: Any, plies: int) -> None:
    """With hooks and without."""
    for seed in range(24):
        state = late(game, plies + seed % 8, seed)
        found = solve(game, state, memory="1MB", engine="native")
        assert (found.value, found.move) == by_alpha_beta(game, state, 12)


PUBLISHED = {
    (4, 4): 0, (5, 4): 0, (6, 4): -24, (7, 4): 0, (8, 4): -32,
    (4, 5): 0, (5, 5): 0, (6, 5): 0, (7, 5): 0,
    (4, 6): 0, (5, 6): 0, (6, 6): -36,
    (4, 7): 0, (5, 7): 0, (4, 8): 0,
}  # fmt: skip
"""Columns and rows: in how many plies the second player wins, negative, or 0 for a draw.

Sources: J. Tromp, Solving Connect-4 on medium board sizes (2008), for who wins; C. Steininger, c4,
https://github.com/ChristopheSteininger/c4, for the plies too."""
QUICK = [(6, 4)]
LONGER = [board for board in PUBLISHED if board not in QUICK]


def published(board: tuple[int, int]) -> float:
    plies = PUBLISHED[board]
    return -win_in(-plies) if plies < 0 else 0


@pytest.mark.parametrize("board", QUICK)
def test_small_boards(board: tuple[int, int]) -> None:
    assert solve(ConnectFour(*board), memory="16MB", line=0).value == published(board)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("board", LONGER)
def test_larger_boards(board: tuple[int, int]) -> None:
    assert solve(ConnectFour(*board), memory="256MB", line=0).value == published(board)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize(
    ("move", "value"), [("1", -win_in(39)), ("2", -win_in(41)), ("3", 0), ("4", win_in(40))]
)
def test_first_moves_on_the_usual_board(move: str, value: float) -> None:
    """Who wins, and with which disc: after the outer column the second player with the 40th, after
    the next with the 42nd, after the third nobody, after the middle the first player with the 41st.

    Cost: 0.4 to 1.2 billion nodes, one to a few minutes each.

    Sources: V. Allis, A knowledge-based approach of Connect-Four (1988), for who wins; J. Tromp's
    tables for the plies.
    """
    game = ConnectFour()
    assert solve(game, game.parse_state(move), memory="1GB", line=0).value == value


@pytest.mark.slow
@pytest.mark.long
def test_breakthrough_on_25_squares() -> None:
    """The second player wins in 26 plies, as published; 250 million nodes, about a minute."""
    assert solve(Breakthrough(), memory="1GB", line=0).value == -win_in(26)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("board", [(6, 4), (5, 5), (6, 5)])
def test_boards_without_hooks(board: tuple[int, int]) -> None:
    assert solve(RulesOnly(*board), line=0).value == published(board)


@pytest.mark.parametrize(
    ("game", "plies"),
    [(ConnectFour(), 28), (TicTacToe(), 0), pytest.param(RulesOnly(), 32, marks=pytest.mark.long)],
)
def test_engines_agree_in_value_move_and_nodes(game: Any, plies: int) -> None:
    state = late(game, plies, 7) if plies else game.start()
    found = [solve(game, state, memory="64kB", engine=e) for e in ("native", "interpreted")]
    parts = [(s.low, s.high, s.move, s.nodes, s.table) for s in found]
    assert parts[0] == parts[1]


GOLDENS = {"ConnectFour": 1138, "RulesOnly": 40991}
"""Nodes that decide a position of Connect Four after 20 plies, and its leftmost best move."""


@pytest.mark.parametrize("game", [ConnectFour(), pytest.param(RulesOnly(), marks=pytest.mark.long)])
def test_goldens(game: ConnectFour) -> None:
    found = solve(game, late(game, 20, 6), memory="16MB")
    assert found.nodes == GOLDENS[type(game).__name__]


def test_the_line_keeps_the_value_to_the_end() -> None:
    game = ConnectFour()
    state = late(game, 26, 6)
    found = solve(game, state, memory="1MB", line=99)
    assert found.line[0] == found.move
    for move in found.line:
        state = game.make_move(state, move)
        value = solve(game, state, memory="1MB", line=0).value
        assert abs(value) - abs(found.value) in range(len(found.line) + 1)
    assert game.status(state) != 0


@pytest.mark.parametrize(
    ("values", "text"),
    [([[6, 9], [2, 1]], "value 6, proven"), ([[0, 9], [-2, 1]], "a draw"),
     ([[-2.5, 9]], "value -2.5, proven"), ([[WIN, WIN]], "Maxie wins in")],
)  # fmt: skip
def test_a_proven_value_is_not_printed_as_a_guess(values: Any, text: str) -> None:
    assert str(solve(ExplicitGame.from_nested(values), engine="interpreted")).startswith(text)
    assert str(Solution(low=2, high=6)) == "between 2 and 6"


@pytest.mark.parametrize("much", [WIN, WIN + 7])
def test_a_result_of_a_win_counts_as_a_win(much: float) -> None:
    game = ExplicitGame.from_nested([[much], [0]])
    assert str(solve(game, engine="interpreted", memory="1MB")) == "Maxie wins in 2 plies"


def test_a_finished_position_has_its_value() -> None:
    game = ConnectFour()
    state = game.parse_state("1212121")
    assert solve(game, state) == Solution(win_in(0), win_in(0))
    assert solve(game, state).plies == 0


def test_plies_to_the_end() -> None:
    game = ConnectFour()
    found = solve(game, game.parse_state("121212"), memory="1MB")
    assert (found.plies, found.move, str(found)) == (1, 0, "Maxie wins in 1 ply")
    assert plies_to_end(0) is None


def test_bounds_are_returned_at_the_time_limit() -> None:
    found = solve(ConnectFour(), memory="4MB", time=0.05)
    assert not found.exact
    assert found.move is None
    with pytest.raises(ValueError, match="not solved"):
        _ = found.value
    assert "search" not in {thread.name for thread in threading.enumerate()}


def test_progress_may_stop_it() -> None:
    stop, known = Stop(), []

    def watch(solution: Solution) -> None:
        known.append(solution)
        if solution.low > -float("inf"):
            stop.set()

    found = solve(ConnectFour(), memory="4MB", progress=watch, stop=stop)
    assert not found.exact
    assert str(found).startswith("between Minnie wins in")
    assert found.low < 0 < found.high
    assert known[-1].table.probes > 0


def test_an_interrupt_returns_the_bounds_so_far() -> None:
    def interrupt(solution: Solution) -> None:
        raise KeyboardInterrupt

    assert not solve(ConnectFour(), memory="4MB", progress=interrupt).exact
    assert "search" not in {thread.name for thread in threading.enumerate()}


def test_a_stop_ends_it() -> None:
    stop = Stop()
    stop.set()
    assert not solve(ConnectFour(), memory="4MB", stop=stop).exact


def test_a_table_that_is_never_cleared_gives_no_wrong_value() -> None:
    game, table = ConnectFour(), Table("64kB")
    solver = Solver(engine_for(game), table, Stop())
    for seed in range(30):
        state = late(game, 28 + seed % 8, seed)
        assert solver.value(state) == by_alpha_beta(game, state, 14)[0]


class Endless(TicTacToe):
    """A game that never ends."""

    def status(self, state: Any) -> Any:
        return 0

    def moves(self, state: Any) -> Any:
        yield 0

    def make_move(self, state: Any, move: Any) -> Any:
        return state


def test_a_position_in_play_without_moves_is_reported() -> None:
    tree = ExplicitGame.from_nested([[1] * NEAR, [4]])
    stuck = (len(tree.many) - 1,)  # which no look-ahead reaches
    ways = product((False, True), ("native", "interpreted"), (Table("4kB"), "4kB"))
    for near, engine, memory in ways:
        game = promising(tree, stuck=stuck, near=(near,) * len(tree.many))
        with pytest.raises(RuleFailed, match="it returned none, but status is"):
            solve(game, engine=engine, memory=memory)


def test_a_position_decided_at_once_calls_no_interpreted_rule(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, game = Table(8 << 10), ConnectFour()
    won = game.parse_state("44546")
    assert solve(game, won, memory=table, line=0).nodes == 0  # the rules are compiled by now

    def asked(*_: Any) -> Any:
        raise AssertionError("a rule was asked in Python")

    for name in ("expand", "is_terminal"):
        monkeypatch.setattr(f"strategies.searches.solving.{name}", asked)
    assert solve(game, won, memory=table, line=0).nodes == 0


def test_games_that_cannot_be_solved_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("strategies.searches.solving.GRAPH", 1 << 8)
    monkeypatch.setattr("strategies.native.calls.position_graph.FEW", 100)
    with pytest.raises(Unprovable, match="chance moves"):
        solve(Twenty48(), memory="4kB", engine="interpreted")
    with pytest.raises(AlgorithmError, match="memory: a size"):
        solve(TicTacToe(), memory="lots")
    with pytest.raises(AlgorithmError, match="memory: 1000000GB cannot be allocated"):
        solve(TicTacToe(), memory="1000000GB")


def test_endless_play_is_a_draw() -> None:
    found = solve(Endless(), engine="interpreted", memory="4kB")
    assert (str(found), found.nodes, found.line) == ("a draw", 1, (0,))


class FailsDeep(TicTacToe):
    def moves(self, state: Any) -> Any:
        marks = (state.maxies | state.minnies).bit_count()
        yield from () if 1 // (marks - 6) > 9 else TicTacToe.moves(self, state)


def test_the_error_for_a_rule_that_fails_deep_in_the_tree_lists_the_moves() -> None:
    for using in seq, young_brothers_wait.everywhere:
        with pytest.raises(
            RuleFailed, match=r"^moves failed after the moves( \d){6}, in .*ZeroDiv"
        ):
            solve(FailsDeep(), using=using, engine="interpreted")
    with pytest.raises(RuleFailed, match=r"^moves failed after the moves( \d){6}, in .*ZeroDiv"):
        search(FailsDeep(), mcts(300), engine="interpreted").compute()


@pytest.mark.parametrize("size", ["4kB", "20kB"])
def test_the_room_of_the_table_is_told_before_the_work(size: str) -> None:
    told: list[Any] = []
    first = TicTacToe().parse_state("1")
    solve(TicTacToe(), first, memory=size, engine="interpreted", room=told.append)
    (room,) = told
    table, random = Table(size), Random(0)
    words = [U64(random.getrandbits(64)) for _ in range(8 * room)]
    for word in words:
        table.store("test", word, random.randrange(20), EXACT, 0, 1.0)
    kept = sum(table.look_up("test", word)[0] != 0 for word in words)
    assert 0.9 * room < kept <= room
    solve(ConnectFour(), late(ConnectFour(), 30, 0), engine="native", room=told.append)  # soon done
    solve(HANDOUT_SMALL, engine="interpreted", room=told.append)  # it has a few positions
    assert len(told) == 1
    with pytest.raises(ArgumentError, match="room must be a function"):
        solve(TicTacToe(), room=1)  # type: ignore[arg-type]
