"""Solving in parallel gives the same result with any strategy, driver, workers and table."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from math import floor, inf
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from games import WIN, ConnectFour, ExplicitGame, Nim, TicTacToe
from games.game import win_in
from graphs.errors import ArgumentError
from strategies import (
    KeptTable,
    abdada,
    auto,
    engine_for,
    lazy_smp,
    par_list,
    parse_using,
    seq,
)
from strategies.insight.selection.auto import choose_for_proofs
from strategies.native.calls.run_kernel import Child
from strategies.native.calls.solver import Solver
from strategies.native.calls.windows import Window, neighbouring
from strategies.native.kernels.proof_entries import WIDE
from strategies.native.memory.cells import Stop
from strategies.native.memory.floats import above
from strategies.native.memory.transposition_table import Table
from strategies.running.execution import shared_table
from strategies.running.plans import grain, proofs
from strategies.running.plans import question as of_question
from strategies.running.plans.proofs import SOLVE, Row
from strategies.running.plans.question import DEPTH, Question
from strategies.running.runtime import ordered_scheduler as runner
from strategies.searches import proving
from strategies.searches.solution import Solution
from strategies.searches.solving import solve
from tests.properties import examples
from tests.strategies.given import trees
from tests.strategies.searches.test_solving import promising

WAYS = [
    "abdada", "lazy_smp", "par_list.everywhere", "young_brothers_wait.to_ply(2)",
    "jamboree(0.5).everywhere", "scout.everywhere", "pv_split.everywhere", "eval_list",
    "par_list_chunk(2).fixed().to_ply(1)", "par_list.live().everywhere", "seq.joined()",
    "par_list.live().everywhere.joined()", "scout.to_size(20).joined()",
]  # fmt: skip


BOARD = ConnectFour(6, 4)
"""The one board that is solved in machine code, because each board is compiled anew."""
DRAW = BOARD.parse_state("44")
"""A position that some ten thousand nodes prove to be a draw."""


def way(text: str) -> Any:
    return parse_using(text)


usings = st.sampled_from([way(text) for text in WAYS])
tables = st.sampled_from(["4kB", "64kB", "1MB"])


@contextmanager
def sharing_all() -> Iterator[None]:
    """In this context even the smallest positions are shared, from the root on."""
    with ExitStack() as stack:
        for where, name, value in (
            (shared_table, "SPREAD", (0, 20)), (grain, "INTERPRETED", 0),
            (grain, "LEAST", 0), (grain, "SMALLEST", 0), (proving, "FEW", ()),
            (of_question, "LOOK", 0), (of_question, "LEAST", 0),
        ):  # fmt: skip
            stack.enter_context(patch.object(where, name, value))
        yield


def told(found: Solution) -> tuple[Any, ...]:
    return found.exact, found.value, found.plies, found.line


def check(game: Any, state: Any, using: Any, workers: int, memory: str, engine: str) -> None:
    known = solve(game, state, line=4, memory="64kB", engine=engine)
    with sharing_all():
        found = solve(
            game, state, using=using, workers=workers, line=4, memory=memory, engine=engine
        )
        won = solve(game, state, using=using, workers=workers, memory=memory, engine=engine,
                    outcome=True)  # fmt: skip
    assert told(found) == told(known)
    assert (won.outcome, won.move) == (known.outcome, keeping(game, state, known.outcome, engine))


def keeping(game: Any, state: Any, outcome: int | None, engine: str) -> Any:
    """Return the leftmost move to a position with this outcome; None if the game is over."""
    here = game.start() if state is None else state
    for move in () if game.status(here) else game.moves(here):
        child = game.make_move(here, move)
        if solve(game, child, memory="64kB", engine=engine).outcome == outcome:
            return move
    return None


def test_tasks_continue_stored_proofs(tmp_path: Path) -> None:
    game, using = TicTacToe(), way("young_brothers_wait.everywhere")
    state, kept = game.parse_state("1 2 3"), tmp_path / "kept.table"

    def found(table: Table) -> Solution:
        """Solve with one worker, which visits the same nodes on every run."""
        with sharing_all():
            return solve(game, state, using=using, workers=1, memory=table, engine="interpreted")

    with KeptTable(kept, "1MB") as table:
        first = found(table)
    with KeptTable(kept, "1MB") as table:
        then = found(table)
    assert told(first) == told(then) == told(solve(game, state, engine="interpreted"))
    assert found(Table("1MB")).nodes == first.nodes
    assert then.nodes < first.nodes / 2


@given(trees(wins=True), usings, st.integers(1, 4), tables)
def test_random_trees(game: ExplicitGame, using: Any, workers: int, memory: str) -> None:
    check(game, None, using, workers, memory, "interpreted")


@pytest.mark.usefixtures("any_length")
@given(trees(wins=True), usings, st.integers(1, 4), tables)
def test_random_trees_in_machine_code(
    game: ExplicitGame, using: Any, workers: int, memory: str
) -> None:
    check(promising(game), None, using, workers, memory, "native")


@st.composite
def played(draw: Any) -> tuple[Any, Any]:
    """Return a late position of a small game, with at most some thousand nodes left."""
    game, least = draw(st.sampled_from([(TicTacToe(), 3), (BOARD, 7), (Nim((3, 4, 5)), 3)]))
    state = game.start()
    for choice in draw(st.lists(st.integers(0, 9), min_size=least, max_size=least + 3)):
        moves = list(game.moves(state))
        if not moves:
            break
        state = game.make_move(state, moves[choice % len(moves)])
    return game, state


@examples(40)
@given(played(), usings, st.integers(1, 4), tables)
def test_small_games(position: Any, using: Any, workers: int, memory: str) -> None:
    game, state = position
    engine = "native" if isinstance(game, ConnectFour) else "interpreted"
    check(game, state, using, workers, memory, engine)


@pytest.mark.parametrize("text", WAYS[:5])
def test_a_larger_position(text: str) -> None:
    game = BOARD
    known = solve(game, line=2, memory="1MB")
    found = solve(game, using=way(text), workers=3, line=2, memory="1MB")
    assert told(found) == told(known)
    assert found.nodes > known.nodes / 4
    assert found.table.probes > 0


def test_one_worker_visits_the_nodes_of_one_thread() -> None:
    known = solve(BOARD, DRAW)
    for using in (abdada(1), lazy_smp(1), abdada()):
        found = solve(BOARD, DRAW, using=using, workers=1)
        assert (told(found), found.nodes) == (told(known), known.nodes)


@frozen
class Fine(ExplicitGame):
    """A tree whose values need wide table entries."""


def test_all_threads_switch_to_wide_entries_together() -> None:
    values = [[[2.5, 9.25], [7.5, 1.125]], [[-2.5, 6.75], [WIN, 0.5]]]
    game = Fine.from_nested(values)
    for text in WAYS:
        check(game, None, way(text), 3, "4kB", "interpreted")


@pytest.mark.parametrize("text", WAYS[:2])
def test_all_threads_use_the_wide_entries_that_one_started(text: str) -> None:
    game = Fine.from_nested([[[2.5, 9.25], [7.5, 1.125]], [[-2.5, 6.75], [3.5, 0.5]]])
    team = shared_table.team_of(way(text), engine_for(game, "interpreted"), Table("4kB"), Stop(), 3)
    team.limit(10_000)  # so that one thread starts alone
    assert team.value(game.start()) == 7.5
    assert [member.control[WIDE] for member in team.members] == [1, 1, 1]


@pytest.mark.parametrize("text", [*WAYS, "r0", "par_list(r0)"])
def test_a_value_that_is_known_without_a_graph(text: str) -> None:
    """A value found without a graph has no branches, but the move is still searched."""
    single = ExplicitGame.from_nested([[[3]]])
    late = TicTacToe()
    for game, state, line in (single, None, (0, 0, 0)), (late, late.parse_state("1 2 3 4"), (4,)):
        found = solve(game, state, using=way(text), workers=2, line=len(line), engine="interpreted")
        assert (found.exact, found.line) == (True, line)


@pytest.mark.parametrize("text", WAYS[2:])
def test_a_bound_of_the_first_branch_is_not_used_for_the_root(text: str) -> None:
    """The last proof is one task, because earlier graphs proved it for all branches."""
    values = [[0.25, -0.5], [0, 0, 0.1, 0.25], [0.1, 0, 0.25], [0.1]]
    for using in (way(text), way(text).live().to_ply(1)):
        check(ExplicitGame.from_nested(values), None, using, 1, "64kB", "interpreted")


@contextmanager
def waiting(workers: bool) -> Iterator[None]:
    """In this context a worker is idle whenever a task checks, or no worker is."""

    @contextmanager
    def set_when_idle(stop: Stop) -> Iterator[None]:
        if workers:
            stop.set()
        yield

    with patch.object(runner, "set_when_idle", set_when_idle):
        yield


def test_a_graph_is_made_of_many_tasks() -> None:
    with sharing_all(), waiting(True):
        row = Row(engine_for(BOARD), Table("1MB"), Stop(), par_list.to_ply(3), 2)
        assert row.value(DRAW) == 0
    assert len(row.knowledge.orders) > 9
    assert row.nodes > 100


def test_tasks_split_only_if_a_worker_is_idle() -> None:
    game, using, sizes = BOARD, way("young_brothers_wait.to_ply(12)"), []
    search = Question.search

    def searched(*given: Any) -> Any:
        found = search(*given)
        sizes.append(found.nodes)
        return found

    for wait in (True, False):
        sizes.clear()
        row = Row(engine_for(game), Table("1MB"), Stop(), using, 2)
        with (
            waiting(wait), patch.object(Question, "search", searched),
            patch.multiple(of_question, LEAST=500, LOOK=0),
        ):  # fmt: skip
            assert row.value(DRAW) == 0
        assert (max(sizes) < sum(sizes) / 10) == wait
        assert any(len(path) > of_question.AHEAD for path in row.knowledge.orders) == wait


def test_a_single_remaining_branch_is_opened_at_any_depth() -> None:
    game = BOARD
    state = game.start()
    knowledge = Row(engine_for(game), Table("1MB"), Stop(), par_list.everywhere, 2).nothing_known()
    below = [Child(move, 1, game.make_move(state, move)) for move in game.moves(state)]
    with patch.object(of_question, "LOOK", 0):
        for left in (1, 0):
            knowledge.question(state, (-1.0, 0.0), ())
            knowledge.ahead[()] = left
            for i in (0, 1, 3, 4, 5):
                knowledge.bound((i,), (-inf, -1.0), ())
            order, count = knowledge.order((), state, "max", below)
            assert (order[count], count) == (2, 5)
            assert knowledge.opens((2,), None)
            assert not knowledge.opens((0,), None)


def test_one_thread_does_not_continue_alone_if_it_can_create_tasks() -> None:
    game, graphs, get = BOARD, [], runner.get

    def getting(graph: Any, *given: Any, **options: Any) -> Any:
        graphs.append(graph)
        return get(graph, *given, **options)

    with patch.object(proving, "FEW", (1, 10**9)), patch.object(runner, "get", getting):
        found = solve(game, DRAW, using=par_list.everywhere, workers=2, memory="1MB", line=0)
    assert found.value == 0
    assert graphs


def test_two_proofs_run_at_the_same_time() -> None:
    """Each waits for the other, so running them one after the other would never end."""
    game, met, windows = BOARD, threading.Barrier(2, timeout=30), []
    search = Question.search

    def searched(question: Question, *given: Any) -> Any:
        window = given[4]
        if given[3] == DEPTH and len(windows) < 2:  # the first two, of the root
            windows.append(window)
            met.wait()
        return search(question, *given)

    with patch.object(Question, "search", searched):
        row = Row(engine_for(game), Table("1MB"), Stop(), par_list.live().everywhere, 2)
        assert row.value(DRAW) == 0
    (low, _), (other, _) = sorted(windows)
    assert low < 0 < other


def test_a_proof_that_the_other_one_decides_is_cancelled() -> None:
    game = BOARD
    state, windows = DRAW, ((-1.0, 0.0), (-3.0, -2.0))
    alone, both = (
        Row(engine_for(game), Table("1MB"), Stop(), par_list.live().everywhere, 1) for _ in range(2)
    )
    for row, asked in (alone, windows[:1]), (both, windows):
        with patch.object(proofs, "neighbouring", lambda known, _, of=asked: of * (known[0] < 0)):
            row.ask_at_once(state)
    assert alone.known == both.known == [0, inf]
    assert alone.nodes == both.nodes > 100


def test_a_running_proof_is_cancelled() -> None:
    engine, stop = engine_for(ConnectFour()), Stop()
    question = Question(DEPTH, Table("1MB"))

    timer = threading.Timer(0.05, question.ending.end, ["not needed"])
    timer.start()
    found = question.search(engine, SOLVE, ConnectFour().start(), DEPTH, (-1.0, 0.0), stop)
    timer.join()
    assert (found.finished, stop.is_set, found.nodes > 0) == (False, True, True)


@pytest.mark.parametrize("text", ["par_list.live().everywhere", "seq", "scout.to_size(200)"])
@pytest.mark.parametrize("joined", [True, False])
def test_workers_join_a_proof_only_under_a_joined_strategy(text: str, joined: bool) -> None:
    """Then no task is divided."""
    game, helped, together = BOARD, [], Question.together
    using = way(text).joined() if joined else way(text)

    def helping(question: Question, *given: Any) -> Any:
        helped.append(question)
        return together(question, *given)

    with (
        waiting(True), patch.object(Question, "together", helping),
        patch.object(of_question, "LEAST", 100),
    ):  # fmt: skip
        row = Row(engine_for(game), Table("1MB"), Stop(), using, 3)
        assert row.value(DRAW) == 0
    assert bool(helped) == joined
    if using.least is None:
        assert bool(row.knowledge.orders) != (joined or using.inlined)


@pytest.mark.parametrize(
    "game", [BOARD, pytest.param(ConnectFour(6, 5), marks=pytest.mark.long)], ids=repr
)
def test_joined_workers_make_one_proof_together(game: ConnectFour) -> None:
    """Several search it; together they visit only a few times the nodes of one."""
    workers, solvers = 3, list[Any]()

    def spread(solver: Any) -> None:
        solvers.append(solver)
        shared_table.spread_out(solver)

    row = Row(engine_for(game), Table("8MB"), Stop(), way("seq.joined()"), workers)
    state, window = game.start(), (-1.0, 0.0)
    alone = Solver(engine_for(game), Table("8MB"), Stop())
    known = alone.prove(state, *window)
    with patch.object(of_question, "spread_out", spread):
        assert (row.prove(state, *window) >= 0) == (known >= 0)
    assert len({id(s) for s in solvers}) == workers
    assert all(s.nodes > 0 for s in solvers)
    assert sum(s.nodes for s in solvers) <= row.nodes < 3 * alone.nodes


@given(
    st.integers(0, 60), st.integers(0, 60), st.integers(0, 60), st.sampled_from([1, 4]),
    st.randoms(use_true_random=False),
)  # fmt: skip
def test_proofs_converge_to_the_value(a: int, b: int, c: int, part: int, random: Any) -> None:
    """For any value and bounds, with the weakest possible results, in any order of two proofs."""
    low, value, high = sorted(x / part for x in (a, b, c))
    for shift in (0.0, -20.0, win_in(40), -win_in(40)):
        for at_once in (1, 2):
            known, asked, count = [low + shift, high + shift], list[Window](), 0
            while True:
                for window in neighbouring(known, asked):
                    assert known[0] <= window[0] < window[1] <= above(known[1])
                    if len(asked) < at_once:
                        asked.append(window)
                if not asked:
                    break
                alpha, _ = asked.pop(random.randrange(len(asked)))
                steps = floor(alpha * part)
                if value + shift <= alpha:
                    known[1] = min(known[1], steps / part)
                else:
                    known[0] = max(known[0], (steps + 1) / part)
                asked = [(x, y) for x, y in asked if x < known[1] and y > known[0]]
                count += 1
                assert count < 100
            assert known == [value + shift, value + shift]


def test_a_branch_in_the_table_needs_no_task() -> None:
    game, window = BOARD, (-1.0, 0.0)
    row = Row(engine_for(game), Table("1MB"), Stop(), par_list.to_ply(1), 1)
    first = row.ask(DRAW, window)
    before, row.knowledge = row.spent.nodes, row.nothing_known()
    again = row.ask(DRAW, window)
    assert (first.lo, first.hi) == (again.lo, again.hi)
    assert before > 100
    assert row.spent.nodes == before


def threads() -> set[str]:
    return {t.name for t in threading.enumerate()} - {"MainThread"}


@pytest.mark.parametrize("text", WAYS[:4])
def test_bounds_are_returned_at_the_time_limit(text: str) -> None:
    before = threads()
    found = solve(ConnectFour(), using=way(text), workers=3, memory="4MB", time=0.05)
    assert not found.exact
    assert found.move is None
    assert threads() <= before


@pytest.mark.parametrize("text", WAYS[:4])
def test_an_interrupt_leaves_no_thread(text: str) -> None:
    before = threads()

    def interrupt(solution: Solution) -> None:
        raise KeyboardInterrupt

    found = solve(ConnectFour(), using=way(text), workers=3, memory="4MB", progress=interrupt)
    assert not found.exact
    assert threads() <= before


class Endless(TicTacToe):
    """A game that never ends."""

    def status(self, state: Any) -> Any:
        return 0

    def moves(self, state: Any) -> Any:
        yield 0
        yield 1

    def make_move(self, state: Any, move: Any) -> Any:
        return state


@pytest.mark.parametrize("text", [WAYS[0], WAYS[3]])
def test_all_ways_to_solve_find_that_endless_play_is_a_draw(text: str) -> None:
    found = solve(Endless(), engine="interpreted", memory="4kB", using=way(text), workers=2)
    assert str(found) == "a draw"
    assert "search 1" not in threads()


@pytest.mark.parametrize("workers", [1, 2, 16])
@pytest.mark.parametrize("drivers", [False, True])
def test_the_choice_of_auto_solves(workers: int, drivers: bool) -> None:
    game = BOARD
    state = game.parse_state("33322124311")
    found = solve(game, state, using=auto(drivers=drivers), workers=workers, line=4)
    known = choose_for_proofs(auto(workers, drivers=drivers))
    assert found.using == known.best
    assert f"{known.best}: " in str(known)
    check(game, state, found.using, workers, "64kB", "native")


def test_auto_for_interpreted_rules_and_for_a_cluster() -> None:
    wish = auto(8, drivers=True)
    assert choose_for_proofs(wish, native=False).best == seq
    assert choose_for_proofs(wish, native=False, cluster_threads=4).best == way(
        "young_brothers_wait.everywhere"
    )
    assert choose_for_proofs(wish).best == abdada(8)
    assert choose_for_proofs(auto(2)).best == seq.joined()
    found = solve(TicTacToe(), using=wish, engine="interpreted")
    assert (found.value, found.using) == (0, seq)


def test_wrong_strategies_are_refused_before_anything_is_compiled() -> None:
    @frozen
    class Fresh(TicTacToe):
        """A game that no other test compiles."""

    with pytest.raises(ArgumentError, match=r"write parse_using\("):
        solve(Fresh(), using="abdada")  # type: ignore[arg-type]
    assert engine_for(Fresh()).undecided
    for using in (seq, par_list, abdada(), auto()):
        with pytest.raises(ValueError, match="workers must be a whole number, 1 to 1024, not 0"):
            solve(TicTacToe(), using=using, workers=0, engine="interpreted")
    assert solve(TicTacToe(), using=seq, memory="1MB", engine="interpreted").value == 0
