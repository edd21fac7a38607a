"""A limit of time or nodes holds however slow the rules are: clocks are counted, not read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from games import Game, Status
from games.problems import Problem
from strategies import (
    abdada,
    alphabeta,
    expectimax,
    jamboree,
    lazy_smp,
    maxn,
    mcts,
    minimax,
    mtdf,
    par_list,
    paranoid,
    pvs,
    scout,
    search,
    seq,
    solve,
    young_brothers_wait,
)
from strategies.algorithms.fold import OPEN
from strategies.native.kept_engines import engine_for
from strategies.native.memory import cells
from strategies.native.memory.cells import Stop
from strategies.native.memory.transposition_table import Table
from strategies.running.execution.dispatch import search_position
from strategies.running.runtime import deadline
from strategies.searches.local_search.algorithms import first_improvement, steepest_descent
from strategies.searches.local_search.climb import climb
from strategies.searches.monte_carlo import tree

EACH = 100.0
"""The seconds of the clock that each value takes: more than any test takes by the real one, which
some limits are also kept by."""


class Clock:
    """A clock that goes on by `EACH` whenever a value is read."""

    def __init__(self) -> None:
        self.now = 0.0
        self.begun: list[float] = []

    def __call__(self) -> float:
        return self.now

    def value(self) -> None:
        self.begun.append(self.now)
        self.now += EACH


CLOCK = Clock()


@frozen
class Node:
    number: int
    ply: int


@frozen
class Wide(Game[Node, int]):
    """A tree without ends whose estimates take `EACH` seconds of the clock."""

    width: int = 5
    many: int = 2
    plies: int = 30
    value_range = (0, 50)
    native = False

    @property
    def players(self) -> int:  # type: ignore[override]
        return self.many

    def start(self) -> Node:
        return Node(1, 0)

    def status(self, state: Node) -> Status:
        return Status.IN_PLAY if state.ply < self.plies else Status.OVER

    def player(self, state: Node) -> int:
        return state.ply % self.many

    def moves(self, state: Node) -> Iterator[int]:
        yield from range(self.width)

    def make_move(self, state: Node, move: int) -> Node:
        return Node((state.number * 31 + move) % 9973, state.ply + 1)

    def estimate(self, state: Node) -> Any:
        CLOCK.value()
        value = state.number % 50
        return value if self.many <= 2 else tuple((value + k) % 50 for k in range(self.many))

    def utility(self, state: Node) -> Any:
        return self.estimate(state)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    CLOCK.now, CLOCK.begun = 0.0, []
    for module in (cells, deadline, tree):
        monkeypatch.setattr(module, "monotonic", CLOCK)
    return CLOCK


TWO = [
    alphabeta(9),
    pvs(9),
    mtdf(9),
    expectimax(9),
    expectimax(9, pruning="star1"),
    expectimax(9, pruning="star2"),
]
ORDERS = [seq, par_list, jamboree(0.5).to_ply(2), young_brothers_wait.to_ply(2), scout.to_ply(2)]
CASES = [
    *((algorithm, seq, 2) for algorithm in TWO),
    *((pvs(9), using, 2) for using in (*ORDERS[1:], young_brothers_wait.joined())),
    *((expectimax(9), using, 2) for using in ORDERS[1:3]),
    *((pvs(9), using, 2) for using in (abdada(1), lazy_smp(1))),
    *((algorithm, seq, 3) for algorithm in (maxn(9), paranoid(9))),
    *((mcts(10**6, rollout=how), seq, 2) for how in ("estimate", 3)),
    (mcts(10**6, rollout=3, rollouts=5), seq, 2),
]


@pytest.mark.parametrize(("algorithm", "using", "many"), CASES, ids=str)
@pytest.mark.parametrize(("width", "values"), [(3, 5.5), (40, 60.5), (7, 0.5)])
def test_no_estimate_begins_after_the_deadline(
    algorithm: Any, using: Any, many: int, width: int, values: float, clock: Clock
) -> None:
    limit = values * EACH
    found = search(Wide(width, many), algorithm, using=using, time=limit).compute(num_workers=1)
    assert found.move in range(width)
    assert clock.begun[-1] < limit
    assert clock.now >= limit


@pytest.mark.parametrize("using", [abdada(2), lazy_smp(2), par_list], ids=str)
def test_each_thread_finishes_the_estimate_that_runs(using: Any, clock: Clock) -> None:
    search(Wide(40), pvs(9), using=using, time=30.5 * EACH).compute(num_workers=2)
    assert sum(begun > 30.5 * EACH for begun in clock.begun) <= 1


class Slope(Problem[int]):
    """States are numbers, whose value takes `EACH` seconds of the clock."""

    def start(self, seed: int) -> int:
        return 10_000

    def neighbors(self, state: int) -> Iterator[int]:
        yield from range(state - 50, state)

    def value(self, state: int) -> int:
        CLOCK.value()
        return state


@pytest.mark.parametrize("climber", [steepest_descent(), first_improvement()], ids=str)
def test_a_limit_ends_local_search(climber: Any, clock: Clock) -> None:
    found = climb(Slope(), climber, restarts=5, time=120.5 * EACH)
    assert clock.begun[-1] < 120.5 * EACH <= clock.now
    assert found.interrupted


def test_a_limit_ends_a_proof(clock: Clock) -> None:
    solve(Wide(2, plies=8), time=3.5 * EACH, engine="interpreted", memory="1MB")
    assert clock.begun[-1] < 3.5 * EACH <= clock.now


KINDS = [
    minimax(3),
    alphabeta(3),
    pvs(3),
    expectimax(3),
    expectimax(3, pruning="star1"),
    expectimax(3, pruning="star2"),
    alphabeta(3, table=1 << 16),
]


@given(st.sampled_from(KINDS), st.integers(1, 3), st.integers(1, 30))
def test_a_stop_is_heeded_before_the_next_leaf(algorithm: Any, depth: int, after: int) -> None:
    """The flag is set during the estimate with number `after`."""
    stop, read = Stop(), []

    class Stopping(Wide):
        def estimate(self, state: Node) -> Any:
            read.append(state)
            if len(read) == after:
                stop.set()
            return state.number % 50

    game = Stopping(4)
    table = Table(1 << 16) if algorithm.pruning or not algorithm.plain else None
    search_position(
        algorithm, engine_for(game, "interpreted"), game.start(), depth, OPEN, stop, table
    )
    assert len(read) <= after


@settings(max_examples=40)
@given(st.sampled_from([alphabeta, pvs, mtdf]), st.integers(1, 40), st.integers(10, 1_000))
def test_a_limit_of_nodes_is_exceeded_by_one_line_at_most(
    kind: Any, width: int, nodes: int
) -> None:
    found = search(Wide(width), kind(6), nodes=nodes, engine="interpreted").compute()
    whole = sum(width**ply for ply in range(7))
    assert found.nodes <= nodes + 6 or whole < nodes
