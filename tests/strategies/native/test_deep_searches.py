"""Searches deeper than a usual stack: the same on both engines, with the whole line."""

import os
import signal
import sys
import threading
from collections.abc import Callable
from time import thread_time
from types import FrameType
from typing import Any

import pytest
from attrs import frozen

from games import MAXIE, MINNIE, Game, RuleFailed, SearchTree, Status
from strategies import (
    alphabeta,
    enumeration,
    expectimax,
    jamboree,
    maxn,
    minimax,
    mtdf,
    optimisation,
    par_list,
    paranoid,
    pvs,
    search,
    seq,
    young_brothers_wait,
)
from strategies.algorithms.algorithm import Algorithm
from strategies.native.calls.alphabeta import search_alphabeta
from strategies.native.kept_engines import engine_for
from strategies.native.kernels.control import WIDEST
from strategies.native.memory.transposition_table import Table
from strategies.support.stacks import NoStack, cpu_time, on_deep_stack

TABLE = "64kB"


State = tuple[int, int, int]
"""The steps so far, or less than 0 once the play has ended early, the length of the way, and the
step at which a rule fails: all games share their code."""


@frozen
class Comb(Game[State, int]):
    """A way on which a player who does not walk on, at every 97th step, loses a point."""

    length: int = 600
    fails: int = -1
    value_range = (-1.0, 1.0)

    def start(self) -> State:
        return 0, self.length, self.fails

    def status(self, state: State) -> Status:
        if state[0] < 0 or state[0] >= state[1]:
            return Status.OVER
        return Status.IN_PLAY

    def player(self, state: State) -> int:
        return MINNIE if state[0] % 2 else MAXIE

    def moves(self, state: State) -> Any:
        if state[0] == state[2]:
            return (1 // (state[0] - state[2]),)
        return (0, 1) if state[0] % 97 == 0 else (1,)

    def make_move(self, state: State, move: int) -> State:
        return (state[0] + 1 if move else -state[0] - 1), state[1], state[2]

    def utility(self, state: State) -> int:
        if state[0] >= state[1]:
            return 0
        return 1 if state[0] % 2 == 0 else -1

    def estimate(self, state: State) -> int:
        return 0

    def key(self, state: State) -> int:
        return state[0] + 2**40


def tabled(depth: int) -> Algorithm:
    return alphabeta(depth, table=TABLE)


def averaged(depth: int) -> Algorithm:
    return expectimax(depth, table=TABLE)


def starred(depth: int) -> Algorithm:
    return expectimax(depth, pruning="star1")


@frozen
class ForThree(Comb):
    """The same for three players."""

    players = 3
    value_range = None

    def player(self, state: State) -> int:
        return state[0] % 3

    def utility(self, state: State) -> Any:
        lost = -1 if state[0] >= state[1] else (-state[0] - 1) % 3
        return (-(lost == 0), -(lost == 1), -(lost == 2))

    def estimate(self, state: State) -> Any:
        return (0, 0, 0)


LONG = pytest.mark.long
ALGORITHMS = [
    *(alphabeta, minimax, expectimax, starred, maxn, tabled, averaged),
    pytest.param(paranoid, marks=LONG),
]


@pytest.mark.parametrize("algorithm", [pvs, mtdf])
def test_a_deepening_search_goes_on_below(algorithm: Callable[[int], Algorithm]) -> None:
    found = search(Comb(WIDEST + 1), algorithm(WIDEST + 1)).compute()
    assert (found.value, found.line) == (0, (1,) * (WIDEST + 1))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_both_engines_find_the_same_whole_line(algorithm: Callable[[int], Algorithm]) -> None:
    game = ForThree() if algorithm in (maxn, paranoid) else Comb()
    for length in 499, 500, 501, 502, 1000, 1001, 1700:
        found = [
            search(game, algorithm(length), state=(0, length, -1), engine=engine).compute()
            for engine in ("native", "interpreted")
        ]
        one, other = found
        assert (one.value, one.line, one.nodes) == (other.value, other.line, other.nodes)
        assert one.value == ((0, 0, 0) if algorithm is maxn else 0)
        # An entry of the table ends a line: here those of the nodes that are searched again.  In
        # a coalition, a player of the others does not mind a point.
        ended = {paranoid: 97, tabled: min(length, WIDEST), averaged: min(length, WIDEST)}
        least = ended.get(algorithm, length)
        assert set(one.line[:least]) == {1}
        assert len(one.line) >= least


@frozen
class Spine(SearchTree[tuple[int, int, int, int], int]):
    """A way with twigs before and behind it, most of them leaves; its end is the best leaf.

    A node is the steps so far, the nodes that are left of its twig, the seed, and the length.
    """

    def start(self) -> tuple[int, int, int, int]:
        return 0, 0, 0, 600

    def twig(self, step: int, seed: int) -> int:
        """Return the height of the twig beside a step, less than 0 if it is before the way."""
        if step == seed % 1500:
            return 600
        kind = (step * 9973 + seed) % 1013 % 64
        return 2 * kind - 1 if kind < 3 else 1 - 2 * (kind - 3) if kind < 6 else 0

    def status(self, state: tuple[int, int, int, int]) -> Status:
        step, left, _, length = state
        return Status.OVER if left == 1 or step == length else Status.IN_PLAY

    def moves(self, state: tuple[int, int, int, int]) -> Any:
        step, left, seed, _ = state
        twig = self.twig(step, seed)
        if left or twig == 0:
            return (0, 1) if left else (1,)
        return (1, 0) if twig > 0 else (0, 1)

    def make_move(self, state: tuple[int, int, int, int], move: int) -> tuple[int, int, int, int]:
        step, left, seed, length = state
        if left:
            return step, left - 1 if move else 1, seed, length
        return (
            (step + 1, 0, seed, length)
            if move
            else (step, abs(self.twig(step, seed)), seed, length)
        )

    def bounds(self, state: tuple[int, int, int, int]) -> tuple[int, int]:
        return 0, int(state[1] == 0 or state[2] % 2)

    def utility(self, state: tuple[int, int, int, int]) -> int:
        return int(state[0] == state[3])


@pytest.mark.parametrize(
    "algorithm",
    [optimisation, *(pytest.param(a, marks=LONG) for a in (alphabeta, tabled, expectimax))],
)
def test_a_long_line_is_that_of_the_best_leaf(algorithm: Callable[[int], Algorithm]) -> None:
    for seed in range(25):
        length = 501 + 97 * (seed % 20)
        for depth in length, length + 300:
            root = 0, 0, seed, length
            found = search(Spine(), algorithm(depth), state=root, engine="native").compute()
            assert found.value == 1
            least = WIDEST if algorithm is tabled else length  # where an entry answers, a line ends
            assert found.line == (1,) * max(least, len(found.line))


@pytest.mark.parametrize("twig", [0, 1, -1, 5])
def test_the_rest_of_a_long_line_is_not_searched_again(twig: int) -> None:
    made = []

    class Recorded(Spine):
        def twig(self, step: int, seed: int) -> int:
            return twig

        def bounds(self, state: tuple[int, int, int, int]) -> tuple[int, int]:
            return 0, int(state[1] < 2)  # of twigs, leaves alone are not cut off

        def make_move(self, state: Any, move: int) -> Any:
            made.append(move)
            return super().make_move(state, move)

    length = 1750
    asked = search(Recorded(), optimisation(length), state=(0, 0, 0, length), engine="interpreted")
    found = asked.compute()
    branches = 2 if twig else 1
    assert len(made) < (branches + 1) * length  # a search, and a walk along the line
    assert len(found.line) == length


@pytest.mark.parametrize("using", [seq, jamboree(0.5).to_ply(3), young_brothers_wait.to_ply(200)])
def test_strategies_search_deep_trees(using: Any) -> None:
    game = Comb(1200)
    found = search(game, alphabeta(1200), using=using).compute(num_workers=2)
    assert (found.value, found.line) == (0, (1,) * 1200)
    for scheduler in "threads", "sync":
        again = search(game, alphabeta(1200), using=using).compute(scheduler=scheduler)
        assert again.line == (1,) * 1200


@pytest.mark.parametrize(("engine", "plies"), [("native", 30_000), ("interpreted", 2_000)])
def test_the_plies_that_a_search_visits_are_limited_by_memory_alone(
    engine: str, plies: int
) -> None:
    game = Comb(plies)
    found = search(game, alphabeta(plies - 10), engine=engine).compute()
    assert found.value == 0  # a player would rather lose nothing than a point
    assert found.line == (1,) * (plies - 10)
    found = search(game, alphabeta(2 * plies, table=TABLE), engine=engine).compute()
    assert found.value == 0


def test_an_entry_of_another_depth_is_no_answer() -> None:
    # Depths that differ by 512 have the same nine bits in an entry; a transposition joins them.
    game = Shortcut()
    for depth in 700, 1212, 1213:
        plain = search(game, alphabeta(depth), engine="interpreted").compute().value
        engine, table = engine_for(game, "interpreted"), Table("16MB")
        assert search_alphabeta(engine, table, -1, depth, orders=True).value == plain


@frozen
class Shortcut(Game[int, int]):
    """A way whose first step may leap over 512 others: then a search sees farther."""

    def start(self) -> int:
        return -1

    def status(self, state: int) -> Status:
        return Status.IN_PLAY

    def player(self, state: int) -> int:
        return MAXIE

    def moves(self, state: int) -> Any:
        return (513, 1) if state == -1 else (1,)

    def make_move(self, state: int, move: int) -> int:
        return state + move

    def estimate(self, state: int) -> int:
        return -state

    def key(self, state: int) -> int:
        return state + 2**40


@pytest.mark.parametrize("engine", ["native", "interpreted"])
def test_a_rule_that_fails_far_below_is_told_with_its_moves(engine: str) -> None:
    game = Comb(2000, fails=1500)
    with pytest.raises(RuleFailed, match=r"1,500 in all.*ZeroDivisionError"):
        search(game, alphabeta(2000), engine=engine).compute()


def longer(n: int) -> int:
    """Return n, by a function that calls itself."""
    return 0 if n == 0 else 1 + longer(n - 1)


@frozen
class Recursive(SearchTree[tuple[int, int, int], int]):
    """A way whose rule calls itself: so often at each step, and so often at the end.

    A node is the steps that are left, and both numbers.
    """

    def start(self) -> tuple[int, int, int]:
        return 0, 0, 0

    def moves(self, state: tuple[int, int, int]) -> Any:
        return (1,) if state[0] > 0 else ()

    def make_move(self, state: tuple[int, int, int], move: int) -> tuple[int, int, int]:
        return state[0] - move, state[1], state[2]

    def measure(self, state: tuple[int, int, int]) -> int:
        return longer(state[1] if state[0] > 0 else state[2])


@pytest.mark.parametrize(("engine", "plies"), [("native", 90_000), ("interpreted", 3_000)])
def test_rules_may_call_themselves_far_below(engine: str, plies: int) -> None:
    root = plies, 5, 5
    found = search(Recursive(), enumeration(plies), state=root, engine=engine).compute()
    assert found.value == 5 * (plies + 1)


@pytest.mark.parametrize("engine", ["native", "interpreted"])
def test_rules_that_call_themselves_without_end_are_an_error_there(engine: str) -> None:
    with pytest.raises((RuleFailed, RecursionError), match=r"deep|depth"):
        search(Recursive(), enumeration(700), state=(700, 5, -1), engine=engine).compute()


def test_work_on_a_deep_stack_counts_as_the_caller_s() -> None:
    def busy() -> None:
        while thread_time() < 0.02:  # of the new thread
            pass

    before = cpu_time()
    on_deep_stack(600, busy, bool)
    on_deep_stack(600, busy, bool)
    assert cpu_time() - before >= 0.04


def test_errors_of_a_deep_stack_reach_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ZeroDivisionError):
        on_deep_stack(600, lambda: 1 // 0, bool)

    def start(self: Any) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("threading.Thread.start", start)
    with pytest.raises(NoStack, match="stack of a search of 700 plies: give a smaller depth"):
        on_deep_stack(700, int, bool)


@pytest.mark.parametrize("engine", ["native", "interpreted"])
@pytest.mark.parametrize("scheduler", [None, "sync"])
def test_ctrl_c_ends_a_deep_search(engine: str, scheduler: str | None) -> None:
    assert threading.current_thread() is threading.main_thread()
    game, depth = Branching(), 600
    search(game, alphabeta(3), engine=engine).compute()  # compiled before
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        search(game, alphabeta(depth), engine=engine).compute(scheduler=scheduler)
    timer.join()
    assert not any(map(searches_deep, sys._current_frames().values()))


def searches_deep(frame: FrameType | None) -> bool:
    """Return whether a thread, of which this is the last frame, is one for a deep search."""
    while frame is not None:
        if frame.f_code.co_qualname == "on_deep_stack.<locals>.run":
            return True
        frame = frame.f_back
    return False


@frozen
class Branching(Shortcut):
    """A game without end, of two moves everywhere."""

    def moves(self, state: int) -> Any:
        return (1, 2)


def test_sparks_below_deep_nodes_are_searched_too() -> None:
    game = Comb(900)
    deep = search(game, alphabeta(900), using=par_list.to_ply(600), engine="interpreted")
    assert deep.compute().line == (1,) * 900
